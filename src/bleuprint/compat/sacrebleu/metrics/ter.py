"""sacrebleu's TER."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import InitVar, dataclass

from bleuprint.compat.sacrebleu.metrics.base import Metric, Pairs, Score, Stats, Streams
from bleuprint.compat.sacrebleu.tokenizers.tokenizer_ter import TercomTokenizer
from bleuprint.core import counts
from bleuprint.core.arrays import Floats, Integers, np

__all__ = ["TER", "TERScore"]


class TERScore(Score):
    """A TER score with its edits and the sum of the mean reference lengths."""

    def __init__(self, score: float, num_edits: float, ref_length: float) -> None:
        super().__init__("TER", score)
        self.num_edits = int(num_edits)
        self.ref_length = ref_length


@dataclass(eq=False, repr=False)
class TER(Metric[TERScore]):
    """TER with sacrebleu's options.

    >>> score = TER().sentence_score("on the mat sat the cat", ["the cat sat on the mat"])
    >>> score.score, score.num_edits
    (33.33333333333333, 2)
    """

    normalized: bool = False
    no_punct: bool = False
    asian_support: bool = False
    case_sensitive: bool = False
    references: InitVar[Streams | None] = None

    def __post_init__(self, references: Streams | None) -> None:
        self.tokenizer = TercomTokenizer(self.normalized, self.no_punct, self.asian_support, self.case_sensitive)
        self.tokenizer_signature = self.tokenizer.signature()
        super().__init__(references)

    def _pairs(self) -> Pairs:
        return {
            "case": ("c", "mixed" if self.case_sensitive else "lc"),
            "tok": ("t", self.tokenizer_signature),
            "norm": ("nr", self.normalized),
            "punct": ("pn", not self.no_punct),
            "asian": ("as", self.asian_support),
        }

    def _counts(self) -> counts.Counts:
        scheme = self.tokenizer.scheme
        # sacrebleu normalizes references twice, which splits more than once does.
        twice = "-twice" if self.normalized else ""
        return counts.shifts(scheme, scheme + twice, not self.case_sensitive)

    def _stats_of(self, row: Sequence[int]) -> Stats:
        edits, words, first, second = row
        base = counts.LENGTH_BASE
        return [edits, ((words * base + first) * base + second) / (base * base)]

    def _fractions(self, rows: Integers) -> Floats | None:
        stats = np.array([self._stats_of(row) for row in rows.tolist()], dtype=np.float64)
        # Halves, quarters and eighths (of 2, 4 or 8 references) are added without rounding.
        return stats if np.any(8 * stats % 1) else None

    def _compute_score_from_stats(self, stats: Stats) -> TERScore:
        edits, length = stats[0], stats[1]
        rate = edits / length if length > 0 else 1.0 if edits > 0 else 0.0
        return TERScore(100 * rate, edits, length)
