"""The work behind a score: texts, steps, tables and equations, as plain values that can be drawn in several ways."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from bleuprint.insight.worked.equations import Equation, Number

__all__ = ["Board", "Cell", "MarkedText", "Work", "WorkStep", "WorkTable"]

Cell = str | int | float


@dataclass(frozen=True, slots=True)
class MarkedText:
    """The tokens of one text, and for each the length of the longest matched n-gram that it is part of (0: none)."""

    role: str  # such as "output" or "reference 2"
    tokens: tuple[str | int, ...]
    marks: tuple[int, ...]
    separator: str = " "  # between tokens; empty if the tokens are characters

    def to_dict(self) -> dict[str, Any]:
        """The text as plain values, ready for JSON."""
        tokens, marks = list(self.tokens), list(self.marks)
        return {"role": self.role, "tokens": tokens, "marks": marks, "separator": self.separator}


@dataclass(frozen=True, slots=True)
class WorkTable:
    """A table of a step, such as the n-grams of one order with their counts."""

    header: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]

    def to_dict(self) -> dict[str, Any]:
        """The table as plain values, ready for JSON."""
        return {"header": list(self.header), "rows": [list(row) for row in self.rows]}


@dataclass(frozen=True, slots=True)
class WorkStep:
    """One step: what is done and why, the table it looks at, and the numbers it gives."""

    name: str
    text: str
    table: WorkTable | None
    equations: tuple[Equation, ...]

    def to_dict(self) -> dict[str, Any]:
        """The step as plain values, ready for JSON."""
        return {
            "name": self.name,
            "text": self.text,
            "table": None if self.table is None else self.table.to_dict(),
            "equations": [equation.to_dict() for equation in self.equations],
        }


@dataclass(frozen=True, slots=True, repr=False)
class Work:
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

    def to_dict(self) -> dict[str, Any]:
        """The work as plain numbers, strings and lists, ready for JSON."""
        return {
            "metric": self.metric,
            "title": self.title,
            "value": self.value,
            "signature": self.signature,
            "texts": [text.to_dict() for text in self.texts],
            "steps": [step.to_dict() for step in self.steps],
        }

    def to_json(self) -> str:
        """The work as JSON text."""
        return json.dumps(self.to_dict(), ensure_ascii=False, allow_nan=False, indent=1) + "\n"

    def pretty(self) -> str:
        """The work as plain text."""
        from bleuprint.insight.worked.drawing import pretty

        return pretty(self)

    def to_markdown(self) -> str:
        """The work as Markdown, with the formulas in LaTeX between dollar signs."""
        from bleuprint.insight.worked.drawing import markdown

        return markdown(self)

    def to_html(self) -> str:
        """The work as an HTML fragment with its style; it needs no script."""
        from bleuprint.insight.worked.drawing import html

        return html(self)

    def _repr_html_(self) -> str:
        return self.to_html()

    def __str__(self) -> str:
        return self.pretty()

    def __repr__(self) -> str:
        return f"<Work {self.metric} = {self.value!r}, {len(self.steps)} steps>"


class Board:
    """Collects the steps while a metric is worked out; every equation is computed when it is written down."""

    def __init__(self) -> None:
        self.known: dict[str, Number] = {}
        self.texts: list[MarkedText] = []
        self._steps: list[tuple[str, str, WorkTable | None, list[Equation]]] = []

    def step(self, name: str, text: str, table: WorkTable | None = None) -> None:
        """Begin a step."""
        self._steps.append((name, text, table, []))

    def write(self, symbol: str, expression: str | Number, note: str = "") -> Number:
        """Write an equation into the current step and return its value."""
        equation = Equation.of(symbol, str(expression), self.known, note)
        self._steps[-1][3].append(equation)
        self.known[symbol] = equation.value
        return equation.value

    @property
    def steps(self) -> tuple[WorkStep, ...]:
        return tuple(WorkStep(name, text, table, tuple(equations)) for name, text, table, equations in self._steps)
