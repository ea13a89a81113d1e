"""What an evaluation found: frozen, and the same after a trip through JSON.

The JSON holds everything a report needs, texts included, and nothing that changes from run to run: the same
input gives the same bytes. It is written whole or not at all, and never over something else unless told so.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TypeVar

from bleuprint.errors import ResultError
from bleuprint.metric import Part
from bleuprint.output import write_files

__all__ = ["SCHEMA_VERSION", "MetricResult", "Result", "SystemResult"]

SCHEMA_VERSION = 1

Kind = TypeVar("Kind")


@dataclass(frozen=True, slots=True)
class MetricResult:
    """One metric of one system."""

    metric: str
    higher_is_better: bool
    value: float
    parts: Mapping[str, Part]
    signature: str
    segments: tuple[float, ...]  # the score of every segment on its own
    segment_signature: str


@dataclass(frozen=True, slots=True)
class SystemResult:
    """One system: what it wrote, and its score under every metric."""

    name: str
    hypotheses: tuple[str, ...]
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
    references: tuple[tuple[str, ...], ...]  # references[i] belong to segment i
    sources: tuple[str, ...] | None
    versions: Mapping[str, str]
    notes: tuple[str, ...] = ()
    schema_version: int = SCHEMA_VERSION

    @property
    def metrics(self) -> tuple[str, ...]:
        """Names of the metrics, the same for every system."""
        return tuple(score.metric for score in self.systems[0].scores) if self.systems else ()

    def to_json(self) -> str:
        """The result as JSON text; `from_json` gives back an equal one."""
        fields = asdict(self)
        ordered = {"schema_version": fields.pop("schema_version"), **fields}
        return json.dumps(ordered, ensure_ascii=False, allow_nan=False, indent=1) + "\n"

    @classmethod
    def from_json(cls, text: str, *, source: str = "the text") -> Result:
        """Read what `to_json` wrote; `source` names it in errors."""
        try:
            fields = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise ResultError(source, f"it is not JSON ({error})") from None
        try:
            return _result(_typed(fields, dict, "the whole"))
        except _MalformedError as error:
            raise ResultError(source, str(error)) from None

    def write_json(self, path: str | Path, *, overwrite: bool = False) -> None:
        """Store the result, whole or not at all; an existing different file needs `overwrite`."""
        write_files({Path(path): self.to_json().encode()}, overwrite=overwrite)


class _MalformedError(Exception):
    """What is wrong with the JSON, before it is said where the JSON came from."""


def _typed(value: object, kind: type[Kind], where: str) -> Kind:
    if kind is float and type(value) is int:
        value = float(value)
    if not isinstance(value, kind) or (kind is not bool and isinstance(value, bool)):
        raise _MalformedError(f"{where} must be of type {kind.__name__}, got {type(value).__name__}")
    if isinstance(value, str) and any("\ud800" <= character <= "\udfff" for character in value):
        raise _MalformedError(f"{where} holds a lone surrogate")
    return value


def _items(value: object, kind: type[Kind], where: str) -> tuple[Kind, ...]:
    listed = _typed(value, list, where)
    return tuple(_typed(item, kind, f"{where}[{index}]") for index, item in enumerate(listed))


def _result(fields: dict[str, object]) -> Result:
    version = _typed(fields.get("schema_version"), int, "schema_version")
    if version != SCHEMA_VERSION:
        raise _MalformedError(f"it has schema version {version}, this bleuprint reads {SCHEMA_VERSION}")
    references = _items(fields.get("references"), list, "references")
    versions = _typed(fields.get("versions"), dict, "versions")
    result = Result(
        systems=tuple(
            _system(item, f"systems[{index}]")
            for index, item in enumerate(_items(fields.get("systems"), dict, "systems"))
        ),
        references=tuple(_items(item, str, f"references[{index}]") for index, item in enumerate(references)),
        sources=None if fields.get("sources") is None else _items(fields["sources"], str, "sources"),
        versions={name: _typed(text, str, f"versions.{name}") for name, text in versions.items()},
        notes=_items(fields.get("notes"), str, "notes"),
    )
    _check_agreement(result)
    return result


def _system(fields: dict[str, object], where: str) -> SystemResult:
    scores = _items(fields.get("scores"), dict, f"{where}.scores")
    return SystemResult(
        name=_typed(fields.get("name"), str, f"{where}.name"),
        hypotheses=_items(fields.get("hypotheses"), str, f"{where}.hypotheses"),
        scores=tuple(_score(item, f"{where}.scores[{index}]") for index, item in enumerate(scores)),
    )


def _score(fields: dict[str, object], where: str) -> MetricResult:
    parts = _typed(fields.get("parts"), dict, f"{where}.parts")
    return MetricResult(
        metric=_typed(fields.get("metric"), str, f"{where}.metric"),
        higher_is_better=_typed(fields.get("higher_is_better"), bool, f"{where}.higher_is_better"),
        value=_typed(fields.get("value"), float, f"{where}.value"),
        parts={name: _part(value, f"{where}.parts.{name}") for name, value in parts.items()},
        signature=_typed(fields.get("signature"), str, f"{where}.signature"),
        segments=_items(fields.get("segments"), float, f"{where}.segments"),
        segment_signature=_typed(fields.get("segment_signature"), str, f"{where}.segment_signature"),
    )


def _part(value: object, where: str) -> Part:
    if isinstance(value, list):
        if all(type(item) is int for item in value):
            return _items(value, int, where)
        return _items(value, float, where)
    return _typed(value, int, where) if type(value) is int else _typed(value, float, where)


def _check_agreement(result: Result) -> None:
    """Lists with one item per segment must be equally long, and every system have the same metrics."""
    counts = {len(result.references)} | {len(system.hypotheses) for system in result.systems}
    counts |= {len(score.segments) for system in result.systems for score in system.scores}
    if result.sources is not None:
        counts.add(len(result.sources))
    if len(counts) > 1:
        raise _MalformedError("its lists of segments have unequal lengths")
    if len({tuple(score.metric for score in system.scores) for system in result.systems}) > 1:
        raise _MalformedError("its systems were not measured with the same metrics")
