"""The parts of a result.

The JSON contains everything a report needs, including the texts, and nothing that changes from run to run: the same
input produces the same bytes. Files are written atomically and replace a different file only with `overwrite`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Literal

from bleuprint.errors import ResultError
from bleuprint.files import write_files
from bleuprint.metrics.base.metric import Metric
from bleuprint.metrics.base.score import Part

__all__ = ["COLUMN", "SCHEMA_VERSION", "MetricResult", "Result", "SystemResult"]

SCHEMA_VERSION = 2
COLUMN = "column"  # stands for the metric in the signature of scores that come from elsewhere and cannot be replayed

Level = Literal["segments", "systems"]


@dataclass(frozen=True, slots=True)
class MetricResult:
    """The scores of one metric for one system."""

    metric: str
    higher_is_better: bool
    value: float
    parts: Mapping[str, Part]
    signature: str
    segments: tuple[float, ...]  # the score of every segment; empty if not stored
    segment_signature: str

    @property
    def is_column(self) -> bool:
        """Whether the scores come from elsewhere, so that no metric can compute them again."""
        return self.signature.startswith(f"{COLUMN}.")


@dataclass(frozen=True, slots=True)
class SystemResult:
    """One system: its outputs, and its score for every metric."""

    name: str
    hypotheses: tuple[str, ...]  # empty if texts are not stored
    digest: str  # of the hypotheses
    scores: tuple[MetricResult, ...]

    def score(self, metric: str) -> MetricResult:
        """Return the result for the named metric."""
        for score in self.scores:
            if score.metric == metric:
                return score
        raise KeyError(metric)


@dataclass(frozen=True, slots=True)
class Result:
    """A complete evaluation: one or more systems on the same references."""

    systems: tuple[SystemResult, ...]
    references: tuple[tuple[str, ...], ...]  # references[i] belongs to segment i; empty if not stored
    sources: tuple[str, ...] | None
    size: int  # segments
    digests: Mapping[str, str]  # of references and sources
    versions: Mapping[str, str]
    notes: tuple[str, ...] = ()
    ids: tuple[str, ...] | None = None  # the name of each segment; None if segments are only numbered
    comparison: Mapping[str, Any] | None = None  # intervals and tests from `Comparison.to_dict`
    schema_version: int = SCHEMA_VERSION

    @property
    def metrics(self) -> tuple[str, ...]:
        """The metric names, identical for every system."""
        return tuple(score.metric for score in self.systems[0].scores) if self.systems else ()

    @property
    def has_texts(self) -> bool:
        """Whether the texts are stored; they are not if the corpus was streamed."""
        return len(self.references) == self.size

    def segment_name(self, index: int) -> str:
        """Return what the segment at this index is called: its id, or its number, counted from 1.

        >>> from bleuprint import evaluate
        >>> evaluate(["a", "b"], ["a", "b"], ids=["q-17", "q-4"]).segment_name(1)
        'q-4'
        >>> evaluate(["a", "b"], ["a", "b"]).segment_name(1)
        'segment 2'
        """
        return f"segment {index + 1}" if self.ids is None else self.ids[index]

    def system(self, name: str) -> SystemResult:
        """Return the named system."""
        for system in self.systems:
            if system.name == name:
                return system
        raise KeyError(name)

    def to_json(self) -> str:
        """Return the result as JSON; `from_json` restores an equal result."""
        fields = asdict(self)
        ordered = {"schema_version": fields.pop("schema_version"), **fields}
        if self.ids is None:
            del ordered["ids"]  # as in files written before results could have ids
        return json.dumps(ordered, ensure_ascii=False, allow_nan=False, indent=1) + "\n"

    @classmethod
    def from_json(
        cls, text: str, *, source: str = "the text", metrics: Mapping[str, Metric[Any]] | None = None
    ) -> Result:
        """Restore a result from `to_json`; `source` names the text in errors.

        Pass custom metrics that no installed package announces in `metrics`, by their name in the result.
        """
        from bleuprint.results.reading import read_result

        return read_result(text, source, metrics)

    @classmethod
    def read_json(cls, path: str | Path, *, metrics: Mapping[str, Metric[Any]] | None = None) -> Result:
        """Read a result from a file written by `write_json`; `metrics` as for `from_json`."""
        try:
            return cls.from_json(Path(path).read_text(encoding="utf-8"), source=str(path), metrics=metrics)
        except (OSError, ValueError) as error:
            if isinstance(error, ResultError):
                raise
            raise ResultError(str(path), getattr(error, "strerror", None) or str(error)) from None

    def write_json(self, path: str | Path, *, overwrite: bool = False) -> None:
        """Save the result atomically; replacing a different file needs `overwrite`."""
        write_files({Path(path): self.to_json().encode()}, overwrite=overwrite)

    def to_markdown(self, *, percent: bool = False) -> str:
        """Return a Markdown table of systems and scores, with the signatures below it."""
        from bleuprint.results.tables import markdown

        return markdown(self, percent=percent)

    def to_html(self) -> str:
        """Return the report as a self-contained HTML page, with charts and all segments.

        >>> from bleuprint import evaluate
        >>> evaluate(["the cat sat"], ["the cat sat"]).to_html()[:15]
        '<!DOCTYPE html>'
        """
        # Results must not depend on reports, so the module is imported by name when needed.
        page: str = import_module("bleuprint.report").render(self)
        return page

    def _repr_html_(self) -> str:
        """Return a table of systems and scores for notebooks."""
        from bleuprint.results.tables import html

        return html(self)

    def pretty(self, *, percent: bool = False) -> str:
        """Return a plain text table of systems and scores, with the signatures below it."""
        from bleuprint.results.tables import pretty

        return pretty(self, percent=percent)

    def to_pandas(self, level: Level = "segments") -> Any:
        """Return a pandas DataFrame with a row per segment and system, or per system with `level="systems"`."""
        from bleuprint.results.tables import frame

        return frame(self, level, "pandas")

    def to_polars(self, level: Level = "segments") -> Any:
        """Return a polars DataFrame with the same rows as `to_pandas`."""
        from bleuprint.results.tables import frame

        return frame(self, level, "polars")

    def write_segments(self, path: str | Path, *, overwrite: bool = False) -> None:
        """Save the table of segments as .csv, .tsv, .jsonl, or .parquet, depending on the file name."""
        from bleuprint.results.tables import segment_file

        write_files({Path(path): segment_file(self, Path(path))}, overwrite=overwrite)
