"""Options of commands that read a table of ratings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from bleuprint.cli import _terminal
from bleuprint.cli._tables import short_signature
from bleuprint.results.display import Displayed

__all__ = ["column_roles", "rating_options", "resampling_options", "show"]

_Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]
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
    click.option("--segment", metavar="NAME", help="Column with the segment."),
    click.option("--system", metavar="NAME", help="Column with the system."),
    click.option("--rater", metavar="NAME", help="Column with the rater."),
    click.option("--hypothesis-column", metavar="NAME", help="Column with the outputs."),
    click.option("--reference-column", multiple=True, metavar="NAME", help="Column with references; repeatable."),
    click.option("--source-column", metavar="NAME", help="Column with the sources."),
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


def rating_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the table of ratings and its columns; `column_roles` takes them out of the options again."""
    for option in reversed(_TABLE):
        function = option(function)
    return function


def resampling_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add --samples and --seed."""
    for option in reversed(_RESAMPLING):
        function = option(function)
    return function


def column_roles(options: dict[str, Any]) -> dict[str, Any]:
    """Remove the columns from the options of a command, and return them as `fit` and its relatives take them."""
    return {
        "lower_is_better": options.pop("lower_is_better"),
        "group": options.pop("group"),
        "segment": options.pop("segment"),
        "system": options.pop("system"),
        "rater": options.pop("rater"),
        "hypothesis": options.pop("hypothesis_column"),
        "reference": options.pop("reference_column") or None,
        "source": options.pop("source_column"),
    }


def show(shown: Displayed, *, full_signatures: bool) -> None:
    """Print the tables, what they mean, and the signatures."""
    for table in shown.display():
        rows = [[cell.plain for cell in row] for row in table.rows]
        _terminal.draw(_terminal.Table(list(table.header), rows, table.words))
        _terminal.write("\n")
        _terminal.write_sentences(table.notes)
        signatures = [text if full_signatures else short_signature(text) for text in (table.signatures or {}).values()]
        if signatures:
            _terminal.write("".join(f"{line}\n" for line in ("", *map(_terminal.visible, signatures))))
