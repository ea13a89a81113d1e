"""The option --format of commands that do not use `Output` yet."""

from __future__ import annotations

from collections.abc import Mapping

import click

from bleuprint.cli import _terminal
from bleuprint.cli._output import FORMATS, Output
from bleuprint.results.display import Displayed

__all__ = ["check_format", "check_outputs", "format_option", "signatures_option", "write_formatted"]

format_option = click.option(
    "--format", "form", type=click.Choice(FORMATS), default="text", show_default=True, help="How to print the table."
)
signatures_option = click.option("--signatures", is_flag=True, help="Print full signatures.")


def check_format(form: str, given: Mapping[str, object]) -> None:
    """Refuse options that only change the text."""
    Output(format=form).check_text_only(given)


def check_outputs(json_path: str | None, report_path: str | None, *, force: bool) -> None:
    """Refuse output files that cannot be written."""
    Output(json=json_path, report=report_path, force=force)


def write_formatted(shown: Displayed, as_json: str, form: str, *, percent: bool) -> None:
    """Print in a format other than text."""
    output = Output(format=form, percent=percent)
    output.deliver(json=lambda: as_json, tables=shown, show=lambda: _terminal.write(shown.pretty()))
