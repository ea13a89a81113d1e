"""The simulation of mean ratings runs, and its tables on the page hold what the manual says of them."""

from __future__ import annotations

import re

import pytest

from tools.estimate_simulation import RATED, WORLDS, coverage, tables
from tools.estimate_widths import measure
from tools.pool_simulation import PAGE

_SKEW = "errors, mostly none"  # whose intervals the page says are too narrow for few ratings
_EXACT = ("pass or fail", "pass or fail, 3 % fail", "difference of pass rates")


def rows_of(table: str) -> list[list[str]]:
    return [[cell.strip() for cell in line.split("|")[1:-1]] for line in table.splitlines() if line.startswith("| ")]


def table_on_page(name: str) -> str:
    text = PAGE.read_text(encoding="utf-8")
    return text.partition(f"<!-- {name} -->\n")[2].partition(f"<!-- end of {name} -->")[0]


def test_a_small_simulation() -> None:
    (text,) = tables(2).values()
    assert [row[0] for row in rows_of(text)[1:]] == list(WORLDS)
    assert all(0 <= share <= 1 for name in WORLDS for share in coverage(name, RATED[0], 2)[:2])


def test_coverage_on_the_page() -> None:
    """Within 95 ± 1 % where intervals are not exact; one of 20 cells may be off by chance."""
    rows = rows_of(table_on_page("mean ratings"))[1:]
    assert [row[0] for row in rows] == list(WORLDS)
    cells = {(row[0], rated): float(row[place].split()[0]) for row in rows for place, rated in enumerate(RATED, 1)}
    assert all(held >= 94 for (name, _), held in cells.items() if name in _EXACT)
    usual = [held for (name, _), held in cells.items() if name not in (*_EXACT, _SKEW)]
    assert sum(not 94 <= held <= 96 for held in usual) <= 2
    assert all(93.5 <= held <= 96.5 for held in usual)
    assert all(held >= 91 for (name, _), held in cells.items() if name == _SKEW)


def test_widths_on_the_page() -> None:
    cells = re.findall(r"× (\d\.\d+) \((\d+) %\)", table_on_page("widths on rated data"))
    assert len(cells) == 13
    assert all(float(width) <= 1.03 and int(held) >= 93 for width, held in cells)


def test_a_metric_narrows_the_intervals_of_hidden_ratings() -> None:
    import bleuprint as bp

    rows = [{"id": n, "rating": (7 * n) % 11, "score": (7 * n) % 11 + n % 3} for n in range(300)]
    width, held = measure(bp.Ratings.read(rows, "rating", scores="score"), "score", 5)
    assert width < 0.7
    assert held >= 0.8


@pytest.mark.slow
@pytest.mark.parametrize("rated", RATED)
@pytest.mark.parametrize("name", WORLDS)
def test_intervals_hold_the_truth(name: str, rated: int) -> None:
    """In 95 ± 1 % of 2,000 worlds, within four standard errors; more where intervals are exact."""
    held = coverage(name, rated, 2000)[0]
    assert held > (0.90 if name == _SKEW else 0.93)
    assert name in _EXACT or held < 0.97
