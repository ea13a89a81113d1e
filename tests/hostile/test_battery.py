"""Every case of the battery ends right or with a clear error; `python -m tests.hostile` prints the same as a table."""

from __future__ import annotations

import pytest

from tests.hostile.battery import CASES, CHEAP, GROUPS
from tests.hostile.case import PASSING, Case, Clear, LeakError, Outcome, Right, judged
from tests.hostile.running import run

# Cases that start processes of their own or are large: few in a chunk, so that two workers share them.
SLOW = {"process", "interrupts", "scale", "files", "more files", "full disks", "more reports"}


def chunks() -> list[tuple[str, list[Case]]]:
    found = []
    for group, cases in GROUPS.items():
        size = 6 if group in SLOW else 60
        for begin in range(0, len(cases), size):
            found.append((f"{group} {begin // size + 1}", cases[begin : begin + size]))
    return found


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
