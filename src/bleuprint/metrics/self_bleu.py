"""Self-BLEU: how much the texts of a set repeat each other. Lower is more diverse.

    Self-BLEU(X) = 1/|X| · Σ_i BLEU(x_i, X without x_i)

every text is scored with all others as its references. The clipped matches of a text follow from the two largest
counts of each n-gram in any one text, so the whole costs time in proportion to the tokens, not to the pairs.
Zhu et al. (2018): Texygen: A Benchmarking Platform for Text Generation Models. SIGIR.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from bleuprint.core import counts
from bleuprint.core.columns import Texts
from bleuprint.core.tokenizers import Tokenize
from bleuprint.errors import OptionError, PoolError
from bleuprint.metrics import profiles
from bleuprint.metrics.base.metric import checked_threads
from bleuprint.metrics.base.pool import PoolMetric, PoolScore
from bleuprint.metrics.bleu import BLEU
from bleuprint.metrics.pairwise import pairwise_bleu_rows
from bleuprint.metrics.smoothing import Smoothing
from bleuprint.statistics.exact_mean import ExactMean

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["SelfBLEU", "SelfBleuScore"]

_BLOCK = 1 << 16  # rows scored at a time: the formula's arrays stay in the cache and out of the peak memory


class SelfBleuScore(PoolScore):
    """Self-BLEU with the score of every text, of every order, and what is behind a high one."""

    metric: SelfBLEU
    per_text: NDArray[np.float64]

    def __init__(self, metric: SelfBLEU, pool: counts.Pool, rows: NDArray[np.int64], threads: int) -> None:
        per_text = metric.score_rows(rows)
        orders = tuple(_mean(metric.score_rows(rows, order)) for order in range(1, metric.max_order + 1))
        super().__init__(metric, len(rows), orders, per_text, _mean(per_text))
        self._pool = pool
        self._threads = threads

    def interval(self, confidence: float = 0.95, *, resamples: int = 1000, seed: int = 12345) -> tuple[float, float]:
        """Percentile bootstrap interval of the mean over texts."""
        import numpy as np

        if not 0 < confidence < 1:
            raise OptionError("confidence", "a number between 0 and 1", confidence)
        generator = np.random.default_rng(seed)
        means = [
            generator.choice(self.per_text, size=len(self.per_text), replace=True).mean() for _ in range(resamples)
        ]
        low, high = np.quantile(means, [(1 - confidence) / 2, (1 + confidence) / 2])
        return float(low), float(high)

    def duplicates(self) -> list[list[int]]:
        """Groups of texts with equal tokens, as indices, largest group first."""
        groups: dict[int, list[int]] = {}
        for index, group in enumerate(self._pool.duplicates(self._threads).tolist()):
            groups.setdefault(group, []).append(index)
        return sorted((group for group in groups.values() if len(group) > 1), key=len, reverse=True)

    def near_duplicates(self, threshold: float = 0.8, *, limit: int = 5000) -> list[list[int]]:
        """Groups of texts of which each scores at least the threshold against another, as indices, largest first.

        Looked for among the texts whose own score reaches the threshold, all pairs of them: more than `limit` such
        texts are refused, and a higher threshold is the way out.
        """
        import numpy as np

        chosen = np.flatnonzero(self.per_text >= threshold).tolist()
        if len(chosen) > limit:
            raise OptionError("threshold", f"so high that at most {limit} texts reach it ({len(chosen)} do)", threshold)
        leader = list(range(len(chosen)))
        rows = pairwise_bleu_rows(self._pool.tokens(chosen), **self.metric.formula_options(), threads=self._threads)
        for start, block in rows:
            for first, second in zip(*np.nonzero(block >= threshold), strict=True):
                _unite(leader, start + int(first), int(second))
        groups: dict[int, list[int]] = {}
        for place, index in enumerate(chosen):
            groups.setdefault(_leader(leader, place), []).append(index)
        return sorted((group for group in groups.values() if len(group) > 1), key=len, reverse=True)

    def shared_ngrams(self, order: int | None = None, limit: int = 10) -> list[tuple[tuple[str | int, ...], int]]:
        """The n-grams that occur in the most texts, with the number of texts; order 0 < n ≤ max_order."""
        chosen = self.metric.max_order if order is None else order
        found = self._pool.most_shared(chosen, limit, self._threads)
        return [(ngram, texts) for ngram, texts in found if texts > 1]


class SelfBLEU(PoolMetric[SelfBleuScore]):
    """Self-BLEU with all its options.

    >>> metric = SelfBLEU(max_order=2, tokenizer="whitespace")
    >>> score = metric.corpus(["the cat sat down", "the cat sat up", "dogs bark at night"])
    >>> score.per_text.round(4).tolist()
    [0.7071, 0.7071, 0.0]
    >>> score.shared_ngrams(2)
    [(('the', 'cat'), 2), (('cat', 'sat'), 2)]

    Scores follow NLTK's sentence_bleu: an order that a text is too short for counts as 0 of 1. `sample` texts are
    drawn at random with `seed`, or the first ones are taken if `seed` is None; a sample's score is that of the sample
    as a pool of its own, so it is not comparable with the score of all texts.
    Profiles: nltk, texygen (orders to 3, the first 500 texts).
    """

    name = "self-bleu"
    higher_is_better = False
    fewest_texts = 2

    def __init__(
        self,
        *,
        profile: str | None = None,
        max_order: int | None = None,
        weights: Sequence[float] | None = None,
        smoothing: str | Smoothing = "method1",
        tokenizer: str | Tokenize = "nltk",
        lowercase: bool = False,
        sample: int | None = None,
        seed: int | None = 12345,
    ) -> None:
        rules: dict[str, Any] = {"max_order": 5, "sample": None, "seed": seed, **profiles.find(self.name, profile)}
        rules.update({k: v for k, v in (("max_order", max_order), ("sample", sample)) if v is not None})
        self._sample, self._seed = _checked_sample(rules["sample"], rules["seed"])
        # The formula of every text; the counts come from the pool instead.
        self.bleu = BLEU(
            profile="nltk",
            max_order=rules["max_order"],
            weights=weights,
            smoothing=smoothing,
            tokenizer=tokenizer,
            lowercase=lowercase,
            context="corpus",
        )
        self.max_order = self.bleu.max_order
        self._tokenizer = self.bleu._tokenizer
        kept = ("lowercase", "max_order", "smoothing", "tokenizer", "weights")
        self.options = {key: self.bleu.options[key] for key in kept} | {"sample": self._sample, "seed": self._seed}
        super().__init__()

    def formula_options(self) -> dict[str, Any]:
        """The options under which `BLEU` scores one text against one other as this metric does."""
        options = self.bleu.options
        return {**options, "tokenizer": "whitespace", "lowercase": False}

    def cross(self, texts: Texts, references: Texts, *, threads: int | None = None) -> SelfBleuScore:
        """Every text against all texts of another corpus as its references.

        Generated against real texts this is forward BLEU (quality), real against generated backward BLEU (coverage).
        """
        used = checked_threads(threads)
        pool, others = self._filled(texts, used), self._filled(references, used, "references")
        for name, given in (("texts", pool), ("references", others)):
            if len(given) == 0:
                raise PoolError(f"{self.name} across {name}", 1, 0)
        return SelfBleuScore(self, pool, pool.cross(others, self.bleu.counted_orders, used), used)

    def score_rows(self, rows: NDArray[np.int64], order: int | None = None) -> NDArray[np.float64]:
        """The BLEU of every row (length, nearest length, matches), up to the order with uniform weights if given."""
        import numpy as np

        scores = np.zeros(len(rows))
        for start in range(0, len(rows), _BLOCK):
            block = rows[start : start + _BLOCK]
            totals = [np.maximum(1, block[:, 0] - n) for n in range(self.bleu.counted_orders)]
            scores[start : start + _BLOCK] = self.bleu.formula((*block.T, *totals), weights=self._uniform(order))
        return scores

    def score_sums(self, sums: Sequence[ExactMean], texts: int) -> PoolScore:
        """The score of texts that were scored elsewhere: the sums over texts up to each order, then those of all."""
        *per_order, value = (total.sum / texts for total in sums)
        return PoolScore(self, texts, tuple(per_order), value=value)

    def _uniform(self, order: int | None) -> tuple[float, ...] | None:
        return None if order is None else (1 / order,) * order + (0.0,) * (self.max_order - order)

    def _score(self, pool: counts.Pool, threads: int) -> SelfBleuScore:
        if self._sample is not None and self._sample < len(pool):
            pool = pool.selected(self._drawn(len(pool), self._sample))
        return SelfBleuScore(self, pool, pool.leave_one_out(self.bleu.counted_orders, threads), threads)

    def _drawn(self, texts: int, sample: int) -> list[int]:
        if self._seed is None:
            return list(range(sample))
        return sorted(random.Random(self._seed).sample(range(texts), sample))


def _leader(leader: list[int], place: int) -> int:
    while leader[place] != place:
        leader[place] = place = leader[leader[place]]
    return place


def _unite(leader: list[int], first: int, second: int) -> None:
    low, high = sorted((_leader(leader, first), _leader(leader, second)))
    leader[high] = low


def _mean(scores: NDArray[np.float64]) -> float:
    # The exact sum, rounded once: the same for every order of the texts and every way they were merged.
    return math.fsum(scores.tolist()) / len(scores)


def _checked_sample(sample: object, seed: object) -> tuple[int | None, int | None]:
    if sample is not None and (not isinstance(sample, int) or isinstance(sample, bool) or sample < 2):
        raise OptionError("sample", "None (all texts) or an integer of at least 2", sample)
    if seed is not None and (not isinstance(seed, int) or isinstance(seed, bool)):
        raise OptionError("seed", "an integer, or None for the first texts", seed)
    return sample, seed if sample is not None else None
