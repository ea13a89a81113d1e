"""RougeScorer and BootstrapAggregator against rouge_score 0.1.2."""

from __future__ import annotations

import gc
import pickle
import random
import weakref
from typing import Any

import nltk
import numpy as np
import pytest
from hypothesis import given, settings
from nltk.stem import PorterStemmer, SnowballStemmer

from bleuprint.compat.rouge_score.tokenizers import Tokenizer
from tests.compat.sides import Sides
from tests.support.effort import examples
from tests.support.text_strategies import nasty_text

BOTH = Sides.of("bleuprint.compat.rouge_score", "rouge_score")
SCORERS, SCORING = (BOTH.module(name) for name in ("rouge_scorer", "scoring"))
TYPES = ["rouge1", "rouge2", "rougeL", "rougeLsum", "rouge9"]
WORDS = ["The", "the", "cat", "cats", "running,", "ran\n.", "1990s", "café", "don't", "a", "b"]


def text(chooser: random.Random) -> str:
    return "".join(chooser.choice(WORDS) + chooser.choice(" \n ") for _ in range(chooser.choice([0, 1, 4, 12, 40])))


class Halves(Tokenizer):
    """A tokenizer of the user's: case stays, and every word falls in two."""

    def tokenize(self, text: str) -> list[str]:
        return [half for word in text.split() for half in (word[: len(word) // 2], word[len(word) // 2 :])]


def compare_scorers(count: int, **options: Any) -> None:
    chooser = random.Random(4)
    ours, theirs = (side.RougeScorer(TYPES, **options) for side in SCORERS)
    for _ in range(count):
        target, other, prediction = (text(chooser) for _ in range(3))
        assert ours.score(target, prediction) == theirs.score(target, prediction)
        assert ours.score_multi([target, other], prediction) == theirs.score_multi([target, other], prediction)


@pytest.mark.parametrize(
    "options", [{}, {"use_stemmer": True}, {"tokenizer": Halves()}, {"tokenizer": Halves(), "use_stemmer": True}]
)
def test_generated_texts(options: dict[str, Any]) -> None:
    compare_scorers(300, **options)


@settings(max_examples=examples(100))
@given(target=nasty_text(), prediction=nasty_text())
def test_any_text(target: str, prediction: str) -> None:
    SCORERS.same(lambda side: side.RougeScorer(TYPES, True).score(target, prediction))


class Characters(Tokenizer):
    """A tokenizer of the user's whose tokens may be line feeds."""

    def tokenize(self, text: str) -> list[str]:
        return [*text, *(["\n\n"] if "\n\n" in text else [])]


def sentences_at_periods(text: str, language: str = "english") -> list[str]:
    """Stands in for NLTK's function, whose model is not part of NLTK: it too leaves line feeds inside sentences."""
    return [sentence for sentence in text.split(".") if sentence]


@pytest.mark.parametrize("options", [{}, {"use_stemmer": True}, {"tokenizer": Halves()}, {"tokenizer": Characters()}])
def test_a_line_feed_inside_a_sentence_does_not_split_it(
    options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(nltk, "sent_tokenize", sentences_at_periods)
    ours, theirs = (side.RougeScorer(TYPES, split_summaries=True, **options) for side in SCORERS)
    assert ours.score("a b c\nd e f", "d e f a b c") == theirs.score("a b c\nd e f", "d e f a b c")
    if not options:
        assert ours.score("a b c\nd e f", "d e f a b c")["rougeLsum"].fmeasure == 0.5
    compare_scorers(100, split_summaries=True, **options)


@pytest.mark.parametrize("types", [["rouge0"], ["rouge"], ["rougeX"], ["rougeLsum"], ["rouge1", "rouge1"]])
def test_types(types: list[str]) -> None:
    SCORERS.same(lambda side: side.RougeScorer(types).score("a b", "a"))


def test_types_may_change() -> None:
    def score(side: Any) -> list[Any]:
        scorer = side.RougeScorer(["rouge1"])
        found = [scorer.score("a b", "a")]
        scorer.rouge_types.append("rouge2")
        found.append(pickle.loads(pickle.dumps(scorer)).score("a b", "a b c"))
        return [*found, scorer.score_multi(["a b", "b"], "b c")]

    SCORERS.same(score)


def test_a_cycle_through_scores_is_collected() -> None:
    """Scores alone are in no cycle, so the garbage collector need not look at them until something else is put in."""
    holder = type("Holder", (), {})()
    found = SCORERS.ours.RougeScorer(TYPES).score("a b", "a")
    found["holder"], holder.found, alive = holder, found, weakref.ref(holder)
    del holder, found
    gc.collect()
    assert alive() is None


def test_signatures() -> None:
    SCORERS.same_parameters("RougeScorer")
    SCORING.same_parameters("BootstrapAggregator")
    BOTH.module("tokenize").same_parameters("tokenize")


@pytest.mark.parametrize("line", ["Running cats, 42 ponies!", "café İstanbul skies", "", "a_b-c's dying"])
def test_tokenizers(line: str) -> None:
    for stem in (False, True):
        BOTH.module("tokenizers").same(lambda side: side.DefaultTokenizer(stem).tokenize(line))  # noqa: B023
    for stemmer in (None, PorterStemmer(), SnowballStemmer("english")):
        BOTH.module("tokenize").same(lambda side: side.tokenize(line, stemmer))  # noqa: B023


def test_aggregation() -> None:
    found = []
    for module in SCORING:
        np.random.seed(7)
        aggregator = module.BootstrapAggregator(confidence_interval=0.9, n_samples=200)
        for value in (0.1, 0.25, 0.5, 0.75, 0.8):
            aggregator.add_scores({"rouge1": module.Score(value, value / 2, value / 3)})
        found.append(np.array(aggregator.aggregate()["rouge1"]))
    assert np.allclose(found[0], found[1], rtol=0, atol=1e-15)


@pytest.mark.parametrize("options", [{"confidence_interval": 1.5}, {"n_samples": 0}])
def test_wrong_options(options: dict[str, Any]) -> None:
    SCORING.same(lambda side: side.BootstrapAggregator(**options))
