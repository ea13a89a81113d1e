"""Scores from functions share no state, and every tool that takes a metric takes all of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import bleuprint as bp
from bleuprint.metrics.base.plain import PlainMetric
from tests.support.tables import REFERENCE_TABLE

HYPOTHESES = ["the cat sat on the mat", "a dog ran off", "so it goes"]
REFERENCES = ["the cat sat on a mat", "the dog ran off", "so it went"]


class Words(PlainMetric):
    """Words of the outputs for each word of the references."""

    name = "words"
    names = ("output_words", "reference_words")

    def row(self, hypothesis: str, references: list[str], source: str | None) -> tuple[int, int]:
        return len(hypothesis.split()), len(references[0].split())

    def formula(self, columns: Any, *, sentence: bool = False) -> Any:
        return columns[0] / (columns[1] + (columns[1] == 0))


def test_updating_the_metric_of_a_score_changes_no_later_score() -> None:
    before = bp.corpus_bleu(HYPOTHESES, REFERENCES)
    before.metric.update(["nothing alike"], ["at all"])
    assert bp.corpus_bleu(HYPOTHESES, REFERENCES).metric.state() == bp.BLEU().state()
    assert bp.corpus_rouge(HYPOTHESES, REFERENCES).value == bp.corpus_rouge(HYPOTHESES, REFERENCES).value


def test_a_threshold_set_on_the_metric_of_a_score_stays_there() -> None:
    usual = bp.BLEU().threshold
    bp.sentence_bleu("a", "a").metric.threshold = 0.99
    assert bp.sentence_bleu("a", "a").metric.threshold == usual


def test_two_definitions_of_a_weighted_metric_can_be_explained() -> None:
    explanation = bp.explain(HYPOTHESES, REFERENCES, bp.NIST(), bp.NIST(max_order=3))
    assert [step.options for step in explanation.steps] == [("max_order",)]
    assert explanation.end == bp.corpus_nist(HYPOTHESES, REFERENCES, max_order=3).value


def test_two_definitions_of_a_custom_metric_can_be_explained() -> None:
    assert bp.explain(HYPOTHESES, REFERENCES, Words(), Words()).steps == ()


@pytest.mark.parametrize("name", REFERENCE_TABLE)
def test_influence_takes_every_metric_by_name(name: str) -> None:
    sources = REFERENCES if REFERENCE_TABLE[name].needs_sources else None
    found = bp.insight.influence(name, HYPOTHESES, REFERENCES, sources=sources)
    assert found.shape == (3,)
    assert np.isfinite(found).all()


def test_influence_takes_a_custom_metric() -> None:
    found = bp.insight.influence(Words(), HYPOTHESES, REFERENCES)
    assert found.tolist() == [0.0, 0.0, 0.0]


def test_influence_takes_a_metric_that_another_package_announces(monkeypatch: pytest.MonkeyPatch) -> None:
    class Point:
        name = "words"

        def load(self) -> type[Words]:
            return Words

    monkeypatch.setattr("importlib.metadata.entry_points", lambda *, group: [Point()])
    assert bp.insight.influence("words", HYPOTHESES, REFERENCES).tolist() == [0.0, 0.0, 0.0]
