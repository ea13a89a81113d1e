"""The work as plain text, Markdown and HTML."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator

from bleuprint.insight.worked.equations import Equation, shown
from bleuprint.insight.worked.model import Cell, MarkedText, Work, WorkStep, WorkTable
from bleuprint.results.display import align_rows
from bleuprint.results.escaping import markdown_code, markdown_text, visible, xml_text
from bleuprint.results.notebook import add_style

_LONG = 24  # rows; a longer table is written as running text
_WIDTH = 100
_COUNTED = 3  # the column that says how often an n-gram is counted


def pretty(work: Work) -> str:
    """The work as plain text, one step after the other."""
    lines = [f"{work.title} = {shown(work.value)}", ""]
    lines += align_rows([(text.role, _line(text)) for text in work.texts], words=(0, 1))
    for number, step in enumerate(work.steps, start=1):
        lines += ["", f"{number}. {step.name}", *_wrapped(step.text)]
        if step.table is not None:
            lines += [f"   {line}" for line in _table_lines(step.table)]
        for equation in step.equations:
            note = f"   ({equation.note})" if equation.note else ""
            lines.append(f"   {equation}{note}")
    return "\n".join([*lines, "", visible(work.signature)])


def _line(text: MarkedText) -> str:
    return text.separator.join(map(str, text.tokens)) or "(empty)"


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, _WIDTH - 3, initial_indent="   ", subsequent_indent="   ")


def _cell(cell: Cell) -> str:
    if isinstance(cell, str):
        return cell.replace(" ", "␣") if not cell.strip() else cell
    return shown(cell)


def _table_lines(table: WorkTable) -> Iterator[str]:
    words = [place for place, cell in enumerate(table.rows[0]) if isinstance(cell, str)]
    if len(table.rows) <= _LONG:
        yield from align_rows([table.header, *(tuple(map(_cell, row)) for row in table.rows)], words=words)
        return
    yield f"{table.header[0]}: {', '.join(table.header[1:])}" if len(table.header) > 1 else table.header[0]
    listed = ";  ".join(_entry(row) for row in table.rows)
    yield from map(visible, textwrap.wrap(listed, _WIDTH - 3, break_long_words=False, break_on_hyphens=False))


def _entry(row: tuple[Cell, ...]) -> str:
    first, *others = map(_cell, row)
    return f"{first}: {', '.join(others)}" if others else first


def markdown(work: Work) -> str:
    """The work as Markdown; formulas are LaTeX."""
    blocks = [f"# {markdown_text(work.title)} = {shown(work.value)}"]
    blocks.append("\n".join(f"- {markdown_text(text.role)}: {_markdown_line(text)}" for text in work.texts))
    for number, step in enumerate(work.steps, start=1):
        blocks += [f"## {number}. {markdown_text(step.name)}", markdown_text(step.text)]
        if step.table is not None:
            blocks.append(_markdown_table(step.table))
        blocks += map(_markdown_equation, step.equations)
    return "\n\n".join([*blocks, markdown_code(work.signature)]) + "\n"


def _markdown_line(text: MarkedText) -> str:
    """Tokens in code spans, because Markdown would drop spaces and act on signs; matched ones are bold."""
    if text.separator == "":
        return markdown_code(_line(text))
    tokens = [markdown_code(str(token) or " ") for token in text.tokens]
    return " ".join(f"**{token}**" if mark else token for token, mark in zip(tokens, text.marks, strict=True)) or "–"


def _markdown_table(table: WorkTable) -> str:
    if len(table.rows) > _LONG:
        entries = ("".join((markdown_code(_cell(row[0]) or " "), *_rest(row))) for row in table.rows)
        return f"{markdown_text(': '.join((table.header[0], ', '.join(table.header[1:]))))}\n\n{'; '.join(entries)}"
    head = "| " + " | ".join(map(markdown_text, table.header)) + " |"
    rule = "|" + "|".join("---" if isinstance(cell, str) else "---:" for cell in table.rows[0]) + "|"
    rows = ("| " + " | ".join(markdown_text(_cell(cell)) for cell in row) + " |" for row in table.rows)
    return "\n".join([head, rule, *rows])


def _rest(row: tuple[Cell, ...]) -> Iterator[str]:
    if len(row) > 1:
        yield " " + ", ".join(markdown_text(_cell(cell)) for cell in row[1:])


def _markdown_equation(equation: Equation) -> str:
    note = f" ({markdown_text(equation.note)})" if equation.note else ""
    return f"${equation.latex}${note}"


def html(work: Work) -> str:
    """The work as an HTML fragment; matched tokens are shaded by the length of the n-gram they are part of."""
    parts = [f"<p><b>{xml_text(work.title)} = {shown(work.value)}</b></p>", *map(_html_line, work.texts)]
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
    note = f" <em>({xml_text(equation.note)})</em>" if equation.note else ""
    return f'<div class="equation">{formula}{note}</div>'


def _subscript(match: re.Match[str]) -> str:
    return f"{match[1]}<sub>{match[2].replace('_', ',')}</sub>"


def _html_table(table: WorkTable) -> str:
    if len(table.header) == _COUNTED + 1 and table.header[_COUNTED] == "counted":
        grams = "".join(
            f'<span class="gram{" counted" if row[_COUNTED] else ""}">{xml_text(_cell(row[0]))}'
            f"<i>{row[1]}, {row[2]} → {row[_COUNTED]}</i></span>"
            for row in table.rows
        )
        return f"<p><small>{xml_text(', '.join(table.header[1:3]))} → counted</small></p><p class='grams'>{grams}</p>"
    head = "".join(f'<th class="words">{xml_text(cell)}</th>' for cell in table.header)
    rows = "".join(
        "<tr>" + "".join(f'<td class="words">{xml_text(_cell(cell))}</td>' for cell in row) + "</tr>"
        for row in table.rows
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
