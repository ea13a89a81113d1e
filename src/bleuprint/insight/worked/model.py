"""The work behind a score: texts, steps, tables and equations, which print as plain text, Markdown and HTML."""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Callable
from dataclasses import dataclass, fields

from bleuprint.insight.worked.equations import Equation, format_number
from bleuprint.results import display
from bleuprint.results.escaping import markdown_code, markdown_text, visible, xml_text
from bleuprint.results.naming import short_signature
from bleuprint.results.notebook import add_style

Cell = str | int | float
_WIDTH = 94  # of the text of a step
_COUNTED = 3  # the column that says how often an n-gram is counted


@dataclass(frozen=True, slots=True)
class MarkedText:
    """The tokens of one text, and for each the length of the longest matched n-gram that it is part of (0: none)."""

    role: str  # such as "output" or "reference 2"
    tokens: tuple[str | int, ...]
    marks: tuple[int, ...]
    separator: str = " "  # between tokens; empty if the tokens are characters

    @property
    def text(self) -> str:
        return self.separator.join(map(str, self.tokens)) or "(empty)"

    @property
    def markdown(self) -> str:
        """Tokens in code spans, because Markdown would drop spaces and act on signs; matched ones are bold."""
        if self.separator == "":
            return markdown_code(self.text)
        tokens = [markdown_code(str(token) or " ") for token in self.tokens]
        bold = (f"**{token}**" if mark else token for token, mark in zip(tokens, self.marks, strict=True))
        return " ".join(bold) or "–"

    @property
    def html(self) -> str:
        """A line whose matched tokens are shaded by the length of the n-gram they are part of."""
        shade = any(self.marks)
        tokens = (
            f'<span class="m{min(mark, 4)}">{xml_text(str(token))}</span>' if shade else xml_text(str(token))
            for token, mark in zip(self.tokens, self.marks, strict=True)
        )
        return f'<div class="line"><span class="role">{xml_text(self.role)}</span> {self.separator.join(tokens)}</div>'


@dataclass(frozen=True, slots=True)
class WorkTable:
    """A table of a step, such as the n-grams of one order with their counts."""

    header: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]

    @property
    def display(self) -> display.DisplayTable:
        texts = frozenset(place for place, cell in enumerate(self.rows[0]) if isinstance(cell, str))
        rows = tuple(display.words(*map(_format_cell, row)) for row in self.rows)
        return display.DisplayTable(self.header, rows, words=texts)

    @property
    def html(self) -> str:
        """The table, or its n-grams side by side, each with its counts."""
        if len(self.header) != _COUNTED + 1 or self.header[_COUNTED] != "counted":
            return self.display.html()
        grams = "".join(
            f'<span class="gram{" counted" if row[_COUNTED] else ""}">{xml_text(_format_cell(row[0]))}'
            f"<i>{row[1]}, {row[2]} → {row[_COUNTED]}</i></span>"
            for row in self.rows
        )
        return f"<p><small>{xml_text(', '.join(self.header[1:3]))} → counted</small></p><p class='grams'>{grams}</p>"


def _format_cell(cell: Cell) -> str:
    if isinstance(cell, str):
        return cell.replace(" ", "␣") if not cell.strip() else cell
    return format_number(cell)


@dataclass(frozen=True, slots=True)
class WorkStep:
    """One step: what is done and why, the table it looks at, and the numbers it gives."""

    name: str
    text: str
    table: WorkTable | None
    equations: tuple[Equation, ...]


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

    def to_dict(self) -> dict[str, object]:
        """The fields as plain numbers, strings, lists and dictionaries."""
        return {field.name: _plain(getattr(self, field.name)) for field in fields(self)}

    def to_json(self) -> str:
        """The work as JSON text."""
        return json.dumps(self.to_dict(), ensure_ascii=False, allow_nan=False, indent=1) + "\n"

    def pretty(self) -> str:
        """The work as plain text."""
        lines = [f"{self.title} = {format_number(self.value)}", ""]
        lines += display.align_rows([(text.role, text.text) for text in self.texts], words=(0, 1))
        for number, step in enumerate(self.steps, start=1):
            table = () if step.table is None else step.table.display.text().split("\n")
            equations = (f"{equation}{_note(equation, '   ({})')}" for equation in step.equations)
            inner = (*textwrap.wrap(step.text, _WIDTH), *table, *equations)
            lines += ["", f"{number}. {step.name}", *(f"   {line}" for line in inner)]
        return "\n".join([*lines, "", visible(short_signature(self.signature))])

    def to_markdown(self) -> str:
        """The work as Markdown, with the formulas in LaTeX between dollar signs."""
        blocks = [f"# {markdown_text(self.title)} = {format_number(self.value)}"]
        blocks.append("\n".join(f"- {markdown_text(text.role)}: {text.markdown}" for text in self.texts))
        for number, step in enumerate(self.steps, start=1):
            blocks += [f"## {number}. {markdown_text(step.name)}", markdown_text(step.text)]
            if step.table is not None:
                blocks.append(step.table.display.markdown().rstrip("\n"))
            blocks += [f"${equation.latex}${_note(equation, ' ({})', markdown_text)}" for equation in step.equations]
        return "\n\n".join([*blocks, markdown_code(short_signature(self.signature))]) + "\n"

    def to_html(self) -> str:
        """The work as an HTML fragment with its style; it needs no script."""
        parts = [f"<p><b>{xml_text(self.title)} = {format_number(self.value)}</b></p>"]
        parts += [text.html for text in self.texts]
        for number, step in enumerate(self.steps, start=1):
            parts.append(f"<h4>{number}. {xml_text(step.name)}</h4><p>{xml_text(step.text)}</p>")
            parts += ["" if step.table is None else step.table.html, *map(_html_equation, step.equations)]
        return add_style("".join(parts) + f"<small><code>{xml_text(short_signature(self.signature))}</code></small>")

    def _repr_html_(self) -> str:
        return self.to_html()

    def __str__(self) -> str:
        return self.pretty()

    def __repr__(self) -> str:
        return f"<Work {self.metric} = {self.value!r}, {len(self.steps)} steps>"


def _plain(value: object) -> object:
    match value:
        case Equation():
            return value.to_dict()
        case MarkedText() | WorkTable() | WorkStep():
            return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
    return list(map(_plain, value)) if isinstance(value, tuple) else value


def _note(equation: Equation, form: str, encode: Callable[[str], str] = str) -> str:
    return form.format(encode(equation.note)) if equation.note else ""


def _html_equation(equation: Equation) -> str:
    formula = re.sub(
        r"([^\W\d_]+)_(\w+)",
        lambda match: f"{match[1]}<sub>{match[2].replace('_', ',')}</sub>",
        xml_text(str(equation)),
    )
    formula = re.sub(r"\^(\w+)", r"<sup>\1</sup>", formula)
    return f'<div class="equation">{formula}{_note(equation, " <em>({})</em>", xml_text)}</div>'
