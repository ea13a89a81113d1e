"""What commands share that choose one of several candidates per line: their options, files and output."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from bleuprint import __version__
from bleuprint.cli import _notes, _terminal
from bleuprint.cli._metrics import metric_options
from bleuprint.dataset import STDIN, is_table, read_parallel
from bleuprint.dataset.stream import open_table
from bleuprint.errors import DataFileError, InputError
from bleuprint.files import check_targets, write_files
from bleuprint.insight.choosing import Choice
from bleuprint.metrics.mbr import MbrChoice

__all__ = ["candidate_options", "check_outputs", "read_candidates", "write_choices"]

_Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]
_INPUT: tuple[_Decorator, ...] = (
    click.argument("hypotheses", nargs=-1, required=True, metavar="CANDIDATES..."),
    click.option(
        "--column",
        "candidates_column",
        metavar="NAME",
        default="candidates",
        show_default=True,
        help="Column of a table with the list of candidates of each row.",
    ),
)
_OUTPUT: tuple[_Decorator, ...] = (
    click.option("-o", "--output", metavar="FILE", help="Write the chosen texts here [default: print them]."),
    click.option(
        "--json",
        "json_path",
        metavar="FILE",
        help="Save the choices with their scores as JSON; '-' prints it instead of the texts.",
    ),
    _notes.strict_option,
    click.option("--force", is_flag=True, help="Overwrite existing files."),
    click.option("--threads", type=click.IntRange(1), help="Number of threads [default: all cores]."),
)


def candidate_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the candidates, the metrics and the output."""
    for option in (*reversed(_OUTPUT), metric_options, *reversed(_INPUT)):
        function = option(function)
    return function


def check_outputs(output: str | None, json_path: str | None, *, force: bool) -> None:
    """Refuse output files that cannot be written, before anything is computed."""
    check_targets((path for path in (output, json_path) if path not in {None, STDIN}), overwrite=force)


def read_candidates(files: dict[str, str], column: str) -> tuple[Sequence[Sequence[str]], list[str]]:
    """Return the candidates of each segment, and the names of the files they come from, if each has its own."""
    paths = list(files.values())
    if len(paths) == 1 and is_table(paths[0]):
        table = open_table(paths[0])
        try:
            if column not in table.names:
                known = ", ".join(table.names)
                raise DataFileError(table.name, f"there is no column {column!r}, only {known}; pass --column NAME")
            rows = [
                [str(text) for text in group]
                for batch in table.batches()
                for group in batch.column(column, groups=True).unpack()
            ]
        finally:
            table.close()
        _notes.show(table.notes)
        return rows, []
    if len(paths) == 1:
        raise click.UsageError("one text file holds one candidate per segment; pass several, or a table of lists.")
    texts = read_parallel(paths)
    _notes.show(note for file in texts for note in file.notes)
    return list(zip(*(file.segments for file in texts), strict=True)), list(files)


def write_choices(
    choices: Sequence[MbrChoice | Choice],
    names: Sequence[str],
    head: Mapping[str, str],
    scores: Mapping[str, Sequence[float]],
    *,
    output: str | None,
    json_path: str | None,
    force: bool,
) -> None:
    """Write or print the chosen texts; as JSON after `head`, with the scores of each by name."""
    fields = [
        {
            "index": choice.index,
            **({"candidate": names[choice.index]} if names else {}),
            "text": choice.text,
            **{name: values[place] for name, values in scores.items()},
        }
        for place, choice in enumerate(choices)
    ]
    document = {"bleuprint": __version__, **head, "choices": fields}
    record = json.dumps(document, ensure_ascii=False, indent=1) + "\n"
    contents = [] if output is None else [(Path(output), _lines(choices).encode())]
    if json_path is not None and json_path != STDIN:
        contents.append((Path(json_path), record.encode()))
    try:
        write_files(contents, overwrite=force)
    finally:
        if json_path == STDIN:
            _terminal.write_json(record)
        elif output is None:
            _terminal.write(_lines(choices))


def _lines(choices: Sequence[MbrChoice | Choice]) -> str:
    """Return the chosen texts, one per line."""
    for number, choice in enumerate(choices, start=1):
        if "\n" in str(choice.text):
            raise InputError(f"the candidate chosen for row {number} has several lines; use --json - to get it whole.")
    return "".join(f"{choice.text}\n" for choice in choices)
