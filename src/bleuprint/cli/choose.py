"""bleuprint choose."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import click

from bleuprint.cli import _notes, _terminal
from bleuprint.cli._candidates import candidate_options, check_outputs, read_candidates, write_choices
from bleuprint.cli._command import MetricsCommand
from bleuprint.cli._inputs import named_files, reference_options
from bleuprint.cli._metrics import build_metric
from bleuprint.dataset import STDIN, read_parallel
from bleuprint.insight.choosing import choose
from bleuprint.runners.progress import progress

__all__ = ["command"]


@click.command(
    "choose",
    cls=MetricsCommand,
    epilog="Existing files are only replaced with --force.",
    examples=(
        "bleuprint choose a.txt b.txt c.txt -r ref.txt -o best.txt",
        "bleuprint choose a.txt b.txt -r ref.txt -s src.txt -m ibleu:alpha=0.7",
    ),
    more="docs/how-to/paraphrases.md",
)
@reference_options
@candidate_options
def command(
    hypotheses: tuple[str, ...],
    references: tuple[str, ...],
    source: str | None,
    candidates_column: str,
    metrics: tuple[str, ...],
    output: str | None,
    json_path: str | None,
    strict: bool,
    force: bool,
    threads: int | None,
    **options: Any,
) -> None:
    """Choose the best of several candidates per line, under any metric.

    CANDIDATES are text files; line i of each is a candidate for segment i. Or one table (.jsonl, .json, .parquet) with
    a column of lists. The candidate with the best segment score is chosen, the first of them on ties. 'bleuprint mbr'
    chooses without references.
    """
    check_outputs(output, json_path, force=force)
    metric = build_metric("choose", metrics, options)
    groups, names = read_candidates(named_files(hypotheses), candidates_column)
    expected, inputs = _beside(groups, references, source)
    with progress("choosing", None):
        choices = choose(groups, expected, metric=metric, sources=inputs, threads=threads)
    head = {"signature": metric.definition.signature_of(sentence=True, references=len(references))}
    scores = {metric.name: [choice.value for choice in choices]}
    write_choices(choices, names, head, scores, output=output, json_path=json_path, force=force)
    if output is not None and names and json_path != STDIN:
        counts = Counter(names[choice.index] for choice in choices)
        _terminal.draw(_terminal.Table(["candidate", "chosen"], [[name, str(counts[name])] for name in names]))


def _beside(
    groups: Sequence[Sequence[str]], references: tuple[str, ...], source: str | None
) -> tuple[list[tuple[str, ...]] | None, Sequence[str] | None]:
    """Return the references and the sources of every group, from files with as many lines as there are groups."""
    paths = [*references, *([] if source is None else [source])]
    texts = read_parallel(paths) if paths else []
    _notes.show(note for file in texts for note in file.notes)
    columns = [file.segments for file in texts]
    expected = list(zip(*columns[: len(references)], strict=True)) if references else None
    return expected, None if source is None else columns[-1]
