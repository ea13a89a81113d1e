"""Shared code of the data frame namespaces: pass columns to the core, return scores as tables."""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, NoReturn, Protocol, TypeVar

from bleuprint.core import counts
from bleuprint.core.arrays import np
from bleuprint.core.columns import Corpus, raise_fault
from bleuprint.errors import NotTextError, OptionError
from bleuprint.metrics import registry
from bleuprint.metrics.base.metric import Metric, Unit
from bleuprint.metrics.base.score import Score
from bleuprint.metrics.functions import ONE, THREE
from bleuprint.runners.evaluation import Metrics, measure, resolve

if TYPE_CHECKING:
    from numpy.typing import NDArray

Label = TypeVar("Label")  # label of a column
Column = TypeVar("Column")  # a series of the data frame library
Table = TypeVar("Table", bound="Frame")  # a frame of the data frame library
Names = TypeVar("Names")  # the names of groups


class Frame(Protocol):
    """What the frames of all libraries have."""

    @property
    def columns(self) -> Iterable[object]: ...

    def __len__(self) -> int: ...

    def __getitem__(self, key: Any, /) -> Any: ...


def _by_method(unit: Unit) -> dict[str, type[Metric[Score]]]:
    known = ((name.replace("-", "_"), registry.find(name)) for name in sorted((*THREE, *ONE)))
    return {name: kind for name, kind in known if kind.unit == unit}


# The metrics that have functions; all others are scored with `score(metrics=[…])`.
SCORED, POOLED = _by_method("segment"), _by_method("pool")


class MetricMethods:
    """A class with methods for each metric, which call its `_scores` or `_pool` with the metric's class.

    `_scores` is also told whether a score of each row is wanted, as the methods `sentence_…` do.
    """

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "_scores" in vars(cls):
            for name, kind in SCORED.items():
                cls._add_method(name, kind, "_scores", False)
                cls._add_method(f"sentence_{name}", kind, "_scores", True)
        for name, kind in POOLED.items() if "_pool" in vars(cls) else ():
            cls._add_method(name, kind, "_pool")

    @classmethod
    def _add_method(cls, name: str, kind: type[Metric[Score]], work: str, *each: bool) -> None:
        def method(self: object, *args: object, **options: object) -> object:
            return getattr(self, work)(kind, *each, *args, **options)

        signature = inspect.signature(getattr(cls, work))
        parameters = [value for key, value in signature.parameters.items() if key not in ("kind", "each")]
        method.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
        method.__name__, method.__qualname__, method.__module__ = name, f"{cls.__qualname__}.{name}", cls.__module__
        summary = "The score of each row." if any(each) else inspect.getdoc(getattr(cls, work))
        method.__doc__ = f"{summary} The metric is {kind.name}; options are those of `{kind.__name__}`."
        setattr(cls, name, method)


@dataclass(frozen=True, slots=True, eq=False)
class Groups(Generic[Names]):
    """The rows of a frame sorted by group, and where each group ends."""

    names: Names | None  # as the library represents them; None: all rows are one group without a name
    order: NDArray[np.intp] | None  # None: in their own order
    ends: Sequence[int]


class FrameNamespace(MetricMethods, ABC, Generic[Label, Column, Table, Names]):
    """One method per metric, and tables of several metrics."""

    def __init__(self, frame: Table) -> None:
        self._frame = frame

    @abstractmethod
    def _texts(self, label: Label, order: NDArray[np.intp] | None, *, groups: bool) -> counts.Column:
        """A column of the frame, with its rows in the given order."""

    @abstractmethod
    def _group_rows(self, by: list[Label], *, several: bool) -> Groups[Names]:
        """The groups of rows with equal values in these columns; `several` if the user gave a list of columns."""

    @abstractmethod
    def _row_table(self, columns: Mapping[str, NDArray[np.float64]]) -> Table:
        """A table with one row per row of the frame."""

    @abstractmethod
    def _group_table(self, columns: Mapping[str, Sequence[object]], names: Names | None, whole: Label) -> Table:
        """A table with one row per group, or a single row if there are no names."""

    def score(
        self,
        hypothesis: Label,
        references: Label | list[Label] | None = None,
        *,
        metrics: Metrics = "bleu",
        models: Mapping[str, object] | None = None,
        sources: Label | None = None,
        by: Label | list[Label] | None = None,
        signatures: bool = False,
        threads: int | None = None,
    ) -> Table:
        """Corpus scores under several metrics: one row, or one per value of the columns `by`, in order of appearance.

        - `metrics`, `models`: as for `bleuprint.evaluate`
        - `signatures`: add a column with the signature of each score
        """
        resolved = resolve(metrics, models)
        groups = self._groups(by)
        whole = self._corpus(resolved.values(), hypothesis, references, sources, groups.order)
        corpora = {
            str(begin): whole if by is None else _part(whole, begin, end)
            for begin, end in zip([0, *groups.ends], groups.ends, strict=False)
        }
        measured = measure(resolved, corpora, store=None, threads=threads)[0].values()
        columns: dict[str, list[object]] = {label: [row[label].score.value for row in measured] for label in resolved}
        for label in resolved if signatures else ():
            columns[f"{label} signature"] = [row[label].score.signature for row in measured]
        return self._group_table(columns, groups.names, hypothesis)

    def sentence_scores(
        self,
        hypothesis: Label,
        references: Label | list[Label] | None = None,
        *,
        metrics: Metrics = "bleu",
        models: Mapping[str, object] | None = None,
        sources: Label | None = None,
        threads: int | None = None,
    ) -> Table:
        """The score of each row under several metrics."""
        resolved = resolve(metrics, models, unit="segment")
        corpus = self._corpus(resolved.values(), hypothesis, references, sources)
        (measured,) = measure(resolved, {"": corpus}, store=None, threads=threads)[0].values()
        return self._row_table({label: measured[label].segments for label in resolved})

    def _scores(
        self,
        kind: type[Metric[Score]],
        each: bool,
        hypothesis: Label,
        references: Label | list[Label] | None = None,
        *,
        sources: Label | None = None,
        threads: int | None = None,
        **options: object,
    ) -> Score | Column:
        """The score of all rows as one corpus."""
        metric = registry.resolve(kind.name, options)
        corpus = self._corpus([metric], hypothesis, references, sources)
        texts = corpus.hypotheses, corpus.references
        if each:
            scores = metric.sentences(*texts, sources=corpus.sources, threads=threads)
            column: Column = self._row_table({metric.name: scores})[metric.name]
            return column
        return metric.corpus(*texts, sources=corpus.sources, threads=threads)

    def _pool(
        self,
        kind: type[Metric[Score]],
        texts: Label,
        references: Label | None = None,
        *,
        threads: int | None = None,
        **options: object,
    ) -> Score:
        """The pool score of all rows."""
        metric = registry.resolve(kind.name, options)
        compared = None if references is None else self._column(references, "references")
        return metric.corpus(self._column(texts, "texts"), compared, threads=threads)

    def _groups(self, by: Label | list[Label] | None) -> Groups[Names]:
        if by is None:
            return Groups(None, None, [len(self._frame)])
        labels = by if isinstance(by, list) else [by]
        for label in labels:
            self._check(label, "by")
        return self._group_rows(labels, several=isinstance(by, list))

    def _corpus(
        self,
        metrics: Iterable[Metric[Score]],
        hypothesis: Label,
        references: Label | list[Label] | None,
        sources: Label | None,
        order: NDArray[np.intp] | None = None,
    ) -> Corpus:
        for metric in metrics:
            metric.definition.check_references(references)
        texts = self._column(hypothesis, "hypothesis", order)
        if isinstance(references, list):
            if not references:
                raise OptionError("references", "a column or a list of columns", references)
            side = [self._column(label, "references", order) for label in references]
            compared = counts.columns_side_by_side(side)
        else:
            compared = texts if references is None else self._column(references, "references", order, groups=True)
        source_column = None if sources is None else self._column(sources, "sources", order)
        return Corpus(texts, compared, source_column)

    def _column(
        self, label: Label, role: str, order: NDArray[np.intp] | None = None, *, groups: bool = False
    ) -> counts.Column:
        self._check(label, role)
        return self._texts(label, order, groups=groups)

    def _check(self, label: object, role: str) -> None:
        labels = list(self._frame.columns)
        if isinstance(label, list) or labels.count(label) != 1:
            label_list = ", ".join(map(repr, labels[:30])) + (", …" if len(labels) > 30 else "")
            raise OptionError(role, f"one column of the frame ({label_list})", label)


class SeriesMethods(MetricMethods, ABC, Generic[Column]):
    """One method per pool metric."""

    def __init__(self, series: Column) -> None:
        self._series = series

    @abstractmethod
    def _texts(self, series: Column, name: str | None) -> counts.Column:
        """The texts of a series, which errors call by this name, or by its own."""

    def _pool(
        self,
        kind: type[Metric[Score]],
        references: Column | None = None,
        *,
        threads: int | None = None,
        **options: object,
    ) -> Score:
        """The pool score of all texts."""
        metric = registry.resolve(kind.name, options)
        compared = None if references is None else self._texts(references, "references")
        return metric.corpus(self._texts(self._series, None), compared, threads=threads)


def _part(corpus: Corpus, begin: int, end: int) -> Corpus:
    texts = counts.part_of_column(corpus.hypotheses, begin, end)
    alone = corpus.references is corpus.hypotheses
    references = texts if alone else counts.part_of_column(corpus.references, begin, end)
    sources = None if corpus.sources is None else counts.part_of_column(corpus.sources, begin, end)
    return Corpus(texts, references, sources)


def refuse(fault: counts.Fault, column: str, row: str, kind: object, *, groups: bool) -> NoReturn:
    """Raise an error for a fault that the core found in a column; `row` is the place, appended to the name."""
    if fault.args[0] == "arrow":
        kinds = "a column of strings or of lists of strings" if groups else "a column of strings"
        raise NotTextError(column, kinds, str(kind), "select or cast a column of texts") from None
    raise_fault(fault, f"{column}{row}", groups=groups, tokenized=False, index=False)
