"""Log results to Weights & Biases: scores in the summary, settings in the config, the result as an artifact."""

from __future__ import annotations

import warnings
from types import ModuleType
from typing import TYPE_CHECKING

from bleuprint import checks
from bleuprint.errors import OptionError
from bleuprint.integrations._items import load_extra
from bleuprint.integrations._logged import key_of, log_parts
from bleuprint.results import Result, segment_columns
from bleuprint.results.comparison import Comparison

if TYPE_CHECKING:
    from wandb import Table
    from wandb.sdk.wandb_run import Run

__all__ = ["log_result"]


def log_result(
    result: Result | Comparison,
    *,
    run: Run | None = None,
    prefix: str = "",
    step: int | None = None,
    html: bool = False,
    segments: bool = False,
    most_rows: int = 10_000,
    artifact: str = "bleuprint-result",
) -> None:
    """Log a result of `evaluate` or a comparison of `compare`.

    - `run`: the run to log to; the current one by default
    - `prefix`: put before all names
    - `step`: log scores to the history at this step as well as to the summary
    - `html`: add a report to the artifact
    - `segments`: log a table with the texts and scores of all segments
    - `most_rows`: size limit of that table; a warning and the summary report how many rows were left out
    - `artifact`: name of the artifact that contains the whole result

    A score is named "bleu", or "system/bleu" if there are several systems; a comparison adds "bleu_low" and
    "bleu_high". Signatures and all options in them go to the config under "bleuprint".

    >>> import bleuprint as bp
    >>> result = bp.evaluate(["the cat sat"], ["the cat sat down"], metrics=["bleu", "ter"])
    >>> with wandb.init(project="translation") as run:  # doctest: +SKIP
    ...     log_result(result, run=run, segments=True)
    """
    wandb = load_extra("wandb", "bleuprint.integrations.wandb", "wandb", "wandb")
    run = wandb.run if run is None else run
    if run is None:
        raise OptionError("run", "a run; pass one or call wandb.init() first", None)
    checks.integer("most_rows", most_rows)
    parts = log_parts(result, prefix=prefix, html=html)
    tables, left_out = _tables(wandb, result, prefix, most_rows) if segments else ({}, {})
    numbers = {**parts.values, **left_out}
    run.config.update({"bleuprint": {**run.config.get("bleuprint", {}), **parts.settings}}, allow_val_change=True)
    if step is None:
        run.summary.update(numbers)
        numbers = {}
    if numbers or tables:
        run.log({**numbers, **tables}, step=step)
    files = wandb.Artifact(artifact, type="evaluation")
    for file, text in parts.files.items():
        with files.new_file(file, mode="w", encoding="utf-8") as stream:
            stream.write(text)
    run.log_artifact(files)


def _tables(
    wandb: ModuleType, result: Result | Comparison, prefix: str, most_rows: int
) -> tuple[dict[str, Table], dict[str, float]]:
    """The table with the first rows, and the number of rows left out, if any."""
    if not isinstance(result, Result):
        raise OptionError("segments", "False for a Comparison, which has no segments", True)
    columns = segment_columns(result)
    if "references" in columns:
        columns["references"] = ["\n".join(texts) for texts in columns["references"]]
    rows = [list(row) for row in zip(*columns.values(), strict=True)]
    key = f"{key_of(prefix)}/segments" if prefix else "segments"
    tables = {key: wandb.Table(columns=list(columns), data=rows[:most_rows])}
    left_out = len(rows) - most_rows
    if left_out <= 0:
        return tables, {}
    warnings.warn(
        f"the table of segments is limited to {most_rows:,} rows and {left_out:,} are left out; "
        "pass most_rows=… for more, or use the artifact, which has all",
        stacklevel=3,
    )
    return tables, {f"{key}_left_out": left_out}
