"""bleuprint choose."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import click

from bleuprint.cli import _notes, _terminal
from bleuprint.cli._command import option, subcommand
from bleuprint.cli._inputs import named_files, read_aligned, read_lines
from bleuprint.cli._metrics import build_metric, metric_options
from bleuprint.cli._options import shared_options
from bleuprint.cli._output import Output, document, output_options
from bleuprint.dataset import is_table
from bleuprint.dataset.columns import ListColumn
from bleuprint.dataset.stream import open_table
from bleuprint.errors import DataFileError, InputError
from bleuprint.insight.choosing import Choice, choose
from bleuprint.runners.progress import progress


@subcommand(
    "choose",
    examples=(
        "bleuprint choose a.txt b.txt c.txt -r ref.txt -o best.txt",
        "bleuprint choose a.txt b.txt -r ref.txt -s src.txt -m ibleu:alpha=0.7",
        "bleuprint choose samples.jsonl --column candidates -m chrf --json choices.json",
    ),
    more="'bleuprint cards mbr', docs/how-to/paraphrases.md",
)
@click.argument("candidates", nargs=-1, required=True, metavar="CANDIDATES...")
@option("Input", "--column NAME", "Column of a table with the list of candidates of each row.", default="candidates")
@shared_options("references", "source")
@metric_options("bleu", multiple=False)
@option("Metrics", "--exclude-self", "Without references, do not compare a candidate with itself.")
@shared_options("path", help="Write the chosen texts here [default: print them].")
@output_options(
    "strict", "force", json="Save the choices with their scores as JSON; '-' prints it instead of the texts."
)
@shared_options("threads")
def command(
    candidates: tuple[str, ...],
    column: str,
    references: tuple[str, ...],
    source: str | None,
    metrics: tuple[str, ...],
    exclude_self: bool,
    path: str | None,
    output: Output,
    threads: int | None,
    **options: Any,
) -> None:
    """Choose the best of several candidates per line, under any metric.

    CANDIDATES are text files; line i of each is a candidate for segment i. Or one table (.jsonl, .json, .parquet) with
    a column of lists, or one n-best list (NUMBER ||| TEXT). The candidate with the best segment score is chosen, the
    first of them on ties. Without references, each candidate is compared with the others, and the one that agrees most
    with them is chosen (minimum Bayes risk).
    """
    output.check_files([path])
    metric = build_metric("choose", metrics, options)
    groups, names = _read_candidates(named_files(candidates), column)
    _, expected, sources = read_aligned((), references, source)
    with progress("choosing", None):
        choices = choose(
            groups, expected, metric=metric, sources=sources, include_self=not exclude_self, threads=threads
        )

    def show() -> None:
        if path is None:
            _terminal.write(_lines(choices))
        elif names:
            counts = Counter(names[choice.index] for choice in choices)
            _terminal.draw_rows(["candidate", "chosen"], [[name, str(counts[name])] for name in names])

    def json() -> str:
        fields: list[dict[str, object]] = []
        for choice in choices:
            candidate = {"candidate": names[choice.index]} if names else {}
            fields.append({"index": choice.index, **candidate, "text": choice.text, metric.name: choice.value})
        signature = metric.definition.signature_of(sentence=True, references=len(references))
        return document({"signature": signature, "choices": fields})

    output.deliver(json=json, show=show, files=[] if path is None else [(Path(path), _lines(choices).encode())])


def _read_candidates(files: dict[str, str], column: str) -> tuple[Sequence[Sequence[str]], list[str]]:
    """Return the candidates of each segment, and the names of the files they come from, if each has its own."""
    paths = list(files.values())
    if len(paths) == 1 and is_table(paths[0]):
        with closing(open_table(paths[0])) as table:
            if column not in table.names:
                known = ", ".join(table.names)
                raise DataFileError(table.name, f"there is no column {column!r}, only {known}; pass --column NAME")
            lists = ListColumn(table.name, column)
            groups = (group for batch in table.batches() for group in batch.groups(lists).unpack())
            rows = [[str(text) for text in group] for group in groups]
        _notes.show(table.notes)
        return rows, []
    if len(paths) == 1:
        return _read_nbest(paths[0]), []
    texts, _, _ = read_aligned(paths, (), None)
    return list(zip(*texts, strict=True)), list(files)


def _read_nbest(path: str) -> list[list[str]]:
    """The candidates of an n-best list as Moses and Marian write it: number ||| text ||| more."""
    groups: dict[int, list[str]] = {}
    for number, line in enumerate(read_lines(path), start=1):
        segment, text, *_ = (*map(str.strip, line.split("|||")), "")
        if "|||" not in line or not segment.isdecimal():
            hint = "one text file holds one candidate per segment; pass several, a table of lists, or an n-best list"
            raise DataFileError(path, f"the line is no 'NUMBER ||| TEXT'; {hint}", line=number)
        groups.setdefault(int(segment), []).append(text)
    if sorted(groups) != list(range(len(groups))):
        missing = next(number for number in range(len(groups)) if number not in groups)
        raise DataFileError(path, f"segment {missing} has no candidate")
    return [groups[number] for number in range(len(groups))]


def _lines(choices: Sequence[Choice]) -> str:
    """Return the chosen texts, one per line."""
    for number, choice in enumerate(choices, start=1):
        if "\n" in str(choice.text):
            raise InputError(f"the candidate chosen for row {number} has several lines; use --json - to get it whole.")
    return "".join(f"{choice.text}\n" for choice in choices)
