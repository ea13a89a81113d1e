"""Which columns of a DataFrame contain what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bleuprint.core import counts
from bleuprint.core.columns import Corpus
from bleuprint.errors import ExtraImport, NotTextError, OptionError
from bleuprint.metrics.base import Metric, Score

if TYPE_CHECKING:
    from pyarrow import Array, RecordBatch
    from pyspark.sql import Column, DataFrame

HYPOTHESES, REFERENCES, SOURCES = "__bleuprint_hypotheses", "__bleuprint_references", "__bleuprint_sources"
GROUP, KEY = "__bleuprint_group", "__bleuprint_key"


def require_spark() -> None:
    """Raise an error if pyspark or the packages that pass rows to Python are missing."""
    with ExtraImport("Spark", ("pyspark", "pandas", "pyarrow"), "spark"):
        import pandas
        import pyarrow
        import pyspark
    del pandas, pyarrow, pyspark


@dataclass(frozen=True, slots=True)
class Roles:
    """Text columns by their role for a metric."""

    hypotheses: str
    references: str | tuple[str, ...] | None
    sources: str | None

    @classmethod
    def of(
        cls,
        frame: DataFrame,
        hypotheses: str,
        references: str | Sequence[str] | None,
        sources: str | None,
        metrics: Mapping[str, Metric[Score]],
    ) -> Roles:
        """The columns, if they contain texts and everything that the metrics need."""
        for metric in metrics.values():
            metric.definition.check_references(references)
            metric.definition.check_sources(sources if metric.needs_sources else None)
        names = references if references is None or isinstance(references, str) else tuple(references)
        if names in ("", ()):
            raise OptionError("references", "the name of a column or a list of names", references)
        check_text_column(frame, hypotheses, "hypotheses")
        if sources is not None:
            check_text_column(frame, sources, "sources")
        for name in (names,) if isinstance(names, str) else names or ():
            check_text_column(frame, name, "references", groups=isinstance(names, str))
        return cls(hypotheses, names, sources)

    def columns(self) -> list[Column]:
        """The text columns under internal names."""
        from pyspark.sql import functions

        columns = [column(self.hypotheses).alias(HYPOTHESES)]
        if isinstance(self.references, str):
            columns.append(column(self.references).alias(REFERENCES))
        elif self.references is not None:
            columns.append(functions.array(*map(column, self.references)).alias(REFERENCES))
        return columns if self.sources is None else [*columns, column(self.sources).alias(SOURCES)]

    def select(self, df: DataFrame, *, by: str | None = None, key: str | None = None) -> DataFrame:
        """The text columns, with groups and keys as strings."""
        columns = self.columns()
        for role, name, ours in (("by", by, GROUP), ("key", key, KEY)):
            if name is None:
                continue
            if name not in df.columns:
                raise OptionError(role, f"a column of the DataFrame ({', '.join(df.columns)})", name)
            columns.append(column(name).cast("string").alias(ours))
        return df.select(*columns)

    def of_batch(self, batch: RecordBatch) -> dict[str, Array]:
        """The arrays of a batch of these columns, by the names the user gave them."""
        references = self.references if isinstance(self.references, str) else "+".join(self.references or ())
        names = {HYPOTHESES: self.hypotheses, REFERENCES: references, SOURCES: self.sources or ""}
        return {name: batch.column(ours) for ours, name in names.items() if ours in batch.schema.names}


def corpus_of(batch: RecordBatch) -> Corpus:
    """The texts of a batch; without references, the hypotheses serve as placeholders."""
    hypotheses = counts.arrow_column(batch.column(HYPOTHESES), groups=False)
    references, sources = (
        counts.arrow_column(batch.column(name), groups=name == REFERENCES) if name in batch.schema.names else None
        for name in (REFERENCES, SOURCES)
    )
    return Corpus(hypotheses, hypotheses if references is None else references, sources)


def column(name: str) -> Column:
    """The column with exactly that name, dots included."""
    from pyspark.sql import functions

    return functions.col("`" + name.replace("`", "``") + "`")


def check_text_column(frame: DataFrame, name: str, role: str, *, groups: bool = False) -> None:
    """Raise an error unless this is a column of texts."""
    if name not in frame.columns:
        raise OptionError(role, f"a column of the DataFrame ({', '.join(frame.columns)})", name)
    kind = frame.schema[name].dataType.simpleString()
    if kind != "string" and not (groups and kind == "array<string>"):
        allowed = "a column of string or array<string>" if groups else "a column of string"
        raise NotTextError(name, allowed, kind, "select or cast a column of texts")
