"""bleuprint perplexity."""

from __future__ import annotations

import json
from pathlib import Path

import click

from bleuprint.cli import _notes, _terminal
from bleuprint.cli._command import Command
from bleuprint.cli._inputs import named_files
from bleuprint.cli.lm import reading_options
from bleuprint.cli.score import check_outputs
from bleuprint.dataset import STDIN, TextFile, read_text
from bleuprint.files import write_files
from bleuprint.metrics import Perplexity
from bleuprint.metrics.perplexity import PerplexityScore
from bleuprint.models.language_model import LanguageModel
from bleuprint.runners.guards import unknown_words_note
from bleuprint.runners.progress import progress

__all__ = ["command"]

_Measured = tuple[str, TextFile, PerplexityScore]
_HEAD = ("perplexity", "without unknown", "log10 probability", "tokens", "unknown")


@click.command(
    "perplexity",
    cls=Command,
    examples=(
        "bleuprint perplexity out.txt --lm model.blm",
        "bleuprint perplexity a.txt b.txt --lm model.blm --sentence-level",
    ),
    more="'bleuprint cards perplexity', docs/how-to/fluency.md",
    epilog="Existing files are only replaced with --force.",
)
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
@click.option("--plot", "plot_path", metavar="FILE", help="Plot the lines' perplexities in an .svg, .png or .pdf file.")
@_notes.strict_option
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
    plot_path: str | None,
    strict: bool,
    force: bool,
    threads: int | None,
) -> None:
    """Measure how well a language model predicts text.

    FILE has one text per line; '-' reads standard input. Lower is better: perplexity is the average number of
    equally likely words the model chooses between at each word and at the end of each line.
    """
    check_outputs(json_path, None, plot_path, force=force)
    named = named_files(files)
    if list(named.values()).count(STDIN) > 1:
        raise click.UsageError("standard input can be read only once.")
    metric = Perplexity(LanguageModel.load(lm, tokenizer=tokenizer, lowercase=lowercase), unknown=unknown)
    measured: list[_Measured] = []
    with progress("measuring", len(files)) as advance:
        for name, path in named.items():
            file = read_text(path)
            measured.append((name, file, metric.corpus(file.segments, threads=threads)))
            advance(1)
    for name, file, score in measured:
        _notes.show([*file.notes, *unknown_words_note(name, score.unknown_words, score.tokens)])
    try:
        _save(metric, measured, json_path, plot_path, force=force)
    finally:
        if json_path == STDIN:
            _terminal.write_json(_record(metric, measured))
        else:
            _show(metric, measured, width, sentence_level=sentence_level)


def _save(
    metric: Perplexity, measured: list[_Measured], json_path: str | None, plot_path: str | None, *, force: bool
) -> None:
    contents = []
    if json_path is not None and json_path != STDIN:
        contents.append((Path(json_path), _record(metric, measured).encode()))
    if plot_path is not None:
        from bleuprint.report import distribution_plot
        from bleuprint.report.picture_files import written

        lines = {name: metric.sentences(file.segments).tolist() for name, file, _ in measured}
        contents.append((Path(plot_path), written(distribution_plot(lines, metric.name), plot_path)))
    write_files(contents, overwrite=force)


def _show(metric: Perplexity, measured: list[_Measured], width: int, *, sentence_level: bool) -> None:
    if sentence_level:
        _show_lines(metric, measured, width)
    else:
        _terminal.draw(
            _terminal.Table(["file", *_HEAD], [[name, *_cells(score, width)] for name, _, score in measured])
        )
        _terminal.write(f"\n{_terminal.visible(measured[0][2].signature)}\n")


def _cells(score: PerplexityScore, width: int) -> list[str]:
    numbers = (score.value, score.without_unknown, score.log_probability)
    return [*(f"{number:.{width}f}" for number in numbers), str(score.tokens), str(score.unknown_words)]


def _line_scores(metric: Perplexity, file: TextFile) -> list[PerplexityScore]:
    rows = metric.statistics(file.segments).rows.tolist()
    return [PerplexityScore(metric.definition, tuple(row), True, 0) for row in rows]


def _show_lines(metric: Perplexity, measured: list[_Measured], width: int) -> None:
    """Print one row per line, plain even on a terminal, as there may be a million."""
    rows = [
        [f"{name}:{number}", *_cells(score, width)]
        for name, file, _ in measured
        for number, score in enumerate(_line_scores(metric, file), start=1)
    ]
    for line in _terminal.plain(_terminal.Table(["line", *_HEAD], rows)):
        _terminal.write(f"{line}\n")
    _terminal.write(f"\n{_terminal.visible(metric.definition.signature_of(sentence=True, references=0))}\n")


def _record(metric: Perplexity, measured: list[_Measured]) -> str:
    record = {
        "signature": measured[0][2].signature,
        "files": [
            {
                "name": name,
                "perplexity": score.value,
                **score.parts,
                "segments": metric.sentences(file.segments).tolist(),
            }
            for name, file, score in measured
        ],
    }
    return json.dumps(record, indent=2, ensure_ascii=False) + "\n"
