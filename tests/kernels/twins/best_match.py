"""ROUGE as its definition reads: the slow twin of the kernels behind it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import cache

import regex

from tests.kernels.twins.clipped import Token, clipped_matches

Line = Sequence[Token]
Lines = Sequence[Line]
Match = tuple[int, int, int]


def ascii_words(text: str) -> list[str]:
    return re.findall("[a-z0-9]+", text.lower())


# The blocks of scripts that put no blanks between words: Thai and Lao, Myanmar, Khmer, Han, kana.
_ALONE = regex.compile(
    r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3040-\u30ff\u31f0-\u31ff"
    r"\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f\U0001aff0-\U0001b16f\U00020000-\U0003ffff]"
)
_WORD = regex.compile(r"[\w--\p{Pc}]", regex.V1)


@cache
def stands_alone(letter: str) -> bool:
    return _ALONE.match(letter) is not None and regex.match(r"\p{N}", letter) is None


@cache
def continues(letter: str) -> bool:
    return _WORD.match(letter) is not None


def unicode_words(text: str) -> list[str]:
    """Letters and digits begin or continue a word, marks and joiners only continue one."""
    words: list[str] = []
    open_word = False
    for letter in text.lower():
        if letter.isalnum():
            if open_word and not stands_alone(letter) and not stands_alone(words[-1][0]):
                words[-1] += letter
            else:
                words.append(letter)
            open_word = True
        elif open_word and continues(letter):
            words[-1] += letter
        else:
            open_word = False
    return words


def table(rows: Line, columns: Line) -> list[list[int]]:
    """Lengths of the longest common subsequences of all beginnings."""
    lengths = [[0] * (len(columns) + 1)]
    for row in rows:
        line = [0]
        for at, column in enumerate(columns):
            line.append(lengths[-1][at] + 1 if row == column else max(lengths[-1][at + 1], line[-1]))
        lengths.append(line)
    return lengths


def subsequence(rows: Line, columns: Line) -> list[int]:
    """The rows that one longest common subsequence takes, walking back from the end."""
    lengths = table(rows, columns)
    row, column, taken = len(rows), len(columns), []
    while row and column:
        if rows[row - 1] == columns[column - 1]:
            row, column = row - 1, column - 1
            taken.append(row)
        elif lengths[row][column - 1] > lengths[row - 1][column]:
            column -= 1
        else:
            row -= 1
    return taken[::-1]


def union_matches(hypothesis: Lines, reference: Lines) -> int:
    """Per reference line the union of its subsequences with all lines; a word at most as often as either text has."""
    left = Counter(word for line in hypothesis for word in line)
    matches = 0
    for line in reference:
        for at in sorted(set().union(*(subsequence(line, other) for other in hypothesis))):
            matches += left[line[at]] > 0
            left[line[at]] -= 1
    return matches


def match(kind: str, hypothesis: Lines, reference: Lines) -> Match:
    words = [word for line in hypothesis for word in line]
    others = [word for line in reference for word in line]
    if kind == "rougeL":
        return len(subsequence(others, words)), len(words), len(others)
    if kind == "rougeLsum":
        return union_matches(hypothesis, reference), len(words), len(others)
    order = int(kind.removeprefix("rouge"))
    totals = max(0, len(words) - order + 1), max(0, len(others) - order + 1)
    return clipped_matches(words, [others], order), *totals


def f_measure(matched: Match) -> float:
    matches, hypothesis, reference = matched
    if not matches:
        return 0.0
    precision, recall = matches / hypothesis, matches / reference
    return 2 * precision * recall / (precision + recall)


def row(types: Sequence[str], hypothesis: Lines, references: Sequence[Lines]) -> list[int]:
    """Per type: matches, units of the hypothesis, units of the reference with the highest F, the first of equals."""
    return [
        number
        for kind in types
        for number in max((match(kind, hypothesis, reference) for reference in references), key=f_measure)
    ]
