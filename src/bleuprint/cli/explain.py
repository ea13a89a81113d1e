"""bleuprint explain."""

from __future__ import annotations

from dataclasses import asdict

import click

from bleuprint.cli import _terminal
from bleuprint.cli._command import option, subcommand
from bleuprint.cli._inputs import read_system
from bleuprint.cli._options import shared_options
from bleuprint.cli._output import Output, document, output_options
from bleuprint.insight import explain
from bleuprint.metrics import profiles, registry, specs
from bleuprint.metrics.base import Metric, Score


@subcommand(
    "explain",
    examples=(
        "bleuprint explain hyp.txt -r ref.txt --from sacrebleu --to nltk",
        "bleuprint explain hyp.txt -r ref.txt --from moses --to bleu:tokenizer=intl",
    ),
    more="docs/how-to/explain-a-score.md",
)
@click.argument("hypotheses", metavar="HYP")
@shared_options("references")
@option("Metrics", "--from DEFINITION", "First definition.", name="start", required=True)
@option("Metrics", "--to DEFINITION", "Second definition.", name="end", required=True)
@shared_options("metric", default="bleu", metavar="NAME", help="Metric that the definitions belong to.")
@output_options("percent", "json", "strict", "force")
@shared_options("threads")
def command(
    hypotheses: str, references: tuple[str, ...], start: str, end: str, metric: str, output: Output, threads: int | None
) -> None:
    """Show which rules make two definitions of a metric differ, and by how much.

    A DEFINITION is a profile, a metric with options such as bleu:tokenizer=intl, or a signature. The differing rules
    are switched one at a time. "change" is the effect of a rule after those above it; "any order" is its mean effect
    over all possible orders.
    """
    if registry.find(metric).needs_sources:
        raise click.UsageError(f"{metric} needs sources, which this command does not read; use bleuprint.explain.")
    if output.percent and not registry.find(metric).has_percent:
        raise click.UsageError(f"--percent does not apply to {metric}, which has its own scale.")
    definitions = (_definition(given, metric) for given in (start, end))
    texts = read_system(hypotheses, references)
    explanation = explain(*texts, *definitions, metric=metric, threads=threads)
    ends = f"from {_label(start)}", f"to {_label(end)}"
    output.deliver(
        json=lambda: document(asdict(explanation)),
        show=lambda: _terminal.draw(explanation.display(digits=output.digits, ends=ends)[0]),
    )


def _definition(given: str, metric: str) -> str | Metric[Score]:
    """Build a metric that is written as after -m; a profile or a signature is passed on."""
    if _label(given) != given or given in profiles.names(metric) or given.partition(":")[0] != metric:
        return given
    (spec,) = specs.parse([given])
    return registry.find(metric)(**specs.values_of(spec))


def _label(given: str) -> str:
    return "the signature" if "|" in given or "#" in given else given
