"""Input files and columns of commands that read systems and references."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import PurePath
from typing import Any

import click

from bleuprint.dataset import STDIN, is_table

__all__ = [
    "chosen_columns",
    "column_options",
    "named_files",
    "reads_joined",
    "reference_option",
    "reference_options",
    "roles_of_files",
    "split_name",
]

reference_option = click.option(
    "-r",
    "--reference",
    "references",
    multiple=True,
    metavar="REF",
    help="Reference file; repeat for multiple references per segment. Not needed if HYP are tables with references.",
)


def reference_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add -r and -s to a command."""
    source = click.option(
        "-s",
        "--source",
        metavar="SRC",
        help="Source file. Shown in the report and used by metrics such as ibleu.",
    )
    return reference_option(source(function))


def column_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that assign table columns to roles."""
    for option in (
        click.option(
            "--id-column", metavar="NAME", help="Table column with the ids, by which several tables are joined."
        ),
        click.option("--source-column", metavar="NAME", help="Table column with the sources."),
        click.option(
            "--reference-column",
            multiple=True,
            metavar="NAME",
            help="Table column with the references; repeatable. Cells of .jsonl and .parquet may hold lists.",
        ),
        click.option(
            "--hypothesis-column",
            multiple=True,
            metavar="NAME",
            help="Table column with the hypotheses; repeat for several systems.",
        ),
    ):
        function = option(function)
    return function


def chosen_columns(
    hypothesis: tuple[str, ...], reference: tuple[str, ...], source: str | None, identity: str | None = None
) -> dict[str, str | tuple[str, ...]]:
    """Return the columns given on the command line, by role."""
    given: dict[str, str | tuple[str, ...] | None] = {
        "hypothesis": hypothesis,
        "reference": reference,
        "source": source,
        "id": identity,
    }
    return {role: names for role, names in given.items() if names}


def roles_of_files(
    positional: tuple[str, ...], inputs: tuple[str, ...], references: tuple[str, ...]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the hypothesis files and the reference files."""
    if inputs and not references:
        systems, translations = inputs, positional
    else:
        systems, translations = (*positional, *inputs), references
    if not systems:
        raise click.UsageError("Missing argument 'HYP...'.")
    if not translations and not all(is_table(split_name(system)[1]) for system in systems):
        raise click.UsageError("Missing option '-r' / '--reference'.")
    return systems, translations


def reads_joined(systems: tuple[str, ...], references: tuple[str, ...], source: str | None) -> bool:
    """Whether the systems are tables that hold their own references."""
    if len(systems) > 1 and not references and source is not None:
        raise click.UsageError("-s needs -r; tables with references hold their sources too.")
    return len(systems) > 1 and not references


def named_files(arguments: Sequence[str]) -> dict[str, str]:
    """Return the files by the names of their systems: as given in Name=path, else the shortest that distinguish them.

    >>> list(named_files(["wmt.en-de.hyp.Online-B.de", "wmt.en-de.hyp.JDExplore.de", "Mine=runs/3/out.txt"]))
    ['Online-B', 'JDExplore', 'Mine']
    """
    given = [split_name(argument) for argument in arguments]
    short = iter(_shortest([path for name, path in given if not name]))
    names = [_printable(name or next(short)) for name, _ in given]
    for place, (name, _) in enumerate(given):
        if name and names.index(_printable(name)) != place:
            raise click.UsageError(f"two systems are called {name}; give them different names.")
    unique = [name if names.index(name) == place else f"{name} ({place + 1})" for place, name in enumerate(names)]
    return dict(zip(unique, (path for _, path in given), strict=True))


def split_name(argument: str) -> tuple[str, str]:
    """Take Name=path apart; a file whose own name has an equals sign is meant as a whole."""
    name, equals, path = argument.partition("=")
    if not equals or not name or not path or "/" in name or os.path.lexists(argument):
        return "", argument
    return name, path


def _printable(name: str) -> str:
    return name.encode("utf-8", "backslashreplace").decode()


_ENDINGS = (".gz", ".zst", ".txt", ".jsonl", ".json", ".eval", ".csv", ".tsv", ".parquet")


def _shortest(paths: Sequence[str]) -> list[str]:
    """Drop the parts of the names that all files share: folders, and what stands between dots."""
    stems = ["stdin" if path == STDIN else _stem(path) for path in paths]
    if len(set(stems)) == len(stems):
        return _without_common([stem.split(".") for stem in stems], ".")
    folders = [[*PurePath(path).parent.parts, stem] for path, stem in zip(paths, stems, strict=True)]
    return _without_common(folders, "/")


def _without_common(names: list[list[str]], separator: str) -> list[str]:
    # At least one part of every name stays.
    while len(names) > 1 and min(map(len, names)) > 1 and len({parts[0] for parts in names}) == 1:
        names = [parts[1:] for parts in names]
    while len(names) > 1 and min(map(len, names)) > 1 and len({parts[-1] for parts in names}) == 1:
        names = [parts[:-1] for parts in names]
    return [separator.join(parts) for parts in names]


def _stem(path: str) -> str:
    name = PurePath(path).name
    for ending in _ENDINGS:
        name = name.removesuffix(ending) or name
    return name
