"""The work behind a score: texts, steps, tables and equations, as plain values that can be drawn in several ways."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, NoReturn

from bleuprint.insight.worked.equations import Equation
from bleuprint.metrics.base.terms import Number, Term, derivation, given

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
    """Collects what a score follows from: texts, steps with their numbers, and a term for each column of the formula.

    A column that a step shows has the symbol that the step gives it; the others have their own names.
    """

    def __init__(self, names: Sequence[str], columns: Sequence[Number]) -> None:
        self.texts: list[MarkedText] = []
        self.headings: dict[str, tuple[str, str]] = {}  # the step of a symbol that the formula names, up to its "_"
        self.shows_parts = False  # whether all scores of the formula are shown, not only what the value follows from
        self._names, self.columns = names, tuple(columns)
        self._terms: dict[int, Term] = {}
        self._steps: list[_Step] = []

    def step(self, name: str, text: str, table: WorkTable | None = None) -> None:
        """Begin a step."""
        self._steps.append(_Step(name, text, table, []))

    def column(self, place: int, symbol: str, note: str = "") -> Term:
        """Show a column of the score in the current step, under a symbol."""
        self._terms[place] = self.count(symbol, self.columns[place], note)
        return self._terms[place]

    def count(self, symbol: str, value: Number, note: str = "") -> Term:
        """Show a number that is no column in the current step."""
        return self._write(given(symbol, value, note))

    def write(self, symbol: str, value: Term, *, place: int | None = None, note: str = "") -> Term:
        """Show a value that steps compute before the formula; at a place, it is that column of the score."""
        term = replace(value.name(symbol), note=note)
        if place is not None:
            check(symbol, [term.value], [self.columns[place]])
            self._terms[place] = term
        return self._write(term)

    def _write(self, term: Term) -> Term:
        self._steps[-1].terms.append(term)
        return term

    def terms(self) -> list[Term]:
        """What the formula gets: one term for each column."""
        names = [*self._names, *(f"last_{name}" for name in self._names)]
        unshown = ((place, given(_label(names[place]), value)) for place, value in enumerate(self.columns))
        return list((dict(unshown) | self._terms).values())

    def finish(self, value: Term, parts: Iterable[Term] = ()) -> tuple[WorkStep, ...]:
        """The steps so far, and those that the formula names on the way to the value."""
        shown = {term.label for step in self._steps for term in step.terms}
        terms = [term for term in derivation(value, *parts) if term.label not in shown]
        inputs = [term for term in terms if term.is_given]
        if inputs:
            self._steps.append(_Step("Counts", "The numbers that the formula takes.", None, inputs))
        name, text = self.headings.get("", ("Score", ""))
        for term in terms:
            if not term.is_given:
                name, text = self.headings.get(term.label.partition("_")[0], (name, text))
                if not self._steps or self._steps[-1].name != name:
                    self.step(name, text)
                self._write(term)
        return tuple(step.freeze() for step in self._steps)


class _Step(NamedTuple):
    name: str
    text: str
    table: WorkTable | None
    terms: list[Term]

    def freeze(self) -> WorkStep:
        return WorkStep(self.name, self.text, self.table, tuple(map(Equation.of, self.terms)))


def _label(column: str) -> str:
    """The name of a column as a symbol, which cannot begin with the number of a component."""
    return re.sub(r"^(\d+)_(.+)", r"\2_\1", re.sub(r"\W", "_", column))


def disagree(metric: str, counted: object, expected: object) -> NoReturn:
    """Stop if plain counting and the core differ: showing either would be wrong."""
    raise AssertionError(f"{metric}: counted {counted!r}, but the core has {expected!r}")


def check(metric: str, counted: Sequence[Any], expected: Sequence[Any]) -> None:
    """Check that the counts are those of the score."""
    if list(counted) != list(expected):
        disagree(metric, counted, expected)
