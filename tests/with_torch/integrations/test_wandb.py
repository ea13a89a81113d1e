"""Results in Weights & Biases, without its server: read back from the run and from the files it leaves."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import bleuprint as bp
from bleuprint.errors import OptionError
from bleuprint.integrations._logged import log_parts
from bleuprint.integrations.wandb import log_result
from bleuprint.results import Result, segment_columns
from bleuprint.runners.comparisons import compare_result
from tests.with_torch.integrations.texts import PREDICTIONS, REFERENCES, SOURCES

RESULT = bp.evaluate(PREDICTIONS, REFERENCES, metrics=["bleu", "exact-match"])


@pytest.fixture(params=["offline", "disabled"])
def run(request: pytest.FixtureRequest, offline_wandb: Any, folder: Path) -> Iterator[Any]:
    with offline_wandb.init(project="scores", mode=request.param, dir=folder) as opened:
        yield opened


def finish(run: Any) -> None:
    """Everything is on disk only when the process behind wandb is gone."""
    import wandb

    run.finish()
    wandb.teardown()


def stored(tmp_path: Path, pattern: str) -> list[str]:
    return [path.read_text(encoding="utf-8") for path in sorted(tmp_path.rglob(pattern)) if path.is_file()]


def numbers(run: Any) -> dict[str, float]:
    return {key: value for key, value in dict(run.summary).items() if isinstance(value, int | float) and key[0] != "_"}


def test_a_result(run: Any, tmp_path: Path) -> None:
    log_result(RESULT)
    assert (
        numbers(run)
        == log_parts(RESULT).values
        == {score.metric.replace("-", "_"): score.value for score in RESULT.systems[0].scores}
    )
    assert run.config["bleuprint"]["bleu/signature"] == RESULT.systems[0].scores[0].signature
    finish(run)
    if not run.disabled:
        (file,) = tmp_path.rglob("run-*.wandb")
        assert RESULT.systems[0].scores[0].signature.encode() in file.read_bytes()


def test_systems_and_a_comparison(run: Any) -> None:
    systems = {"base: v1": PREDICTIONS, "other": SOURCES}
    result = compare_result(bp.evaluate(systems, REFERENCES, metrics=["bleu", "ter"]))
    log_result(result, run=run, html=True, prefix="news")
    comparison = bp.compare(systems, REFERENCES, metrics=["bleu"])
    log_result(comparison, run=run, artifact="comparison")
    assert numbers(run) == {**log_parts(result, prefix="news").values, **log_parts(comparison).values}
    assert run.config["bleuprint"] == {**log_parts(result, prefix="news").settings, **log_parts(comparison).settings}


def test_segments(run: Any, tmp_path: Path) -> None:
    log_result(RESULT, run=run, segments=True, html=True)
    finish(run)
    if run.disabled:
        return
    (table,) = map(json.loads, stored(tmp_path, "*.table.json"))
    columns = segment_columns(RESULT)
    columns["references"] = ["\n".join(texts) for texts in columns["references"]]
    assert table["columns"] == list(columns)
    assert table["data"] == [list(row) for row in zip(*columns.values(), strict=True)]


def test_more_segments_than_allowed_are_not_left_out_in_silence(run: Any, tmp_path: Path) -> None:
    with pytest.warns(UserWarning, match=r"is limited to 4 rows and 2 are left out; pass most_rows=… for more"):
        log_result(RESULT, run=run, segments=True, most_rows=4)
    assert run.summary["segments_left_out"] == 2
    finish(run)
    if not run.disabled:
        (table,) = map(json.loads, stored(tmp_path, "*.table.json"))
        assert [row[0] for row in table["data"]] == [1, 2, 3, 4]


def test_the_artifact_holds_the_result(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    kept: list[Any] = []
    monkeypatch.setattr(run, "log_artifact", kept.append)
    log_result(RESULT, run=run, html=True)
    (artifact,) = kept
    assert (artifact.name, artifact.type) == ("bleuprint-result", "evaluation")
    files = {name: Path(entry.local_path) for name, entry in artifact.manifest.entries.items()}
    assert Result.read_json(files["result.json"]) == RESULT
    assert files["report.html"].read_text(encoding="utf-8") == RESULT.to_html()


def test_steps(run: Any) -> None:
    log_result(RESULT, run=run, step=1)
    log_result(bp.evaluate(REFERENCES_ALONE, REFERENCES_ALONE, metrics=["bleu"]), run=run, step=2)
    run.log({}, step=3)  # what belongs to a step is kept when the next begins
    assert run.summary["bleu"] == 1.0


REFERENCES_ALONE = [texts[0] for texts in REFERENCES]


def test_what_is_refused(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    import wandb

    with pytest.raises(OptionError, match=r"^most_rows must be an integer of at least 1, got 0"):
        log_result(RESULT, run=run, segments=True, most_rows=0)
    comparison = bp.compare({"A": PREDICTIONS, "B": SOURCES}, REFERENCES)
    with pytest.raises(OptionError, match=r"^segments must be False for a Comparison"):
        log_result(comparison, run=run, segments=True)
    assert numbers(run) == {}
    monkeypatch.setattr(wandb, "run", None)
    with pytest.raises(OptionError, match=r"^run must be a run; pass one or call wandb.init\(\) first"):
        log_result(RESULT)
