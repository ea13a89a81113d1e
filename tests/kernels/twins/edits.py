"""Edit operations as their definition reads: a table of all distances, and a walk back through it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

Item = str | int


class Operations(NamedTuple):
    hits: int
    substitutions: int
    deletions: int
    insertions: int


def distances(reference: Sequence[Item], hypothesis: Sequence[Item]) -> list[list[int]]:
    """table[i][j]: edits between the first i items of the hypothesis and the first j of the reference."""
    table = [list(range(len(reference) + 1))]
    for i, item in enumerate(hypothesis, start=1):
        row = [i]
        for j, other in enumerate(reference, start=1):
            row.append(min(table[-1][j] + 1, row[-1] + 1, table[-1][j - 1] + (item != other)))
        table.append(row)
    return table


def walk(reference: Sequence[Item], hypothesis: Sequence[Item]) -> str:
    """RapidFuzz's choice among the shortest ways: delete where that is on one, else insert where the pair before is
    one edit further away than the insertion, else take the pair."""
    table = distances(reference, hypothesis)
    i, j = len(hypothesis), len(reference)
    steps = ""
    while i and j:
        if table[i][j] == table[i][j - 1] + 1:
            steps, j = "d" + steps, j - 1
        elif table[i - 1][j] == table[i - 1][j - 1] - 1:
            steps, i = "i" + steps, i - 1
        else:
            i, j = i - 1, j - 1
            steps = ("=" if hypothesis[i] == reference[j] else "s") + steps
    return "d" * j + "i" * i + steps


def path(reference: Sequence[Item], hypothesis: Sequence[Item]) -> str:
    """What both begin and end with is taken first."""
    before = after = ""
    while reference and hypothesis and reference[0] == hypothesis[0]:
        reference, hypothesis, before = reference[1:], hypothesis[1:], before + "="
    while reference and hypothesis and reference[-1] == hypothesis[-1]:
        reference, hypothesis, after = reference[:-1], hypothesis[:-1], after + "="
    return before + walk(reference, hypothesis) + after


def operations(reference: Sequence[Item], hypothesis: Sequence[Item]) -> Operations:
    return Operations(*map(path(reference, hypothesis).count, "=sdi"))


def indel_distance(reference: Sequence[Item], hypothesis: Sequence[Item]) -> int:
    """Insertions and deletions alone."""
    row = list(range(len(reference) + 1))
    for i, item in enumerate(hypothesis, start=1):
        before, row = row, [i]
        for j, other in enumerate(reference, start=1):
            row.append(before[j - 1] if item == other else min(before[j], row[-1]) + 1)
    return row[-1]


def word_error_rate(found: Operations) -> float:
    errors, length = sum(found[1:]), sum(found[:3])
    return errors / length if length else float(found.insertions)


def match_error_rate(found: Operations) -> float:
    return sum(found[1:]) / sum(found) if sum(found) else 0.0


def information_lost(found: Operations) -> float:
    reference, hypothesis = sum(found[:3]), found.hits + found.substitutions + found.insertions
    if not reference or not hypothesis:
        return float(reference != hypothesis)
    return 1 - found.hits / reference * (found.hits / hypothesis)


def nearest(
    references: Sequence[Sequence[Item]], hypothesis: Sequence[Item], rate: Callable[[Operations], float]
) -> Operations:
    """The operations against the reference with the lowest rate, the first of equals."""
    return min((operations(reference, hypothesis) for reference in references), key=rate)
