"""The functions that measure texts against each other."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from bleuprint.core.columns import Text, Texts
from bleuprint.errors import NotTextError, OptionError
from bleuprint.metrics import Distinct, MSJaccard, NgramEntropy, RepetitionRate, SelfBLEU, UniqueNgrams
from bleuprint.metrics.base.pool import PoolScore
from bleuprint.metrics.self_bleu import SelfBleuScore


def self_bleu(texts: Texts, *, threads: int | None = None, **options: Any) -> SelfBleuScore:
    """Self-BLEU of a set of texts, exact and in linear time; options as for `SelfBLEU`.

    >>> score = self_bleu(["the cat sat down", "the cat sat up", "dogs bark at night"], max_order=2)
    >>> round(score.value, 4), len(score.per_text)
    (0.4714, 3)
    """
    return SelfBLEU(**options).corpus(texts, threads=threads)


def cross_bleu(texts: Texts, references: Texts, *, threads: int | None = None, **options: Any) -> SelfBleuScore:
    """BLEU of every text against all texts of another corpus; options as for `SelfBLEU`.

    Generated against real texts it is forward BLEU, real against generated backward BLEU.

    >>> cross_bleu(["a b c d e"], ["a b c d e", "f g"]).value
    1.0
    """
    return SelfBLEU(**options).cross(texts, references, threads=threads)


def self_bleu_within(
    outputs: Iterable[str | Sequence[Text]],
    *,
    split: Callable[[str], Sequence[str]] | None = None,
    threads: int | None = None,
    **options: Any,
) -> list[float]:
    """Self-BLEU among the sentences of each output; 1.0 for an output of fewer than two, as autometrics has it.

    An output is a list of sentences, or a text and `split` a function that cuts it into sentences. The options are
    those of `SelfBLEU` with profile autometrics, unless given.

    >>> self_bleu_within([["a b c d", "a b c d"], ["alone"]])
    [1.0, 1.0]
    """
    metric = SelfBLEU(**{"profile": "autometrics", **options})
    scores = []
    for index, output in enumerate(outputs):
        if isinstance(output, str) and split is None:
            raise OptionError("split", "a function from text to sentences when outputs are texts", None)
        sentences = split(output) if isinstance(output, str) and split is not None else output
        if isinstance(sentences, str) or not isinstance(sentences, Sequence):
            got = type(sentences).__name__
            raise NotTextError(f"outputs[{index}]", "a list of sentences", got, "split it into sentences")
        scores.append(1.0 if len(sentences) < 2 else metric.corpus(sentences, threads=threads).value)
    return scores


def distinct_n(texts: Texts, order: int = 2, *, threads: int | None = None, **options: Any) -> PoolScore:
    """Share of different n-grams among all; options as for `Distinct`.

    >>> distinct_n(["a b a b", "a b"], 2, tokenizer="whitespace").value
    0.5
    """
    return Distinct(max_order=order, **options).corpus(texts, threads=threads)


def ngram_entropy(texts: Texts, order: int = 2, *, threads: int | None = None, **options: Any) -> PoolScore:
    """Shannon entropy of the n-grams in nats; options as for `NgramEntropy`.

    >>> round(ngram_entropy(["a b", "c d"], 1, tokenizer="whitespace").value, 4)
    1.3863
    """
    return NgramEntropy(max_order=order, **options).corpus(texts, threads=threads)


def repetition_rate(texts: Texts, max_order: int = 4, *, threads: int | None = None, **options: Any) -> PoolScore:
    """Share of n-grams that occur more than once, mean over the orders; options as for `RepetitionRate`.

    >>> round(repetition_rate(["a b a b", "c d"], 2, tokenizer="whitespace").value, 4)
    0.4082
    """
    return RepetitionRate(max_order=max_order, **options).corpus(texts, threads=threads)


def unique_ngrams(texts: Texts, order: int = 3, *, threads: int | None = None, **options: Any) -> PoolScore:
    """Different n-grams for each text, as Texygen counts them; options as for `UniqueNgrams`.

    >>> unique_ngrams(["a b c d", "a b c e"], tokenizer="whitespace").value
    1.5
    """
    return UniqueNgrams(max_order=order, **options).corpus(texts, threads=threads)


def ms_jaccard(
    texts: Texts, references: Texts, max_order: int = 4, *, threads: int | None = None, **options: Any
) -> PoolScore:
    """Likeness of two corpora in their n-grams; options as for `MSJaccard`.

    >>> round(ms_jaccard(["a b c"], ["a b d"], 2, tokenizer="whitespace").value, 4)
    0.4082
    """
    metric = MSJaccard(max_order=max_order, **options).add_references(references, threads=threads)
    return metric.corpus(texts, threads=threads)
