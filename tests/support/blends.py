"""Small blends with round numbers, and ratings to fit one to."""

from __future__ import annotations

import json
import random
from typing import Any

from bleuprint import signature
from bleuprint.metrics import BLEU, TER, Blend
from bleuprint.metrics.base.metric import Metric
from bleuprint.metrics.blend import BlendWeights

PERFECT = 7.0  # the score of a text against itself


def weights_of(*components: Metric[Any]) -> BlendWeights:
    """Numbers that a double holds exactly, by which two components weigh 4 and -1 per unit."""
    count = len(components)
    means, scales, weights = (0.25, 0.5, 0.5)[:count], (0.125, 0.25, 0.5)[:count], (0.5, -0.25, 1.0)[:count]
    return BlendWeights(tuple(metric.signature for metric in components), means, scales, weights, 3.5)


def blend() -> Blend:
    """BLEU and TER of words between blanks."""
    return Blend(weights_of(BLEU(tokenizer="whitespace"), TER(tokenizer="whitespace")))


def blend_document(**changed: Any) -> bytes:
    """The file of a blend; options in its signature, or fields of the document, are changed."""
    options = {**weights_of(BLEU(), TER()).options}
    options |= {name: changed.pop(name) for name in options.keys() & changed.keys()}
    document = {"signature": signature.write("blend", 1, options, {}), "facts": {}}
    return json.dumps(document | changed).encode()


def rated_rows(items: int = 60, systems: int = 2, *, seed: int = 1, noise: float = 1.0) -> list[dict[str, Any]]:
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
