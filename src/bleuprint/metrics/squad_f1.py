"""SQuAD F1: words that an answer shares with the reference answer nearest to it.

    precision = shared words / words of the output      recall = shared words / words of the reference
    F1 = 2 · precision · recall / (precision + recall)

Words are counted as often as both texts have them. Both texts are normalized as in SQuAD v1.1: lowercased, without
ASCII punctuation and without the words a, an and the. With several references, the one with the highest F1 counts. A
corpus score is the mean over segments. An output without words scores 0, against an empty reference too.
Rajpurkar, Zhang, Lopyrev, Liang (2016): SQuAD: 100,000+ Questions for Machine Comprehension of Text. EMNLP.
"""

from __future__ import annotations

from collections.abc import Sequence

from bleuprint.core import counts, normalizers
from bleuprint.metrics.base import CoreRows, Definition, ExactMeans, MeanFormula, MeanScore, Metric
from bleuprint.metrics.base.formulas import Value, named, ratio
from bleuprint.metrics.base.rows import NORMALIZER_SPLITS


class SquadFormula(MeanFormula):
    """F1, precision and recall of shared words."""

    def scores(self, columns: Sequence[Value]) -> dict[str, Value]:
        shared, output, reference = columns
        precision, recall = named("precision", ratio(shared, output)), named("recall", ratio(shared, reference))
        f1 = named("F1", ratio(2 * precision * recall, precision + recall))
        return {"f1": f1, "precision": precision, "recall": recall}


class SquadF1(Metric[MeanScore]):
    """F1 of the words of answers, as in SQuAD v1.1; the share of exact answers is `ExactMatch(normalizer="squad")`.

    - `normalizer`: rules applied to both sides first: "squad", "whisper-en" or "whisper-basic" (extra `asr`), or None

    >>> SquadF1().sentence("in the city of Paris", ["Paris", "Paris, France"]).value
    0.4
    """

    name = "squad-f1"
    value_range = (0.0, 1.0)

    def __init__(self, *, normalizer: str | None = "squad") -> None:
        reader = normalizers.reader("whitespace", False, normalizer)
        request = counts.best_match(*reader.reading, False, ("1",), ("words",))
        rows = CoreRows(request, reader, strings_only=NORMALIZER_SPLITS if normalizer else "")
        options = {"normalizer": None, **normalizers.option_of(reader)}
        super().__init__(Definition(SquadF1, options, rows, SquadFormula(), MeanScore, ExactMeans))
