"""What a case of the battery is, and how its outcome is judged."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

PASSING = ("right", "clear")
# right: the number an independent way gives; clear: a typed error that names the input; cryptic: any other error;
# silent: a number where an error was due, or a wrong one; the rest is what it says.
LABELS = (*PASSING, "cryptic", "silent", "crash", "hang", "oom", "leak", "inject")

# Seconds on the clock. They only tell a hang from a slow machine, so they are many; what a case waits for gives up a
# little earlier than the case itself.
SECONDS = 600.0
LIMIT = 540.0


class LeakError(AssertionError):
    """Memory that was not given back."""


class InjectionError(AssertionError):
    """Hostile text that reached an output as something other than text."""


@dataclass(frozen=True)
class Right:
    """The call gives this; it is computed another way, when the case runs."""

    expected: Callable[[], object]


@dataclass(frozen=True)
class Clear:
    """The call raises one of these, and the message says all of that."""

    error: type[Exception] | tuple[type[Exception], ...]
    says: tuple[str, ...] = ()


Expectation = Right | Clear


@dataclass(frozen=True)
class Case:
    """One call and what has to come of it; either of two outcomes where both are in order."""

    name: str
    call: Callable[[], object]
    expectation: Expectation
    or_else: Expectation | None = None
    seconds: float = field(default=SECONDS, kw_only=True)


class Outcome(NamedTuple):
    """How a case ended."""

    label: str
    detail: str = ""


def same(found: object, expected: object) -> bool:
    """Equal; floats to the last few bits, and 0 and 1 exactly, as a formula that is computed another way gives them."""
    if isinstance(expected, float) and isinstance(found, float | int):
        if expected in (0.0, 1.0):
            return found == expected
        return math.isclose(found, expected, rel_tol=1e-13)
    if isinstance(expected, Sequence) and not isinstance(expected, str | bytes):
        return (
            isinstance(found, Sequence)
            and not isinstance(found, str | bytes)
            and len(found) == len(expected)
            and all(map(same, found, expected))
        )
    return type(found) is type(expected) and found == expected


def judged(case: Case) -> Outcome:
    """Run the case here and say how it ended."""
    try:
        found = case.call()
    except MemoryError as error:
        return _of_error(case, error, "oom")
    except LeakError as error:
        return Outcome("leak", str(error))
    except InjectionError as error:
        return Outcome("inject", str(error))
    except Exception as error:
        return _of_error(case, error, "cryptic")
    details = []
    for expectation in filter(None, (case.expectation, case.or_else)):
        if isinstance(expectation, Right):
            expected = expectation.expected()
            if same(found, expected):
                return Outcome("right")
            details.append(f"expected {_short(expected)}")
    return Outcome("silent", f"got {_short(found)}, {' or '.join(details) or 'an error was due'}")


def _of_error(case: Case, error: Exception, otherwise: str) -> Outcome:
    message = str(error)
    for expectation in (case.expectation, case.or_else):
        if (
            isinstance(expectation, Clear)
            and isinstance(error, expectation.error)
            and all(part in message for part in expectation.says)
        ):
            return Outcome("clear")
    return Outcome(otherwise, f"{type(error).__name__}: {_short(message)}")


def _short(value: object) -> str:
    text = value if isinstance(value, str) else repr(value)
    return text if len(text) <= 400 else f"{text[:300]} … {text[-80:]}"
