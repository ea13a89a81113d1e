"""bleuprint sacrebleu."""

from __future__ import annotations

import io
import logging
import sys

import click

from bleuprint.cli import _terminal
from bleuprint.compat.sacrebleu.command import output


@click.command(
    "sacrebleu",
    add_help_option=False,
    context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False},
)
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def command(arguments: tuple[str, ...]) -> None:
    """Score files as sacrebleu does, with its arguments and its output."""
    logger, handler = logging.getLogger("sacrebleu"), _Notes()
    quiet = any(argument in {"-q", "--quiet"} for argument in arguments)
    handler.setLevel(logging.WARNING if quiet else logging.INFO)
    level, propagate = logger.level, logger.propagate
    logger.setLevel(handler.level)
    logger.propagate = False
    logger.addHandler(handler)
    try:
        stdin = io.BytesIO() if sys.stdin is None else sys.stdin.buffer
        for text in output(arguments, stdin, colour=sys.stdout is not None and sys.stdout.isatty()):
            _terminal.write(text, coloured=True)
    finally:
        logger.removeHandler(handler)
        logger.setLevel(level)
        logger.propagate = propagate


class _Notes(logging.Handler):
    """Write log messages to standard error in sacrebleu's format."""

    def emit(self, record: logging.LogRecord) -> None:
        _terminal.note(f"sacreBLEU: {record.getMessage()}")
