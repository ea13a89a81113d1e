"""Results in MLflow, read back through its client."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import bleuprint as bp
from bleuprint.integrations.mlflow import log_parts, log_result
from bleuprint.results import Result
from bleuprint.runners.comparisons import compare_result
from tests.with_torch.integrations.texts import PREDICTIONS, REFERENCES, SOURCES


@pytest.fixture
def client(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")  # a database would need the whole of MLflow
    import mlflow

    monkeypatch.chdir(tmp_path)
    mlflow.set_tracking_uri((tmp_path / "runs").as_uri())
    mlflow.set_registry_uri((tmp_path / "runs").as_uri())
    mlflow.set_experiment("scores")
    yield mlflow.MlflowClient()
    while mlflow.active_run() is not None:
        mlflow.end_run()


def text_of(client: Any, run_id: str, path: str, folder: Path) -> str:
    return Path(client.download_artifacts(run_id, path, str(folder))).read_text(encoding="utf-8")


def test_a_result(client: Any, tmp_path: Path) -> None:
    import mlflow

    result = bp.evaluate(PREDICTIONS, REFERENCES, metrics=["bleu", "chrf", "exact-match"])
    with mlflow.start_run() as run:
        assert log_result(result) == run.info.run_id
    data = client.get_run(run.info.run_id).data
    assert data.metrics == {score.metric.replace("-", "_"): score.value for score in result.systems[0].scores}
    assert data.params["bleu/signature"] == result.systems[0].scores[0].signature
    assert data.params["bleu/tokenizer"] == "13a"
    assert data.params == log_parts(result).settings
    assert [file.path for file in client.list_artifacts(run.info.run_id, "bleuprint")] == ["bleuprint/result.json"]
    assert Result.from_json(text_of(client, run.info.run_id, "bleuprint/result.json", tmp_path)) == result
    found = client.search_runs([run.info.experiment_id], "metrics.exact_match < 0.5 and params.segments = '6'")
    assert [other.info.run_id for other in found] == [run.info.run_id]


def test_systems_with_awkward_names_and_a_comparison(client: Any, tmp_path: Path) -> None:
    import mlflow

    systems = {"base: v1/α": PREDICTIONS, "..": SOURCES, "50 % (new)": [text.upper() for text in PREDICTIONS]}
    result = compare_result(bp.evaluate(systems, REFERENCES, metrics=["bleu", "ter"]))
    with mlflow.start_run() as run:
        log_result(result, prefix="news/2026", html=True)
        log_result(bp.compare(systems, REFERENCES, metrics=["bleu", "ter"]), prefix="alone")
    data = client.get_run(run.info.run_id).data
    (key,) = [key for key in data.metrics if re.fullmatch(r"news_2026/base_ v1_α [0-9a-f]{12}/bleu", key)]
    assert data.metrics[key] == result.systems[0].scores[0].value
    own = {key: value for key, value in data.metrics.items() if key.startswith("news_2026/")}
    assert own == log_parts(result, prefix="news/2026").values
    assert {key.replace("news_2026", "alone"): value for key, value in own.items()}.items() <= data.metrics.items()
    assert text_of(client, run.info.run_id, "bleuprint/news_2026/report.html", tmp_path) == result.to_html()
    assert "clusters" in text_of(client, run.info.run_id, "bleuprint/alone/comparison.json", tmp_path)


def test_steps_and_another_run(client: Any) -> None:
    run_id = client.create_run(client.get_experiment_by_name("scores").experiment_id).info.run_id
    values = []
    for step in (1, 2):
        result = bp.evaluate(PREDICTIONS[step:], REFERENCES[step:], metrics="gleu")
        values.append(result.systems[0].scores[0].value)
        with pytest.MonkeyPatch.context() as patch:
            if step == 2:  # params of a run cannot change: the same test set is scored again and again
                parts = replace(log_parts(result), settings={})
                patch.setattr("bleuprint.integrations.mlflow.log_parts", lambda *_, parts=parts, **__: parts)
            assert log_result(result, run_id=run_id, step=step) == run_id
    history = client.get_metric_history(run_id, "gleu")
    assert [(entry.step, entry.value) for entry in history] == [(1, values[0]), (2, values[1])]
    names = sorted(file.path for file in client.list_artifacts(run_id, "bleuprint"))
    assert names == ["bleuprint/result-1.json", "bleuprint/result-2.json"]


def test_the_same_result_twice_and_a_run_of_its_own(client: Any) -> None:
    import mlflow

    result = bp.evaluate(PREDICTIONS, REFERENCES)
    assert mlflow.active_run() is None
    run_id = log_result(result)
    assert mlflow.active_run().info.run_id == run_id
    assert log_result(result, step=1) == run_id
    assert [entry.step for entry in client.get_metric_history(run_id, "bleu")] == [0, 1]


def test_many_metrics_and_long_settings(client: Any) -> None:
    metrics: dict[str, Any] = {f"bleu {order}": bp.BLEU(max_order=order) for order in range(1, 12)}
    result = bp.evaluate(PREDICTIONS, REFERENCES, metrics=metrics)
    kept = log_parts(result)
    kept.settings["path"] = "x" * 10_000
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("bleuprint.integrations.mlflow.log_parts", lambda *_, **__: kept)
        data = client.get_run(log_result(result)).data
    assert len(data.params) == len(kept.settings) > 100
    assert data.params["path"].endswith("xxx… (cut)")
    assert data.params["bleu 11/signature"] == result.systems[0].score("bleu 11").signature
