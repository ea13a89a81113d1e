"""bleuprint score."""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click

from bleuprint import profiles, tokenizers
from bleuprint.cli import _terminal
from bleuprint.cli._tables import Digits, score_table, segment_table, signature_lines
from bleuprint.dataset import STDIN, read_parallel
from bleuprint.metric import Metric
from bleuprint.metrics import REFERENCE_TABLE
from bleuprint.output import write_files
from bleuprint.results import Result
from bleuprint.runners import evaluate

__all__ = ["command"]

# Options that are handed to the metrics; None stands for "not given".
_METRIC_OPTIONS = {
    "tokenizer": click.option("-tok", "--tokenizer", metavar="NAME", help=f"{', '.join(tokenizers.names())}"),
    "lowercase": click.option("-lc", "--lowercase", is_flag=True, default=None, help="Ignore case."),
    "smoothing": click.option("--smoothing", metavar="METHOD", help="none, exp, floor(0.1), add-k(1), …"),
    "max_order": click.option("--max-order", type=int, metavar="N", help="Longest n-grams that count."),
    "profile": click.option(
        "--profile",
        metavar="NAME",
        help=f"Score as another library does: {', '.join(profiles.names('bleu'))}.",
    ),
}


def _metric_options(function: Any) -> Any:
    for option in reversed(_METRIC_OPTIONS.values()):
        function = option(function)
    return function


@click.command("score", epilog="A file that exists is replaced only with --force, unless it would stay the same.")
@click.argument("hypotheses", nargs=-1, required=True, metavar="HYP...")
@click.option(
    "-r",
    "--reference",
    "references",
    multiple=True,
    required=True,
    metavar="REF",
    help="Reference file; repeat it for several references per segment.",
)
@click.option(
    "-s",
    "--source",
    metavar="SRC",
    help="What was translated or rewritten; shown in the report, and read by metrics such as ibleu.",
)
@click.option(
    "-m",
    "--metric",
    "metrics",
    multiple=True,
    default=("bleu",),
    show_default=True,
    type=click.Choice(list(REFERENCE_TABLE)),
    metavar="NAME",
    help=f"Metric; can be repeated. {', '.join(REFERENCE_TABLE)}.",
)
@_metric_options
@click.option("-w", "--width", type=click.IntRange(0, 17), help="Digits after the point.")
@click.option("--percent", is_flag=True, help="Show scores times 100; files keep the scale from 0 to 1.")
@click.option("--sentence-level", is_flag=True, help="Print the score of every segment.")
@click.option("--json", "json_path", metavar="FILE", help="Store the result; '-' prints it instead of the table.")
@click.option("--report", "report_path", metavar="FILE", help="Write an HTML report.")
@click.option("--force", is_flag=True, help="Replace files that exist.")
@click.option("--threads", type=click.IntRange(1), help="Threads to use; all processors if not given.")
def command(
    hypotheses: tuple[str, ...],
    references: tuple[str, ...],
    source: str | None,
    metrics: tuple[str, ...],
    width: int | None,
    percent: bool,
    sentence_level: bool,
    json_path: str | None,
    report_path: str | None,
    force: bool,
    threads: int | None,
    **options: Any,
) -> None:
    """Score system outputs against references.

    HYP is a text file with one segment per line, one file per system; '-' reads standard input.
    """
    check_percent(metrics, percent=percent)
    chosen = _build_metrics(metrics, {name: value for name, value in options.items() if value is not None})
    files = read_parallel([*hypotheses, *references, *([] if source is None else [source])])
    systems, translations = files[: len(hypotheses)], files[len(hypotheses) :][: len(references)]
    notes = [_terminal.visible(note) for file in files for note in file.notes]
    result = evaluate(
        dict(zip(_system_names(hypotheses), (file.segments for file in systems), strict=True)),
        list(zip(*(file.segments for file in translations), strict=True)),
        metrics=chosen,
        sources=None if source is None else files[-1].segments,
        notes=notes,
        threads=threads,
    )
    for note in notes:
        _terminal.note(f"note: {note}")
    save(result, json_path, report_path, force=force)
    if json_path == STDIN:
        _terminal.write_bytes(result.to_json().encode())
    elif sentence_level:
        show_segments(result, Digits(percent, width))
    else:
        show(result, Digits(percent, width))


def check_percent(metrics: Iterable[str], *, percent: bool) -> None:
    """Refuse to multiply what is not a share of anything."""
    for name in metrics if percent else ():
        if not REFERENCE_TABLE[name].has_percent:
            raise click.UsageError(f"--percent does not apply to the metric {name}, which has a scale of its own.")


def show(result: Result, digits: Digits) -> None:
    """The table of scores with the signature under it."""
    _terminal.draw(score_table(result, digits))
    _terminal.write("\n" + "".join(f"{_terminal.visible(line)}\n" for line in signature_lines(result)))


def show_segments(result: Result, digits: Digits) -> None:
    """The scores of all segments; plain on a terminal too, as there may be a million."""
    for line in _terminal.plain(segment_table(result, digits)):
        _terminal.write(f"{line}\n")
    _terminal.write("\n" + "".join(f"{_terminal.visible(line)}\n" for line in signature_lines(result, segments=True)))


def save(result: Result, json_path: str | None, report_path: str | None, *, force: bool) -> list[Path]:
    """Write the files that were asked for; none if one of them cannot be."""
    contents: dict[Path, bytes] = {}
    if json_path is not None and json_path != STDIN:
        contents[Path(json_path)] = result.to_json().encode()
    if report_path is not None:
        if report_path in {STDIN, json_path}:
            raise click.UsageError("--report needs a file of its own.")
        from bleuprint.report import render

        contents[Path(report_path)] = render(result).encode()
    write_files(contents, overwrite=force)
    return list(contents)


def _build_metrics(names: tuple[str, ...], options: dict[str, Any]) -> dict[str, Metric[Any]]:
    chosen: dict[str, Metric[Any]] = {}
    for name in names:
        accepted = inspect.signature(REFERENCE_TABLE[name]).parameters.values()
        open_ended = any(parameter.kind is parameter.VAR_KEYWORD for parameter in accepted)
        for option in options:
            if not open_ended and option not in {parameter.name for parameter in accepted}:
                raise click.UsageError(f"--{option.replace('_', '-')} does not apply to the metric {name}.")
        chosen[name] = REFERENCE_TABLE[name](**options)
    return chosen


def _system_names(paths: tuple[str, ...]) -> list[str]:
    """Short names for systems: the file's own, or as much of its path as tells them apart."""
    short = ["stdin" if path == STDIN else Path(path).name.removesuffix(".txt") for path in paths]
    names = short if len(set(short)) == len(short) else list(paths)
    names = [name.encode("utf-8", "backslashreplace").decode() for name in names]
    return [name if names.index(name) == index else f"{name} ({index + 1})" for index, name in enumerate(names)]
