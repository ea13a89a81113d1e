"""What a process pays: for the import, and for a stream. Forks, threads, signals and limits are in tests/hostile."""

from __future__ import annotations

import sys

import pytest

from tests.hostile.processes import child
from tests.support.processes import run_python

MEGABYTE = 2**20

linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc, which only Linux has")


def imported_by(statement: str) -> set[str]:
    return set(run_python("-c", f"import sys; {statement}; print(*sys.modules)").split())


def test_import_is_light() -> None:
    heavy = {
        "numpy",
        "click",
        "rich",
        "jinja2",
        "asyncio",
        "pandas",
        "pyarrow",
        "json",
        "hashlib",
        "logging",
        "pathlib",
        "tempfile",
        "threading",
    }
    assert not imported_by("import bleuprint") & heavy
    pair = "import bleuprint; bleuprint.sentence_bleu('a b', ['a b', 'c']); bleuprint.corpus_bleu(['a'], ['a'])"
    assert not imported_by(pair) & heavy
    assert "numpy" in imported_by("import bleuprint; bleuprint.sentence_bleus(['a'], ['a'])")


@linux
@pytest.mark.parametrize("thousands", [200, pytest.param(1000, marks=pytest.mark.slow)])
def test_a_million_segments_stream_in_constant_memory(thousands: int) -> None:
    assert int(child("long_stream", str(thousands))) < 8 * MEGABYTE
