"""bleuprint choose."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from bleuprint import __version__
from bleuprint.cli import _notes, _terminal
from bleuprint.cli._command import MetricsCommand
from bleuprint.cli._inputs import named_files, reference_options
from bleuprint.cli._metrics import build_metrics, metric_options
from bleuprint.cli.mbr import chosen_lines, read_candidates
from bleuprint.dataset import STDIN, read_parallel
from bleuprint.files import check_targets, write_files
from bleuprint.metrics.base.metric import Metric
from bleuprint.metrics.choosing import Choice, choose
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
@click.argument("hypotheses", nargs=-1, required=True, metavar="CANDIDATES...")
@reference_options
@click.option(
    "--column",
    "candidates_column",
    metavar="NAME",
    default="candidates",
    show_default=True,
    help="Column of a table with the list of candidates of each row.",
)
@metric_options
@click.option("-o", "--output", metavar="FILE", help="Write the chosen texts here [default: print them].")
@click.option(
    "--json",
    "json_path",
    metavar="FILE",
    help="Save the choices with their scores as JSON; '-' prints it instead of the texts.",
)
@_notes.strict_option
@click.option("--force", is_flag=True, help="Overwrite existing files.")
@click.option("--threads", type=click.IntRange(1), help="Number of threads [default: all cores].")
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
    check_targets((path for path in (output, json_path) if path not in {None, STDIN}), overwrite=force)
    built = build_metrics(metrics, options)
    if len(built) != 1:
        raise click.UsageError(f"choose takes one metric; got {', '.join(built)}.")
    (metric,) = built.values()
    groups, names = read_candidates(named_files(hypotheses), candidates_column)
    expected, inputs = _beside(groups, references, source)
    with progress("choosing", None):
        choices = choose(groups, expected, metric=metric, sources=inputs, threads=threads)
    record = _record(choices, names, metric, len(references))
    contents = [(Path(output), chosen_lines(choices).encode())] if output is not None else []
    if json_path is not None and json_path != STDIN:
        contents.append((Path(json_path), record.encode()))
    try:
        write_files(contents, overwrite=force)
    finally:
        if json_path == STDIN:
            _terminal.write_json(record)
        elif output is None:
            _terminal.write(chosen_lines(choices))
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


def _record(choices: Sequence[Choice], names: Sequence[str], metric: Metric[Any], references: int) -> str:
    fields = [
        {
            "index": choice.index,
            **({"candidate": names[choice.index]} if names else {}),
            "text": choice.text,
            metric.name: choice.value,
        }
        for choice in choices
    ]
    signature = metric.definition.signature_of(sentence=True, references=references)
    document = {"bleuprint": __version__, "signature": signature, "choices": fields}
    return json.dumps(document, ensure_ascii=False, indent=1) + "\n"
