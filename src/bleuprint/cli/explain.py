"""bleuprint explain."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import click

from bleuprint.cli import _one_system, _specs, _terminal
from bleuprint.cli._command import Command
from bleuprint.insight import Explanation, explain
from bleuprint.metrics import profiles, registry
from bleuprint.metrics.base.metric import Metric

__all__ = ["command"]


@click.command(
    "explain",
    cls=Command,
    examples=(
        "bleuprint explain hyp.txt -r ref.txt --from sacrebleu --to nltk",
        "bleuprint explain hyp.txt -r ref.txt --from moses --to bleu:tokenizer=intl",
    ),
    more="docs/how-to/explain-a-score.md",
)
@_one_system.one_system
@click.option("--from", "start", required=True, metavar="DEFINITION", help="First definition.")
@click.option("--to", "end", required=True, metavar="DEFINITION", help="Second definition.")
@click.option(
    "-m",
    "--metric",
    default="bleu",
    show_default=True,
    metavar="NAME",
    help="Metric that the definitions belong to.",
)
def command(
    hypotheses: str,
    references: tuple[str, ...],
    start: str,
    end: str,
    metric: str,
    json_path: str | None,
    force: bool,
    threads: int | None,
) -> None:
    """Show which rules make two definitions of a metric differ, and by how much.

    A DEFINITION is a profile, a metric with options such as bleu:tokenizer=intl, or a signature. The differing rules
    are switched one at a time. "change" is the effect of a rule after those above it; "any order" is its mean effect
    over all possible orders.
    """
    if _specs.kind_of(metric).needs_sources:
        raise click.UsageError(f"{metric} needs sources, which this command does not read; use bleuprint.explain.")
    definitions = (_definition(given, metric) for given in (start, end))
    texts = _one_system.read(hypotheses, references)
    explanation = explain(texts.hypotheses, texts.references, *definitions, metric=metric, threads=threads)
    printed = json_path is not None and _one_system.write_json(asdict(explanation), json_path, force=force)
    if not printed:
        _terminal.draw(_table(explanation, *(_label(name, metric) for name in (start, end))))


def _definition(given: str, metric: str) -> str | Metric[Any]:
    """Build a metric that is written as after -m; a profile or a signature is passed on."""
    if "|" in given or "#" in given or given in profiles.names(metric) or given.partition(":")[0] != metric:
        return given
    (spec,) = _specs.parse([given])
    return registry.made(_specs.kind_of(metric), _specs.values_of(spec))


def _label(given: str, metric: str) -> str:
    return "the signature" if "|" in given or "#" in given else given


def _table(explanation: Explanation, start: str, end: str) -> _terminal.Table:
    steps = [
        [step.rule, f"{step.value:.4f}", f"{step.change:+.4f}", f"{step.share:+.4f}"] for step in explanation.steps
    ]
    whole = f"{explanation.end - explanation.start:+.4f}"
    return _terminal.Table(
        ["rule", explanation.metric, "change", "any order"],
        [
            [f"from {start}", f"{explanation.start:.4f}", "", ""],
            *steps,
            [f"to {end}", f"{explanation.end:.4f}", whole, whole],
        ],
    )
