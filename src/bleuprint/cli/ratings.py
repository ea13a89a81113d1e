"""bleuprint ratings."""

from __future__ import annotations

from functools import partial
from typing import Any

import click

from bleuprint.cli import _terminal
from bleuprint.cli._command import Decorator, Group, combine, option, test_option
from bleuprint.cli._metrics import COMMON_OPTIONS, build_metric, build_metrics, metric_options
from bleuprint.cli._options import shared_options
from bleuprint.cli._output import Output, output_options
from bleuprint.ratings import Ratings
from bleuprint.ratings.agreement.result import LEVELS, STATISTICS, UNITS
from bleuprint.ratings.scoring import allowed_metrics
from bleuprint.runners.progress import in_steps, progress

_STEPS = 1000  # of the progress bar

# Columns of the table, by the name of the parameter of `Ratings.read`: their help, and whether there may be several.
_COLUMNS = {
    "human": ("Column with ratings; 'agreement' takes several.", True),
    "segment": ("Column that names the segment of each row.", False),
    "system": ("Column that names the system of each row.", False),
    "rater": ("Column that names who rated, if several people did.", False),
    "hypothesis": ("Column with the outputs.", False),
    "reference": ("Column with the references; repeatable. Cells may hold lists.", True),
    "source": ("Column with the sources.", False),
    "scores": ("Column with scores of another metric, such as comet; repeatable.", True),
    "group": (
        "Column with a label, such as the document. 'agreement' is shown within each label; for the others, a label is "
        "an item [default: each segment is an item].",
        True,
    ),
    "lower_is_better": ("Column of ratings or scores in which lower is better; repeatable.", True),
}
_one_metric = metric_options(
    None, " A column of scores works too. [default: bleu, or the column that --scores names]", multiple=False
)
_output_options = combine(
    shared_options("resamples", default=1000, help="Resamples for the intervals."),
    shared_options("seed"),
    output_options("json", "report", "format", "signatures", "strict", "force"),
    shared_options("threads"),
)


@click.group("ratings", cls=Group, no_args_is_help=False)
def command() -> None:
    """Compare metrics with human ratings, and learn from ratings."""


def _analysis(
    name: str,
    metrics: Decorator,
    *examples: str,
    more: str = "docs/how-to/find-a-threshold.md",
    epilog: str | None = None,
) -> Decorator:
    """A command that takes a table of ratings, and metrics."""
    columns = (
        option("Input", f"--{column.replace('_', '-')} NAME", help_text, required=column == "human", multiple=multiple)
        for column, (help_text, multiple) in _COLUMNS.items()
    )
    return combine(
        command.command(name, examples=examples, more=more, epilog=epilog),
        click.argument("table", metavar="TABLE"),
        *columns,
        metrics,
    )


def _read(table: str, options: dict[str, Any]) -> tuple[Ratings, dict[str, Any]]:
    """Read the table; also return the options of metrics. Those that are left are the settings of the analysis."""
    columns = {name: options.pop(name) for name in _COLUMNS}
    columns["reference"] = columns["reference"] or None
    common = {name: options.pop(name) for name in COMMON_OPTIONS}
    with progress("reading", None):
        return Ratings.read(table, **columns), common


def _metric_or_column(name: str, ratings: Ratings, metrics: tuple[str, ...], common: dict[str, Any]) -> Any:
    """The metric to build, or the name of the column of scores to take."""
    names = metrics or (tuple(ratings.scores) if len(ratings.scores) == 1 else ("bleu",))
    return names[0] if names[0] in ratings.scores else build_metric(name, names, common)


@_analysis(
    "agreement",
    metric_options(None, " [default: all that the columns allow]"),
    "bleuprint ratings agreement rated.tsv --human mqm",
    "bleuprint ratings agreement rated.jsonl --human fluency -m bleu,sari --group document",
    "bleuprint ratings agreement rated.csv --human score --scores comet --report agreement.html",
    more="docs/how-to/which-metric-agrees.md, docs/which-metric.md",
)
@test_option("--level", "Compare over systems, segments, or both.", type=click.Choice(LEVELS), multiple=True)
@test_option("--statistic", "Statistic to rank metrics by.", type=click.Choice([*STATISTICS]), default="pearson")
@test_option(
    "--resample", "What intervals are resampled over; items are segments.", type=click.Choice(UNITS), default="items"
)
@test_option(
    "--permutations N", "Permutations for the tests between metrics [default: 1000, more for many metrics].", type=int
)
@shared_options("alpha")
@_output_options
def agreement(table: str, metrics: tuple[str, ...], level: tuple[str, ...], output: Output, **options: Any) -> None:
    """Measure which metric agrees with human ratings.

    TABLE has a row per rated output: .tsv, .csv, .jsonl, .json or .parquet; text may be compressed (.gz, .zst). It has
    one or more columns of ratings, the segment and the system, and the texts that metrics need: hypothesis, reference,
    source. Usual names of columns are recognized. An output with several ratings has a row for each; cells of ratings
    may be empty.
    """
    ratings, common = _read(table, options)
    names = metrics or tuple(allowed_metrics(ratings))
    built = build_metrics(names, common, unit="segment") if names else {}
    with progress("comparing", _STEPS) as advance:
        steps = partial(in_steps(advance, _STEPS), "agreement")
        found = ratings.agreement(built, level=level or None, progress=steps, **options)
    output.deliver_analysis(found)


@_analysis(
    "threshold",
    _one_metric,
    "bleuprint ratings threshold rated.tsv --human ok -m bleu",
    "bleuprint ratings threshold rated.tsv --human mqm --cut -1 -m chrf --precision 0.9",
    epilog="Exit status 1: no threshold separates good outputs from bad.",
)
@test_option(
    "--cut N", "Outputs with this rating or a better one pass [default: 0.5 if all ratings are 0 or 1].", type=float
)
@test_option("--precision SHARE", "Require this precision, and maximize the recall.", type=float)
@test_option("--recall SHARE", "Require this recall, and maximize the precision.", type=float)
@test_option("--folds N", "Folds of the cross-validation, which is over items.", type=int, default=10)
@_output_options
def threshold(table: str, metrics: tuple[str, ...], output: Output, **options: Any) -> None:
    """Find the score at which an output is good enough, from ratings.

    TABLE has a row for each rated output, as for 'ratings agreement'. Without --precision or --recall, the threshold
    has the largest F1. Its precision and recall are measured on held-out items. If the metric separates outputs that
    pass from outputs that fail no better than chance, there is no threshold.
    """
    ratings, common = _read(table, options)
    metric = _metric_or_column("threshold", ratings, metrics, common)
    with progress("searching", None):
        found = ratings.threshold(metric, **options)
    output.deliver_analysis(found)
    if not found.separates:
        click.get_current_context().exit(1)
    if output.as_text:
        lines = [f"  {line}" for line in (found.code, found.command) if line]
        _terminal.write("\n".join(["", "Use it as:", *lines, ""]))


@_analysis(
    "estimate",
    _one_metric,
    "bleuprint ratings estimate rated.tsv --human ok --scores judge",
    "bleuprint ratings estimate rated.tsv --human ok --scores judge --width 0.05 --rate-next 50",
    "bleuprint ratings estimate rated.tsv --human mqm -m chrf --scale -25 0 --group document",
    more="docs/how-to/trust-a-judge.md",
)
@test_option("--earlier NAME", "Column with an earlier round of ratings, to measure their drift.")
@test_option(
    "--scale LOW HIGH", "Lowest and highest possible rating [default: 0 1 if all are 0 or 1].", type=float, nargs=2
)
@test_option("--width N", "Say how many items have to be rated for intervals of this width.", type=float)
@test_option("--rate-next N", "Draw this many segments that people should rate next.", type=int, default=0)
@shared_options("alpha")
@_output_options
def estimate(
    table: str, metrics: tuple[str, ...], earlier: str | None, output: Output, human: tuple[str, ...], **options: Any
) -> None:
    """Estimate what people would rate, from a judge and a few ratings.

    TABLE has a row for each output, as for 'ratings agreement'; all have a score of the metric or the judge, and a
    random sample of them has ratings. Prints the mean rating of each system and their differences, with intervals that
    hold however good or bad the judge is, and where it differs from people.
    """
    options["human"] = human if earlier is None else (*human, earlier)
    ratings, common = _read(table, options)
    metric = _metric_or_column("estimate", ratings, metrics, common)
    with progress("estimating", None):
        found = ratings.estimate(metric, human=human[0] if len(human) == 1 else None, earlier=earlier, **options)
    output.deliver_analysis(found)


@_analysis(
    "power",
    metric_options("bleu,chrf,ter"),
    "bleuprint ratings power rated.tsv --human mqm -m bleu,chrf",
    "bleuprint ratings power rated.tsv --human mqm --scores comet --size 1000",
)
@test_option("--size N", "Number of items to show; repeatable.", name="sizes", multiple=True, type=int)
@_output_options
def power(table: str, metrics: tuple[str, ...], sizes: tuple[int, ...], output: Output, **options: Any) -> None:
    """Estimate how many ratings are needed to tell metrics apart.

    TABLE has a row for each rated output, as for 'ratings agreement'. Items are drawn from it again and again; numbers
    of items beyond those in the table are extrapolated and marked.
    """
    ratings, common = _read(table, options)
    built = build_metrics(metrics, common, unit="segment")
    with progress("drawing", None):
        found = ratings.power(built, sizes=sizes or None, **options)
    output.deliver_analysis(found)
