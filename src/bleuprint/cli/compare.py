"""bleuprint compare."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click

from bleuprint.cli import _terminal
from bleuprint.cli._inputs import chosen_columns, column_options, reference_options, roles_of_files, system_names
from bleuprint.cli._metrics import build_metrics, metric_options
from bleuprint.cli._tables import Digits
from bleuprint.cli.score import save
from bleuprint.dataset import STDIN, FileStream, Segments
from bleuprint.runners import evaluate
from bleuprint.runners.comparisons import Comparison, MetricComparison, compare, with_comparison
from bleuprint.runners.progress import progress
from bleuprint.significance import METHODS, TESTS, Interval, PairComparison

__all__ = ["command"]

_STEPS = 1000  # progress bar steps per metric


@click.command(
    "compare",
    epilog="p-values are two-sided. With several pairs, verdicts use p-values after Holm's correction, and the "
    "intervals of the differences hold for all pairs together. 'rank' is the range of ranks that the significant differences "
    "allow; 'beats' counts the systems that are significantly worse.",
)
@click.argument("hypotheses", nargs=-1, required=True, metavar="HYP HYP...")
@reference_options
@column_options
@metric_options
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
@click.option("--alpha", type=float, metavar="P", help="Significance level [default: 0.05].")
@click.option("--seed", type=int, metavar="N", help="Random seed [default: 12345].")
@click.option(
    "--detect", type=float, metavar="D", help="Estimate how many segments are needed to detect a difference of D."
)
@click.option(
    "--mode", type=click.Choice(["bleuprint", "sacrebleu"]), help="sacrebleu: use its random draws and formulas."
)
@click.option("-w", "--width", type=click.IntRange(0, 17), help="Decimal places.")
@click.option("--percent", is_flag=True, help="Show scores multiplied by 100; files keep the 0-1 scale.")
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
    baseline: str | None,
    width: int | None,
    percent: bool,
    json_path: str | None,
    report_path: str | None,
    force: bool,
    threads: int | None,
    **options: Any,
) -> None:
    """Test whether systems differ significantly.

    HYP is a text file with one segment per line, one file per system (at least two), or one table with a column per
    system; '-' reads standard input. The saved result contains the comparison and the scores.
    """
    settings = {name: options[name] for name in _SETTINGS if options[name] is not None}
    built = build_metrics(metrics, {**options, "percent": percent})
    texts, notes = _read(hypotheses, references, source, options)
    with progress("comparing", _STEPS * len(built)) as advance:
        comparison = compare(
            texts.systems,
            texts.references,
            metrics=built,
            sources=texts.sources,
            baseline=baseline,
            threads=threads,
            progress=_Steps(advance),
            **settings,
        )
    notes += dict.fromkeys(note for entry in comparison.metrics for note in entry.result.notes)
    for note in notes:
        _terminal.note(f"note: {note}")
    if json_path is not None or report_path is not None:
        shown = [_terminal.visible(note) for note in notes]
        scored = evaluate(
            texts.systems, texts.references, metrics=built, sources=texts.sources, notes=shown, threads=threads
        )
        scored = with_comparison(scored, comparison)
        save(scored, json_path, report_path, force=force)
        if json_path == STDIN:
            _terminal.write_bytes(scored.to_json().encode())
            return
    _show(comparison, Digits(percent, width))


def _read(
    hypotheses: tuple[str, ...], references: tuple[str, ...], source: str | None, options: dict[str, Any]
) -> tuple[Segments, list[str]]:
    systems, translations = roles_of_files(hypotheses, (), references)
    columns = chosen_columns(*(options[f"{role}_column"] for role in ("hypothesis", "reference", "source")))
    paths = dict(zip(system_names(systems), systems, strict=True))
    with FileStream(paths, translations, source, columns=columns) as stream:
        return stream.read(), list(stream.notes)


_SETTINGS = ("test", "samples", "resamples", "interval", "alpha", "seed", "detect", "mode")


class _Steps:
    """Turns the finished share of each metric into progress bar steps."""

    def __init__(self, advance: Any) -> None:
        self._advance = advance
        self._done: dict[str, int] = {}

    def __call__(self, metric: str, share: float) -> None:
        steps = round(_STEPS * share)
        self._advance(steps - self._done.get(metric, 0))
        self._done[metric] = steps


def _show(result: Comparison, digits: Digits) -> None:
    for entry in result.metrics:
        _terminal.draw(_table(entry, digits))
        _terminal.write("\n" + "".join(f"{_terminal.visible(line)}\n" for line in _words(entry, digits)) + "\n")
    for entry in result.metrics:
        _terminal.write(f"{_terminal.visible(entry.signature)}\n")
    _terminal.write(f"{result.signature}\n")


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
    return _terminal.Table(head, rows)


def _words(entry: MetricComparison, digits: Digits) -> Iterator[str]:
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
        yield f"{pair.verdict}; {level}: {_range(pair, interval)}{effect}."
    for pair in entry.result.pairs:
        line = f"{pair.first} and {pair.second}: these segments can detect a difference of {digits(pair.detectable)}"
        needed = pair.segments_needed
        yield f"{line}." if needed is None else f"{line}; detecting the requested one needs about {needed:,}."
    for pair in entry.result.pairs:
        if pair.equivalence is not None:
            tests = (
                f"p = {pair.equivalence.p_value:.4f} for equivalence, "
                f"{pair.equivalence.non_inferiority_p_value:.4f} for non-inferiority"
            )
            interval = pair.equivalence.interval
            yield f"{pair.equivalence_verdict} ({tests}); {100 * interval.level:.4g} %: {_range(pair, interval)}."


def _range(pair: PairComparison, interval: Interval) -> str:
    """The confidence interval, in the unit used by the verdict."""
    low, high = interval.low, interval.high
    return f"{100 * low:.2f} … {100 * high:.2f} points" if pair.has_percent else f"{low:.4f} … {high:.4f}"
