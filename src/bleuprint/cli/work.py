"""bleuprint work."""

from __future__ import annotations

from typing import Any

import click

from bleuprint.cli import _specs, _terminal
from bleuprint.cli._command import Command
from bleuprint.cli._metrics import shared_options
from bleuprint.insight.worked import METRICS, work
from bleuprint.metrics import registry

__all__ = ["command"]

# One segment does not tell which n-grams are rare.
_METRICS = [name for name in METRICS if not getattr(registry.metrics()[name], "needs_corpus", False)]


@click.command(
    "work",
    cls=Command,
    examples=(
        'bleuprint work "the cat sat" "the cat sat down"',
        'bleuprint work "a cat" "the cat" "a dog" -m rouge --format markdown',
        'bleuprint work "a cat" "the cat" -m ibleu:alpha=0.7 --source "one cat"',
    ),
    more="docs/how-to/explain-a-score.md",
)
@click.argument("output")
@click.argument("references", nargs=-1, required=True)
@click.option(
    "-m",
    "--metric",
    default="bleu",
    show_default=True,
    metavar="METRIC",
    help=f"Metric, with its options if need be, as in ibleu:alpha=0.7. One of {', '.join(_METRICS)}.",
)
@click.option("--source", metavar="TEXT", help="Input text, for gec-gleu, ibleu and sari.")
@shared_options
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "markdown", "html", "json"]),
    default="text",
    show_default=True,
    help="How to print the steps; Markdown has its formulas in LaTeX.",
)
def command(
    output: str, references: tuple[str, ...], metric: str, source: str | None, form: str, **options: Any
) -> None:
    """Show how the score of one sentence comes about, step by step.

    OUTPUT and REFERENCES are texts, not files. For self-bleu and cross-bleu, REFERENCES are the other texts of the
    pool.
    """
    spec, *others = _specs.parse([metric], pools=True)
    if others or spec.name not in _METRICS:
        raise click.UsageError(f"{metric!r} is not one of {', '.join(_METRICS)}.")
    kind, metric = registry.metrics()[spec.name], spec.name
    given = {name: value for name, value in options.items() if value is not None}
    for name in given:
        if name not in registry.options_of(kind):
            raise click.UsageError(f"--{name.replace('_', '-')} does not apply to {metric}.")
    if getattr(kind, "needs_sources", False) != (source is not None):
        raise click.UsageError(
            f"{metric} needs --source." if source is None else f"--source does not apply to {metric}."
        )
    made: Any = kind(**{**given, **_specs.values_of(spec)})
    steps = work(output, references, made, source=source)
    match form:
        case "text":
            _terminal.write(f"{steps.pretty()}\n")
        case "markdown":
            _terminal.write(steps.to_markdown())
        case "html":
            _terminal.write(f"{steps.to_html()}\n")
        case _:
            _terminal.write_json(steps.to_json())
