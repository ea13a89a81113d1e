"""Read results from JSON. Every field is checked, and errors name the field."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from bleuprint import signature
from bleuprint.errors import ResultError, SignatureError
from bleuprint.metrics import registry
from bleuprint.metrics.base import Metric, Score
from bleuprint.results.fields import MalformedError, expect, one_of, record
from bleuprint.results.model import SCHEMA_VERSION, MetricResult, Result, digest_of
from bleuprint.statistics.exact_mean import ExactMean

if TYPE_CHECKING:
    from bleuprint.results.comparison import Comparison

Metrics = Mapping[str, Metric[Score]]

_SAME_VERSION = 2  # version 1 was called 2 while it was being designed
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
        return _read(expect(fields, dict, "the document"), metrics or {})
    except MalformedError as error:
        raise ResultError(source, str(error)) from None


def _read(fields: dict[str, object], given: Metrics) -> Result:
    """Read the fields of a result; `given` are the metrics that the registry cannot know."""
    version = expect(fields.get("schema_version"), int, "schema_version")
    if version not in {SCHEMA_VERSION, _SAME_VERSION}:
        raise MalformedError(f"its schema version is {version}, but this version of bleuprint reads {SCHEMA_VERSION}")
    stored = fields.get("comparison")
    comparison = None
    if stored is not None:
        from bleuprint.results.comparison import read_comparison  # which loads NumPy

        comparison = read_comparison(stored, "comparison")
    result = record(Result, fields, schema_version=SCHEMA_VERSION, comparison=comparison, counted=None)
    _check_agreement(result)
    for index, system in enumerate(result.systems):
        where = f"systems[{index}].scores"
        for place, score in enumerate(system.scores):
            _check_score(score, given, f"{where}[{place}]")
    if comparison is not None:
        _check_comparison(result, comparison)
    return result


def _check_score(score: MetricResult, given: Metrics, where: str) -> None:
    """Check the size of parts, the mean of a column, and which way the metric points."""
    for name, part in score.parts.items():
        if isinstance(part, tuple) and len(part) > _LONGEST_PART:
            raise MalformedError(f"{where}.parts.{name} must hold at most {_LONGEST_PART} numbers, got {len(part)}")
    if score.interval is not None and (len(score.interval) != 2 or score.interval[0] > score.interval[1]):
        raise MalformedError(f"{where}.interval must be its low and its high end, got {list(score.interval)}")
    if score.is_column and score.segments:
        mean = ExactMean().add(list(score.segments)).value
        if not math.isclose(score.value, mean, rel_tol=_ROUNDING, abs_tol=_ROUNDING):
            raise MalformedError(f"{where}.value is {score.value}, but the mean of its segments is {mean}")
    if score.higher_is_better != _higher_is_better(score, given, where):
        right, wrong = ("higher", "lower") if not score.higher_is_better else ("lower", "higher")
        raise MalformedError(
            f"{where}.higher_is_better says that {wrong} is better, but for {score.metric}, {right} is better"
        )


def _higher_is_better(score: MetricResult, given: Metrics, where: str) -> bool:
    """Which way the metric points; the file cannot decide it, as a gate would open the wrong way."""
    try:
        parsed = signature.parse(score.signature)
    except SignatureError as error:
        raise MalformedError(f"{where}.signature cannot be read: {str(error).removesuffix('.')}") from None
    if score.metric in given:
        return given[score.metric].higher_is_better
    name = parsed.metric
    if score.is_column:  # it has no metric, so its signature records the direction
        return expect(parsed.options.get("higher_is_better"), bool, f"higher_is_better in {where}.signature")
    if name in registry.names() or name in registry.plug_ins():
        return registry.find(name).higher_is_better
    raise MalformedError(
        f"{where}.signature names the metric {name}, which is neither built in nor announced by an installed "
        f"package: pass it in metrics={{{score.metric!r}: …}}"
    )


def _check_agreement(result: Result) -> None:
    """Check that lists per segment have `size` items or none, that all systems have the same metrics, and digests."""
    if not 1 <= result.size <= _MOST_SEGMENTS:
        raise MalformedError(f"size must be from 1 to 10 ** 12 segments, got {result.size}")
    counted = {len(system.hypotheses) for system in result.systems} or {len(result.references)}
    counted |= {len(result.segment_references)} if result.segment_references else set()
    counted |= {len(result.sources)} if result.sources is not None else set()
    scored = {len(score.segments) for system in result.systems for score in system.scores}
    scored |= {len(result.ids)} if result.ids is not None else set()
    if len(counted) > 1 or not counted | scored <= {0, result.size}:
        raise MalformedError("its lists of segments differ in length")
    if len({tuple(score.metric for score in system.scores) for system in result.systems}) > 1:
        raise MalformedError("its systems do not have the same metrics")
    named = {"systems": [system.name for system in result.systems], "systems[0].scores": result.metrics}
    named["ids"] = result.ids or ()
    for where, names in named.items():
        for name, count in Counter(names).items():
            if count > 1:
                raise MalformedError(f"{where} holds {name} {count} times")
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
            raise MalformedError(f"the texts of {name} do not match their digest")


def _check_comparison(result: Result, comparison: Comparison) -> None:
    """Check that a comparison is about the systems and metrics of the result."""
    names = [system.name for system in result.systems]
    for index, entry in enumerate(comparison.metrics):
        where = f"comparison.metrics[{index}]"
        metric = one_of(entry.metric, result.metrics, f"{where}.metric")
        if not 1 <= entry.result.segments <= result.size:
            raise MalformedError(f"{where}.segments must be from 1 to {result.size}, got {entry.result.segments}")
        if entry.result.higher_is_better != result.systems[0].score(metric).higher_is_better:
            raise MalformedError(f"{where}.higher_is_better is not that of {metric}")
        for place, system in enumerate(entry.result.systems):
            one_of(system.name, names, f"{where}.systems[{place}].name")
