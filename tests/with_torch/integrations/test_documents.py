"""The blocks of documents, and the examples of docstrings, that need the real packages."""

from __future__ import annotations

import doctest
import json
from pathlib import Path
from typing import Any

import pytest

from bleuprint.integrations import hf, inspect
from tests.support.documents import documents_of, lay_out, relative
from tests.support.markdown import run_document
from tests.with_torch.integrations.test_inspect import says
from tests.with_torch.integrations.test_lm_eval import Parrot

# What the model says in the section on Inspect AI.
ANSWERS = {
    "Die Katze schläft heute.": "The cat sleeps today.",
    "Es regnet heute.": "It rains today.",
    "Hunde bellen in der Nacht.": "The dogs bark at night.",
}


@pytest.mark.parametrize("path", documents_of("integrations"), ids=relative)
def test_blocks_of_pages(path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import mlflow

    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")
    mlflow.set_tracking_uri((folder / "runs").as_uri())
    mlflow.set_experiment("documents")
    lay_out(folder)
    monkeypatch.syspath_prepend(folder)
    outputs = [json.loads(line) for line in Path("outputs.jsonl").read_text(encoding="utf-8").splitlines()]
    names = {
        "model": says(ANSWERS),
        "language_model": Parrot({line["source"]: line["mt"] for line in outputs}),
    }
    said = run_document(path, names, suite="integrations")
    assert not said, said
    for kept in ("result.json", "report.html"):
        assert len([file for file in folder.rglob(kept) if file.parent != folder]) == 1, kept


@pytest.mark.parametrize(("module", "name"), [(hf, "path"), (inspect, "scorer")])
def test_examples_that_are_left_out_elsewhere(module: Any, name: str) -> None:
    from inspect_ai.dataset import MemoryDataset, Sample

    dataset = MemoryDataset([Sample(input="a", target="b")])
    (test,) = doctest.DocTestFinder().find(getattr(module, name), name, module, extraglobs={"dataset": dataset})
    assert [example for example in test.examples if example.options.pop(doctest.SKIP, False)]
    said: list[str] = []
    doctest.DocTestRunner(verbose=False).run(test, out=said.append)
    assert "".join(said) == ""
