"""Which lines no test runs, and why.

A file with such lines has to be named in `uncovered.toml` with the reason, itself or its folder.
"""

from __future__ import annotations

import tomllib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from tools.reliability_tables.sections import table

REASONS: Mapping[str, str] = tomllib.loads(Path(__file__).with_name("uncovered.toml").read_text(encoding="utf-8"))
PACKAGE = "src/bleuprint/"


class Hole(NamedTuple):
    """Lines of a file that no test runs."""

    place: str
    lines: Sequence[int]

    @property
    def ranges(self) -> str:
        """The lines in short.

        >>> Hole("x.py", [3, 4, 5, 9]).ranges
        '3–5, 9'
        """
        runs: list[list[int]] = []
        for line in self.lines:
            if runs and line == runs[-1][-1] + 1:
                runs[-1].append(line)
            else:
                runs.append([line])
        return ", ".join(f"{run[0]}–{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs)


def text(coverage: Mapping[str, Any]) -> str:
    """The share of every package, and every hole with its reason."""
    totals = coverage["totals"]
    found = list(holes(coverage["files"]))
    parts = [
        f"**{totals['percent_covered']:.1f} %** of {totals['num_statements']:,} statements run.",
        table(["package", "statements", "covered", "share"], list(_packages(coverage["files"]))),
        "What no test of the run reached:",
        table(
            ["where", "lines", "what it is"],
            [[f"`{hole.place}`", hole.ranges, reason(hole.place, REASONS) or "**not explained**"] for hole in found],
        ),
    ]
    return "\n\n".join(parts if found else parts[:2])


def complaints(coverage: Mapping[str, Any]) -> list[str]:
    """Holes without a reason, and reasons without a hole."""
    found = list(holes(coverage["files"]))
    missing = [f"no reason for {hole.place}, lines {hole.ranges}" for hole in found if not reason(hole.place, REASONS)]
    used = {reason(hole.place, REASONS) for hole in found}
    return missing + [f"a reason for {place}, which tests run" for place in REASONS if REASONS[place] not in used]


def holes(files: Mapping[str, Any]) -> Iterator[Hole]:
    """What no test runs, file by file."""
    for path, file in sorted(files.items()):
        if file["missing_lines"]:
            yield Hole(path.removeprefix(PACKAGE), file["missing_lines"])


def reason(place: str, reasons: Mapping[str, str]) -> str | None:
    """Why lines of a file are not run: its own reason, or that of the nearest folder.

    >>> reason("cli/demo.py", {"cli/": "folder", "cli/score.py": "file"})
    'folder'
    """
    folders = [place[: at + 1] for at, letter in enumerate(place) if letter == "/"]
    return next((reasons[key] for key in [place, *reversed(folders)] if key in reasons), None)


def _packages(files: Mapping[str, Any]) -> Iterator[list[str]]:
    packages: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for path, file in files.items():
        first, slash, _ = path.removeprefix(PACKAGE).partition("/")
        row = packages[f"`{first}/`" if slash else "files at the top"]
        row[0] += file["summary"]["num_statements"]
        row[1] += file["summary"]["covered_lines"]
    for name, (whole, covered) in sorted(packages.items()):
        yield [name, f"{whole:,}", f"{covered:,}", f"{100 * covered / whole if whole else 100:.1f} %"]
