"""bleuprint work."""

from __future__ import annotations

from typing import Any

import click

from bleuprint.cli import _specs, _terminal
from bleuprint.cli._command import option, subcommand
from bleuprint.cli._metrics import COMMON_OPTIONS
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
    spec, *others = _specs.parse([metric])
    kind = _specs.kind_of(spec.name)
    model = registry.model_option(kind)
    # One segment does not tell which n-grams are rare.
    names = [name for name in metric_names() if not registry.metrics()[name].needs_corpus]
    if others or (spec.name in registry.names() and (model is None or kind.unit == "pool") and spec.name not in names):
        raise click.UsageError(f"{metric!r} is not one of {', '.join(names)}.")
    metric = spec.name
    if model is not None and model not in spec.options:
        raise click.UsageError(f"{metric} needs a model, as in -m {metric}:{model}=PATH.")
    given = {name: value for name, value in options.items() if value is not None}
    for name in given:
        if name not in registry.options_of(kind):
            raise click.UsageError(f"--{name.replace('_', '-')} does not apply to {metric}.")
    if not references and (kind.needs_references or kind.unit == "pool"):
        raise click.UsageError(f"{metric} needs REFERENCES.")
    if kind.needs_sources != (source is not None):
        raise click.UsageError(
            f"{metric} needs --source." if source is None else f"--source does not apply to {metric}."
        )
    steps = work(output, references or None, kind(**{**given, **_specs.values_of(spec)}), source=source)
    match form:
        case "text":
            _terminal.write(f"{steps.pretty()}\n")
        case "markdown":
            _terminal.write(steps.to_markdown())
        case "html":
            _terminal.write(f"{steps.to_html()}\n")
        case _:
            _terminal.write_json(steps.to_json())
