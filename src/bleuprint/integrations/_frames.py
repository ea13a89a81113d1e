"""Shared code of the data frame namespaces: pass columns to the core, return scores as tables."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, NoReturn, Protocol, TypeVar

from bleuprint.core import counts
from bleuprint.core.arrays import np
from bleuprint.core.columns import Corpus, raise_fault
from bleuprint.errors import NotTextError, OptionError
from bleuprint.integrations._method_names import PoolMethods, ScoreMethods
from bleuprint.integrations._metric_methods import (
    POOLED,
    SCORED,
    add_methods,
    check_references,
    made,
)
from bleuprint.metrics.base.metric import Metric
from bleuprint.metrics.base.pool import PoolScore
from bleuprint.metrics.base.score import Score
from bleuprint.runners.evaluation import Metrics, measure, resolve

if TYPE_CHECKING:
    from numpy.typing import NDArray

Label = TypeVar("Label")  # label of a column
AnyLabel = TypeVar("AnyLabel", contravariant=True)
Column = TypeVar("Column")  # a series of the data frame library
Table = TypeVar("Table")  # a frame of the data frame library
Answer = TypeVar("Answer", covariant=True)


class ScoreMethod(Protocol[AnyLabel, Answer]):
    """Signature of a metric's method on a frame."""

    def __call__(
        self,
        hypothesis: AnyLabel,
        references: AnyLabel | Sequence[AnyLabel] | None = None,
        *,
        sources: AnyLabel | None = None,
        threads: int | None = None,
        **options: Any,
    ) -> Answer: ...


class PoolMethod(Protocol[AnyLabel]):
    """Signature of a pool metric's method on a frame."""

    def __call__(
        self, texts: AnyLabel, references: AnyLabel | None = None, *, threads: int | None = None, **options: Any
    ) -> PoolScore: ...


@dataclass(frozen=True, slots=True, eq=False)
class Groups:
    """The rows of a frame sorted by group, and where each group ends."""

    order: NDArray[np.intp] | None  # None: in their own order
    ends: Sequence[int]


class FrameNamespace(
    ScoreMethods[ScoreMethod[Label, Score], ScoreMethod[Label, Column]],
    PoolMethods[PoolMethod[Label]],
    ABC,
    Generic[Label, Column, Table],
):
    """One method per metric, and tables of several metrics."""

    @abstractmethod
    def _labels(self) -> Sequence[Label]:
        """Labels of all columns."""

    @abstractmethod
    def _texts(self, label: Label, order: NDArray[np.intp] | None, *, groups: bool) -> counts.Column:
        """A column of the frame, with its rows in the given order."""

    @abstractmethod
    def _rows(self) -> int:
        """Number of rows."""

    @abstractmethod
    def _grouped(self, by: Label | list[Label]) -> tuple[Any, Groups]:
        """The names of the groups, as the library represents them, and their rows."""

    @abstractmethod
    def _row_column(self, name: str, values: NDArray[np.float64]) -> Column:
        """A series with one value per row."""

    @abstractmethod
    def _row_table(self, columns: Mapping[str, NDArray[np.float64]]) -> Table:
        """A table with one row per row of the frame."""

    @abstractmethod
    def _group_table(self, columns: Mapping[str, Sequence[object]], names: Any, whole: Label) -> Table:
        """A table with one row per group, or a single row if there are no names."""

    def score(
        self,
        hypothesis: Label,
        references: Label | list[Label] | None = None,
        *,
        metrics: Metrics = "bleu",
        models: Mapping[str, Any] | None = None,
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
        names, groups = (None, Groups(None, [self._rows()])) if by is None else self._grouped(by)
        whole = self._corpus(hypothesis, references, sources, resolved, groups.order)
        corpora, begin = {}, 0
        for number, end in enumerate(groups.ends):
            corpora[str(number)] = whole if by is None else _part(whole, begin, end)
            begin = end
        measured = measure(resolved, corpora, store=None, threads=threads).values()
        columns: dict[str, list[object]] = {label: [row[label].score.value for row in measured] for label in resolved}
        for label in resolved if signatures else ():
            columns[f"{label} signature"] = [row[label].score.signature for row in measured]
        return self._group_table(columns, names, hypothesis)

    def sentence_scores(
        self,
        hypothesis: Label,
        references: Label | list[Label] | None = None,
        *,
        metrics: Metrics = "bleu",
        models: Mapping[str, Any] | None = None,
        sources: Label | None = None,
        threads: int | None = None,
    ) -> Table:
        """The score of each row under several metrics."""
        resolved = resolve(metrics, models, unit="segment")
        corpus = self._corpus(hypothesis, references, sources, resolved, None)
        (measured,) = measure(resolved, {"": corpus}, store=None, threads=threads).values()
        return self._row_table({label: measured[label].segments for label in resolved})

    def _whole(
        self,
        kind: type[Metric[Score]],
        hypothesis: Label,
        references: Label | list[Label] | None = None,
        *,
        sources: Label | None = None,
        threads: int | None = None,
        **options: Any,
    ) -> Score:
        """The score of all rows as one corpus."""
        metric, corpus = self._prepared(kind, hypothesis, references, sources, options)
        score: Score = metric.corpus(corpus.hypotheses, corpus.references, sources=corpus.sources, threads=threads)
        return score

    def _each(
        self,
        kind: type[Metric[Score]],
        hypothesis: Label,
        references: Label | list[Label] | None = None,
        *,
        sources: Label | None = None,
        threads: int | None = None,
        **options: Any,
    ) -> Column:
        """The score of each row."""
        metric, corpus = self._prepared(kind, hypothesis, references, sources, options)
        values = metric.sentences(corpus.hypotheses, corpus.references, sources=corpus.sources, threads=threads)
        return self._row_column(metric.name, values)

    def _pool(
        self,
        kind: type[Metric[PoolScore]],
        texts: Label,
        references: Label | None = None,
        *,
        threads: int | None = None,
        **options: Any,
    ) -> PoolScore:
        """The pool score of all rows."""
        compared = None if references is None else self._column(references, "references", None, groups=False)
        pool = self._column(texts, "texts", None, groups=False)
        return kind(**options).corpus(pool, compared, threads=threads)

    def _prepared(
        self,
        kind: type[Metric[Score]],
        hypothesis: Label,
        references: Label | list[Label] | None,
        sources: Label | None,
        options: Mapping[str, Any],
    ) -> tuple[Metric[Score], Corpus]:
        metric = made(kind, references, sources, options)
        return metric, self._corpus(hypothesis, references, sources, {kind.name: metric}, None)

    def _corpus(
        self,
        hypothesis: Label,
        references: Label | list[Label] | None,
        sources: Label | None,
        metrics: Mapping[str, Metric[Score]],
        order: NDArray[np.intp] | None,
    ) -> Corpus:
        check_references(references, metrics)
        texts = self._column(hypothesis, "hypothesis", order, groups=False)
        if isinstance(references, list):
            if not references:
                raise OptionError("references", "a column or a list of columns", references)
            side = [self._column(label, "references", order, groups=False) for label in references]
            compared = counts.columns_side_by_side(side)
        else:
            compared = texts if references is None else self._column(references, "references", order, groups=True)
        source_column = None if sources is None else self._column(sources, "sources", order, groups=False)
        return Corpus(texts, compared, source_column)

    def _column(self, label: Label, role: str, order: NDArray[np.intp] | None, *, groups: bool) -> counts.Column:
        self._check(label, role)
        return self._texts(label, order, groups=groups)

    def _check(self, label: object, role: str) -> None:
        labels = self._labels()
        if isinstance(label, list) or labels.count(label) != 1:
            label_list = ", ".join(map(repr, labels[:30])) + (", …" if len(labels) > 30 else "")
            raise OptionError(role, f"one column of the frame ({label_list})", label)


def add_frame_methods(namespace: type[FrameNamespace[Any, Any, Any]]) -> None:
    """Add the methods of all metrics to a namespace."""
    add_methods(namespace, SCORED, FrameNamespace._whole)
    add_methods(namespace, SCORED, FrameNamespace._each, prefix="sentence_")
    add_methods(namespace, POOLED, FrameNamespace._pool)


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
