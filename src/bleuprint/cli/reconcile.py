"""bleuprint reconcile."""

from __future__ import annotations

import re
import shlex
from dataclasses import asdict

import click

from bleuprint.cli import _terminal
from bleuprint.cli._command import option, subcommand
from bleuprint.cli._inputs import read_lines, read_system
from bleuprint.cli._options import shared_options
from bleuprint.cli._output import Output, document, output_options
from bleuprint.insight import Reconciliation, reconcile
from bleuprint.insight.claims import METRICS
from bleuprint.runners.progress import progress

_LISTED = 10  # settings


@subcommand(
    "reconcile",
    examples=(
        "bleuprint reconcile hyp.txt -r ref.txt --claimed 27.3",
        "bleuprint reconcile hyp.txt -r ref.txt --claimed 0.412 -m chrf",
        "bleuprint reconcile texts.txt --claimed 0.53 -m self-bleu",
    ),
    more="docs/how-to/reproduce-a-number.md",
    epilog="Exit status 0 whether or not a setting matches.",
)
@click.argument("hypotheses", metavar="HYP")
@shared_options("references")
@option("Metrics", "--claimed SCORE", "The score as published: 27.3, 0.412, 27.30%.", required=True)
@shared_options(
    "metric",
    default="bleu",
    type=click.Choice(METRICS),
    metavar="NAME",
    help=f"Metric the score is reported for: {', '.join(METRICS)}.",
)
@output_options("json", "strict", "force")
@shared_options("threads")
def command(
    hypotheses: str, references: tuple[str, ...], claimed: str, metric: str, output: Output, threads: int | None
) -> None:
    """Find the settings that reproduce a reported score.

    Each is followed by the command that does it. Profiles are listed first, then the settings closest to a profile. If
    no setting matches, the three nearest scores are listed. self-bleu takes no references.
    """
    alone = metric == "self-bleu"
    outputs, expected = (read_lines(hypotheses), None) if alone else read_system(hypotheses, references)
    with progress("trying settings", None):
        reconciliation = reconcile(outputs, expected, claimed, metric=metric, threads=threads)
    output.deliver(
        json=lambda: document(asdict(reconciliation)), show=lambda: _show(reconciliation, hypotheses, references)
    )


def _show(reconciliation: Reconciliation, hypotheses: str, references: tuple[str, ...]) -> None:
    _terminal.write_lines([reconciliation.summary, ""])
    matches = reconciliation.matches or reconciliation.nearest
    listed = [setting for match in matches for setting in match.plainest][:_LISTED]
    # Settings differ in which of several references they take, and a table holds its own.
    files = {"HYP": hypotheses, "REF": references[0]} if len(references) == 1 else {}
    for setting in listed:
        value, command = reconciliation.shown(setting), setting.command or "no command does this"
        command = re.sub("HYP|REF", lambda place: shlex.quote(files.get(place[0], place[0])), command)
        _terminal.write_lines([f"{value}  {setting}", f"{' ' * len(value)}  {command}"])
    more = sum(1 + len(match.same) for match in matches) - len(listed)
    if more:
        _terminal.write(f"\n{more:,} more settings: see --json\n")
