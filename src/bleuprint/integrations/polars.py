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

from collections.abc import Mapping, Sequence
from typing import Any

from bleuprint.core import counts
from bleuprint.core.arrays import Places
from bleuprint.errors import BleuprintError, ExtraImport, InputError, LengthMismatchError, OptionError
from bleuprint.integrations._frames import FrameNamespace, Groups, MetricMethods, SeriesMethods, refuse
from bleuprint.metrics import registry
from bleuprint.metrics.base import Metric, Score

__all__ = ["ExpressionNamespace", "PolarsNamespace", "SeriesNamespace"]

with ExtraImport("bleuprint.integrations.polars", ("polars",), "polars"):
    import polars as pl


_ROW = "__bleuprint_row"
Columns = str | pl.Expr


def _text_column(series: pl.Series, name: str, order: Places | None = None, *, groups: bool = False) -> counts.Column:
    if isinstance(series.dtype, pl.Array):
        series = series.arr.to_list()
    arranged = series if order is None else series.gather(order)
    try:
        return counts.arrow_column(arranged, groups=groups)
    except counts.Fault as fault:
        position = fault.args[1] if order is None else order[fault.args[1]]
        refuse(fault, name, f" at row {position}", series.dtype, groups=groups)


@pl.api.register_dataframe_namespace("bleuprint")
class PolarsNamespace(FrameNamespace):
    """`df.bleuprint`: one method per metric, and `score` and `sentence_scores` for several metrics.

    >>> df = pl.DataFrame({"hyp": ["a b c d e"], "ref": ["a b c d e"], "src": ["a b c d f"]})
    >>> df.bleuprint.bleu("hyp", "ref").value, df.bleuprint.bleu("hyp", ["ref", "src"]).references
    (1.0, 2)
    >>> df.bleuprint.sentence_ter("src", "ref").to_list()
    [0.2]
    """

    _read = staticmethod(_text_column)

    def _group_rows(self, by: list[str], *, several: bool) -> Groups:
        rows = self._frame.select(by).with_row_index(_ROW)
        names = rows.group_by(by, maintain_order=True).agg(pl.col(_ROW))
        order = names[_ROW].explode().to_numpy().astype("int64")
        return Groups(names.drop(_ROW), order, names[_ROW].list.len().cum_sum().to_list())

    def _table(
        self, columns: Mapping[str, Any], names: pl.DataFrame | None = None, whole: str | None = None
    ) -> pl.DataFrame:
        kinds = [pl.String if name.endswith(" signature") else pl.Float64 for name in columns]
        series = [pl.Series(name, values, kind) for (name, values), kind in zip(columns.items(), kinds, strict=True)]
        return pl.DataFrame(series) if names is None else names.hstack(series)


@pl.api.register_series_namespace("bleuprint")
class SeriesNamespace(SeriesMethods):
    """`df["text"].bleuprint`: one method per pool metric.

    >>> pl.Series(["a b a b", "a b"]).bleuprint.distinct(tokenizer="whitespace", max_order=2).value
    0.5
    """

    _read = staticmethod(_text_column)


@pl.api.register_expr_namespace("bleuprint")
class ExpressionNamespace(MetricMethods):
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

    def _scores(
        self,
        kind: type[Metric[Score]],
        each: bool,
        references: Columns | list[Columns] | None = None,
        *,
        sources: Columns | None = None,
        threads: int | None = None,
        **options: object,
    ) -> pl.Expr:
        """The score of all rows, or of each group."""
        metric = registry.resolve(kind.name, options)
        metric.definition.check_sources(sources)
        metric.definition.check_references(references)
        if isinstance(references, list) and not references:
            raise OptionError("references", "a column or a list of columns", references)
        compared = references if isinstance(references, list) else [] if references is None else [references]
        given = [self._expression, *compared, *([] if sources is None else [sources])]
        names = [_column_name(column) for column in given]  # the columns of a group have no names
        lists = not isinstance(references, list)

        def score(columns: Sequence[pl.Series]) -> float | pl.Series:
            numbered = enumerate(zip(columns, names, strict=True))
            texts, *others = [_text_column(*column, groups=lists and place == 1) for place, column in numbered]
            read = None if sources is None else others.pop()
            for column in others if metric.unit == "segment" else ():
                if len(column) != len(texts):
                    raise LengthMismatchError("hypotheses", len(texts), "references", len(column))
            side = counts.columns_side_by_side(others) if len(others) > 1 else others[0] if others else None
            if each:
                return pl.Series(metric.sentences(texts, side, sources=read, threads=threads))
            return float(metric.corpus(texts, side, sources=read, threads=threads).value)

        def function(columns: Sequence[pl.Series]) -> float | pl.Series:
            try:
                return score(columns)
            except BleuprintError as error:
                # polars recreates errors from their message alone.
                raise (InputError if isinstance(error, InputError) else BleuprintError)(str(error)) from None

        mapped = pl.map_batches(given, function, return_dtype=pl.Float64, returns_scalar=not each)
        return mapped.alias("sentence_" * each + metric.name.replace("-", "_"))

    def _pool(
        self,
        kind: type[Metric[Score]],
        references: Columns | None = None,
        *,
        threads: int | None = None,
        **options: object,
    ) -> pl.Expr:
        """The pool score of all rows, or of each group."""
        return self._scores(kind, False, references, sources=None, threads=threads, **options)


def _column_name(column: Columns) -> str:
    name = column if isinstance(column, str) else column.meta.output_name(raise_if_undetermined=False)
    return f"column {name!r}" if name else "the column"
