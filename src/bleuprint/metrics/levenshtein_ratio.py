"""Levenshtein ratio: how much of two texts need not be edited, character by character.

Two definitions share the name, so it has to be said which is meant:

    levenshtein:  1 − d / max(|h|, |r|)    d: insertions, deletions and substitutions, one each
    indel:        1 − d / (|h| + |r|)      d: insertions and deletions alone, as if a substitution cost two

The first is RapidFuzz's Levenshtein.normalized_similarity, the second its Indel.normalized_similarity and
fuzz.ratio / 100, which other packages call Levenshtein.ratio.
Of several references the nearest counts; a corpus score is the mean over segments. Two empty texts are equal: 1.
Levenshtein (1966): Binary codes capable of correcting deletions, insertions, and reversals. Soviet Physics Doklady 10.
"""

from __future__ import annotations

from collections.abc import Sequence

from bleuprint.core import counts, tokenizers
from bleuprint.metrics import _options, profiles
from bleuprint.metrics._whole_texts import WholeTexts
from bleuprint.metrics.base.averaged import AveragedMetric, AveragedScore
from bleuprint.metrics.base.metric import Value
from bleuprint.metrics.smoothing import ratio

__all__ = ["LevenshteinRatio"]

_DEFINITIONS = ("levenshtein", "indel")


class LevenshteinRatio(WholeTexts[AveragedScore], AveragedMetric):
    """Levenshtein ratio by either definition; profile: rapidfuzz.

    >>> LevenshteinRatio().sentence("kitten", "sitting")
    <AveragedScore 0.5714285714285714>
    >>> LevenshteinRatio(definition="indel").sentence("kitten", "sitting")
    <AveragedScore 0.6153846153846154>
    """

    name = "levenshtein-ratio"

    def __init__(
        self,
        *,
        profile: str | None = None,
        definition: str | None = None,
        lowercase: bool = False,
        whitespace: str = "keep",
    ) -> None:
        usual = profiles.find(self.name, profile).get("definition", "levenshtein")
        chosen = _options.chosen("definition", usual if definition is None else definition, _DEFINITIONS)
        space = _options.chosen("whitespace", whitespace, _options.WHITE_SPACE)
        self._tokenizer = tokenizers.resolve("char", _options.flag("lowercase", lowercase))
        self.options = {"definition": chosen, "lowercase": lowercase, "whitespace": space}
        self._count = counts.distances(lowercase, space, substitutions=chosen == "levenshtein")
        super().__init__()

    def scores(self, columns: Sequence[Value]) -> dict[str, Value]:
        distance, length = columns
        return {"ratio": 1 - ratio(distance, length)}
