"""Writes what `make coverage` and `make mutants` found into docs/reliability.md.

    python -m tools.quality.figures build/coverage.json build/mutants.json

A file with lines that no test runs has to be named in `uncovered.toml` with the reason, itself or its folder. Any other
ends the run with status 1, and so does a change to a formula that no test notices.
"""

from __future__ import annotations

import argparse
import json
import sys
import tomllib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent.parent.parent
PAGE = ROOT / "docs" / "reliability.md"
REASONS = Path(__file__).with_name("uncovered.toml")
PACKAGE = "src/bleuprint/"
START, END = "<!-- mutation -->", "<!-- /mutation -->"
HEADING = "## Coverage and mutation"


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


def main() -> int:
    parser = argparse.ArgumentParser(description="Coverage and mutation figures for docs/reliability.md.")
    parser.add_argument("coverage", type=Path)
    parser.add_argument("mutants", type=Path)
    arguments = parser.parse_args()
    coverage = json.loads(arguments.coverage.read_text(encoding="utf-8"))
    mutants = json.loads(arguments.mutants.read_text(encoding="utf-8"))
    reasons = tomllib.loads(REASONS.read_text(encoding="utf-8"))
    found = list(holes(coverage["files"]))
    unexplained = [hole for hole in found if reason(hole.place, reasons) is None]
    complaints = [f"no reason for {hole.place}, lines {hole.ranges}" for hole in unexplained]
    complaints += [f"survived in {name}: {change}" for name, row in mutants.items() for change in row["survived"]]
    text = "\n\n".join([*_coverage_part(coverage, found, reasons), *_mutation_part(mutants)])
    PAGE.write_text(placed(PAGE.read_text(encoding="utf-8") if PAGE.exists() else "", text), encoding="utf-8")
    print("\n".join(complaints) or f"wrote {PAGE.relative_to(ROOT)}")
    return 1 if complaints else 0


def placed(page: str, text: str) -> str:
    """The page with the text between the marks; they are added at its end if it has none.

    >>> print(placed("# Page\\n", "new"))
    # Page
    <BLANKLINE>
    ## Coverage and mutation
    <BLANKLINE>
    <!-- mutation -->
    new
    <!-- /mutation -->
    <BLANKLINE>
    """
    if START not in page:
        page = f"{page or '# Reliability' + chr(10)}\n{HEADING}\n\n{START}\n{END}\n"
    before, _, rest = page.partition(START)
    return f"{before}{START}\n{text}\n{END}{rest.partition(END)[2]}"


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


def _coverage_part(coverage: Mapping[str, Any], found: Sequence[Hole], reasons: Mapping[str, str]) -> Iterator[str]:
    totals = coverage["totals"]
    yield (
        f"`make coverage` measures the package under its tests, with the processes that they start: "
        f"**{totals['percent_covered']:.1f} %** of {totals['num_statements']:,} statements run; it fails below 95 %."
    )
    packages: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for path, file in coverage["files"].items():
        first, slash, _ = path.removeprefix(PACKAGE).partition("/")
        row = packages[f"`{first}/`" if slash else "files at the top"]
        row[0] += file["summary"]["num_statements"]
        row[1] += file["summary"]["covered_lines"]
    yield _table(
        ["package", "statements", "covered", "share"],
        [
            [name, f"{whole:,}", f"{covered:,}", f"{100 * covered / whole if whole else 100:.1f} %"]
            for name, (whole, covered) in sorted(packages.items())
        ],
    )
    if found:
        yield "What no test of the run reached:"
        yield _table(
            ["where", "lines", "what it is"],
            [[f"`{hole.place}`", hole.ranges, reason(hole.place, reasons) or "**not explained**"] for hole in found],
        )


def _mutation_part(mutants: Mapping[str, Any]) -> Iterator[str]:
    made, killed, equivalent, survived = (sum(_counts(row)[at] for row in mutants.values()) for at in range(4))
    yield (
        f"`make mutants` makes one small wrong change after the other to the formulas (a comparison, an operator, a "
        f"number, a condition, the order of two arguments) and runs the quick tests of the module. Of **{made:,}** "
        f"changes to {len(mutants)} of {_modules()} modules, tests notice **{killed:,}**; {equivalent} are held to "
        f"change nothing, each with a reason "
        f"in `tools/quality/mutants.toml`; {survived} are noticed by no test. The command fails if there is a new one."
    )
    rows = [[f"`{name}`", *map(str, _counts(row))] for name, row in sorted(mutants.items())]
    yield _table(["module", "changes", "noticed", "equivalent", "unnoticed"], rows)


def _modules() -> int:
    return len(tomllib.loads(REASONS.with_name("mutants.toml").read_text(encoding="utf-8"))["tests"])


def _counts(row: Mapping[str, Any]) -> tuple[int, int, int, int]:
    return row["made"], row["killed"], len(row["equivalent"]), len(row["survived"])


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---", *("---:" if _is_number(cell) else "---" for cell in rows[0][1:])], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _is_number(cell: str) -> bool:
    return cell.replace(",", "").replace(".", "").removesuffix(" %").isdigit()


if __name__ == "__main__":
    sys.exit(main())
