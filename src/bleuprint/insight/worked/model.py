"""The work behind a score: texts, steps, tables and equations, as plain values that can be drawn in several ways."""

from __future__ import annotations

import json
from dataclasses import dataclass, fields

from bleuprint.insight.worked import drawing
from bleuprint.insight.worked.equations import Equation

Cell = str | int | float


class _Plain:
    """Values that are ready for JSON after `to_dict`."""

    __slots__ = ()

    def to_dict(self) -> dict[str, object]:
        """The fields as plain numbers, strings, lists and dictionaries."""
        return {field.name: _plain(getattr(self, field.name)) for field in fields(self)}  # type: ignore[arg-type]


def _plain(value: object) -> object:
    if isinstance(value, _Plain | Equation):
        return value.to_dict()
    return list(map(_plain, value)) if isinstance(value, tuple) else value


@dataclass(frozen=True, slots=True)
class MarkedText(_Plain):
    """The tokens of one text, and for each the length of the longest matched n-gram that it is part of (0: none)."""

    role: str  # such as "output" or "reference 2"
    tokens: tuple[str | int, ...]
    marks: tuple[int, ...]
    separator: str = " "  # between tokens; empty if the tokens are characters


@dataclass(frozen=True, slots=True)
class WorkTable(_Plain):
    """A table of a step, such as the n-grams of one order with their counts."""

    header: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


@dataclass(frozen=True, slots=True)
class WorkStep(_Plain):
    """One step: what is done and why, the table it looks at, and the numbers it gives."""

    name: str
    text: str
    table: WorkTable | None
    equations: tuple[Equation, ...]


@dataclass(frozen=True, slots=True, repr=False)
class Work(_Plain):
    """The score of one segment and every step that leads to it; print it to read the steps."""

    metric: str
    title: str
    value: float
    signature: str
    texts: tuple[MarkedText, ...]
    steps: tuple[WorkStep, ...]

    def equation(self, symbol: str) -> Equation:
        """The equation of a symbol."""
        for step in self.steps:
            for equation in step.equations:
                if equation.symbol == symbol:
                    return equation
        raise KeyError(symbol)

    def to_json(self) -> str:
        """The work as JSON text."""
        return json.dumps(self.to_dict(), ensure_ascii=False, allow_nan=False, indent=1) + "\n"

    def pretty(self) -> str:
        """The work as plain text."""
        return drawing.pretty(self)

    def to_markdown(self) -> str:
        """The work as Markdown, with the formulas in LaTeX between dollar signs."""
        return drawing.markdown(self)

    def to_html(self) -> str:
        """The work as an HTML fragment with its style; it needs no script."""
        return drawing.html(self)

    def _repr_html_(self) -> str:
        return self.to_html()

    def __str__(self) -> str:
        return self.pretty()

    def __repr__(self) -> str:
        return f"<Work {self.metric} = {self.value!r}, {len(self.steps)} steps>"
