"""bleuprint score."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bleuprint.cli import _notes, _terminal
from bleuprint.cli._command import MetricsCommand
from bleuprint.cli._engines import Scorer, engine_options, spark_scorer
from bleuprint.cli._formats import check_format, format_option, write_formatted
from bleuprint.cli._inputs import (
    chosen_columns,
    column_options,
    named_files,
    reads_joined,
    reference_options,
    roles_of_files,
)
from bleuprint.cli._metrics import build_metrics, metric_options
from bleuprint.cli._sweep import Sweeps, check_sweep, show_sweeps, sweep_option, sweeps_of
from bleuprint.cli._tables import (
    score_table,
    segment_table,
    signature_lines,
    signatures_option,
)
from bleuprint.dataset import STDIN, FileStream, Segments, join_tables
from bleuprint.files import check_targets, write_files
from bleuprint.metrics.base.metric import Metric
from bleuprint.metrics.base.score import Score
from bleuprint.results import MetricResult, Result, SystemResult
from bleuprint.results.digits import Digits
from bleuprint.runners import evaluate
from bleuprint.runners.guards import TextGuard, notes_on_scores, notes_on_texts
from bleuprint.runners.progress import progress
from bleuprint.runners.streaming import score_stream

if TYPE_CHECKING:
    from bleuprint.cli._tables import Intervals

__all__ = ["command"]


@click.command(
    "score",
    cls=MetricsCommand,
    examples=(
        "bleuprint score hyp.txt -r ref.txt",
        "bleuprint score Base=a.txt Big=b.txt -r ref.txt -m bleu,chrf:word_order=2",
    ),
    more="'bleuprint cards NAME', docs/how-to/score-a-system.md",
    epilog="Existing files are only replaced with --force.",
)
@click.argument("hypotheses", nargs=-1, metavar="[HYP]...")
@reference_options
@click.option(
    "-i",
    "--input",
    "inputs",
    multiple=True,
    metavar="HYP...",
    help="Hypothesis files, up to the next option, as in sacrebleu; files before -i are then references.",
)
@metric_options
@column_options
@click.option(
    "--errors",
    type=click.Choice(["strict", "replace"]),
    default="strict",
    help="How to handle invalid UTF-8: fail, or replace it with U+FFFD.",
)
@click.option("-w", "--width", type=click.IntRange(0, 17), help="Decimal places.")
@click.option("--percent", is_flag=True, help="Show scores multiplied by 100; files keep the 0-1 scale.")
@click.option("--sentence-level", is_flag=True, help="Print the score of every segment.")
@click.option("--intervals", is_flag=True, help="Show 95 % confidence intervals (BCa bootstrap).")
@format_option
@signatures_option
@_notes.strict_option
@click.option("-q", "--quiet", is_flag=True, help="Print only the scores, one line per system.")
@click.option(
    "--json", "json_path", metavar="FILE", help="Save the result as JSON; '-' prints it instead of the table."
)
@click.option("--report", "report_path", metavar="FILE", help="Write an HTML report.")
@click.option(
    "--plot",
    "plot_path",
    metavar="FILE",
    help="Plot fidelity against fluency in an .svg, .png or .pdf file; needs a perplexity metric, or --sweep.",
)
@sweep_option
@click.option(
    "--store", metavar="FOLDER", help="Cache the progress of slow metrics here, so that an interrupted run can resume."
)
@click.option("--force", is_flag=True, help="Overwrite existing files.")
@click.option("--threads", type=click.IntRange(1), help="Number of threads [default: all cores].")
@engine_options
def command(
    hypotheses: tuple[str, ...],
    references: tuple[str, ...],
    inputs: tuple[str, ...],
    source: str | None,
    metrics: tuple[str, ...],
    hypothesis_column: tuple[str, ...],
    reference_column: tuple[str, ...],
    source_column: str | None,
    id_column: str | None,
    errors: str,
    width: int | None,
    percent: bool,
    sentence_level: bool,
    intervals: bool,
    form: str,
    signatures: bool,
    strict: bool,
    quiet: bool,
    json_path: str | None,
    report_path: str | None,
    plot_path: str | None,
    sweep: tuple[float, ...] | None,
    store: str | None,
    force: bool,
    threads: int | None,
    **options: Any,
) -> None:
    """Score system outputs against references.

    HYP is a text file with one segment per line, one file per system, or a table (.jsonl, .json, .csv, .tsv, .parquet,
    a saved Hugging Face dataset) with a column per system. NAME=HYP names the system. Several tables with references
    are joined by their ids. Files may be compressed (.gz, .zst); '-' reads standard input. Files larger than memory are
    streamed, unless segment scores are requested.
    """
    only_text = {
        "--sentence-level": sentence_level,
        "--intervals": intervals,
        "--quiet": quiet,
        "--sweep": sweep is not None,
    }
    check_format(
        form, {**only_text, "--width": width is not None, "--signatures": signatures, "--json -": json_path == STDIN}
    )
    check_outputs(json_path, report_path, plot_path, force=force)
    built = build_metrics(metrics, {**options, "percent": percent})
    swept = None if sweep is None else check_sweep(built)
    systems, translations = roles_of_files(hypotheses, inputs, references)
    columns = chosen_columns(hypothesis_column, reference_column, source_column, id_column)
    paths = named_files(systems)
    if reads_joined(systems, translations, source):
        if options["engine"] == "spark":
            raise click.UsageError("--engine spark reads one table, or text files with -r.")
        joined = join_tables(paths, columns=columns, errors=errors)
        result = _whole(joined, joined.notes, built, threads, store)
    else:
        every_segment = sentence_level or intervals or report_path is not None or plot_path is not None
        in_memory = every_segment or json_path is not None or id_column is not None
        ids = in_memory and options["engine"] == "local"
        with FileStream(paths, translations, source, columns=columns, ids=ids, errors=errors) as stream:
            for metric in built.values():
                metric.definition.check_sources((() if stream.has_sources else None) if metric.needs_sources else None)
            scorer = spark_scorer(options, every_segment=every_segment) or _scorer(in_memory, store)
            result = scorer(stream, built, threads)
        _notes.show(stream.notes)
    _notes.show(notes_on_scores(result))
    ranges = _intervals(result, built, threads) if intervals else None
    digits = Digits(percent, width)
    sweeps = None if sweep is None or swept is None else sweeps_of(result, swept, sweep)
    try:
        save(result, json_path, report_path, plot_path, sweeps=sweeps, percent=percent, force=force)
    finally:  # the scores of long work are shown even if a file cannot be written
        if json_path == STDIN:
            _terminal.write_json(result.to_json())
        elif form != "text":
            write_formatted(result, result.to_json(), form, percent=percent)
        elif sentence_level:
            show_segments(result, digits, quiet=quiet, full=signatures)
        else:
            show(result, digits, quiet=quiet, intervals=ranges, full=signatures)
    if sweeps is not None and json_path != STDIN:
        show_sweeps(sweeps, digits, quiet=quiet)
    elif plot_path is not None and not quiet and json_path != STDIN and form == "text":
        from bleuprint.cli.quadrants import show as show_quadrants
        from bleuprint.insight.quadrants import quadrants

        _terminal.write("\n")
        show_quadrants(quadrants(result))


def _intervals(result: Result, metrics: dict[str, Metric[Any]], threads: int | None) -> Intervals:
    from bleuprint.runners.comparisons import confidence_interval

    with progress("resampling", len(result.systems) * len(metrics)) as advance:
        ranges = {}
        for system in result.systems:
            for label, metric in metrics.items():
                sources = result.sources if metric.needs_sources else None
                ranges[system.name, label] = confidence_interval(
                    system.hypotheses, result.references, metric=metric, sources=sources, threads=threads
                )
                advance(1)
    return ranges


def _scorer(in_memory: bool, store: str | None) -> Scorer:
    """Return a scorer that streams the files, unless segment scores or a metric need everything in memory."""

    def score(stream: FileStream, metrics: dict[str, Metric[Any]], threads: int | None) -> Result:
        if in_memory or any(map(_needs_all, metrics.values())):
            whole = stream.read()
            return _whole(whole, stream.notes, metrics, threads, store)
        return _streamed(stream, metrics, threads)

    return score


def _needs_all(metric: Metric[Any]) -> bool:
    """Whether a metric must read all references first, or is slow and runs in chunks that can be cached."""
    return metric.slow or not metric.can_stream


def _whole(
    texts: Segments,
    notes: Sequence[str],
    metrics: dict[str, Metric[Any]],
    threads: int | None,
    store: str | None,
) -> Result:
    noticed = [*notes, *notes_on_texts(texts.systems, texts.references, texts.sources, metrics)]
    _notes.check(noticed)
    with progress("scoring", None):
        result = evaluate(
            texts.systems,
            texts.references,
            metrics=metrics,
            sources=texts.sources,
            ids=texts.ids,
            notes=[_terminal.visible(note) for note in noticed],
            store=store,
            threads=threads,
        )
    _notes.show(noticed)
    return result


def _streamed(stream: FileStream, metrics: dict[str, Metric[Any]], threads: int | None) -> Result:
    """Compute corpus scores in constant memory."""
    guard = TextGuard(metrics)
    with progress("scoring", stream.size) as advance:
        corpus_scores = score_stream(stream, metrics, threads=threads, advance=advance, look=guard.look_at)
    _notes.show(guard.notes())
    systems = [
        SystemResult(name, (), "", tuple(_corpus_result(label, score) for label, score in scores.items()))
        for name, scores in corpus_scores.items()
    ]
    return Result(tuple(systems), (), None, size=stream.segments, digests={}, versions={})


def _corpus_result(label: str, score: Score) -> MetricResult:
    return MetricResult(
        label, score.definition.kind.higher_is_better, float(score.value), score.parts, score.signature, (), ""
    )


def show(
    result: Result, digits: Digits, *, quiet: bool = False, intervals: Intervals | None = None, full: bool = False
) -> None:
    """Print the table of scores with the signatures below it, or only the numbers if `quiet`."""
    if quiet:
        rows = ((digits.of(score.signature)(score.value) for score in system.scores) for system in result.systems)
        lines = map(" ".join, rows)
        _terminal.write("".join(f"{line}\n" for line in lines))
        return
    _terminal.draw(score_table(result, digits, intervals))
    _show_signatures(signature_lines(result, full=full))


def show_segments(result: Result, digits: Digits, *, quiet: bool = False, full: bool = False) -> None:
    """Print the scores of all segments, plain even on a terminal, as there may be a million."""
    if quiet:
        for _, *cells in segment_table(result, digits).rows:
            _terminal.write(" ".join(cells) + "\n")
        return
    for line in _terminal.plain(segment_table(result, digits)):
        _terminal.write(f"{line}\n")
    _show_signatures(signature_lines(result, segments=True, full=full))


def _show_signatures(lines: Iterable[str]) -> None:
    _terminal.write("\n" + "".join(f"{_terminal.visible(line)}\n" for line in lines))


def check_outputs(json_path: str | None, report_path: str | None, plot_path: str | None = None, *, force: bool) -> None:
    """Refuse output files that cannot be written, before anything is computed."""
    given = {"--json": json_path, "--report": report_path, "--plot": plot_path}
    for option, path in given.items():
        if option != "--json" and path is not None and path in {STDIN, *(given[o] for o in given if o != option)}:
            raise click.UsageError(f"{option} needs its own output file.")
    if plot_path is not None:
        from bleuprint.report.picture_files import check_picture_path

        check_picture_path("plot", plot_path)
    check_targets((path for path in given.values() if path not in {None, STDIN}), overwrite=force)


def save(
    result: Result,
    json_path: str | None,
    report_path: str | None,
    plot_path: str | None = None,
    *,
    sweeps: Sweeps | None = None,
    percent: bool = False,
    force: bool,
) -> list[Path]:
    """Write the requested files; write none if one of them cannot be written."""
    contents: list[tuple[Path, bytes]] = []
    if json_path is not None and json_path != STDIN:
        contents.append((Path(json_path), result.to_json().encode()))
    if report_path is not None:
        from datetime import UTC, datetime

        from bleuprint.report import render

        today = datetime.now(UTC).date().isoformat()
        contents.append((Path(report_path), render(result, percent=percent, date=today).encode()))
    if plot_path is not None:
        from bleuprint.insight.quadrants import quadrants
        from bleuprint.report import quadrant_plot, sweep_plot
        from bleuprint.report.picture_files import written

        if sweeps is None:
            svg = quadrant_plot(quadrants(result), percent=percent)
        else:
            svg = sweep_plot(sweeps, percent=percent)
        contents.append((Path(plot_path), written(svg, plot_path)))
    write_files(contents, overwrite=force)
    return [path for path, _ in contents]
