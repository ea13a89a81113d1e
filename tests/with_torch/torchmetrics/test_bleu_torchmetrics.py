"""Profile torchmetrics against torchmetrics, in the float32 it computes with.

These tests need torch, so nothing collects them unless they are named: `pytest tests/with_torch/torchmetrics`.
"""

from __future__ import annotations

import random

import pytest
from torchmetrics.functional.text import bleu_score
from torchmetrics.text import BLEUScore

from bleuprint import BLEU
from tests.parity.corpora import Corpus, random_corpora

WEIGHTS = (0.1, 0.2, 0.3, 0.4)


def ours(order: int, smooth: bool, weights: tuple[float, ...] | None = None) -> BLEU:
    smoothing = "add-k" if smooth else "none"
    return BLEU(profile="torchmetrics", smoothing=smoothing, max_order=order, weights=weights)


def references(corpus: Corpus) -> list[list[str]]:
    return [[text for text in texts if text is not None] for texts in corpus.references]


@pytest.mark.parametrize("smooth", [False, True])
@pytest.mark.parametrize(("order", "weights"), [(1, None), (2, None), (3, None), (4, None), (6, None), (4, WEIGHTS)])
def test_generated_corpora(order: int, weights: tuple[float, ...] | None, smooth: bool) -> None:
    metric = ours(order, smooth, weights)
    above_zero = 0
    for corpus in random_corpora(40 + order, 300):
        given = None if weights is None else list(weights)
        expected = float(bleu_score(corpus.hypotheses, references(corpus), order, smooth, given))
        score = metric.corpus(corpus.hypotheses, corpus.references).value
        assert score == pytest.approx(expected, rel=2e-6, abs=1e-30), corpus
        above_zero += score > 0
    assert above_zero >= 60


@pytest.mark.parametrize("smooth", [False, True])
def test_of_two_references_as_close_the_first_counts(smooth: bool) -> None:
    """Others take the shorter one, in whatever order they are listed."""
    text, shorter, longer = "a b c d e f", "a b c d e", "a b c d e f g"
    for listed, length in (([shorter, longer], 5), ([longer, shorter], 7)):
        score = ours(4, smooth).corpus([text], [listed])
        assert score.reference_length == length
        assert score.value == pytest.approx(float(bleu_score([text], [listed], 4, smooth)), rel=2e-6)
        assert BLEU(profile="sacrebleu").corpus([text], [listed]).reference_length == 5


def test_many_ties() -> None:
    chooser = random.Random(60)
    for _ in range(300):
        length = chooser.randint(3, 9)
        words = chooser.choices("ab", k=length + 3)
        lengths = chooser.choices([length - 2, length - 1, length + 1, length + 2], k=4)
        group = [" ".join(words[:size]) for size in lengths]
        text = " ".join(words[:length])
        score = ours(2, False).corpus([text], [group])
        assert score.value == pytest.approx(float(bleu_score([text], [group], 2)), rel=2e-6, abs=1e-30)


def test_no_match_in_one_order_is_zero_even_smoothed() -> None:
    assert float(bleu_score(["a b x y"], [["a b c d"]], 4, True)) == 0.0
    assert ours(4, True).corpus(["a b x y"], ["a b c d"]).value == 0.0


def test_streaming() -> None:
    theirs, metric = BLEUScore(), ours(4, False)
    for corpus in random_corpora(70, 40):
        theirs.update(corpus.hypotheses, references(corpus))
        metric.update(corpus.hypotheses, corpus.references)
    assert metric.compute().value == pytest.approx(float(theirs.compute()), rel=2e-6)
    assert metric.compute().value > 0.1
