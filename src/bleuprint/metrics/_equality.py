"""Shared code of exact match and contains match: both sides are cleaned the same way, then compared."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from bleuprint import checks
from bleuprint.core import counts, normalizers
from bleuprint.metrics.base import CoreRows, Definition, Metric, Score
from bleuprint.metrics.base.formulas import Value, ratio
from bleuprint.metrics.base.options import options_in
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


class EqualityMetric(Metric[EqualityScore]):
    """A metric that decides yes or no for each segment."""

    inside: ClassVar[bool]  # whether it is enough that the output contains a reference

    def __init__(
        self,
        *,
        lowercase: bool = False,
        ignore_punctuation: bool = False,
        ignore_numbers: bool = False,
        whitespace: str = "strip",
        normalizer: str | None = None,
    ) -> None:
        options = options_in(locals())
        flags = [checks.flag(name, options[name]) for name in ("lowercase", "ignore_punctuation", "ignore_numbers")]
        space = checks.choice("whitespace", whitespace, checks.WHITE_SPACE)
        request = counts.equal(*flags, space, inside=self.inside)
        reader = normalizers.reader("whitespace", lowercase, options.pop("normalizer"))
        options |= normalizers.option_of(reader)
        rows = CoreRows(request, reader, strings_only=CHARACTERS_COUNT)
        super().__init__(Definition(type(self), options, rows, formula, EqualityScore))
