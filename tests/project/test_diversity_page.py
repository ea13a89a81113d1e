"""The tables about the cost of diversity are made by one command, and are whole on the page."""

from __future__ import annotations

import pytest

from bench import diversity, diversity_page


def test_tables_are_written_between_the_marks() -> None:
    page = diversity_page.PAGE.read_text(encoding="utf-8")
    written = diversity_page.written(page, "| a |\n")
    assert f"{diversity_page.BEGIN}| a |\n{diversity_page.END}" in written
    assert diversity_page.written(written, "| b |\n") == diversity_page.written(page, "| b |\n")
    assert diversity_page.table(["a", "b"], [["c", "1"]]) == "| a | b |\n|---|---:|\n| c | 1 |\n"


def test_a_page_without_marks_is_refused() -> None:
    with pytest.raises(SystemExit, match="has no"):
        diversity_page.written("nothing here", "| a |\n")


def test_the_page_has_every_measure() -> None:
    part = diversity_page.PAGE.read_text(encoding="utf-8").partition(diversity_page.BEGIN)[2]
    rows = [line.split(" | ") for line in part.partition(diversity_page.END)[0].splitlines()]
    assert {row[0].removeprefix("| ") for row in rows} >= {*diversity.MEASURES, *diversity.PEER_FUNCTIONS, "bleuprint"}


@pytest.mark.slow
def test_all_measures_are_measured() -> None:
    lines = diversity_page.growth_table((200, 400)).splitlines()
    assert {line.split(" | ")[0].removeprefix("| ") for line in lines[2:]} == set(diversity.MEASURES)


def test_the_join_is_exact() -> None:
    texts = diversity.generated(300)
    expected = diversity.brute_force(texts)
    pairs = {(pair.first, pair.second) for pair in diversity.near_duplicates().corpus(texts).pairs()}
    assert pairs == expected
    assert len(expected) > 0
