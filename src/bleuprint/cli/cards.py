"""bleuprint cards."""

from __future__ import annotations

import click

from bleuprint.cli import _specs, _terminal
from bleuprint.cli._command import subcommand
from bleuprint.metrics import cards, registry


@subcommand("cards", examples=("bleuprint cards", "bleuprint cards chrf"), more="docs/which-metric.md")
@click.argument("name", required=False, metavar="[NAME]")
def command(name: str | None) -> None:
    """Explain a metric: what it measures, when to use it, and where it fails.

    Without NAME, lists all cards. The output is Markdown unless it goes to a terminal.
    """
    if name is not None:
        _terminal.draw_markdown(cards.load(name).markdown + _options(name))
        return
    _terminal.write_definitions([(card, cards.plain_text(cards.load(card).summary)) for card in cards.names()])


def _options(name: str) -> str:
    """The options of a metric that can be written after -m, as a section of its card."""
    metric = cards.load(name).name
    if metric not in registry.names():
        return ""
    options = _specs.describe_options(registry.find(metric))
    rows = (f"- `-m {metric}:{option}=…`: {values}; default {default}" for option, values, default in options)
    return "\n## Options on the command line\n\n" + "\n".join(rows) + "\n"
