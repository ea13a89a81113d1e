"""Self-BLEU: how much the texts of a set repeat each other. Lower means more diverse.

    Self-BLEU(X) = 1/|X| · Σ_i BLEU(x_i, X without x_i)

Each text is scored with all others as its references. The clipped matches of a text follow from the two largest counts
of each n-gram in any one text, so the time is proportional to the number of tokens, not to the number of pairs.
Zhu et al. (2018): Texygen: A Benchmarking Platform for Text Generation Models. SIGIR.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Literal

from bleuprint import checks
from bleuprint.core import counts
from bleuprint.core.arrays import Floats, Integers, np
from bleuprint.core.pool import PartScorer
from bleuprint.core.tokenizers import Tokenize
from bleuprint.errors import OptionError
from bleuprint.metrics import profiles
from bleuprint.metrics._ngram_pool import TokenPool, group_texts
from bleuprint.metrics.base.definition import Definition
from bleuprint.metrics.base.metric import Metric
from bleuprint.metrics.base.pool import PoolFormula, PoolScore
from bleuprint.metrics.bleu import BLEU, BleuFormula
from bleuprint.metrics.smoothing import Smoothing
from bleuprint.signature import Option
from bleuprint.statistics.exact_mean import ExactMean

_BLOCK = 1 << 16  # rows scored at a time, so that the formula's arrays fit in the cache and do not raise peak memory


class PoolBleuFormula(PoolFormula):
    """BLEU of each text, from counts that come from a pool."""

    def __init__(self, bleu: BleuFormula) -> None:
        super().__init__(bleu.max_order)
        self.bleu = bleu

    def score_rows(self, blocks: Iterable[Integers], texts: int) -> tuple[Floats, list[ExactMean], Integers]:
        """BLEU of each row (length, nearest length, matches), and the sums up to each order and of these values.

        With them comes the number of texts of each length; those of `max_order` tokens or more count as one length.
        """
        per_text, sums = np.zeros(texts), [ExactMean() for _ in range(self.max_order + 1)]
        weights = [*map(self._uniform, range(1, self.max_order + 1)), self.bleu.weights]
        by_length = np.zeros(self.max_order + 1, dtype=np.int64)
        start = 0
        for rows in (block[begin : begin + _BLOCK] for block in blocks for begin in range(0, len(block), _BLOCK)):
            lengths, *others = np.ascontiguousarray(rows.T)
            by_length += np.bincount(np.minimum(lengths, self.max_order), minlength=self.max_order + 1)
            totals = [np.maximum(1, lengths - n) for n in range(self.bleu.counted_orders)]
            scores = np.zeros(len(lengths))
            for place, (total, used) in enumerate(zip(sums, weights, strict=True)):
                if place == 0 or used != weights[place - 1]:  # its own weights are mostly those of the last order
                    scores = np.asarray(self.bleu((lengths, *others, *totals), weights=used))
                total.add(scores)
            per_text[start : start + len(rows)] = scores
            start += len(rows)
        return per_text, sums, by_length

    def _uniform(self, order: int) -> tuple[float, ...]:
        return (1 / order,) * order + (0.0,) * (self.max_order - order)


class SelfBleuFormula(PoolBleuFormula):
    """BLEU of each text against all others."""

    counts_on_disk = True

    def __init__(self, bleu: BleuFormula, sample: int | None, seed: int | None) -> None:
        super().__init__(bleu)
        self._sample, self._seed = sample, seed

    def score(self, definition: Definition, pool: counts.Pool, references: counts.Pool, threads: int) -> SelfBleuScore:
        if self._sample is not None and self._sample < len(pool):
            drawn = list(range(self._sample))
            if self._seed is not None:
                drawn = sorted(random.Random(self._seed).sample(range(len(pool)), self._sample))
            pool = pool.select(drawn)
        return SelfBleuScore(definition, pool, pool.leave_one_out_blocks(self.bleu.counted_orders, threads), threads)

    @property
    def is_quick(self) -> bool:
        return self._sample is None and self.bleu.smoothing.rules.in_core

    def part_scorer(self, pool: counts.Pool, references: counts.Pool, threads: int) -> PartScorer | None:
        if not self.is_quick:
            return None
        alike = self.bleu._replace(effective_order=self.bleu.effective(sentence=False))
        uniform = [alike._replace(weights=self._uniform(order)) for order in range(1, self.max_order + 1)]
        formulas = [formula for bleu in (*uniform, alike) if (formula := bleu.for_rows()) is not None]
        return pool.leave_one_out_means(self.bleu.counted_orders, formulas, threads)


class TextBleuScore(PoolScore):
    """The mean of the BLEU of each text of a pool."""

    per_text: Floats

    def __init__(self, definition: Definition, rows: Iterable[Integers], texts: int) -> None:
        formula: PoolBleuFormula = definition.formula
        per_text, sums, self._by_length = formula.score_rows(rows, texts)
        # An exact sum, rounded once: the result does not depend on the order of the texts or how they were merged.
        *per_order, value = (total.sum / texts for total in sums)
        super().__init__(definition, texts, tuple(per_order), per_text, value)

    @property
    def note(self) -> str:
        order, at_most = self.definition.formula.max_order, np.cumsum(self._by_length[1:])  # empty texts left out
        short, filled = int(at_most[-2]) if order > 1 else 0, int(at_most[-1])
        if 2 * short <= self.texts:
            return ""
        middle = np.searchsorted(at_most, [(filled - 1) // 2, filled // 2], side="right") + 1
        return (
            f"{short} of {self.texts} texts have fewer than {order} tokens; an order that a text is too short "
            f"for counts as 0 of 1, so even equal texts score below 1: use max_order={middle.mean():.0f}"
        )


class SelfBleuScore(TextBleuScore):
    """A Self-BLEU score: per text, per order, and the duplicates and n-grams behind a high one."""

    def __init__(self, definition: Definition, pool: counts.Pool, rows: Iterable[Integers], threads: int) -> None:
        super().__init__(definition, rows, len(pool))
        self._pool, self._threads = pool, threads

    def duplicates(self) -> list[list[int]]:
        """Groups of texts with equal tokens, as indices, the largest group first."""
        return group_texts(self._pool.duplicates(self._threads))

    def holders(self, order: int) -> counts.NgramHolders:
        """The texts that have each n-gram of an order."""
        return self._pool.holders(order, self._threads)

    def text(self, index: int) -> str:
        """The tokens of a text, joined by blanks."""
        return " ".join(map(str, self._pool.tokens([index])[0]))

    def shared_ngrams(self, order: int | None = None, limit: int = 10) -> list[tuple[tuple[str | int, ...], int]]:
        """The n-grams that occur in the most texts, with the number of texts; `order` is `max_order` unless given."""
        order = self.definition.formula.max_order if order is None else checks.order("order", order)
        most_shared = self._pool.most_shared(order, limit, self._threads)
        return [(ngram, texts) for ngram, texts in most_shared if texts > 1]


class SelfBLEU(TokenPool[SelfBleuScore]):
    """Self-BLEU of a pool of texts; lower means more diverse.

    >>> metric = SelfBLEU(max_order=2, tokenizer="whitespace")
    >>> score = metric.corpus(["the cat sat down", "the cat sat up", "dogs bark at night"])
    >>> score.per_text.round(4).tolist()
    [0.7071, 0.7071, 0.0]
    >>> score.shared_ngrams(2)
    [(('the', 'cat'), 2), (('cat', 'sat'), 2)]

    - `profile`: "nltk" (the defaults), "texygen" or "autometrics" (both: orders up to 3, the first 500 texts)
    - `max_order`: length of the longest n-grams; 5 by default
    - `weights`: one weight per order, summing to 1; uniform by default
    - `smoothing`: what to do about orders without a match, as for `BLEU`
    - `sample`: score only this many texts; None scores all
    - `seed`: random seed for drawing the sample; None takes the first texts, and "profile" does what the profile does
      (12345 without one)
    - `memory`: a limit such as "2GB"; texts that take more are counted on disk, with the same result

    Scores follow NLTK's sentence_bleu: an order that a text is too short for counts as 0 of 1. A sample is scored as a
    pool of its own, so its score is not comparable with the score of all texts.
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
        seed: int | Literal["profile"] | None = "profile",
        memory: str | int | None = None,
    ) -> None:
        given = {"max_order": max_order, "sample": sample}
        rules = profiles.fill(self.name, profile, {"max_order": 5, "seed": 12345}, given)
        if not isinstance(seed, str) or seed != "profile":
            rules["seed"] = seed
        drawn, start = _check_sample(rules["sample"], rules["seed"])
        if drawn is not None and memory is not None:
            raise OptionError.because("a sample is drawn from texts in memory: pass either sample or memory")
        bleu, options = text_bleu(rules["max_order"], weights, smoothing, tokenizer, lowercase)
        super().__init__(
            SelfBleuFormula(bleu.formula, drawn, start), tokenizer, lowercase, **options, sample=drawn, seed=start
        )
        if memory is not None:
            Metric.__init__(self, replace(self.definition, outside={"memory": checks.memory("memory", memory)}))


def text_bleu(
    max_order: int,
    weights: Sequence[float] | None,
    smoothing: str | Smoothing,
    tokenizer: str | Tokenize,
    lowercase: bool,
) -> tuple[Definition, dict[str, Option]]:
    """BLEU of one text as NLTK computes it, and the options that a pool metric records of it.

    Only its formula is used; the counts come from the pool.
    """
    bleu = BLEU(
        profile="nltk",
        max_order=max_order,
        weights=weights,
        smoothing=smoothing,
        tokenizer=tokenizer,
        lowercase=lowercase,
        context="corpus",
    ).definition
    return bleu, {key: bleu.options[key] for key in ("max_order", "smoothing", "weights")}


def _check_sample(sample: object, seed: object) -> tuple[int | None, int | None]:
    size = checks.integer("sample", sample, 2, optional=True, allowed="None (all texts) or an integer of at least 2")
    if seed is not None and (not isinstance(seed, int) or isinstance(seed, bool)):
        raise OptionError("seed", "an integer, 'profile', or None for the first texts", seed)
    return size, seed if size is not None else None
