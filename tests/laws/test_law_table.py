"""The table of laws in bench/tables/reliability.md: all of them, each with a test that is there."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LAWS = 33


def test_every_law_has_its_test() -> None:
    text = (ROOT / "bench" / "tables" / "reliability.md").read_text(encoding="utf-8")
    section = text.partition("## Laws")[2].partition("\n## ")[0].partition("<!--")[0]
    rows = re.findall(r"^\| (\d+) \| [^|]+ \| ([^|]+) \|$", section, re.M)
    assert [int(number) for number, _ in rows] == [*range(1, LAWS + 1)]
    for number, shown in rows:
        named = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", shown)
        assert named, number
        for file, name in named:
            assert re.search(rf"^def {name}\(", (ROOT / file).read_text(encoding="utf-8"), re.M), (file, name)
