"""bleuprint score."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import starmap
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bleuprint.cli import _notes, _terminal
from bleuprint.cli._command import option, subcommand
from bleuprint.cli._inputs import Inputs, input_options, read_lines
from bleuprint.cli._metrics import build_metrics, metric_options
from bleuprint.cli._options import shared_options
from bleuprint.cli._output import Output, output_options
from bleuprint.dataset import Dataset, FileStream, Segments
from bleuprint.errors import DataFileError, LineCountError
from bleuprint.metrics.base import Metric, Score
from bleuprint.metrics.ibleu import IBLEU
from bleuprint.results import MetricResult, Result, SystemResult
from bleuprint.results.digits import Digits
from bleuprint.results.display import Cell, DisplayTable, words
from bleuprint.results.score_tables import score_table
from bleuprint.runners import evaluate
from bleuprint.runners.guards import TextGuard, notes_on_scores
from bleuprint.runners.progress import progress
from bleuprint.runners.streaming import score_stream

if TYPE_CHECKING:
    from bleuprint.insight.sweep import Sweep

_SMALL = 1 << 28  # bytes of files that are read into memory to say more about them
_PLOT = (
    "Draw the result in an .svg, .png or .pdf file: ibleu by alpha; fidelity against fluency with a perplexity; "
    "how the scores spread if the only metric needs no references; else the systems with their intervals."
)
# Parts of perplexity and of Fréchet distance, as a table calls them.
_NAMED_PARTS = {
    "without_unknown": "without unknown",
    "log_probability": "log10 probability",
    "tokens": "tokens",
    "unknown_words": "unknown",
    "distance": "d",
    "mean_part": "of means",
    "covariance_part": "of covariances",
}


@subcommand(
    "score",
    examples=(
        "bleuprint score hyp.txt -r ref.txt",
        "bleuprint score Base=a.txt Big=b.txt -r ref.txt -m bleu,chrf:word_order=2",
        "bleuprint score hyp.txt -r ref.txt -m bleu,self-bleu,distinct --report x.html",
        "bleuprint score out.txt -m perplexity:lm=news.blm",
        "bleuprint score samples.txt -m self-bleu --memory 2GB",
    ),
    more="'bleuprint cards NAME', docs/how-to/score-a-system.md",
)
@click.argument("hypotheses", nargs=-1, metavar="[HYP]...")
@input_options
@shared_options("errors")
@metric_options("bleu")
@output_options(
    *("width", "percent", "sentence_level", "format", "intervals", "signatures", "methods", "quiet", "json", "report"),
    *("title", "strict", "force"),
    plot=_PLOT,
)
@option("Speed", "--store FOLDER", "Cache the progress of slow metrics here, so that an interrupted run can resume.")
@option("Speed", "--memory SIZE", "Memory limit of self-bleu, such as 2GB; what takes more is counted on disk.")
@shared_options("threads")
def command(
    inputs: Inputs,
    errors: str,
    metrics: tuple[str, ...],
    output: Output,
    store: str | None,
    threads: int | None,
    **options: Any,
) -> None:
    """Score system outputs, with or without references.

    HYP is a text file with one segment per line, one file per system, or a table (.jsonl, .json, .csv, .tsv, .parquet,
    a saved Hugging Face dataset) with a column per system, or a row per system with a column 'system'. NAME=HYP names
    the system. Several tables with references are joined by their ids. Files may be compressed (.gz, .zst); '-' reads
    standard input. Files larger than memory are streamed, unless segment scores are requested. Metrics such as
    perplexity, self-bleu and distinct need no references. Those of diversity look at all outputs of a system together;
    cross-bleu and frechet compare them with all references, which may then be any number of texts.
    """
    built = build_metrics(metrics, {**options, "percent": output.percent})
    spread = len(built) == 1 and not any(metric.needs_references for metric in built.values())
    every_segment = output.sentence_level or output.intervals or output.report is not None or output.plot is not None
    if output.intervals:
        _check_resampled(built)
    needs_references = inputs.check_references(built)
    apart: dict[str, Dataset] = {}
    try:
        joined = inputs.join(needs_references=needs_references, errors=errors)
    except DataFileError as error:
        apart = inputs.apart(error, errors)
        output.check_plain(f"needs systems that answered the same items; without it, each gets a row: {error}")
    if apart:
        result = _score_apart(apart, metrics=built, threads=threads, store=store)
    elif joined is not None:
        output.check_again(joined.systems, built)
        result = _score_in_memory(joined, metrics=built, threads=threads, store=store)
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
            # What a copy of the sources would score needs another look at them.
            is_small = stream.size is not None and stream.size < _SMALL
            whole = whole or (is_small and any(isinstance(metric, IBLEU) for metric in built.values()))
            try:
                if whole or corpus is not None:
                    texts = stream.read()
                    output.check_again(texts.systems, built)
                    if corpus is not None:
                        texts = replace(texts, references=[(line,) for line in read_lines(corpus, errors)])
                    result = _score_in_memory(texts, metrics=built, threads=threads, store=store)
                else:
                    result = _score_stream(stream, built, threads)
            except LineCountError as error:
                if any(metric.unit == "segment" for metric in built.values()):
                    raise
                hint = "'bleuprint compare --pool' draws as many texts from each system as the smallest has"
                raise click.UsageError(f"{error} {hint}.") from None
        _notes.show(stream.notes)
    _notes.show(notes_on_scores(result))
    if output.intervals:
        result = _add_intervals(result, built)
    result = replace(result, notes=_notes.all_shown())
    swept: Sequence[Sweep] = ()
    if any(isinstance(metric, IBLEU) for metric in built.values()):
        from bleuprint.insight.sweep import sweeps  # with all of its room, a fifth of a small run

        swept = sweeps(result, built)
    by_alpha = next(iter(swept), None) if all(metric.needs_references for metric in built.values()) else None
    output.deliver(
        json=result.to_json,
        tables=result,
        methods=result.methods_text,
        report=lambda: report_of(result, output),
        plot=lambda: _plot(result, by_alpha, output, spread=spread),
        show=lambda: show_segments(result, output) if output.sentence_level else show(result, output, swept),
    )
    if by_alpha is None and output.plot is not None and output.as_text and not output.quiet and _has_quadrants(result):
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


def _add_intervals(result: Result, metrics: dict[str, Metric[Score]]) -> Result:
    """The result with the interval of every score, from what was counted."""
    from bleuprint.report.replay import using
    from bleuprint.report.sections.scores import intervals

    with using(result, metrics):
        known = {metric: intervals(result, metric) for metric in result.metrics}
    systems = []
    for system in result.systems:
        ends = [known[score.metric].get(system.name) for score in system.scores]
        scores = [
            replace(score, interval=found and found[:2]) for score, found in zip(system.scores, ends, strict=True)
        ]
        systems.append(replace(system, scores=tuple(scores)))
    return replace(result, systems=tuple(systems))


def notes_on(texts: Segments) -> list[str]:
    """What was noticed in the files and in the texts."""
    return [*texts.notes, *TextGuard().look(texts.systems, texts.references, texts.sources).notes()]


def evaluate_texts(texts: Segments, **options: Any) -> Result:
    """Score texts that are in memory; `options` are those of `evaluate`."""
    with progress("scoring", None):
        return evaluate(texts.systems, texts.references or None, sources=texts.sources, ids=texts.ids, **options)


def _score_in_memory(texts: Segments, **options: Any) -> Result:
    notes = notes_on(texts)
    _notes.check(notes)
    result = evaluate_texts(texts, **options)
    _notes.show(notes)
    return result


def _score_apart(systems: dict[str, Dataset], **options: Any) -> Result:
    """Score each system on its own items."""
    counts = ", ".join(f"{name} {len(items):,}" for name, items in systems.items())
    rows = []
    for name, items in systems.items():
        texts = Segments({name: items.hypotheses}, items.references, items.sources, notes=list(items.notes))
        (scored,) = _score_in_memory(texts, **options).systems
        rows.append(SystemResult(name, (), "", tuple(replace(score, segments=()) for score in scored.scores)))
    _notes.show([f"the systems have other items ({counts}), so their scores cannot be compared with each other"])
    return Result(tuple(rows), (), None, size=sum(map(len, systems.values())), digests={}, versions={})


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


def show_sweep(sweep: Sweep, output: Output) -> None:
    """Print both halves of iBLEU, the scores for other alphas, and what they mean."""
    digits = output.digits
    _terminal.write("\n")
    _terminal.draw(sweep.table(digits))
    _terminal.write("\n")
    _terminal.write_sentences(sweep.sentences(digits))


def show(result: Result, output: Output, swept: Sequence[Sweep] = ()) -> None:
    """Print the table of scores with the signatures below it, or only the numbers with --quiet."""
    if output.quiet:
        digits = output.digits
        rows = ((digits.of(score.signature)(score.value) for score in system.scores) for system in result.systems)
        _terminal.write_lines(map(" ".join, rows))
        return
    table = _add_parts(score_table(result, output.digits, intervals=output.intervals), result, output.digits)
    _terminal.draw(table)
    if table.notes:
        _terminal.write("\n")
        _terminal.write_sentences(table.notes)
    for sweep in swept:
        show_sweep(sweep, output)
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
    table = _segment_table(result, output.digits)
    if output.quiet:
        _terminal.write_lines(" ".join(cell.plain for cell in cells) for _, *cells in table.rows)
        return
    _terminal.write_lines(table.lines())
    signatures = (score.segment_signature for score in scores if score.metric not in without)
    _terminal.write_lines(["", *output.signature_lines(signatures)])


def _add_parts(table: DisplayTable, result: Result, digits: Digits) -> DisplayTable:
    """The table of scores with the parts of the score of a single metric."""
    if len(result.metrics) > 1:
        return table
    parts = [_parts(system.scores[0], digits) for system in result.systems]
    cells = (words(*(shown.get(name, "") for name in parts[0])) for shown in parts)
    rows = tuple((*row, *more) for row, more in zip(table.rows, cells, strict=True))
    precisions = [name for name in parts[0] if name.startswith("p")]
    explained = f"{precisions[0]} … {precisions[-1]}: the precision of n-grams of each order." if precisions else ""
    return replace(
        table, header=(*table.header, *parts[0]), rows=rows, notes=(*table.notes, *filter(None, [explained]))
    )


def _segment_table(result: Result, digits: Digits) -> DisplayTable:
    """One row per segment, named by its id or its number: its score for every system and metric that has one."""
    several = len(result.metrics) > 1
    columns = [
        (system, score) for system in result.systems for score in system.scores if len(score.segments) == result.size
    ]
    head = [f"{system.name} {score.metric}" if several else system.name for system, score in columns]
    values = zip(*(score.segments for _, score in columns), strict=True)
    names = range(1, result.size + 1) if result.ids is None else result.ids
    shown = [digits.of(score.signature) for _, score in columns]
    rows = [
        (Cell(str(name)), *(Cell(write(value), value) for write, value in zip(shown, row, strict=True)))
        for name, row in zip(names, values, strict=True)
    ]
    return DisplayTable(("segment" if result.ids is None else "id", *head), tuple(rows))


def _parts(score: MetricResult, digits: Digits) -> dict[str, str]:
    """The parts short enough for one table cell; which ones exist depends on the metric."""
    shown, digits = dict[str, str](), digits.of(score.signature)
    precisions = score.parts.get("precisions")
    if isinstance(precisions, tuple):
        shown |= {f"p{order}": digits(value) for order, value in enumerate(precisions, start=1)}
    by_order = score.parts.get("per_order")
    if isinstance(by_order, tuple):
        shown |= {f"order {order}": digits(value) for order, value in enumerate(by_order, start=1)}
    for part, name in _NAMED_PARTS.items():
        number = score.parts.get(part)
        if isinstance(number, float | int):
            shown[name] = str(number) if isinstance(number, int) else digits(number)
    penalty = score.parts.get("brevity_penalty")
    if isinstance(penalty, float | int):
        shown["BP"] = f"{penalty:.3f}"
    hypothesis, reference = score.parts.get("hypothesis_length"), score.parts.get("reference_length")
    if isinstance(hypothesis, int) and isinstance(reference, int):
        shown["ratio"] = f"{hypothesis / reference:.3f}" if reference else "none"
    return shown


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


def _plot(result: Result, sweep: Sweep | None, output: Output, *, spread: bool) -> str:
    from bleuprint.insight.quadrants import quadrants
    from bleuprint.report import alone, picture, quadrant_plot
    from bleuprint.report.pictures import inner_size
    from bleuprint.report.sections.scores.sweep import draw_sweep

    if sweep is not None:
        return alone(draw_sweep(sweep, inner_size(percent=output.percent)))
    if _has_quadrants(result):
        return quadrant_plot(quadrants(result), percent=output.percent)
    chart = "distribution" if spread else "scores"
    return alone(picture(result, chart, width=inner_size().width, percent=output.percent))
