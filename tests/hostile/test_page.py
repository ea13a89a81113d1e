"""bench/tables/reliability.md says of the battery what the battery is."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.hostile.battery import GROUPS
from tests.hostile.case import PASSING
from tests.hostile.page import SECTION, parts, table, totals
from tools.reliability_tables.sections import PAGE, section, with_section


def test_the_page_counts_the_cases_there_are() -> None:
    """After a change of the battery: make hostile."""
    listed = {part: {name: len(cases) for name, cases in groups.items()} for part, groups in parts(GROUPS).items()}
    text = section(PAGE.read_text(encoding="utf-8"), SECTION).partition("\n\n")[0]
    expected = table(
        {part: {name: Counter({"right": number}) for name, number in groups.items()} for part, groups in listed.items()}
    )
    assert totals(text) == totals(expected)
    rows = [line.split("|")[1:3] for line in text.splitlines()]
    assert rows == [line.split("|")[1:3] for line in expected.splitlines()]


def test_no_case_of_the_page_failed() -> None:
    """What passes stands in the first columns; all others are empty."""
    lines = section(PAGE.read_text(encoding="utf-8"), SECTION).partition("\n\n")[0].splitlines()[2:]
    assert lines
    for line in lines:
        number, *labels = (int(cell or 0) for cell in map(str.strip, line.split("|")[2:-1]))
        assert sum(labels[: len(PASSING)]) == number, line


def test_the_two_interfaces_have_the_cases_of_the_plan() -> None:
    """126 for strings; at least 92 for tokens."""
    found = {part: sum(map(len, groups.values())) for part, groups in parts(GROUPS).items()}
    assert found["Strings, files, reports"] == 126
    assert found["Tokens"] >= 92


def test_a_section_is_replaced_between_its_marks() -> None:
    page = "a\n<!-- begin: x -->\nold\n<!-- end: x -->\nb\n<!-- begin: y -->\n<!-- end: y -->\n"
    changed = with_section(page, "x", "| new \\1 |")
    assert changed == page.replace("old", "| new \\1 |")
    assert section(changed, "x") == "| new \\1 |\n"
    with pytest.raises(ValueError, match="needs one"):
        with_section(page, "z", "")
