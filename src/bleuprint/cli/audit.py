"""bleuprint audit."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import click

from bleuprint.cli._command import option, subcommand, test_option
from bleuprint.cli._output import Output, output_options
from bleuprint.insight import auditing


@subcommand(
    "audit",
    examples=(
        "bleuprint audit nltk",
        "bleuprint audit torchmetrics --python other/bin/python --json audit.json",
        'bleuprint audit --command "./my-program" -m bleu -m chrf',
    ),
    more="docs/metric-vectors.md",
    epilog="Exit status 1: a case failed.",
)
@click.argument("package", metavar="[PACKAGE]", required=False)
@option("Input", "--command PROGRAM", "Program to audit in place of a package.", name="program")
@option("Input", "--python PATH", "Python that the package is installed for [default: the one that runs bleuprint].")
@option("Input", "--vectors FOLDER", "Other vectors than those of this version.")
@option("Metrics", "-m, --metric METRIC", "Only the vectors of this metric; repeatable.", name="metrics", multiple=True)
@test_option("--allow CASE", "Case that may fail, by its id; repeatable.", multiple=True)
@option(
    "Speed", "--time-limit SECONDS", "Longest time for an answer.", type=click.FloatRange(0, min_open=True), default=60
)
@output_options("format", "json", "report", "force")
def command(
    package: str | None,
    program: str | None,
    python: str | None,
    vectors: str | None,
    metrics: tuple[str, ...],
    allow: tuple[str, ...],
    time_limit: float,
    output: Output,
) -> None:
    """Find mistakes in the metrics of a package, with the metric vectors.

    PACKAGE is installed and has an adapter. Any other implementation, in any language, is a PROGRAM that answers cases
    line by line. A value that respected packages give on purpose is no failure. Each failure comes with the mistake
    that explains it, and with what it costs on real text.
    """
    if (package is None) == (program is None):
        raise click.UsageError(f"Pass a PACKAGE or --command; packages: {', '.join(auditing.adapters())}.")
    cases = auditing.read_vectors(auditing.vectors_folder() if vectors is None else Path(vectors), metrics)
    if package is not None:
        name, words = auditing.package_command(package, python or sys.executable)
    else:
        name, words = str(program), shlex.split(str(program))
    if not words:
        raise click.UsageError("--command needs a program.")
    found = auditing.audit(name, words, cases, limit=time_limit)
    output.deliver_analysis(found)
    if set(found.ids("failed")) - set(allow):
        click.get_current_context().exit(1)
