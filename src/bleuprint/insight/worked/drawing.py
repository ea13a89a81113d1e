"""The work as plain text, Markdown and HTML."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from bleuprint.insight.worked.equations import Equation, format_number
from bleuprint.results import display
from bleuprint.results.escaping import markdown_code, markdown_text, visible, xml_text
from bleuprint.results.notebook import add_style

if TYPE_CHECKING:
    from bleuprint.insight.worked.model import Cell, MarkedText, Work, WorkStep, WorkTable

_LONG = 24  # rows; a longer table is written as running text
_WIDTH = 100
_COUNTED = 3  # the column that says how often an n-gram is counted


def pretty(work: Work) -> str:
    """The work as plain text, one step after the other."""
    lines = [f"{work.title} = {format_number(work.value)}", ""]
    lines += display.align_rows([(text.role, _line(text)) for text in work.texts], words=(0, 1))
    for number, step in enumerate(work.steps, start=1):
        wrapped = textwrap.wrap(step.text, _WIDTH - 6)
        table = () if step.table is None else _table_lines(step.table)
        equations = (f"{equation}{_note(equation, '   ({})')}" for equation in step.equations)
        lines += ["", f"{number}. {step.name}", *(f"   {line}" for line in (*wrapped, *table, *equations))]
    return "\n".join([*lines, "", visible(work.signature)])


def _line(text: MarkedText) -> str:
    return text.separator.join(map(str, text.tokens)) or "(empty)"


def _note(equation: Equation, form: str, encode: Callable[[str], str] = str) -> str:
    return form.format(encode(equation.note)) if equation.note else ""


def _cell(cell: Cell) -> str:
    if isinstance(cell, str):
        return cell.replace(" ", "␣") if not cell.strip() else cell
    return format_number(cell)


def _display(table: WorkTable) -> display.DisplayTable:
    texts = frozenset(place for place, cell in enumerate(table.rows[0]) if isinstance(cell, str))
    return display.DisplayTable(table.header, tuple(display.words(*map(_cell, row)) for row in table.rows), words=texts)


def _table_lines(table: WorkTable) -> Iterator[str]:
    if len(table.rows) <= _LONG:
        yield from _display(table).text().split("\n")
        return
    yield ": ".join(filter(None, (table.header[0], ", ".join(table.header[1:]))))
    entries = (": ".join(filter(None, (_cell(row[0]), ", ".join(map(_cell, row[1:]))))) for row in table.rows)
    listed = textwrap.wrap(";  ".join(entries), _WIDTH - 3, break_long_words=False, break_on_hyphens=False)
    yield from map(visible, listed)


def markdown(work: Work) -> str:
    """The work as Markdown; formulas are LaTeX."""
    blocks = [f"# {markdown_text(work.title)} = {format_number(work.value)}"]
    blocks.append("\n".join(f"- {markdown_text(text.role)}: {_markdown_line(text)}" for text in work.texts))
    for number, step in enumerate(work.steps, start=1):
        blocks += [f"## {number}. {markdown_text(step.name)}", markdown_text(step.text)]
        if step.table is not None:
            blocks.append(_markdown_table(step.table))
        blocks += [f"${equation.latex}${_note(equation, ' ({})', markdown_text)}" for equation in step.equations]
    return "\n\n".join([*blocks, markdown_code(work.signature)]) + "\n"


def _markdown_line(text: MarkedText) -> str:
    """Tokens in code spans, because Markdown would drop spaces and act on signs; matched ones are bold."""
    if text.separator == "":
        return markdown_code(_line(text))
    tokens = [markdown_code(str(token) or " ") for token in text.tokens]
    return " ".join(f"**{token}**" if mark else token for token, mark in zip(tokens, text.marks, strict=True)) or "–"


def _markdown_table(table: WorkTable) -> str:
    if len(table.rows) <= _LONG:
        return _display(table).markdown().rstrip("\n")
    entries = (
        " ".join(
            filter(None, (markdown_code(_cell(row[0]) or " "), ", ".join(map(markdown_text, map(_cell, row[1:])))))
        )
        for row in table.rows
    )
    return f"{markdown_text(': '.join((table.header[0], ', '.join(table.header[1:]))))}\n\n{'; '.join(entries)}"


def html(work: Work) -> str:
    """The work as an HTML fragment; matched tokens are shaded by the length of the n-gram they are part of."""
    parts = [f"<p><b>{xml_text(work.title)} = {format_number(work.value)}</b></p>", *map(_html_line, work.texts)]
    for number, step in enumerate(work.steps, start=1):
        parts.append(_html_step(number, step))
    return add_style("".join(parts) + f"<small><code>{xml_text(work.signature)}</code></small>")


def _html_line(text: MarkedText) -> str:
    shade = any(text.marks)
    tokens = (
        f'<span class="m{min(mark, 4)}">{xml_text(str(token))}</span>' if shade else xml_text(str(token))
        for token, mark in zip(text.tokens, text.marks, strict=True)
    )
    return f'<div class="line"><span class="role">{xml_text(text.role)}</span> {text.separator.join(tokens)}</div>'


def _html_step(number: int, step: WorkStep) -> str:
    equations = "".join(map(_html_equation, step.equations))
    table = "" if step.table is None else _html_table(step.table)
    return f"<h4>{number}. {xml_text(step.name)}</h4><p>{xml_text(step.text)}</p>{table}{equations}"


def _html_equation(equation: Equation) -> str:
    formula = re.sub(r"([^\W\d_]+)_(\w+)", _subscript, xml_text(str(equation)))
    formula = re.sub(r"\^(\w+)", r"<sup>\1</sup>", formula)
    return f'<div class="equation">{formula}{_note(equation, " <em>({})</em>", xml_text)}</div>'


def _subscript(match: re.Match[str]) -> str:
    return f"{match[1]}<sub>{match[2].replace('_', ',')}</sub>"


def _html_table(table: WorkTable) -> str:
    if len(table.header) != _COUNTED + 1 or table.header[_COUNTED] != "counted":
        return _display(table).html()
    grams = "".join(
        f'<span class="gram{" counted" if row[_COUNTED] else ""}">{xml_text(_cell(row[0]))}'
        f"<i>{row[1]}, {row[2]} → {row[_COUNTED]}</i></span>"
        for row in table.rows
    )
    return f"<p><small>{xml_text(', '.join(table.header[1:3]))} → counted</small></p><p class='grams'>{grams}</p>"
