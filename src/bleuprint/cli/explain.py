"""bleuprint explain."""

from __future__ import annotations

from dataclasses import asdict

import click

from bleuprint.cli import _one_system, _terminal
from bleuprint.insight import Explanation, explain
from bleuprint.metrics import profiles, registry

__all__ = ["command"]


@click.command("explain")
@_one_system.one_system
@click.option("--from", "start", required=True, metavar="DEFINITION", help="First definition.")
@click.option("--to", "end", required=True, metavar="DEFINITION", help="Second definition.")
@click.option(
    "-m",
    "--metric",
    default="bleu",
    show_default=True,
    type=click.Choice([name for name, kind in registry.scored_by_name().items() if not kind.needs_sources]),
    metavar="NAME",
    help="Metric the profiles belong to.",
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

    A DEFINITION is a profile or a signature. The differing rules are switched one at a time. "change" is the effect of
    a rule after those above it; "any order" is its mean effect over all possible orders.
    """
    texts = _one_system.read(hypotheses, references)
    explanation = explain(texts.hypotheses, texts.references, start, end, metric=metric, threads=threads)
    printed = json_path is not None and _one_system.write_json(asdict(explanation), json_path, force=force)
    if not printed:
        _terminal.draw(_table(explanation, *(_label(name, metric) for name in (start, end))))


def _label(given: str, metric: str) -> str:
    return given if given in profiles.names(metric) else "the signature"


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
