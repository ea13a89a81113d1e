"""What the other tests here rely on."""

from __future__ import annotations

import os
import socket

import pytest


def test_other_machines_are_out_of_reach() -> None:
    with socket.socket() as opened, pytest.raises(AssertionError, match=r"192\.0\.2\.1"):
        opened.connect(("192.0.2.1", 80))  # an address for documentation, which nobody has


def test_caches_are_those_of_this_run() -> None:
    from datasets import config

    assert str(config.HF_CACHE_HOME).startswith(os.environ["HF_HOME"])
    assert config.HF_HUB_OFFLINE
