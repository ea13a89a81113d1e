"""fast_bleu's two classes: BLEU against a fixed set of references, and Self-BLEU.

The scores equal NLTK's sentence_bleu, which fast-bleu aims to reproduce. fast-bleu itself reads past the end of an
array and joins tokens with spaces, so its scores differ in places and from run to run; these do not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bleuprint import metrics
from bleuprint.errors import OptionError

__all__ = ["BLEU", "SelfBLEU"]

_UNIFORM = (0.25, 0.25, 0.25, 0.25)
_METHODS = {0: "method0", 1: "method1"}

Texts = Sequence[Sequence[object]]
Words = list[list[str]]
Scores = dict[Any, list[float]]  # by the names of the weights
PoolMetric = metrics.CrossBLEU | metrics.SelfBLEU


class _Scorer:
    def __init__(
        self,
        lines_of_tokens: Texts,
        weights: Mapping[Any, Sequence[float]] | None = None,
        smoothing_func: int = 1,
        auto_reweight: bool = False,
        verbose: bool = False,
    ) -> None:
        if smoothing_func not in _METHODS:
            raise OptionError("smoothing_func", "0 or 1", smoothing_func)
        self._texts = _as_words(lines_of_tokens)
        self._weights = {4: _UNIFORM} if weights is None else {key: tuple(value) for key, value in weights.items()}
        self._smoothing = _METHODS[smoothing_func]
        self._reweight = auto_reweight
        for weight in self._weights.values():
            self._metric(metrics.SelfBLEU, weight)  # raises an error if the weights do not sum to one

    def _metric(self, kind: type[PoolMetric], weights: tuple[float, ...]) -> PoolMetric:
        return kind(max_order=len(weights), weights=weights, smoothing=self._smoothing, tokenizer="whitespace")

    def _scores(self, kind: type[PoolMetric], texts: Words, references: Words | None = None) -> Scores:
        """The score of every text, by the names of the weights."""

        def score(weights: tuple[float, ...]) -> list[float]:
            scores: list[float] = self._metric(kind, weights).corpus(texts, references).per_text.tolist()
            return scores

        scores: Scores = {}
        for key, weights in self._weights.items():
            scores[key] = score(weights)
            if self._reweight and weights == _UNIFORM:
                # As in NLTK, texts of fewer than four words have as many orders as words.
                for length in {len(text) for text in texts} & {1, 2, 3}:
                    new = score((1 / length,) * length)
                    scores[key] = [new[at] if len(texts[at]) == length else old for at, old in enumerate(scores[key])]
        return scores


class BLEU(_Scorer):
    """BLEU of hypotheses against a fixed set of references; weights are given by name.

    >>> references = [["a", "b", "c", "d"], ["a", "b", "x"]]
    >>> BLEU(references, {"bigram": (0.5, 0.5)}).get_score([["a", "b", "c"], ["a", "c"]])
    {'bigram': [1.0, 0.19180183554164504]}
    """

    def get_score(self, hypotheses: Texts) -> Scores:
        """The scores of the hypotheses, by the names of the weights."""
        texts = _as_words(hypotheses)
        return self._scores(metrics.CrossBLEU, texts, self._texts) if texts else {key: [] for key in self._weights}


class SelfBLEU(_Scorer):
    """BLEU of each text against all others, in time proportional to the number of texts, not of pairs.

    >>> texts = [["a", "b", "c"], ["a", "b", "d"], ["e", "f"]]
    >>> SelfBLEU(texts, {2: (0.5, 0.5)}).get_score()
    {2: [0.5773502691896257, 0.5773502691896257, 0.0]}
    """

    def get_score(self) -> Scores:
        """The scores of the texts, by the names of the weights."""
        return self._scores(metrics.SelfBLEU, self._texts)


def _as_words(texts: Texts) -> Words:
    """Convert tokens of any type with str()."""
    return [[str(token) for token in text] for text in texts]
