"""Definitions, metrics and scores go to other processes: as a signature, the options behind it and plain numbers."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import pytest

import bleuprint as bp
from bleuprint.errors import MergeError
from tests.support.tables import FITTED_TABLE, POOL_TABLE, TABLE

HYPOTHESES = ["the cat sat on the mat", "a dog ran off", "so it goes"]
REFERENCES = [["the cat sat on a mat", "a cat sat"], ["the dog ran off"], ["so it went", "it goes"]]
SOURCES = ["the cat sits on a mat", "a dog run off", "so it go"]


def words(text: str) -> list[str]:
    return text.split()


def updated(name: str) -> Any:
    metric = TABLE[name]()
    return metric.update(HYPOTHESES, REFERENCES, sources=SOURCES if metric.needs_sources else None)


@pytest.mark.parametrize("name", TABLE)
def test_a_metric_goes_on_in_another_process(name: str) -> None:
    metric = updated(name)
    for twin in (pickle.loads(pickle.dumps(metric)), copy.copy(metric), copy.deepcopy(metric)):
        assert type(twin) is type(metric)
        assert twin.compute().value == metric.compute().value
        assert twin.merge(updated(name)).compute().value == updated(name).merge(updated(name)).compute().value
    assert metric.compute().value == updated(name).compute().value


@pytest.mark.parametrize("name", TABLE)
def test_a_definition_and_a_score_are_the_same_again(name: str) -> None:
    score = updated(name).compute()
    again = pickle.loads(pickle.dumps(score))
    assert (again.value, again.columns, again.signature) == (score.value, score.columns, score.signature)
    assert again.definition == score.definition
    assert hash(again.definition) == hash(score.definition)


@pytest.mark.parametrize("name", FITTED_TABLE)
def test_a_fitted_metric_keeps_its_weights(name: str) -> None:
    metric = FITTED_TABLE[name]().fit(REFERENCES)
    twin = pickle.loads(pickle.dumps(metric))
    assert twin.signature == metric.signature
    assert twin.sentences(HYPOTHESES, REFERENCES).tolist() == metric.sentences(HYPOTHESES, REFERENCES).tolist()


def test_what_a_signature_only_names_comes_along() -> None:
    metric = bp.BLEU(tokenizer=words)
    assert pickle.loads(pickle.dumps(metric)).sentence("a b", "a b").value == metric.sentence("a b", "a b").value
    kept = bp.SelfBLEU(max_order=3).definition
    assert pickle.loads(pickle.dumps(kept)) == kept


@pytest.mark.parametrize("name", POOL_TABLE)
def test_a_pool_keeps_its_texts(name: str) -> None:
    metric = POOL_TABLE[name](max_order=2, lowercase=True)
    if metric.needs_references:
        metric.add_references(["The dog sat"])
    metric.update(["The CAT sat", "the cat ran", ""])
    twin = pickle.loads(pickle.dumps(metric))
    score = pickle.loads(pickle.dumps(twin.compute()))
    assert (score.value, score.per_order, score.signature) == (
        metric.compute().value,
        metric.compute().per_order,
        metric.compute().signature,
    )
    assert twin.update(["A dog"]).compute().value == metric.update(["A dog"]).compute().value


def test_a_threshold_comes_along() -> None:
    assert pickle.loads(pickle.dumps(bp.SentenceBleu(threshold=0.7))).threshold == 0.7


def test_definitions_differ_by_what_can_change_a_number() -> None:
    assert bp.BLEU().definition == bp.BLEU().definition
    assert bp.BLEU().definition != bp.BLEU(lowercase=True).definition
    assert bp.BLEU(tokenizer=words).definition != bp.BLEU(tokenizer=str.split).definition
    with pytest.raises(TypeError):
        bp.BLEU().definition.options["lowercase"] = True  # type: ignore[index]


def test_a_state_goes_into_no_other_metric() -> None:
    state = bp.WER().update(HYPOTHESES, REFERENCES).state()
    with pytest.raises(MergeError):
        bp.MER().add_state(state)
    with pytest.raises(MergeError):
        bp.WER(lowercase=True).add_state(state)
