"""Laws of routes: the same number from Python, the command line, files and pipes, for every metric."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from tests.support.cli import SAMPLE, invoke, lines, references, sample
from tests.support.tables import REFERENCE_TABLE

for_every_metric = pytest.mark.parametrize("name", sorted(REFERENCE_TABLE))


def in_python(name: str) -> float:
    metric = REFERENCE_TABLE[name]()
    sources = lines("source") if metric.needs_sources else None
    return float(metric.corpus(lines("system-a"), references(), sources=sources))


def on_the_command_line(name: str, hypothesis: str, *more: str, stdin: bytes | None = None) -> str:
    files = ["-r", sample("ref-1"), "-r", sample("ref-2")]
    if REFERENCE_TABLE[name].needs_sources:
        files += ["-s", sample("source")]
    result = invoke("score", hypothesis, *files, "-m", name, *more, stdin=stdin)
    assert result.exit_code == 0, result.stderr
    return result.stdout


@for_every_metric
def test_law_28_every_way_gives_the_same_bits(name: str, tmp_path: Path) -> None:
    expected = in_python(name)
    content = (SAMPLE / "system-a.txt").read_bytes()
    packed = tmp_path / "packed.txt.gz"
    packed.write_bytes(gzip.compress(content))
    returns = tmp_path / "returns.txt"
    returns.write_bytes(b"\xef\xbb\xbf" + content.replace(b"\n", b"\r\n"))
    shown = f"{expected:.17f}"
    for arguments, stdin in (((sample("system-a"),), None), ((str(packed),), None), (("-",), content)):
        assert on_the_command_line(name, *arguments, "-q", "-w", "17", stdin=stdin).split()[0] == shown
    stored = json.loads(on_the_command_line(name, str(returns), "--json", "-"))
    assert stored["systems"][0]["scores"][0]["value"] == expected
