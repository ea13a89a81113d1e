"""Results written before 0.1.0 by commit 8b4fe3a: their signatures must give the same numbers for ever."""

from __future__ import annotations

import json
from pathlib import Path
from statistics import mean
from typing import Any

import pytest

from bleuprint.metrics import SentenceBleu, from_signature
from bleuprint.results import Result
from bleuprint.runners import replay
from tests.support.tables import POOL_TABLE

STORED = Path(__file__).parent / "results"
NUMBERS: dict[str, dict[str, dict[str, Any]]] = json.loads((STORED / "pools-and-states.json").read_text("utf-8"))


@pytest.mark.parametrize("name", ["every-metric", "options", "compared"])
def test_a_stored_result_replays_to_the_same_numbers(name: str) -> None:
    result = Result.read_json(STORED / f"{name}.json")
    replayed = replay(result)
    assert replayed.same, [score for score in replayed.scores if not score.same]
    assert len(replayed.scores) == len(result.systems) * len(result.metrics)


@pytest.mark.parametrize("name", ["every-metric", "options"])
def test_a_stored_segment_score_replays_to_the_same_number(name: str) -> None:
    result = Result.read_json(STORED / f"{name}.json")
    for system in result.systems:
        for score in system.scores:
            metric = from_signature(score.segment_signature)
            sources = result.sources if metric.needs_sources else None
            values = metric.sentences(system.hypotheses, result.references, sources=sources)
            assert values.tolist() == list(score.segments), score.metric


@pytest.mark.parametrize("name", NUMBERS["states"])
def test_a_stored_state_goes_on_where_it_stopped(name: str) -> None:
    stored = NUMBERS["states"][name]
    # States of that commit name no signature; the file stores it beside them.
    state = {"signature": stored["signature"], **stored["state"]}
    metric = from_signature(stored["signature"]).add_state(state)
    assert metric.compute().value == stored["value"]
    again = from_signature(stored["signature"]).add_state(json.loads(json.dumps(metric.state())))
    assert again.compute().value == stored["value"]


@pytest.mark.parametrize("name", NUMBERS["pools"])
def test_a_stored_pool_score_replays_to_the_same_number(name: str) -> None:
    stored = NUMBERS["pools"][name]
    result = Result.read_json(STORED / "every-metric.json")
    metric = POOL_TABLE[name].from_signature(stored["signature"])
    if metric.needs_references:
        metric.add_references([text for group in result.references for text in group])
    assert metric.corpus(result.system("A").hypotheses).value == stored["value"]


def test_sentence_bleu_stored_as_a_corpus_bleu_keeps_its_number() -> None:
    """These results call a corpus BLEU with the settings of sentence BLEU by its name; today it is the mean."""
    result = Result.read_json(STORED / "every-metric.json")
    stored = result.system("A").score("sentence-bleu")
    now = SentenceBleu().corpus(result.system("A").hypotheses, result.references)
    assert from_signature(stored.signature).name == "bleu"
    assert now.value == mean(stored.segments) != stored.value
