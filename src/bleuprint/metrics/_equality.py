"""Shared code of exact match and contains match: both sides are cleaned the same way, then compared."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bleuprint import checks
from bleuprint.core import counts, normalizers
from bleuprint.metrics.base import CoreRows, Definition, Metric, Score
from bleuprint.metrics.base.formulas import Value, ratio
from bleuprint.metrics.base.rows import CHARACTERS_COUNT
from bleuprint.metrics.base.score import column


def formula(columns: Sequence[Value], *, sentence: bool = False) -> Value:
    """The share of segments that match."""
    matches, segments = columns
    return ratio(matches, segments)


class EqualityScore(Score):
    """The share of segments that match."""

    __slots__ = ()
    matches: int = column(0)

    def __str__(self) -> str:
        return f"{self.definition.name} = {self.value:.4f} ({self.columns[0]} of {self.columns[1]})"


def equality(
    kind: type[Metric[EqualityScore]], options: dict[str, Any], normalizer: str | None = None, *, inside: bool
) -> Definition:
    """Definition of a metric that decides yes or no for each segment."""
    flags = [checks.flag(name, options[name]) for name in ("lowercase", "ignore_punctuation", "ignore_numbers")]
    space = checks.choice("whitespace", options["whitespace"], checks.WHITE_SPACE)
    request = counts.equal(*flags, space, inside=inside)
    reader = normalizers.reader("whitespace", flags[0], normalizer)
    rows = CoreRows(request, reader, strings_only=CHARACTERS_COUNT)
    return Definition(kind, {**options, **normalizers.option_of(reader)}, rows, formula, EqualityScore)
