"""BERTScore against the package bert_score over the same weights, Fréchet distance against SciPy."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bert_score
import numpy as np
import pytest

from bleuprint import BERTScore
from bleuprint.errors import OptionError, SignatureError
from bleuprint.metrics import Frechet
from bleuprint.models.encoders import TransformersEncoder, resolve
from bleuprint.models.encoders.transformers_models import LAYERS

HYPOTHESES = [
    "the kitten ran home",
    "A large language model translated the sentence, more or less.",
    "",
    "No, thank you!",
    "the the the the the the the the",
    "Zażółć gęślą jaźń 猫が座った",
    "  blanks around  ",
    "the meeting was postponed until Friday because of the rain",
]
REFERENCES = [
    ["a young cat went back to its house"],
    ["The sentence was translated by a big model.", "An LLM rendered the phrase."],
    ["something"],
    ["", "Thanks, but no."],
    ["a"],
    ["猫 sat", "Yellow the goose"],
    ["blanks around"],
    ["they moved the meeting to Friday since it was raining", "rain"],
]


@pytest.fixture
def tokenizer_of_old(monkeypatch: pytest.MonkeyPatch) -> None:
    """bert_score calls this method for empty texts; transformers 5 has dropped it."""
    from transformers import PreTrainedTokenizerBase

    def framed(self: Any, ids: list[int]) -> list[int]:
        return [self.cls_token_id, *ids, self.sep_token_id]

    monkeypatch.setattr(PreTrainedTokenizerBase, "build_inputs_with_special_tokens", framed, raising=False)


def peer(folder: Path, layer: int, **options: Any) -> np.ndarray[Any, Any]:
    found = bert_score.score(
        HYPOTHESES,
        REFERENCES,
        model_type=str(folder),
        num_layers=layer,
        nthreads=0,
        device="cpu",
        **options,
    )
    return np.array([part.double().numpy() for part in found])


@pytest.mark.usefixtures("tokenizer_of_old")
@pytest.mark.parametrize(("layer", "idf"), [(6, False), (3, False), (0, False), (5, True)])
def test_equal_to_bert_score(minilm_folder: Path, layer: int, idf: bool) -> None:
    metric = BERTScore(TransformersEncoder(minilm_folder, layer=layer, device="cpu"), idf=idf)
    precision, recall, f1 = peer(minilm_folder, layer, idf=idf)
    ready = metric.fit(REFERENCES) if idf else metric
    found = ready.statistics(HYPOTHESES, REFERENCES).rows * 2.0**-30
    assert found[:, 0] == pytest.approx(precision, abs=1e-5)
    assert found[:, 1] == pytest.approx(recall, abs=1e-5)
    assert metric.sentences(HYPOTHESES, REFERENCES) == pytest.approx(f1, abs=1e-5)
    assert metric.corpus(HYPOTHESES, REFERENCES).value == pytest.approx(float(f1.mean()), abs=1e-5)
    assert f1[2] == 0
    assert np.ptp(f1) > 0.2


@pytest.mark.usefixtures("tokenizer_of_old")
def test_rescaling_equal_to_bert_score(minilm_folder: Path, tmp_path: Path) -> None:
    lines = [f"{layer},{0.1 * layer + 0.01},{0.1 * layer + 0.02},{0.1 * layer + 0.03}" for layer in range(7)]
    file = tmp_path / "baseline.tsv"
    file.write_text("\n".join(["LAYER,P,R,F", *lines]) + "\n", encoding="utf-8")
    options = {"rescale_with_baseline": True, "baseline_path": str(file), "lang": "en"}
    _, _, f1 = peer(minilm_folder, 4, **options)
    encoder = TransformersEncoder(minilm_folder, layer=4, device="cpu")
    found = BERTScore(encoder, baseline=(0.41, 0.42, 0.43)).sentences(HYPOTHESES, REFERENCES)
    assert found == pytest.approx(f1, abs=1e-5)


def test_layers_are_those_of_bert_score() -> None:
    from bert_score.utils import model2layers

    assert LAYERS.items() <= model2layers.items()


def test_equal_texts_score_exactly_one(minilm_folder: Path) -> None:
    texts = [text for text in HYPOTHESES if text]
    metric = BERTScore(TransformersEncoder(minilm_folder, device="cpu"))
    assert metric.sentences(texts, texts).tolist() == [1.0] * len(texts)
    assert metric.corpus(texts, texts).value == 1.0


def test_bundled_weights_and_their_two_forms() -> None:
    """The same model in 8 and in 32 bits: nearly the same vectors, and never the same signature."""
    whole, small = resolve("minilm"), resolve("minilm-int8")
    texts = [text for text in HYPOTHESES if text.strip()]
    for first, second in zip(whole.encode(texts), small.encode(texts), strict=True):
        assert first.tokens == second.tokens
        cosines = (first.vectors * second.vectors).sum(1) / np.linalg.norm(first.vectors, axis=1)
        assert (cosines / np.linalg.norm(second.vectors, axis=1) > 0.97).all()
    assert whole.markers == small.markers == {"[CLS]", "[SEP]"}
    assert whole.tokens(["a cat"]) == small.tokens(["a cat"]) == [["[CLS]", "a", "cat", "[SEP]"]]
    assert whole.digest != small.digest
    scores = [BERTScore(encoder).sentences(HYPOTHESES, REFERENCES) for encoder in (whole, small)]
    assert scores[0] == pytest.approx(scores[1], abs=0.02)
    signature = BERTScore(small).signature
    assert "encoder:minilm-int8" in signature
    assert BERTScore.from_signature(signature, encoder="minilm-int8").signature == signature
    with pytest.raises(SignatureError, match="the given encoder has the signature"):
        BERTScore.from_signature(signature, encoder=whole)
    with pytest.raises(OptionError, match="layer"):
        resolve("minilm-int8", layer=3)


def test_texts_do_not_depend_on_their_batch() -> None:
    encoder = resolve("minilm")
    texts = ["a cat", "a much longer text " * 20, ""]
    for text, encoding in zip(texts, encoder.encode(texts), strict=True):
        alone = encoder.encode([text])[0]
        assert encoding.tokens == alone.tokens
        assert np.abs(encoding.vectors - alone.vectors).max() < 1e-5
    assert len(encoder.encode(["word " * 5000])[0].tokens) == encoder.max_length == 512


def frechet_by_scipy(first: np.ndarray[Any, Any], second: np.ndarray[Any, Any]) -> float:
    from scipy import linalg

    one, other = np.cov(first, rowvar=False), np.cov(second, rowvar=False)
    root = linalg.sqrtm(one @ other)
    apart = first.mean(axis=0) - second.mean(axis=0)
    return float(apart @ apart + np.trace(one + other - 2 * np.real(root)))


def test_frechet_distance_equal_to_scipy() -> None:
    chance = np.random.default_rng(3)
    mixing = chance.normal(size=(24, 24))
    clouds = [chance.normal(size=(200, 24)) @ mixing, 0.3 + chance.normal(size=(150, 24)) @ mixing.T]
    points = {f"{cloud}-{row}": clouds[cloud][row] for cloud in (0, 1) for row in range(len(clouds[cloud]))}

    def encode(texts: list[str]) -> list[tuple[list[str], Any]]:
        return [([text], points[text][None, :]) for text in texts]

    names = [[name for name in points if name.startswith(f"{cloud}-")] for cloud in (0, 1)]
    score = Frechet(encoder=encode).corpus(names[0], names[1])
    single = [cloud.astype(np.float32).astype(np.float64) for cloud in clouds]
    assert score.squared == pytest.approx(frechet_by_scipy(*single), rel=1e-7)
    assert score.distance**2 == pytest.approx(score.squared)


def test_frechet_distance_of_a_real_model(minilm_folder: Path) -> None:
    encoder = TransformersEncoder(minilm_folder, device="cpu")
    texts = [text for text in HYPOTHESES if text]
    others = [text for group in REFERENCES for text in group if text]
    points = [np.array([item.vectors.mean(axis=0) for item in encoder.encode(part)]) for part in (texts, others)]
    whole = Frechet(encoder).add_references(others).update(texts).compute()
    # Eight points in 384 dimensions: the product is singular, which costs sqrtm half of its digits.
    assert whole.squared == pytest.approx(frechet_by_scipy(*(part.astype(np.float64) for part in points)), rel=1e-4)
    assert Frechet(encoder).add_references(others).corpus(others).squared < 1e-6
