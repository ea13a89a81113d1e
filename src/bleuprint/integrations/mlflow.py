"""Log results to MLflow: scores as metrics, settings as params, the result itself as an artifact."""

from __future__ import annotations

import time

from bleuprint.integrations._items import load_extra
from bleuprint.integrations._logged import key_of, log_parts
from bleuprint.results import Result
from bleuprint.results.comparison import Comparison

__all__ = ["log_result"]

_BATCH = 100  # the most params that MLflow accepts at once
_LONGEST = 6000  # characters of a param that MLflow accepts


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
            run_id, text, "/".join(part for part in (artifact_folder, prefix and key_of(prefix), file) if part)
        )
    return run_id
