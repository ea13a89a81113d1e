"""Metrics that weigh n-grams by a corpus of references, which is counted before anything can be scored.

`fit` gives a metric with the weights of that corpus, its prior. Under one prior rows add, so that streams, shards and
resamples are exact. Without a prior a corpus is weighed by its own references, as other libraries do, and nothing can
be added to it. The prior is part of the signature: the number of segments it was counted on, and a digest of their
tokens.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, Generic, Protocol, Self, TypeVar

from bleuprint.core import counts
from bleuprint.core.columns import Corpus, References, Text, Texts, checked_column
from bleuprint.errors import FitError, OptionError, SignatureError
from bleuprint.metrics.base.definition import AnyScore
from bleuprint.metrics.base.metric import Metric, checked_threads
from bleuprint.statistics.rows import Statistics

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["FittedMetric", "Prior"]


class Prior(Protocol):
    """What was learnt from a corpus of references."""

    @property
    def name(self) -> str:
        """How much it was, and a digest of it."""

    def content(self) -> bytes:
        """What it can be made of again, elsewhere."""


AnyPrior = TypeVar("AnyPrior", bound=Prior)


class FittedMetric(Metric[AnyScore], Generic[AnyScore, AnyPrior]):
    """Base of metrics with a prior."""

    fewest_segments: ClassVar[int] = 0  # that weights can be made of

    _names: tuple[str, ...]
    _asked: str | None  # the prior that a signature names
    _prior: AnyPrior | None = None

    def __init__(self, prior: str | None) -> None:
        if prior is not None and not isinstance(prior, str):
            raise OptionError("prior", "None or the prior that a signature names; use fit to make one", prior)
        self._asked = prior
        self.options = {**self.options, "prior": prior}
        super().__init__()

    @abstractmethod
    def _learn(self, references: counts.Column | bytes, threads: int) -> AnyPrior:
        """The prior of these references, or of the content of a prior."""

    def _adopt(self, prior: AnyPrior) -> None:
        """Weigh by this prior from now on."""
        self._prior = prior

    @property
    def columns(self) -> tuple[str, ...]:
        return self._names

    @property
    def can_stream(self) -> bool:
        return self._prior is not None

    def prior_content(self) -> bytes:
        """The prior as bytes, for `with_prior` in another process."""
        if self._prior is None:
            raise FitError(self.name, "has none yet that could be kept")
        return self._prior.content()

    def with_prior(self, content: bytes) -> Self:
        """A new metric that weighs as the one that gave this content."""
        try:
            prior = self._learn(content, 1)
        except ValueError as error:
            raise FitError(self.name, f"has none in these {len(content)} bytes: {error}") from None
        return self._adopting(prior)

    def fit(self, references: References, *, tokenized: bool = False, threads: int | None = None) -> Self:
        """A new metric that weighs by these references; this one stays as it is.

        `references[i]` are the references of segment i, a text or several; with `tokenized` a text is a list of tokens.
        """
        column = checked_column(references, "references", groups=True, tokenized=tokenized)
        return self._fit(self._tokenizer.prepare_column(column, "references"), checked_threads(threads))

    def ready_for(self, corpus: Corpus, threads: int) -> Self:
        return self if self.can_stream else self._fit(corpus.references, threads)

    def statistics(
        self, hypotheses: Texts, references: References, *, sources: Texts | None = None, threads: int | None = None
    ) -> Statistics:
        corpus, metric = self._read_and_fit(hypotheses, references, sources, threads)
        return Statistics(metric.signature, self.columns, metric._rows(corpus, checked_threads(threads)))

    def corpus(
        self, hypotheses: Texts, references: References, *, sources: Texts | None = None, threads: int | None = None
    ) -> AnyScore:
        corpus, metric = self._read_and_fit(hypotheses, references, sources, threads)
        return metric._score_of(metric._rows(corpus, checked_threads(threads)), corpus.references.group_size)

    def sentences(
        self, hypotheses: Texts, references: References, *, sources: Texts | None = None, threads: int | None = None
    ) -> NDArray[np.float64]:
        """The score of every segment; without a prior they are weighed by the references of all of them."""
        import numpy as np

        corpus, metric = self._read_and_fit(hypotheses, references, sources, threads)
        rows = metric._rows(corpus, checked_threads(threads))
        return np.asarray(self.formula(tuple(rows.T), sentence=True), dtype=np.float64)

    def sentence(
        self, hypothesis: Text, references: Text | Sequence[Text | None], *, source: Text | None = None
    ) -> AnyScore:
        """The score of one segment; without a prior it is weighed by its own references."""
        if self.can_stream:
            return super().sentence(hypothesis, references, source=source)
        corpus = self._read_one(hypothesis, references, source)
        return self._fit(corpus.references, 1).sentence(hypothesis, references)

    def update(
        self, hypotheses: Texts, references: References, *, sources: Texts | None = None, threads: int | None = None
    ) -> Self:
        self._require("has none yet that a batch could be added under")
        return super().update(hypotheses, references, sources=sources, threads=threads)

    def merge(self, other: Self) -> Self:
        self._require("has none yet that states could be merged under")
        return super().merge(other)

    def _require(self, problem: str) -> None:
        if not self.can_stream:
            raise FitError(self.name, problem)

    def _read_and_fit(
        self, hypotheses: Texts, references: References, sources: Texts | None, threads: int | None
    ) -> tuple[Corpus, Self]:
        corpus = self._read(hypotheses, references, sources)
        return corpus, self.ready_for(corpus, checked_threads(threads))

    def _fit(self, references: counts.Column, threads: int) -> Self:
        if len(references) < self.fewest_segments:
            few = f"needs at least {self.fewest_segments} segments to weigh by, got {len(references)}"
            raise FitError(self.name, few)
        return self._adopting(self._learn(references, threads))

    def _adopting(self, prior: AnyPrior) -> Self:
        if self._asked not in (None, prior.name):
            raise SignatureError(
                f"the signature names the prior {self._asked}, but these references give {prior.name}: "
                "fit on the references that the score was made with."
            )
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin.__dict__.pop("signature", None)  # cached of the metric without this prior
        twin.options = {**self.options, "prior": prior.name}
        twin._adopt(prior)
        return twin.reset()
