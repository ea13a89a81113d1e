"""Pools: texts compared with each other, or with another corpus as a whole.

A pool is a summary like the others. It keeps its texts as token ids and counts everything when the score is computed,
so pools merge exactly, whatever the order of the shards.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from base64 import b64decode, b64encode
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, Protocol, Self

from bleuprint import __version__, checks
from bleuprint.core import counts
from bleuprint.core.arrays import Floats, Integers, Members, np
from bleuprint.core.columns import Corpus, warn
from bleuprint.core.pool import PartScorer
from bleuprint.core.tokenizers import Tokenizer
from bleuprint.errors import InputError, InputWarning, PoolError
from bleuprint.metrics.base.definition import Definition
from bleuprint.metrics.base.formulas import Value
from bleuprint.metrics.base.rows import RowSource
from bleuprint.metrics.base.score import Measured, Score
from bleuprint.metrics.base.summaries import Summary, changing
from bleuprint.statistics.set_digest import SetDigest

_BLOCK = 1 << 12  # texts whose tokens are in memory at a time while they are digested

_COLLECTIONS = ("texts", "reference_texts")
Counted = Mapping[str, int | float]


class PoolFormula(ABC):
    """Computes the score of a pool of texts: token ids, or what else the summary keeps of them."""

    counts_on_disk = False  # whether the score needs no text in memory, so that the pool may be larger

    def __init__(self, max_order: int = 0) -> None:
        self.max_order = max_order  # of the n-grams it counts; 0 if it counts none

    @property
    def is_quick(self) -> bool:
        """Whether parts of a pool are scored from one count of it, so that a test, with a thousand, takes seconds."""
        return False

    @abstractmethod
    def score(self, definition: Definition, pool: Any, references: Any, threads: int) -> PoolScore:
        """The score of a pool that has enough texts."""

    def part_scorer(self, pool: Any, references: Any, threads: int) -> PartScorer | None:
        """What scores many parts of a pool; None if each has to become a pool of its own."""
        return None


class CountFormula(PoolFormula):
    """A formula that is arithmetic on a few numbers of the pool; run on terms, it shows its own equations.

    It defines `count`, or `count_parts`, or both if one is quicker for a whole pool and the other for many parts.
    """

    def count(self, pool: Any, references: Any, threads: int) -> Counted:
        """What the formula takes, by the symbol that equations have for it."""
        return next(iter(self.count_parts(pool, np.ones((1, len(pool)), dtype=np.uint64), threads)))

    def count_parts(self, pool: Any, members: Members, threads: int) -> Iterable[Counted]:
        """The same of parts of a pool, which are given as to a `PartScorer`."""
        raise NotImplementedError

    def part_scorer(self, pool: Any, references: Any, threads: int) -> PartScorer | None:
        if type(self).count_parts is CountFormula.count_parts:
            return None
        return lambda members: np.array(list(map(self.evaluate, self.count_parts(pool, members, threads))))

    @abstractmethod
    def evaluate(self, counted: Mapping[str, Value]) -> Sequence[Value]:
        """The values of the orders, if there are any; the score is the last value."""

    def score(self, definition: Definition, pool: Any, references: Any, threads: int) -> PoolScore:
        return self.score_counts(definition, self.count(pool, references, threads), len(pool))

    def score_counts(
        self, definition: Definition, counted: Mapping[str, int | float], texts: int, per_text: Floats | None = None
    ) -> PoolScore:
        """The score of what was counted."""
        values = self.evaluate(counted)
        return PoolScore(definition, texts, tuple(values[: self.max_order]), per_text, values[-1])


class PoolScore(Score):
    """A score of a pool of texts."""

    part_names = ("per_order", "texts")
    per_text: Floats | None

    def __init__(
        self,
        definition: Definition,
        texts: int,
        per_order: tuple[float, ...] = (),
        per_text: Floats | None = None,
        value: float | None = None,
    ) -> None:
        super().__init__(definition, (), False, None, per_order[-1] if value is None else value)
        self.texts = texts
        self.per_order = per_order
        self.per_text = per_text

    @property
    def facts(self) -> dict[str, object]:
        """What the signature says about the texts."""
        return {"texts": self.texts}

    @property
    def signature(self) -> str:
        return self.definition.write(self.definition.options, {**self.facts, "bleuprint": __version__})

    @property
    def segment_signature(self) -> str:
        return self.signature

    def __str__(self) -> str:
        orders = ", ".join(f"{order}: {value:.4f}" for order, value in enumerate(self.per_order, start=1))
        by_order = f"by order {orders}; " if orders else ""
        return (
            f"{self.definition.name} = {self.value:.4f} ({by_order}{self.texts} texts){self.note and f'; {self.note}'}"
        )


class ReferencedScore(PoolScore):
    """A score of texts against a set of references, which the signature names."""

    _against: tuple[counts.Pool, int]

    def against(self, references: counts.Pool) -> Self:
        """The score, with the references it was computed with."""
        # Texts are only ever added to a pool, so the first ones stay those of this score.
        self._against = references, len(references)
        return self

    @cached_property
    def reference_set(self) -> str:
        """The number of references and a digest of them, whatever their order.

        It covers the tokens that the metric compares, so texts that it reads alike have the same digest.
        """
        return digest_of(*self._against).name

    @property
    def facts(self) -> dict[str, object]:
        return {**super().facts, "references": self.reference_set}


def digest_of(pool: counts.Pool, texts: int) -> SetDigest:
    """The digest of the first texts of a pool."""
    import json  # not loaded with the metrics, as BLEU alone does without it

    digest = SetDigest()
    for begin in range(0, texts, _BLOCK):
        block = pool.tokens(list(range(begin, min(begin + _BLOCK, texts))))
        digest.add(json.dumps(tokens).encode() for tokens in block)
    return digest


class NoRows(RowSource):
    """The row source of pools: texts are read, and counted together when the score is computed."""

    def __init__(self, tokenizer: Tokenizer, strings_only: str = "") -> None:
        super().__init__((), tokenizer, strings_only)

    def assemble(self, corpus: Corpus, answers: Sequence[Integers]) -> Integers:
        return np.zeros((len(corpus), 0), dtype=np.int64)


class Collection(Protocol):
    """Texts in a form that other texts can be added to."""

    def __len__(self) -> int: ...

    def merge(self, other: Any, /) -> object: ...


class PoolSummary(Summary):
    """What is kept of the texts, and of the corpus they are compared with if there is one."""

    def __init__(self, definition: Definition) -> None:
        super().__init__(definition)
        self.texts: Any = ()  # a collection as soon as there are texts
        self.reference_texts: Any = ()
        self._shared: frozenset[str] = frozenset()  # which of the two another summary reads, so that it must not change

    @abstractmethod
    def empty(self) -> Collection:
        """A collection without texts."""

    @abstractmethod
    def collect(self, texts: counts.Column, name: str, threads: int) -> Collection:
        """A collection of these prepared texts."""

    @classmethod
    def of(cls, definition: Definition, rows: Integers, corpus: Corpus, threads: int = 1) -> Self:
        summary = cls(definition)
        if len(corpus):
            summary.texts = summary.collect(corpus.hypotheses, "texts", threads)
        if definition.kind.needs_references and len(corpus.references):
            summary.reference_texts = summary.collect(corpus.references.flattened(), "references", threads)
        return summary

    @classmethod
    def measure(cls, definition: Definition, rows: Integers, corpus: Corpus, threads: int) -> Measured[Score]:
        summary = cls.of_corpus(definition, corpus, threads)
        score = summary.score_with_warning(threads)
        return Measured(score, np.zeros(0) if score.per_text is None else score.per_text, None, summary)

    def score_beside(self, corpus: Corpus, threads: int) -> PoolScore:
        summary = self.of_corpus(self.definition.ready_for(corpus, threads), corpus, threads)
        if not len(corpus.references):
            with changing:
                self._share("reference_texts")
                summary.reference_texts = self.reference_texts
        return summary.score_with_warning(threads)

    @classmethod
    def corpus_score(cls, definition: Definition, corpus: Corpus, threads: int) -> PoolScore:
        return cls.of_corpus(definition, corpus, threads).score_with_warning(threads)

    def score_with_warning(self, threads: int) -> PoolScore:
        """The score of all texts, with a warning if it has a note; resampling scores them without."""
        score = self.score(threads)
        if score.note:
            warn(InputWarning(f"{score.definition.name}: {score.note}."))
        return score

    def _check_enough(self) -> None:
        kind = self.definition.kind
        if len(self.texts) < kind.fewest_texts:
            raise PoolError(kind.name, kind.fewest_texts, len(self.texts))
        if kind.needs_references and len(self.reference_texts) < kind.fewest_texts:
            raise PoolError(f"{kind.name} with references", kind.fewest_texts, len(self.reference_texts))

    def score(self, threads: int = 1) -> PoolScore:
        """The score of all texts."""
        self._check_enough()
        references = self.reference_texts or self.empty()
        score: PoolScore = self.definition.formula.score(self.definition, self.texts, references, threads)
        return score

    # Texts are added without copying those that are there, unless another summary reads them.

    def merge(self, other: Self) -> None:
        with changing:
            changed = {name: self._merge_texts(name, other) for name in _COLLECTIONS}
            vars(self).update(changed)

    def _merge_texts(self, name: str, other: Self) -> Any:
        own, added = getattr(self, name), getattr(other, name)
        if not len(added):
            return own
        if not len(own):
            self._share(name)
            other._share(name)
            return added
        if name in self._shared:
            own, shared = self.empty(), own
            own.merge(shared)
            self._shared -= {name}
        own.merge(added)
        return own

    def _share(self, *names: str) -> None:
        self._shared |= set(names)

    def copy(self) -> Self:
        with changing:
            self._share(*_COLLECTIONS)
            return super().copy()

    @classmethod
    def segments(cls, definition: Definition, rows: Integers, corpus: Corpus) -> Floats:
        scores = cls.of_corpus(definition, corpus, 1).score().per_text
        if scores is None:
            raise InputError(f"{definition.name} scores all texts together and has no score for each.")
        return scores


class PooledTexts(PoolSummary):
    """Texts and references as token ids."""

    def empty(self, content: bytes = b"") -> counts.Pool:
        limit = self.definition.outside.get("memory")
        memory = None if limit is None else limit - checks.OUTSIDE
        max_order = self.definition.formula.max_order
        return counts.Pool(*self.definition.tokenizer.reading, content, memory=memory, max_order=max_order)

    def collect(self, texts: counts.Column, name: str, threads: int) -> counts.Pool:
        pool = self.empty()
        pool.add(texts, threads)
        return pool

    def values(self, threads: int = 1) -> list[float]:
        """The value of each order, if there are any, and that of the score at the end, without scores of the texts."""
        formula = self.definition.formula
        if not isinstance(formula, CountFormula):
            score = self.score(threads)
            return [*score.per_order, score.value]
        self._check_enough()
        counted = formula.count(self.texts, self.reference_texts or self.empty(), threads)
        return list(map(float, formula.evaluate(counted)))

    def part_scorer(self, threads: int = 1) -> PartScorer:
        """What scores many parts of the texts."""
        formula: PoolFormula = self.definition.formula
        together = formula.part_scorer(self.texts, self.reference_texts or self.empty(), threads)

        def score_each(members: Members) -> Floats:
            return np.array([self.part(kept.tolist()).values(threads) for kept in counts.each_part(members)])

        return together or score_each

    def part(self, kept: Sequence[int]) -> Self:
        """A summary of some of the texts, compared with the same corpus."""
        part = type(self)(self.definition)
        part.texts, part.reference_texts = self.texts.select(list(kept)), self.reference_texts
        return part

    def state(self) -> dict[str, Any]:
        pools = {"texts": self.texts, "references": self.reference_texts}
        return {name: b64encode(pool.content() if pool else b"").decode() for name, pool in pools.items()}

    def _restore(self, state: Mapping[str, Any]) -> None:
        self.texts = self._restore_pool(state, "texts")
        self.reference_texts = self._restore_pool(state, "references")

    def _restore_pool(self, state: Mapping[str, Any], name: str) -> counts.Pool:
        content = self._item(state, name, str)
        try:
            return self.empty(b64decode(content, validate=True))
        except ValueError as error:
            raise self._invalid(f"{name} must hold texts: {error}") from None
