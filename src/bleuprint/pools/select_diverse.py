"""Choose a varied part of a set of texts."""

from __future__ import annotations

import heapq

from bleuprint import checks
from bleuprint.core import counts, tokenizers
from bleuprint.core.arrays import Integers, np
from bleuprint.core.columns import Texts, checked_column
from bleuprint.core.threads import worker_count
from bleuprint.core.tokenizers import Tokenize

_METRICS = ("distinct", "jaccard")


def select_diverse(
    texts: Texts,
    k: int,
    *,
    metric: str = "distinct",
    order: int = 2,
    tokenizer: str | Tokenize = "nltk",
    lowercase: bool = False,
    threads: int | None = None,
) -> list[int]:
    """Choose `k` texts that are as varied as possible, as indices in the order they were chosen.

    - `metric`: "distinct" covers as many different n-grams as possible; "jaccard" keeps each text as far as possible
      from its nearest neighbor among the chosen ones
    - `order`: length of the n-grams
    - `tokenizer`: name of a tokenizer, or a function that splits a text into tokens
    - `lowercase`: ignore case

    Both take the best text at each step. That covers at least 63 % of the n-grams that the best choice of k texts
    covers (Nemhauser, Wolsey, Fisher 1978), and keeps at least half of the best possible distance (Gonzalez 1985).
    "distinct" prefers long texts, which have more n-grams; "jaccard" does not. Of equally good texts the first is
    taken.

    >>> texts = ["the cat sat down", "the cat sat up", "the cat sat down", "dogs bark at night"]
    >>> select_diverse(texts, 2), select_diverse(texts, 3, metric="jaccard")
    ([0, 3], [0, 3, 1])
    """
    checks.choice("metric", metric, _METRICS)
    size = checks.order("order", order)
    reader = tokenizers.resolve(tokenizer, checks.flag("lowercase", lowercase))
    pool = counts.Pool(*reader.reading)
    workers = worker_count(threads)
    pool.add(reader.prepare_column(checked_column(texts, "texts"), "texts"), workers)
    checks.integer("k", k, 0, len(pool), allowed=f"an integer from 0 to {len(pool):,}, the number of texts")
    sets = _NgramSets(pool, size, workers)
    return sets.covering(k) if metric == "distinct" else sets.farthest(k)


class _NgramSets:
    """The different n-grams of each text, of which those that no other text has are only counted."""

    def __init__(self, pool: counts.Pool, order: int, threads: int) -> None:
        sets = pool.ngram_sets(order, threads)
        self.texts, self.sizes = len(pool), sets.sizes.astype(np.int64)
        self._ngrams, self._offsets = sets.elements.astype(np.int64), sets.offsets.astype(np.int64)
        listed = np.diff(self._offsets)
        self.alone = self.sizes - listed
        self._texts = np.repeat(np.arange(self.texts), listed)[np.argsort(self._ngrams, kind="stable")]
        self._starts = np.concatenate([[0], np.cumsum(np.bincount(self._ngrams, minlength=sets.element_limit))])

    def _of(self, text: int) -> Integers:
        return self._ngrams[self._offsets[text] : self._offsets[text + 1]]

    def covering(self, k: int) -> list[int]:
        """Take the text with the most n-grams that are not covered yet; what a text adds can only fall."""
        covered = np.zeros(len(self._starts), dtype=bool)
        queue = [(-int(size), text) for text, size in enumerate(self.sizes.tolist())]
        heapq.heapify(queue)
        chosen: list[int] = []
        while len(chosen) < k:
            claimed, text = heapq.heappop(queue)
            own = self._of(text)
            added = int(self.alone[text]) + int((~covered[own]).sum())
            if added < -claimed:  # counted before others were chosen
                heapq.heappush(queue, (-added, text))
                continue
            covered[own] = True
            chosen.append(text)
        return chosen

    def farthest(self, k: int) -> list[int]:
        """Take the text that is least like the chosen one it is most like; at first the one with the most n-grams."""
        nearest = np.zeros(self.texts)
        chosen: list[int] = []
        text = int(np.argmax(self.sizes)) if self.texts else 0
        while len(chosen) < k:
            chosen.append(text)
            own = self._of(text)
            parts = [self._texts[self._starts[ngram] : self._starts[ngram + 1]] for ngram in own.tolist()]
            shared = np.bincount(np.concatenate(parts), minlength=self.texts) if parts else np.zeros(self.texts)
            either = self.sizes + self.sizes[text] - shared
            nearest = np.maximum(nearest, shared / np.maximum(either, 1))
            nearest[chosen] = 2.0  # chosen already
            text = int(np.argmin(nearest))
        return chosen
