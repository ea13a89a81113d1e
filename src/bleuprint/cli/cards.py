"""bleuprint cards."""

from __future__ import annotations

import sys

import click

from bleuprint.cli import _terminal
from bleuprint.metrics import cards

__all__ = ["command"]


@click.command("cards")
@click.argument("name", required=False, metavar="[NAME]")
def command(name: str | None) -> None:
    """Explain a metric: what it measures, when to use it, and where it fails.

    Without NAME, lists all cards. The output is Markdown unless it goes to a terminal.
    """
    if name is not None:
        _terminal.draw_markdown(cards.load(name).markdown)
        return
    summaries = [(card, cards.plain_text(cards.load(card).summary)) for card in cards.names()]
    if sys.stdout is not None and sys.stdout.isatty():
        formatter = click.HelpFormatter(max_width=100)
        formatter.write_dl(summaries)
        _terminal.write(formatter.getvalue())
    else:
        width = max(len(card) for card, _ in summaries)
        _terminal.write("".join(f"{card:{width}}  {summary}\n" for card, summary in summaries))
