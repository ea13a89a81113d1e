"""bleuprint cards."""

from __future__ import annotations

import inspect

import click

from bleuprint.cli import _terminal
from bleuprint.cli._command import subcommand
from bleuprint.metrics import cards, registry, specs


@subcommand("cards", examples=("bleuprint cards", "bleuprint cards chrf"), more="docs/which-metric.md")
@click.argument("name", required=False, metavar="[NAME]")
def command(name: str | None) -> None:
    """Explain a metric: what it measures, when to use it, and where it fails.

    Without NAME, lists all cards. The output is Markdown unless it goes to a terminal.
    """
    if name is None:
        known = [(card, cards.plain_text(cards.load(card).summary)) for card in cards.names()]
        others = ((other, f"plug-in of {registry.origin_of(point)}") for other, point in registry.plug_ins().items())
        _terminal.write_definitions([*known, *others])
        return
    metric = registry.find_name(name)  # refuses a word with two meanings
    if metric in registry.plug_ins():
        _terminal.draw_markdown(_plug_in(metric) + _options(metric))
    else:
        card = cards.load(name)
        _terminal.draw_markdown(card.markdown + (_options(card.name) if card.name in registry.names() else ""))


def _plug_in(metric: str) -> str:
    """What the class of another package's metric says about it."""
    kind = registry.find(metric)
    needs = [*["references"] * kind.needs_references, *["sources"] * kind.needs_sources]
    return (
        f"# {metric}\n\n{inspect.getdoc(kind) or ''}\n\n"
        f"- {'Higher' if kind.higher_is_better else 'Lower'} is better\n"
        f"- Needs: {', '.join(needs) or 'nothing but the outputs'}\n"
        f"- Default threshold: {kind.default_threshold:g}\n"
        f"- Plug-in of {registry.origin_of(registry.plug_ins()[metric])}\n"
    )


def _options(metric: str) -> str:
    """The options of a metric that can be written after -m, as a section of its card."""
    options = specs.describe_options(registry.find(metric))
    rows = (f"- `-m {metric}:{option}=…`: {values}; default {default}" for option, values, default in options)
    return "\n## Options on the command line\n\n" + "\n".join(rows) + "\n"
