"""Edits with moves said plainly, after tercom's rules as sacrebleu 2.6 has them: the oracle of the kernel."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

Words = Sequence[str]

LONGEST_MOVE = 10
FARTHEST_MOVE = 50
MOST_CANDIDATES = 1000
WIDTH = 25


class Alignment(NamedTuple):
    """The cheapest edits, read off the matrix from its end."""

    distance: int
    partner: list[int]  # per word of the reference: its word of the hypothesis, or the one before; -1 before the first
    hypothesis_wrong: list[bool]
    reference_wrong: list[bool]
    steps: list[str]  # from the last to the first


def edits(hypothesis: Words, reference: Words) -> int:
    """Moves and other edits that the greedy search needs."""
    moves, steps = path(reference, hypothesis)
    return len(moves) + len(steps) - steps.count("=")


def path(reference: Words, hypothesis: Words) -> tuple[list[tuple[int, int, int]], str]:
    """The moves, and a letter for each step of the alignment after them."""
    if not reference:
        return [], "i" * len(hypothesis)
    words, tried = list(hypothesis), 0
    moves: list[tuple[int, int, int]] = []
    while True:
        alignment = align(words, reference)
        candidates = list(islice(moves_of(words, reference, alignment), MOST_CANDIDATES - tried))
        tried += len(candidates)
        best: tuple[float, int, int, int] = (0, 0, 0, 0)
        for start, length, target in candidates if tried < MOST_CANDIDATES else ():
            changed = moved(words, start, length, target)
            best = max(best, (alignment.distance - distances(changed, reference)[-1][-1], length, -start, -target))
        gain, length, start, target = best[0], best[1], -best[2], -best[3]
        if gain <= 0:
            return moves, "".join(reversed(alignment.steps))
        words = moved(words, start, length, target)
        moves.append((start, length, target))


def columns_of(row: int, rows: int, columns: int) -> range:
    """The cells of a row that the beam lets through."""
    if row == 0:
        return range(columns + 1)
    slope = columns / rows
    width = WIDTH if slope / 2 <= WIDTH else math.ceil(slope / 2 + WIDTH)
    middle = math.floor(row * slope)
    last = columns if row == rows else min(columns, middle + width - 1)
    return range(max(0, middle - width), last + 1)


def distances(hypothesis: Words, reference: Words) -> list[list[float]]:
    """The matrix of edit distances, infinite outside the beam."""
    matrix: list[list[float]] = [list(range(len(reference) + 1))]
    for row, word in enumerate(hypothesis, start=1):
        above, cells = matrix[-1], [math.inf] * (len(reference) + 1)
        for column in columns_of(row, len(hypothesis), len(reference)):
            cells[column] = above[column] + 1
            if column:
                across = above[column - 1] + (word != reference[column - 1])
                cells[column] = min(across, cells[column], cells[column - 1] + 1)
        matrix.append(cells)
    return matrix


def align(hypothesis: Words, reference: Words) -> Alignment:
    """Of the cheapest edits that lead to a cell: across the diagonal, then a deletion, then an insertion."""
    matrix = distances(hypothesis, reference)
    row, column = len(hypothesis), len(reference)
    found = Alignment(int(matrix[row][column]), [0] * column, [False] * row, [False] * column, [])
    while row or column:
        here = matrix[row][column]
        different = bool(row and column) and hypothesis[row - 1] != reference[column - 1]
        if row and column and matrix[row - 1][column - 1] + different == here:
            found.hypothesis_wrong[row - 1] = found.reference_wrong[column - 1] = different
            found.partner[column - 1] = row - 1
            found.steps.append("s" if different else "=")
            row, column = row - 1, column - 1
        elif row and matrix[row - 1][column] + 1 == here:
            found.hypothesis_wrong[row - 1] = True
            found.steps.append("i")
            row -= 1
        else:
            found.reference_wrong[column - 1] = True
            found.partner[column - 1] = row - 1
            found.steps.append("d")
            column -= 1
    return found


def moves_of(hypothesis: Words, reference: Words, alignment: Alignment) -> Iterator[tuple[int, int, int]]:
    """Start, length and target of every move to be tried; the same one may come up more than once."""
    for start in range(len(hypothesis)):
        for there in range(max(0, start - FARTHEST_MOVE), min(len(reference), start + FARTHEST_MOVE + 1)):
            for length in range(1, LONGEST_MOVE + 1):
                if hypothesis[start : start + length] != reference[there : there + length]:
                    break
                if start + length > len(hypothesis) or there + length > len(reference):
                    break
                wrong = any(alignment.hypothesis_wrong[start : start + length]) and any(
                    alignment.reference_wrong[there : there + length]
                )
                if wrong and not start <= alignment.partner[there] < start + length:
                    before = -1 if there == 0 else alignment.partner[there - 1]
                    targets = [partner + 1 for partner in (before, *alignment.partner[there : there + length])]
                    for at, target in enumerate(targets):
                        if at == 0 or target != targets[at - 1]:
                            yield start, length, target


def moved(words: list[str], start: int, length: int, target: int) -> list[str]:
    """The words with a run of them put before the target; a target inside the run counts from behind the run."""
    run, rest = words[start : start + length], words[:start] + words[start + length :]
    place = target - length if target > start + length else target
    return rest[:place] + run + rest[place:]
