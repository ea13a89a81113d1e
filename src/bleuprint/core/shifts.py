"""Shortest edits where a run of tokens may also move: which runs move where, and what is edited after that."""

from __future__ import annotations

from typing import NamedTuple, TypeVar

from bleuprint.core import _native
from bleuprint.core.edit_paths import Items, id_arrays

Token = TypeVar("Token")


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
