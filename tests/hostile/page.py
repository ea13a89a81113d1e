"""The battery's section of bench/tables/reliability.md."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from tests.hostile.case import LABELS, Case

SECTION = "battery"
STRINGS, TOKENS, LIBRARY = "Strings, files, reports", "Tokens", "The rest of the library"
# Groups of the string interface whose cases are no calls with texts.
ALSO_STRINGS = {"files", "reports"}


def parts(groups: Mapping[str, list[Case]]) -> dict[str, dict[str, list[Case]]]:
    """The groups by what they go through: strings, tokens, all else."""
    found: dict[str, dict[str, list[Case]]] = {STRINGS: {}, TOKENS: {}, LIBRARY: {}}
    for group, cases in groups.items():
        for case in cases:
            interface = {"string": STRINGS, "token": TOKENS}.get(case.name.split("/")[0], LIBRARY)
            part = STRINGS if group in ALSO_STRINGS else interface
            found[part].setdefault(group, []).append(case)
    return {part: cases for part, cases in found.items() if cases}


def table(counted: Mapping[str, Mapping[str, Counter[str]]]) -> str:
    """Markdown: a line for every group, and one for every part."""
    lines = [f"| cases | number | {' | '.join(LABELS)} |", "|---" + "|---:" * (1 + len(LABELS)) + "|"]
    for part, groups in counted.items():
        lines += [_line(group, labels) for group, labels in groups.items()]
        lines.append(_line(f"**{part}**", sum(groups.values(), Counter())))
    return "\n".join(lines)


def _line(name: str, labels: Counter[str]) -> str:
    return f"| {name} | {labels.total()} | {' | '.join(str(labels[label] or '') for label in LABELS)} |"


def totals(text: str) -> dict[str, int]:
    """The number of cases in every line of a table."""
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in text.splitlines() if line.startswith("|")]
    return {row[0].strip("*"): int(row[1]) for row in rows if row[1].isdigit()}
