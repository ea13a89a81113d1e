"""bleuprint compare."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import replace
from typing import Any

import click
from click.core import ParameterSource

from bleuprint.cli import _notes, _terminal
from bleuprint.cli._command import MetricsCommand
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
from bleuprint.cli._tables import short_signature, signatures_option
from bleuprint.cli.score import check_outputs, save
from bleuprint.dataset import STDIN, FileStream, Segments, join_tables, read_text
from bleuprint.errors import DataFileError, LineCountError
from bleuprint.results.digits import Digits
from bleuprint.results.score_tables import pair_matrix
from bleuprint.runners import evaluate
from bleuprint.runners.comparisons import Comparison, MetricComparison, compare, with_columns, with_comparison
from bleuprint.runners.guards import notes_on_texts
from bleuprint.runners.progress import progress
from bleuprint.statistics.intervals import METHODS, Interval
from bleuprint.statistics.settings import TESTS

__all__ = ["command"]

_STEPS = 1000  # progress bar steps per metric
_PAIRS_IN_WORDS = 3  # more pairs are shown as a matrix


@click.command(
    "compare",
    cls=MetricsCommand,
    examples=(
        "bleuprint compare a.txt b.txt -r ref.txt",
        "bleuprint compare Old=v1.txt New=v2.txt -r ref.txt -m bleu,chrf",
        "bleuprint compare --pool a.txt b.txt -m self-bleu -m distinct",
    ),
    more="docs/how-to/compare-systems.md, docs/is-the-difference-real.md",
    epilog="p-values are two-sided. With several pairs, verdicts use p-values after Holm's correction, and intervals "
    "of differences hold for all pairs together. 'rank' is the range of ranks that the significant differences allow; "
    "'beats' counts the systems that are significantly worse.",
)
@click.argument("hypotheses", nargs=-1, required=True, metavar="HYP HYP...")
@reference_options
@column_options
@metric_options
@click.option(
    "--pool",
    is_flag=True,
    help="Compare files as pools of texts, by pool metrics such as self-bleu and distinct; see 'bleuprint diversity'.",
)
@click.option(
    "--column",
    "scores",
    multiple=True,
    metavar="NAME",
    help="Compare the mean of this column of numbers, such as comet; repeatable. Without -m, no metric is computed.",
)
@click.option(
    "--system-column",
    metavar="NAME",
    help="Column with the system of each row, if one table holds several [default with --column: system].",
)
@click.option(
    "--lower-is-better", multiple=True, metavar="NAME", help="A --column in which lower is better; repeatable."
)
@click.option(
    "--cluster",
    metavar="NAME",
    help="Table column with a label per row, such as its document. Rows with the same label are resampled together.",
)
@click.option("--cluster-file", metavar="FILE", help="The labels of --cluster from a file with one label per line.")
@click.option(
    "--repeat-of",
    metavar="NAME",
    help="Table column with the id of an item that each system answered several times.",
)
@click.option(
    "--margin", type=float, metavar="D", help="Test for equivalence: differences smaller than D do not matter."
)
@click.option(
    "--test",
    type=click.Choice(TESTS),
    help="Significance test. auto: exact if two systems differ in few segments, random swaps otherwise.",
)
@click.option(
    "--samples",
    type=int,
    metavar="N",
    help="Resamples or swaps for the test [default: 1000 or 10,000, more for many pairs].",
)
@click.option("--resamples", type=int, metavar="N", help="Resamples for the confidence intervals [default: 1000].")
@click.option("--interval", type=click.Choice(METHODS), help="Method for the confidence intervals [default: bca].")
@click.option("--baseline", metavar="NAME", help="Compare only with this system, named as in the table.")
@click.option("--significance", type=float, metavar="P", help="Significance level [default: 0.05].")
@click.option("--seed", type=int, metavar="N", help="Random seed [default: 12345].")
@click.option(
    "--detect", type=float, metavar="D", help="Estimate how many segments are needed to detect a difference of D."
)
@click.option(
    "--mode", type=click.Choice(["bleuprint", "sacrebleu"]), help="sacrebleu: use its random draws and formulas."
)
@click.option("-w", "--width", type=click.IntRange(0, 17), help="Decimal places.")
@click.option("--percent", is_flag=True, help="Show scores multiplied by 100; files keep the 0-1 scale.")
@format_option
@click.option("--sentences", is_flag=True, help="Describe every pair in words; more than three are a matrix otherwise.")
@signatures_option
@_notes.strict_option
@click.option(
    "--json", "json_path", metavar="FILE", help="Save the result as JSON; '-' prints it instead of the table."
)
@click.option("--report", "report_path", metavar="FILE", help="Write an HTML report.")
@click.option("--force", is_flag=True, help="Overwrite existing files.")
@click.option("--threads", type=click.IntRange(1), help="Number of threads [default: all cores].")
def command(
    hypotheses: tuple[str, ...],
    references: tuple[str, ...],
    source: str | None,
    metrics: tuple[str, ...],
    pool: bool,
    baseline: str | None,
    significance: float | None,
    width: int | None,
    percent: bool,
    form: str,
    sentences: bool,
    signatures: bool,
    strict: bool,
    json_path: str | None,
    report_path: str | None,
    force: bool,
    threads: int | None,
    **options: Any,
) -> None:
    """Test whether systems differ significantly.

    HYP is a text file with one segment per line, one file per system (at least two), or one table with a column per
    system or, with --system-column, a row per system; NAME=HYP names the system, and '-' reads standard input. Tables
    that hold their own references, or scores for --column, are joined by their ids: .jsonl, .json, .csv, .tsv,
    .parquet, logs of Inspect (.eval, .json) and sample files of the LM Evaluation Harness. The saved result contains
    the comparison and the scores.
    """
    check_format(
        form,
        {
            "--width": width is not None,
            "--sentences": sentences,
            "--signatures": signatures,
            "--json -": json_path == STDIN,
        },
    )
    check_outputs(json_path, report_path, force=force)
    settings = {name: options[name] for name in _SETTINGS if options[name] is not None}
    if significance is not None:
        settings["alpha"] = significance
    default = click.get_current_context().get_parameter_source("metrics") is ParameterSource.DEFAULT
    if pool:
        from bleuprint.cli._pools import compare_files

        unused = {**options, "report": report_path, "source": source}
        for name in ("report", "source", *_SETTINGS, *_OF_TABLES.values(), "cluster_file"):
            if name not in {"samples", "seed"} and unused[name]:
                raise click.UsageError(f"--{name.removesuffix('_path').replace('_', '-')} does not go with --pool.")
        kept: dict[str, Any] = {name: settings[name] for name in ("seed", "alpha") if name in settings}
        drawn = {"permutations": options["samples"], "baseline": baseline, "threads": threads}
        compare_files(
            hypotheses,
            () if default else metrics,
            {name: options[name] for name in ("tokenizer", "lowercase", "max_order") if options[name] is not None},
            references,
            {**kept, **drawn},
            Digits(percent, width),
            json_path,
            force=force,
        )
        return
    built = {} if options["scores"] and default else build_metrics(metrics, {**options, "percent": percent})
    texts = _read(hypotheses, references, source, bool(built), options)
    lower = options["lower_is_better"]
    notes = [*texts.notes, *notes_on_texts(texts.systems, texts.references, texts.sources, built)]
    _notes.check(notes)
    with progress("comparing", _STEPS * (len(built) + len(texts.scores))) as advance:
        comparison = compare(
            texts.systems if built else None,
            texts.references if built else None,
            metrics=built,
            sources=texts.sources,
            columns=texts.scores,
            lower_is_better=lower,
            clusters=texts.clusters,
            baseline=baseline,
            threads=threads,
            progress=_Steps(advance),
            **settings,
        )
    noticed = list(dict.fromkeys(note for entry in comparison.metrics for note in entry.result.notes))
    _notes.show([*notes, *noticed])
    digits = Digits(percent, width)
    if json_path is None and report_path is None:
        _print(comparison, digits, form, signatures, sentences)
        return
    scored = None
    if built:
        with progress("scoring", None):
            scored = evaluate(
                texts.systems,
                texts.references,
                metrics=built,
                sources=texts.sources,
                ids=texts.ids,
                notes=[_terminal.visible(note) for note in (*notes, *noticed)],
                threads=threads,
            )
    if texts.scores or scored is None:
        scored = with_columns(scored, texts.scores, lower, texts.ids)
    scored = with_comparison(scored, comparison)
    try:
        save(scored, json_path, report_path, percent=percent, force=force)
    finally:
        if json_path == STDIN:
            _terminal.write_json(scored.to_json())
        else:
            _print(comparison, digits, form, signatures, sentences)


def _read(
    hypotheses: tuple[str, ...], references: tuple[str, ...], source: str | None, texts: bool, options: dict[str, Any]
) -> Segments:
    scores, cluster, repeat_of = options["scores"], options["cluster"], options["repeat_of"]
    of_tables = [option for option, name in _OF_TABLES.items() if options[name]]
    systems, translations = roles_of_files(hypotheses, (), references)
    if of_tables and references:
        raise click.UsageError(f"{of_tables[0]} needs tables that hold everything; leave out -r.")
    if cluster is not None and options["cluster_file"] is not None:
        raise click.UsageError("--cluster and --cluster-file exclude each other.")
    roles = (options[f"{role}_column"] for role in ("hypothesis", "reference", "source", "id"))
    columns = chosen_columns(*roles)
    if options["system_column"] is not None:
        if len(systems) > 1:
            raise click.UsageError("--system-column needs one table that holds all systems.")
        columns["system"] = options["system_column"]
    paths = named_files(systems)
    if of_tables or reads_joined(systems, references, source):
        joined = join_tables(paths, columns=columns, texts=texts, scores=scores, cluster=cluster, repeat_of=repeat_of)
        if scores and len(joined.scores[scores[0]]) == 1:
            problem = "it holds one system; pass a table for each, or name the column of the systems (--system-column)"
            raise DataFileError(next(iter(paths.values())), problem)
    else:
        with FileStream(paths, translations, source, columns=columns, ids=True) as stream:
            joined = stream.read()
    if options["cluster_file"] is None:
        return joined
    return replace(joined, clusters=_labels(options["cluster_file"], systems[0], joined))


def _labels(path: str, first: str, joined: Segments) -> list[Hashable]:
    labels = read_text(path)
    count = len(joined.references or next(iter(next(iter(joined.scores.values())).values())))
    if len(labels) != count:
        raise LineCountError(first, count, path, len(labels), unit="lines" if joined.ids is None else "rows")
    for line, label in enumerate(labels.segments, start=1):
        if not label.strip():
            raise DataFileError(path, "the line is empty; every segment needs a label", line=line)
    return list(labels.segments)


_OF_TABLES = {
    "--column": "scores",
    "--system-column": "system_column",
    "--cluster": "cluster",
    "--repeat-of": "repeat_of",
    "--id-column": "id_column",
}
_SETTINGS = ("test", "samples", "resamples", "interval", "seed", "detect", "margin", "mode")


class _Steps:
    """Turns the finished share of each metric into progress bar steps."""

    def __init__(self, advance: Any) -> None:
        self._advance = advance
        self._done: dict[str, int] = {}

    def __call__(self, metric: str, share: float) -> None:
        steps = round(_STEPS * share)
        self._advance(steps - self._done.get(metric, 0))
        self._done[metric] = steps


def _print(comparison: Comparison, digits: Digits, form: str, signatures: bool, sentences: bool) -> None:
    if form == "text":
        _show(comparison, digits, signatures, sentences)
    else:
        write_formatted(comparison, comparison.to_json(), form, percent=digits.percent)


def _show(result: Comparison, digits: Digits, full: bool, sentences: bool) -> None:
    for entry in result.metrics:
        shown = replace(digits, percent=digits.percent and entry.result.pairs[0].has_percent)
        _terminal.draw(_table(entry, shown))
        if sentences or len(entry.result.pairs) <= _PAIRS_IN_WORDS:
            lines = [*_verdicts(entry, shown), *_detectable(entry, shown), *_equivalences(entry, shown)]
        else:
            matrix = pair_matrix(entry.to_dict(), percent=shown.percent)
            _terminal.write("\n")
            _terminal.draw(_terminal.Table(matrix.header, [[cell.plain for cell in row] for row in matrix.rows]))
            lines = [*matrix.notes, _detectable_by_all(entry, shown), *_equivalences(entry, shown)]
        _terminal.write("\n")
        _terminal.write_sentences(lines)
        _terminal.write("\n")
    for entry in result.metrics:
        _terminal.write(f"{_terminal.visible(entry.signature if full else short_signature(entry.signature))}\n")
    _terminal.write(f"{result.signature if full else _short(result.signature)}\n")


def _short(text: str) -> str:
    """Leave the usual settings out of the signature of a comparison."""
    fields, _, version = text.partition("#")
    usual = ("resamples:", "alpha:0.05", "interval:bca", "mode:bleuprint", "power:0.8")
    return "|".join([*(field for field in fields.split("|") if not field.startswith(usual)), version])


def _table(entry: MetricComparison, digits: Digits) -> _terminal.Table:
    """One row per system: its score, confidence interval, range of ranks, and how many systems it beats."""
    level = f"{100 * entry.result.systems[0].score.level:g} % from"
    ranked = entry.result.systems[0].wins is not None
    head = ["system", entry.metric, "mean", level, "to", *(["rank", "beats"] if ranked else [])]
    rows = []
    for system in entry.result.systems:
        score = system.score
        numbers = map(digits, (score.value, score.mean, score.low, score.high))
        rows.append([system.name, *numbers, *([system.rank, str(system.wins)] if ranked else [])])
    best = frozenset(place for place, system in enumerate(entry.result.systems) if system.best_rank == 1)
    mark = "best, or not significantly worse than the best"
    return _terminal.Table(head, rows, best={1: best} if ranked else {}, mark=mark)


def _verdicts(entry: MetricComparison, digits: Digits) -> Iterator[str]:
    pairs = len(entry.result.pairs)
    for pair in entry.result.pairs:
        interval = pair.difference
        if pairs == 1:
            level = f"{100 * interval.level:g} %"
        elif interval.method == "sacrebleu":
            level = f"{100 * interval.level:g} % without correction"
        else:
            level = f"{100 * (1 - pairs * (1 - interval.level)):g} % for all pairs"
        effect = "" if pair.effect_size is None else f"; effect size {pair.effect_size:.2f}"
        yield f"{pair.in_words(digits)}; {level}: {_range(interval, digits)}{effect}."


def _detectable(entry: MetricComparison, digits: Digits) -> Iterator[str]:
    for pair in entry.result.pairs:
        line = f"{pair.first} and {pair.second}: these segments can detect a difference of {digits(pair.detectable)}"
        needed = pair.segments_needed
        yield f"{line}." if needed is None else f"{line}; detecting the requested one needs about {needed:,}."


def _detectable_by_all(entry: MetricComparison, digits: Digits) -> str:
    differences = [pair.detectable for pair in entry.result.pairs]
    line = f"these segments can detect differences of {digits(min(differences))} to {digits(max(differences))}"
    needed = [pair.segments_needed for pair in entry.result.pairs if pair.segments_needed is not None]
    if needed:
        line += f"; detecting the requested one needs about {min(needed):,} to {max(needed):,} segments"
    return f"{line}; --sentences describes every pair"


def _equivalences(entry: MetricComparison, digits: Digits) -> Iterator[str]:
    for pair in entry.result.pairs:
        if pair.equivalence is not None:
            tests = (
                f"p = {pair.equivalence.p_value:.4f} for equivalence, "
                f"{pair.equivalence.non_inferiority_p_value:.4f} for non-inferiority"
            )
            interval = pair.equivalence.interval
            verdict = pair.equivalence_in_words(digits)
            yield f"{verdict} ({tests}); {100 * interval.level:.4g} %: {_range(interval, digits)}."


def _range(interval: Interval, digits: Digits) -> str:
    return f"{digits(interval.low)} … {digits(interval.high)}"
