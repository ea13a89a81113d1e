"""The blocks of documents that need these packages."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.documents import documents_of, lay_out, relative
from tests.support.markdown import run_document


@pytest.mark.parametrize("path", documents_of("evals"), ids=relative)
def test_blocks_of_pages(path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lay_out(folder)
    monkeypatch.syspath_prepend(folder)
    assert run_document(path, suite="evals") == ""
