"""Real packages without a network: what they would send or fetch is switched off before they are imported."""

from __future__ import annotations

import os
import sys

import pytest

from tests.support.documents import ROOT
from tests.with_torch.integrations.conftest import folder, no_network

__all__ = ["folder", "no_network"]

os.environ.update(
    {
        "DEEPEVAL_TELEMETRY_OPT_OUT": "YES",
        "DEEPEVAL_UPDATE_WARNING_OPT_OUT": "YES",
        "WEAVE_DISABLED": "true",  # scores, and sends nothing to a server
        "PROMPTFOO_DISABLE_TELEMETRY": "1",
        "PROMPTFOO_DISABLE_UPDATE": "1",
        "PROMPTFOO_DISABLE_REMOTE_GENERATION": "true",
        "PROMPTFOO_PYTHON": sys.executable,
        "PATH": f"{ROOT / '.venv-evals/node_modules/.bin'}:{os.environ['PATH']}",  # promptfoo, and the Node it needs
    }
)


@pytest.fixture(autouse=True)
def own_folder_of_promptfoo(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its database and logs stay out of the home folder."""
    monkeypatch.setenv("PROMPTFOO_CONFIG_DIR", str(tmp_path_factory.mktemp("promptfoo")))
