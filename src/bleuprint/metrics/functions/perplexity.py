"""Perplexity without an object: one call for a text, a corpus, a row of scores."""

from __future__ import annotations

from os import PathLike
from typing import TYPE_CHECKING, Any

from bleuprint.core.columns import Text, Texts
from bleuprint.metrics.perplexity import NgramPerplexity, PerplexityScore
from bleuprint.models.language_model import LanguageModel

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Model = LanguageModel | str | PathLike[str]


def corpus_perplexity(texts: Texts, lm: Model, *, threads: int | None = None, **options: Any) -> PerplexityScore:
    """Perplexity of a corpus under a language model or the file of one; options as for `NgramPerplexity`.

    >>> from bleuprint import LanguageModel
    >>> model = LanguageModel.train(["the cat sat", "the dog sat", "a cat"], order=2, discount_fallback=True)
    >>> round(corpus_perplexity(["the cat sat", "a dog sat"], model).value, 4)
    3.0331
    """
    return NgramPerplexity(lm, **options).corpus(texts, threads=threads)


def sentence_perplexity(text: Text, lm: Model, **options: Any) -> PerplexityScore:
    """Perplexity of one text; options as for `NgramPerplexity`.

    >>> from bleuprint import LanguageModel
    >>> model = LanguageModel.train(["the cat sat", "the dog sat", "a cat"], order=2, discount_fallback=True)
    >>> sentence_perplexity("the bird sat", model).unknown_words
    1
    """
    return NgramPerplexity(lm, **options).sentence(text)


def sentence_perplexities(
    texts: Texts, lm: Model, *, threads: int | None = None, **options: Any
) -> NDArray[np.float64]:
    """Perplexity of every text, as an array; options as for `NgramPerplexity`.

    >>> from bleuprint import LanguageModel
    >>> model = LanguageModel.train(["the cat sat", "the dog sat", "a cat"], order=2, discount_fallback=True)
    >>> sentence_perplexities(["the cat sat", "sat the cat"], model).round(4).tolist()
    [2.4595, 6.2043]
    """
    return NgramPerplexity(lm, **options).sentences(texts, threads=threads)
