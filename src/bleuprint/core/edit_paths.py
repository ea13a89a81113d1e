"""Shortest edit paths: which tokens are hits, substitutions, deletions and insertions, and which runs of them move."""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Hashable, Sequence
from itertools import count
from typing import NamedTuple, TypeVar

from bleuprint.core import _native

EQUAL, SUBSTITUTE, DELETE, INSERT = "=sdi"  # delete: only the reference has the token; insert: only the hypothesis

Items = Sequence[Hashable]
Token = TypeVar("Token")
_STORED = 1 << 20  # words of the table that the way back is read from; a larger table is computed twice


def edit_path(reference: Items, hypothesis: Items, *, divides: bool = False) -> str:
    """One letter for each step of a shortest path from the reference to the hypothesis.

    Of several shortest paths, it is the one whose operations WER counts: the common beginning and end are hits, and the
    rest is walked from its end, where a deletion comes before an insertion, and an insertion before a pair. With
    `divides`, texts whose table of distances takes a mebibyte are divided first, as RapidFuzz divides them.

    >>> edit_path("the cat sat on the mat".split(), "a cat sat there on mat".split())
    's==i=d='
    """
    return _native.edit_path(*id_arrays(reference, hypothesis), divides)


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
