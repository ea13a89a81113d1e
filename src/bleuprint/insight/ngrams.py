"""The n-grams that one system matches and another does not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bleuprint import checks
from bleuprint.core import counts
from bleuprint.core.arrays import np
from bleuprint.core.columns import References, Texts
from bleuprint.core.threads import worker_count
from bleuprint.core.tokenizers import Tokenizer
from bleuprint.errors import OptionError
from bleuprint.insight._rows import AnyMetric, again, pool_of, token_lists
from bleuprint.insight.effects import prices
from bleuprint.metrics import registry
from bleuprint.metrics.bleu import BleuFormula

if TYPE_CHECKING:
    from numpy.typing import NDArray

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
    highest = definition.formula.max_order
    for order, changes in zip(range(1, highest + 1), texts.changes(highest), strict=True):
        for sign in (1, -1):
            places = np.flatnonzero(changes * sign > 0)
            places = places[np.argsort(-changes[places] * sign, kind="stable")[:top]]
            for place, matches in zip(places.tolist(), changes[places].tolist(), strict=True):
                best.append(NgramChange(texts.ngram(order, place), matches, float(matches * rates[order - 1])))
    best.sort(key=lambda change: -abs(change.worth))
    gained, lost = ([change for change in best if (change.matches > 0) == side] for side in (True, False))
    return NgramChanges(tuple(gained[:top]), tuple(lost[:top]))


class _Texts:
    """Columns of texts as one array of token ids, and their n-grams as ids, order by order."""

    def __init__(self, tokenizer: Tokenizer, columns: list[counts.Column], threads: int) -> None:
        self._tokens: dict[Token, int] = {}
        segments, owners, numbers = [], [], []
        for owner, column in enumerate(columns):
            pool = pool_of(tokenizer, column, threads)
            sizes = np.asarray(column.sizes(), dtype=np.int64)
            tokens = (token for text in token_lists(pool) for token in text)
            ids = (self._tokens.setdefault(token, len(self._tokens)) for token in tokens)
            numbers.append(np.fromiter(ids, dtype=np.int64))
            segments.append(np.repeat(np.repeat(np.arange(len(sizes)), sizes), pool.lengths()))
            # Each reference is an owner of its own, because clipping is per reference.
            owners.append(np.repeat(owner + np.arange(len(pool)) * (owner == 2), pool.lengths()))
        self._segments = np.concatenate(segments)
        self._owners = np.concatenate(owners)
        self._first = np.concatenate(numbers)
        self._names = list(self._tokens)
        self._parents: list[NDArray[np.int64]] = []

    def changes(self, max_order: int) -> Iterator[NDArray[np.int64]]:
        """For each order and n-gram, the matches of the first column minus those of the second."""
        # Start positions of the n-grams, and their ids.
        places, grams = np.arange(len(self._first)), self._first
        known = len(self._tokens)
        for order in range(1, max_order + 1):
            if order > 1:
                ends = places + order - 1
                inside = ends < len(self._first)
                inside[inside] &= self._together(places[inside], ends[inside])
                places, longer = places[inside], ends[inside]
                pairs = grams[inside] * len(self._tokens) + self._first[longer]
                parents, grams = np.unique(pairs, return_inverse=True)
                self._parents.append(parents)
                known = len(parents)
            yield self._difference(places, grams, known)

    def ngram(self, order: int, number: int) -> tuple[Token, ...]:
        """The tokens of an n-gram."""
        last: list[Token] = []
        for parents in reversed(self._parents[: order - 1]):
            number, token = divmod(int(parents[number]), len(self._tokens))
            last.append(self._names[token])
        return (self._names[number], *reversed(last))

    def _together(self, begin: NDArray[np.int64], end: NDArray[np.int64]) -> NDArray[np.bool_]:
        same: NDArray[np.bool_] = (self._owners[begin] == self._owners[end]) & (
            self._segments[begin] == self._segments[end]
        )
        return same

    def _difference(self, places: NDArray[np.int64], grams: NDArray[np.int64], known: int) -> NDArray[np.int64]:
        owners, segments = self._owners[places], self._segments[places]
        keys = segments * known + grams  # one key per n-gram of a segment
        held = owners >= 2
        order = np.lexsort((owners[held], keys[held]))
        limits = _runs(keys[held][order], owners[held][order])
        difference = np.zeros(known, dtype=np.int64)
        for owner, sign in ((0, 1), (1, -1)):
            wanted, times = np.unique(keys[owners == owner], return_counts=True)
            at = np.searchsorted(limits[0], wanted)
            at[at == len(limits[0])] = 0
            hit = limits[0][at] == wanted if len(limits[0]) else np.zeros(len(wanted), dtype=bool)
            matches = np.minimum(times[hit], limits[1][at[hit]])
            np.add.at(difference, wanted[hit] % max(known, 1), sign * matches)
        return difference


def _runs(keys: NDArray[np.int64], owners: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Distinct keys and the largest count of each in any one owner; the input is sorted by key, then owner."""
    if len(keys) == 0:
        return keys, keys
    starts = np.flatnonzero(np.r_[True, (keys[1:] != keys[:-1]) | (owners[1:] != owners[:-1])])
    times = np.diff(np.r_[starts, len(keys)])
    heads = keys[starts]
    firsts = np.flatnonzero(np.r_[True, heads[1:] != heads[:-1]])
    return heads[firsts], np.maximum.reduceat(times, firsts)
