"""bleuprint mbr."""

from __future__ import annotations

from typing import Any

import click

from bleuprint.cli._candidates import candidate_options, check_outputs, read_candidates, write_choices
from bleuprint.cli._command import MetricsCommand
from bleuprint.cli._inputs import named_files
from bleuprint.cli._metrics import build_metric
from bleuprint.metrics.mbr import mbr_decode
from bleuprint.runners.progress import progress

__all__ = ["command"]


@click.command(
    "mbr",
    cls=MetricsCommand,
    epilog="Existing files are only replaced with --force.",
    examples=(
        "bleuprint mbr sample1.txt sample2.txt sample3.txt -o chosen.txt",
        "bleuprint mbr samples.jsonl --column candidates -m chrf --json choices.json",
    ),
    more="'bleuprint cards mbr', docs/how-to/score-a-system.md",
)
@click.option(
    "--exclude-self",
    "include_self",
    is_flag=True,
    flag_value=False,
    default=True,
    help="Do not compare a candidate with itself.",
)
@candidate_options
def command(
    hypotheses: tuple[str, ...],
    candidates_column: str,
    metrics: tuple[str, ...],
    include_self: bool,
    output: str | None,
    json_path: str | None,
    strict: bool,
    force: bool,
    threads: int | None,
    **options: Any,
) -> None:
    """Choose the best of several candidates per line (minimum Bayes risk).

    CANDIDATES are text files; line i of each is a candidate for segment i. Or one table (.jsonl, .json, .parquet) with
    a column of lists. The candidate with the best expected segment score against all candidates is chosen.
    """
    check_outputs(output, json_path, force=force)
    utility = build_metric("mbr", metrics, options)
    groups, names = read_candidates(named_files(hypotheses), candidates_column)
    with progress("choosing", None):
        choices = mbr_decode(groups, utility=utility, include_self=include_self, threads=threads)
    head, scores = {"utility": utility.signature}, {"utility": [choice.utility for choice in choices]}
    write_choices(choices, names, head, scores, output=output, json_path=json_path, force=force)
