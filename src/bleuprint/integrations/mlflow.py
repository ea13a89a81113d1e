"""Log results to MLflow: scores as metrics, settings as params, the result itself as an artifact."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from hashlib import sha256

from bleuprint import signature
from bleuprint.errors import OptionError
from bleuprint.integrations._items import load_extra
from bleuprint.results import Result
from bleuprint.results.comparison import Comparison

__all__ = ["log_result"]

_BATCH = 100  # the most params that MLflow accepts at once
_LONGEST = 6000  # characters of a param that MLflow accepts
_LONGEST_NAME = 80  # characters; MLflow rejects keys of more than 250, and a key may name two systems
_TAKEN = re.compile(r"[_-](low|high|p[_-]value)$| [0-9a-f]{12}$")  # the ends of keys that are ours


def log_result(
    result: Result | Comparison,
    *,
    run_id: str | None = None,
    prefix: str = "",
    step: int | None = None,
    html: bool = False,
    artifact_folder: str = "bleuprint",
) -> str:
    """Log a result of `evaluate` or a comparison of `compare`, and return the id of the run.

    - `run_id`: the run to log to; by default the active one, or a new one
    - `prefix`: put before all names
    - `step`: the step of the metrics; also becomes part of the artifacts' names
    - `html`: also log a report
    - `artifact_folder`: folder for the result as JSON and the report

    A metric is named "bleu", or "system/bleu" if there are several systems; a comparison adds "bleu_low" and
    "bleu_high". Params are the signatures and all options in them, so that runs can be searched by tokenizer.

    >>> import bleuprint as bp
    >>> result = bp.evaluate(["the cat sat"], ["the cat sat down"], metrics=["bleu", "ter"])
    >>> run_id = log_result(result, prefix="newstest")  # doctest: +SKIP
    """
    mlflow = load_extra("mlflow", "bleuprint.integrations.mlflow", "mlflow-skinny", "mlflow")
    parts = log_parts(result, prefix=prefix, html=html)
    if run_id is None:
        run_id = str((mlflow.active_run() or mlflow.start_run()).info.run_id)
    client = mlflow.MlflowClient()
    # Only the path of a model can be longer than a param; the artifact contains it in full.
    texts = {
        key: text if len(text) <= _LONGEST else f"{text[: _LONGEST - 20]}… (cut)"
        for key, text in parts.settings.items()
    }
    params = [mlflow.entities.Param(key, text) for key, text in texts.items()]
    for begin in range(0, len(params), _BATCH):
        client.log_batch(run_id, params=params[begin : begin + _BATCH])
    now = int(1000 * time.time())
    client.log_batch(
        run_id, metrics=[mlflow.entities.Metric(key, value, now, step or 0) for key, value in parts.values.items()]
    )
    for name, text in parts.files.items():
        stem, _, kind = name.rpartition(".")
        file = name if step is None else f"{stem}-{step}.{kind}"
        client.log_text(
            run_id, text, "/".join(part for part in (artifact_folder, prefix and _key_of(prefix), file) if part)
        )
    return run_id


@dataclass(frozen=True, slots=True)
class LogParts:
    """The parts of a result to be logged."""

    # By "system/metric", or just "metric" if there is one system.
    values: dict[str, float] = field(default_factory=dict)
    settings: dict[str, str] = field(default_factory=dict)
    files: dict[str, str] = field(default_factory=dict)


def log_parts(result: Result | Comparison, *, prefix: str = "", html: bool = False) -> LogParts:
    """The parts of a result or a comparison, with the prefix before all keys.

    >>> from bleuprint import evaluate
    >>> result = evaluate({"A base": ["the cat"], "B": ["a cat"]}, ["the cat"], metrics=["gleu", "exact-match"])
    >>> parts = log_parts(result)
    >>> parts.values["A base/gleu"], parts.values["B/exact_match"], parts.settings["gleu/max_order"]
    (1.0, 0.0, '4')
    """
    if not isinstance(result, Result | Comparison):
        raise OptionError("result", "a Result of evaluate or a Comparison of compare", result)
    kept = LogParts()
    if isinstance(result, Result):
        _add_result(kept, result)
        kept.files["result.json"] = result.to_json()
        if html:
            kept.files["report.html"] = result.to_html()
    else:
        if html:
            raise OptionError("html", "False for a Comparison, because only a Result has a report", html)
        _add_comparison(kept, result)
        kept.settings["segments"] = str(result.segments)
        kept.files["comparison.json"] = result.to_json()
    before = prefix and f"{_key_of(prefix)}/"
    values = {before + key: value for key, value in kept.values.items()}
    return LogParts(values, {before + key: value for key, value in kept.settings.items()}, kept.files)


def _add_result(kept: LogParts, result: Result) -> None:
    _check_apart(result.metrics)
    systems = {system.name: _distinct_key(system.name) for system in result.systems}
    for system in result.systems:
        place = f"{systems[system.name]}/" if len(systems) > 1 else ""
        for score in system.scores:
            kept.values[place + _metric_key(score.metric)] = score.value
            _add_signature(kept, score.metric, score.signature, place)
    kept.settings["segments"] = str(result.size)
    kept.settings.update({f"{name}_digest": digest for name, digest in result.digests.items()})
    kept.settings.update({f"{name}_version": version for name, version in result.versions.items()})
    if result.comparison is not None:
        _add_comparison(kept, result.comparison)


def _add_comparison(kept: LogParts, comparison: Comparison) -> None:
    """Scores with their confidence intervals, and the p-value of each difference."""
    _check_apart(entry.metric for entry in comparison.metrics)
    kept.settings["comparison"] = comparison.signature
    for entry in comparison.metrics:
        metric = _metric_key(entry.metric)
        _add_signature(kept, entry.metric, entry.signature, "")
        systems = {system.name: _distinct_key(system.name) for system in entry.result.systems}
        for system in entry.result.systems:
            place, score = f"{systems[system.name]}/{metric}", system.score
            kept.values.update({place: score.value, f"{place}_low": score.low, f"{place}_high": score.high})
        for pair in entry.result.pairs:
            kept.values[f"{systems[pair.first]} vs {systems[pair.second]}/{metric}_p_value"] = pair.p_value


def _add_signature(kept: LogParts, metric: str, text: str, place: str) -> None:
    """The signature and its options; if systems have different signatures, each is stored under its own key."""
    key = f"{_metric_key(metric)}/signature"
    if kept.settings.get(key, text) != text:
        kept.settings[place + key] = text
        return
    kept.settings[key] = text
    for option, value in signature.parse(text).options.items():
        kept.settings[f"{_metric_key(metric)}/{option}"] = str(value)


def _metric_key(name: str) -> str:
    return _distinct_key(name).replace("-", "_")


def _check_apart(metrics: Iterable[str]) -> None:
    """Refuse names that differ in nothing but hyphens and underscores; one score would replace the other."""
    first_of: dict[str, str] = {}
    for name in metrics:
        first = first_of.setdefault(_metric_key(name), name)
        if first != name:
            raise OptionError.because(f"metrics {first!r} and {name!r} would be logged under one key; rename one")


def _key_of(text: str) -> str:
    """Replace characters that MLflow does not accept, including those that would form a path."""
    key = re.sub(r"[^\w.\- ]", "_", text)[:_LONGEST_NAME]
    return key if key.strip(". ") else re.sub(r"[. ]", "_", key) or "_"


def _distinct_key(name: str) -> str:
    """A key of its own for each name, whatever else is logged: one that is not its key as it is gets a digest."""
    key = _key_of(name)
    return key if key == name and not _TAKEN.search(name) else f"{key} {sha256(name.encode()).hexdigest()[:12]}"
