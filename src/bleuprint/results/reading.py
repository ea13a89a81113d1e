"""Read results from JSON. Every field is checked, and errors name the field."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TypeVar

from bleuprint.core.unicode import has_surrogate
from bleuprint.errors import ResultError
from bleuprint.metrics.base.score import Part
from bleuprint.results.digests import digest_of
from bleuprint.results.model import SCHEMA_VERSION, MetricResult, Result, SystemResult

__all__ = ["read_result"]

Kind = TypeVar("Kind")

_LARGEST = 1 << 63  # larger integers fit neither a float nor the sums that scores are made of


def read_result(text: str, source: str) -> Result:
    """Restore a result from `Result.to_json`; `source` names the text in errors."""
    try:
        fields = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ResultError(source, f"it is not valid JSON ({error})") from None
    try:
        return _result(_typed(fields, dict, "the document"))
    except _MalformedError as error:
        raise ResultError(source, str(error)) from None


class _MalformedError(Exception):
    """A problem in the JSON, raised before its source is added to the message."""


def _typed(value: object, kind: type[Kind], where: str) -> Kind:
    if type(value) is int and abs(value) > _LARGEST:
        raise _MalformedError(f"{where} must be a number of at most 2**63")
    if kind is float and type(value) is int:
        value = float(value)
    if not isinstance(value, kind) or (kind is not bool and isinstance(value, bool)):
        raise _MalformedError(f"{where} must be of type {kind.__name__}, got {type(value).__name__}")
    if isinstance(value, str) and has_surrogate(value):
        raise _MalformedError(f"{where} holds a lone surrogate")
    return value


def _items(value: object, kind: type[Kind], where: str) -> tuple[Kind, ...]:
    listed = _typed(value, list, where)
    return tuple(_typed(item, kind, f"{where}[{index}]") for index, item in enumerate(listed))


def _result(fields: dict[str, object]) -> Result:
    version = _typed(fields.get("schema_version"), int, "schema_version")
    if version != SCHEMA_VERSION:
        raise _MalformedError(f"its schema version is {version}, but this version of bleuprint reads {SCHEMA_VERSION}")
    references = _items(fields.get("references"), list, "references")
    result = Result(
        systems=tuple(
            _system(item, f"systems[{index}]")
            for index, item in enumerate(_items(fields.get("systems"), dict, "systems"))
        ),
        references=tuple(_items(item, str, f"references[{index}]") for index, item in enumerate(references)),
        sources=None if fields.get("sources") is None else _items(fields["sources"], str, "sources"),
        size=_typed(fields.get("size"), int, "size"),
        digests=_strings(fields.get("digests"), "digests"),
        versions=_strings(fields.get("versions"), "versions"),
        notes=_items(fields.get("notes"), str, "notes"),
        comparison=None if fields.get("comparison") is None else _typed(fields["comparison"], dict, "comparison"),
    )
    _check_agreement(result)
    return result


def _strings(value: object, where: str) -> dict[str, str]:
    return {name: _typed(text, str, f"{where}.{name}") for name, text in _typed(value, dict, where).items()}


def _system(fields: dict[str, object], where: str) -> SystemResult:
    scores = _items(fields.get("scores"), dict, f"{where}.scores")
    return SystemResult(
        name=_typed(fields.get("name"), str, f"{where}.name"),
        hypotheses=_items(fields.get("hypotheses"), str, f"{where}.hypotheses"),
        digest=_typed(fields.get("digest"), str, f"{where}.digest"),
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
    """Check that lists per segment have `size` items or none, that all systems have the same metrics, and digests."""
    counted = {len(result.references)} | {len(system.hypotheses) for system in result.systems}
    counted |= {len(result.sources)} if result.sources is not None else set()
    scored = {len(score.segments) for system in result.systems for score in system.scores}
    if len(counted) > 1 or not counted | scored <= {0, result.size}:
        raise _MalformedError("its lists of segments differ in length")
    if len({tuple(score.metric for score in system.scores) for system in result.systems}) > 1:
        raise _MalformedError("its systems do not have the same metrics")
    if not result.has_texts:
        return
    digested: list[tuple[str, str, Sequence[str | Sequence[str]]]] = [
        (system.name, system.digest, system.hypotheses) for system in result.systems
    ]
    for name, texts in (("references", result.references), ("sources", result.sources)):
        if texts is not None:
            digested.append((name, result.digests.get(name, ""), texts))
    for name, stored, segments in digested:
        if stored != digest_of(segments):
            raise _MalformedError(f"the texts of {name} do not match their digest")
