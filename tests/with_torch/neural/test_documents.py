"""What the documents show of metrics that run models."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.documents import documents_of, lay_out, relative
from tests.support.markdown import run_document


@pytest.mark.parametrize("path", documents_of("neural"), ids=relative)
def test_blocks_run(path: Path, causal_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lay_out(tmp_path)
    (tmp_path / "path" / "of").mkdir(parents=True)
    (tmp_path / "path" / "of" / "gpt2").symlink_to(causal_folder)
    monkeypatch.chdir(tmp_path)
    assert run_document(path, suite="neural") == ""
