"""Every case of the battery ends right or with a clear error; `python -m tests.hostile` prints the same as a table.

`make test` runs a sample of what is slow, `make test-all` everything.
"""

from __future__ import annotations

import pytest

from tests.hostile.battery import CASES, CHEAP, GROUPS
from tests.hostile.case import PASSING, Case, Clear, LeakError, Outcome, Right, judged
from tests.hostile.running import run
from tests.support.effort import MANY

# Cases that start processes of their own or are large.
SLOW = {"process", "interrupts", "scale", "files", "more files", "full disks", "reports", "more reports"}
LARGE = "metrics: large"


def chosen(group: str) -> list[Case]:
    """The cases of a group; in `make test` a sixth of the slow ones, fewer of those that are alike for every metric.

    Where a case comes twice, for strings and for tokens, the two take turns: of every twelve the first and the last.
    """
    cases = GROUPS[group]
    if MANY or group not in {*SLOW, LARGE}:
        return cases
    return cases[::15] if group == LARGE else [case for place, case in enumerate(cases) if place % 12 in (0, 11)]


def chunks() -> list[tuple[str, list[Case]]]:
    """What is slow is in small chunks, so that several workers share it; what is not shares few processes."""
    found: list[tuple[str, list[Case]]] = []
    quick: list[Case] = []
    for group in GROUPS:
        cases = chosen(group)
        if group in {*SLOW, LARGE}:
            size = 30 if group == LARGE else 6
            parts = [cases[begin : begin + size] for begin in range(0, len(cases), size)]
            found += [(f"{group} {number}", part) for number, part in enumerate(parts, start=1)]
        else:
            quick += cases
    size = 300
    parts = [quick[begin : begin + size] for begin in range(0, len(quick), size)]
    return found + [(f"quick {number}", part) for number, part in enumerate(parts, start=1)]


CHUNKS = chunks()


def failures(found: dict[str, Outcome]) -> dict[str, Outcome]:
    return {name: outcome for name, outcome in found.items() if outcome.label not in PASSING}


@pytest.mark.parametrize(("name", "cases"), CHUNKS, ids=[name for name, _ in CHUNKS])
def test_every_case_ends_right_or_with_a_clear_error(name: str, cases: list[Case]) -> None:
    found = run(cases)
    assert len(found) == len(cases)
    assert failures(found) == {}


def test_nothing_is_checked_by_assert() -> None:
    """The same without asserts: no label changes."""
    assert failures(run([case for group in CHEAP for case in GROUPS[group]], switches=("-O",))) == {}


def test_names_are_unique() -> None:
    assert len(CASES) == sum(map(len, GROUPS.values()))


def raising(error: Exception) -> object:
    raise error


@pytest.mark.parametrize(
    ("case", "label"),
    [
        (Case("right", lambda: [1, 0.5, "a"], Right(lambda: (1, 0.5, "a"))), "right"),
        (Case("wrong", lambda: 0.5, Right(lambda: 0.25)), "silent"),
        (Case("nearly one", lambda: 1 - 1e-16 * 2, Right(lambda: 1.0)), "silent"),
        (Case("not a number", lambda: float("nan"), Right(lambda: float("nan"))), "silent"),
        (Case("no error", lambda: 0.5, Clear(ValueError)), "silent"),
        (Case("clear", lambda: raising(ValueError("x is 3")), Clear(ValueError, ("x", "3"))), "clear"),
        (Case("other words", lambda: raising(ValueError("x")), Clear(ValueError, ("y",))), "cryptic"),
        (Case("other type", lambda: raising(KeyError("x")), Clear(ValueError)), "cryptic"),
        (Case("error", lambda: raising(ValueError("x")), Right(lambda: 1)), "cryptic"),
        (Case("memory", lambda: raising(MemoryError()), Right(lambda: 1)), "oom"),
        (Case("leak", lambda: raising(LeakError("1 MB")), Right(lambda: 1)), "leak"),
        (Case("either", lambda: 1, Clear(ValueError), Right(lambda: 1)), "right"),
    ],
    ids=lambda value: value.name if isinstance(value, Case) else value,
)
def test_labels(case: Case, label: str) -> None:
    assert judged(case).label == label


def test_what_kills_its_process_costs_one_label() -> None:
    """The cases of tests/hostile/self_test.py crash, hang and take all memory; those between them go on."""
    from tests.hostile.self_test import CASES as DEADLY

    found = run(list(DEADLY.values()), module="tests.hostile.self_test")
    assert {name: outcome.label for name, outcome in found.items()} == {name: name.split("/")[0] for name in DEADLY}
