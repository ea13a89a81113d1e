"""bleuprint reconcile."""

from __future__ import annotations

from dataclasses import asdict

import click

from bleuprint.cli import _one_system, _terminal
from bleuprint.insight import Reconciliation, reconcile
from bleuprint.insight.claims import METRICS

__all__ = ["command"]


@click.command("reconcile", epilog="That nothing fits is an answer too: the exit code is 0 either way.")
@_one_system.one_system
@click.option("--claimed", required=True, metavar="SCORE", help="The score as printed: 27.3, 0.412, 27.30%.")
@click.option(
    "-m",
    "--metric",
    default="bleu",
    show_default=True,
    type=click.Choice(METRICS),
    metavar="NAME",
    help=f"What it is said to be: {', '.join(METRICS)}.",
)
@click.option("--limit", type=click.IntRange(1), default=10, show_default=True, help="Scores to list.")
def command(
    hypotheses: str,
    references: tuple[str, ...],
    claimed: str,
    metric: str,
    limit: int,
    json_path: str | None,
    force: bool,
    threads: int | None,
) -> None:
    """Find the settings that give a claimed score.

    Profiles come first, then those that depart from a profile the least. If no setting gives the score, the nearest
    three are listed.
    """
    texts = _one_system.read(hypotheses, references)
    found = reconcile(texts.hypotheses, texts.references, claimed, metric=metric, threads=threads)
    if json_path is not None and _one_system.write_json(asdict(found), json_path, force=force):
        return
    _show(found, limit)


def _show(found: Reconciliation, limit: int) -> None:
    _terminal.write(f"{_terminal.visible(found.summary)}\n\n")
    listed = found.matches or found.nearest
    rows = [[match.plainest, found.shown(match.setting), str(1 + len(match.same))] for match in listed[:limit]]
    _terminal.draw(_terminal.Table(["setting", "score", "settings"], rows))
    if len(listed) > limit:
        _terminal.write(f"\n{len(listed) - limit} more: see --limit\n")
    _terminal.write(f"\n{_terminal.visible(listed[0].setting.signature)}\n")
