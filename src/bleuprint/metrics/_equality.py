"""Shared code of exact match and contains match: both sides are cleaned the same way, then compared."""

from __future__ import annotations

from collections.abc import Sequence

from bleuprint import checks
from bleuprint.core import counts, normalizers
from bleuprint.metrics.base import CoreRows, Definition, Metric, Score
from bleuprint.metrics.base.formulas import Value, ratio
from bleuprint.metrics.base.rows import CHARACTERS_COUNT


def formula(columns: Sequence[Value], *, sentence: bool = False) -> Value:
    """The share of segments that match."""
    matches, segments = columns
    return ratio(matches, segments)


class EqualityScore(Score):
    """The share of segments that match."""

    __slots__ = ()

    @property
    def matches(self) -> int:
        return self.columns[0]

    def __str__(self) -> str:
        return f"{self.definition.name} = {self.value:.4f} ({self.columns[0]} of {self.columns[1]})"


def equality(
    kind: type[Metric[EqualityScore]],
    lowercase: bool,
    ignore_punctuation: bool,
    ignore_numbers: bool,
    whitespace: str,
    normalizer: str | None = None,
    *,
    inside: bool,
) -> Definition:
    """Definition of a metric that decides yes or no for each segment."""
    options = {
        "lowercase": checks.flag("lowercase", lowercase),
        "ignore_punctuation": checks.flag("ignore_punctuation", ignore_punctuation),
        "ignore_numbers": checks.flag("ignore_numbers", ignore_numbers),
        "whitespace": checks.choice("whitespace", whitespace, checks.WHITE_SPACE),
    }
    request = counts.equal(lowercase, ignore_punctuation, ignore_numbers, whitespace, inside=inside)
    reader = normalizers.reader("whitespace", lowercase, normalizer)
    rows = CoreRows(request, reader, strings_only=CHARACTERS_COUNT)
    return Definition(kind, {**options, **normalizers.option_of(reader)}, rows, formula, EqualityScore)
