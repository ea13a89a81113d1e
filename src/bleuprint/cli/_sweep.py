"""The option --sweep: one metric under a range of values of its option."""

from __future__ import annotations

from collections.abc import Mapping

import click

from bleuprint.cli import _terminal
from bleuprint.cli._command import option
from bleuprint.errors import OptionError
from bleuprint.metrics.base.metric import Metric
from bleuprint.metrics.base.score import Score
from bleuprint.metrics.ibleu import IBLEU, IbleuScore, alphas_between
from bleuprint.results import Result
from bleuprint.results.digits import Digits

Sweeps = Mapping[str, list[IbleuScore]]


def _alphas(context: click.Context, parameter: click.Parameter, given: str | None) -> tuple[float, ...] | None:
    if given is None:
        return None
    option, _, values = given.partition("=")
    parts = values.split(":")
    if option != "alpha" or len(parts) != 3:
        raise click.BadParameter(f"write alpha=FIRST:LAST:STEP, such as alpha=0.5:0.9:0.1, not {given!r}.")
    try:
        return alphas_between(*parts)
    except OptionError as error:
        raise click.BadParameter(str(error), context, parameter) from None


sweep_option = option(
    "--sweep",
    group="Metrics",
    callback=_alphas,
    metavar="alpha=FIRST:LAST:STEP",
    help="Also show ibleu for every alpha in a range, such as alpha=0.5:0.9:0.1; --plot then draws it.",
)


def check_sweep(metrics: Mapping[str, Metric[Score]]) -> str:
    """Return the name of the metric that is swept."""
    names = [name for name, metric in metrics.items() if isinstance(metric, IBLEU)]
    if len(names) != 1:
        raise click.UsageError(f"--sweep alpha=… needs one ibleu, as in -m ibleu; got {', '.join(metrics)}.")
    return names[0]


def sweeps_of(result: Result, metric: str, alphas: tuple[float, ...]) -> dict[str, list[IbleuScore]]:
    """Return the scores of every system for every alpha, from the counts in the result."""
    from bleuprint.report.sections.scores.sweep import score_with_counts

    scores = {system.name: score_with_counts(system.score(metric)) for system in result.systems}
    return {name: [score.at(alpha) for alpha in alphas] for name, score in scores.items() if score is not None}


def show_sweeps(sweeps: Sweeps, digits: Digits, *, quiet: bool) -> None:
    """Print one row per alpha, with the system that is best under it."""
    names = list(sweeps)
    rows = list(zip(*sweeps.values(), strict=True))
    if quiet:
        for row in rows:
            _terminal.write(" ".join(digits(score.value) for score in row) + "\n")
        return
    several = len(names) > 1
    table = []
    for row in rows:
        highest = max(score.value for score in row)
        best = ", ".join(name for name, score in zip(names, row, strict=True) if score.value == highest)
        table.append([f"{row[0].alpha:g}", *(digits(score.value) for score in row), *([best] if several else [])])
    _terminal.write("\n")
    head = ["alpha", *names, *(["best"] if several else [])]
    _terminal.draw(_terminal.table(head, table, words=[len(names) + 1] if several else []))
