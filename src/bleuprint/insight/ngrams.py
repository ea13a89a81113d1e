"""The n-grams that one system matches and another does not."""

from __future__ import annotations

from dataclasses import dataclass

from bleuprint import checks
from bleuprint.core import counts
from bleuprint.core.arrays import Integers, np
from bleuprint.core.columns import References, Texts
from bleuprint.core.threads import worker_count
from bleuprint.core.tokenizers import Tokenizer
from bleuprint.errors import OptionError
from bleuprint.insight._rows import AnyMetric, again
from bleuprint.insight.effects import prices
from bleuprint.metrics import registry
from bleuprint.metrics.bleu import BleuFormula

Token = str | int


@dataclass(frozen=True, slots=True)
class NgramChange:
    """An n-gram, how many more matches the first system has, and what they contribute to the difference."""

    ngram: tuple[Token, ...]
    matches: int
    worth: float


@dataclass(frozen=True, slots=True, repr=False)
class NgramChanges:
    """N-grams matched by one system only: gained by the first, lost to the second; the largest contributions first."""

    gained: tuple[NgramChange, ...]
    lost: tuple[NgramChange, ...]

    def __repr__(self) -> str:
        return f"<NgramChanges: {len(self.gained)} gained, {len(self.lost)} lost>"


def ngram_changes(
    metric: str | AnyMetric,
    first: Texts,
    second: Texts,
    references: References,
    *,
    top: int = 20,
    threads: int | None = None,
) -> NgramChanges:
    """The gained and lost n-grams that contribute most to score(first) − score(second), for BLEU.

    Matches are clipped as in BLEU and summed over the corpus. The value of one more match is the same as in
    `contributions`: the rate at which the score changes with the matches of its order. On ties the lower order comes
    first.

    >>> from bleuprint import BLEU
    >>> changes = ngram_changes(BLEU(max_order=2), ["a cat sat"], ["a dog sat"], ["a cat sat"], top=2)
    >>> [(change.ngram, change.matches) for change in changes.gained]
    [(('a', 'cat'), 1), (('cat', 'sat'), 1)]
    >>> changes.lost
    ()
    """
    resolved = registry.resolve(metric, unit="segment")
    definition = resolved.definition
    if not isinstance(definition.formula, BleuFormula):
        raise OptionError("metric", "BLEU, because it needs n-gram matches", resolved.name)
    checks.integer("top", top)
    used = worker_count(threads)
    references = again(references)
    ours, theirs = (definition.read(texts, references, None) for texts in (first, second))
    sums = [np.asarray(definition.rows.total(corpus, used)) for corpus in (ours, theirs)]
    rates = prices(definition, *sums)[resolved.columns.index("matches_1") :]
    texts = _Texts(definition.tokenizer, [ours.hypotheses, theirs.hypotheses, ours.references], used)
    best: list[NgramChange] = []
    for order, rate in zip(range(1, definition.formula.max_order + 1), rates, strict=False):
        changes, places = texts.changes(order)
        for sign in (1, -1):
            numbers = np.flatnonzero(changes * sign > 0)
            for number in numbers[np.argsort(-changes[numbers] * sign, kind="stable")[:top]]:
                matches = int(changes[number])
                best.append(NgramChange(texts.ngram(places[number], order), matches, float(matches * rate)))
    best.sort(key=lambda change: -abs(change.worth))
    gained, lost = ([change for change in best if (change.matches > 0) == side] for side in (True, False))
    return NgramChanges(tuple(gained[:top]), tuple(lost[:top]))


class _Texts:
    """The texts of two systems and of their references in one pool, which numbers their n-grams."""

    def __init__(self, tokenizer: Tokenizer, columns: list[counts.Column], threads: int) -> None:
        self._pool = counts.Pool(*tokenizer.reading)
        self._threads = threads
        segments, owners = [], []
        for owner, column in enumerate(columns):
            self._pool.add(column.flattened(), threads)
            sizes = np.asarray(column.sizes(), dtype=np.int64)
            segments.append(np.repeat(np.arange(len(sizes)), sizes))
            # Each reference of a segment is an owner of its own, because clipping is per reference.
            owners.append(owner + np.arange(sizes.sum()) - np.repeat(sizes.cumsum() - sizes, sizes))
        self._width = 3 + max(columns[2].sizes(), default=0)
        lengths = self._pool.lengths()
        self._starts = lengths.cumsum() - lengths
        self._segments = np.repeat(np.concatenate(segments), lengths)
        self._owners = np.repeat(np.concatenate(owners), lengths)

    def changes(self, order: int) -> tuple[Integers, Integers]:
        """For each n-gram, the matches of the first column minus those of the second, and its first place."""
        numbers = self._pool.ngram_numbers(order, self._threads)
        places = np.flatnonzero(numbers > 0)  # what occurs once matches nothing
        grams = numbers[places] - 1
        first = np.zeros(int(grams.max(initial=-1)) + 1, dtype=np.int64)
        first[grams[::-1]] = places[::-1]
        return self._difference(places, grams, len(first)), first

    def ngram(self, place: int, order: int) -> tuple[Token, ...]:
        """The tokens of the n-gram at a place."""
        text = int(np.searchsorted(self._starts, place, side="right")) - 1
        begin = int(place - self._starts[text])
        return tuple(self._pool.tokens([text])[0][begin : begin + order])

    def _difference(self, places: Integers, grams: Integers, known: int) -> Integers:
        keys = self._segments[places] * known + grams  # one key per n-gram of a segment
        cells, times = np.unique(keys * self._width + self._owners[places], return_counts=True)
        keys, owners = np.divmod(cells, self._width)
        held = owners >= 2
        expected, begins = np.unique(keys[held], return_index=True)
        limits = np.append(np.maximum.reduceat(times[held], begins) if len(begins) else begins, 0)
        expected = np.append(expected, -1)  # for n-grams that no reference has
        difference = np.zeros(known, dtype=np.int64)
        for owner, sign in ((0, 1), (1, -1)):
            own = keys[owners == owner]
            at = np.searchsorted(expected[:-1], own)
            matches = np.where(expected[at] == own, np.minimum(times[owners == owner], limits[at]), 0)
            np.add.at(difference, own % max(known, 1), sign * matches)
        return difference
