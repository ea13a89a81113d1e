"""Encoders and causal models that need no weights, for tests."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from bleuprint.errors import (
    BareStringError,
    LengthMismatchError,
    NoSegmentsError,
    NotTextError,
    SurrogateError,
    UnusedSourcesError,
)
from bleuprint.metrics.base import Metric, Score
from bleuprint.models.causal_models import CallableModel
from bleuprint.models.encoders import CallableEncoder

LETTERS = "abcdefgh"
_CHANCE = np.random.default_rng(11)
PLACES = {letter: _CHANCE.normal(size=5) for letter in LETTERS}
FRAME = {"[": np.full(5, 0.1), "]": -np.full(5, 0.2)}


def framed(texts: list[str]) -> list[tuple[list[str], Any]]:
    """The letters a … h of a text as its tokens, between two marks; a vector depends on the letter before it too."""
    found = []
    for text in texts:
        tokens = ["[", *(letter for letter in text if letter in PLACES), "]"]
        own = np.array([{**PLACES, **FRAME}[token] for token in tokens])
        own[1:] += 0.3 * own[:-1].copy()
        found.append((tokens, own))
    return found


def encoder(**options: Any) -> CallableEncoder:
    return CallableEncoder(framed, **{"name": "letters", "markers": "[]", **options})


def bigram(windows: Sequence[Sequence[int]]) -> list[list[float]]:
    """Next letter the one after, with 1/2; each of the other eight with 1/16."""
    return [
        [math.log(1 / 2) if (after - before) % 9 == 1 else math.log(1 / 16) for before, after in pairwise(ids)]
        for ids in windows
    ]


def letters_model(**options: Any) -> CallableModel:
    """Letters a … h are 1 … 8, the start is 0."""
    settings = {"window": 12, "bos": 0, "name": "letters", **options}
    return CallableModel(_numbers, bigram, **settings)


def _numbers(text: str) -> list[int]:
    return [ord(letter) - 96 for letter in text if letter in LETTERS]


def assert_texts_are_checked(metric: Metric[Score]) -> None:
    """A metric with a model refuses what it cannot read, by the names of its arguments."""
    corpora: list[tuple[type[Exception], str | None, Any, Any]] = [
        (BareStringError, None, "a b", ["a"]),
        (NotTextError, r"hypotheses\[1\] must be a str, got None", ["a", None], ["a", "b"]),
        (NotTextError, r"hypotheses must be a list of str, got tokens; .* pass whole texts", [["a"]], [["a"]]),
        (SurrogateError, None, ["\ud800"], ["a"]),
        (LengthMismatchError, None, ["a"], []),
        (NoSegmentsError, None, [], []),
    ]
    for error, message, hypotheses, references in corpora:
        with pytest.raises(error, match=message):
            metric.corpus(hypotheses, references)
    with pytest.raises(NotTextError, match=r"hypothesis must be a str, got tokens; .* pass whole texts"):
        metric.sentence(["a"], [["a"]])
    with pytest.raises(UnusedSourcesError):
        metric.corpus(["a"], ["a"], sources=["a"])
    assert metric.sentences([], []).shape == (0,)
