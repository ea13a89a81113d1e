"""bleuprint perplexity."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from bleuprint.cli import _terminal
from bleuprint.cli._progress import progress
from bleuprint.cli.lm import reading_options
from bleuprint.dataset import STDIN, TextFile, read_text
from bleuprint.files import write_files
from bleuprint.metrics import Perplexity
from bleuprint.metrics.perplexity import PerplexityScore
from bleuprint.models.language_model import LanguageModel

__all__ = ["command"]

_HEAD = ("perplexity", "without unknown", "log10 probability", "tokens", "unknown")


@click.command("perplexity", epilog="Refuses to replace an existing file that differs, unless --force is given.")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option(
    "--lm", required=True, metavar="MODEL", help="Language model: a file from 'bleuprint lm train' or an ARPA file."
)
@click.option(
    "--unknown",
    type=click.Choice(["include", "exclude"]),
    default="include",
    show_default=True,
    help="Whether to count words unknown to the model.",
)
@reading_options
@click.option("-w", "--width", type=click.IntRange(0, 17), default=4, show_default=True, help="Decimal places.")
@click.option("--sentence-level", is_flag=True, help="Print the perplexity of every line.")
@click.option(
    "--json", "json_path", metavar="FILE", help="Save the result as JSON; '-' prints it instead of the table."
)
@click.option("--force", is_flag=True, help="Overwrite existing files.")
@click.option("--threads", type=click.IntRange(1), help="Number of threads [default: all cores].")
def command(
    files: tuple[str, ...],
    lm: str,
    unknown: str,
    tokenizer: str | None,
    lowercase: bool | None,
    width: int,
    sentence_level: bool,
    json_path: str | None,
    force: bool,
    threads: int | None,
) -> None:
    """Measure how well a language model predicts text.

    FILE has one text per line; '-' reads standard input. Lower is better: perplexity is the average number of
    equally likely words the model chooses between at each word and at the end of each line.
    """
    if files.count(STDIN) > 1:
        raise click.UsageError("standard input can be read only once.")
    metric = Perplexity(LanguageModel.load(lm, tokenizer=tokenizer, lowercase=lowercase), unknown=unknown)
    measured: list[tuple[TextFile, PerplexityScore]] = []
    with progress("measuring", len(files)) as advance:
        for path in files:
            file = read_text(path)
            measured.append((file, metric.corpus(file.segments, threads=threads)))
            advance(1)
    for file, _ in measured:
        for note in file.notes:
            _terminal.note(f"note: {note}")
    if json_path is not None:
        content = json.dumps(_record(metric, measured), indent=2, ensure_ascii=False) + "\n"
        if json_path == STDIN:
            _terminal.write_json(content)
            return
        write_files({Path(json_path): content.encode()}, overwrite=force)
    if sentence_level:
        _show_lines(metric, measured, width)
    else:
        _terminal.draw(
            _terminal.Table(["file", *_HEAD], [[file.name, *_cells(score, width)] for file, score in measured])
        )
        _terminal.write(f"\n{_terminal.visible(measured[0][1].signature)}\n")


def _cells(score: PerplexityScore, width: int) -> list[str]:
    numbers = (score.value, score.without_unknown, score.log_probability)
    return [*(f"{number:.{width}f}" for number in numbers), str(score.tokens), str(score.unknown_words)]


def _line_scores(metric: Perplexity, file: TextFile) -> list[PerplexityScore]:
    rows = metric.statistics(file.segments).rows.tolist()
    return [PerplexityScore(metric.definition, tuple(row), True, 0) for row in rows]


def _show_lines(metric: Perplexity, measured: list[tuple[TextFile, PerplexityScore]], width: int) -> None:
    """Print one row per line, plain even on a terminal, as there may be a million."""
    rows = [
        [f"{file.name}:{number}", *_cells(score, width)]
        for file, _ in measured
        for number, score in enumerate(_line_scores(metric, file), start=1)
    ]
    for line in _terminal.plain(_terminal.Table(["line", *_HEAD], rows)):
        _terminal.write(f"{line}\n")
    _terminal.write(f"\n{_terminal.visible(metric.definition.signature_of(sentence=True, references=0))}\n")


def _record(metric: Perplexity, measured: list[tuple[TextFile, PerplexityScore]]) -> dict[str, Any]:
    return {
        "signature": measured[0][1].signature,
        "files": [
            {
                "name": file.name,
                "perplexity": score.value,
                **score.parts,
                "segments": metric.sentences(file.segments).tolist(),
            }
            for file, score in measured
        ],
    }
