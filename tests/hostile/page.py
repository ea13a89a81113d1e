"""The battery's section of docs/reliability.md, and how a section is replaced."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping

from tests.hostile.case import LABELS, Case
from tests.hostile.running import ROOT

__all__ = ["PAGE", "SECTION", "parts", "section", "table", "totals", "with_section"]

PAGE = ROOT / "docs" / "reliability.md"
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


def _marks(name: str) -> tuple[str, str]:
    return f"<!-- begin: {name} -->\n", f"<!-- end: {name} -->"


def section(text: str, name: str) -> str:
    """What stands between the marks of a section."""
    begin, end = _marks(name)
    return text.partition(begin)[2].partition(end)[0]


def with_section(text: str, name: str, content: str) -> str:
    """The page with another content between the marks."""
    begin, end = _marks(name)
    if text.count(begin) != 1 or text.count(end) != 1:
        raise ValueError(f"the page needs one {begin.strip()} and one {end}")
    return re.sub(f"{re.escape(begin)}.*?{re.escape(end)}", lambda _: f"{begin}{content}\n{end}", text, flags=re.DOTALL)
