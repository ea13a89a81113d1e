"""BLEU against NLTK on token lists: all smoothing methods and values, weights, orders, and the quirks."""

from __future__ import annotations

import itertools
import random
import warnings
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.translate import bleu_score

from bleuprint import BLEU
from bleuprint.errors import OptionError
from tests.parity.corpora import Tokens, random_tokens, token_corpora
from tests.support.effort import MANY

WEIGHTS = [
    (1.0,),
    (0.5, 0.5),
    (0.9, 0.1),
    (0.0, 1.0),
    (1 / 3, 1 / 3, 1 / 3),
    (0.333, 0.333, 0.334),
    (0.25, 0.25, 0.25, 0.25),
    (0.1, 0.3, 0.5, 0.1),
    (0.0, 0.0, 0.0, 1.0),
    (0.2,) * 5,
    (0.4, 0.0, 0.3, 0.1, 0.1, 0.1),
]


class Method(NamedTuple):
    """A smoothing method by both its names."""

    ours: str
    theirs: str
    epsilon: float = 0.1
    alpha: float = 5
    k: float = 5

    def function(self) -> Callable[..., object]:
        smoothing = bleu_score.SmoothingFunction(epsilon=self.epsilon, alpha=self.alpha, k=self.k)
        function: Callable[..., object] = getattr(smoothing, self.theirs)
        return function


METHODS = [
    *(Method(f"method{number}", f"method{number}") for number in range(8)),
    Method("floor", "method1"),
    Method("floor(0.01)", "method1", epsilon=0.01),
    Method("method1(0.3)", "method1", epsilon=0.3),
    Method("add-k(1)", "method2"),
    Method("exp", "method3"),
    Method("method4(2)", "method4", k=2),
    Method("method6(1.5)", "method6", alpha=1.5),
    Method("method6(0.1)", "method6", alpha=0.1),
    Method("method7(3)", "method7", k=3),
]
SETTINGS = [
    (method, weights)
    for method, weights in itertools.product(METHODS, WEIGHTS)
    if method.theirs != "method6" or len(weights) >= 3
]


def theirs(corpus: Tokens, method: Method, weights: Any) -> Any:
    """NLTK's score, or scores for several weights; None where it raises: method6 asserts a matching trigram."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return bleu_score.corpus_bleu(corpus.references, corpus.hypotheses, weights, method.function())
        except AssertionError:
            assert method.theirs == "method6"
            return None


def metric(method: Method, weights: tuple[float, ...]) -> BLEU:
    return BLEU(profile="nltk", smoothing=method.ours, weights=weights, max_order=len(weights))


def assert_equal(corpus: Tokens, method: Method, weights: tuple[float, ...]) -> bool:
    """Compare; says whether NLTK had a score. Where it raises ours is 0."""
    expected = theirs(corpus, method, weights)
    ours = metric(method, weights).corpus(corpus.hypotheses, corpus.references).value
    # 1e-300: what method0 makes of a missing order is near the smallest float, where digits are lost.
    assert ours == pytest.approx(expected or 0.0, rel=1e-12, abs=1e-300), (corpus, method, weights)
    return expected is not None


def test_every_setting_on_generated_corpora() -> None:
    chooser = random.Random(11)
    times = 60 if MANY else 10
    scored = sum(assert_equal(random_tokens(chooser), *setting) for setting in SETTINGS for _ in range(times))
    assert len(SETTINGS) == 175
    assert scored >= (9_500 if MANY else 1_550)  # of 10,500 or 1,750: the rest are method6 without a trigram


@given(corpus=token_corpora(), setting=st.sampled_from(SETTINGS))
def test_any_setting_on_any_corpus(corpus: Tokens, setting: tuple[Method, tuple[float, ...]]) -> None:
    assert_equal(corpus, *setting)


@pytest.mark.parametrize("method", METHODS[:8])
def test_sentences(method: Method) -> None:
    """One at a time and as a row; NLTK's sentence_bleu is its corpus_bleu of one."""
    weights = (0.25,) * 4
    ours, chooser = metric(method, weights), random.Random(12)
    for _ in range(200):
        corpus = random_tokens(chooser)
        row = ours.sentences(corpus.hypotheses, corpus.references)
        for tokens, group, of_row in zip(*corpus, row, strict=True):
            score = ours.sentence(tokens, group).value
            assert score == of_row
            expected = theirs(Tokens([tokens], [group]), method, weights)
            assert score == pytest.approx(expected or 0.0, rel=1e-12, abs=1e-300), (tokens, group)


@pytest.mark.parametrize("method", METHODS[:8])
def test_all_orders_at_once(method: Method) -> None:
    """NLTK takes a list of weights for several scores of one counting; ours are `orders`."""
    several = [(1 / n,) * n for n in range(1, 5)]
    ours, chooser = metric(method, several[-1]), random.Random(13)
    for _ in range(200):
        corpus = random_tokens(chooser)
        expected = theirs(corpus, method, several) or [0.0] * 4
        score = ours.corpus(corpus.hypotheses, corpus.references)
        assert score.orders == pytest.approx(expected, rel=1e-12, abs=1e-300), corpus


class TestQuirks:
    """Numbers of research on NLTK 3.10.4, run again here against the package."""

    @pytest.mark.parametrize(
        ("method", "expected"),
        [
            ("method0", 1.821831989445342e-231),
            ("method1", 0.1778),
            ("method2", 0.5946),
            ("method3", 0.3536),
            ("method4", 1.0),
            ("method5", 0.1925),
            ("method7", 0.1925),
        ],
    )
    def test_one_word_that_matches(self, method: str, expected: float) -> None:
        one = Tokens([["word"]], [[["word"]]])
        named = Method(method, method)
        assert assert_equal(one, named, (0.25,) * 4)
        assert theirs(one, named, (0.25,) * 4) == pytest.approx(expected, rel=1e-3)

    def test_short_segments_count_as_one_of_each_order(self) -> None:
        corpus = Tokens([list("abcde"), ["x"]], [[list("abcde")], [["x"]]])
        assert assert_equal(corpus, METHODS[0], (0.25,) * 4)
        score = metric(METHODS[0], (0.25,) * 4).corpus(corpus.hypotheses, corpus.references)
        assert score.value == pytest.approx(0.7953, abs=5e-5)
        assert score.totals == (6, 5, 4, 3)

    @pytest.mark.parametrize("method", ["method5", "method6", "method7"])
    def test_the_last_segment_leaks(self, method: str) -> None:
        first = (list("the cat"), [list("the rat")])
        second = (list("abcdefgh"), [list("abcdefxh")])
        named, weights = Method(method, method), (0.25,) * 4
        there = Tokens([first[0], second[0]], [first[1], second[1]])
        back = Tokens([second[0], first[0]], [second[1], first[1]])
        assert assert_equal(there, named, weights)
        assert assert_equal(back, named, weights)
        assert theirs(there, named, weights) != theirs(back, named, weights)
        streamed = metric(named, weights)
        for tokens, group in (first, second):
            streamed.update([tokens], [group])
        assert streamed.compute().value == pytest.approx(theirs(there, named, weights), rel=1e-12)

    def test_method6_without_a_trigram(self) -> None:
        """NLTK asserts; there is no such number, so ours is 0, alone or in a row."""
        corpus = Tokens([list("abxc")], [[list("abyc")]])
        assert theirs(corpus, METHODS[6], (0.25,) * 4) is None
        ours = metric(METHODS[6], (0.25,) * 4)
        assert ours.corpus(corpus.hypotheses, corpus.references).value == 0.0
        assert ours.sentences(corpus.hypotheses, corpus.references).tolist() == [0.0]

    def test_method6_needs_three_orders(self) -> None:
        with pytest.raises(IndexError):
            bleu_score.sentence_bleu([list("abc")], list("abc"), (0.5, 0.5), METHODS[6].function())
        with pytest.raises(OptionError, match="method6"):
            metric(METHODS[6], (0.5, 0.5))

    @pytest.mark.parametrize("method", ["method4", "method7"])
    def test_a_divisor_of_zero_is_refused(self, method: str) -> None:
        with pytest.raises(ZeroDivisionError):
            bleu_score.sentence_bleu([list("ab")], list("ax"), (0.5, 0.5), Method(method, method, k=0).function())
        with pytest.raises(OptionError, match="above 0"):
            BLEU(profile="nltk", smoothing=f"{method}(0)")
