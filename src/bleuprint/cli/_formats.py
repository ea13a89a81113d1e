"""The option --format: a table for the terminal, for Markdown, for LaTeX, for spreadsheets, or as JSON."""

from __future__ import annotations

from collections.abc import Mapping

import click

from bleuprint.cli import _terminal
from bleuprint.results.display import Displayed

__all__ = ["check_format", "format_option", "write_formatted"]

FORMATS = ("text", "markdown", "latex", "csv", "json")

format_option = click.option(
    "--format",
    "form",
    type=click.Choice(FORMATS),
    default="text",
    show_default=True,
    help="How to print the table; LaTeX needs the package booktabs.",
)


def check_format(form: str, given: Mapping[str, object]) -> None:
    """Refuse options that only change the text; `given` are their values by spelling."""
    for option, value in given.items():
        if form != "text" and value:
            raise click.UsageError(f"{option} belongs to --format text, not {form}.")


def write_formatted(shown: Displayed, as_json: str, form: str, *, percent: bool) -> None:
    """Print in a format other than text; CSV and JSON keep the 0-1 scale and all digits."""
    match form:
        case "markdown":
            _terminal.write(shown.to_markdown(percent=percent))
        case "latex":
            _terminal.write(shown.to_latex(percent=percent))
        case "csv":
            _terminal.write(shown.to_csv())
        case _:
            _terminal.write_json(as_json)
