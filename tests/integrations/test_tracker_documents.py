"""The examples for trackers run; those with prompts are read by tests/test_documents.py."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

DOCUMENT = Path(__file__).resolve().parent.parent.parent / "docs" / "integrations.md"


def run_section(section: str) -> None:
    text = DOCUMENT.read_text(encoding="utf-8").partition(f"\n## {section}\n")[2].partition("\n## ")[0]
    (code,) = re.findall(r"```python\n(.*?)```", text, flags=re.DOTALL)
    exec(compile(code, str(DOCUMENT), "exec"), {"__name__": "document"})


def test_mlflow(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")
    import mlflow

    mlflow.set_tracking_uri((folder / "runs").as_uri())
    mlflow.set_experiment("documents")
    run_section("MLflow")
    assert len(list(folder.rglob("result.json"))) == len(list(folder.rglob("comparison.json"))) == 1


def test_wandb(folder: Path, offline_wandb: Any) -> None:
    run_section("Weights & Biases")
    offline_wandb.teardown()
    assert len(list(folder.rglob("*.table.json"))) == 1
