"""Perplexity under an n-gram language model: the number of words it hesitates between, on average.

    PPL = 10^(−Σ log10 p(w | words before w) / N)

over all words of the texts and the </s> that ends each text; N counts both, as in KenLM. The first word of a text
follows <s>, which is given and not counted. A word that the model does not know has the probability of <unk>. With
unknown="exclude" such words are left out of the sum and the count (they stay in the contexts of others), as in the
second line of KenLM's `query`. A corpus score is that of all words together, not a mean over texts. No words at all
have perplexity 1.
Jelinek, Mercer, Bahl and Baker (1977): Perplexity — a measure of the difficulty of speech recognition tasks. JASA 62.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from os import PathLike

from bleuprint import checks
from bleuprint.core.language_model import LOG_PROBABILITY_SCALE
from bleuprint.metrics._model_metric import ModelMetric
from bleuprint.metrics.base import CoreRows, Definition, Score
from bleuprint.metrics.base.formulas import Value, exp, named, ratio, where
from bleuprint.metrics.base.score import column
from bleuprint.models.language_model import LanguageModel

_LARGEST_POWER = 700.0  # exponent of e; anything larger overflows to infinity, which JSON cannot hold


@dataclass(frozen=True)
class PerplexityFormula:
    """The perplexity of all words, or of the words the model knows."""

    unknown: str

    def __call__(self, columns: Sequence[Value], *, sentence: bool = False) -> Value:
        log_probability, tokens, unknown_words, unknown_log_probability = columns
        if self.unknown == "include":
            return _perplexity(log_probability, tokens)
        return _perplexity(log_probability - unknown_log_probability, tokens - unknown_words)


def _perplexity(log_probability: Value, tokens: Value) -> Value:
    power = named("H", ratio(-log_probability, tokens) * (math.log(10) / LOG_PROBABILITY_SCALE))
    return named("PPL", exp(where(power > _LARGEST_POWER, _LARGEST_POWER, power)))


class PerplexityScore(Score):
    """A perplexity and its components."""

    __slots__ = ()
    part_names = ("log_probability", "tokens", "unknown_words", "with_unknown", "without_unknown")
    tokens: int = column(1, "Number of words and text ends, including unknown words.")
    unknown_words: int = column(2)

    @property
    def log_probability(self) -> float:
        """log10 of the probability of all texts, including unknown words."""
        return self.columns[0] / LOG_PROBABILITY_SCALE

    @property
    def with_unknown(self) -> float:
        """The perplexity of all words."""
        return float(_perplexity(self.columns[0], self.columns[1]))

    @property
    def without_unknown(self) -> float:
        """The perplexity of the words the model knows."""
        return float(_perplexity(self.columns[0] - self.columns[3], self.columns[1] - self.columns[2]))

    def __str__(self) -> str:
        return (
            f"perplexity = {self.value:.4f} ({self.with_unknown:.4f} with and {self.without_unknown:.4f} without "
            f"{self.unknown_words} unknown words of {self.tokens} tokens)"
        )


class Perplexity(ModelMetric[PerplexityScore]):
    """Perplexity of texts under an n-gram language model.

    >>> from bleuprint import LanguageModel
    >>> texts = ["the cat sat on the mat", "the dog sat on the log", "the cat saw the dog"]
    >>> model = LanguageModel.train(texts, order=2, discount_fallback=True)
    >>> print(Perplexity(model).sentence("the cat sat on the sofa"))
    perplexity = 6.1822 (6.1822 with and 4.8023 without 1 unknown words of 7 tokens)

    - `lm`: a `LanguageModel` or the path of its file
    - `unknown`: "include" or "exclude" words that the model does not know
    """

    name = "perplexity"
    model_option = "lm"
    load_model = LanguageModel.resolve
    higher_is_better = False
    has_percent = False
    needs_references = False
    default_threshold = 100.0  # no value fits all models; set your own

    def __init__(self, lm: LanguageModel | str | PathLike[str], *, unknown: str = "include") -> None:
        model = LanguageModel.resolve(lm)
        options = {**model.options, "unknown": checks.choice("unknown", unknown, ("include", "exclude"))}
        rows = CoreRows(model.word_counts(), model.tokenizer)
        formula = PerplexityFormula(unknown)
        super().__init__(Definition(Perplexity, options, rows, formula, PerplexityScore, outside={"lm": model}))
