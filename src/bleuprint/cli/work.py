"""bleuprint work."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from bleuprint.cli import _terminal
from bleuprint.cli._command import option, subcommand
from bleuprint.cli._metrics import COMMON_OPTIONS, build_metrics
from bleuprint.cli._options import shared_options
from bleuprint.insight.worked import metric_names, work
from bleuprint.metrics import registry


@subcommand(
    "work",
    examples=(
        'bleuprint work "the cat sat" "the cat sat down"',
        'bleuprint work "a cat" "the cat" "a dog" -m rouge --format markdown',
        'bleuprint work "a cat" "the cat" -m ibleu:alpha=0.7 --source "one cat"',
    ),
    more="docs/how-to/explain-a-score.md",
)
@click.argument("output")
@click.argument("references", nargs=-1)
@shared_options("metric", default="bleu", help="Metric and options, e.g. ibleu:alpha=0.7.")
@option("Input", "--source TEXT", "Source text, for metrics such as ibleu.")
@shared_options(*COMMON_OPTIONS)
@option(
    "Output",
    "--format",
    "How to print the steps; Markdown has its formulas in LaTeX.",
    name="form",
    type=click.Choice(["text", "markdown", "html", "json"]),
    default="text",
)
def command(
    output: str, references: tuple[str, ...], metric: str, source: str | None, form: str, **options: Any
) -> None:
    """Show the arithmetic behind one sentence's score.

    OUTPUT and REFERENCES are texts, not files. For self-bleu and cross-bleu, REFERENCES are the other texts of the
    pool.
    """
    for text in (output, *references):
        if Path(text).is_file():
            files = " -r ".join((output, *references))
            raise click.UsageError(f"{text!r} is a file, and work takes texts; use 'bleuprint score {files}'.")
    chosen, *others = build_metrics([metric], options).values()
    # One segment does not tell which n-grams are rare.
    names = [name for name in metric_names() if not registry.metrics()[name].needs_corpus]
    own = chosen.name in registry.names() and (chosen.unit == "pool" or registry.model_option(type(chosen)) is None)
    if others or (own and chosen.name not in names):
        raise click.UsageError(f"{metric!r} is not one of {', '.join(names)}.")
    if not references and (chosen.needs_references or chosen.unit == "pool"):
        raise click.UsageError(f"{chosen.name} needs REFERENCES.")
    if chosen.needs_sources != (source is not None):
        problem = "needs --source" if source is None else "takes no --source"
        raise click.UsageError(f"{chosen.name} {problem}.")
    steps = work(output, references or None, chosen, source=source)
    if form == "json":
        _terminal.write_json(steps.to_json())
    else:
        render = {"text": steps.pretty, "markdown": steps.to_markdown, "html": steps.to_html}[form]
        _terminal.write(f"{render().rstrip()}\n")
