"""bleuprint ratings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from bleuprint.cli import _notes, _terminal
from bleuprint.cli._command import MetricsCommand
from bleuprint.cli._formats import check_format, format_option, write_formatted
from bleuprint.cli._metrics import build_metric, build_metrics, metrics_option, model_options, shared_options
from bleuprint.cli._tables import short_signature, signatures_option
from bleuprint.cli.score import check_outputs
from bleuprint.dataset import STDIN
from bleuprint.files import check_targets, write_files
from bleuprint.ratings import Ratings
from bleuprint.ratings.agreement.result import LEVELS, STATISTICS, UNITS, Agreement
from bleuprint.ratings.fitting import METHODS
from bleuprint.ratings.scoring import FromRatings, allowed_metrics
from bleuprint.runners.progress import progress

__all__ = ["command"]

_Function = Callable[..., Any]
_STEPS = 1000  # of the progress bar
_MORE = "docs/how-to/fit-a-metric.md"
_OVERWRITING = "Existing files are only replaced with --force."

# The columns of the table, by the name of the parameter of `Ratings.read`.
_COLUMNS = {
    "human": click.option(
        "--human", required=True, multiple=True, metavar="NAME", help="Column with ratings; 'agreement' takes several."
    ),
    "segment": click.option("--segment", metavar="NAME", help="Column that names the segment of each row."),
    "system": click.option("--system", metavar="NAME", help="Column that names the system of each row."),
    "rater": click.option("--rater", metavar="NAME", help="Column that names who rated, if several people did."),
    "hypothesis": click.option("--hypothesis", metavar="NAME", help="Column with the outputs."),
    "reference": click.option(
        "--reference",
        multiple=True,
        metavar="NAME",
        help="Column with the references; repeatable. Cells may hold lists.",
    ),
    "source": click.option("--source", metavar="NAME", help="Column with the sources."),
    "scores": click.option(
        "--scores",
        multiple=True,
        metavar="NAME",
        help="Column with scores of another metric, such as comet; repeatable.",
    ),
    "group": click.option(
        "--group",
        multiple=True,
        metavar="NAME",
        help="Column with a label, such as the document. 'agreement' is shown within each label; for the others, a "
        "label is an item [default: each segment is an item].",
    ),
    "lower_is_better": click.option(
        "--lower-is-better",
        multiple=True,
        metavar="NAME",
        help="Column of ratings or scores in which lower is better; repeatable.",
    ),
}
_OUTPUT = (
    click.option("--json", "json_path", metavar="FILE", help="Save the result as JSON; '-' prints it instead."),
    click.option("--report", "report_path", metavar="FILE", help="Write an HTML report."),
    format_option,
    signatures_option,
    _notes.strict_option,
    click.option("--force", is_flag=True, help="Overwrite existing files."),
    click.option("--threads", type=click.IntRange(1), help="Number of threads [default: all cores]."),
)
_RESAMPLING = (
    click.option(
        "--resamples", type=int, default=1000, show_default=True, metavar="N", help="Resamples for the intervals."
    ),
    click.option("--seed", type=int, default=12345, show_default=True, metavar="N", help="Random seed."),
)
_FOLDS = click.option(
    "--folds",
    type=int,
    default=10,
    show_default=True,
    metavar="N",
    help="Folds of the cross-validation, which is over items.",
)


def _table_options(function: _Function) -> _Function:
    """Add the table and its columns, which `_read` takes out of the options again."""
    for option in reversed(_COLUMNS.values()):
        function = option(function)
    return click.argument("table", metavar="TABLE")(function)


def _output_options(function: _Function) -> _Function:
    """Add the resampling and output options; `_Output` serves the latter."""
    for option in reversed((*_RESAMPLING, *_OUTPUT)):
        function = option(function)
    return function


def _metric_option(help_text: str) -> Callable[[_Function], _Function]:
    """The option -m without a default of its own."""
    return click.option("-m", "--metric", "metrics", multiple=True, metavar="METRIC", help=help_text)


def _read(table: str, options: dict[str, Any]) -> Ratings:
    """Read the table, and remove its columns from the options."""
    columns = {name: options.pop(name) for name in _COLUMNS}
    columns["reference"] = columns["reference"] or None
    with progress("reading", None):
        return Ratings.read(table, **columns)


@dataclass(frozen=True, slots=True)
class _Output:
    """Where a result goes and how it is printed."""

    json_path: str | None
    report_path: str | None
    form: str
    signatures: bool
    force: bool

    @classmethod
    def of(cls, options: dict[str, Any], *others: str | None) -> _Output:
        """Remove the output options from the options of a command, and check them before anything is computed."""
        output = cls(*(options.pop(name) for name in ("json_path", "report_path", "form", "signatures", "force")))
        check_format(output.form, {"--signatures": output.signatures, "--json -": output.json_path == STDIN})
        check_outputs(output.json_path, output.report_path, force=output.force)
        check_targets(filter(None, others), overwrite=output.force)
        return output

    @property
    def is_text(self) -> bool:
        """Whether tables are printed, to which a line can be added."""
        return self.form == "text" and self.json_path != STDIN

    def write(self, result: FromRatings) -> None:
        """Write the files, then print the result as tables or in a format."""
        _notes.show(result.notes)
        files = {}
        if self.json_path not in (None, STDIN):
            files[Path(str(self.json_path))] = result.to_json().encode()
        if self.report_path is not None:
            files[Path(self.report_path)] = result.to_html().encode()
        write_files(files, overwrite=self.force)
        if self.json_path == STDIN:
            _terminal.write_json(result.to_json())
        elif not self.is_text:
            write_formatted(result, result.to_json(), self.form, percent=False)
        else:
            self._show(result)

    def _show(self, result: FromRatings) -> None:
        """Print the tables, what they mean, and the signatures."""
        tables = result.display()
        signatures: dict[str, str] = {}
        for table in tables:
            if len(tables) > 1:
                _terminal.write(f"{_terminal.visible(table.caption)}\n")
            rows = [[cell.plain for cell in row] for row in table.rows]
            _terminal.draw(_terminal.Table(table.header, rows, table.words))
            _terminal.write("\n")
            _terminal.write_sentences(table.notes)
            _terminal.write("\n")
            signatures |= table.signatures or {}
        lines = [text if self.signatures else short_signature(text) for text in signatures.values()]
        lines += [result.signature] if isinstance(result, Agreement) else []
        _terminal.write("".join(f"{_terminal.visible(line)}\n" for line in lines))


@click.group("ratings", no_args_is_help=False)
def command() -> None:
    """Compare metrics with human ratings, and learn from ratings."""


@command.command(
    "agreement",
    cls=MetricsCommand,
    examples=(
        "bleuprint ratings agreement rated.tsv --human mqm",
        "bleuprint ratings agreement rated.jsonl --human fluency -m bleu,sari --group document",
        "bleuprint ratings agreement rated.csv --human score --scores comet --report agreement.html",
    ),
    more="docs/how-to/which-metric-agrees.md, docs/which-metric.md",
    epilog=_OVERWRITING,
)
@_table_options
@_metric_option(
    "Metric and options, e.g. bleu, chrf:word_order=2; repeatable, or joined by commas. "
    "[default: all that the columns allow]"
)
@shared_options
@model_options
@click.option("--level", type=click.Choice(LEVELS), multiple=True, help="Compare over systems, segments, or both.")
@click.option(
    "--statistic",
    type=click.Choice(list(STATISTICS)),
    default="pearson",
    show_default=True,
    help="Statistic to rank metrics by.",
)
@click.option(
    "--resample",
    type=click.Choice(UNITS),
    default="items",
    show_default=True,
    help="What intervals are resampled over; items are segments.",
)
@click.option(
    "--permutations",
    type=int,
    metavar="N",
    help="Permutations for the tests between metrics [default: 1000, more for many metrics].",
)
@click.option("--alpha", type=float, default=0.05, show_default=True, metavar="P", help="Significance level.")
@_output_options
def agreement(table: str, metrics: tuple[str, ...], level: tuple[str, ...], **options: Any) -> None:
    """Measure which metric agrees with human ratings.

    TABLE has a row per rated output: .tsv, .csv, .jsonl, .json or .parquet; text may be compressed (.gz, .zst). It has
    one or more columns of ratings, the segment and the system, and the texts that metrics need: hypothesis, reference,
    source. Usual names of columns are recognized. An output with several ratings has a row for each; cells of ratings
    may be empty.
    """
    output = _Output.of(options)
    ratings = _read(table, options)
    names = metrics or tuple(allowed_metrics(ratings))
    built = build_metrics(names, options) if names else {}
    own = ("statistic", "resample", "resamples", "permutations", "alpha", "seed", "threads")
    with progress("comparing", _STEPS) as advance:
        settings = {name: options[name] for name in own}
        output.write(ratings.agreement(built, level=level or None, progress=_in_steps(advance), **settings))


def _in_steps(advance: Callable[[int], object]) -> Callable[[float], None]:
    """Turn the finished share into steps of the progress bar."""
    done = 0

    def report(share: float) -> None:
        nonlocal done
        steps = round(_STEPS * share)
        advance(steps - done)
        done = steps

    return report


@command.command(
    "fit",
    cls=MetricsCommand,
    examples=(
        "bleuprint ratings fit rated.tsv --human mqm -m bleu,chrf,ter -o mine.json",
        "bleuprint ratings fit rated.csv --human fluency --method pls --group document",
    ),
    more=_MORE,
    epilog=_OVERWRITING,
)
@_table_options
@metrics_option("bleu,chrf,ter")
@shared_options
@model_options
@click.option(
    "--method", type=click.Choice(METHODS), default="ridge", show_default=True, help="How the weights are fitted."
)
@_FOLDS
@click.option("-o", "--output", "path", metavar="FILE", help="Write the fitted metric here, for -m blend:fit=FILE.")
@_output_options
def fit(table: str, metrics: tuple[str, ...], path: str | None, **options: Any) -> None:
    """Combine metrics into one that predicts human ratings.

    TABLE has a row for each rated output, as for 'ratings agreement'. The correlation of the fitted metric with the
    ratings is measured on held-out items, never on items that it was fitted to.
    """
    output = _Output.of(options, path)
    ratings, built = _read(table, options), build_metrics(metrics, options)
    own = ("method", "folds", "resamples", "seed", "threads")
    with progress("fitting", None):
        fitted = ratings.fit(built, **{name: options[name] for name in own})
    _notes.show(fitted.notes)
    if path is not None:
        fitted.save(Path(path), overwrite=output.force)
    output.write(fitted)
    if path is not None and output.is_text:
        _terminal.write(f"\nUse it with: bleuprint score hyp.txt -r ref.txt -m blend:fit={path}\n")


@command.command(
    "threshold",
    cls=MetricsCommand,
    examples=(
        "bleuprint ratings threshold rated.tsv --human ok -m bleu",
        "bleuprint ratings threshold rated.tsv --human mqm --cut -1 -m chrf --precision 0.9",
    ),
    more=_MORE,
    epilog="Exit status 1: no threshold separates good outputs from bad.",
)
@_table_options
@_metric_option(
    "Metric and options, e.g. bleu, chrf:word_order=2, or a column of scores. "
    "[default: bleu, or the column that --scores names]"
)
@shared_options
@model_options
@click.option(
    "--cut",
    type=float,
    metavar="N",
    help="Outputs with this rating or a better one pass [default: 0.5 if all ratings are 0 or 1].",
)
@click.option("--precision", type=float, metavar="SHARE", help="Require this precision, and maximize the recall.")
@click.option("--recall", type=float, metavar="SHARE", help="Require this recall, and maximize the precision.")
@_FOLDS
@_output_options
def threshold(table: str, metrics: tuple[str, ...], **options: Any) -> None:
    """Find the score at which an output is good enough, from ratings.

    TABLE has a row for each rated output, as for 'ratings agreement'. Without --precision or --recall, the threshold
    has the largest F1. Its precision and recall are measured on held-out items. If the metric separates outputs that
    pass from outputs that fail no better than chance, there is no threshold.
    """
    output = _Output.of(options)
    ratings = _read(table, options)
    names = metrics or (tuple(ratings.scores) if len(ratings.scores) == 1 else ("bleu",))
    metric = names[0] if names[0] in ratings.scores else build_metric("threshold", names, options)
    own = ("cut", "precision", "recall", "folds", "resamples", "seed", "threads")
    with progress("searching", None):
        found = ratings.threshold(metric, **{name: options[name] for name in own})
    output.write(found)
    if not found.separates:
        click.get_current_context().exit(1)
    if output.is_text:
        lines = [f"  {line}" for line in (found.code, found.command) if line]
        _terminal.write("\n".join(["", "Use it as:", *lines, ""]))


@command.command(
    "power",
    cls=MetricsCommand,
    examples=(
        "bleuprint ratings power rated.tsv --human mqm -m bleu,chrf",
        "bleuprint ratings power rated.tsv --human mqm --scores comet --size 1000",
    ),
    more=_MORE,
)
@_table_options
@metrics_option("bleu,chrf,ter")
@shared_options
@model_options
@click.option("--size", "sizes", multiple=True, type=int, metavar="N", help="Number of items to show; repeatable.")
@_output_options
def power(table: str, metrics: tuple[str, ...], sizes: tuple[int, ...], **options: Any) -> None:
    """Estimate how many ratings are needed to tell metrics apart.

    TABLE has a row for each rated output, as for 'ratings agreement'. Items are drawn from it again and again; numbers
    of items beyond those in the table are extrapolated and marked.
    """
    output = _Output.of(options)
    ratings, built = _read(table, options), build_metrics(metrics, options)
    own = ("resamples", "seed", "threads")
    with progress("drawing", None):
        found = ratings.power(built, sizes=sizes or None, **{name: options[name] for name in own})
    output.write(found)
