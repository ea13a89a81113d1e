"""Metrics that look at the outputs alone: references may be left out, and what is given is only checked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Self

from bleuprint.core.columns import Corpus, References, Text, Texts
from bleuprint.metrics.base.metric import AnyScore, Metric
from bleuprint.statistics.rows import Sample, Statistics

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["ReferenceFreeMetric"]

# This very list says that no references were given; an equal one is a list of none.
_NONE: list[str] = []


class ReferenceFreeMetric(Metric[AnyScore]):
    """Base of metrics without references. Whoever runs many metrics may pass references to all of them."""

    needs_references = False

    def statistics(
        self,
        hypotheses: Texts,
        references: References | None = None,
        *,
        sources: Texts | None = None,
        threads: int | None = None,
    ) -> Statistics:
        return super().statistics(hypotheses, _given(references), sources=sources, threads=threads)

    def sample(
        self,
        hypotheses: Texts,
        references: References | None = None,
        *,
        sources: Texts | None = None,
        threads: int | None = None,
    ) -> Sample:
        return super().sample(hypotheses, _given(references), sources=sources, threads=threads)

    def corpus(
        self,
        hypotheses: Texts,
        references: References | None = None,
        *,
        sources: Texts | None = None,
        threads: int | None = None,
    ) -> AnyScore:
        return super().corpus(hypotheses, _given(references), sources=sources, threads=threads)

    def sentence(
        self,
        hypothesis: Text,
        references: Text | Sequence[Text | None] | None = None,
        *,
        source: Text | None = None,
    ) -> AnyScore:
        corpus = self._read_one(hypothesis, hypothesis if references is None else references, source)
        return self._segment_score(self._sum(corpus, 1), corpus.references.group_size)

    def sentences(
        self,
        hypotheses: Texts,
        references: References | None = None,
        *,
        sources: Texts | None = None,
        threads: int | None = None,
    ) -> NDArray[np.float64]:
        return super().sentences(hypotheses, _given(references), sources=sources, threads=threads)

    def update(
        self,
        hypotheses: Texts,
        references: References | None = None,
        *,
        sources: Texts | None = None,
        threads: int | None = None,
    ) -> Self:
        return super().update(hypotheses, _given(references), sources=sources, threads=threads)

    def _read(self, hypotheses: Texts, references: References, sources: Texts | None) -> Corpus:
        if references is not _NONE:
            return super()._read(hypotheses, references, sources)
        self.check_sources(sources)
        return self._tokenizer.prepare(Corpus.alone(hypotheses))

    def signature_of(self, *, sentence: bool, references: int) -> str:
        return super().signature_of(sentence=sentence, references=0)


def _given(references: References | None) -> References:
    return _NONE if references is None else references
