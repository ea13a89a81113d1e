"""bleuprint reconcile."""

from __future__ import annotations

from dataclasses import asdict

import click

from bleuprint.cli import _one_system, _terminal
from bleuprint.cli._command import Command
from bleuprint.insight import Reconciliation, reconcile
from bleuprint.insight.claims import METRICS
from bleuprint.runners.progress import progress

__all__ = ["command"]


@click.command(
    "reconcile",
    cls=Command,
    examples=(
        "bleuprint reconcile hyp.txt -r ref.txt --claimed 27.3",
        "bleuprint reconcile hyp.txt -r ref.txt --claimed 0.412 -m chrf",
    ),
    more="docs/how-to/reproduce-a-number.md",
    epilog="The exit code is 0 whether or not a setting matches.",
)
@_one_system.one_system
@click.option("--claimed", required=True, metavar="SCORE", help="The score as published: 27.3, 0.412, 27.30%.")
@click.option(
    "-m",
    "--metric",
    default="bleu",
    show_default=True,
    type=click.Choice(METRICS),
    metavar="NAME",
    help=f"Metric the score is reported for: {', '.join(METRICS)}.",
)
@click.option(
    "--limit", type=click.IntRange(1), default=10, show_default=True, help="Maximum number of matches to list."
)
def command(
    hypotheses: str,
    references: tuple[str, ...],
    claimed: str,
    metric: str,
    limit: int,
    json_path: str | None,
    strict: bool,
    force: bool,
    threads: int | None,
) -> None:
    """Find the settings that reproduce a reported score.

    Profiles are listed first, then the settings closest to a profile. If no setting matches, the three nearest scores
    are listed.
    """
    texts = _one_system.read(hypotheses, references, json_path, force=force)
    with progress("trying settings", None):
        reconciliation = reconcile(texts.hypotheses, texts.references, claimed, metric=metric, threads=threads)
    _one_system.show(asdict(reconciliation), json_path, lambda: _show(reconciliation, limit), force=force)


def _show(reconciliation: Reconciliation, limit: int) -> None:
    _terminal.write(f"{_terminal.visible(reconciliation.summary)}\n\n")
    listed = reconciliation.matches or reconciliation.nearest
    rows = [[match.plainest, reconciliation.shown(match.setting), str(1 + len(match.same))] for match in listed[:limit]]
    _terminal.draw(_terminal.Table(["setting", "score", "settings"], rows))
    if len(listed) > limit:
        _terminal.write(f"\n{len(listed) - limit} more: see --limit\n")
    _terminal.write(f"\n{_terminal.visible(listed[0].setting.signature)}\n")
