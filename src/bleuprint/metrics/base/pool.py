"""Pool metrics: texts compared with each other, or with another corpus as a whole.

A pool keeps its texts as token ids. Pools merge exactly, whatever the order of the shards, because everything is
counted from the ids when the score is computed.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Self, TypeVar

from bleuprint import __version__
from bleuprint.core import counts
from bleuprint.core.arrays import np
from bleuprint.core.columns import Texts, checked_column
from bleuprint.core.threads import worker_count
from bleuprint.core.tokenizers import Tokenizer
from bleuprint.errors import OptionError, PoolError
from bleuprint.metrics.base.definition import Signed
from bleuprint.metrics.base.metric import Named
from bleuprint.metrics.base.score import score_html
from bleuprint.metrics.base.summaries import changing
from bleuprint.signature import Option
from bleuprint.statistics.set_digest import SetDigest

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = [
    "PoolDefinition",
    "PoolFormula",
    "PoolMetric",
    "PoolScore",
    "PoolSummary",
    "PoolTexts",
    "ReferencedScore",
    "Table",
    "digest_of",
    "occurrences",
]

_BLOCK = 1 << 12  # texts whose tokens are in memory at a time while they are digested

# For one order: how many n-grams occur how often in the texts and in the references.
Table = Counter[tuple[int, int]]


class PoolFormula(ABC):
    """Computes the score of a pool of texts."""

    # What blocks of texts on different machines exchange; None if the metric needs all references in one place.
    exchange: ClassVar[str | None] = counts.SUMS

    def __init__(self, max_order: int) -> None:
        self.max_order = max_order

    @abstractmethod
    def score(
        self, definition: PoolDefinition[Any], pool: counts.Pool, references: counts.Pool, threads: int
    ) -> PoolScore:
        """The score of a pool that has enough texts."""

    def score_tables(
        self, definition: PoolDefinition[Any], tables: Sequence[Table], texts: int, references: int
    ) -> PoolScore:
        """The score from n-grams that were counted elsewhere, order by order."""
        raise NotImplementedError


class PoolScore:
    """A score of a pool of texts."""

    def __init__(
        self,
        definition: PoolDefinition[Any],
        texts: int,
        per_order: tuple[float, ...],
        per_text: NDArray[np.float64] | None = None,
        value: float | None = None,
    ) -> None:
        self.definition = definition
        self.texts = texts
        self.per_order = per_order
        self.per_text = per_text
        self.value = per_order[-1] if value is None else value

    @property
    def metric(self) -> PoolMetric[Any]:
        """A new metric with the same definition."""
        metric: PoolMetric[Any] = self.definition.kind.of(self.definition)
        return metric

    @property
    def percent(self) -> float:
        """The value times 100; a metric with its own scale keeps it."""
        return 100 * self.value if self.definition.kind.has_percent else self.value

    @property
    def parts(self) -> dict[str, Any]:
        """The numbers the value was computed from, by name, ready for JSON."""
        return {"per_order": self.per_order, "texts": self.texts}

    @property
    def facts(self) -> dict[str, object]:
        """What the signature says about the texts."""
        return {"texts": self.texts}

    @property
    def signature(self) -> str:
        """Every option that can change the number; `from_signature` recreates the metric from it."""
        return self.definition.write(self.definition.options, {**self.facts, "bleuprint": __version__})

    def __float__(self) -> float:
        return self.value

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.value!r}>"

    def _repr_html_(self) -> str:
        return score_html(self)

    def __str__(self) -> str:
        orders = ", ".join(f"{order}: {value:.4f}" for order, value in enumerate(self.per_order, start=1))
        by_order = f"by order {orders}; " if orders else ""
        return f"{self.definition.name} = {self.value:.4f} ({by_order}{self.texts} texts)"


class ReferencedScore(PoolScore):
    """A score of texts against a set of references, which the signature names."""

    _references: tuple[counts.Pool, int]

    def against(self, references: counts.Pool) -> Self:
        """The score, with the references it was computed with."""
        # Texts are only ever added to a pool, so the first ones stay those of this score.
        self._references = references, len(references)
        return self

    @cached_property
    def references(self) -> str:
        """The number of references and a digest of them, whatever their order.

        It covers the tokens that the metric compares, so texts that it reads alike have the same digest.
        """
        return digest_of(*self._references).name

    @property
    def facts(self) -> dict[str, object]:
        return {**super().facts, "references": self.references}


def digest_of(pool: counts.Pool, texts: int) -> SetDigest:
    """The digest of the first texts of a pool."""
    import json  # not loaded with the metrics, as BLEU alone does without it

    digest = SetDigest()
    for begin in range(0, texts, _BLOCK):
        block = pool.tokens(list(range(begin, min(begin + _BLOCK, texts))))
        digest.add(json.dumps(tokens).encode() for tokens in block)
    return digest


AnyFormula = TypeVar("AnyFormula")


class PoolSummary(ABC):
    """What is kept of the texts, and of the references if there are any. Several threads may use one."""

    def __init__(self, definition: PoolDefinition[Any]) -> None:
        self._definition = definition
        self.texts, self.references = self._empty(), self._empty()
        self._shared: set[str] = set()  # which of the two another summary reads, so that they must not change

    @abstractmethod
    def _empty(self) -> Any:
        """A collection without texts; `merge` adds another one."""

    @abstractmethod
    def _filled(self, texts: Texts, threads: int, name: str) -> Any:
        """A collection of these texts."""

    @abstractmethod
    def score(self, threads: int) -> Any:
        """The score of all texts."""

    def add(self, texts: Texts, threads: int) -> None:
        """Add texts to the pool being measured."""
        self._take("texts", self._filled(texts, threads, "texts"))

    def add_references(self, references: Texts, threads: int) -> None:
        """Add texts to the corpus to compare with."""
        self._take("references", self._filled(references, threads, "references"))

    def _take(self, name: str, filled: Any) -> None:
        """Add a collection that nothing else uses: the first one is kept as it is, not copied."""
        with changing:
            if len(getattr(self, name)):
                self._change(**{name: filled})
            else:
                setattr(self, name, filled)
                self._shared.discard(name)

    def merge(self, other: Self) -> None:
        """Add the texts and references of another summary."""
        with changing:
            self._change(texts=other.texts, references=other.references)

    def share_references(self, other: Self) -> None:
        """Use the references of another summary."""
        with changing:
            self.references = other.references
            other._shared.add("references")
            self._shared.add("references")

    def copied(self) -> Self:
        """A summary of the same texts, which later changes do not reach; they are only copied by the next change."""
        copy = type(self)(self._definition)
        with changing:
            copy.share_references(self)
            copy.texts = self.texts
            self._shared.add("texts")
            copy._shared.add("texts")
        return copy

    def _change(self, **added: Any) -> None:
        with changing:
            for name, part in added.items():
                if name in self._shared:
                    own = self._empty()
                    own.merge(getattr(self, name))
                    setattr(self, name, own)
                    self._shared.discard(name)
                getattr(self, name).merge(part)


class PoolTexts(PoolSummary):
    """Texts and references as token ids."""

    texts: counts.Pool
    references: counts.Pool

    def _empty(self) -> counts.Pool:
        return counts.Pool(self._definition.tokenizer.scheme, self._definition.tokenizer.native_lowercase)

    def _filled(self, texts: Texts, threads: int, name: str) -> counts.Pool:
        pool = self._empty()
        pool.add(self._definition.tokenizer.prepare_column(checked_column(texts, name), name), threads)
        return pool

    def score(self, threads: int) -> Any:
        kind = self._definition.kind
        if len(self.texts) < kind.fewest_texts:
            raise PoolError(kind.name, kind.fewest_texts, len(self.texts))
        if kind.needs_references and len(self.references) == 0:
            raise PoolError(f"{kind.name} with references", 1, 0)
        return self._definition.formula.score(self._definition, self.texts, self.references, threads)


@dataclass(frozen=True, eq=False)
class PoolDefinition(Signed, Generic[AnyFormula]):
    """Everything that determines the score of a pool, without any of the texts."""

    reader: Tokenizer
    formula: AnyFormula
    summary: type[PoolSummary] = PoolTexts

    @property
    def tokenizer(self) -> Tokenizer:
        return self.reader


AnyPoolScore = TypeVar("AnyPoolScore")


class PoolMetric(Named, Generic[AnyPoolScore]):
    """A metric of a pool of texts: scores a pool at once, or texts added in batches."""

    needs_references: ClassVar[bool] = False
    fewest_texts: ClassVar[int] = 1

    definition: PoolDefinition[Any]
    _summary: PoolSummary

    def __init__(self, definition: PoolDefinition[Any]) -> None:
        self.definition = definition
        self.reset()

    @classmethod
    def of(cls, definition: PoolDefinition[Any]) -> Self:
        """A metric with that definition and no data."""
        metric = cls.__new__(cls)
        PoolMetric.__init__(metric, definition)
        return metric

    @property
    def options(self) -> Mapping[str, Option]:
        return self.definition.options

    @property
    def signature(self) -> str:
        return self.definition.signature

    def corpus(self, texts: Texts, references: Texts | None = None, *, threads: int | None = None) -> AnyPoolScore:
        """The score of these texts alone, against these references or the ones added before."""
        workers = worker_count(threads)
        summary = self.definition.summary(self.definition)
        if references is None:
            summary.share_references(self._summary)
        else:
            self._check_references(references)
            summary.add_references(references, workers)
        summary.add(texts, workers)
        score: AnyPoolScore = summary.score(workers)
        return score

    def update(self, texts: Texts, *, threads: int | None = None) -> Self:
        """Add a batch of texts."""
        self._summary.add(texts, worker_count(threads))
        return self

    def add_references(self, references: Texts, *, threads: int | None = None) -> Self:
        """Add texts to the corpus to compare with; they stay until `reset`."""
        self._check_references(references)
        self._summary.add_references(references, worker_count(threads))
        return self

    def _check_references(self, references: object) -> None:
        if not self.needs_references:
            raise OptionError("references", f"left out, because {self.name} only looks at the texts", references)

    def merge(self, other: Self) -> Self:
        """Add the texts of another metric with the same options."""
        self.check_mergeable(other)
        self._summary.merge(other._summary)
        return self

    def compute(self, *, threads: int | None = None) -> AnyPoolScore:
        """The score of all texts since the last reset."""
        score: AnyPoolScore = self._summary.copied().score(worker_count(threads))
        return score

    def reset(self) -> Self:
        """Forget all texts and references."""
        self._summary = self.definition.summary(self.definition)
        return self

    def __copy__(self) -> Self:
        twin = self.of(self.definition)
        twin._summary = self._summary.copied()
        return twin

    def __deepcopy__(self, memo: object) -> Self:
        return self.__copy__()

    def __reduce__(self) -> tuple[Any, ...]:
        return _with_summary, (type(self), self.definition, self._summary.copied())


def _with_summary(kind: type[Any], definition: PoolDefinition[Any], summary: PoolSummary) -> PoolMetric[Any]:
    metric: PoolMetric[Any] = kind.of(definition)
    metric._summary = summary
    return metric


def occurrences(table: Mapping[int, int]) -> int:
    """Total number of n-grams, given how many occur how often."""
    return sum(count * ngrams for count, ngrams in table.items())
