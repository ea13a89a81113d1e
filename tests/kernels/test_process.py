"""What a process pays: for the import, and for a stream. Forks, threads, signals and limits are in tests/hostile."""

from __future__ import annotations

import subprocess
import sys

import pytest

LIMIT = 600  # seconds; only a hang takes longer
MEGABYTE = 2**20

linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc, which only Linux has")


def imported_by(statement: str) -> set[str]:
    code = f"import sys; {statement}; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=LIMIT, check=True)
    return set(done.stdout.split())


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
        "logging",
        "threading",
    }
    assert not imported_by("import bleuprint") & heavy
    pair = "import bleuprint; bleuprint.sentence_bleu('a b', ['a b', 'c']); bleuprint.corpus_bleu(['a'], ['a'])"
    assert not imported_by(pair) & heavy
    assert "numpy" in imported_by("import bleuprint; bleuprint.sentence_bleus(['a'], ['a'])")


@linux
@pytest.mark.parametrize("thousands", [200, pytest.param(1000, marks=pytest.mark.slow)])
def test_a_million_segments_stream_in_constant_memory(thousands: int) -> None:
    from tests.hostile.processes import child

    assert int(child("long_stream", str(thousands))) < 8 * MEGABYTE
