"""Rated outputs, made up: systems drop or mistake words of the reference, and ratings follow how many are right."""

from __future__ import annotations

import random
from typing import Any

import numpy as np

_WORDS = [
    *("the", "a", "old", "red", "small", "cat", "dog", "cow", "hen", "fox", "sat"),
    *("ran", "slept", "on", "under", "by", "mat", "log", "tree", "house", "quietly", "today"),
]


def rated_rows(
    segments: int = 20, systems: int = 4, *, noise: float = 0.3, raters: int = 1, seed: int = 1
) -> list[dict[str, Any]]:
    """Rows with segment, document, system, source, hypothesis, reference, rater and rating.

    System k drops more words than system k − 1. With infinite noise, ratings have nothing to do with the outputs.
    """
    generator = np.random.default_rng(seed)
    rows = []
    for segment in range(segments):
        words = generator.choice(_WORDS, size=12).tolist()
        for system in range(systems):
            kept = generator.random(len(words)) > 0.1 + 0.15 * system
            truth = 0.0 if np.isinf(noise) else float(kept.mean())
            for rater in range(raters):
                rating = truth + generator.normal() * (1.0 if np.isinf(noise) else noise)
                rows.append(
                    {
                        "segment": f"s{segment}",
                        "document": f"d{segment % 3}",
                        "system": f"system-{system}",
                        "source": " ".join(reversed(words)),
                        "hypothesis": " ".join(word for word, keep in zip(words, kept, strict=True) if keep),
                        "reference": " ".join(words),
                        "rater": f"r{rater}",
                        "rating": round(rating, 6),
                    }
                )
    return rows


def rows_with_mistakes(items: int = 60, systems: int = 2, *, seed: int = 1, noise: float = 1.0) -> list[dict[str, Any]]:
    """Outputs with more or fewer wrong words, and ratings that fall with them."""
    chance = random.Random(seed)
    words = [f"word{number}" for number in range(40)]
    rows = []
    for item in range(items):
        reference = chance.choices(words, k=chance.randrange(6, 15))
        for system in range(systems):
            wrong = chance.random()
            output = [chance.choice(words) if chance.random() < wrong else word for word in reference]
            quality = 10 * (1 - wrong) + chance.gauss(0, noise)
            rows.append(
                {
                    "segment": item,
                    "system": f"system-{system}",
                    "source": " ".join(reversed(reference)),
                    "hypothesis": " ".join(output),
                    "reference": " ".join(reference),
                    "quality": quality,
                    "ok": quality > 5,
                    "document": item // 4,
                }
            )
    return rows
