"""The functions that need no object: one call for a pair, a corpus, a row of scores."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from bleuprint.corpus import References, Text, Texts
from bleuprint.metrics import BLEU
from bleuprint.metrics._bleu_score import BleuScore

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_DEFAULT_BLEU = BLEU()


def _bleu(options: dict[str, Any]) -> BLEU:
    if not options:
        return _DEFAULT_BLEU
    try:
        return _configured(tuple(sorted(options.items())))
    except TypeError:  # an option that cannot be hashed, such as weights in a list
        return BLEU(**options)


@lru_cache(maxsize=64)
def _configured(options: tuple[tuple[str, Any], ...]) -> BLEU:
    return BLEU(**dict(options))


def corpus_bleu(hypotheses: Texts, references: References, *, threads: int | None = None, **options: Any) -> BleuScore:
    """BLEU of a corpus; options as for `BLEU`.

    >>> score = corpus_bleu(["the cat sat on the mat"], [["the cat sat on the mat", "a cat sat"]])
    >>> score.value
    1.0
    """
    return _bleu(options).corpus(hypotheses, references, threads=threads)


def sentence_bleu(hypothesis: Text, references: Text | Sequence[Text | None], **options: Any) -> BleuScore:
    """BLEU of one segment; options as for `BLEU`. Orders the text is too short for are left out.

    >>> sentence_bleu("Paris", ["Paris", "Paris, France"]).value
    1.0
    """
    return _bleu(options).sentence(hypothesis, references)


def sentence_bleus(
    hypotheses: Texts, references: References, *, threads: int | None = None, **options: Any
) -> NDArray[np.float64]:
    """BLEU of every segment, as an array; options as for `BLEU`.

    >>> sentence_bleus(["a b c d", "a b"], ["a b c d", "c d"]).tolist()
    [1.0, 0.0]
    """
    return _bleu(options).sentences(hypotheses, references, threads=threads)
