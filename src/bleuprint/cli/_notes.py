"""Notes on standard error, which --strict turns into errors."""

from __future__ import annotations

from collections.abc import Iterable

import click

from bleuprint.cli import _terminal
from bleuprint.results.escaping import visible


def check(notes: Iterable[str]) -> None:
    """Fail on the first note if the command was given --strict; for notes that are known before long work."""
    if click.get_current_context().params.get("strict"):
        show(notes)


def show(notes: Iterable[str], context: click.Context | None = None) -> None:
    """Print each note once; fail on the first if the command was given --strict, and print none with --quiet."""
    context = context or click.get_current_context()
    shown: dict[str, None] = context.meta.setdefault("bleuprint.notes", {})
    for note in notes:
        if context.params.get("strict"):
            raise click.ClickException(f"{note} (an error because of --strict).")
        if note not in shown and not context.params.get("quiet"):
            _terminal.note(f"note: {note}")
        shown[note] = None


def all_shown() -> tuple[str, ...]:
    """Every note of this command, for its result to keep."""
    return tuple(map(visible, click.get_current_context().meta.get("bleuprint.notes", ())))
