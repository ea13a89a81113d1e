"""bleuprint gate."""

from __future__ import annotations

import math
import os
from pathlib import Path

import click

from bleuprint.cli import _terminal
from bleuprint.cli._command import Command
from bleuprint.cli._metrics import model_options, with_models
from bleuprint.errors import OutputError
from bleuprint.files import write_files
from bleuprint.results import Result
from bleuprint.runners.gates import RULES, UNDECIDED, Rule, Undecided, gate

__all__ = ["command"]


def _bounds(_: click.Context, __: click.Parameter, values: tuple[str, ...]) -> dict[str, float]:
    """Parse METRIC=N pairs such as bleu=0.3."""
    bounds = {}
    for value in values:
        metric, sign, number = value.rpartition("=")
        try:
            bounds[metric] = float(number)
        except ValueError:
            sign = ""
        if not sign or not metric or math.isnan(bounds[metric]):
            raise click.BadParameter(f"{value!r} must have the form METRIC=N, such as bleu=0.3.")
    return bounds


@click.command(
    "gate",
    cls=Command,
    examples=(
        "bleuprint gate new.json --baseline old.json",
        "bleuprint gate new.json --min bleu=0.3 --min-pass-rate chrf=0.9",
    ),
    more="docs/how-to/gate-in-ci.md",
    epilog="Exits with 0 if the gate passes, 1 if it fails, and 2 if it could not run.",
)
@click.argument("new", metavar="NEW.json")
@click.option("--baseline", metavar="OLD.json", help="Earlier result on the same references to compare with.")
@click.option(
    "--max-drop",
    type=float,
    default=0.0,
    show_default=True,
    metavar="D",
    help="Allowed drop (or rise, if lower is better).",
)
@click.option(
    "--rule",
    type=click.Choice(RULES),
    default="worse",
    show_default=True,
    help="What fails: strict: any drop beyond --max-drop; worse: one that is also significant; "
    "not-worse: unless the drop is shown to be within --max-drop.",
)
@click.option(
    "--undecided",
    type=click.Choice(UNDECIDED),
    default="fail",
    show_default=True,
    help="What to do if there are too few segments to decide.",
)
@click.option("--significance", type=float, metavar="P", default=0.05, show_default=True, help="Significance level.")
@click.option("--allow-missing", is_flag=True, help="Accept systems and metrics that only one of the results has.")
@click.option(
    "--min", "minimum", multiple=True, callback=_bounds, metavar="METRIC=N", help="Minimum score of a metric."
)
@click.option(
    "--max", "maximum", multiple=True, callback=_bounds, metavar="METRIC=N", help="Maximum score of a metric."
)
@click.option(
    "--min-pass-rate",
    multiple=True,
    callback=_bounds,
    metavar="METRIC=SHARE",
    help="Share of items that must reach the metric's threshold.",
)
@click.option(
    "--threshold",
    "thresholds",
    multiple=True,
    callback=_bounds,
    metavar="METRIC=N",
    help="Threshold for --min-pass-rate [default: on the metric's card].",
)
@click.option("--junit", metavar="FILE", help="Write the checks as JUnit XML.")
@click.option("--markdown", metavar="FILE", help="Write a Markdown summary.")
@click.option("--step-summary", is_flag=True, help="Add the summary to the GitHub Actions step summary.")
@model_options
@click.option("--seed", type=int, default=12345, show_default=True, help="Random seed.")
@click.option("--force", is_flag=True, help="Overwrite existing files.")
@click.option("--threads", type=click.IntRange(1), help="Number of threads [default: all cores].")
def command(
    new: str,
    baseline: str | None,
    max_drop: float,
    rule: Rule,
    undecided: Undecided,
    significance: float,
    allow_missing: bool,
    minimum: dict[str, float],
    maximum: dict[str, float],
    min_pass_rate: dict[str, float],
    thresholds: dict[str, float],
    junit: str | None,
    markdown: str | None,
    step_summary: bool,
    seed: int,
    force: bool,
    threads: int | None,
    **models: str | None,
) -> None:
    """Fail a release if its scores dropped.

    NEW.json and OLD.json are results saved by 'bleuprint score --json'. By default, a drop larger than --max-drop fails
    the gate if it is statistically significant, and also if there are too few segments to tell.
    """
    if baseline is None and not minimum and not maximum and not min_pass_rate:
        raise click.UsageError("Nothing to check; pass --baseline, --min, --max, or --min-pass-rate.")
    result = Result.read_json(new)
    report = gate(
        result,
        None if baseline is None else Result.read_json(baseline),
        rule=rule,
        max_drop=max_drop,
        alpha=significance,
        undecided=undecided,
        allow_missing=allow_missing,
        minimum=minimum,
        maximum=maximum,
        min_pass_rate=min_pass_rate,
        thresholds=thresholds,
        metrics=with_models(result, models),
        seed=seed,
        threads=threads,
    )
    contents = ((junit, report.to_junit()), (markdown, report.to_markdown()))
    files = [(Path(path), content.encode()) for path, content in contents if path is not None]
    write_files(files, overwrite=force)
    if step_summary:
        _add_to_step(report.to_markdown())
    _terminal.write("".join(f"{_terminal.visible(line)}\n" for line in report.pretty().splitlines()))
    if report.undecided_checks and undecided == "warn":
        _terminal.note(f"warning: {len(report.undecided_checks)} of {len(report.checks)} checks are undecided")
    if not report.passed:
        click.get_current_context().exit(1)


def _add_to_step(text: str) -> None:
    path = os.environ.get("GITHUB_STEP_SUMMARY")
    if not path:
        raise OutputError("the step summary", "GITHUB_STEP_SUMMARY is not set; GitHub Actions sets it")
    try:
        with Path(path).open("a", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise OutputError(path, error.strerror or str(error)) from None
