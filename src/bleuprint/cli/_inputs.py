"""Input files and columns of commands that read systems and references."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from bleuprint.dataset import STDIN, is_table

__all__ = [
    "SacrebleuCommand",
    "chosen_columns",
    "column_options",
    "reads_joined",
    "reference_option",
    "reference_options",
    "roles_of_files",
    "system_names",
]

_INPUT = {"-i", "--input"}


class SacrebleuCommand(click.Command):
    """A command whose -i takes every file up to the next option, as sacrebleu's does."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        expanded: list[str] = []
        taking = False
        for argument in args:
            if argument in _INPUT:
                taking = True
                continue
            if argument.startswith("-") and argument != STDIN:
                taking = False
            expanded += ["-i", argument] if taking else [argument]
        if args and args[-1] in _INPUT:
            expanded.append("-i")  # click reports the missing value
        return super().parse_args(ctx, expanded)


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
    if not translations and not all(map(is_table, systems)):
        raise click.UsageError("Missing option '-r' / '--reference'.")
    return systems, translations


def reads_joined(systems: tuple[str, ...], references: tuple[str, ...], source: str | None) -> bool:
    """Whether the systems are tables that hold their own references."""
    if len(systems) > 1 and not references and source is not None:
        raise click.UsageError("-s needs -r; tables with references hold their sources too.")
    return len(systems) > 1 and not references


def system_names(paths: tuple[str, ...]) -> list[str]:
    """Return a short unique name per system: the file name, or the path if file names collide."""
    short = ["stdin" if path == STDIN else _stem(path) for path in paths]
    names = short if len(set(short)) == len(short) else list(paths)
    names = [name.encode("utf-8", "backslashreplace").decode() for name in names]
    return [name if names.index(name) == index else f"{name} ({index + 1})" for index, name in enumerate(names)]


def _stem(path: str) -> str:
    name = Path(path).name
    for ending in (".gz", ".zst", ".txt", ".jsonl", ".json", ".eval", ".csv", ".tsv", ".parquet"):
        name = name.removesuffix(ending) or name
    return name
