"""Parts of a page that a command writes, each between two marks of its name."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
PAGE = ROOT / "bench" / "tables" / "reliability.md"


def section(text: str, name: str) -> str:
    """What stands between the marks of a section.

    >>> section("<!-- begin: x -->\\nold\\n<!-- end: x -->", "x")
    'old\\n'
    """
    begin, end = _marks(name)
    return text.partition(begin)[2].partition(end)[0]


def with_section(text: str, name: str, content: str) -> str:
    """The page with another content between the marks.

    >>> print(with_section("<!-- begin: x -->\\nold\\n<!-- end: x -->", "x", "new"))
    <!-- begin: x -->
    new
    <!-- end: x -->
    """
    begin, end = _marks(name)
    if text.count(begin) != 1 or text.count(end) != 1:
        raise ValueError(f"the page needs one {begin.strip()} and one {end}")
    return re.sub(f"{re.escape(begin)}.*?{re.escape(end)}", lambda _: f"{begin}{content}\n{end}", text, flags=re.DOTALL)


def dated(content: str, day: date) -> str:
    """What was measured, followed by the day on which it was.

    >>> date_of(dated("| a |", date(2026, 11, 17)))
    '2026-11-17'
    """
    return f"{content}\n\nMeasured {day}."


def date_of(content: str) -> str:
    """The day that a section ends with."""
    found = re.search(r"^Measured (\d{4}-\d{2}-\d{2})\.\s*\Z", content, re.MULTILINE)
    if not found:
        raise ValueError("the section does not say when it was measured")
    return found[1]


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Markdown; columns of numbers stand to the right.

    >>> print(table(["what", "number"], [["lines", "1,024"]]))
    | what | number |
    | --- | ---: |
    | lines | 1,024 |
    """
    rule = ["---", *("---:" if all(map(_is_number, column)) else "---" for column in list(zip(*rows, strict=True))[1:])]
    return "\n".join(f"| {' | '.join(line)} |" for line in [head, rule, *rows])


def _marks(name: str) -> tuple[str, str]:
    return f"<!-- begin: {name} -->\n", f"<!-- end: {name} -->"


def _is_number(cell: str) -> bool:
    return re.fullmatch(r"|[0-9][0-9,.]*( %| times)?", cell) is not None
