"""What metrics of copying from a source share: extractive fragments."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from bleuprint import checks
from bleuprint.core import counts, tokenizers
from bleuprint.metrics.base import CoreRows, Definition, ExactMeans, MeanFormula, MeanScore, Metric
from bleuprint.metrics.base.formulas import Value, ratio


@dataclass(frozen=True)
class FragmentFormula(MeanFormula):
    """Coverage, density, compression, and the shares of novel n-grams; `first` is the value."""

    first: str

    def scores(self, columns: Sequence[Value]) -> dict[str, Value]:
        length, source_length, _, copied, squares, *by_order = columns
        scores = {
            "coverage": ratio(copied, length),
            "density": ratio(squares, length),
            "compression": ratio(source_length, length),
        }
        ngrams, novel = by_order[::2], by_order[1::2]
        for order, (new, whole) in enumerate(zip(novel, ngrams, strict=True), start=1):
            scores[f"novel_{order}"] = ratio(new, whole)
        return {self.first: scores.pop(self.first), **scores}


class FragmentMetric(Metric[MeanScore]):
    """A metric whose value is the part of its name."""

    needs_references = False
    needs_sources = True
    value_range = (0.0, math.inf)  # compression and density are parts

    def __init__(
        self, *, tokenizer: str | tokenizers.Tokenize = "13a", lowercase: bool = True, max_order: int = 4
    ) -> None:
        """Options of both metrics of fragments.

        - `max_order`: length of the longest n-grams whose novelty is a part of the score
        """
        reader = tokenizers.resolve(tokenizer, lowercase)
        request = counts.fragments(*reader.reading, checks.order("max_order", max_order))
        options = {"tokenizer": reader.name, "lowercase": reader.lowercase, "max_order": max_order}
        rows = CoreRows(request, reader, reads_sources=True)
        super().__init__(Definition(type(self), options, rows, FragmentFormula(self.name), MeanScore, ExactMeans))
