"""Row sources: rows counted by the core, by a model, or in plain Python."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from itertools import chain, islice
from operator import index
from typing import TYPE_CHECKING, Any

from bleuprint.core import counts, tokenizers
from bleuprint.core.arrays import Integers, np
from bleuprint.core.columns import Corpus
from bleuprint.core.tokenizers import Tokenizer
from bleuprint.errors import FitError, NotTextError, OptionError

if TYPE_CHECKING:
    from bleuprint.metrics.base.definition import Definition

WHOLE_TEXTS = tokenizers.resolve("none")  # for sources that read texts unchanged
CHARACTERS_COUNT = "characters are compared, so pass the text before tokenization"
NORMALIZER_SPLITS = "the normalizer reads whole texts, so pass the text before tokenization"
MODEL_SPLITS = "the model has its own tokenizer, so pass whole texts"
_BLOCK = 256  # segments that a model reads at a time
_LARGEST = 2**63  # rows are int64, and sums of float64 below it cannot overflow


View = Callable[[Corpus], Corpus]  # as a source sees a corpus


class RowSource(ABC):
    """Counts a corpus into rows of integers, one per segment."""

    def __init__(self, columns: tuple[str, ...], tokenizer: Tokenizer, strings_only: str = "") -> None:
        self.columns = columns  # names of the numbers in a row
        self.tokenizer = tokenizer
        self.strings_only = strings_only  # why token lists are rejected; empty if they are accepted

    def check(self, corpus: Corpus, *, one: bool = False) -> None:
        """Raise an error if a corpus cannot be counted; `one` is for a single segment."""
        if self.strings_only and corpus.hypotheses.tokenized:
            name, allowed = ("hypothesis", "a str") if one else ("hypotheses", "a list of str")
            raise NotTextError(name, allowed, "tokens", self.strings_only)

    def requests(self, corpus: Corpus) -> list[counts.Request]:
        """What the core has to count; its answers go to `assemble`."""
        return []

    @abstractmethod
    def assemble(self, corpus: Corpus, answers: Sequence[Integers]) -> Integers:
        """The rows, from the answers to all requests."""

    def count(self, corpus: Corpus, threads: int) -> Integers:
        """The rows of a prepared corpus."""
        return self.assemble(corpus, counts.rows_together(self.requests(corpus), threads))

    def total(self, corpus: Corpus, threads: int) -> tuple[int, ...]:
        """The sum of the rows."""
        return tuple(self.count(corpus, threads).sum(axis=0).tolist())

    def fault(self, total: Sequence[int]) -> str | None:
        """Why no texts have rows with this sum, if that is known."""
        return None

    def wider(self, *, several_references: bool) -> RowSource:
        """A source whose columns include these and those of other sources that count the same texts."""
        return self

    def counts_alike(self, definition: Definition) -> object:
        """A key that is equal for sources with equal rows; the signature, if the core does not count them."""
        return definition.signature


class RequestedRows(RowSource):
    """Rows that the core counts as the answer to one request."""

    def __init__(self, request: counts.Counts, tokenizer: Tokenizer, strings_only: str = "") -> None:
        super().__init__(request.names, tokenizer, strings_only)
        self.request = request

    def assemble(self, corpus: Corpus, answers: Sequence[Integers]) -> Integers:
        return answers[0]

    def fault(self, total: Sequence[int]) -> str | None:
        return self.request.fault(total)


class CoreRows(RequestedRows):
    """Rows of texts that the core reads as they are."""

    def __init__(
        self, request: counts.Counts, tokenizer: Tokenizer, *, reads_sources: bool = False, strings_only: str = ""
    ) -> None:
        super().__init__(request, tokenizer, strings_only)
        self.reads_sources = reads_sources

    def requests(self, corpus: Corpus) -> list[counts.Request]:
        return [(self.request, corpus.hypotheses, corpus.references, corpus.sources if self.reads_sources else None)]

    def total(self, corpus: Corpus, threads: int) -> tuple[int, ...]:
        ((request, hypotheses, references, sources),) = self.requests(corpus)
        return request.total(hypotheses, references, sources, threads)

    def wider(self, *, several_references: bool) -> RowSource:
        request = self.request.wider(several_references=several_references)
        return CoreRows(request, self.tokenizer, reads_sources=self.reads_sources, strings_only=self.strings_only)

    def counts_alike(self, definition: Definition) -> object:
        return self.request


class SideBySide(RowSource):
    """Rows that the core counts, side by side; each source has a label, and sees a corpus in its own way."""

    def __init__(self, parts: Mapping[str, tuple[RowSource, View]], tokenizer: Tokenizer, strings_only: str) -> None:
        names = tuple(f"{label}_{name}" for label, (source, _) in parts.items() for name in source.columns)
        super().__init__(names, tokenizer, strings_only)
        self._parts = tuple(parts.values())

    def requests(self, corpus: Corpus) -> list[counts.Request]:
        return [request for source, view in self._parts for request in source.requests(view(corpus))]

    def assemble(self, corpus: Corpus, answers: Sequence[Integers]) -> Integers:
        return np.hstack(answers)

    def total(self, corpus: Corpus, threads: int) -> tuple[int, ...]:
        return tuple(chain.from_iterable(source.total(view(corpus), threads) for source, view in self._parts))

    def fault(self, total: Sequence[int]) -> str | None:
        rest = iter(total)
        faults = (source.fault(list(islice(rest, len(source.columns)))) for source, _ in self._parts)
        return next(filter(None, faults), None)


class RowPerReference(RequestedRows):
    """One row per reference of each segment, in segment order, each with the segment's source."""

    def requests(self, corpus: Corpus) -> list[counts.Request]:
        assert corpus.sources is not None
        texts = corpus.references
        hypotheses, sources = corpus.hypotheses.repeated(texts), corpus.sources.repeated(texts)
        return [(self.request, hypotheses, texts.flattened(), sources)]


class ModelRows(RowSource):
    """Rows that a model computes slowly, many segments at a time; runners save them to disk as they arrive."""

    def __init__(
        self,
        columns: tuple[str, ...],
        compute: Callable[[Sequence[str], Sequence[Sequence[str]]], Integers],
        find_fault: Callable[[Sequence[int]], str | None] = lambda total: None,
    ) -> None:
        super().__init__(columns, WHOLE_TEXTS, MODEL_SPLITS)
        self._compute, self._find_fault = compute, find_fault

    def fault(self, total: Sequence[int]) -> str | None:
        return self._find_fault(total)

    def assemble(self, corpus: Corpus, answers: Sequence[Integers]) -> Integers:
        if answers:
            return answers[0]
        hypotheses = [str(group[0]) for group in corpus.hypotheses.unpack()]
        references = [[str(text) for text in group] for group in corpus.references.unpack()]
        rows = np.zeros((len(hypotheses), len(self.columns)), dtype=np.int64)
        for begin in range(0, len(hypotheses), _BLOCK):
            part = slice(begin, begin + _BLOCK)
            rows[part] = self._compute(hypotheses[part], references[part])
        return rows


class PythonRows(RowSource):
    """Rows computed by a Python function, one segment at a time."""

    def __init__(
        self, metric: str, columns: tuple[str, ...], row: Callable[[str, list[str], str | None], Sequence[float]]
    ) -> None:
        super().__init__(columns, WHOLE_TEXTS, "this metric reads whole texts")
        self._metric = metric
        self._row = row

    def assemble(self, corpus: Corpus, answers: Sequence[Integers]) -> Integers:
        if answers:
            return answers[0]
        rows: list[list[int | float]] = []
        sources = None if corpus.sources is None else corpus.sources.unpack()
        segments = zip(corpus.hypotheses.unpack(), corpus.references.unpack(), strict=True)
        for place, (hypothesis, references) in enumerate(segments):
            source = None if sources is None else str(sources[place][0])
            rows.append(self._check_row(self._row(str(hypothesis[0]), list(map(str, references)), source), place))
        kind: Any = np.float64 if any(isinstance(value, float) for row in rows for value in row) else np.int64
        return np.asarray(rows, dtype=kind).reshape(len(rows), len(self.columns))

    def _check_row(self, row: Sequence[float], place: int) -> list[int | float]:
        numbers = [number for number in map(_number, row) if number is not None]
        if not len(row) == len(numbers) == len(self.columns):
            name = f"the row of {self._metric} for segment {place + 1}"
            allowed = f"{len(self.columns)} finite numbers below 2 ** 63 that a double holds exactly"
            raise OptionError(name, allowed, tuple(row))
        return numbers


def _number(value: Any) -> int | float | None:
    """A number as a Python int or float; None if it is no number or cannot be summed."""
    number: int | float
    try:
        number = index(value)
    except TypeError:
        if not hasattr(value, "__float__"):
            return None
        number = float(value)
    # Beside floats, an integer becomes one too, which must not change it.
    return number if abs(number) < _LARGEST and float(number) == number else None


class Unfitted(RowSource):
    """The rows of a metric that must first learn weights from references."""

    def __init__(
        self, metric: str, columns: tuple[str, ...], tokenizer: Tokenizer = WHOLE_TEXTS, strings_only: str = ""
    ) -> None:
        super().__init__(columns, tokenizer, strings_only)
        self._metric = metric

    def assemble(self, corpus: Corpus, answers: Sequence[Integers]) -> Integers:
        raise FitError(self._metric, "has none yet, so rows cannot be counted")
