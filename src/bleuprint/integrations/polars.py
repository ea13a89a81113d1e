"""Metrics on polars: `import bleuprint.integrations.polars` adds `.bleuprint` to DataFrames, Series and expressions.

>>> import polars as pl
>>> import bleuprint.integrations.polars
>>> df = pl.DataFrame({
...     "system": ["A", "A", "B", "B"],
...     "hyp": ["the cat sat on the mat", "a dog", "a cat is on a mat", "the dog"],
...     "ref": ["the cat sat on a mat", "a dog"] * 2,
... })
>>> df.bleuprint.score("hyp", "ref", metrics=["ter", "wer"], by="system").rows()
[('A', 0.125, 0.125), ('B', 0.375, 0.375)]
>>> scores = df.group_by("system", maintain_order=True).agg(pl.col("hyp").bleuprint.ter("ref"))
>>> scores.columns, scores["ter"].to_list()
(['system', 'ter'], [0.125, 0.375])
>>> df.lazy().select(pl.col("hyp").bleuprint.sentence_ter(pl.col("ref"))).collect()["sentence_ter"].round(2).to_list()
[0.17, 0.0, 0.33, 0.5]
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from bleuprint.core import counts
from bleuprint.core.arrays import np
from bleuprint.errors import BleuprintError, InputError, LengthMismatchError, MissingExtraError, OptionError
from bleuprint.integrations._frames import FrameNamespace, Groups, add_frame_methods, refuse
from bleuprint.integrations._method_names import PoolMethods, ScoreMethods
from bleuprint.integrations._metric_methods import (
    POOLED,
    SCORED,
    add_methods,
    made,
)
from bleuprint.metrics.base.metric import Metric
from bleuprint.metrics.base.pool import PoolScore
from bleuprint.metrics.base.score import Score

__all__ = ["ExpressionNamespace", "PolarsNamespace", "SeriesNamespace"]

try:
    import polars as pl
except ImportError as error:
    raise MissingExtraError("bleuprint.integrations.polars", ("polars",), "polars") from error

if TYPE_CHECKING:
    from numpy.typing import NDArray

_ROW = "__bleuprint_row"
Columns = str | pl.Expr


@pl.api.register_dataframe_namespace("bleuprint")
class PolarsNamespace(FrameNamespace[str, pl.Series, pl.DataFrame]):
    """`df.bleuprint`: one method per metric, and `score` and `sentence_scores` for several metrics.

    >>> df = pl.DataFrame({"hyp": ["a b c d e"], "ref": ["a b c d e"], "src": ["a b c d f"]})
    >>> df.bleuprint.bleu("hyp", "ref").value, df.bleuprint.bleu("hyp", ["ref", "src"]).references
    (1.0, 2)
    >>> df.bleuprint.sentence_ter("src", "ref").to_list()
    [0.2]
    """

    def __init__(self, frame: pl.DataFrame) -> None:
        self._frame = frame

    def _labels(self) -> Sequence[str]:
        return self._frame.columns

    def _texts(self, label: str, order: NDArray[np.intp] | None, *, groups: bool) -> counts.Column:
        return _text_column(self._frame[label], f"column {label!r}", order, groups=groups)

    def _rows(self) -> int:
        return self._frame.height

    def _grouped(self, by: str | list[str]) -> tuple[pl.DataFrame, Groups]:
        labels = by if isinstance(by, list) else [by]
        for label in labels:
            self._check(label, "by")
        rows = self._frame.select(labels).with_row_index(_ROW)
        names = rows.group_by(labels, maintain_order=True).agg(pl.col(_ROW))
        order = names[_ROW].explode().to_numpy().astype("int64")
        return names.drop(_ROW), Groups(order, names[_ROW].list.len().cum_sum().to_list())

    def _row_column(self, name: str, values: NDArray[np.float64]) -> pl.Series:
        return pl.Series(name, values)

    def _row_table(self, columns: Mapping[str, NDArray[np.float64]]) -> pl.DataFrame:
        return pl.DataFrame(dict(columns))

    def _group_table(self, columns: Mapping[str, Sequence[object]], names: Any, whole: str) -> pl.DataFrame:
        kinds = [pl.String if name.endswith(" signature") else pl.Float64 for name in columns]
        series = [pl.Series(name, values, kind) for (name, values), kind in zip(columns.items(), kinds, strict=True)]
        if names is None:
            return pl.DataFrame(series)
        keys: pl.DataFrame = names
        return keys.hstack(series)


class SeriesPoolMethod(Protocol):
    """Signature of a metric's method on a Series."""

    def __call__(
        self, references: pl.Series | None = None, *, threads: int | None = None, **options: Any
    ) -> PoolScore: ...


@pl.api.register_series_namespace("bleuprint")
class SeriesNamespace(PoolMethods[SeriesPoolMethod]):
    """`df["text"].bleuprint`: one method per pool metric.

    >>> pl.Series(["a b a b", "a b"]).bleuprint.distinct(tokenizer="whitespace", max_order=2).value
    0.5
    """

    def __init__(self, series: pl.Series) -> None:
        self._series = series

    def _pool(
        self,
        kind: type[Metric[PoolScore]],
        references: pl.Series | None = None,
        *,
        threads: int | None = None,
        **options: Any,
    ) -> PoolScore:
        """The pool score of all texts."""
        compared = None if references is None else _text_column(pl.Series(references), "references", groups=False)
        texts = _text_column(self._series, _column_name(self._series), groups=False)
        return kind(**options).corpus(texts, compared, threads=threads)


class ExpressionMethod(Protocol):
    """Signature of a metric's method on an expression."""

    def __call__(
        self,
        references: Columns | list[Columns] | None = None,
        *,
        sources: Columns | None = None,
        threads: int | None = None,
        **options: Any,
    ) -> pl.Expr: ...


class ExpressionPoolMethod(Protocol):
    """Signature of a pool metric's method on an expression."""

    def __call__(self, references: Columns | None = None, *, threads: int | None = None, **options: Any) -> pl.Expr: ...


@pl.api.register_expr_namespace("bleuprint")
class ExpressionNamespace(ScoreMethods[ExpressionMethod, ExpressionMethod], PoolMethods[ExpressionPoolMethod]):
    """`pl.col("hyp").bleuprint`: `bleu("ref")` gives one score per frame or group, `sentence_bleu("ref")` one per row.

    Results are named after the method. With groups, a row number in an error message is relative to the group.

    >>> df = pl.DataFrame({"hyp": ["a b c d e", "a"], "ref": [["a b c d e"], ["b", "a"]]})
    >>> df.with_columns(pl.col("hyp").bleuprint.sentence_bleu("ref"))["sentence_bleu"].to_list()
    [1.0, 1.0]
    >>> df.select(pl.col("hyp").bleuprint.self_bleu(max_order=1))["self_bleu"].round(4).to_list()
    [0.1092]
    """

    def __init__(self, expression: pl.Expr) -> None:
        self._expression = expression

    def _whole(
        self,
        kind: type[Metric[Score]],
        references: Columns | list[Columns] | None = None,
        *,
        sources: Columns | None = None,
        threads: int | None = None,
        **options: Any,
    ) -> pl.Expr:
        """The score of all rows, or of each group."""
        metric = made(kind, references, sources, options)

        def work(texts: list[counts.Column]) -> float:
            hypotheses, compared, read = _by_role(texts, sources is not None)
            return float(metric.corpus(hypotheses, compared, sources=read, threads=threads).value)

        return self._mapped(_name(kind), references, sources, work, scalar=True)

    def _each(
        self,
        kind: type[Metric[Score]],
        references: Columns | list[Columns] | None = None,
        *,
        sources: Columns | None = None,
        threads: int | None = None,
        **options: Any,
    ) -> pl.Expr:
        """The score of each row."""
        metric = made(kind, references, sources, options)

        def work(texts: list[counts.Column]) -> pl.Series:
            hypotheses, compared, read = _by_role(texts, sources is not None)
            return pl.Series(metric.sentences(hypotheses, compared, sources=read, threads=threads))

        return self._mapped(f"sentence_{_name(kind)}", references, sources, work, scalar=False)

    def _pool(
        self,
        kind: type[Metric[PoolScore]],
        references: Columns | None = None,
        *,
        threads: int | None = None,
        **options: Any,
    ) -> pl.Expr:
        """The pool score of all rows, or of each group."""
        kind(**options)  # raises errors here, not when the frame is collected

        def work(texts: list[counts.Column]) -> float:
            compared = texts[1] if references is not None else None
            return float(kind(**options).corpus(texts[0], compared, threads=threads))

        return self._mapped(_name(kind), references, None, work, scalar=True)

    def _mapped(
        self,
        name: str,
        references: Columns | list[Columns] | None,
        sources: Columns | None,
        work: Callable[[list[counts.Column]], float | pl.Series],
        *,
        scalar: bool,
    ) -> pl.Expr:
        if isinstance(references, list) and not references:
            raise OptionError("references", "a column or a list of columns", references)
        compared = references if isinstance(references, list) else [] if references is None else [references]
        given = [self._expression, *compared, *([] if sources is None else [sources])]
        names = [_column_name(column) for column in given]  # the columns of a group have no names
        lists = not isinstance(references, list)

        def function(columns: Sequence[pl.Series]) -> float | pl.Series:
            try:
                texts = enumerate(zip(columns, names, strict=True))
                return work([_text_column(*column, groups=lists and place == 1) for place, column in texts])
            except BleuprintError as error:
                # polars recreates errors from their message alone.
                raise (InputError if isinstance(error, InputError) else BleuprintError)(str(error)) from None

        return pl.map_batches(given, function, return_dtype=pl.Float64, returns_scalar=scalar).alias(name)


add_frame_methods(PolarsNamespace)
add_methods(SeriesNamespace, POOLED, SeriesNamespace._pool)
add_methods(ExpressionNamespace, SCORED, ExpressionNamespace._whole)
add_methods(ExpressionNamespace, SCORED, ExpressionNamespace._each, prefix="sentence_")
add_methods(ExpressionNamespace, POOLED, ExpressionNamespace._pool)


def _name(kind: type[Metric[Score]]) -> str:
    return kind.name.replace("-", "_")


def _by_role(
    texts: list[counts.Column], has_sources: bool
) -> tuple[counts.Column, counts.Column, counts.Column | None]:
    hypotheses, *rest = texts
    sources = rest.pop() if has_sources else None
    for column in rest:
        if len(column) != len(hypotheses):
            raise LengthMismatchError("hypotheses", len(hypotheses), "references", len(column))
    if len(rest) > 1:
        return hypotheses, counts.columns_side_by_side(rest), sources
    return hypotheses, rest[0] if rest else hypotheses, sources


def _column_name(column: Columns | pl.Series) -> str:
    if isinstance(column, pl.Expr):
        name = column.meta.output_name(raise_if_undetermined=False)
    else:
        name = column if isinstance(column, str) else column.name
    return f"column {name!r}" if name else "the column"


def _text_column(series: pl.Series, name: str, order: NDArray[np.intp] | None = None, *, groups: bool) -> counts.Column:
    if isinstance(series.dtype, pl.Array):
        series = series.arr.to_list()
    arranged = series if order is None else series.gather(order)
    try:
        return counts.arrow_column(arranged, groups=groups)
    except counts.Fault as fault:
        position = fault.args[1] if order is None else order[fault.args[1]]
        refuse(fault, name, f" at row {position}", series.dtype, groups=groups)
