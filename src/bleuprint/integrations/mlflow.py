"""Results as runs of MLflow: scores are metrics, settings are params, the result itself is an artifact."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from bleuprint.errors import MissingExtraError
from bleuprint.integrations._logged import Logged, key_of, logged
from bleuprint.results import Result
from bleuprint.runners.comparisons import Comparison

__all__ = ["log_result"]

_BATCH = 100  # the most params that MLflow takes at once
_LONGEST_PARAM = 6000  # characters that MLflow takes


def log_result(
    result: Result | Comparison,
    *,
    run_id: str | None = None,
    prefix: str = "",
    step: int | None = None,
    html: bool = False,
    artifact_folder: str = "bleuprint",
) -> str:
    """Log a result of `evaluate` or a comparison of `compare`; what comes back is the id of the run.

    The run is the active one, or a new one as MLflow starts it, unless `run_id` names another. A metric is called
    "bleu", or "system/bleu" where there are several systems, with "bleu_low" and "bleu_high" beside it where it was
    compared. Params are the signatures and every option in them, so that runs can be searched by tokenizer. The whole
    result is stored as JSON, and with `html` as a report; with `step` these have the step in their names.

    >>> import bleuprint as bp
    >>> result = bp.evaluate(["the cat sat"], ["the cat sat down"], metrics=["bleu", "ter"])
    >>> run_id = log_result(result, prefix="newstest")  # doctest: +SKIP
    """
    mlflow = _mlflow()
    kept = logged(result, prefix=prefix, html=html)
    if run_id is None:
        run_id = str((mlflow.active_run() or mlflow.start_run()).info.run_id)
    client = mlflow.MlflowClient()
    for batch in _batches(_params(kept)):
        client.log_batch(run_id, params=[mlflow.entities.Param(key, value) for key, value in batch.items()])
    now = int(1000 * time.time())
    client.log_batch(
        run_id, metrics=[mlflow.entities.Metric(key, value, now, step or 0) for key, value in kept.values.items()]
    )
    for name, text in kept.files.items():
        stem, _, kind = name.rpartition(".")
        file = name if step is None else f"{stem}-{step}.{kind}"
        client.log_text(
            run_id, text, "/".join(part for part in (artifact_folder, prefix and key_of(prefix), file) if part)
        )
    return run_id


def _params(kept: Logged) -> dict[str, str]:
    # Only a model's path can be that long; the artifact has it whole.
    return {
        key: value if len(value) <= _LONGEST_PARAM else f"{value[: _LONGEST_PARAM - 20]}… (cut)"
        for key, value in kept.settings.items()
    }


def _batches(params: Mapping[str, str]) -> list[dict[str, str]]:
    items = list(params.items())
    return [dict(items[begin : begin + _BATCH]) for begin in range(0, len(items), _BATCH)]


def _mlflow() -> Any:
    try:
        import mlflow
    except ImportError as error:
        raise MissingExtraError("bleuprint.integrations.mlflow", ("mlflow-skinny",), "mlflow") from error
    return mlflow
