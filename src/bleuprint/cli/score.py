"""bleuprint score."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import starmap
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bleuprint.cli import _notes, _terminal
from bleuprint.cli._command import MetricsCommand, option, subcommand
from bleuprint.cli._inputs import Inputs, input_options
from bleuprint.cli._metrics import build_metrics, metric_options
from bleuprint.cli._options import shared_options
from bleuprint.cli._output import Output, output_options
from bleuprint.cli._tables import add_parts, segment_table
from bleuprint.dataset import FileStream, Segments, join_tables, read_text
from bleuprint.errors import LineCountError
from bleuprint.metrics.base.metric import Metric
from bleuprint.metrics.base.score import Score
from bleuprint.metrics.ibleu import IBLEU, IbleuScore, alphas_between
from bleuprint.results import MetricResult, Result, SystemResult
from bleuprint.results.escaping import visible
from bleuprint.results.score_tables import score_table
from bleuprint.runners import evaluate
from bleuprint.runners.guards import TextGuard, notes_on_scores, notes_on_texts
from bleuprint.runners.progress import progress
from bleuprint.runners.streaming import score_stream

if TYPE_CHECKING:
    from bleuprint.results.score_tables import Intervals

_PLOT = (
    "Draw the result in an .svg, .png or .pdf file: the values of --sweep; fidelity against fluency if a metric is "
    "perplexity; how the scores spread if the only metric needs no references; else the systems with their intervals."
)
Sweeps = Mapping[str, list[IbleuScore]]


def _alphas(context: click.Context, parameter: click.Parameter, given: str | None) -> tuple[float, ...] | None:
    if given is None:
        return None
    option, _, values = given.partition("=")
    parts = values.split(":")
    if option != "alpha" or len(parts) != 3:
        raise click.BadParameter(f"write alpha=FIRST:LAST:STEP, such as alpha=0.5:0.9:0.1, not {given!r}.")
    return alphas_between(*parts)


@subcommand(
    "score",
    cls=MetricsCommand,
    examples=(
        "bleuprint score hyp.txt -r ref.txt",
        "bleuprint score Base=a.txt Big=b.txt -r ref.txt -m bleu,chrf:word_order=2",
        "bleuprint score hyp.txt -r ref.txt -m bleu,self-bleu,distinct --report x.html",
        "bleuprint score out.txt -m perplexity:lm=news.blm",
    ),
    more="'bleuprint cards NAME', docs/how-to/score-a-system.md",
)
@click.argument("hypotheses", nargs=-1, metavar="[HYP]...")
@input_options
@option(
    "Input",
    "-i, --input HYP...",
    "Hypothesis files, up to the next option, as in sacrebleu; files before -i are then references.",
    name="inputs",
    multiple=True,
)
@shared_options("errors")
@metric_options("bleu")
@option(
    "Metrics",
    "--sweep alpha=FIRST:LAST:STEP",
    "Also show ibleu for every alpha in a range, such as alpha=0.5:0.9:0.1; --plot then draws it.",
    callback=_alphas,
)
@option("Output", "--intervals", "Show 95 % confidence intervals (BCa bootstrap).")
@output_options(
    "width",
    "percent",
    "sentence_level",
    "format",
    "signatures",
    "quiet",
    "json",
    "report",
    "title",
    "strict",
    "force",
    plot=_PLOT,
)
@option("Speed", "--store FOLDER", "Cache the progress of slow metrics here, so that an interrupted run can resume.")
@shared_options("threads")
def command(
    inputs: Inputs,
    errors: str,
    metrics: tuple[str, ...],
    sweep: tuple[float, ...] | None,
    intervals: bool,
    output: Output,
    store: str | None,
    threads: int | None,
    **options: Any,
) -> None:
    """Score system outputs, with or without references.

    HYP is a text file with one segment per line, one file per system, or a table (.jsonl, .json, .csv, .tsv, .parquet,
    a saved Hugging Face dataset) with a column per system. NAME=HYP names the system. Several tables with references
    are joined by their ids. Files may be compressed (.gz, .zst); '-' reads standard input. Files larger than memory are
    streamed, unless segment scores are requested. Metrics such as perplexity, self-bleu and distinct need no
    references. Those of diversity look at all outputs of a system together; cross-bleu and frechet compare them with
    all references, which may then be any number of texts.
    """
    output.check_text_only({"--intervals": intervals, "--sweep": sweep is not None})
    built = build_metrics(metrics, {**options, "percent": output.percent})
    swept = None if sweep is None else _swept_metric(built)
    spread = len(built) == 1 and not any(metric.needs_references for metric in built.values())
    every_segment = output.sentence_level or intervals or output.report is not None or output.plot is not None
    if intervals:
        _check_resampled(built)
    needs_references = inputs.check_references(built)
    if inputs.joined:
        joined = join_tables(inputs.systems, columns=inputs.columns, needs_references=needs_references, errors=errors)
        result = _score_in_memory(joined, built, threads, store)
    else:
        # Some metrics must read all references first; slow ones run in chunks that can be cached.
        in_memory = every_segment or output.json is not None or "id" in inputs.columns
        whole = in_memory or any(metric.slow or not metric.can_stream for metric in built.values())
        corpus = inputs.corpus_of(built)
        if corpus is not None:
            inputs, needs_references = replace(inputs, references=()), False
        with inputs.open(ids=in_memory, needs_references=needs_references, errors=errors) as stream:
            for metric in built.values():
                metric.definition.check_sources((() if stream.has_sources else None) if metric.needs_sources else None)
            try:
                if whole or corpus is not None:
                    texts = stream.read()
                    if corpus is not None:
                        lines = read_text(corpus, errors=errors)
                        _notes.show(lines.notes)
                        texts = replace(texts, references=[(line,) for line in lines.segments])
                    result = _score_in_memory(texts, built, threads, store)
                else:
                    result = _score_stream(stream, built, threads)
            except LineCountError as error:
                if any(metric.unit == "segment" for metric in built.values()):
                    raise
                hint = "'bleuprint compare --pool' draws as many texts from each system as the smallest has"
                raise click.UsageError(f"{error} {hint}.") from None
        _notes.show(stream.notes)
    _notes.show(notes_on_scores(result))
    ranges = _intervals(result, built, threads) if intervals else None
    sweeps = None if sweep is None or swept is None else _sweeps(result, swept, sweep)
    output.deliver(
        json=result.to_json,
        tables=result,
        report=lambda: report_of(result, output),
        plot=lambda: _plot(result, sweeps, output, spread=spread),
        show=lambda: show_segments(result, output) if output.sentence_level else show(result, output, ranges),
    )
    if sweeps is not None and output.as_text:
        _show_sweeps(sweeps, output)
    elif output.plot is not None and output.as_text and not output.quiet and _has_quadrants(result):
        from bleuprint.insight.quadrants import quadrants

        assignment = quadrants(result)
        _terminal.write("\n")
        _terminal.draw(assignment.display()[0])
        _terminal.write_lines(["", assignment.rule()])


def _check_resampled(metrics: dict[str, Metric[Score]]) -> None:
    for label, metric in metrics.items():
        if metric.unit == "pool":
            raise click.UsageError(
                f"--intervals does not apply to {label}: resampling repeats texts, and repetition is what it measures. "
                "'bleuprint diversity FILE' shows intervals."
            )


def _intervals(result: Result, metrics: dict[str, Metric[Score]], threads: int | None) -> Intervals:
    from bleuprint.runners.comparisons import confidence_interval

    with progress("resampling", len(result.systems) * len(metrics)) as advance:
        ranges = {}
        for system in result.systems:
            for label, metric in metrics.items():
                sources = result.sources if metric.needs_sources else None
                ranges[system.name, label] = confidence_interval(
                    system.hypotheses, result.references or None, metric=metric, sources=sources, threads=threads
                )
                advance(1)
    return ranges


def notes_on(texts: Segments) -> list[str]:
    """What was noticed in the files and in the texts."""
    return [*texts.notes, *notes_on_texts(texts.systems, texts.references, texts.sources)]


def evaluate_texts(
    texts: Segments, metrics: dict[str, Metric[Score]], notes: list[str], threads: int | None, store: str | None = None
) -> Result:
    """Score texts that are in memory; the result keeps the notes."""
    with progress("scoring", None):
        return evaluate(
            texts.systems,
            texts.references or None,
            metrics=metrics,
            sources=texts.sources,
            ids=texts.ids,
            notes=[visible(note) for note in notes],
            store=store,
            threads=threads,
        )


def _score_in_memory(
    texts: Segments, metrics: dict[str, Metric[Score]], threads: int | None, store: str | None
) -> Result:
    notes = notes_on(texts)
    _notes.check(notes)
    result = evaluate_texts(texts, metrics, notes, threads, store)
    _notes.show(notes)
    return result


def _score_stream(stream: FileStream, metrics: dict[str, Metric[Score]], threads: int | None) -> Result:
    """Compute corpus scores in constant memory."""
    guard = TextGuard()
    with progress("scoring", stream.size) as advance:
        corpus_scores = score_stream(stream, metrics, threads=threads, advance=advance, look=guard.look_at)
    _notes.show(guard.notes())
    systems = [
        SystemResult(name, (), "", tuple(starmap(MetricResult.of, scores.items())))
        for name, scores in corpus_scores.items()
    ]
    return Result(tuple(systems), (), None, size=stream.segments, digests={}, versions={})


def _swept_metric(metrics: Mapping[str, Metric[Score]]) -> str:
    """Return the name of the metric that is swept."""
    names = [name for name, metric in metrics.items() if isinstance(metric, IBLEU)]
    if len(names) != 1:
        raise click.UsageError(f"--sweep alpha=… needs one ibleu, as in -m ibleu; got {', '.join(metrics)}.")
    return names[0]


def _sweeps(result: Result, metric: str, alphas: tuple[float, ...]) -> dict[str, list[IbleuScore]]:
    """Return the scores of every system for every alpha, from the counts in the result."""
    from bleuprint.report.sections.scores.sweep import score_with_counts

    scores = {system.name: score_with_counts(system.score(metric)) for system in result.systems}
    return {name: [score.at(alpha) for alpha in alphas] for name, score in scores.items() if score is not None}


def _show_sweeps(sweeps: Sweeps, output: Output) -> None:
    """Print one row per alpha, with the system that is best under it."""
    rows = list(zip(*sweeps.values(), strict=True))
    values = [[output.digits(score.value) for score in row] for row in rows]
    if output.quiet:
        _terminal.write_lines(map(" ".join, values))
        return
    head, table = ["alpha", *sweeps], [[f"{row[0].alpha:g}", *shown] for row, shown in zip(rows, values, strict=True)]
    words = []
    if len(sweeps) > 1:
        words = [len(head)]
        head.append("best")
        for row, cells in zip(rows, table, strict=True):
            highest = max(score.value for score in row)
            cells.append(", ".join(name for name, score in zip(sweeps, row, strict=True) if score.value == highest))
    _terminal.write("\n")
    _terminal.draw_rows(head, table, words)


def show(result: Result, output: Output, intervals: Intervals | None = None) -> None:
    """Print the table of scores with the signatures below it, or only the numbers with --quiet."""
    if output.quiet:
        digits = output.digits
        rows = ((digits.of(score.signature)(score.value) for score in system.scores) for system in result.systems)
        _terminal.write_lines(map(" ".join, rows))
        return
    table = score_table(result, output.digits, intervals or {})
    _terminal.draw(add_parts(table, result, output.digits))
    if table.notes:
        _terminal.write("\n")
        _terminal.write_sentences(table.notes)
    signatures = (score.signature for system in result.systems for score in system.scores)
    _terminal.write_lines(["", *output.signature_lines(signatures)])


def show_segments(result: Result, output: Output) -> None:
    """Print the scores of all segments, plain even on a terminal, as there may be a million."""
    scores = [score for system in result.systems for score in system.scores]
    without = dict.fromkeys(score.metric for score in scores if len(score.segments) < result.size)
    if len(without) == len(result.metrics):
        raise click.UsageError(f"--sentence-level does not apply to {', '.join(without)}, which has no score per text.")
    if without:
        _notes.show([f"--sentence-level does not apply to {', '.join(without)}"])
    table = segment_table(result, output.digits)
    if output.quiet:
        _terminal.write_lines(" ".join(cell.plain for cell in cells) for _, *cells in table.rows)
        return
    _terminal.write_lines(table.lines())
    signatures = (score.segment_signature for score in scores if score.metric not in without)
    _terminal.write_lines(["", *output.signature_lines(signatures)])


def report_of(result: Result, output: Output) -> str:
    """The HTML report of a new result."""
    from datetime import UTC, datetime

    from bleuprint.report import render

    date = datetime.now(UTC).date().isoformat()
    if output.report is not None and not output.force and Path(output.report).is_file():
        date = saved_on(output.report)  # only the same report may replace it, so it has the same date
    return render(result, percent=output.percent, title=output.title, date=date)


def saved_on(path: str) -> str:
    """The day on which a file was written, in UTC: results themselves hold no date."""
    from datetime import UTC, datetime

    return datetime.fromtimestamp(Path(path).stat().st_mtime, UTC).date().isoformat()


def _has_quadrants(result: Result) -> bool:
    from bleuprint.insight.quadrants import kind_of

    return len({kind_of(score) for score in result.systems[0].scores}) == 2


def _plot(result: Result, sweeps: Sweeps | None, output: Output, *, spread: bool) -> str:
    from bleuprint.insight.quadrants import quadrants
    from bleuprint.report import alone, picture, quadrant_plot, sweep_plot
    from bleuprint.report.pictures import inner_size

    if sweeps is not None:
        return sweep_plot(sweeps, percent=output.percent)
    if _has_quadrants(result):
        return quadrant_plot(quadrants(result), percent=output.percent)
    chart = "distribution" if spread else "scores"
    return alone(picture(result, chart, width=inner_size().width, percent=output.percent))
