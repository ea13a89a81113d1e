"""Metrics on pandas: `import bleuprint.integrations.pandas` adds `.bleuprint` to every DataFrame and Series.

>>> import pandas as pd
>>> import bleuprint.integrations.pandas
>>> df = pd.DataFrame({
...     "system": ["A", "A", "B", "B"],
...     "hyp": ["the cat sat on the mat", "a dog", "a cat is on a mat", "the dog"],
...     "ref": [["the cat sat on a mat"], ["a dog", "the dog"]] * 2,
... })
>>> round(df.bleuprint.chrf("hyp", "ref").value, 4)
0.6134
>>> df.bleuprint.score("hyp", "ref", metrics=["bleu", "ter"], by="system").round(4).to_dict("index")
{'A': {'bleu': 0.5584, 'ter': 0.125}, 'B': {'bleu': 0.3536, 'ter': 0.25}}
>>> df.bleuprint.sentence_scores("hyp", "ref", metrics=["gleu", "ter"]).round(2).loc[1].tolist()
[1.0, 0.0]
>>> round(df["hyp"].bleuprint.self_bleu(max_order=2).value, 4)
0.2158
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any, NoReturn

from bleuprint.core import counts
from bleuprint.core.arrays import Places, np
from bleuprint.errors import ExtraImport, NotTextError
from bleuprint.integrations._frames import FrameNamespace, Groups, SeriesMethods, refuse

__all__ = ["FrameAccessor", "SeriesAccessor"]

with ExtraImport("bleuprint.integrations.pandas", ("pandas",), "pandas"):
    import pandas as pd


def _text_column(series: pd.Series, name: str, order: Places | None = None, *, groups: bool = False) -> counts.Column:
    arranged = series if order is None else series.iloc[order]
    try:
        if len(series) == 0:  # pandas guesses a dtype for an empty column
            return counts.column([], groups=groups, tokenized=False)
        if _is_arrow(series.dtype):
            return counts.arrow_column(_arrow(arranged), groups=groups)
        if series.dtype == object or isinstance(series.dtype, pd.StringDtype | pd.CategoricalDtype):
            return counts.column(_to_list(arranged, groups=groups), groups=groups, tokenized=False)
        raise counts.Fault("arrow", 0, -1, -1, "")
    except counts.Fault as fault:
        _explain(fault, series, name, order, groups=groups)


@pd.api.extensions.register_dataframe_accessor("bleuprint")  # type: ignore[untyped-decorator, unused-ignore]
class FrameAccessor(FrameNamespace):
    """`df.bleuprint`: one method per metric, and `score` and `sentence_scores` for several metrics.

    Columns are given by label; `references` is a column of texts or of lists of texts, or a list of labels.

    >>> df = pd.DataFrame({"hyp": ["a b c d e"], "ref": ["a b c d e"], "src": ["a b c d f"]}, index=["first"])
    >>> df.bleuprint.bleu("hyp", "ref").value, df.bleuprint.bleu("hyp", ["ref", "src"]).references
    (1.0, 2)
    >>> round(df.bleuprint.ibleu("hyp", "ref", sources="src").value, 4)
    0.8331
    >>> df.bleuprint.sentence_ter("src", "ref").to_dict()
    {'first': 0.2}
    """

    _read = staticmethod(_text_column)

    def _group_rows(self, by: list[Hashable], *, several: bool) -> Groups:
        # A missing value forms a group of its own, so that no row is lost.
        grouped = self._frame.groupby([self._frame[label] for label in by], sort=False, dropna=False, observed=True)
        codes, _ = pd.factorize(grouped.ngroup().to_numpy())  # in order of appearance, also those of categories
        first_rows = self._frame[by].iloc[np.unique(codes, return_index=True)[1]]
        names = pd.MultiIndex.from_frame(first_rows) if several else pd.Index(first_rows[by[0]], name=by[0])
        return Groups(names, np.argsort(codes, kind="stable"), np.cumsum(np.bincount(codes)).tolist())

    def _table(
        self, columns: Mapping[str, Any], names: pd.Index | None = None, whole: Hashable | None = None
    ) -> pd.DataFrame:
        every = self._frame.index if whole is None else pd.Index([whole])
        return pd.DataFrame(dict(columns), index=every if names is None else names)


@pd.api.extensions.register_series_accessor("bleuprint")  # type: ignore[untyped-decorator, unused-ignore]
class SeriesAccessor(SeriesMethods):
    """`df["text"].bleuprint`: one method per pool metric.

    >>> pd.Series(["a b a b", "a b"]).bleuprint.distinct(tokenizer="whitespace", max_order=2).value
    0.5
    >>> round(pd.Series(["a b c"]).bleuprint.cross_bleu(pd.Series(["a b d"]), max_order=2).value, 4)
    0.5774
    """

    _read = staticmethod(_text_column)


def _explain(fault: counts.Fault, series: pd.Series, name: str, order: Places | None, *, groups: bool) -> NoReturn:
    """Raise an error for a fault that the core found, naming the row of the frame."""
    position = int(fault.args[1] if order is None or fault.args[0] == "arrow" else order[fault.args[1]])
    if fault.args[0] == "arrow":  # the dtype of the column is wrong, maybe only because all values are missing
        missing = series.isna().to_numpy()
        if not missing.any():
            refuse(fault, name, "", series.dtype, groups=groups)
        position = int(missing.argmax())
    label = series.index[position]
    row = f" at index {getattr(label, 'item', lambda: label)()!r} (row {position})"
    _refuse_missing(series.iloc[position], fault.args[2], name + row, groups=groups)
    refuse(fault, name, row, series.dtype, groups=groups)


def _is_arrow(kind: object) -> bool:
    """Whether the column is stored as Arrow strings, so that the core can read it without a copy."""
    if isinstance(kind, pd.CategoricalDtype):
        kind = kind.categories.dtype
    return isinstance(kind, pd.ArrowDtype) or (isinstance(kind, pd.StringDtype) and kind.storage == "pyarrow")


def _arrow(series: pd.Series) -> counts.ArrowArrayable:
    import pyarrow as pa

    # Before pandas 3, a Series has no Arrow interface.
    array: counts.ArrowArrayable = series if hasattr(series, "__arrow_c_stream__") else pa.array(series.array)
    return array


def _to_list(series: pd.Series, *, groups: bool) -> list[object]:
    items: list[object] = series.tolist()
    # pandas reads lists from parquet files as arrays.
    return [item.tolist() if hasattr(item, "tolist") else item for item in items] if groups else items


def _refuse_missing(value: Any, inner: int, where: str, *, groups: bool) -> None:
    """Report any of pandas' missing values as such, not as the text "nan"."""
    if inner >= 0 and not pd.api.types.is_scalar(value):
        value, where = value[inner], f"{where}[{inner}]"
    if pd.api.types.is_scalar(value) and pd.isna(value):
        allowed = "a str or a list of them" if groups and inner < 0 else "a str"
        repair = "use '' for an empty text, or drop the row" if inner < 0 else "leave it out"
        raise NotTextError(where, allowed, f"{value}, a missing value", repair) from None
