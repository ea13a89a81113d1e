"""BERTScore written plainly: loops over tokens, one pair of texts at a time."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

Encoded = tuple[Sequence[str], Any]


def cosine(first: Any, second: Any) -> float:
    dot = sum(float(a) * float(b) for a, b in zip(first, second, strict=True))
    return dot / math.sqrt(sum(float(a) ** 2 for a in first) * sum(float(b) ** 2 for b in second))


def rarity(references: Sequence[Sequence[str]]) -> dict[str, float]:
    """Inverse document frequency of every token of the references."""
    tokens = {token for text in references for token in text}
    return {
        token: math.log((len(references) + 1) / (sum(token in text for text in references) + 1)) for token in tokens
    }


def bertscore(
    hypothesis: Encoded, reference: Encoded, markers: str, weights: dict[str, float] | None = None, unseen: float = 1.0
) -> tuple[float, float, float]:
    """Precision, recall and F."""

    def weight(token: str) -> float:
        return 0.0 if token in markers else 1.0 if weights is None else weights.get(token, unseen)

    def side(ours: Encoded, theirs: Encoded) -> float:
        best = [max(cosine(vector, other) for other in theirs[1]) for vector in ours[1]]
        total = sum(map(weight, ours[0]))
        return sum(weight(token) * value for token, value in zip(ours[0], best, strict=True)) / total if total else 0.0

    if any(all(token in markers for token in tokens) for tokens, _ in (hypothesis, reference)):
        return 0.0, 0.0, 0.0
    precision, recall = side(hypothesis, reference), side(reference, hypothesis)
    both = precision + recall
    return precision, recall, max(-1.0, min(1.0, 2 * precision * recall / both)) if both else 0.0
