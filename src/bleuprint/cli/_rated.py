"""Options of commands that read a table of ratings."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from bleuprint.cli import _terminal
from bleuprint.cli._formats import format_option, write_formatted
from bleuprint.cli._tables import short_signature, signatures_option
from bleuprint.files import write_files
from bleuprint.ratings.scored import FromRatings

__all__ = [
    "column_options",
    "column_roles",
    "deliver",
    "folds_option",
    "output_options",
    "rating_options",
    "resampling_options",
    "table_columns",
]

_Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]
_COLUMNS: tuple[_Decorator, ...] = (
    click.option("--segment", metavar="NAME", help="Column that names the segment of each row."),
    click.option("--system", metavar="NAME", help="Column that names the system of each row."),
    click.option("--rater", metavar="NAME", help="Column that names who rated, if several people did."),
    click.option("--hypothesis-column", metavar="NAME", help="Column with the outputs."),
    click.option(
        "--reference-column",
        multiple=True,
        metavar="NAME",
        help="Column with the references; repeatable. Cells may hold lists.",
    ),
    click.option("--source-column", metavar="NAME", help="Column with the sources."),
)
_TABLE: tuple[_Decorator, ...] = (
    click.argument("ratings", metavar="RATINGS"),
    click.option("--human", required=True, metavar="NAME", help="Column with the ratings."),
    click.option(
        "--lower-is-better",
        "lower_is_better",
        multiple=True,
        metavar="NAME",
        help="Column of ratings or scores in which lower is better; repeatable.",
    ),
    click.option(
        "--group",
        metavar="NAME",
        help="Column whose labels are the items, such as the document [default: each segment is an item].",
    ),
    *_COLUMNS,
)
_RESAMPLING: tuple[_Decorator, ...] = (
    click.option(
        "--samples",
        type=click.IntRange(1),
        default=1000,
        show_default=True,
        help="Number of resamples of items for the intervals.",
    ),
    click.option("--seed", type=int, default=12345, show_default=True, help="Random seed."),
)


_OUTPUT: tuple[_Decorator, ...] = (
    click.option("--report", "report_path", metavar="FILE", help="Write an HTML report."),
    format_option,
    signatures_option,
    click.option("--force", is_flag=True, help="Overwrite existing files."),
    click.option("--threads", type=click.IntRange(1), help="Number of threads [default: all cores]."),
)

folds_option = click.option(
    "--cv",
    "folds",
    type=click.IntRange(2),
    default=10,
    show_default=True,
    help="Folds of the cross-validation, which is over items.",
)


def rating_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the table of ratings and its columns; `column_roles` takes them out of the options again."""
    return _with(_TABLE, function)


def column_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the columns of a table of ratings alone."""
    return _with(_COLUMNS, function)


def resampling_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add --samples and --seed."""
    return _with(_RESAMPLING, function)


def output_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add --report, --format, --signatures, --force and --threads; `deliver` serves them."""
    return _with(_OUTPUT, function)


def _with(decorators: tuple[_Decorator, ...], function: Callable[..., Any]) -> Callable[..., Any]:
    for decorate in reversed(decorators):
        function = decorate(function)
    return function


def table_columns(options: dict[str, Any]) -> dict[str, Any]:
    """Remove the columns of texts and names from the options of a command, and return them as readers take them."""
    return {
        "segment": options.pop("segment"),
        "system": options.pop("system"),
        "rater": options.pop("rater"),
        "hypothesis": options.pop("hypothesis_column"),
        "reference": options.pop("reference_column") or None,
        "source": options.pop("source_column"),
    }


def column_roles(options: dict[str, Any]) -> dict[str, Any]:
    """Remove all columns from the options of a command, and return them as `fit` and its relatives take them."""
    own = {"lower_is_better": options.pop("lower_is_better"), "group": options.pop("group")}
    return own | table_columns(options)


def deliver(found: FromRatings, *, report_path: str | None, form: str, signatures: bool, force: bool) -> None:
    """Write the report and print the result, as tables or in a format."""
    if report_path is not None:
        write_files({Path(report_path): found.to_html().encode()}, overwrite=force)
    if form == "text":
        _show(found, full_signatures=signatures)
    else:
        write_formatted(found, found.to_json(), form, percent=False)


def _show(shown: FromRatings, *, full_signatures: bool) -> None:
    """Print the tables, what they mean, and the signatures."""
    for table in shown.display():
        rows = [[cell.plain for cell in row] for row in table.rows]
        _terminal.draw(_terminal.Table(list(table.header), rows, table.words))
        _terminal.write("\n")
        _terminal.write_sentences(table.notes)
        signatures = [text if full_signatures else short_signature(text) for text in (table.signatures or {}).values()]
        if signatures:
            _terminal.write("".join(f"{line}\n" for line in ("", *map(_terminal.visible, signatures))))
