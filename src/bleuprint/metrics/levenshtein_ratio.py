"""Levenshtein ratio: the share of two texts that needs no editing, character by character.

Two definitions go by this name:

    levenshtein:  1 − d / max(|h|, |r|)    d: insertions, deletions and substitutions, each costing 1
    indel:        1 − d / (|h| + |r|)      d: insertions and deletions only, as if a substitution cost 2

The first is RapidFuzz's Levenshtein.normalized_similarity. The second is its Indel.normalized_similarity and
fuzz.ratio / 100, which other packages call Levenshtein.ratio.
With several references the nearest counts; a corpus score is the mean over segments. Two empty texts are equal: 1.
Levenshtein (1966): Binary codes capable of correcting deletions, insertions, and reversals. Soviet Physics Doklady 10.
"""

from __future__ import annotations

from collections.abc import Sequence

from bleuprint import checks
from bleuprint.core import counts, tokenizers
from bleuprint.metrics import profiles
from bleuprint.metrics.base import CoreRows, Definition, ExactMeans, MeanFormula, MeanScore, Metric
from bleuprint.metrics.base.formulas import Value, ratio
from bleuprint.metrics.base.rows import CHARACTERS_COUNT


class RatioFormula(MeanFormula):
    """One minus the share of the length that needs editing."""

    def scores(self, columns: Sequence[Value]) -> dict[str, Value]:
        distance, length = columns
        return {"ratio": 1 - ratio(distance, length)}


class LevenshteinRatio(Metric[MeanScore]):
    """Levenshtein ratio of texts and references, by either definition.

    - `profile`: "rapidfuzz" is `definition="indel"`
    - `definition`: "levenshtein" or "indel"

    >>> LevenshteinRatio().sentence("kitten", "sitting")
    <MeanScore 0.5714285714285714>
    >>> LevenshteinRatio(definition="indel").sentence("kitten", "sitting")
    <MeanScore 0.6153846153846154>
    """

    name = "levenshtein-ratio"
    value_range = (0.0, 1.0)

    def __init__(
        self,
        *,
        profile: str | None = None,
        definition: str | None = None,
        lowercase: bool = False,
        whitespace: str = "keep",
    ) -> None:
        options = profiles.fill(self.name, profile, {"definition": "levenshtein"}, locals())
        edits = checks.choice("definition", options["definition"], ("levenshtein", "indel"))
        space = checks.choice("whitespace", whitespace, checks.WHITE_SPACE)
        reader = tokenizers.resolve("char", lowercase)
        request = counts.distance(lowercase, space, substitutions=edits == "levenshtein")
        rows = CoreRows(request, reader, strings_only=CHARACTERS_COUNT)
        super().__init__(Definition(LevenshteinRatio, options, rows, RatioFormula(), MeanScore, ExactMeans))
