"""The value of a pool metric for parts of a pool: what intervals, tests and rarefaction have in common."""

from __future__ import annotations

from functools import cached_property

from bleuprint.core import counts
from bleuprint.core.arrays import Floats, Integers, Members, np
from bleuprint.core.columns import Corpus, Texts
from bleuprint.core.pool import PartScorer
from bleuprint.metrics.base.metric import Metric
from bleuprint.metrics.base.pool import PooledTexts, PoolScore, PoolSummary
from bleuprint.metrics.base.score import Score


class PoolStatistic:
    """A pool metric and the texts of a pool, tokenized once, also for other metrics that read them alike."""

    def __init__(
        self,
        metric: Metric[Score],
        texts: Texts,
        references: Texts | None = None,
        *,
        threads: int = 1,
        like: PoolStatistic | None = None,
        summary: PoolSummary | None = None,  # of texts that were read before
    ) -> None:
        self.metric, self._threads = metric, threads
        tokenizer = metric.definition.tokenizer
        shared = like if like and references is None and like.metric.definition.tokenizer == tokenizer else None
        self._corpus: Corpus = shared._corpus if shared else metric.definition.read(texts, references, None)
        self._definition = metric.definition.ready_for(self._corpus, threads)
        self._kind: type[PoolSummary] = self._definition.summary  # type: ignore[assignment]
        if summary is not None:
            self._summary: PoolSummary = summary
        elif shared and issubclass(self._kind, PooledTexts):
            self._summary = self._kind(self._definition)
            self._summary.texts = shared.pool
        else:
            self._summary = self._kind.of_corpus(self._definition, self._corpus, threads)

    def __len__(self) -> int:
        return len(self._summary.texts)

    @property
    def pool(self) -> counts.Pool:
        """The tokens of the texts."""
        pool: counts.Pool = self._summary.texts
        return pool

    def values(self) -> list[float]:
        """The values of the orders and the score, without scores of texts."""
        return self._summary.values(self._threads) if isinstance(self._summary, PooledTexts) else [self.score().value]

    def score(self, kept: Integers | None = None) -> PoolScore:
        """The score of these texts, or of all."""
        summary = self._summary
        if kept is not None and isinstance(summary, PooledTexts):
            summary = summary.part(kept.tolist())
        elif kept is not None:
            part = Corpus(self._corpus.hypotheses.picked(kept.astype(np.uint32)), self._corpus.references)
            summary = self._kind.of_corpus(self._definition, part, self._threads)
        return summary.score(self._threads)

    @cached_property
    def score_parts(self) -> PartScorer:
        """What scores many parts of the texts."""
        if isinstance(self._summary, PooledTexts):
            return self._summary.part_scorer(self._threads)

        def score_each(members: Members) -> Floats:
            return np.array([[self.score(kept).value] for kept in counts.each_part(members)])

        return score_each
