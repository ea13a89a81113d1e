"""sacrebleu's output formats: JSON, text tables and LaTeX."""

from __future__ import annotations

import json
import re
from argparse import Namespace
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from bleuprint.results.escaping import visible

if TYPE_CHECKING:
    from bleuprint.compat.sacrebleu.significance import Result

    Scores = Mapping[str, Sequence[str | Result]]  # by metric; "System" holds the names

Paint = Callable[[str, str], str]  # gives a text a color, like `ansi`

_COLOURS = {"red": 31, "green": 32, "yellow": 33, "cyan": 36}
_INVISIBLE = re.compile("\x1b\\[[0-9]+m")
_CONFIDENCE = re.compile(r"\(μ = [0-9.]+ ± [0-9.]+\)")
_LATEX = {character: f"\\{character}" for character in "&%$#_{}"} | {
    "^": r"\^{}",
    "~": r"\textasciitilde{}",
    "\\": r"\textbackslash{}",
    "<": r"\ensuremath{<}",
    ">": r"\ensuremath{>}",
}
_SIGNIFICANT = 0.05
_HEADER_ROOM = 2  # spaces beside a title


def ansi(text: str, colour: str) -> str:
    """The text in a color of the terminal."""
    return f"\x1b[{_COLOURS[colour]}m{text}\x1b[0m"


def single_results(results: list[str], *, as_json: bool, paint: Paint) -> Iterator[str]:
    """The scores of one system, aligned at the "="."""
    if as_json:
        yield (results[0] if len(results) == 1 else "[\n" + ",\n".join(results) + "\n]") + "\n"
        return
    lines = [_CONFIDENCE.sub(lambda match: paint(match[0], "cyan"), line) for line in results]
    left = [line.find("=") - 1 for line in lines]
    # A bare number has no "=" to align, and a confidence interval has one of its own.
    yield from (f"{line}\n" for line, at in zip(lines, left, strict=True) if at < 0 or len(lines) == 1)
    if len(lines) > 1:
        width = max(left)
        yield from (f"{line[:at]:>{width}}{line[at:]}\n" for line, at in zip(lines, left, strict=True) if at >= 0)


def results_table(scores: Scores, signatures: Mapping[str, str], arguments: Namespace, paint: Paint) -> Iterator[str]:
    """The scores of several systems."""
    if arguments.format == "json":
        rows = [
            {("system" if name == "System" else name): _plain(values[at]) for name, values in scores.items()}
            for at in range(len(scores["System"]))
        ]
        yield json.dumps(rows, indent=4) + "\n"
        return
    frames = arguments.format == "text"
    titles, columns = _cells(scores, arguments.width, "\n" if frames else " ", paint)
    baseline = columns[0][0] if columns[0][0].startswith("Baseline:") else ""
    if baseline:
        for column in columns:
            column[0] = paint(column[0], "yellow")
    titles = [paint(title, "cyan") for title in titles]
    yield from (_grid if frames else _latex)(titles, columns)
    yield "\n"
    if arguments.paired:
        yield from _explanation(arguments, baseline, paint)
    yield "-----------------\nMetric signatures\n-----------------\n"
    yield from (f" - {name:<10} {visible(signature)}\n" for name, signature in signatures.items())


def _plain(value: str | Result) -> object:
    """Names unchanged; a Result as a dict of plain numbers, which sacrebleu fails to produce for chrF and TER."""
    if isinstance(value, str):
        return value
    return {name: None if number is None else float(number) for name, number in vars(value).items()}


def _cells(scores: Scores, width: int, parting: str, paint: Paint) -> tuple[list[str], list[list[str]]]:
    titles, columns, bootstrap = list[str](), list[list[str]](), False
    for name, values in scores.items():
        cells = []
        for value in values:
            if isinstance(value, str):
                cells.append(visible(value))
                continue
            text = f"{value.score:.{width}f}"
            if value.mean is not None:
                bootstrap = True
                text += f" ({value.mean:.{width}f} ± {value.ci:.{width}f})"
            if value.p_value is not None:
                p_value = f"(p = {value.p_value:.4f})"
                text += parting + (paint(p_value, "red") if value.p_value > _SIGNIFICANT else f"{p_value}*")
            cells.append(text)
        titles.append(f"{name} (μ ± 95% CI)" if bootstrap else name)
        columns.append(cells)
    return titles, columns


def _width(text: str) -> int:
    return max(len(_INVISIBLE.sub("", line)) for line in text.split("\n"))


def _widths(titles: Sequence[str], columns: Sequence[Sequence[str]]) -> list[int]:
    return [
        max(_width(title) + _HEADER_ROOM, *map(_width, cells)) for title, cells in zip(titles, columns, strict=True)
    ]


def _align(texts: Sequence[str], widths: Sequence[int]) -> list[str]:
    """The first cell right-aligned, the others centered."""
    room = [width + len(text) - _width(text) for text, width in zip(texts, widths, strict=True)]
    return [f"{text:{'^' if at else '>'}{room[at]}}" for at, text in enumerate(texts)]


def _grid(titles: list[str], columns: list[list[str]]) -> Iterator[str]:
    widths = _widths(titles, columns)

    def rule(left: str, line: str, cross: str, right: str) -> str:
        return left + cross.join(line * (width + 2) for width in widths) + right + "\n"

    def row(cells: Sequence[str]) -> str:
        stacks = [cell.split("\n") for cell in cells]
        height = max(map(len, stacks))
        lines = zip(*(stack + [""] * (height - len(stack)) for stack in stacks), strict=True)
        return "".join("│ " + " │ ".join(_align(line, widths)) + " │\n" for line in lines)

    yield rule("╒", "═", "╤", "╕")
    yield row(titles)
    yield rule("╞", "═", "╪", "╡")
    for at, cells in enumerate(zip(*columns, strict=True)):
        if at:
            yield rule("├", "─", "┼", "┤")
        yield row(cells)
    yield rule("╘", "═", "╧", "╛")


def _latex(titles: list[str], columns: list[list[str]]) -> Iterator[str]:
    widths = _widths(titles, columns)

    def row(cells: Sequence[str]) -> str:
        # Cells are padded before escaping, as in sacrebleu.
        texts = ("".join(_LATEX.get(character, character) for character in cell) for cell in _align(cells, widths))
        return " " + " & ".join(texts) + " \\\\\n"

    yield f"\\begin{{tabular}}{{r{'c' * (len(titles) - 1)}}}\n\\toprule\n"
    yield row(titles)
    yield "\\midrule\n"
    yield from map(row, zip(*columns, strict=True))
    yield "\\bottomrule\n\\end{tabular}\n"


def _explanation(arguments: Namespace, baseline: str, paint: Paint) -> Iterator[str]:
    """sacrebleu's explanation of its tests."""
    bootstrap = arguments.paired_bs
    kind = "bootstrap resampling" if bootstrap else "approximate randomization"
    trials = f"{arguments.paired_bs_n} resampling trials" if bootstrap else f"{arguments.paired_ar_n} trials"
    title = f"Paired {kind} test with {trials}"
    estimates = "Actual system score"
    estimates += " / bootstrap estimated true mean / 95% CI are" if bootstrap else " is"
    base, null = paint("baseline", "yellow"), paint("Null hypothesis", "green")
    yield f"{'-' * len(title)}\n{title}\n{'-' * len(title)}\n"
    yield f""" - Each system is pairwise compared to {paint(baseline, "yellow")}.
   {estimates} provided for each metric.

 - {null}: the system and the {base} translations are essentially
   generated by the same underlying process. For a given system and the {base},
   the p-value is roughly the probability of the absolute score difference (delta)
   or higher occurring due to chance, under the assumption that the {null.lower()} is correct.

 - Assuming a significance threshold of 0.05, the {null.lower()} can be rejected
   for p-values < 0.05 (marked with "*"). This means that the delta is unlikely to be attributed
   to chance, hence the system is significantly "different" than the {base}.
   Otherwise, the p-values are {paint("highlighted in red", "red")}.

 - NOTE: Significance does not tell whether a system is "better" than the {base} but rather
   emphasizes the "difference" of the systems in terms of the replicability of the delta.

"""
