"""The segments that scored worst or lost most, and the words in which an output differs from its reference."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby, islice
from typing import Literal

from bleuprint.core.edit_paths import DELETE, EQUAL, INSERT, edit_path
from bleuprint.results import MetricResult

Change = Literal["same", "missing", "extra"]
_LONGEST_RUN = 80  # characters that are shown of words that are the same, missing or extra


def worst_places(score: MetricResult, before: Sequence[float] = ()) -> list[int]:
    """The places of all segments, those with the worst scores or with the largest drops from before first."""
    sign = 1 if score.higher_is_better else -1
    change = [new - old for new, old in zip(score.segments, before or [0.0] * len(score.segments), strict=True)]
    return sorted(range(len(change)), key=lambda place: (sign * change[place], place))


def word_changes(hypothesis: str, references: Sequence[str]) -> tuple[str, list[tuple[Change, str]]]:
    """The nearest reference, and the words that are the same in both, missing in the output, or extra.

    >>> word_changes("a cat sat", ["the cat sat", "no"])
    ('the cat sat', [('missing', 'the'), ('extra', 'a'), ('same', 'cat sat')])
    """
    words = hypothesis.split()
    paths = {text: edit_path(text.split(), words) for text in references}
    nearest = min(paths, key=lambda text: len(paths[text]) - paths[text].count(EQUAL))
    old, new = iter(nearest.split()), iter(words)
    changes: list[tuple[Change, str]] = []
    for is_same, group in groupby(paths[nearest], EQUAL.__eq__):
        steps = list(group)
        missing = " ".join(islice(old, len(steps) - steps.count(INSERT)))
        extra = " ".join(islice(new, len(steps) - steps.count(DELETE)))
        changes += [("same", extra)] if is_same else [("missing", missing), ("extra", extra)]
    return nearest, [(kind, shorten(words, _LONGEST_RUN)) for kind, words in changes if words]


def shorten(text: str, longest: int = 300) -> str:
    """The beginning and the end of a text that is longer than so many characters."""
    half = longest // 2
    return text if len(text) <= longest else f"{text[:half].rstrip()} … {text[-half:].lstrip()}"
