"""METEOR as its definition reads: the slow twin of the matching in stages."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

from tests.kernels.twins.clipped import Token

Places = list[tuple[int, Token]]
Fits = Callable[[Token, Token], bool]


class Row(NamedTuple):
    matches: int
    chunks: int
    hypothesis_length: int
    reference_length: int


class Rules(NamedTuple):
    """How words change and which fit."""

    stages: Sequence[str]
    stem: Callable[[str], str]
    synonyms: Callable[[str], Collection[str]]
    weights: tuple[float, float, float] = (0.9, 3.0, 0.5)


def matched(hypothesis: Places, reference: Places, fits: Fits) -> list[tuple[int, int]]:
    """Pairs of places; what is matched is taken out of both lists."""
    pairs = []
    for word in hypothesis[::-1]:
        for other in reference[::-1]:
            if fits(word[1], other[1]):
                pairs.append((word[0], other[0]))
                hypothesis.remove(word)
                reference.remove(other)
                break
    return pairs


def align(hypothesis: Sequence[Token], reference: Sequence[Token], rules: Rules) -> list[tuple[int, int]]:
    ours, theirs = list(enumerate(hypothesis)), list(enumerate(reference))
    pairs: list[tuple[int, int]] = []
    if "exact" in rules.stages:
        pairs += matched(ours, theirs, equal)
    if "stem" in rules.stages:
        for places in (ours, theirs):
            places[:] = [(at, rules.stem(word) if isinstance(word, str) else word) for at, word in places]
        pairs += matched(ours, theirs, equal)
    if "synonym" in rules.stages:
        pairs += matched(
            ours,
            theirs,
            lambda word, other: equal(word, other) or (isinstance(word, str) and other in rules.synonyms(word.lower())),
        )
    return sorted(pairs)


def equal(word: Token, other: Token) -> bool:
    return word == other


def chunks(pairs: Sequence[tuple[int, int]]) -> int:
    """Pairs that do not go on with the one before."""
    return sum((at - 1, other - 1) not in pairs for at, other in pairs)


def score(row: Row, weights: tuple[float, float, float]) -> float:
    alpha, beta, gamma = weights
    if row.matches == 0:
        return 0.0
    precision, recall = row.matches / row.hypothesis_length, row.matches / row.reference_length
    mean = precision * recall / (alpha * precision + (1 - alpha) * recall)
    penalty: float = gamma * (row.chunks / row.matches) ** beta
    return (1 - penalty) * mean


def row(hypothesis: Sequence[Token], references: Sequence[Sequence[Token]], rules: Rules) -> Row:
    """The row of the reference that scores highest, the first of equals."""
    rows = []
    for reference in references:
        pairs = align(hypothesis, reference, rules)
        rows.append(Row(len(pairs), chunks(pairs), len(hypothesis), len(reference)))
    return max(rows, key=lambda row: score(row, rules.weights))
