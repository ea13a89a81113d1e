"""What commands that look into one system's scores share."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import click

from bleuprint import __version__
from bleuprint.cli import _terminal
from bleuprint.cli._inputs import reference_option, roles_of_files
from bleuprint.dataset import STDIN, FileStream
from bleuprint.files import write_files

__all__ = ["Texts", "one_system", "read", "write_json"]


class Texts(NamedTuple):
    """The segments of one system with their references."""

    hypotheses: Sequence[str]
    references: Sequence[Sequence[str]]


def one_system(function: Callable[..., Any]) -> Callable[..., Any]:
    """The arguments and options: HYP, -r, --json, --force, --threads."""
    for option in reversed(
        (
            click.argument("hypotheses", metavar="HYP"),
            reference_option,
            click.option("--json", "json_path", metavar="FILE", help="Store as JSON; '-' prints it, not the table."),
            click.option("--force", is_flag=True, help="Replace a file that exists."),
            click.option("--threads", type=click.IntRange(1), help="Threads to use; all processors if not given."),
        )
    ):
        function = option(function)
    return function


def read(hypotheses: str, references: tuple[str, ...]) -> Texts:
    """The segments of the files; what had to be said about a file goes to standard error."""
    (system,), translations = roles_of_files((hypotheses,), (), references)
    with FileStream({"system": system}, translations) as stream:
        segments = stream.read()
    for note in stream.notes:
        _terminal.note(f"note: {note}")
    return Texts(next(iter(segments.systems.values())), segments.references)


def write_json(document: Mapping[str, object], path: str, *, force: bool) -> bool:
    """Store the document; True if it was printed instead, because the path is '-'."""
    text = json.dumps({"bleuprint": __version__, **document}, ensure_ascii=False, allow_nan=False, indent=1) + "\n"
    if path == STDIN:
        _terminal.write_bytes(text.encode())
        return True
    write_files({Path(path): text.encode()}, overwrite=force)
    return False
