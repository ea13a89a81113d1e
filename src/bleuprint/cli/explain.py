"""bleuprint explain."""

from __future__ import annotations

from dataclasses import asdict, replace

import click

from bleuprint.cli import _specs, _terminal
from bleuprint.cli._command import option, subcommand
from bleuprint.cli._inputs import read_system
from bleuprint.cli._options import shared_options
from bleuprint.cli._output import Output, document, output_options
from bleuprint.insight import Explanation, explain
from bleuprint.metrics import profiles
from bleuprint.metrics.base.metric import Metric
from bleuprint.metrics.base.score import Score
from bleuprint.results.display import Cell


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
    if _specs.kind_of(metric).needs_sources:
        raise click.UsageError(f"{metric} needs sources, which this command does not read; use bleuprint.explain.")
    if output.percent and not _specs.kind_of(metric).has_percent:
        raise click.UsageError(f"--percent does not apply to {metric}, which has its own scale.")
    definitions = (_definition(given, metric) for given in (start, end))
    texts = read_system(hypotheses, references)
    explanation = explain(*texts, *definitions, metric=metric, threads=threads)
    output.deliver(json=lambda: document(asdict(explanation)), show=lambda: _show(explanation, start, end, output))


def _definition(given: str, metric: str) -> str | Metric[Score]:
    """Build a metric that is written as after -m; a profile or a signature is passed on."""
    if _is_signature(given) or given in profiles.names(metric) or given.partition(":")[0] != metric:
        return given
    (spec,) = _specs.parse([given])
    return _specs.kind_of(metric)(**_specs.values_of(spec))


def _is_signature(given: str) -> bool:
    return "|" in given or "#" in given


def _show(explanation: Explanation, start: str, end: str, output: Output) -> None:
    (table,) = explanation.display(percent=output.percent)
    first, last = ("the signature" if _is_signature(given) else given for given in (start, end))
    names = [Cell(f"from {first}"), *(cells[0] for cells in table.rows[1:-1]), Cell(f"to {last}")]
    rows = ((name, *cells[1:]) for name, cells in zip(names, table.rows, strict=True))
    _terminal.draw(replace(table, rows=tuple(rows)))
