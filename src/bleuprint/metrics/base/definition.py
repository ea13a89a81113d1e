"""What a metric is: a frozen definition, put together from a row source, a formula and a kind of summary.

A definition holds no state. It can be cached, compared, and sent to a worker, where its signature makes it again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, Protocol, Self, TypeVar

from bleuprint import __version__, signature
from bleuprint.core import counts
from bleuprint.core.columns import Corpus, References, Text, Texts, raise_fault
from bleuprint.core.tokenizers import Tokenizer
from bleuprint.core.unicode import has_surrogate
from bleuprint.errors import (
    FitError,
    MissingSourcesError,
    NotTextError,
    OptionError,
    SignatureError,
    UnusedSourcesError,
)
from bleuprint.metrics.base.rows import CoreRows, RowSource
from bleuprint.metrics.base.score import Measured, Score
from bleuprint.metrics.base.summaries import Sum, Summary

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from bleuprint.metrics.base.metric import Metric

__all__ = ["Definition", "Fitting", "Prior", "Recipe", "Signed", "checked_threads"]

AnyFormula = TypeVar("AnyFormula")
Options = Mapping[str, Any]  # what a signature can write
_MOST_THREADS = 1024  # far more than helps, far less than a machine word holds


class Prior(Protocol):
    """What was learnt from a corpus of references."""

    @property
    def name(self) -> str:
        """How much it was, and a digest of it."""

    def content(self) -> bytes:
        """Bytes from which it can be made again elsewhere."""


@dataclass(frozen=True, slots=True)
class Fitting:
    """How a metric learns weights from references, before it can count anything.

    Under one prior rows add up, so streams, shards and resamples are exact. Without a prior a corpus is weighed by its
    own references, as other libraries do, and nothing can be added to it.
    """

    learn: Callable[[counts.Column | bytes, int], Any]  # references, or the content of a prior, to a prior
    rows: Callable[[Any], RowSource]  # under a prior
    fewest_segments: int = 0
    named: str | None = None  # the prior that a signature asks for


def _no_options(sentence: bool) -> Options:
    return {}


class Recipe(NamedTuple):
    """A definition on its way to another process."""

    kind: type[Any]
    fitted_signature: str
    outside: Mapping[str, Any]
    prior: bytes | None

    def definition(self) -> Any:
        """The definition, made again."""
        definition = self.kind.from_signature(self.fitted_signature, **self.outside).definition
        return definition if self.prior is None else definition.fitted(self.prior, 1)


@dataclass(frozen=True, eq=False)
class Signed:
    """What definitions have in common: options, and the signature that makes them again."""

    kind: type[Any]  # whose options these are: its `from_signature` makes the definition again
    options: Options
    outside: Mapping[str, Any] = field(default_factory=dict, kw_only=True)  # arguments that a signature only names

    def __post_init__(self) -> None:
        object.__setattr__(self, "options", MappingProxyType(dict(self.options)))

    @property
    def tokenizer(self) -> Tokenizer:
        """How texts are taken apart."""
        raise NotImplementedError

    @property
    def name(self) -> str:
        name: str = self.kind.name
        return name

    @cached_property
    def signature(self) -> str:
        """Every option that can change the number."""
        return self.write(self.options, {})

    def write(self, options: Options, facts: Mapping[str, object]) -> str:
        """A signature with these options, and facts about a score behind them."""
        return signature.write(self.name, self.kind.version, dict(options), dict(facts))

    @cached_property
    def _key(self) -> tuple[object, ...]:
        return self.kind, self.signature, self.tokenizer

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Signed) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    def recipe(self) -> Recipe:
        """What makes the definition again elsewhere: what counts in the core does not leave its process."""
        own = {"tokenizer": self.tokenizer.plugin} if self.tokenizer.name.startswith("custom(") else {}
        return Recipe(self.kind, self.signature, {**own, **self.outside}, self.prior_content())

    def __reduce__(self) -> tuple[Any, ...]:
        return Recipe.definition, (self.recipe(),)

    def prior_content(self) -> bytes | None:
        """What was learnt from a corpus, if anything was."""
        return None


@dataclass(frozen=True, eq=False)
class Definition(Signed, Generic[AnyFormula]):
    """Everything that decides a number, and nothing that was added.

    >>> from bleuprint import BLEU
    >>> BLEU(max_order=2).definition == BLEU(max_order=2).definition
    True
    """

    rows: RowSource
    formula: AnyFormula
    score_type: type[Any] = Score
    summary: type[Summary] = Sum
    level_options: Callable[[bool], Options] = _no_options  # that sentences and corpora differ in
    fitting: Fitting | None = None
    prior: Prior | None = None

    @property
    def tokenizer(self) -> Tokenizer:
        return self.rows.tokenizer

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the statistics, in the order the formula takes them."""
        return self.rows.columns

    def resolved_options(self, *, sentence: bool) -> dict[str, Any]:
        """The options as they apply to sentence or corpus scores."""
        return {**self.options, **self.level_options(sentence)}

    def signature_of(self, *, sentence: bool, references: int | None) -> str:
        """The signature of a score, with so many references per segment; None where that varies."""
        if not self.kind.needs_references:
            references = 0
        facts = {"references": "varying" if references is None else references, "bleuprint": __version__}
        return self.write(self.resolved_options(sentence=sentence), facts)

    def prior_content(self) -> bytes | None:
        return None if self.prior is None else self.prior.content()

    def metric(self) -> Metric[Any]:
        """A new metric of this definition, with nothing added."""
        metric: Metric[Any] = self.kind.of(self)
        return metric

    # Reading

    def read(self, hypotheses: Texts, references: References | None, sources: Texts | None) -> Corpus:
        """Texts as the rows are counted from them: checked, aligned, and tokenized where the core does not do it."""
        self.check_sources(sources)
        if references is None:
            self.check_references(references)
            corpus = Corpus.alone(hypotheses)
        else:
            corpus = Corpus.of(hypotheses, references, sources)
        self.rows.check(corpus)
        return self.rows.tokenizer.prepare(corpus)

    def read_one(self, hypothesis: Text, references: object, source: Text | None) -> Corpus:
        """The same for one segment."""
        self.check_sources(source)
        self.check_references(references, one=True)
        corpus = Corpus.of_one(hypothesis, hypothesis if references is None else references, source)
        self.rows.check(corpus, one=True)
        return self.rows.tokenizer.prepare(corpus)

    def check_sources(self, sources: object) -> None:
        """Refuse sources that are missing or that would not be read."""
        if self.kind.needs_sources and sources is None:
            raise MissingSourcesError(self.name)
        if not self.kind.needs_sources and sources is not None:
            raise UnusedSourcesError(self.name)

    def check_references(self, references: object, *, one: bool = False) -> None:
        """Refuse missing references, unless the metric looks at the outputs alone."""
        if references is None and self.kind.needs_references:
            allowed = "a str or a list of them" if one else "a list with an entry for every hypothesis"
            raise NotTextError("references", allowed, "None", f"{self.name} compares with references")

    # Scoring

    def corpus_score(self, corpus: Corpus, threads: int) -> Any:
        """The score of a prepared corpus."""
        ready = self.ready_for(corpus, threads)
        summary = ready.summary(ready)
        summary.add_corpus(corpus, threads)
        return summary.score()

    def sentence_score(self, hypothesis: Text, references: Any, source: Text | None) -> Any:
        """The score of one segment."""
        pair = self._pair
        if pair is None or source is not None or references is None or not isinstance(hypothesis, str):
            corpus = self.read_one(hypothesis, references, source)
            ready = self.ready_for(corpus, 1)
            return ready.summary.sentence(ready, corpus)
        try:
            columns = pair(hypothesis, references)
        except counts.Fault as fault:
            in_hypothesis = has_surrogate(hypothesis)
            name = "hypothesis" if in_hypothesis else "references"
            raise_fault(fault, name, groups=not in_hypothesis, tokenized=False, index=False)
        size = 1 if isinstance(references, str) else len(references) - references.count(None)
        return self.score_type(self, columns, True, size)

    @cached_property
    def _pair(self) -> Callable[[str, Any], tuple[int, ...]] | None:
        """One crossing into the core for a pair of strings, where the core counts it all."""
        rows = self.rows
        if not isinstance(rows, CoreRows) or rows.reads_sources or rows.tokenizer.plugin is not None:
            return None
        return rows.request.pair if self.kind.needs_references else None

    def segment_scores(self, corpus: Corpus, threads: int) -> NDArray[np.float64]:
        """The score of every segment of a prepared corpus."""
        ready = self.ready_for(corpus, threads)
        return ready.summary.segments(ready, ready.rows.counted(corpus, threads), corpus)

    def segment_score(self, row: tuple[int, ...], references: int) -> Any:
        """The score of a segment whose row is known."""
        return self.score_type(self, row, True, references if references >= 0 else None)

    def measured(self, corpus: Corpus, answers: Sequence[NDArray[np.int64]]) -> Measured[Any]:
        """The scores of a prepared corpus, from what was counted of it."""
        rows = self.rows.joined(corpus, answers)
        summary = self.summary(self)
        summary.add(rows, corpus)
        kind = self.summary
        return Measured(summary.score(), kind.segments(self, rows, corpus), kind.statistics(self, rows, corpus))

    def value_of(self, rows: NDArray[np.int64]) -> float:
        """The corpus score of segments counted before: what `corpus` gives for their texts."""
        summary = self.summary(self)
        summary.add(rows, None)
        return float(summary.score().value)

    # Fitting

    @property
    def can_stream(self) -> bool:
        """Whether batches can be added one by one."""
        return self.fitting is None or self.prior is not None

    def ready_for(self, corpus: Corpus, threads: int) -> Self:
        """The definition as it scores a prepared corpus: itself, unless it learns from the references first."""
        return self if self.can_stream else self.fitted(corpus.references, threads)

    def fitted(self, references: counts.Column | bytes, threads: int) -> Self:
        """The definition under the weights of these references, or of a prior's content."""
        if self.fitting is None:
            raise FitError(self.name, "has nothing to learn under these options")
        if not isinstance(references, bytes) and len(references) < self.fitting.fewest_segments:
            few = f"needs at least {self.fitting.fewest_segments} segments to weigh by, got {len(references)}"
            raise FitError(self.name, few)
        prior = self.fitting.learn(references, threads)
        if self.fitting.named not in (None, prior.name):
            raise SignatureError(
                f"the signature names the prior {self.fitting.named}, but these references give {prior.name}: "
                "fit on the references that the score was made with."
            )
        return replace(self, options={**self.options, "prior": prior.name}, rows=self.fitting.rows(prior), prior=prior)

    def require_prior(self, problem: str) -> None:
        """Refuse to go on before `fit`."""
        if not self.can_stream:
            raise FitError(self.name, problem)


def checked_threads(threads: int | None) -> int:
    """All processors for None."""
    if threads is None:
        return counts.available_threads()
    if not isinstance(threads, int) or isinstance(threads, bool) or threads < 1:
        raise OptionError("threads", "None (all processors) or an integer of at least 1", threads)
    return min(threads, _MOST_THREADS)
