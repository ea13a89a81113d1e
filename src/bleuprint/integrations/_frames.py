"""Shared code of the data frame namespaces: pass columns to the core, return scores as tables."""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple, NoReturn

from bleuprint.core import counts
from bleuprint.core.arrays import Places
from bleuprint.core.columns import Corpus, raise_fault
from bleuprint.errors import NotTextError, OptionError
from bleuprint.metrics import registry
from bleuprint.metrics.base.metric import Metric, Unit
from bleuprint.metrics.base.score import Score
from bleuprint.metrics.functions import ONE, THREE
from bleuprint.runners.evaluation import Metrics, measure, resolve

# A library registers its namespaces while it runs, so no type checker sees what they take and return.
Label = Any  # of a column
Series = Any
Table = Any


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


class Groups(NamedTuple):
    """The rows of a frame sorted by group, and where each group ends."""

    names: Any  # as the library represents them; None: all rows are one group without a name
    order: Places | None  # None: in their own order
    ends: Sequence[int]


class FrameNamespace(MetricMethods, ABC):
    """One method per metric, and tables of several metrics."""

    _read: ClassVar[Callable[..., counts.Column]]  # texts of a series, its name in errors, the order of rows, `groups`

    def __init__(self, frame: Any) -> None:
        self._frame = frame

    @abstractmethod
    def _group_rows(self, by: list[Label], *, several: bool) -> Groups:
        """The groups of rows with equal values in these columns; `several` if the user gave a list of columns."""

    @abstractmethod
    def _table(self, columns: Mapping[str, Any], names: Any = None, whole: Label | None = None) -> Table:
        """A table with one row per row of the frame, per name of a group, or a single row for the whole column."""

    def score(
        self,
        hypotheses: Label,
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
        whole = self._corpus(resolved.values(), hypotheses, references, sources, groups.order)
        corpora = {
            str(begin): whole if by is None else _part(whole, begin, end)
            for begin, end in zip([0, *groups.ends], groups.ends, strict=False)
        }
        measured = measure(resolved, corpora, store=None, threads=threads)[0].values()
        columns: dict[str, list[object]] = {label: [row[label].score.value for row in measured] for label in resolved}
        for label in resolved if signatures else ():
            columns[f"{label} signature"] = [row[label].score.signature for row in measured]
        return self._table(columns, groups.names, hypotheses)

    def sentence_scores(
        self,
        hypotheses: Label,
        references: Label | list[Label] | None = None,
        *,
        metrics: Metrics = "bleu",
        models: Mapping[str, object] | None = None,
        sources: Label | None = None,
        threads: int | None = None,
    ) -> Table:
        """The score of each row under several metrics."""
        resolved = resolve(metrics, models, unit="segment")
        corpus = self._corpus(resolved.values(), hypotheses, references, sources)
        (measured,) = measure(resolved, {"": corpus}, store=None, threads=threads)[0].values()
        return self._table({label: measured[label].segments for label in resolved})

    def _scores(
        self,
        kind: type[Metric[Score]],
        each: bool,
        hypotheses: Label,
        references: Label | list[Label] | None = None,
        *,
        sources: Label | None = None,
        threads: int | None = None,
        **options: object,
    ) -> Score | Series:
        """The score of all rows as one corpus."""
        metric = registry.resolve(kind.name, options)
        corpus = self._corpus([metric], hypotheses, references, sources)
        texts = corpus.hypotheses, corpus.references
        if each:
            scores = metric.sentences(*texts, sources=corpus.sources, threads=threads)
            return self._table({metric.name: scores})[metric.name]
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

    def _groups(self, by: Label | list[Label] | None) -> Groups:
        if by is None:
            return Groups(None, None, [len(self._frame)])
        labels = by if isinstance(by, list) else [by]
        for label in labels:
            self._check(label, "by")
        return self._group_rows(labels, several=isinstance(by, list))

    def _corpus(
        self,
        metrics: Iterable[Metric[Score]],
        hypotheses: Label,
        references: Label | list[Label] | None,
        sources: Label | None,
        order: Places | None = None,
    ) -> Corpus:
        for metric in metrics:
            metric.definition.check_references(references)
        texts = self._column(hypotheses, "hypotheses", order)
        if isinstance(references, list):
            if not references:
                raise OptionError("references", "a column or a list of columns", references)
            side = [self._column(label, "references", order) for label in references]
            compared = counts.columns_side_by_side(side)
        else:
            compared = texts if references is None else self._column(references, "references", order, groups=True)
        source_column = None if sources is None else self._column(sources, "sources", order)
        return Corpus(texts, compared, source_column)

    def _column(self, label: Label, role: str, order: Places | None = None, *, groups: bool = False) -> counts.Column:
        self._check(label, role)
        return self._read(self._frame[label], f"column {label!r}", order, groups=groups)

    def _check(self, label: object, role: str) -> None:
        labels = list(self._frame.columns)
        if isinstance(label, list) or labels.count(label) != 1:
            label_list = ", ".join(map(repr, labels[:30])) + (", …" if len(labels) > 30 else "")
            raise OptionError(role, f"one column of the frame ({label_list})", label)


class SeriesMethods(MetricMethods):
    """One method per pool metric."""

    _read: ClassVar[Callable[..., counts.Column]]  # as that of a frame

    def __init__(self, series: Series) -> None:
        self._series = series

    def _pool(
        self,
        kind: type[Metric[Score]],
        references: Series | None = None,
        *,
        threads: int | None = None,
        **options: object,
    ) -> Score:
        """The pool score of all texts."""
        metric, name = registry.resolve(kind.name, options), self._series.name
        texts = self._read(self._series, "the column" if name in (None, "") else f"column {name!r}")
        compared = None if references is None else self._read(type(self._series)(references), "references")
        return metric.corpus(texts, compared, threads=threads)


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
