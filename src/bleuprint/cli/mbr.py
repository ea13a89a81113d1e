"""bleuprint mbr."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from bleuprint import __version__
from bleuprint.cli import _notes, _terminal
from bleuprint.cli._command import Command
from bleuprint.cli._inputs import named_files
from bleuprint.cli._metrics import bleu_options
from bleuprint.dataset import STDIN, is_table, read_parallel
from bleuprint.dataset.stream import open_table
from bleuprint.errors import DataFileError, InputError
from bleuprint.files import check_targets, write_files
from bleuprint.metrics.choosing import Choice
from bleuprint.metrics.mbr import MbrChoice, mbr_decode
from bleuprint.runners.progress import progress

__all__ = ["chosen_lines", "command", "read_candidates"]


@click.command(
    "mbr",
    cls=Command,
    epilog="Existing files are only replaced with --force.",
    examples=(
        "bleuprint mbr sample1.txt sample2.txt sample3.txt -o chosen.txt",
        "bleuprint mbr samples.jsonl --column candidates -tok intl --json choices.json",
    ),
    more="'bleuprint cards mbr', docs/how-to/score-a-system.md",
)
@click.argument("candidates", nargs=-1, required=True, metavar="CANDIDATES...")
@click.option(
    "--column",
    "candidates_column",
    metavar="NAME",
    default="candidates",
    show_default=True,
    help="Column of a table with the list of candidates of each row.",
)
@click.option(
    "--exclude-self",
    "include_self",
    is_flag=True,
    flag_value=False,
    default=True,
    help="Do not compare a candidate with itself.",
)
@bleu_options
@click.option("-o", "--output", metavar="FILE", help="Write the chosen texts here [default: print them].")
@click.option(
    "--json",
    "json_path",
    metavar="FILE",
    help="Save the choices with their expected scores as JSON; '-' prints it instead of the texts.",
)
@_notes.strict_option
@click.option("--force", is_flag=True, help="Overwrite existing files.")
@click.option("--threads", type=click.IntRange(1), help="Number of threads [default: all cores].")
def command(
    candidates: tuple[str, ...],
    candidates_column: str,
    include_self: bool,
    output: str | None,
    json_path: str | None,
    strict: bool,
    force: bool,
    threads: int | None,
    **options: Any,
) -> None:
    """Choose the best of several candidates per line (minimum Bayes risk).

    CANDIDATES are text files; line i of each is a candidate for segment i. Or one table (.jsonl, .json, .parquet) with
    a column of lists. The candidate with the highest expected sentence BLEU against all candidates is chosen.
    """
    check_targets((path for path in (output, json_path) if path not in {None, STDIN}), overwrite=force)
    groups, names = read_candidates(named_files(candidates), candidates_column)
    given = {name: value for name, value in options.items() if value is not None}
    with progress("choosing", None):
        choices = mbr_decode(groups, include_self=include_self, threads=threads, **given)
    record = _record(choices, names)
    contents = []
    if output is not None:
        contents.append((Path(output), chosen_lines(choices).encode()))
    if json_path is not None and json_path != STDIN:
        contents.append((Path(json_path), record.encode()))
    try:
        write_files(contents, overwrite=force)
    finally:
        if json_path == STDIN:
            _terminal.write_json(record)
        elif output is None:
            _terminal.write(chosen_lines(choices))


def chosen_lines(choices: Sequence[MbrChoice | Choice]) -> str:
    """Return the chosen texts, one per line."""
    for number, choice in enumerate(choices, start=1):
        if "\n" in str(choice.text):
            raise InputError(f"the candidate chosen for row {number} has several lines; use --json - to get it whole.")
    return "".join(f"{choice.text}\n" for choice in choices)


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


def _record(choices: Sequence[MbrChoice], names: Sequence[str]) -> str:
    fields = [
        {
            "index": choice.index,
            **({"candidate": names[choice.index]} if names else {}),
            "text": choice.text,
            "utility": choice.utility,
        }
        for choice in choices
    ]
    return json.dumps({"bleuprint": __version__, "choices": fields}, ensure_ascii=False, indent=1) + "\n"
