"""bleuprint gate."""

from __future__ import annotations

import os
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Any

import click

from bleuprint.cli import _terminal
from bleuprint.cli._command import Command, combine, option, subcommand, test_option
from bleuprint.cli._metrics import metrics_with_models
from bleuprint.cli._options import differences, numbers_by_metric, shared_options
from bleuprint.cli._output import Output, output_options
from bleuprint.dataset import read_text
from bleuprint.errors import OutputError
from bleuprint.files import translate_errors, write_files
from bleuprint.results import Result
from bleuprint.runners.gates import RULES, UNDECIDED, gate
from bleuprint.runners.gates.audit import audit_gate
from bleuprint.runners.progress import in_steps, progress

_STEPS = 1000  # of the progress bar

# An option that sets a number for a metric.
_bounds_option = partial(test_option, multiple=True, callback=numbers_by_metric)
_rule_options = combine(
    _bounds_option(
        "--max-drop [METRIC=]D", "Allowed drop (or rise, if lower is better), of all metrics or of one [default: 0]."
    ),
    test_option(
        "--rule",
        "What fails: strict: any drop beyond --max-drop; worse: one that is also significant; "
        "not-worse: unless the drop is shown to be within --max-drop.",
        type=click.Choice(RULES),
        default="worse",
    ),
    test_option(
        "--undecided",
        "What to do if there are too few segments to decide.",
        type=click.Choice(UNDECIDED),
        default="fail",
    ),
    shared_options("alpha"),
    _bounds_option("--min METRIC=N", "Minimum score of a metric.", name="minimum"),
    _bounds_option("--max METRIC=N", "Maximum score of a metric.", name="maximum"),
    _bounds_option(
        "--min-pass-rate METRIC=SHARE", "Share of items that must reach the metric's threshold.", name="min_pass_rate"
    ),
    _bounds_option(
        "--threshold METRIC=N", "Threshold for --min-pass-rate [default: on the metric's card].", name="thresholds"
    ),
)


class _GateCommand(Command):
    """The gate; with 'audit' as its first word, the audit of a gate."""

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        if args[:1] == ["audit"]:
            return audit.make_context(f"{info_name} audit", args[1:], parent, **extra)
        return super().make_context(info_name, args, parent, **extra)


@subcommand(
    "gate",
    cls=_GateCommand,
    examples=(
        "bleuprint gate new.json --baseline old.json",
        "bleuprint gate new.json --min bleu=0.3 --min-pass-rate chrf=0.9",
    ),
    more="docs/how-to/gate-in-ci.md",
    epilog="Exit status 0: the gate passes; 1: it fails; 2: it could not run.",
)
@click.argument("new", metavar="NEW.json")
@test_option("--baseline OLD.json", "Earlier result on the same references to compare with.")
@_rule_options
@test_option("--allow-missing", "Accept systems and metrics that only one of the results has.")
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

    'bleuprint gate audit' simulates releases to find out how often these options stop a harmless one or miss a drop.
    """
    if baseline is None and not any(settings[name] for name in ("minimum", "maximum", "min_pass_rate")):
        raise click.UsageError("Nothing to check; pass --baseline, --min, --max, or --min-pass-rate.")
    summary = os.environ.get("GITHUB_STEP_SUMMARY")
    if step_summary and not summary:
        raise OutputError("the step summary", "GITHUB_STEP_SUMMARY is not set; GitHub Actions sets it")
    result, old = Result.read_json(new), None if baseline is None else Result.read_json(baseline)
    compared = [name for name in result.metrics if old is not None and name in old.metrics]
    report = gate(
        result,
        old,
        max_drop=_by_metric(max_drop, compared),
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


def _by_metric(numbers: dict[str, float], metrics: Iterable[str]) -> float | dict[str, float]:
    return differences(numbers, dict.fromkeys(metrics, False)) or 0.0


@subcommand(
    "audit",
    examples=(
        "bleuprint gate audit new.json old.json --max-drop 0.005",
        "bleuprint gate audit run-1.json run-2.json run-3.json --rule not-worse --max-drop 0.01 --drop 0.02",
    ),
    more="docs/how-to/gate-in-ci.md",
)
@click.argument("runs", metavar="RUN.json…", nargs=-1, required=True)
@test_option("--system NAME", "The system, if results have several.")
@test_option("--drop D", "The drop of the first metric that matters [default: 0.01].", type=float)
@test_option(
    "--harm HOW",
    "How outputs are harmed to simulate a drop: cut (in half), worse (outputs of items with lower scores), or the name "
    "of a system in the first result [default: cut].",
)
@test_option("--cluster-file FILE", "A label per item, such as its document; items with one label are drawn together.")
@test_option("--trials N", "Simulated releases for each size of the drop.", type=int, default=400)
@_rule_options
@shared_options("seed", "models")
@output_options("json", "report", "format", "signatures", "force")
@shared_options("threads")
def audit(
    runs: tuple[str, ...],
    max_drop: dict[str, float],
    models: tuple[str, ...],
    cluster_file: str | None,
    output: Output,
    **settings: Any,
) -> None:
    """Simulate releases: how often a gate stops a harmless one, and how often it catches a drop.

    Each RUN.json is a result of one system on the same items, saved by 'bleuprint score --json': repeated runs, or a
    release and the one before. Harmless releases get their outputs from two runs in random order, and drops come from
    harmed outputs. The other options are those of the gate.
    """
    results = [Result.read_json(run) for run in runs]
    clusters = None if cluster_file is None else list(read_text(cluster_file).segments)
    with progress("simulating", _STEPS) as advance:
        found = audit_gate(
            *results,
            max_drop=_by_metric(max_drop, results[0].metrics),
            metrics=metrics_with_models(results[0], models),
            clusters=clusters,
            progress=partial(in_steps(advance, _STEPS), "audit"),
            **settings,
        )
    output.deliver_analysis(found)
