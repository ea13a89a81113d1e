"""Profile axion against a plain statement of the rules of its SentenceBLEU, which cannot be installed here.

Lower-cased white-space tokens, one reference; every order gets one more match and one more n-gram; an order
that has no n-grams makes the score zero, smoothed or not.
"""

from __future__ import annotations

import math
import random

import pytest
from hypothesis import given

from bleuprint import BLEU
from tests.kernels.twins.clipped import grams
from tests.parity.corpora import Corpus, altered, corpora, random_sentence
from tests.support.effort import MANY


def axion(candidate: str, reference: str, order: int, smoothing: bool) -> float:
    tokens, expected = candidate.lower().split(), reference.lower().split()
    logarithms = 0.0
    for n in range(1, order + 1):
        found = grams(tokens, n)
        matches, total = (found & grams(expected, n)).total(), found.total()
        if total == 0 or (matches == 0 and not smoothing):
            return 0.0
        added = 1 if smoothing else 0
        logarithms += math.log((matches + added) / (total + added)) / order
    penalty = 1.0 if len(tokens) > len(expected) else math.exp(1 - len(expected) / len(tokens))
    return penalty * math.exp(logarithms)


def assert_equal(candidate: str, reference: str) -> None:
    for order in (1, 2, 4, 5):
        for smoothing in (True, False):
            metric = BLEU(profile="axion", max_order=order, smoothing="add-all" if smoothing else "none")
            expected = pytest.approx(axion(candidate, reference, order, smoothing), rel=1e-12)
            assert metric.sentence(candidate, reference).value == expected
            assert metric.sentences([candidate], [reference]).tolist() == [expected]


def test_generated_pairs() -> None:
    chooser = random.Random(31)
    for _ in range(1_000 if MANY else 200):
        candidate = random_sentence(chooser)
        assert_equal(candidate, altered(chooser, candidate))


@given(corpus=corpora())
def test_any_pair(corpus: Corpus) -> None:
    for candidate, references in zip(corpus.hypotheses, corpus.references, strict=True):
        assert_equal(candidate, references[0] or "")


@pytest.mark.parametrize(
    ("candidate", "reference", "score"),
    [
        ("Paris", "Paris", 0.0),
        ("the cat sat", "the cat sat", 0.0),
        ("a b c d e f g h", "i j k l m n o p", 0.1349),
        ("a b c d e f g h i j", "", 0.106),
    ],
)
def test_what_axion_itself_printed(candidate: str, reference: str, score: float) -> None:
    """Run with axion of August 2026, which rounds to four digits."""
    assert round(BLEU(profile="axion").sentence(candidate, reference).value, 4) == score
