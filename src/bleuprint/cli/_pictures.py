"""Options of commands that draw."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from bleuprint.errors import OptionError

__all__ = ["size_options"]


def _length(context: click.Context, parameter: click.Parameter, given: str | None) -> float | None:
    """The length in pixels."""
    if given is None:
        return None
    from bleuprint.report.picture_files import pixels

    try:
        return pixels(given)
    except OptionError as error:
        raise click.BadParameter(str(error), context, parameter) from None


def size_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add --width and --height to a command."""
    for option in (
        click.option("--height", callback=_length, metavar="LENGTH", help="Height [default: as the chart needs]."),
        click.option("--width", callback=_length, metavar="LENGTH", help="Width: 3.3in, 8.4cm, 320px [default: 5in]."),
    ):
        function = option(function)
    return function
