"""Pools of texts that are compared with each other, and pairs of similar texts, found without comparing all pairs."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple, Protocol, TypeVar

from bleuprint import checks
from bleuprint.core import _native
from bleuprint.core._native import Column
from bleuprint.core.arrays import Flags, Floats, Integers, Members, NDArray, np
from bleuprint.core.unicode import prepare
from bleuprint.errors import InputError, OptionError

_LARGEST, _MOST_TOKENS = (1 << 32) - 1, (1 << 63) - 1  # no text, and no pool, has more tokens
_BLOCK = 1 << 16  # texts that are added, or whose rows are made, at a time
_Counted = TypeVar("_Counted")


class Sets(NamedTuple):
    """Sets of elements, which are numbered from the rarest on; elements that one set alone has are only counted."""

    elements: NDArray[np.uint32]
    offsets: NDArray[np.uint64]
    sizes: NDArray[np.uint32]
    element_limit: int


class NgramHolders:
    """The texts that have each n-gram of an order, from which parts of a pool are counted 64 at a time.

    `members` are those of a `PartScorer`; the results are for those parts that have texts.
    """

    def __init__(self, holders: _native.NgramHolders, threads: int) -> None:
        self._holders, self._threads = holders, threads
        self.shared = holders.shared()  # how many n-grams several texts have

    def frequencies(self, members: Members) -> list[Counter[int]]:
        """Per part: how many distinct n-grams occur how often."""
        return _tables(self._holders.frequencies(members, self._threads), members)

    def other_texts(self, members: Members) -> list[Counter[int]]:
        """Per part: how many texts have different n-grams that others of the part have so often, in all."""
        return _tables(self._holders.other_texts(members, self._threads), members)


def _tables(rows: bytes, members: Members) -> list[Counter[int]]:
    """The numbers of items by their values, of each part."""
    numbers, values, items = np.frombuffer(rows, dtype=np.int64).reshape(-1, 3).T
    used = used_parts(members)
    places = zip(np.searchsorted(numbers, used), np.searchsorted(numbers, used, side="right"), strict=True)
    return [Counter(dict(zip(values[i:j].tolist(), items[i:j].tolist(), strict=True))) for i, j in places]


class PartScorer(Protocol):
    """What gives the values of many parts of a pool: a row per part, the score at its end.

    A row of `members` has a word per text, and bit p of row r says that part 64 · r + p has the text.
    """

    def __call__(self, members: Members, /) -> Floats: ...


def words_of_parts(parts: Iterable[Flags]) -> Members:
    """The words that a `PartScorer` reads, of parts that are True for the texts they have.

    >>> words_of_parts([np.array([True, False]), np.array([True, True])])
    array([[3, 2]], dtype=uint64)
    """
    words: list[Members] = []
    for number, part in enumerate(parts):
        bits = part.astype(np.uint64) << np.uint64(number % 64)
        if number % 64:
            words[-1] |= bits
        else:
            words.append(bits)
    return np.array(words)


def each_part(members: Members) -> Iterator[Integers]:
    """The places of the texts of every part; bits without a text are no parts, as at the end of the last word."""
    return (texts_of_part(members, part) for part in used_parts(members).tolist())


def used_parts(members: Members) -> Integers:
    """The parts that have texts."""
    bits = np.bitwise_or.reduce(members, axis=1).astype("<u8").view(np.uint8)
    return np.flatnonzero(np.unpackbits(bits, bitorder="little"))


def texts_of_part(members: Members, part: int) -> Integers:
    """The places of the texts of a part."""
    return np.flatnonzero(has_part(members, part))


def has_part(members: Members, part: int) -> Flags:
    """Whether a part has each text."""
    inside: Flags = members[part // 64] >> np.uint64(part % 64) & np.uint64(1) != 0
    return inside


class Pool:
    """Many texts as token ids, and the n-grams they share: those of the `content` of a pool, if one is given.

    With `memory`, texts move to a temporary file if counting them up to `max_order` in memory would take more bytes.
    What stays in memory then is each different token and a score of each text. The file has no name: the system removes
    it with the process, however that ends.
    """

    _spilled: _native.SpilledTexts | None = None

    def __init__(
        self, scheme: str, lowercase: bool, content: bytes = b"", *, memory: int | None = None, max_order: int = 0
    ) -> None:
        prepare(scheme, lowercase)
        self._reading = (scheme, lowercase)
        self._memory, self._max_order = memory, max_order
        self._in_memory = _native.Pool(scheme, lowercase, content)
        self._kept: dict[Hashable, Any] = {}

    def has_room(self, times: int, more: int) -> bool:
        """Whether a limit allows so many times what counting takes in memory, and so many bytes more."""
        needed, _ = self._in_memory.leave_one_out_bytes(self._max_order, 1)
        return self._memory is None or (self._spilled is None and times * needed + more <= self._memory)

    @property
    def _pool(self) -> _native.Pool:
        if self._spilled is not None:
            raise InputError(f"this needs all texts in memory, and they take more than {self._memory:,} bytes.")
        return self._in_memory

    def __len__(self) -> int:
        return len(self._in_memory if self._spilled is None else self._spilled)

    def __reduce__(self) -> tuple[object, ...]:
        return Pool, (*self._reading, self.content())

    def content(self) -> bytes:
        """Return the tokens of all texts as bytes, identical on every machine."""
        return self._pool.content()

    def add(self, texts: Column, threads: int) -> None:
        self.forget()
        blocks: Iterable[Column] = [texts]
        if self._memory is not None and not texts.tokenized:
            starts = range(0, len(texts), _BLOCK)
            blocks = (_native.part_of_column(texts, start, min(start + _BLOCK, len(texts))) for start in starts)
        for block in blocks:
            self._in_memory.add(block, threads)
            self._make_room(threads)

    def merge(self, other: Pool) -> None:
        """Add the texts of another pool, or its own a second time."""
        self.forget()
        if self._memory is not None and other._spilled is not None:
            with self._file() as spilled:
                spilled.take(self._in_memory)
                spilled.append(other._spilled, other._in_memory, self._in_memory)
        else:
            self._in_memory.append(other._pool)
        self._make_room(1)

    def _make_room(self, threads: int) -> int:
        """Move the texts to the file if they take too much memory; return the bytes that are left for counting there.

        Different tokens and scores of texts have to leave a quarter.
        """
        if self._memory is None:
            return 0
        needed, lasting = self._in_memory.leave_one_out_bytes(self._max_order, threads)
        lasting += 8 * len(self)
        if self._spilled is not None or needed > self._memory:
            if 4 * lasting > 3 * self._memory:
                least = f"at least {4 * lasting // 3 + checks.OUTSIDE:,} bytes for so many different tokens and texts"
                raise OptionError("memory", least, self._memory + checks.OUTSIDE)
            with self._file() as spilled:
                spilled.take(self._in_memory)
        return self._memory - lasting

    @contextmanager
    def _file(self) -> Iterator[_native.SpilledTexts]:
        """The texts in the temporary file."""
        import tempfile  # not loaded with the core, as a pool that fits does without it

        from bleuprint.files import translate_errors

        with translate_errors(f"temporary files in {tempfile.gettempdir()} (TMPDIR names another folder)"):
            if self._spilled is None:
                with tempfile.TemporaryFile(buffering=0) as file:
                    self._spilled, self._process = _native.SpilledTexts(file.fileno(), self._memory or 0), os.getpid()
            if self._process != os.getpid():
                raise InputError("the texts are in a temporary file of another process, which has to count them.")
            yield self._spilled

    def once(self, name: Hashable, count: Callable[[], _Counted]) -> _Counted:
        """What `count` gives, or has given under this name for the same texts: kept for other metrics and parts."""
        key = len(self), name
        if key not in self._kept:
            self._kept[key] = count()
        kept: _Counted = self._kept[key]
        return kept

    def forget(self) -> None:
        """Free what was kept."""
        self._kept = {}

    def select(self, texts: list[int]) -> Pool:
        """Return a pool with only these texts."""
        pool = Pool(*self._reading)
        pool._pool.add_from(self._pool, texts)
        return pool

    def leave_one_out(self, max_order: int, threads: int) -> Integers:
        """Per text: its length, the closest length of another, and clipped matches with all others by order."""
        return _fill((len(self), 2 + max_order), self._pool.leave_one_out, threads)

    def leave_one_out_blocks(self, max_order: int, threads: int) -> Iterator[Integers]:
        """The rows of `leave_one_out`, some texts at a time if they are in the file."""
        if self._spilled is None:
            yield self.leave_one_out(max_order, threads)
            return
        with self._file() as spilled:
            rows = spilled.leave_one_out(self._in_memory, max_order, self._make_room(threads), threads)
            for begin in range(0, len(self), _BLOCK):
                block = np.empty((min(_BLOCK, len(self) - begin), 2 + max_order), dtype=np.int64)
                rows.read(block)
                yield block

    def cross(self, references: Pool, max_order: int, threads: int) -> Integers:
        """Return the same columns as `leave_one_out`, against all texts of another pool."""
        return _fill((len(self), 2 + max_order), self._pool.cross, references._pool, threads)

    def distinct_per_text(self, max_order: int, threads: int) -> Integers:
        """Return the number of distinct n-grams in each text, by order."""
        return _fill((len(self), max_order), self._pool.distinct_per_text, threads)

    def frequency_counts(self, max_order: int, threads: int) -> list[Counter[int]]:
        """Return per order: how many distinct n-grams occur how often."""
        highest = max(max_order, self._max_order)  # what others will ask for is counted in the same pass
        found = self.once(("frequencies", highest), lambda: self._frequency_pairs(highest, threads))
        return [Counter(dict(pairs)) for pairs in found[:max_order]]

    def _frequency_pairs(self, max_order: int, threads: int) -> list[list[tuple[int, int]]]:
        if self._spilled is None:
            return self._pool.frequency_counts(max_order, threads)
        with self._file() as spilled:
            return spilled.frequency_counts(self._in_memory, max_order, self._make_room(threads), threads)

    def ngram_numbers(self, order: int, threads: int) -> Integers:
        """Return a number per token: that of the n-gram starting there, from 1 on for those that occur again.

        0 is an n-gram that occurs nowhere else; -1 says that no n-gram starts there, because its text ends before.
        """
        return _fill((int(self.lengths().sum()),), self._pool.ngram_numbers, order, threads)

    def other_texts(self, order: int, threads: int) -> Integers:
        """Return per text, over its different n-grams: how many other texts have them, in all."""
        return _fill((len(self),), self._pool.other_texts, order, threads)

    def ngram_sets(self, order: int, threads: int, *, repeats_count: bool = False) -> Sets:
        """Return the n-grams of each text as a set.

        Where repeats count, the second occurrence of an n-gram in a text is another element than the first.
        """
        elements, offsets, sizes, limit = self._pool.ngram_sets(order, repeats_count, threads)
        return Sets(
            np.frombuffer(elements, dtype=np.uint32),
            np.frombuffer(offsets, dtype=np.uint64),
            np.frombuffer(sizes, dtype=np.uint32),
            limit,
        )

    def leave_one_out_means(self, max_order: int, formulas: list[_native.RowFormula], threads: int) -> PartScorer:
        """What gives, for parts, the mean of each formula over the texts, each scored against the others."""
        parts = self._pool.parts(max_order, threads)

        def score(members: Members) -> Floats:
            means = np.empty((64 * len(members), len(formulas)))
            parts.leave_one_out(members, formulas, threads, means)
            return means

        return score

    def holders(self, order: int, threads: int) -> NgramHolders:
        """Return the texts that have each n-gram, from which any parts of the pool can be counted."""
        return self.once(("holders", order), lambda: NgramHolders(self._pool.holders(order, threads), threads))

    def window_types(self, window: int, members: Members, threads: int) -> Integers:
        """Return per part: its tokens, those of a window, and the different tokens of all windows.

        The texts are read as one; a window has so many tokens, or all of them if they are fewer.
        """
        size = min(window, _MOST_TOKENS)
        return _fill((64 * len(members), 3), self._pool.window_types, size, members, threads)[used_parts(members)]

    def stretches(self, threshold: float, members: Members, threads: int, *, backward: bool = False) -> Integers:
        """Return per part the stretches at whose end the share of different tokens has fallen to the threshold.

        The texts are read as one, or from their end. Before the number of stretches comes that of all tokens, after it
        those behind the last stretch, and how many of these are different.
        """
        rows = _fill((64 * len(members), 4), self._pool.stretches, threshold, backward, members, threads)
        return rows[used_parts(members)]

    def join_texts(self) -> tuple[NDArray[np.uint8], Integers]:
        """Return the tokens of all texts in UTF-8, each followed by a blank, and where the texts end."""
        text, ends = self._pool.joined()
        return np.frombuffer(text, dtype=np.uint8), np.frombuffer(ends, dtype=np.int64)

    def loops(self, max_period: int, times: int) -> tuple[Integers, NDArray[np.uint32]]:
        """Return the number of tokens in loops of each text, and the loops: text, begin, end and period.

        A loop repeats its first `period` tokens at least `times` times. They are listed text by text, the shortest
        periods first.
        """
        tokens = np.empty(len(self), dtype=np.int64)
        spans = self._pool.loops(min(max_period, _LARGEST), min(times, _LARGEST), tokens)
        return tokens, np.frombuffer(spans, dtype=np.uint32).reshape(-1, 4)

    def paired_counts(self, other: Pool, order: int, threads: int) -> Integers:
        """Return the counts of each n-gram in this pool and in the other."""
        return np.frombuffer(self._pool.paired_counts(other._pool, order, threads), dtype=np.int64).reshape(-1, 2)

    def most_shared(self, order: int, limit: int, threads: int) -> list[tuple[tuple[str | int, ...], int]]:
        """Return the n-grams that occur in the most texts, with the number of texts."""
        return self._pool.most_shared(order, limit, threads)

    def tokens(self, texts: list[int]) -> list[list[str | int]]:
        """Return the tokens of these texts."""
        return self._pool.tokens(texts)

    def duplicates(self, threads: int) -> Integers:
        """Return a group number per text; texts with equal tokens share it."""
        return _fill((len(self),), self._pool.duplicates, threads)

    def lengths(self) -> Integers:
        return np.frombuffer(self._pool.lengths(), dtype=np.int64)


def _fill(shape: tuple[int, ...], count: Callable[..., object], *arguments: object) -> Integers:
    """What the core counts into an array of this shape."""
    numbers = np.zeros(shape, dtype=np.int64)
    count(*arguments, numbers)
    return numbers


def similar_sets(sets: Sets, threshold: float, limit: int, threads: int) -> NDArray[np.uint32] | None:
    """The pairs of sets whose Jaccard similarity reaches the threshold.

    A row holds the two sets and how many elements they share. The result is None if there are more than `limit`. Empty
    sets are similar to none.
    """
    pairs = _native.similar_sets(*sets, threshold, limit, threads)
    return None if pairs is None else np.frombuffer(pairs, dtype=np.uint32).reshape(-1, 3)
