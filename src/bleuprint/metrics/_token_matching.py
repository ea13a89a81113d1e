"""Token matching by vectors, as used by BERTScore."""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from bleuprint.core.arrays import Floats, np
from bleuprint.errors import OptionError

_TOKENS = 512  # compared with the whole other text at a time


class Rarity(NamedTuple):
    """How rare tokens are among the references."""

    name: str
    weights: Mapping[str, float]
    unseen: float
    counted: tuple[int, Mapping[str, int]]  # number of references, and how many of them contain each token

    @classmethod
    def of(cls, texts: Sequence[Sequence[str]]) -> Rarity:
        """Compute rarity from the tokens of each reference."""
        return cls._of_counts(len(texts), Counter(token for tokens in texts for token in set(tokens)))

    @classmethod
    def of_content(cls, content: bytes) -> Rarity:
        """Restore from the bytes of `content`; raises ValueError if they are not valid."""
        import json

        try:
            texts, counts = json.loads(content)
            return cls._of_counts(int(texts), {str(token): int(number) for token, number in counts.items()})
        except (AttributeError, TypeError) as error:
            raise ValueError("no list of tokens") from error

    @classmethod
    def _of_counts(cls, texts: int, counts: Mapping[str, int]) -> Rarity:
        weights = {token: math.log((texts + 1) / (number + 1)) for token, number in counts.items()}
        listed = "".join(f"{len(token)}:{token}{number}\n" for token, number in sorted(counts.items()))
        digest = hashlib.sha256(listed.encode("utf-8", "surrogatepass")).hexdigest()[:32]
        return cls(f"{texts}-{digest}", weights, math.log(texts + 1), (texts, counts))

    def content(self) -> bytes:
        """Serialize to bytes, for `of_content` in another process."""
        import json

        return json.dumps(self.counted).encode()


class Prepared(NamedTuple):
    """A text ready to be matched."""

    units: Floats  # unit vectors
    weights: Floats
    empty: bool


def shares(hypothesis: Prepared, reference: Prepared) -> tuple[float, float, float]:
    """Precision, recall and F of one pair of texts."""
    if hypothesis.empty or reference.empty:
        return 0.0, 0.0, 0.0
    ours, theirs = _nearest(hypothesis.units, reference.units)
    precision, recall = _mean(ours, hypothesis.weights), _mean(theirs, reference.weights)
    both = precision + recall
    # If P and R have opposite signs, F is unbounded and meaningless, so it is clipped to the range of a cosine.
    return precision, recall, max(-1.0, min(1.0, 2 * precision * recall / both)) if both else 0.0


def _nearest(first: Floats, second: Floats) -> tuple[Floats, Floats]:
    """For each row, the largest cosine with a row of the other text, both ways; never holds all cosines in memory."""
    ours, theirs = np.empty(len(first)), np.full(len(second), -np.inf)
    for begin in range(0, len(first), _TOKENS):
        cosines = first[begin : begin + _TOKENS] @ second.T
        ours[begin : begin + _TOKENS] = cosines.max(axis=1)
        np.maximum(theirs, cosines.max(axis=0), out=theirs)
    return ours, theirs


def _mean(values: Floats, weights: Floats) -> float:
    total = float(weights.sum())
    return float(values @ weights) / total if total else 0.0


def checked_baseline(given: Sequence[float]) -> tuple[float, ...]:
    numbers = tuple(given) if isinstance(given, Sequence) else ()
    usable = all(isinstance(item, int | float) and not isinstance(item, bool) and item < 1 for item in numbers)
    if len(numbers) != 3 or not usable or not all(map(math.isfinite, numbers)):
        raise OptionError("baseline", "three numbers below 1 for P, R and F", given)
    return tuple(map(float, numbers))
