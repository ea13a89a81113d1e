"""What every metric is: rows of statistics and a formula over sums of them.

A metric says how its texts are counted (`_count`: a request to the core) and how a sum of rows becomes a number
(`formula`). From those two come the score of a pair, of a corpus, of every segment, streaming and merging.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NoReturn, Self

from bleuprint import __version__, signature
from bleuprint.core import counts
from bleuprint.core.columns import Corpus, References, Text, Texts, raise_fault
from bleuprint.core.tokenizers import Tokenizer
from bleuprint.core.unicode import has_surrogate
from bleuprint.errors import MergeError, MissingSourcesError, OptionError, UnusedSourcesError
from bleuprint.metrics import cards
from bleuprint.metrics.base.definition import AnyScore, Defined, Measured, Part, Score, Value
from bleuprint.metrics.base.verdict import Item, Verdict, band_of
from bleuprint.statistics.rows import Sample, Statistics

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["AnyScore", "Defined", "Measured", "Metric", "Part", "Score", "Value", "checked_threads"]

_MOST_THREADS = 1024  # far more than helps, far less than a machine word holds


class Metric(Defined, ABC, Generic[AnyScore]):
    """Base of all metrics with additive rows."""

    needs_references: ClassVar[bool] = True
    needs_sources: ClassVar[bool] = False
    has_percent: ClassVar[bool] = True  # whether 1 is all there is to reach, or a whole text of errors
    slow: ClassVar[bool] = False  # rows of a slow metric are worth keeping on disk while they are computed
    default_threshold: ClassVar[float] = 0.5  # of a metric without a card

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

    @property
    def additive(self) -> bool:
        """Whether a corpus score is the formula of the summed rows, and not a mean of the segments' scores."""
        return True

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
        return Sample(statistics.rows, self.formula, self.higher_is_better, self.has_percent)

    def value_of(self, rows: NDArray[np.int64]) -> float:
        """The corpus score of segments counted before: what `corpus` gives for their texts."""
        return float(self._score_of(rows, -1).value)

    def values_without_each(self, rows: NDArray[np.int64]) -> NDArray[np.float64]:
        """For every segment the corpus score of all others."""
        import numpy as np

        if self._uses_last_segment:
            raise OptionError("context", "'corpus' where segments are left out", "last-segment")
        rest = rows.sum(axis=0) - rows
        values = self.formula(tuple(np.ascontiguousarray(column) for column in rest.T))
        return np.broadcast_to(np.asarray(values, dtype=np.float64), len(rows)).copy()

    def corpus(
        self, hypotheses: Texts, references: References, *, sources: Texts | None = None, threads: int | None = None
    ) -> AnyScore:
        """The score of a corpus."""
        corpus = self._read(hypotheses, references, sources)
        size = corpus.references.group_size
        if self._uses_last_segment:
            return self._score_of(self._rows(corpus, checked_threads(threads)), size)
        return self.score_type(self, self._sum(corpus, checked_threads(threads)), False, size)

    @property
    def can_stream(self) -> bool:
        """Whether batches can be added one by one."""
        return True

    def ready_for(self, corpus: Corpus, threads: int) -> Self:
        """The metric as it scores a prepared corpus: itself, unless it learns from the references first."""
        return self

    def requests(self, corpus: Corpus) -> list[counts.Request]:
        """What has to be counted of a prepared corpus; `measured` takes the answers."""
        return [(self._count, corpus.hypotheses, corpus.references, corpus.sources if self.needs_sources else None)]

    def measured(self, corpus: Corpus, answers: Sequence[NDArray[np.int64]]) -> Measured[AnyScore]:
        """The scores of a prepared corpus, from what was counted of it."""
        import numpy as np

        rows = self._joined(answers)
        statistics = Statistics(self.signature, self.columns, rows)
        segments = np.asarray(self.formula(tuple(rows.T), sentence=True), dtype=np.float64)
        return Measured(self._score_of(rows, corpus.references.group_size), segments, statistics)

    def _score_of(self, rows: NDArray[np.int64], size: int) -> AnyScore:
        last = tuple(rows[-1].tolist()) if self._uses_last_segment and len(rows) else ()
        return self.score_type(self, tuple(rows.sum(axis=0).tolist()) + last, False, size)

    def sentence(
        self, hypothesis: Text, references: Text | Sequence[Text | None], *, source: Text | None = None
    ) -> AnyScore:
        """The score of one segment."""
        if self.needs_sources or self._tokenizer.plugin is not None or not isinstance(hypothesis, str):
            corpus = self._read_one(hypothesis, references, source)
            return self._segment_score(self._sum(corpus, 1), corpus.references.group_size)
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

    @property
    def threshold(self) -> float:
        """From where on a single output passes: what was set, or what the metric's card says."""
        card = cards.find(self.label)
        usual = None if card is None else card.default_threshold
        return float(self.__dict__.get("_threshold", self.default_threshold if usual is None else usual))

    @threshold.setter
    def threshold(self, value: float) -> None:
        if isinstance(value, bool) or not isinstance(value, int | float) or value != value:
            raise OptionError("threshold", "a number", value)
        self.__dict__["_threshold"] = float(value)

    def with_threshold(self, value: float) -> Self:
        """The same metric with another threshold and nothing added yet."""
        twin = self._fresh()
        twin.threshold = value
        return twin

    def _fresh(self) -> Self:
        """The same metric with nothing added yet."""
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        return twin.reset()

    def score(self, item: Item) -> Verdict:
        """What this metric says of one item: the score with its threshold and its band.

        >>> from bleuprint.metrics import SentenceBleu
        >>> from bleuprint.dataset import DatasetItem
        >>> item = DatasetItem(actual_output="the cat sat", expected_output="the cat sat down")
        >>> verdict = SentenceBleu().score(item)
        >>> round(verdict.score, 4), verdict.band, verdict.passed
        (0.7165, 'high', True)
        """
        source = item.source if self.needs_sources else None
        score = self.sentence(item.actual_output, item.expected_output, source=source)
        return self._verdict(score.value, score.parts, score.signature, self.label)

    async def execute(self, item: Item) -> Verdict:
        """The same, to be awaited."""
        return self.score(item)

    def verdict_at(self, measured: Measured[AnyScore], place: int, references: int, label: str) -> Verdict:
        """The same of one segment of a corpus that was measured."""
        value = float(measured.segments[place])
        if measured.statistics is None:
            return self._verdict(value, {}, self.signature_of(sentence=True, references=references), label)
        score = measured.score.metric._segment_score(tuple(measured.statistics.rows[place].tolist()), references)
        return self._verdict(value, score.parts, score.signature, label)

    def _verdict(self, value: float, parts: dict[str, Part], signature: str, label: str) -> Verdict:
        card, better = cards.find(self.label), self.higher_is_better
        band = band_of(value, () if card is None else card.bands, higher_is_better=better)
        return Verdict(label, value, self.threshold, better, band, parts, signature)

    def _segment_score(self, row: tuple[int, ...], references: int) -> AnyScore:
        return self.score_type(self, row, True, references)

    def update(
        self, hypotheses: Texts, references: References, *, sources: Texts | None = None, threads: int | None = None
    ) -> Self:
        """Add a batch to the running totals, the only thing kept of it."""
        corpus = self._read(hypotheses, references, sources)
        if len(corpus) == 0:
            return self
        if self._uses_last_segment:
            return self.absorb(corpus, counts.rows_together(self.requests(corpus), checked_threads(threads)))
        # Counted first: an interrupt must not leave half an update.
        return self._take(self._sum(corpus, checked_threads(threads)), (), corpus.references.group_size)

    def absorb(self, corpus: Corpus, answers: Sequence[NDArray[np.int64]]) -> Self:
        """Add a prepared corpus to the running totals, from what was counted of it."""
        rows = self._joined(answers)
        if len(rows) == 0:
            return self
        last = tuple(rows[-1].tolist()) if self._uses_last_segment else ()
        return self._take(rows.sum(axis=0).tolist(), last, corpus.references.group_size)

    def _take(self, total: Sequence[int], last: tuple[int, ...], size: int) -> Self:
        self._total = tuple(map(sum, zip(self._total, total, strict=True)))
        self._last_row = last
        self._sizes.add(size)
        return self

    def merge(self, other: Self) -> Self:
        """Add what another metric of the same options has seen; its batches count as the later ones."""
        if type(other) is not type(self) or other.signature != self.signature:
            raise MergeError(self.signature, other.signature if isinstance(other, Metric) else repr(other))
        self._total = tuple(map(sum, zip(self._total, other._total, strict=True)))
        self._last_row = other._last_row or self._last_row
        self._sizes |= other._sizes
        return self

    def state(self) -> dict[str, Any]:
        """Everything since the last reset as plain numbers and lists, ready for JSON: `add_state` takes it elsewhere.

        >>> from bleuprint import GLEU
        >>> state = GLEU().update(["a b"], ["a c"]).state()
        >>> state["total"], GLEU().add_state(state).compute().value
        ([1, 3, 3, 3], 0.3333333333333333)
        """
        return {"total": list(self._total), "last_row": list(self._last_row), "sizes": sorted(self._sizes)}

    def add_state(self, state: Mapping[str, Any]) -> Self:
        """Add what a metric of the same options has seen in another process; its batches count as the later ones."""
        other = self._fresh()
        other._total = tuple(state["total"])
        other._last_row = tuple(state["last_row"])
        other._sizes = set(state["sizes"])
        return self.merge(other)

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
        self.check_sources(sources)
        corpus = Corpus.of(hypotheses, references, sources)
        self.check_corpus(corpus)
        return self._tokenizer.prepare(corpus)

    def _read_one(self, hypothesis: Text, references: object, source: Text | None) -> Corpus:
        self.check_sources(source)
        corpus = Corpus.of_one(hypothesis, references, source)
        self.check_corpus(corpus, one=True)
        return self._tokenizer.prepare(corpus)

    @property
    def tokenizer(self) -> Tokenizer:
        """How texts are taken apart."""
        return self._tokenizer

    def check_corpus(self, corpus: Corpus, *, one: bool = False) -> None:
        """Refuse what this metric cannot count; `one` is of a single segment."""

    def check_sources(self, sources: object) -> None:
        """Refuse sources that are missing or that would not be read."""
        if self.needs_sources and sources is None:
            raise MissingSourcesError(self.name)
        if not self.needs_sources and sources is not None:
            raise UnusedSourcesError(self.name)

    def _sum(self, corpus: Corpus, threads: int) -> tuple[int, ...]:
        return self._count.total(corpus.hypotheses, corpus.references, corpus.sources, threads)

    def _rows(self, corpus: Corpus, threads: int) -> NDArray[np.int64]:
        return self._joined(counts.rows_together(self.requests(corpus), threads))

    def _joined(self, answers: Sequence[NDArray[np.int64]]) -> NDArray[np.int64]:
        """The rows, of the answers to all requests."""
        return answers[0]


def _raise_pair_fault(fault: counts.Fault, hypothesis: str) -> NoReturn:
    in_hypothesis = has_surrogate(hypothesis)
    name = "hypothesis" if in_hypothesis else "references"
    raise_fault(fault, name, groups=not in_hypothesis, tokenized=False, index=False)


def checked_threads(threads: int | None) -> int:
    """All processors for None."""
    if threads is None:
        return counts.available_threads()
    if not isinstance(threads, int) or isinstance(threads, bool) or threads < 1:
        raise OptionError("threads", "None (all processors) or an integer of at least 1", threads)
    return min(threads, _MOST_THREADS)
