"""The examples for trackers run; those with prompts are read by tests/test_documents.py."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

DOCUMENT = Path(__file__).resolve().parent.parent.parent / "docs" / "integrations.md"


@pytest.mark.parametrize("section", ["MLflow", "Weights & Biases"])
def test_examples_run(section: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")
    for name in ("CACHE_DIR", "CONFIG_DIR", "DATA_DIR", "ARTIFACT_DIR"):
        monkeypatch.setenv(f"WANDB_{name}", str(folder / name.lower()))
    if section == "MLflow":
        import mlflow

        mlflow.set_tracking_uri((folder / "runs").as_uri())
        mlflow.set_experiment("documents")
    text = DOCUMENT.read_text(encoding="utf-8").partition(f"\n## {section}\n")[2].partition("\n## ")[0]
    (code,) = re.findall(r"```python\n(.*?)```", text, flags=re.DOTALL)
    exec(compile(code, str(DOCUMENT), "exec"), {"__name__": "document"})
    assert list(folder.rglob("*.json"))
