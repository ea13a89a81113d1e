"""BERTScore: every token is matched with the nearest one of the other text, by the vectors an encoder gives them.

    P = Σ w(x) · max_y cos(x, y) / Σ w(x)    x: tokens of the text, y: tokens of the reference
    R = Σ w(y) · max_x cos(x, y) / Σ w(y)    F = 2 · P · R / (P + R)

w is 1, or with `idf` how rare a token is among the references: log((N + 1) / (n + 1)) for a token of n of N references.
Tokens that frame a text, as [CLS] and [SEP] do, have no weight but can be what another token is nearest to. Of several
references each of P, R and F is the best one's. A text without tokens scores 0. With a baseline b, which is what
unrelated texts score, x becomes (x − b) / (1 − b). The score of a corpus is the mean over its segments.
All of this is bert_score's reading of the paper, and equal to it where the encoder is.
Zhang, Kishore, Wu, Weinberger and Artzi (2020): BERTScore: Evaluating Text Generation with BERT. ICLR.
"""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from bleuprint import counts, encoders
from bleuprint.averaged import AveragedMetric, AveragedScore
from bleuprint.batched import BatchedMetric
from bleuprint.encoders import Encoding
from bleuprint.errors import OptionError
from bleuprint.fitted import FittedMetric
from bleuprint.metric import Value
from bleuprint.metrics import _options
from bleuprint.metrics._encoded import replayable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["BERTScore", "Rarity"]

_UNIT = 2.0**-30  # of the shares in rows
_TOKENS = 512  # compared with all of the other text at a time
_FACES = ("precision", "recall", "f1")


class Rarity(NamedTuple):
    """How rare tokens are among references."""

    name: str
    weights: Mapping[str, float]
    unseen: float

    @classmethod
    def of(cls, texts: Sequence[Sequence[str]]) -> Rarity:
        """From the tokens of every reference."""
        found = Counter(token for tokens in texts for token in set(tokens))
        weights = {token: math.log((len(texts) + 1) / (number + 1)) for token, number in found.items()}
        listed = "".join(f"{len(token)}:{token}{number}\n" for token, number in sorted(found.items()))
        digest = hashlib.sha256(listed.encode("utf-8", "surrogatepass")).hexdigest()[:32]
        return cls(f"{len(texts)}-{digest}", weights, math.log(len(texts) + 1))


class _Prepared(NamedTuple):
    units: NDArray[np.float64]  # vectors of length 1
    weights: NDArray[np.float64]
    empty: bool


class BERTScore(BatchedMetric[AveragedScore], FittedMetric[AveragedScore, Rarity], AveragedMetric):
    """BERTScore over an encoder: an `Encoder`, a function, a folder with a model, or the name of bundled weights.

    >>> import numpy as np
    >>> places = {"cat": (1, 0, 0), "kitten": (0.8, 0.6, 0), "ran": (0, 0, 1), "sat": (0, 0.6, 0.8)}
    >>> def encode(texts):
    ...     return [(text.split(), [places[word] for word in text.split()]) for text in texts]
    >>> score = BERTScore(encode).sentence("kitten ran", "cat sat")
    >>> round(score.value, 4), round(score["recall"], 4)
    (0.8, 0.8)

    `layer` is the encoder's, where it is named and not made. `baseline` holds the three numbers for P, R and F, or is a
    file of bert_score's with a line for every layer. With `idf` single segments and streams need `fit` on references;
    a corpus is weighed by its own.
    """

    name = "bertscore"
    _names = _FACES

    def __init__(
        self,
        encoder: Any,
        *,
        layer: int | None = None,
        idf: bool = False,
        baseline: str | PathLike[str] | Sequence[float] | None = None,
        prior: str | None = None,
    ) -> None:
        self.encoder = encoders.resolve(encoder, layer=layer)
        self.idf = _options.flag("idf", idf)
        self.baseline = None if baseline is None else _baseline(baseline, self.encoder.layer)
        self.options = {**self.encoder.options, "idf": self.idf, "baseline": self.baseline}
        self._fitted = not self.idf
        self._rarity: Rarity | None = None
        super().__init__(prior)

    @classmethod
    def from_signature(cls, text: str, **replaced: Any) -> Self:
        """The metric that wrote this signature; the encoder itself must be given and is compared with it."""
        own, options = replayable(text, replaced)
        return super().from_signature(own, **options)

    def scores(self, columns: Sequence[Value]) -> dict[str, Value]:
        """F, precision and recall."""
        shares = [column * _UNIT for column in columns]
        if self.baseline is not None:
            shares = [(share - lowest) / (1 - lowest) for share, lowest in zip(shares, self.baseline, strict=True)]
        precision, recall, f1 = shares
        return {"f1": f1, "precision": precision, "recall": recall}

    def batch_rows(self, hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> NDArray[np.int64]:
        import numpy as np

        texts = list(dict.fromkeys([*hypotheses, *(text for group in references for text in group)]))
        prepared = dict(zip(texts, map(self._prepared, self.encoder.encode(texts)), strict=True))
        best = [
            np.max([_shares(prepared[hypothesis], prepared[text]) for text in group], axis=0)
            for hypothesis, group in zip(hypotheses, references, strict=True)
        ]
        return np.rint(np.array(best) / _UNIT).astype(np.int64)

    def _prepared(self, encoding: Encoding) -> _Prepared:
        import numpy as np

        # In doubles a token is as near to itself as 1.0 says, so that equal texts score exactly 1.
        vectors = encoding.vectors.astype(np.float64)
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        weights = [self._weight(token) for token in encoding.tokens]
        empty = all(token in self.encoder.markers for token in encoding.tokens)
        return _Prepared(vectors / np.where(lengths > 0, lengths, 1.0), np.array(weights, dtype=np.float64), empty)

    def _weight(self, token: str) -> float:
        if token in self.encoder.markers:
            return 0.0
        return 1.0 if self._rarity is None else self._rarity.weights.get(token, self._rarity.unseen)

    def _learn(self, references: counts.Column, threads: int) -> Rarity:
        texts = [str(text) for group in references.unpack() for text in group]
        return Rarity.of(self.encoder.tokens(texts))

    def _adopt(self, prior: Rarity) -> None:
        self._rarity = prior


def _shares(hypothesis: _Prepared, reference: _Prepared) -> tuple[float, float, float]:
    """Precision, recall and F of one pair."""
    if hypothesis.empty or reference.empty:
        return 0.0, 0.0, 0.0
    ours, theirs = _nearest(hypothesis.units, reference.units)
    precision, recall = _mean(ours, hypothesis.weights), _mean(theirs, reference.weights)
    both = precision + recall
    # Of opposite signs F has no bound, and no meaning: it is kept on the scale of cosines.
    return precision, recall, max(-1.0, min(1.0, 2 * precision * recall / both)) if both else 0.0


def _nearest(
    first: NDArray[np.float64], second: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """For every row of one the largest cosine with a row of the other, both ways; never all cosines in memory."""
    import numpy as np

    ours, theirs = np.empty(len(first)), np.full(len(second), -np.inf)
    for begin in range(0, len(first), _TOKENS):
        cosines = first[begin : begin + _TOKENS] @ second.T
        ours[begin : begin + _TOKENS] = cosines.max(axis=1)
        np.maximum(theirs, cosines.max(axis=0), out=theirs)
    return ours, theirs


def _mean(values: NDArray[np.float64], weights: NDArray[np.float64]) -> float:
    total = float(weights.sum())
    return float(values @ weights) / total if total else 0.0


def _baseline(given: str | PathLike[str] | Sequence[float], layer: int | None) -> tuple[float, ...]:
    numbers: tuple[float, ...] = ()
    if isinstance(given, str | PathLike):
        numbers = _baseline_of_file(fspath(given), layer)
    elif isinstance(given, Sequence):
        numbers = tuple(item for item in given if not isinstance(item, str))
    usable = all(isinstance(item, int | float) and not isinstance(item, bool) and item < 1 for item in numbers)
    if len(numbers) != len(_FACES) or not usable or not all(map(math.isfinite, numbers)):
        raise OptionError("baseline", "a file of bert_score's, or three numbers below 1 for P, R and F", given)
    return tuple(map(float, numbers))


def _baseline_of_file(path: str, layer: int | None) -> tuple[float, ...]:
    import csv

    try:
        with Path(path).open(encoding="utf-8", newline="") as file:
            lines = list(csv.reader(file))[1:]
        rows = {int(row[0]): tuple(map(float, row[1:4])) for row in lines if row}
    except (OSError, ValueError, IndexError) as error:
        raise OptionError("baseline", f"a readable file with LAYER,P,R,F in every line ({error})", path) from None
    if layer is None or layer not in rows:
        raise OptionError("baseline", f"a file with a line for layer {layer} of the encoder", path)
    return rows[layer]
