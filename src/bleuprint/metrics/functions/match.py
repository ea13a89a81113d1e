"""Functions of exact match and contains match."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from bleuprint.core.columns import References, Text, Texts
from bleuprint.metrics import ContainsMatch, ExactMatch
from bleuprint.metrics._equality import EqualityScore
from bleuprint.metrics.functions.bleu import _metric

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def corpus_exact_match(
    hypotheses: Texts, references: References, *, threads: int | None = None, **options: Any
) -> EqualityScore:
    """Exact match of a corpus; options as for `ExactMatch`.

    >>> corpus_exact_match(["Paris", "Bonn"], ["Paris", "Berlin"]).value
    0.5
    """
    return _metric(ExactMatch, options).corpus(hypotheses, references, threads=threads)


def sentence_exact_match(hypothesis: Text, references: Text | Sequence[Text | None], **options: Any) -> EqualityScore:
    """Exact match of one segment; options as for `ExactMatch`.

    >>> sentence_exact_match("Paris", ["paris", "Paris"]).value
    1.0
    """
    return _metric(ExactMatch, options).sentence(hypothesis, references)


def sentence_exact_matches(
    hypotheses: Texts, references: References, *, threads: int | None = None, **options: Any
) -> NDArray[np.float64]:
    """Exact match of every segment, as an array; options as for `ExactMatch`.

    >>> sentence_exact_matches(["Paris", "Bonn"], ["Paris", "Berlin"]).tolist()
    [1.0, 0.0]
    """
    return _metric(ExactMatch, options).sentences(hypotheses, references, threads=threads)


def corpus_contains_match(
    hypotheses: Texts, references: References, *, threads: int | None = None, **options: Any
) -> EqualityScore:
    """Contains match of a corpus; options as for `ContainsMatch`.

    >>> corpus_contains_match(["It is Paris.", "Bonn"], ["Paris", "Berlin"]).value
    0.5
    """
    return _metric(ContainsMatch, options).corpus(hypotheses, references, threads=threads)


def sentence_contains_match(
    hypothesis: Text, references: Text | Sequence[Text | None], **options: Any
) -> EqualityScore:
    """Contains match of one segment; options as for `ContainsMatch`.

    >>> sentence_contains_match("It is Paris.", ["Rome", "Paris"]).value
    1.0
    """
    return _metric(ContainsMatch, options).sentence(hypothesis, references)


def sentence_contains_matches(
    hypotheses: Texts, references: References, *, threads: int | None = None, **options: Any
) -> NDArray[np.float64]:
    """Contains match of every segment, as an array; options as for `ContainsMatch`.

    >>> sentence_contains_matches(["It is Paris.", "Bonn"], ["Paris", "Berlin"]).tolist()
    [1.0, 0.0]
    """
    return _metric(ContainsMatch, options).sentences(hypotheses, references, threads=threads)
