"""What every metric is: rows of statistics and a formula over sums of them.

A metric says how its texts are counted (`_count`: a request to the core) and how a sum of rows becomes a number
(`formula`). From those two come the score of a pair, of a corpus, of every segment, streaming and merging.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NoReturn, Self, TypeVar

from bleuprint import __version__, counts, signature
from bleuprint.corpus import Corpus, References, Text, Texts, raise_fault
from bleuprint.errors import MergeError, MissingSourcesError, OptionError, SignatureError, UnusedSourcesError
from bleuprint.statistics import Sample, Statistics
from bleuprint.tokenizers import Tokenizer

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Metric", "Part", "Score"]

Value = Any
Part = int | float | tuple[int, ...] | tuple[float, ...]
_MOST_THREADS = 1024  # far more than helps, far less than a machine word holds


class Score:
    """A number with its parts and its signature; `float(score)` is its value."""

    __slots__ = ("columns", "metric", "references", "sentence", "value")

    def __init__(
        self,
        metric: Metric[Any],
        columns: tuple[int, ...],
        sentence: bool,
        references: int,
        value: float | None = None,
    ) -> None:
        self.metric = metric
        self.columns = columns
        self.sentence = sentence
        self.references = references
        self.value: float = metric.formula(columns, sentence=sentence) if value is None else value

    @property
    def percent(self) -> float:
        """The value on the scale 0..100."""
        return 100 * self.value

    @property
    def parts(self) -> dict[str, Part]:
        """What the value was made from: plain numbers by name, ready for JSON."""
        return dict(zip(self.metric.columns, self.columns, strict=False))

    @property
    def signature(self) -> str:
        """Every option that can move the number; `from_signature` replays it."""
        return self.metric.signature_of(sentence=self.sentence, references=self.references)

    def __float__(self) -> float:
        return self.value

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.value!r}>"


AnyScore = TypeVar("AnyScore", bound=Score)


class Defined:
    """What has a name, options that can move its number, and so a signature."""

    name: ClassVar[str]
    definition: ClassVar[int] = 1  # raised when the meaning of an option changes
    higher_is_better: ClassVar[bool] = True

    options: dict[str, signature.Option]

    @cached_property
    def signature(self) -> str:
        """Every option that can move the number."""
        return signature.write(self.name, self.definition, self.options, {})

    @classmethod
    def from_signature(cls, text: str, **replaced: Any) -> Self:
        """The metric that wrote this signature; keyword arguments replace options."""
        parsed = signature.parse(text)
        if parsed.metric != cls.name or parsed.version != cls.definition:
            raise SignatureError(f"{cls.__name__} replays signatures of {cls.name}.{cls.definition}, got {text!r}.")
        options = {**parsed.options, **replaced}
        tokenizer = options.get("tokenizer")
        if isinstance(tokenizer, str) and tokenizer.startswith("custom("):
            raise SignatureError(f"tokenizer {tokenizer} is a function of the author's: pass it as tokenizer=….")
        try:
            return cls(**options)
        except TypeError as error:
            raise SignatureError(f"{text!r} has options that {cls.__name__} does not know: {error}.") from None


class Metric(Defined, ABC, Generic[AnyScore]):
    """Base of all metrics with additive rows."""

    needs_references: ClassVar[bool] = True
    needs_sources: ClassVar[bool] = False

    score_type: type[AnyScore]
    _tokenizer: Tokenizer
    _count: counts.Counts
    _uses_last_segment: bool = False
    _total: tuple[int, ...]
    _last_row: tuple[int, ...]
    _sizes: set[int]

    def __init__(self) -> None:
        self.reset()

    @abstractmethod
    def formula(self, columns: Sequence[Value], *, sentence: bool = False) -> Value:
        """The score of summed rows; each column is a number or an array."""

    def resolved_options(self, *, sentence: bool) -> dict[str, signature.Option]:
        """The options as they apply to sentence or corpus scores."""
        return self.options

    def signature_of(self, *, sentence: bool, references: int) -> str:
        """The signature of a score: of a sentence or a corpus, with so many references each (-1: it varies)."""
        facts = {"references": references if references >= 0 else "varying", "bleuprint": __version__}
        return signature.write(self.name, self.definition, self.resolved_options(sentence=sentence), facts)

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the statistics, in the order `formula` takes them."""
        return self._count.names

    def statistics(
        self, hypotheses: Texts, references: References, *, sources: Texts | None = None, threads: int | None = None
    ) -> Statistics:
        """The rows: one per segment, columns as in `columns`."""
        corpus = self._read(hypotheses, references, sources)
        return Statistics(self.signature, self.columns, self._rows(corpus, checked_threads(threads)))

    def sample(
        self, hypotheses: Texts, references: References, *, sources: Texts | None = None, threads: int | None = None
    ) -> Sample:
        """The segments as resampling, permutation and influence take them."""
        return self.sample_of(self.statistics(hypotheses, references, sources=sources, threads=threads))

    def sample_of(self, statistics: Statistics) -> Sample:
        """The same, of rows counted before."""
        if self._uses_last_segment:
            raise OptionError("context", "'corpus' where segments are drawn at random", "last-segment")
        return Sample(statistics.rows, self.formula, self.higher_is_better)

    def corpus(
        self, hypotheses: Texts, references: References, *, sources: Texts | None = None, threads: int | None = None
    ) -> AnyScore:
        """The score of a corpus."""
        corpus = self._read(hypotheses, references, sources)
        columns = self._sum(corpus, checked_threads(threads)) + self._last(corpus)
        return self.score_type(self, columns, False, self._references_each(corpus))

    def sentence(
        self, hypothesis: Text, references: Text | Sequence[Text | None], *, source: Text | None = None
    ) -> AnyScore:
        """The score of one segment."""
        if self.needs_sources or self._tokenizer.plugin is not None or not isinstance(hypothesis, str):
            corpus = self._read_one(hypothesis, references, source)
            return self.score_type(self, self._sum(corpus, 1), True, self._references_each(corpus))
        if source is not None:
            raise UnusedSourcesError(self.name)
        try:
            columns = self._count.pair(hypothesis, references)
        except counts.Fault as fault:
            _raise_pair_fault(fault, hypothesis)
        size = 1 if isinstance(references, str) else len(references) - references.count(None)
        return self.score_type(self, columns, True, size)

    def sentences(
        self, hypotheses: Texts, references: References, *, sources: Texts | None = None, threads: int | None = None
    ) -> NDArray[np.float64]:
        """The score of every segment, as an array."""
        import numpy as np

        rows = self._rows(self._read(hypotheses, references, sources), checked_threads(threads))
        return np.asarray(self.formula(tuple(rows.T), sentence=True), dtype=np.float64)

    def update(
        self, hypotheses: Texts, references: References, *, sources: Texts | None = None, threads: int | None = None
    ) -> Self:
        """Add a batch to the running totals, the only thing kept of it."""
        corpus = self._read(hypotheses, references, sources)
        if len(corpus) == 0:
            return self
        total = self._sum(corpus, checked_threads(threads))
        last = self._last(corpus)  # counted first: an interrupt must not leave half an update
        self._total = tuple(map(sum, zip(self._total, total, strict=True)))
        self._last_row = last
        self._sizes.add(self._references_each(corpus))
        return self

    def merge(self, other: Self) -> Self:
        """Add what another metric of the same options has seen; its batches count as the later ones."""
        if type(other) is not type(self) or other.signature != self.signature:
            raise MergeError(self.signature, other.signature if isinstance(other, Metric) else repr(other))
        self._total = tuple(map(sum, zip(self._total, other._total, strict=True)))
        self._last_row = other._last_row or self._last_row
        self._sizes |= other._sizes
        return self

    def compute(self) -> AnyScore:
        """The score of everything since the last reset."""
        size = self._sizes.copy().pop() if len(self._sizes) == 1 else -1
        return self.score_type(self, self._total + self._last_row, False, size)

    def reset(self) -> Self:
        """Forget everything that was added."""
        self._total = (0,) * len(self.columns)
        self._last_row = ()
        self._sizes = set()
        return self

    def _read(self, hypotheses: Texts, references: References, sources: Texts | None) -> Corpus:
        self._check_sources(sources)
        return self._tokenizer.prepare(Corpus.of(hypotheses, references, sources))

    def _read_one(self, hypothesis: Text, references: object, source: Text | None) -> Corpus:
        self._check_sources(source)
        if not isinstance(hypothesis, str | list | tuple):
            got = "None" if hypothesis is None else type(hypothesis).__name__
            _raise_pair_fault(counts.Fault("type", 0, -1, -1, got), hypothesis)
        return self._tokenizer.prepare(Corpus.of_one(hypothesis, references, source))

    def _references_each(self, corpus: Corpus) -> int:
        """How many references the score names in its signature."""
        return corpus.references.group_size

    def _check_sources(self, sources: object) -> None:
        if self.needs_sources and sources is None:
            raise MissingSourcesError(self.name)
        if not self.needs_sources and sources is not None:
            raise UnusedSourcesError(self.name)

    def _sum(self, corpus: Corpus, threads: int) -> tuple[int, ...]:
        return self._count.total(corpus.hypotheses, corpus.references, corpus.sources, threads)

    def _rows(self, corpus: Corpus, threads: int) -> NDArray[np.int64]:
        return self._count.rows(corpus.hypotheses, corpus.references, corpus.sources, threads)

    def _last(self, corpus: Corpus) -> tuple[int, ...]:
        if not self._uses_last_segment or len(corpus) == 0:
            return ()
        return tuple(self._rows(corpus, counts.available_threads())[-1].tolist())


def _raise_pair_fault(fault: counts.Fault, hypothesis: object) -> NoReturn:
    in_hypothesis = not isinstance(hypothesis, str) or any(
        "\ud800" <= character <= "\udfff" for character in hypothesis
    )
    name = "hypothesis" if in_hypothesis else "references"
    raise_fault(fault, name, groups=not in_hypothesis, tokenized=False, index=False)


def checked_threads(threads: int | None) -> int:
    """All processors for None."""
    if threads is None:
        return counts.available_threads()
    if not isinstance(threads, int) or isinstance(threads, bool) or threads < 1:
        raise OptionError("threads", "None (all processors) or an integer of at least 1", threads)
    return min(threads, _MOST_THREADS)
