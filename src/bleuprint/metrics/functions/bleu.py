"""The functions that need no object: one call for a pair, a corpus, a row of scores."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeVar, cast

from bleuprint.core.columns import References, Text, Texts
from bleuprint.metrics import BLEU, GLEU, IBLEU
from bleuprint.metrics._bleu_score import BleuScore
from bleuprint.metrics.base.metric import Metric
from bleuprint.metrics.gleu import GleuScore
from bleuprint.metrics.ibleu import IbleuScore

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

AnyMetric = TypeVar("AnyMetric", bound=Metric[Any])


def _metric(kind: type[AnyMetric], options: dict[str, Any]) -> AnyMetric:
    # A twin: what is done to the metric of one score must not show in the next.
    if not options:
        return cast(AnyMetric, _configured(kind, (), ())._fresh())
    try:
        given = tuple(sorted(options.items()))
        return cast(AnyMetric, _configured(kind, given, tuple(type(value) for _, value in given))._fresh())
    except TypeError:  # an option that cannot be hashed, such as weights in a list
        return kind(**options)


@lru_cache(maxsize=256)
def _configured(kind: type[Metric[Any]], options: tuple[tuple[str, Any], ...], _: tuple[type, ...]) -> Metric[Any]:
    # The types are part of the key: 1 equals True, and what is refused must not find what is allowed.
    return kind(**dict(options))


def corpus_bleu(hypotheses: Texts, references: References, *, threads: int | None = None, **options: Any) -> BleuScore:
    """BLEU of a corpus; options as for `BLEU`.

    >>> score = corpus_bleu(["the cat sat on the mat"], [["the cat sat on the mat", "a cat sat"]])
    >>> score.value
    1.0
    """
    return _metric(BLEU, options).corpus(hypotheses, references, threads=threads)


def sentence_bleu(hypothesis: Text, references: Text | Sequence[Text | None], **options: Any) -> BleuScore:
    """BLEU of one segment; options as for `BLEU`. Orders the text is too short for are left out.

    >>> sentence_bleu("Paris", ["Paris", "Paris, France"]).value
    1.0
    """
    return _metric(BLEU, options).sentence(hypothesis, references)


def sentence_bleus(
    hypotheses: Texts, references: References, *, threads: int | None = None, **options: Any
) -> NDArray[np.float64]:
    """BLEU of every segment, as an array; options as for `BLEU`.

    >>> sentence_bleus(["a b c d", "a b"], ["a b c d", "c d"]).tolist()
    [1.0, 0.0]
    """
    return _metric(BLEU, options).sentences(hypotheses, references, threads=threads)


def corpus_gleu(hypotheses: Texts, references: References, *, threads: int | None = None, **options: Any) -> GleuScore:
    """Google-BLEU of a corpus; options as for `GLEU`.

    >>> corpus_gleu(["the cat sat", "a dog"], ["the cat sat", "the dog"]).value
    0.7777777777777778
    """
    return _metric(GLEU, options).corpus(hypotheses, references, threads=threads)


def sentence_gleu(hypothesis: Text, references: Text | Sequence[Text | None], **options: Any) -> GleuScore:
    """Google-BLEU of one segment; options as for `GLEU`.

    >>> sentence_gleu("the cat sat", ["the cat sat", "a cat sat"]).value
    1.0
    """
    return _metric(GLEU, options).sentence(hypothesis, references)


def sentence_gleus(
    hypotheses: Texts, references: References, *, threads: int | None = None, **options: Any
) -> NDArray[np.float64]:
    """Google-BLEU of every segment, as an array: rewards for a batch in one call.

    >>> sentence_gleus(["the cat sat", "a dog"], ["the cat sat", "the dog"]).tolist()
    [1.0, 0.3333333333333333]
    """
    return _metric(GLEU, options).sentences(hypotheses, references, threads=threads)


def ibleu(
    sources: Texts,
    hypotheses: Texts,
    references: References,
    *,
    alpha: float | None = None,
    threads: int | None = None,
    **options: Any,
) -> IbleuScore:
    """iBLEU of a corpus of paraphrases; alpha is 0.9 unless given, other options as for `BLEU`.

    >>> text = ["one two three four five"]
    >>> round(ibleu(text, text, text, alpha=0.9).value, 12)
    0.8
    """
    metric = _metric(IBLEU, {"alpha": alpha, **options})
    return metric.corpus(hypotheses, references, sources=sources, threads=threads)
