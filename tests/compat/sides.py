"""A call made of both libraries, and what came of it."""

from __future__ import annotations

import importlib
import inspect
import logging
import warnings
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from bleuprint.errors import TokenizerWarning

Call = Callable[[Any], object]


class Outcome(NamedTuple):
    """What a call gave or raised, warned of and logged."""

    value: object
    error: tuple[str, str] | None
    warned: list[str]
    logged: list[str]


class Sides(NamedTuple):
    """A drop-in and its original."""

    ours: Any
    theirs: Any

    @classmethod
    def of(cls, ours: str, theirs: str) -> Sides:
        return cls(importlib.import_module(ours), importlib.import_module(theirs))

    def module(self, name: str) -> Sides:
        """The module of this name on both sides."""
        return Sides.of(f"{self.ours.__name__}.{name}", f"{self.theirs.__name__}.{name}")

    def outcomes(self, call: Call) -> tuple[Outcome, Outcome]:
        return outcome(call, self.ours), outcome(call, self.theirs)

    def same(self, *calls: Call) -> None:
        """Both answer every call alike, with the same errors, warnings and log."""
        for call in calls:
            ours, theirs = self.outcomes(call)
            assert ours == theirs

    def same_parameters(self, *names: str) -> None:
        """Functions of these names take the same."""
        for name in names:
            assert parameters(getattr(self.ours, name)) == parameters(getattr(self.theirs, name))


class _Kept(logging.Handler):
    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(f"{record.levelname} {record.getMessage()}")


def outcome(call: Call, library: object) -> Outcome:
    """Make the call; of an error its type and words are kept."""
    kept, logger = _Kept(), logging.getLogger("sacrebleu")
    logger.addHandler(kept)
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            warnings.simplefilter("ignore", TokenizerWarning)  # the drop-ins' own addition
            value, error = None, None
            try:
                value = plain(call(library))
            except Exception as raised:
                error = (type(raised).__name__, str(raised))
    finally:
        logger.removeHandler(kept)
    return Outcome(value, error, [str(item.message) for item in caught], kept.lines)


def plain(value: Any) -> object:
    """Scores, signatures and results as what they show of themselves."""
    if isinstance(value, Mapping):
        return {key: plain(item) for key, item in value.items()}
    if hasattr(value, "_fields"):
        return type(value).__name__, tuple(value)
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if type(value).__module__.partition(".")[0] in {"sacrebleu", "bleuprint"} and not isinstance(value, float):
        kind = "Signature" if hasattr(value, "info") else type(value).__name__  # sacrebleu's has a class per metric
        return kind, str(value), *_shown(value)
    return value


def _shown(value: Any) -> tuple[object, ...]:
    if hasattr(value, "estimate_ci"):
        written = [value.format(width, only) for width in (0, 1, 2, 9) for only in (False, True)]
        return vars(value), written, value.format(3, signature="nrefs:1|case:lc")
    if hasattr(value, "info"):
        return value.format(), value.format(short=True), list(value.info.items())
    return (vars(value),) if hasattr(value, "__dict__") else ()


def parameters(function: Callable[..., object]) -> list[tuple[str, object, object]]:
    """Names, kinds and defaults of what a function takes."""
    return [(entry.name, entry.kind, entry.default) for entry in inspect.signature(function).parameters.values()]
