"""Read results from JSON. Every field is checked, and errors name the field."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from bleuprint import signature
from bleuprint.core.unicode import has_surrogate
from bleuprint.errors import ResultError, SignatureError
from bleuprint.metrics import registry
from bleuprint.metrics.base.metric import Metric
from bleuprint.metrics.base.score import Part
from bleuprint.results.digests import digest_of
from bleuprint.results.model import SCHEMA_VERSION, MetricResult, Result, SystemResult
from bleuprint.statistics.exact_mean import ExactMean

__all__ = ["read_result"]

Kind = TypeVar("Kind")
Metrics = Mapping[str, Metric[Any]]

_LARGEST = 2**63 - 1  # counts are int64
_MOST_SEGMENTS = 10**12  # far more than was ever scored, and few enough to multiply
_ROUNDING = 1e-9  # another program may have rounded the mean otherwise
_LONGEST_PART = 1000  # numbers in one part of a score; the longest n-grams are of order 16


def read_result(text: str, source: str, metrics: Metrics | None = None) -> Result:
    """Restore a result from `Result.to_json`; `source` names the text in errors, `metrics` are those of the caller."""
    try:
        fields = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ResultError(source, f"it is not valid JSON ({error})") from None
    try:
        return _Reader(metrics or {}).result(_typed(fields, dict, "the document"))
    except _MalformedError as error:
        raise ResultError(source, str(error)) from None


class _MalformedError(Exception):
    """A problem in the JSON, raised before its source is added to the message."""


def _typed(value: object, kind: type[Kind], where: str) -> Kind:
    if type(value) is int and not -_LARGEST <= value <= _LARGEST:
        raise _MalformedError(
            f"{where} must be at most 2 ** 63 - 1 in size, got an integer of {value.bit_length()} bits"
        )
    if kind is float and type(value) is int:
        value = float(value)
    if not isinstance(value, kind) or (kind is not bool and isinstance(value, bool)):
        raise _MalformedError(f"{where} must be of type {kind.__name__}, got {type(value).__name__}")
    if isinstance(value, float) and not math.isfinite(value):
        raise _MalformedError(f"{where} must be a finite number, got {value}")
    if isinstance(value, str) and has_surrogate(value):
        raise _MalformedError(f"{where} holds a lone surrogate")
    return value


def _items(value: object, kind: type[Kind], where: str) -> tuple[Kind, ...]:
    listed = _typed(value, list, where)
    return tuple(_typed(item, kind, f"{where}[{index}]") for index, item in enumerate(listed))


def _strings(value: object, where: str) -> dict[str, str]:
    return {name: _typed(text, str, f"{where}.{name}") for name, text in _typed(value, dict, where).items()}


def _distinct(names: Sequence[str], where: str) -> None:
    for name, count in Counter(names).items():
        if count > 1:
            raise _MalformedError(f"{where} holds {name} {count} times")


class _Reader:
    """Reads the fields of one result; `given` are the metrics that the registry cannot know."""

    def __init__(self, given: Metrics) -> None:
        self._given = given

    def result(self, fields: dict[str, object]) -> Result:
        version = _typed(fields.get("schema_version"), int, "schema_version")
        if version != SCHEMA_VERSION:
            raise _MalformedError(
                f"its schema version is {version}, but this version of bleuprint reads {SCHEMA_VERSION}"
            )
        references = _items(fields.get("references"), list, "references")
        systems = _items(fields.get("systems"), dict, "systems")
        result = Result(
            systems=tuple(self._system(item, f"systems[{index}]") for index, item in enumerate(systems)),
            references=tuple(_items(item, str, f"references[{index}]") for index, item in enumerate(references)),
            sources=None if fields.get("sources") is None else _items(fields["sources"], str, "sources"),
            size=_typed(fields.get("size"), int, "size"),
            digests=_strings(fields.get("digests"), "digests"),
            versions=_strings(fields.get("versions"), "versions"),
            notes=_items(fields.get("notes"), str, "notes"),
            ids=None if fields.get("ids") is None else _items(fields["ids"], str, "ids"),
            comparison=None if fields.get("comparison") is None else _typed(fields["comparison"], dict, "comparison"),
        )
        _check_agreement(result)
        if result.comparison is not None:
            _check_comparison(result, result.comparison)
        return result

    def _system(self, fields: dict[str, object], where: str) -> SystemResult:
        scores = _items(fields.get("scores"), dict, f"{where}.scores")
        system = SystemResult(
            name=_typed(fields.get("name"), str, f"{where}.name"),
            hypotheses=_items(fields.get("hypotheses"), str, f"{where}.hypotheses"),
            digest=_typed(fields.get("digest"), str, f"{where}.digest"),
            scores=tuple(self._score(item, f"{where}.scores[{index}]") for index, item in enumerate(scores)),
        )
        _distinct([score.metric for score in system.scores], f"{where}.scores")
        return system

    def _score(self, fields: dict[str, object], where: str) -> MetricResult:
        parts = _typed(fields.get("parts"), dict, f"{where}.parts")
        score = MetricResult(
            metric=_typed(fields.get("metric"), str, f"{where}.metric"),
            higher_is_better=_typed(fields.get("higher_is_better"), bool, f"{where}.higher_is_better"),
            value=_typed(fields.get("value"), float, f"{where}.value"),
            parts={name: _part(value, f"{where}.parts.{name}") for name, value in parts.items()},
            signature=_typed(fields.get("signature"), str, f"{where}.signature"),
            segments=_items(fields.get("segments"), float, f"{where}.segments"),
            segment_signature=_typed(fields.get("segment_signature"), str, f"{where}.segment_signature"),
            unit="pool" if fields.get("unit") == "pool" else "segment",
        )
        if score.is_column and score.segments:
            mean = ExactMean().add(list(score.segments)).value
            if not math.isclose(score.value, mean, rel_tol=_ROUNDING, abs_tol=_ROUNDING):
                raise _MalformedError(f"{where}.value is {score.value}, but the mean of its segments is {mean}")
        if score.higher_is_better != self._higher_is_better(score, where):
            right, wrong = ("higher", "lower") if not score.higher_is_better else ("lower", "higher")
            raise _MalformedError(
                f"{where}.higher_is_better says that {wrong} is better, but for {score.metric}, {right} is better"
            )
        return score

    def _higher_is_better(self, score: MetricResult, where: str) -> bool:
        """Which way the metric points; the file cannot decide it, as a gate would open the wrong way."""
        try:
            parsed = signature.parse(score.signature)
        except SignatureError as error:
            raise _MalformedError(f"{where}.signature cannot be read: {str(error).removesuffix('.')}") from None
        if score.metric in self._given:
            return self._given[score.metric].higher_is_better
        name = parsed.metric
        if score.is_column:  # it has no metric, so its signature records the direction
            return _typed(parsed.options.get("higher_is_better"), bool, f"higher_is_better in {where}.signature")
        kind = registry.find(name) if name in registry.names() or name in registry.announced() else None
        if kind is None:
            raise _MalformedError(
                f"{where}.signature names the metric {name}, which is neither built in nor announced by an installed "
                f"package: pass it in metrics={{{score.metric!r}: …}}"
            )
        return kind.higher_is_better


def _part(value: object, where: str) -> Part:
    if isinstance(value, list):
        if len(value) > _LONGEST_PART:
            raise _MalformedError(f"{where} must hold at most {_LONGEST_PART} numbers, got {len(value)}")
        if all(type(item) is int for item in value):
            return _items(value, int, where)
        return _items(value, float, where)
    return _typed(value, int, where) if type(value) is int else _typed(value, float, where)


def _check_agreement(result: Result) -> None:
    """Check that lists per segment have `size` items or none, that all systems have the same metrics, and digests."""
    if not 1 <= result.size <= _MOST_SEGMENTS:
        raise _MalformedError(f"size must be from 1 to 10 ** 12 segments, got {result.size}")
    counted = {len(system.hypotheses) for system in result.systems} or {len(result.references)}
    counted |= {len(result.references)} if result.references else set()
    counted |= {len(result.sources)} if result.sources is not None else set()
    scored = {len(score.segments) for system in result.systems for score in system.scores}
    scored |= {len(result.ids)} if result.ids is not None else set()
    if len(counted) > 1 or not counted | scored <= {0, result.size}:
        raise _MalformedError("its lists of segments differ in length")
    if len({tuple(score.metric for score in system.scores) for system in result.systems}) > 1:
        raise _MalformedError("its systems do not have the same metrics")
    _distinct([system.name for system in result.systems], "systems")
    if not result.has_texts:
        return
    digested: list[tuple[str, str, Sequence[str | Sequence[str]]]] = [
        (system.name, system.digest, system.hypotheses) for system in result.systems
    ]
    for name, texts in (("references", result.references), ("sources", result.sources)):
        if texts:
            digested.append((name, result.digests.get(name, ""), texts))
    for name, stored, segments in digested:
        if stored != digest_of(segments):
            raise _MalformedError(f"the texts of {name} do not match their digest")


_INTERVAL = {
    "value": float,
    "low": float,
    "high": float,
    "mean": float,
    "level": float,
    "method": str,
    "samples": int,
}
_PAIR = {
    "p_value": float,
    "corrected_p_value": float,
    "test": str,
    "samples": int,
    "standard_error": float,
    "detectable": float,
    "has_percent": bool,
    "verdict": str,
}


def _check_comparison(result: Result, comparison: Mapping[str, Any]) -> None:
    """Check a comparison as `Comparison.to_dict` writes it; fields added by later versions only need valid numbers."""
    _check_plain(comparison, "comparison")
    _typed(comparison.get("signature"), str, "comparison.signature")
    names = [system.name for system in result.systems]
    for index, entry in enumerate(_items(comparison.get("metrics"), dict, "comparison.metrics")):
        where = f"comparison.metrics[{index}]"
        metric = _one_of(entry.get("metric"), result.metrics, f"{where}.metric")
        _typed(entry.get("signature"), str, f"{where}.signature")
        if not 1 <= _typed(entry.get("segments"), int, f"{where}.segments") <= result.size:
            raise _MalformedError(f"{where}.segments must be from 1 to {result.size}, got {entry['segments']}")
        higher = _typed(entry.get("higher_is_better"), bool, f"{where}.higher_is_better")
        if higher != result.systems[0].score(metric).higher_is_better:
            raise _MalformedError(f"{where}.higher_is_better is not that of {metric}")
        for place, system in enumerate(_items(entry.get("systems"), dict, f"{where}.systems")):
            _one_of(system.get("name"), names, f"{where}.systems[{place}].name")
            _check_fields(system.get("score"), _INTERVAL, f"{where}.systems[{place}].score")
        for place, pair in enumerate(_items(entry.get("pairs"), dict, f"{where}.pairs")):
            _check_pair(pair, names, f"{where}.pairs[{place}]")
        for place, cluster in enumerate(_items(entry.get("clusters"), list, f"{where}.clusters")):
            for inner, name in enumerate(cluster):
                _one_of(name, names, f"{where}.clusters[{place}][{inner}]")
        _items(entry.get("notes"), str, f"{where}.notes")


def _check_pair(pair: dict[str, object], names: Sequence[str], where: str) -> None:
    _check_fields(pair, _PAIR, where)
    _check_fields(pair.get("difference"), _INTERVAL, f"{where}.difference")
    first, second = (_one_of(pair.get(side), names, f"{where}.{side}") for side in ("first", "second"))
    if "better" not in pair:
        raise _MalformedError(f"{where}.better is missing")
    if pair["better"] is not None:
        _one_of(pair["better"], (first, second), f"{where}.better")
    if pair.get("segments_needed") is not None:
        _typed(pair["segments_needed"], int, f"{where}.segments_needed")
    for key in ("p_value", "corrected_p_value"):
        if not 0 <= _typed(pair[key], float, f"{where}.{key}") <= 1:
            raise _MalformedError(f"{where}.{key} must be from 0 to 1, got {pair[key]}")


def _check_fields(value: object, kinds: Mapping[str, type], where: str) -> None:
    fields = _typed(value, dict, where)
    for key, kind in kinds.items():
        _typed(fields.get(key), kind, f"{where}.{key}")


def _one_of(value: object, allowed: Sequence[str], where: str) -> str:
    name = _typed(value, str, where)
    if name not in allowed:
        raise _MalformedError(f"{where} must be one of {', '.join(allowed)}, got {name!r}")
    return name


def _check_plain(value: object, where: str) -> None:
    """Check the numbers and texts of any JSON value, with a list of what is left to do, as it can be nested deeply."""
    pending = [(value, where)]
    while pending:
        item, place = pending.pop()
        if isinstance(item, dict):
            pending += [(inner, f"{place}.{key}") for key, inner in item.items()]
        elif isinstance(item, list):
            pending += [(inner, f"{place}[{index}]") for index, inner in enumerate(item)]
        elif item is not None:
            _typed(item, type(item), place)
