"""NIST against NLTK and CIDEr-D against pycocoevalcap, on generated token lists and on WMT22 text."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from fractions import Fraction
from functools import total_ordering
from types import SimpleNamespace

import numpy as np
import pytest
from nltk.translate import nist_score
from pycocoevalcap.cider.cider import Cider

import bleuprint as bp
from tests.parity.corpora import Tokens, random_tokens
from tests.support.effort import MANY
from tests.support.wmt22 import Wmt22

PAIRS = ["cs-en", "de-en", "en-cs", "en-de", "en-ru", "en-zh", "zh-en"]
SYSTEM = "Online-W"


def corpora(seed: int, count: int) -> Iterator[Tokens]:
    chooser = random.Random(seed)
    return (random_tokens(chooser) for _ in range(count))


@total_ordering
class Bits:
    """The logarithm of a fraction to base 2, which adds and compares without rounding."""

    def __init__(self, ratio: Fraction) -> None:
        self.ratio = ratio

    def __add__(self, other: Bits | int) -> Bits:
        return Bits(self.ratio * other.ratio) if isinstance(other, Bits) else self

    __radd__ = __add__

    def __mul__(self, count: int) -> Bits:
        return Bits(self.ratio**count)

    def __truediv__(self, number: int) -> float:
        return (math.log2(self.ratio.numerator) - math.log2(self.ratio.denominator)) / number

    def __eq__(self, other: object) -> bool:
        return self.ratio == (other.ratio if isinstance(other, Bits) else 1)

    def __lt__(self, other: Bits | int) -> bool:
        return self.ratio < (other.ratio if isinstance(other, Bits) else 1)

    def __hash__(self) -> int:
        return hash(self.ratio)


def exact_log(value: float, base: float = math.e) -> Bits | float:
    return Bits(Fraction(value).limit_denominator(10**6)) if base == 2 else math.log(value)


@pytest.fixture
def _exact(monkeypatch: pytest.MonkeyPatch) -> None:
    """References that bring equal information are equal. In NLTK rounding may decide which counts, and its length."""
    monkeypatch.setattr(nist_score, "math", SimpleNamespace(log=exact_log, exp=math.exp))


def peer_nist(tokens: Tokens, orders: int) -> float | None:
    """None where NLTK divides by zero: an order that no hypothesis is long enough for, or references without words."""
    try:
        return float(nist_score.corpus_nist(tokens.references, tokens.hypotheses, orders))
    except ZeroDivisionError:
        return None


@pytest.mark.usefixtures("_exact")
@pytest.mark.parametrize("orders", [1, 2, 5, 7])
def test_nist_equals_nltk_on_generated_tokens(orders: int) -> None:
    compared = 0
    for tokens in corpora(11 * orders, 600 if MANY else 150):
        expected = peer_nist(tokens, orders)
        found = bp.corpus_nist(tokens.hypotheses, tokens.references, max_order=orders).value
        assert math.isfinite(found)
        if expected is not None:
            compared += 1
            assert found == pytest.approx(expected, abs=1e-9)
        for hypothesis, references in zip(*tokens, strict=True):
            alone = peer_nist(Tokens([hypothesis], [references]), orders)
            if alone is not None:
                found = bp.sentence_nist(hypothesis, references, max_order=orders).value
                assert found == pytest.approx(alone, abs=1e-9)
    assert compared > (250 if MANY else 60)


def test_what_makes_nltk_fail_adds_nothing() -> None:
    with pytest.raises(ZeroDivisionError):
        nist_score.sentence_nist([["a", "b"]], ["a", "b"], 5)
    assert bp.sentence_nist("a b", "a b").value == bp.sentence_nist("a b", "a b", max_order=2).value == 1.0
    with pytest.raises(ZeroDivisionError):
        nist_score.sentence_nist([[]], ["a"], 1)
    assert bp.sentence_nist("a", "").value == bp.sentence_nist("", "a").value == 0.0


def segments(wmt22: Wmt22, pair: str, references: int, limit: int) -> Tokens:
    split = str.split if not pair.endswith("zh") else lambda text: bp.tokenize(text, "zh")
    streams = wmt22.references(pair)[:references]
    groups = [[split(text) for text in texts] for texts in zip(*streams, strict=True)]
    return Tokens([split(text) for text in wmt22.output(pair, SYSTEM)[:limit]], groups[:limit])


@pytest.mark.parametrize("references", [1, 2])
@pytest.mark.parametrize("pair", PAIRS)
def test_nist_equals_nltk_on_wmt22(wmt22_data: Wmt22, pair: str, references: int) -> None:
    tokens = segments(wmt22_data, pair, references, 400 if MANY else 100)
    found = bp.corpus_nist(tokens.hypotheses, tokens.references)
    assert found.value == pytest.approx(nist_score.corpus_nist(tokens.references, tokens.hypotheses), abs=1e-9)


def peer_ciders(tokens: Tokens) -> tuple[float, list[float]]:
    """The peer takes text and splits it at white space: a token that is or holds any gets a name without."""
    names: dict[str, str] = {}

    def text(words: list[str]) -> str:
        return " ".join(names.setdefault(word, f"w{len(names)}") for word in words)

    theirs = {i: [text(words) for words in group] for i, group in enumerate(tokens.references)}
    value, each = Cider().compute_score(theirs, {i: [text(words)] for i, words in enumerate(tokens.hypotheses)})
    return float(value), each.tolist()


def test_cider_equals_pycocoevalcap_on_generated_tokens() -> None:
    compared = 0
    for tokens in corpora(5, 800):
        if len(tokens.hypotheses) < 2 or not any(text for group in tokens.references for text in group):
            continue
        value, each = peer_ciders(tokens)
        found = bp.CIDEr(lowercase=False).sentences(tokens.hypotheses, tokens.references)
        assert found.tolist() == pytest.approx(each, abs=1e-9)
        assert bp.cider(*tokens, lowercase=False).value == pytest.approx(value, abs=1e-9)
        compared += 1
    assert compared > 250


@pytest.mark.parametrize("references", [1, 2])
@pytest.mark.parametrize("pair", PAIRS)
def test_cider_equals_pycocoevalcap_on_wmt22(wmt22_data: Wmt22, pair: str, references: int) -> None:
    tokens = segments(wmt22_data, pair, references, 400 if MANY else 100)
    value, each = peer_ciders(tokens)
    found = bp.CIDEr(lowercase=False).sentences(*tokens)
    assert np.abs(found - each).max() <= 1e-9
    assert bp.cider(*tokens, lowercase=False).value == pytest.approx(value, abs=1e-9)
