"""bleuprint perplexity."""

from __future__ import annotations

import json

import click

from bleuprint.cli import _notes, _terminal
from bleuprint.cli._command import Command, option
from bleuprint.cli._inputs import named_files
from bleuprint.cli._options import threads_option, tokenizer_options
from bleuprint.cli._output import Output, output_options
from bleuprint.dataset import STDIN, TextFile, read_text
from bleuprint.metrics import Perplexity
from bleuprint.metrics.perplexity import PerplexityScore
from bleuprint.models.language_model import LanguageModel
from bleuprint.results.digits import Digits
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
@option(
    "--lm",
    group="Metrics",
    required=True,
    metavar="MODEL",
    help="Language model: a file from 'bleuprint lm train' or an ARPA file.",
)
@option(
    "--unknown",
    group="Metrics",
    type=click.Choice(["include", "exclude"]),
    default="include",
    show_default=True,
    help="Whether to count words unknown to the model.",
)
@tokenizer_options()
@output_options(
    "width",
    "sentence_level",
    "json",
    "strict",
    "force",
    plot="Plot the lines' perplexities in an .svg, .png or .pdf file.",
)
@threads_option
def command(
    files: tuple[str, ...],
    lm: str,
    unknown: str,
    tokenizer: str | None,
    lowercase: bool | None,
    output: Output,
    threads: int | None,
) -> None:
    """Measure how well a language model predicts text.

    FILE has one text per line; '-' reads standard input. Lower is better: perplexity is the average number of
    equally likely words the model chooses between at each word and at the end of each line.
    """
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
    output.deliver(
        json=lambda: _record(metric, measured),
        plot=lambda: _plot(metric, measured),
        show=lambda: _show_lines(metric, measured, output) if output.sentence_level else _show(measured, output),
    )


def _plot(metric: Perplexity, measured: list[_Measured]) -> str:
    from bleuprint.report import distribution_plot

    return distribution_plot(
        {name: metric.sentences(file.segments).tolist() for name, file, _ in measured}, metric.name
    )


def _show(measured: list[_Measured], output: Output) -> None:
    rows = [[name, *_cells(score, output.digits)] for name, _, score in measured]
    _terminal.draw(_terminal.table(["file", *_HEAD], rows))
    _terminal.write_lines(["", measured[0][2].signature])


def _cells(score: PerplexityScore, digits: Digits) -> list[str]:
    numbers = (score.value, score.without_unknown, score.log_probability)
    return [*map(digits, numbers), str(score.tokens), str(score.unknown_words)]


def _line_scores(metric: Perplexity, file: TextFile) -> list[PerplexityScore]:
    rows = metric.statistics(file.segments).rows.tolist()
    return [PerplexityScore(metric.definition, tuple(row), True, 0) for row in rows]


def _show_lines(metric: Perplexity, measured: list[_Measured], output: Output) -> None:
    """Print one row per line, plain even on a terminal, as there may be a million."""
    rows = [
        [f"{name}:{number}", *_cells(score, output.digits)]
        for name, file, _ in measured
        for number, score in enumerate(_line_scores(metric, file), start=1)
    ]
    _terminal.write_lines(_terminal.plain(_terminal.table(["line", *_HEAD], rows)))
    _terminal.write_lines(["", metric.definition.signature_of(sentence=True, references=0)])


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
