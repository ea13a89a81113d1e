"""Neural perplexity against plain torch: windows, batches, padding, and the rules of other libraries."""

from __future__ import annotations

import json
import math
import random
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from bleuprint import signature
from bleuprint.errors import InputError, NoSegmentsError, OptionError, SignatureError
from bleuprint.metrics import NeuralPerplexity
from bleuprint.models.causal_models import TransformersModel
from tests.with_torch.neural.conftest import WORDS


@pytest.fixture(scope="module")
def plain(causal_folder: Path) -> tuple[Any, Any]:
    """Model and tokenizer as their library gives them."""
    from transformers import AutoModelForCausalLM, AutoTokenizer

    model = AutoModelForCausalLM.from_pretrained(causal_folder).eval()
    return model, AutoTokenizer.from_pretrained(causal_folder)


@pytest.fixture(scope="module")
def model(causal_folder: Path) -> TransformersModel:
    return TransformersModel(causal_folder, device="cpu")


def texts(number: int, longest: int, seed: int = 1) -> list[str]:
    chance = random.Random(seed)
    return [" ".join(chance.choices([*WORDS, "unheard"], k=chance.randint(2, longest))) for _ in range(number)]


def surprise(model: Any, ids: list[int]) -> list[float]:
    """−log p of every token but the first, of one text alone."""
    with torch.no_grad():
        logits = model(torch.tensor([ids])).logits[0, :-1]
    loss = torch.nn.functional.cross_entropy(logits, torch.tensor(ids[1:]), reduction="none")
    return [float(value) for value in loss]


def windowed(model: Any, ids: list[int], window: int, stride: int) -> list[float]:
    """The same through windows, after the recipe in the manual of transformers."""
    losses: list[float] = []
    reached = 0
    for begin in range(0, len(ids), stride):
        end = min(begin + window, len(ids))
        new = end - reached if reached else end - 1
        losses += surprise(model, ids[begin:end])[-new:] if new else []
        reached = end
        if end == len(ids):
            break
    return losses


def test_tokens_of_short_texts(model: TransformersModel, plain: tuple[Any, Any]) -> None:
    corpus = texts(40, 12)
    expected = [surprise(plain[0], [1, *plain[1](text)["input_ids"]]) for text in corpus]
    metric = NeuralPerplexity(model)
    found = metric.sentences(corpus)
    assert found == pytest.approx([math.exp(sum(loss) / len(loss)) for loss in expected], rel=1e-5)
    together = [value for loss in expected for value in loss]
    score = metric.corpus(corpus)
    assert score.value == pytest.approx(math.exp(sum(together) / len(together)), rel=1e-5)
    assert score.columns[1] == len(together)
    assert "bos:yes" in score.signature
    assert max(found) > 2 * min(found), "the model must tell texts apart, or nothing is tested"


@pytest.mark.parametrize(("window", "stride"), [(16, 8), (16, 1), (16, 15), (8, 5), (3, 1), (2, 1)])
@pytest.mark.parametrize("bos", [True, False])
def test_windows(model: TransformersModel, plain: tuple[Any, Any], window: int, stride: int, bos: bool) -> None:
    corpus = texts(12, 60, seed=window)
    metric = NeuralPerplexity(model, max_length=window, stride=stride, bos=bos)
    rows = metric.statistics(corpus).rows
    for text, (total, tokens) in zip(corpus, rows.tolist(), strict=True):
        ids = [*([1] if bos else []), *plain[1](text)["input_ids"]]
        losses = windowed(plain[0], ids, window, stride)
        assert tokens == len(losses) == len(ids) - 1
        assert -total * 2.0**-28 == pytest.approx(sum(losses), rel=1e-5)


@pytest.mark.parametrize("batch_size", [1, 3, 64])
def test_batches_and_padding_do_not_matter(causal_folder: Path, model: TransformersModel, batch_size: int) -> None:
    corpus = texts(30, 30)
    other = TransformersModel(causal_folder, device="cpu", batch_size=batch_size)
    expected = NeuralPerplexity(model).sentences(corpus)
    assert NeuralPerplexity(other).sentences(corpus) == pytest.approx(expected, rel=1e-5)
    assert NeuralPerplexity(other).signature == NeuralPerplexity(model).signature


def test_double_precision_does_not_depend_on_batches(causal_folder: Path) -> None:
    corpus = texts(20, 30)
    models = [TransformersModel(causal_folder, device="cpu", dtype="float64", batch_size=size) for size in (1, 7)]
    one, seven = (NeuralPerplexity(model).statistics(corpus).rows for model in models)
    assert np.abs(one - seven).max() <= 1
    assert "dtype:float64" in NeuralPerplexity(models[0]).signature


def test_the_rule_of_hugging_face_evaluate(model: TransformersModel, plain: tuple[Any, Any]) -> None:
    """Batch with padding, start token in front, cross-entropy under the mask, the mean of the texts' perplexities."""
    corpus = texts(16, 14)
    causal, tokenizer = plain
    for max_length in (None, 9):
        rows = [tokenizer(text, add_special_tokens=False)["input_ids"] for text in corpus]
        rows = [[1, *(row if max_length is None else row[: max_length - 1])] for row in rows]
        longest = max(map(len, rows))
        ids = torch.tensor([row + [0] * (longest - len(row)) for row in rows])
        mask = torch.tensor([[1] * len(row) + [0] * (longest - len(row)) for row in rows])
        with torch.no_grad():
            logits = causal(ids, attention_mask=mask).logits
        loss = torch.nn.functional.cross_entropy(logits[:, :-1].transpose(1, 2), ids[:, 1:], reduction="none")
        expected = torch.exp((loss * mask[:, 1:]).sum(1) / mask[:, 1:].sum(1))
        metric = NeuralPerplexity(model, profile="hf-evaluate", max_length=max_length)
        assert metric.sentences(corpus) == pytest.approx(expected.tolist(), rel=1e-5)
        assert metric.corpus(corpus).value == pytest.approx(float(expected.double().mean()), rel=1e-5)
    with pytest.raises(InputError, match="reads at most 16 at once: pass max_length"):
        NeuralPerplexity(model, profile="hf-evaluate").corpus([" ".join(WORDS)])
    with pytest.raises(InputError, match="no token to score"):
        NeuralPerplexity(model, profile="hf-evaluate").corpus(["the cat", ""])


def test_the_rule_of_autometrics(model: TransformersModel, plain: tuple[Any, Any]) -> None:
    """No start token, so the first token is not scored; windows of the model's length; a perplexity for each text."""
    corpus = texts(12, 50)
    metric = NeuralPerplexity(model, profile="autometrics", stride=6)
    losses = [windowed(plain[0], plain[1](text)["input_ids"], 16, 6) for text in corpus]
    expected = [math.exp(sum(loss) / len(loss)) for loss in losses]
    assert metric.sentences(corpus) == pytest.approx(expected, rel=1e-5)
    assert metric.corpus(corpus).value == pytest.approx(sum(expected) / len(expected), rel=1e-5)
    with pytest.raises(OptionError, match="stride"):
        NeuralPerplexity(model, profile="autometrics")  # 512 tokens are more than this model reads


def test_a_signature_replays_with_the_same_weights_only(causal_folder: Path, model: TransformersModel) -> None:
    score = NeuralPerplexity(model, max_length=8).corpus(["the cat sat"])
    again = NeuralPerplexity.from_signature(score.signature, model=causal_folder)
    assert again.corpus(["the cat sat"]).value == score.value
    digest = signature.parse(score.signature).options["model_digest"]
    assert isinstance(digest, str)
    assert len(digest) == len("sha256-") + 64
    other = score.signature.replace(digest, "sha256-0")
    with pytest.raises(SignatureError, match="the given model has the signature"):
        NeuralPerplexity.from_signature(other, model=model)
    with pytest.raises(SignatureError, match="model=…"):
        NeuralPerplexity.from_signature(score.signature)


def test_loading_is_silent(causal_folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    TransformersModel(causal_folder, device="cpu")
    assert capfd.readouterr() == ("", "")


def test_what_cannot_be_loaded(tmp_path: Path) -> None:
    for name in (tmp_path, "nobody/no-such-model"):
        with pytest.raises(OptionError, match="download=True fetches it"):
            TransformersModel(name)


def test_broken_weights_and_code_that_comes_with_a_model(causal_folder: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken"
    shutil.copytree(causal_folder, broken)
    (broken / "model.safetensors").write_bytes(b"not weights")
    with pytest.raises(OptionError, match="transformers says"):
        TransformersModel(broken)
    armed, trace = tmp_path / "armed", tmp_path / "trace"
    shutil.copytree(causal_folder, armed)
    (armed / "own.py").write_text(f"open({str(trace)!r}, 'w').close()\n", encoding="utf-8")
    config = json.loads((armed / "config.json").read_text(encoding="utf-8"))
    config |= {"model_type": "own", "auto_map": {"AutoConfig": "own.Own", "AutoModelForCausalLM": "own.Own"}}
    (armed / "config.json").write_text(json.dumps(config), encoding="utf-8")
    with pytest.raises(OptionError, match="transformers says"):
        TransformersModel(armed)
    assert not trace.exists(), "code that came with a model was run"


def test_hostile_texts(model: TransformersModel) -> None:
    metric = NeuralPerplexity(model)
    assert metric.sentence("").value > 0
    assert metric.sentence("\x00 \u2028 <start> 😀").value > 1
    with pytest.raises(NoSegmentsError, match="neural-perplexity has no segments"):
        metric.corpus([])
    assert metric.corpus(["the cat " * 2000]).columns[1] == 4000


def test_devices_and_dtypes_are_checked(causal_folder: Path) -> None:
    with pytest.raises(OptionError, match="dtype"):
        TransformersModel(causal_folder, dtype="int8")
    with pytest.raises(OptionError, match="device"):
        TransformersModel(causal_folder, device="toaster")
