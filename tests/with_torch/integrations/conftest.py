"""Real packages without a network: what they would fetch is switched off before they are imported, caches are new."""

from __future__ import annotations

import os
import socket
import tempfile
from pathlib import Path
from typing import Any

import pytest

_FOLDER = tempfile.TemporaryDirectory(prefix="bleuprint-integrations-", ignore_cleanup_errors=True)
_SETTINGS = {
    "HF_HOME": f"{_FOLDER.name}/hf",
    "HF_HUB_OFFLINE": "1",
    "HF_DATASETS_OFFLINE": "1",
    "HF_EVALUATE_OFFLINE": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "INSPECT_LOG_DIR": f"{_FOLDER.name}/inspect",
    "INSPECT_DISPLAY": "none",
    "DO_NOT_TRACK": "true",
    "MLFLOW_DISABLE_TELEMETRY": "true",
    "TOKENIZERS_PARALLELISM": "false",
}
os.environ.update(_SETTINGS)  # while tests are collected, before anything imports what reads them

_LOCAL = {"127.0.0.1", "::1", "localhost"}


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """A test that reaches for another machine fails."""
    connect = socket.socket.connect

    def local(self: socket.socket, address: Any) -> None:
        if self.family in (socket.AF_INET, socket.AF_INET6) and address[0] not in _LOCAL:
            raise AssertionError(f"a test wants to reach {address}")
        connect(self, address)

    monkeypatch.setattr(socket.socket, "connect", local)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, which is the current one."""
    monkeypatch.chdir(tmp_path)
    return tmp_path
