"""The parts of a result.

The JSON holds everything a report needs, texts included, and nothing that changes from run to run: the same
input gives the same bytes. It is written whole or not at all, and never over something else unless told so.
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
from bleuprint.metrics.base.score import Part

__all__ = ["SCHEMA_VERSION", "MetricResult", "Result", "SystemResult"]

SCHEMA_VERSION = 2

Level = Literal["segments", "systems"]


@dataclass(frozen=True, slots=True)
class MetricResult:
    """One metric of one system."""

    metric: str
    higher_is_better: bool
    value: float
    parts: Mapping[str, Part]
    signature: str
    segments: tuple[float, ...]  # the score of every segment on its own; none where they were not kept
    segment_signature: str


@dataclass(frozen=True, slots=True)
class SystemResult:
    """One system: what it wrote, and its score under every metric."""

    name: str
    hypotheses: tuple[str, ...]  # none where texts were not kept
    digest: str  # of the hypotheses
    scores: tuple[MetricResult, ...]

    def score(self, metric: str) -> MetricResult:
        """The result under the metric of that name."""
        for score in self.scores:
            if score.metric == metric:
                return score
        raise KeyError(metric)


@dataclass(frozen=True, slots=True)
class Result:
    """A whole evaluation: systems side by side over the same references."""

    systems: tuple[SystemResult, ...]
    references: tuple[tuple[str, ...], ...]  # references[i] belong to segment i; none where texts were not kept
    sources: tuple[str, ...] | None
    size: int  # segments
    digests: Mapping[str, str]  # of references and sources
    versions: Mapping[str, str]
    notes: tuple[str, ...] = ()
    comparison: Mapping[str, Any] | None = None  # intervals and tests, as `Comparison.to_dict` gives them
    schema_version: int = SCHEMA_VERSION

    @property
    def metrics(self) -> tuple[str, ...]:
        """Names of the metrics, the same for every system."""
        return tuple(score.metric for score in self.systems[0].scores) if self.systems else ()

    @property
    def has_texts(self) -> bool:
        """Whether the texts were kept: a corpus read from a stream is too large for that."""
        return len(self.references) == self.size

    def system(self, name: str) -> SystemResult:
        """The system of that name."""
        for system in self.systems:
            if system.name == name:
                return system
        raise KeyError(name)

    def to_json(self) -> str:
        """The result as JSON text; `from_json` gives back an equal one."""
        fields = asdict(self)
        ordered = {"schema_version": fields.pop("schema_version"), **fields}
        return json.dumps(ordered, ensure_ascii=False, allow_nan=False, indent=1) + "\n"

    @classmethod
    def from_json(cls, text: str, *, source: str = "the text") -> Result:
        """Read what `to_json` wrote; `source` names it in errors."""
        from bleuprint.results.reading import read_result

        return read_result(text, source)

    @classmethod
    def read_json(cls, path: str | Path) -> Result:
        """Read the file that `write_json` wrote."""
        try:
            return cls.from_json(Path(path).read_text(encoding="utf-8"), source=str(path))
        except (OSError, ValueError) as error:
            if isinstance(error, ResultError):
                raise
            raise ResultError(str(path), getattr(error, "strerror", None) or str(error)) from None

    def write_json(self, path: str | Path, *, overwrite: bool = False) -> None:
        """Store the result, whole or not at all; an existing different file needs `overwrite`."""
        write_files({Path(path): self.to_json().encode()}, overwrite=overwrite)

    def to_markdown(self, *, percent: bool = False) -> str:
        """A table of systems and scores, with the signatures under it."""
        from bleuprint.results.tables import markdown

        return markdown(self, percent=percent)

    def to_html(self) -> str:
        """The result as a page of its own, with charts and all segments; it needs no network.

        >>> from bleuprint import evaluate
        >>> evaluate(["the cat sat"], ["the cat sat"]).to_html()[:15]
        '<!DOCTYPE html>'
        """
        # A result knows nothing of pages. The room that draws them is looked up by name when it is asked for.
        page: str = import_module("bleuprint.report").render(self)
        return page

    def _repr_html_(self) -> str:
        """A table of systems and scores for notebooks."""
        from bleuprint.results.tables import html

        return html(self)

    def pretty(self, *, percent: bool = False) -> str:
        """The same table to be printed."""
        from bleuprint.results.tables import pretty

        return pretty(self, percent=percent)

    def to_pandas(self, level: Level = "segments") -> Any:
        """A pandas DataFrame: a row for every segment of every system, or with `level="systems"` for every system."""
        from bleuprint.results.tables import frame

        return frame(self, level, "pandas")

    def to_polars(self, level: Level = "segments") -> Any:
        """The same as a polars DataFrame."""
        from bleuprint.results.tables import frame

        return frame(self, level, "polars")

    def write_segments(self, path: str | Path, *, overwrite: bool = False) -> None:
        """Store the table of segments as .csv, .tsv, .jsonl or .parquet, as the name says."""
        from bleuprint.results.tables import segment_file

        write_files({Path(path): segment_file(self, Path(path))}, overwrite=overwrite)
