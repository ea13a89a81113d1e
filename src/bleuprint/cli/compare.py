"""bleuprint compare."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from typing import Any

import click
from click.core import ParameterSource

from bleuprint.cli import _notes, _terminal
from bleuprint.cli._command import option, subcommand, test_option
from bleuprint.cli._inputs import Inputs, input_options, read_lines
from bleuprint.cli._metrics import build_metrics, metric_options
from bleuprint.cli._options import differences, numbers_by_metric, shared_options
from bleuprint.cli._output import Output, output_options
from bleuprint.cli.score import evaluate_texts, notes_on, report_of, show_sweep
from bleuprint.dataset import Segments, read_text
from bleuprint.errors import DataFileError, LineCountError
from bleuprint.insight.sweep import Sweep, sweeps
from bleuprint.metrics.base import Metric, Score
from bleuprint.results import Result
from bleuprint.results.comparison import Comparison
from bleuprint.results.score_tables import comparison_tables
from bleuprint.runners.comparisons import compare_counted, equal_pools, with_columns
from bleuprint.runners.progress import in_steps, progress
from bleuprint.statistics.comparison import pair_count
from bleuprint.statistics.intervals import METHODS
from bleuprint.statistics.settings import TESTS, Settings

_STEPS = 1000  # progress bar steps per metric
_PAIRS_IN_WORDS = 3  # more pairs are shown as a matrix
# Options about the columns of tables, by the name of their value.
_OF_TABLES = {"scores": "--column", "cluster": "--cluster", "repeat_of": "--repeat-of"}
_OF_COLUMNS = {"id": "--id-column", "system": "--system"}  # by role
_POOL_METRICS = ("self-bleu", "distinct")  # of --pool, unless others are given
_SETTINGS = ("test", "resamples", "interval", "alpha", "seed", "detect", "margin", "mode")
# An option that takes a difference in scores, for all metrics or for one.
_difference_option = partial(test_option, multiple=True, callback=numbers_by_metric)


@subcommand(
    "compare",
    examples=(
        "bleuprint compare a.txt b.txt -r ref.txt",
        "bleuprint compare Old=v1.txt New=v2.txt -r ref.txt -m bleu,chrf",
        "bleuprint compare --pool a.txt b.txt -m self-bleu -m distinct",
    ),
    more="docs/how-to/compare-systems.md, docs/is-the-difference-real.md",
    epilog="p-values are two-sided. With several pairs, verdicts use p-values after Holm's correction, and the "
    "interval of a difference is corrected alike, so that both agree. 'rank' is the range of ranks that the "
    "significant differences allow.",
)
@click.argument("hypotheses", nargs=-1, required=True, metavar="HYP HYP...")
@input_options
@option(
    "Input",
    "--pool",
    "Compare files as pools of texts, by pool metrics such as self-bleu and distinct; see 'bleuprint diversity'.",
)
@option(
    "Input",
    "--column NAME",
    "Compare the mean of this column of numbers, such as comet; repeatable. Without -m, no metric is computed.",
    name="scores",
    multiple=True,
)
@option("Input", "--lower-is-better NAME", "A --column in which lower is better; repeatable.", multiple=True)
@option(
    "Input",
    "--cluster NAME",
    "Table column with a label per row, such as its document. Rows with the same label are resampled together.",
)
@option("Input", "--cluster-file FILE", "The labels of --cluster from a file with one label per line.")
@option("Input", "--repeat-of NAME", "Table column with the id of an item that each system answered several times.")
@metric_options("bleu")
@_difference_option(
    "--margin [METRIC=]D", "Test for equivalence: differences smaller than D (with --percent, in points) do not matter."
)
@test_option(
    "--test",
    "Significance test. auto: exact if two systems differ in few segments, random swaps otherwise.",
    type=click.Choice(TESTS),
)
@shared_options(
    "resamples",
    help="Resamples or swaps for the test, and resamples for the confidence intervals "
    "[default: 10,000 for the test, 1000 for intervals and the bootstrap, more for many pairs].",
)
@test_option("--interval", "Method for the confidence intervals [default: bca].", type=click.Choice(METHODS))
@test_option("--baseline NAME", "Compare only with this system, named as in the table.")
@test_option("--alpha P", "Significance level [default: 0.05].", type=float)
@test_option("--seed N", "Random seed [default: 12345].", type=int)
@_difference_option(
    "--detect [METRIC=]D",
    "Estimate how many segments are needed to detect a difference of D (with --percent, in points).",
)
@test_option("--mode", "sacrebleu: use its random draws and formulas.", type=click.Choice(["bleuprint", "sacrebleu"]))
@option("Output", "--sentences", "Describe every pair in words; more than three are a matrix otherwise.")
@output_options(
    *("width", "percent", "format", "signatures", "methods", "json", "report", "title", "strict", "force"),
    intervals="Show confidence intervals of the scores; text has them anyway.",
)
@shared_options("threads")
def command(
    inputs: Inputs,
    metrics: tuple[str, ...],
    pool: bool,
    baseline: str | None,
    sentences: bool,
    output: Output,
    threads: int | None,
    **options: Any,
) -> None:
    """Test whether systems differ significantly.

    HYP is a text file with one segment per line, one file per system (at least two), or one table with a column per
    system, or a row per system with a column 'system'; NAME=HYP names the system, and '-' reads standard input. Tables
    that hold their own references, or scores for --column, are joined by their ids: .jsonl, .json, .csv, .tsv,
    .parquet, and logs of Inspect (.eval, .json), the LM Evaluation Harness (samples_*.jsonl), promptfoo (results.json)
    and MLflow (traces as .json). Without -m and --column, logs are compared by the scores that they hold. The saved
    result contains the comparison and the scores.
    """
    output.check_text_only({"--sentences": sentences})
    settings = {name: options[name] for name in _SETTINGS if options[name] not in (None, {})}
    default = click.get_current_context().get_parameter_source("metrics") is ParameterSource.DEFAULT
    if pool:
        built = build_metrics(_POOL_METRICS if default else metrics, options, unit="pool")
        texts = _read_pools(inputs, built, settings, options)
    else:
        built = {} if options["scores"] and default else build_metrics(metrics, {**options, "percent": output.percent})
        _check_alpha(metrics, built, options["alpha"])
        texts = _read(inputs, built, {**options, "logged": default and bool(built)})
        built = built if texts.systems else {}
    notes = notes_on(texts)
    _notes.check(notes)
    output.check_again(texts.systems, built)
    scales = {name: metric.has_percent for name, metric in built.items()} | dict.fromkeys(texts.scores, False)
    for name in {"detect", "margin"} & settings.keys():
        settings[name] = differences(settings[name], scales, percent=output.percent)
    plan = Settings(**settings)  # what is wrong with it is said before the texts are scored
    for name, has_percent in scales.items():
        plan.of_metric(name, has_percent=has_percent)
    pair_count(texts.systems if built else next(iter(texts.scores.values())), baseline)
    scored = evaluate_texts(texts, metrics=built, threads=threads) if built else None
    with progress("comparing", _STEPS * (len(built) + len(texts.scores))) as advance:
        comparison = compare_counted(
            built,
            {} if scored is None else scored.counted or {},
            columns=texts.scores,
            lower_is_better=options["lower_is_better"],
            clusters=texts.clusters,
            ids=texts.ids,
            baseline=baseline,
            threads=threads,
            progress=in_steps(advance, _STEPS),
            **settings,
        )
    _notes.show(notes)
    _notes.show(() if scored is None else scored.notes)
    _notes.show(note for entry in comparison.metrics for note in entry.result.notes)

    swept = {} if scored is None else {sweep.metric: sweep for sweep in sweeps(scored, built)}

    @cache
    def result() -> Result:
        columns, lower = texts.scores, options["lower_is_better"]
        whole = with_columns(scored, columns, lower, texts.ids) if columns or scored is None else scored
        return replace(whole, comparison=comparison, notes=_notes.all_shown())

    output.deliver(
        json=lambda: result().to_json(),
        tables=comparison,
        methods=comparison.methods_text,
        printed_json=comparison.to_json,
        report=lambda: report_of(result(), output),
        show=lambda: _show(comparison, swept, output, sentences),
    )


def _check_alpha(texts: tuple[str, ...], metrics: dict[str, Metric[Score]], alpha: float | None) -> None:
    """Refuse --alpha beside a metric whose own alpha may be meant, unless that is given too."""
    for label, metric in metrics.items():
        if alpha is not None and "alpha" in metric.options and not any("alpha=" in text for text in texts):
            raise click.UsageError(
                f"--alpha is the significance level, but {label} has an alpha too; "
                f"write -m {metric.name}:alpha=… with it to set both."
            )


def _read_pools(
    inputs: Inputs, metrics: dict[str, Metric[Score]], settings: dict[str, Any], options: dict[str, Any]
) -> Segments:
    """Read files as pools of texts: of any length, as is the file they are compared with."""
    unused = {
        "--source": inputs.source,
        **{_OF_COLUMNS.get(role, f"--{role}-column"): name for role, name in inputs.columns.items()},
        **{flag: options[name] for name, flag in _OF_TABLES.items()},
        "--cluster-file": options["cluster_file"],
        **{f"--{name}": settings.get(name) for name in ("test", "interval", "detect", "mode")},
    }
    for flag, value in unused.items():
        if value:
            raise click.UsageError(f"{flag} does not go with --pool.")
    if len(inputs.references) > 1:
        raise click.UsageError("--pool compares with one file of other texts: pass -r once.")
    if not inputs.check_references(metrics) and inputs.references:
        raise click.UsageError(f"-r does not apply to {', '.join(metrics)}.")
    pools, notes = equal_pools({name: read_lines(path) for name, path in inputs.systems.items()})
    systems = {name: list(map(str, texts)) for name, texts in pools.items()}
    references: list[tuple[str, ...]] = [(line,) for path in inputs.references for line in read_lines(path)]
    return Segments(systems, references, None, notes=list(notes))


def _read(inputs: Inputs, metrics: dict[str, Metric[Score]], options: dict[str, Any]) -> Segments:
    scores, cluster, repeat_of = options["scores"], options["cluster"], options["repeat_of"]
    of_tables = [flag for name, flag in _OF_TABLES.items() if options[name]]
    of_tables += [flag for role, flag in _OF_COLUMNS.items() if role in inputs.columns]
    needs_references = inputs.check_references(metrics)
    if of_tables and inputs.references:
        raise click.UsageError(f"{of_tables[0]} needs tables that hold everything; leave out -r.")
    if cluster is not None and options["cluster_file"] is not None:
        raise click.UsageError("--cluster and --cluster-file exclude each other.")
    first = next(iter(inputs.systems.values()))
    joined = inputs.join(
        always=bool(of_tables),
        texts=bool(metrics),
        scores=scores,
        cluster=cluster,
        repeat_of=repeat_of,
        needs_references=needs_references,
        logged=options["logged"],
    )
    if joined is not None:
        if scores and len(joined.scores[scores[0]]) == 1:
            problem = "it holds one system; pass a table for each, or name the column of the systems (--system)"
            raise DataFileError(first, problem)
    else:
        with inputs.open(ids=True, needs_references=needs_references) as stream:
            joined = stream.read()
    if options["cluster_file"] is None:
        return joined
    return replace(joined, clusters=_labels(options["cluster_file"], first, joined))


def _labels(path: str, first: str, joined: Segments) -> list[Hashable]:
    labels = read_text(path)
    columns: Mapping[str, Sequence[object]] = joined.systems or next(iter(joined.scores.values()))
    count = len(next(iter(columns.values())))
    if len(labels) != count:
        raise LineCountError(first, count, path, len(labels), unit="lines" if joined.ids is None else "rows")
    for line, label in enumerate(labels.segments, start=1):
        if not label.strip():
            raise DataFileError(path, "the line is empty; every segment needs a label", line=line)
    return list(labels.segments)


def _show(comparison: Comparison, swept: Mapping[str, Sweep], output: Output, sentences: bool) -> None:
    """Print which pool repeats itself, then what each metric says: scores, and pairs in words or as a matrix."""
    found = [sentence for entry in comparison.metrics if (sentence := entry.finding(output.digits))]
    _terminal.write_sentences([*found, ""] if found else [])
    for entry in comparison.metrics:
        alone = replace(comparison, metrics=(entry,))
        systems, matrix = comparison_tables(alone, output.digits, intervals=True)
        in_words = sentences or len(entry.result.pairs) <= _PAIRS_IN_WORDS
        for table in (systems,) if in_words else (systems, matrix):
            _terminal.draw(table)
            _terminal.write("\n")
            _terminal.write_sentences(table.notes)
            _terminal.write("\n")
        _terminal.write_sentences(entry.sentences(output.digits, pairs=in_words))
        _terminal.write_sentences([] if in_words else ["--sentences describes every pair."])
        if entry.metric in swept:
            show_sweep(swept[entry.metric], output)
        _terminal.write("\n")
    signatures = [entry.signature for entry in comparison.metrics]
    _terminal.write_lines(output.signature_lines([*signatures, comparison.signature]))
