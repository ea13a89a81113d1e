"""The values of the metric vectors, without the packages that made them: also run on other platforms."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest

from tests.vectors import ours, reading, twins
from tests.vectors.plain import METRICS
from tests.vectors.plain.case import run
from tests.vectors.reading import NAMES, Vector, VectorError

VECTORS = [vector for metric in NAMES for vector in reading.read(metric)]
MUTANTS = [(metric, mistake) for metric in NAMES for mistake in METRICS[metric].mistakes]


def vectors_of(*metrics: str) -> pytest.MarkDecorator:
    chosen = [vector for vector in VECTORS if vector.metric in metrics]
    return pytest.mark.parametrize("vector", chosen, ids=[vector.id for vector in chosen])


@vectors_of(*NAMES)
def test_the_plain_metric_passes(vector: Vector) -> None:
    assert vector.passed_by(run(METRICS[vector.metric].score, vector.case))


@pytest.mark.parametrize(("metric", "mistake"), MUTANTS, ids=[f"{metric}-{mistake}" for metric, mistake in MUTANTS])
def test_every_mutant_fails_somewhere(metric: str, mistake: str) -> None:
    score = METRICS[metric].score
    assert any(not vector.passed_by(run(score, vector.case, mistake)) for vector in reading.read(metric))


@vectors_of(*NAMES)
def test_no_case_can_be_left_out(vector: Vector) -> None:
    """Each case catches a mistake that no other one of its metric catches."""
    times = Counter(mistake for each in reading.read(vector.metric) for mistake in each.fields["mistakes"])
    assert vector.fields["catches"] == [mistake for mistake in vector.fields["mistakes"] if times[mistake] == 1]
    assert vector.fields["catches"]


@vectors_of(*NAMES)
def test_a_value_of_a_mistake_would_fail(vector: Vector) -> None:
    assert not any(vector.passed_by(value) for value in vector.fields["mistakes"].values())
    assert set(vector.fields["mistakes"]) <= set(METRICS[vector.metric].mistakes)


@vectors_of(*ours.METRICS)
def test_our_metrics_pass(vector: Vector) -> None:
    assert vector.passed_by(ours.METRICS[vector.metric](vector.case))


@vectors_of(*ours.FUNCTIONS)
def test_our_functions_pass(vector: Vector) -> None:
    assert vector.passed_by(ours.FUNCTIONS[vector.metric](vector.case))


@vectors_of(*twins.TWINS)
def test_the_twins_pass(vector: Vector) -> None:
    assert vector.passed_by(twins.TWINS[vector.metric](vector.case))


def change_case(metric: str, **fields: Any) -> str:
    found = json.loads((reading.FOLDER / f"{metric}.json").read_text(encoding="utf-8"))
    for name, value in fields.items():
        if value is None:
            del found["cases"][1][name]
        else:
            found["cases"][1][name] = value
    return json.dumps(found)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"expected": None}, "bleu-sums: 'expected' is a required property"),
        ({"expected": {"score": "0.5"}}, "bleu-sums, expected, score: '0.5' is not of type 'number'"),
        ({"hypotheses": ["a"]}, "bleu-sums: 1 hypotheses and 3 lists of references"),
        ({"level": "sentence"}, "bleu-sums: at level 'sentence' one value"),
        ({"sources": ["a"]}, "bleu-sums: 3 hypotheses and 1 sources"),
        ({"id": "chrf-sums"}, "chrf-sums: the id must begin with bleu-"),
        ({"id": "bleu-clipping"}, "bleu.json: two cases have the same id"),
        ({"colour": "red"}, "bleu-sums: Additional properties are not allowed"),
        ({"catches": ["typo"]}, "bleu-sums: it catches mistakes of which it has no value"),
    ],
)
def test_a_malformed_vector_is_named(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(VectorError, match=message):
        reading.parse(change_case("bleu", **fields), "bleu")


def test_malformed_lists_of_values_are_named() -> None:
    text = change_case("sentence-bleu", expected={"scores": [0.5]})
    with pytest.raises(VectorError, match="sentence-bleu-nothing-shared: 3 hypotheses and 1 expected values"):
        reading.parse(text, "sentence-bleu")
    with pytest.raises(VectorError, match="it says that it is of 'bleu'"):
        reading.parse(change_case("bleu"), "chrf")
