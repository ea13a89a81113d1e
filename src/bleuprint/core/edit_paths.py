"""Shortest edit paths: which tokens are hits, substitutions, deletions and insertions, and which runs of them move."""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Callable, Hashable, Sequence
from itertools import accumulate, count
from typing import NamedTuple, TypeVar

from bleuprint.core import _native

EQUAL, SUBSTITUTE, DELETE, INSERT = "=sdi"  # delete: only the reference has the token; insert: only the hypothesis

Items = Sequence[Hashable]
Token = TypeVar("Token")
_STORED = 1 << 20  # words of the table that the way back is read from; a larger table is computed twice


def edit_path(reference: Items, hypothesis: Items) -> str:
    """One letter for each step of a shortest path from the reference to the hypothesis.

    Of several shortest paths, it is the one whose operations WER counts: the common beginning and end are hits, and the
    rest is walked from its end, where a deletion comes before an insertion, and an insertion before a pair.

    >>> edit_path("the cat sat on the mat".split(), "a cat sat there on mat".split())
    's==i=d='
    """
    return _native.edit_path(*id_arrays(reference, hypothesis))


def common_subsequence(reference: Items, hypothesis: Items) -> list[int]:
    """The places in the reference of a longest common subsequence; of several, the one that ROUGE-Lsum counts.

    >>> common_subsequence("the cat sat on the mat".split(), "on the mat the cat sat".split())
    [0, 1, 2]
    """
    columns, rows, _ = id_arrays(hypothesis, reference)
    return _native.common_subsequence(columns.tolist(), rows.tolist(), _STORED) if rows else []


class Shift(NamedTuple):
    """A run of tokens, and the token that it is put before; a target inside the run counts from behind the run."""

    start: int
    length: int
    target: int


def shift_path(reference: Items, hypothesis: Items) -> tuple[list[Shift], str]:
    """The shifts that turn the hypothesis into something nearer to the reference, and the edit path after them.

    It is tercom's greedy search as sacrebleu runs it: always the shift that lowers the edit distance most.

    >>> shift_path("the cat sat on the mat".split(), "on the mat the cat sits".split())
    ([Shift(start=0, length=3, target=3)], '==s===')
    """
    columns, rows, kinds = id_arrays(reference, hypothesis)
    shifts, steps = _native.shift_path(columns, rows, kinds)
    return [Shift(*shift) for shift in shifts], steps


def apply_shift(tokens: tuple[Token, ...], shift: Shift) -> tuple[Token, ...]:
    """The tokens after a shift.

    >>> "".join(apply_shift(tuple("abcde"), Shift(0, 2, 4)))
    'cdabe'
    """
    start, length, target = shift
    run, rest = tokens[start : start + length], tokens[:start] + tokens[start + length :]
    place = target - length if target > start + length else target
    return rest[:place] + run + rest[place:]


def id_arrays(reference: Items, hypothesis: Items) -> tuple[array[int], array[int], int]:
    """The items of both as numbers, the same number for the same item, and how many different ones there are."""
    ids: defaultdict[Hashable, int] = defaultdict(count().__next__)
    columns, rows = (array("I", map(ids.__getitem__, items)) for items in (reference, hypothesis))
    return columns, rows, len(ids)


def common_ends(reference: Items, hypothesis: Items) -> tuple[int, int]:
    """How many tokens at the beginning, and then at the end, are the same."""
    start, shorter = 0, min(len(reference), len(hypothesis))
    while start < shorter and reference[start] == hypothesis[start]:
        start += 1
    end, shorter = 0, shorter - start
    while end < shorter and reference[-1 - end] == hypothesis[-1 - end]:
        end += 1
    return start, end


def last_distances(reference: Items, hypothesis: Items) -> list[int]:
    """The edit distances between the hypothesis and each beginning of the reference, the empty one first.

    A row of the table of distances is two integers of any length: a bit of `up` says that a distance is one more, and
    of `down` that it is one less, than the distance before it (Hyyrö 2003, A bit-vector algorithm for computing
    Levenshtein and Damerau edit distances).

    >>> last_distances("kitten", "sit")
    [3, 3, 2, 1, 2, 3, 4]
    """
    everywhere = (1 << len(reference)) - 1
    places_of = _places(reference)
    up, down = everywhere, 0
    for item in hypothesis:
        equal = places_of(item)
        diagonal = (((equal & up) + up) ^ up) | equal | down
        more = (down | ~(diagonal | up)) << 1 | 1
        up = ((diagonal & up) << 1 | ~(diagonal | more)) & everywhere
        down = diagonal & more & everywhere
    signs = zip(_digits(up, len(reference)), _digits(down, len(reference)), strict=True)
    return list(accumulate((int(more) - int(less) for more, less in signs), initial=len(hypothesis)))


def _digits(bits: int, length: int) -> str:
    """The lowest bits first, as digits."""
    return f"{bits:0{length}b}"[::-1] if length else ""


_SHORT = 4096  # columns: at most 2 MiB for the places of all items
_FREQUENT = 64  # an item that has one of 64 places keeps them, so these take no more than 8 bytes for each column


def _places(columns: Items) -> Callable[[Hashable], int]:
    """A function that gives the places of an item as bits."""
    bits: defaultdict[Hashable, int] = defaultdict(int)
    if len(columns) <= _SHORT:
        for place, item in enumerate(columns):
            bits[item] |= 1 << place
        return bits.__getitem__
    places: defaultdict[Hashable, list[int]] = defaultdict(list)
    for place, item in enumerate(columns):
        places[item].append(place)

    def bits_of(item: Hashable) -> int:
        if item in bits or item not in places:
            return bits[item]
        field = bytearray(len(columns) // 8 + 1)
        for place in places[item]:
            field[place >> 3] |= 1 << (place & 7)
        value = int.from_bytes(field, "little")
        if len(places[item]) * _FREQUENT >= len(columns):
            bits[item] = value
        return value

    return bits_of
