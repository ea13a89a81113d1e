"""Two hundred items that every framework scores, and what `evaluate` says of them."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import cycle, islice

from bleuprint import evaluate
from bleuprint.metrics.base import Metric, Score
from tests.support.documents import SAMPLE


def _lines(name: str) -> list[str]:
    return (SAMPLE / f"{name}.txt").read_text(encoding="utf-8").splitlines()


def _worse(text: str, draw: random.Random) -> str:
    """The text without a word or two, or with two of them swapped."""
    words = text.split()
    for _ in range(min(draw.randrange(3), len(words) - 1)):
        words.pop(draw.randrange(len(words)))
    place = draw.randrange(max(1, len(words) - 1))
    words[place : place + 2] = words[place : place + 2][:: draw.choice((1, -1))]
    return " ".join(words)


_DRAW = random.Random(39)
SOURCES = [f"{number}: {text}" for number, text in enumerate(islice(cycle(_lines("source")), 200))]
# One reference or two.
REFERENCES = [
    [first, second] if number % 3 else [first]
    for number, (first, second) in enumerate(
        islice(cycle(zip(_lines("ref-1"), _lines("ref-2"), strict=True)), len(SOURCES))
    )
]
OUTPUTS = [_worse(text, _DRAW) for text in islice(cycle(_lines("system-a")), len(SOURCES))]
OUTPUTS[7], OUTPUTS[40] = "", "Zwölf Boxkämpfer 漢字 🦊"
ANSWERS = dict(zip(SOURCES, OUTPUTS, strict=True))


def segments(metric: str | Metric[Score], references: Sequence[str | Sequence[str]] = REFERENCES) -> list[float]:
    """The score of each item, by `evaluate`."""
    return list(evaluate(OUTPUTS, references, metrics=[metric]).systems[0].scores[0].segments)


def corpus(metric: str) -> float:
    """The score of all items together, by `evaluate`."""
    return evaluate(OUTPUTS, REFERENCES, metrics=[metric]).systems[0].scores[0].value
