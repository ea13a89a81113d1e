"""bleuprint gate."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path
from typing import Any

import click

from bleuprint.cli import _terminal
from bleuprint.cli._command import option, subcommand, test_option
from bleuprint.cli._metrics import metrics_with_models
from bleuprint.cli._options import differences, numbers_by_metric, shared_options
from bleuprint.cli._output import Output, output_options
from bleuprint.errors import OutputError
from bleuprint.files import translate_errors, write_files
from bleuprint.results import Result
from bleuprint.runners.gates import RULES, UNDECIDED, gate

# An option that sets a number for a metric.
_bounds_option = partial(test_option, multiple=True, callback=numbers_by_metric)


@subcommand(
    "gate",
    examples=(
        "bleuprint gate new.json --baseline old.json",
        "bleuprint gate new.json --min bleu=0.3 --min-pass-rate chrf=0.9",
    ),
    more="docs/how-to/gate-in-ci.md",
    epilog="Exit status 0: the gate passes; 1: it fails; 2: it could not run.",
)
@click.argument("new", metavar="NEW.json")
@test_option("--baseline OLD.json", "Earlier result on the same references to compare with.")
@_bounds_option(
    "--max-drop [METRIC=]D", "Allowed drop (or rise, if lower is better), of all metrics or of one [default: 0]."
)
@test_option(
    "--rule",
    "What fails: strict: any drop beyond --max-drop; worse: one that is also significant; "
    "not-worse: unless the drop is shown to be within --max-drop.",
    type=click.Choice(RULES),
    default="worse",
)
@test_option(
    "--undecided", "What to do if there are too few segments to decide.", type=click.Choice(UNDECIDED), default="fail"
)
@shared_options("alpha")
@test_option("--allow-missing", "Accept systems and metrics that only one of the results has.")
@_bounds_option("--min METRIC=N", "Minimum score of a metric.", name="minimum")
@_bounds_option("--max METRIC=N", "Maximum score of a metric.", name="maximum")
@_bounds_option(
    "--min-pass-rate METRIC=SHARE", "Share of items that must reach the metric's threshold.", name="min_pass_rate"
)
@_bounds_option(
    "--threshold METRIC=N", "Threshold for --min-pass-rate [default: on the metric's card].", name="thresholds"
)
@shared_options("seed")
@option("Output", "--junit FILE", "Write the checks as JUnit XML.")
@option("Output", "--markdown FILE", "Write a Markdown summary.")
@option("Output", "--step-summary", "Add the summary to the GitHub Actions step summary.")
@shared_options("models")
@output_options("force")
@shared_options("threads")
def command(
    new: str,
    baseline: str | None,
    junit: str | None,
    markdown: str | None,
    step_summary: bool,
    max_drop: dict[str, float],
    models: tuple[str, ...],
    output: Output,
    **settings: Any,
) -> None:
    """Fail a release if its scores dropped.

    NEW.json and OLD.json are results saved by 'bleuprint score --json'. By default, a drop larger than --max-drop fails
    the gate if it is statistically significant, and also if there are too few segments to tell.
    """
    if baseline is None and not any(settings[name] for name in ("minimum", "maximum", "min_pass_rate")):
        raise click.UsageError("Nothing to check; pass --baseline, --min, --max, or --min-pass-rate.")
    summary = os.environ.get("GITHUB_STEP_SUMMARY")
    if step_summary and not summary:
        raise OutputError("the step summary", "GITHUB_STEP_SUMMARY is not set; GitHub Actions sets it")
    result, old = Result.read_json(new), None if baseline is None else Result.read_json(baseline)
    compared = dict.fromkeys((name for name in result.metrics if old is not None and name in old.metrics), False)
    report = gate(
        result,
        old,
        max_drop=differences(max_drop, compared) or 0.0,
        metrics=metrics_with_models(result, models),
        **settings,
    )
    contents = ((junit, report.to_junit()), (markdown, report.to_markdown()))
    files = [(Path(path), content.encode()) for path, content in contents if path is not None]
    write_files(files, overwrite=output.force)
    if step_summary and summary:
        with translate_errors(Path(summary)), Path(summary).open("a", encoding="utf-8") as file:
            file.write(report.to_markdown())
    _terminal.write_lines(report.pretty().splitlines())
    if report.undecided_checks and settings["undecided"] == "warn":
        _terminal.note(f"warning: {len(report.undecided_checks)} of {len(report.checks)} checks are undecided")
    if not report.passed:
        click.get_current_context().exit(1)
