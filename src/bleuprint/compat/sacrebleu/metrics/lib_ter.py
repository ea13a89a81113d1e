"""The edits that TER counts, for words that are already split."""

from __future__ import annotations

import math
from collections.abc import Sequence
from operator import itemgetter

from bleuprint.compat._tokens import total
from bleuprint.core import counts

__all__ = ["BeamEditDistance", "trace_to_alignment", "translation_edit_rate"]

# Operations of a trace, and whether each takes a word of the hypothesis, takes one of the reference, and is an error.
_OPERATIONS = {" ": (True, True, 0), "s": (True, True, 1), "i": (True, False, 1), "d": (False, True, 1)}
_BEAM = 25  # words on either side of the diagonal
_MOST_ROWS = 10_000  # that are kept between calls
_UNREACHED = 10**16  # the cost of a cell outside of the beam

Row = tuple[list[int], list[str]]  # by number of reference words: the fewest edits, and the last one


def translation_edit_rate(words_hyp: Sequence[str], words_ref: Sequence[str]) -> tuple[int, int]:
    """The number of edits and the number of reference words.

    >>> translation_edit_rate("on the mat sat the cat".split(), "the cat sat on the mat".split())
    (2, 6)
    """
    return total(counts.shifts("none", "none", False), [[words_ref]], [words_hyp])[0], len(words_ref)


def trace_to_alignment(trace: str) -> tuple[dict[int, int], list[int], list[int]]:
    """The hypothesis position of each reference word, then 1 for each error among the words of both, reference first.

    A trace has a letter for each operation: s, i, d, or a space for equal words.

    >>> trace_to_alignment(" sid")
    ({0: 0, 1: 1, 2: 2}, [0, 1, 1], [0, 1, 1])
    """
    places: dict[int, int] = {}
    reference_errors: list[int] = []
    hypothesis_errors: list[int] = []
    for operation in trace:
        if operation not in _OPERATIONS:
            raise Exception(f"unknown operation {operation!r}")
        in_hypothesis, in_reference, error = _OPERATIONS[operation]
        if in_hypothesis:
            hypothesis_errors.append(error)
        if in_reference:
            places[len(reference_errors)] = len(hypothesis_errors) - 1
            reference_errors.append(error)
    return places, reference_errors, hypothesis_errors


class BeamEditDistance:
    """The edit distance of hypotheses from reference words, near the diagonal only, and the edits.

    Rows of prefixes are kept. A later hypothesis that begins alike continues from them, even if its own beam would be
    another one, as in sacrebleu.

    >>> BeamEditDistance("the cat sat".split())("the dog sat down".split())
    (2, ' s d')
    """

    def __init__(self, words_ref: Sequence[str]) -> None:
        self._reference = words_ref
        self._rows: dict[tuple[str, ...], Row] = {}  # by prefix

    def __call__(self, words_hyp: Sequence[str]) -> tuple[int, str]:
        """Return the number of edits, and one letter for each: s, i, d, or a space for equal words."""
        size, keeping = len(self._reference) + 1, len(self._rows) < _MOST_ROWS
        rows: list[Row] = [(list(range(size)), ["i"] * size)]
        for place in range(1, len(words_hyp) + 1):
            prefix = tuple(words_hyp[:place])
            row = self._rows.get(prefix) or self._next_row(rows[-1], words_hyp, place)
            if keeping:
                self._rows[prefix] = row
            rows.append(row)
        return rows[-1][0][-1], _trace([operations for _, operations in rows])

    def _next_row(self, before: Row, words: Sequence[str], place: int) -> Row:
        size = len(self._reference)
        ratio = size / len(words)
        width = math.ceil(ratio / 2 + _BEAM) if ratio / 2 > _BEAM else _BEAM
        middle = math.floor(place * ratio)
        end = size + 1 if place == len(words) else min(size + 1, middle + width)
        above, word = before[0], words[place - 1]
        costs, operations = [_UNREACHED] * (size + 1), ["x"] * (size + 1)
        for number in range(max(0, middle - width), end):
            if number == 0:
                costs[0], operations[0] = above[0] + 1, "d"
                continue
            same = word == self._reference[number - 1]
            # On ties, the first of these is taken.
            choices = (
                (above[number - 1] + (not same), " " if same else "s"),
                (above[number] + 1, "d"),
                (costs[number - 1] + 1, "i"),
            )
            cost, operation = min(choices, key=itemgetter(0))
            if cost < _UNREACHED:
                costs[number], operations[number] = cost, operation
        return costs, operations


def _trace(rows: Sequence[Sequence[str]]) -> str:
    """The edits that lead to the last cell of the last row."""
    place, column = len(rows) - 1, len(rows[0]) - 1
    backwards = []
    while place > 0 or column > 0:
        operation = rows[place][column]
        if operation not in _OPERATIONS:
            raise Exception(f"unknown operation {operation!r}")
        backwards.append(operation)
        place -= operation != "i"
        column -= operation != "d"
    return "".join(reversed(backwards))
