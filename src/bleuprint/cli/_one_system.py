"""Options and input shared by the commands that examine one system."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import click

from bleuprint import __version__
from bleuprint.cli import _notes, _terminal
from bleuprint.cli._inputs import named_files, reference_option, roles_of_files
from bleuprint.dataset import STDIN, FileStream
from bleuprint.files import check_targets, write_files

__all__ = ["Texts", "one_system", "read", "show"]


class Texts(NamedTuple):
    """The segments of one system with their references."""

    hypotheses: Sequence[str]
    references: Sequence[Sequence[str]]


def one_system(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add HYP, -r, --json, --strict, --force, and --threads to a command."""
    for option in reversed(
        (
            click.argument("hypotheses", metavar="HYP"),
            reference_option,
            click.option(
                "--json",
                "json_path",
                metavar="FILE",
                help="Save the result as JSON; '-' prints it instead of the table.",
            ),
            _notes.strict_option,
            click.option("--force", is_flag=True, help="Overwrite an existing file."),
            click.option("--threads", type=click.IntRange(1), help="Number of threads [default: all cores]."),
        )
    ):
        function = option(function)
    return function


def read(hypotheses: str, references: tuple[str, ...], json_path: str | None, *, force: bool) -> Texts:
    """Return the segments of the files, after a check of the output file; notes go to standard error."""
    check_targets((path for path in (json_path,) if path not in {None, STDIN}), overwrite=force)
    (system,), translations = roles_of_files((hypotheses,), (), references)
    with FileStream(named_files([system]), translations) as stream:
        segments = stream.read()
    _notes.show(stream.notes)
    return Texts(next(iter(segments.systems.values())), segments.references)


def show(document: Mapping[str, object], path: str | None, draw: Callable[[], None], *, force: bool) -> None:
    """Write the document to a file if there is a path, and draw the table unless '-' prints the document instead."""
    text = json.dumps({"bleuprint": __version__, **document}, ensure_ascii=False, allow_nan=False, indent=1) + "\n"
    if path == STDIN:
        _terminal.write_json(text)
        return
    try:
        if path is not None:
            write_files({Path(path): text.encode()}, overwrite=force)
    finally:
        draw()
