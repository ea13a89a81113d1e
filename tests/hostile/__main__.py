"""python -m tests.hostile: the battery as a table; with --write into bench/tables/reliability.md."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import date

from tests.hostile.battery import GROUPS
from tests.hostile.case import PASSING, Case, Outcome
from tests.hostile.page import SECTION, parts, table
from tests.hostile.running import run
from tools.reliability_tables.sections import PAGE, dated, with_section


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.hostile", description=__doc__)
    parser.add_argument("--write", action="store_true", help=f"write the table into {PAGE.name}")
    parser.add_argument("--group", action="append", metavar="NAME", help="run this group alone; can be repeated")
    given = parser.parse_args(arguments)
    chosen = {name: cases for name, cases in GROUPS.items() if not given.group or name in given.group}
    found: dict[str, Outcome] = {}
    for name, cases in chosen.items():
        print(f"{name}: {len(cases)} cases", file=sys.stderr, flush=True)
        found |= run(cases)
    for name, outcome in found.items():
        if outcome.label not in PASSING:
            print(f"{outcome.label}: {name}: {outcome.detail}", file=sys.stderr)
    text = table({part: labels(cases, found) for part, cases in parts(chosen).items()})
    print(text)
    if given.write:
        page = with_section(PAGE.read_text(encoding="utf-8"), SECTION, dated(text, date.today()))
        PAGE.write_text(page, encoding="utf-8")
    return int(any(outcome.label not in PASSING for outcome in found.values()))


def labels(groups: dict[str, list[Case]], found: dict[str, Outcome]) -> dict[str, Counter[str]]:
    return {name: Counter(labels_of(cases, found)) for name, cases in groups.items()}


def labels_of(cases: Iterable[Case], found: dict[str, Outcome]) -> list[str]:
    return [found[case.name].label for case in cases]


if __name__ == "__main__":
    sys.exit(main())
