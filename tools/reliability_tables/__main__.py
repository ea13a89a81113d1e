"""Writes what the commands left in build/ into bench/tables/reliability.md.

    python -m tools.reliability_tables

A section whose command has not been run stays as it is. Lines that no test runs and that `uncovered.toml` does not
explain end the run with status 1, and so does a change to a formula that no test notices.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from datetime import date
from typing import Any, NamedTuple

from tools.reliability_tables import coverage, mutation, native
from tools.reliability_tables.sections import PAGE, ROOT, dated, with_section


class Part(NamedTuple):
    """A section of the page: the command behind it, its files in build/ and what is made of them."""

    command: str
    files: Mapping[str, str]
    text: Callable[[Any], str]
    complaints: Callable[[Any], list[str]] = lambda _: []


PARTS = {
    "coverage": Part("make coverage", {"": "coverage.json"}, coverage.text, coverage.complaints),
    "mutation": Part("make mutants", {"": "mutants.json"}, mutation.text, mutation.complaints),
    "fuzzing": Part("make fuzz", {"": "fuzz/figures.json"}, native.fuzzing),
    "sanitizers": Part("make sanitize", {"asan": "asan/figures.json", "tsan": "tsan/figures.json"}, native.sanitizers),
    "leaks": Part("make leaks", {"": "leaks.json"}, native.leaks),
    "adversarial": Part("make adversarial", {"": "adversarial.json"}, native.adversarial),
}


def main() -> int:
    page, complaints = PAGE.read_text(encoding="utf-8"), []
    for name, part in PARTS.items():
        files = {key: ROOT / "build" / file for key, file in part.files.items()}
        if not all(file.exists() for file in files.values()):
            print(f"{name}: kept as it is; {part.command} has not been run here")
            continue
        read = {key: json.loads(file.read_text(encoding="utf-8")) for key, file in files.items()}
        figures = read.get("", read)
        day = date.fromtimestamp(max(file.stat().st_mtime for file in files.values()))
        page = with_section(page, name, dated(part.text(figures), day))
        complaints += part.complaints(figures)
        print(f"{name}: written")
    PAGE.write_text(page, encoding="utf-8")
    print("\n".join(complaints))
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
