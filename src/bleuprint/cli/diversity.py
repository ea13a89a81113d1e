"""bleuprint diversity."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import click

from bleuprint import __version__
from bleuprint.cli import _notes, _terminal
from bleuprint.cli._command import Command
from bleuprint.cli._formats import check_format, format_option, write_formatted
from bleuprint.cli._inputs import named_files
from bleuprint.cli._metrics import TOKENIZER_HELP
from bleuprint.cli._pools import lines_of, plain_table
from bleuprint.cli.score import check_outputs
from bleuprint.dataset import STDIN
from bleuprint.errors import LineCountError, PoolError
from bleuprint.files import write_files
from bleuprint.metrics import registry
from bleuprint.metrics.base.metric import Metric
from bleuprint.pools.diversity import Diversity, diversity
from bleuprint.pools.statistic import named_metrics
from bleuprint.results.digits import Digits
from bleuprint.results.display import Cell, Displayed, DisplayTable, words
from bleuprint.runners.progress import progress

__all__ = ["command"]

_STEPS = 25  # measures of a pool, about
_POOLS = [name for name, kind in registry.metrics("pool").items() if registry.model_option(kind) is None]


@click.command(
    "diversity",
    cls=Command,
    examples=(
        "bleuprint diversity samples.txt",
        "bleuprint diversity samples.txt --train train.txt --against human.txt",
        "bleuprint diversity samples.txt --by prompts.txt",
        "bleuprint diversity samples.txt -m distinct -m cross-bleu --against human.txt",
    ),
    more="docs/how-to/diversity.md, 'bleuprint cards vendi'",
    epilog="Existing files are only replaced with --force.",
)
@click.argument("texts", nargs=-1, required=True, metavar="TEXTS...")
@click.option(
    "-m",
    "--metric",
    "metrics",
    multiple=True,
    metavar="NAME",
    help=f"Only this metric; repeatable. One of {', '.join(_POOLS)}. [default: all measures]",
)
@click.option("--train", metavar="FILE", help="Training data: how much of it do the texts repeat?")
@click.option("--against", metavar="FILE", help="Human texts of the same kind, to compare with.")
@click.option("--by", metavar="FILE", help="A label per text, such as its prompt: diversity within and between labels.")
@click.option("--size", type=int, metavar="N", help="Measure N texts drawn at random, to compare with smaller pools.")
@click.option("-tok", "--tokenizer", metavar="NAME", default="nltk", show_default=True, help=TOKENIZER_HELP)
@click.option("-lc", "--lowercase", is_flag=True, help="Ignore case.")
@click.option("--max-order", type=int, metavar="N", help="Maximum n-gram order of the metrics given with -m.")
@click.option(
    "--confidence", type=float, default=0.95, show_default=True, metavar="P", help="Level of the confidence intervals."
)
@click.option("--no-intervals", is_flag=True, help="Leave the intervals out, which take most of the time.")
@click.option("--seed", type=int, default=12345, show_default=True, metavar="N", help="Random seed.")
@click.option("-w", "--width", type=click.IntRange(0, 17), help="Decimal places.")
@click.option("--percent", is_flag=True, help="Show scores multiplied by 100; files keep their own scale.")
@format_option
@click.option(
    "--json", "json_path", metavar="FILE", help="Save the result as JSON; '-' prints it instead of the table."
)
@click.option("--report", "report_path", metavar="FILE", help="Write an HTML report.")
@click.option("--plot", "plot_path", metavar="FILE", help="Plot the measures in an .svg, .png or .pdf file.")
@_notes.strict_option
@click.option("--force", is_flag=True, help="Overwrite existing files.")
@click.option("--threads", type=click.IntRange(1), help="Number of threads [default: all cores].")
def command(
    texts: tuple[str, ...],
    metrics: tuple[str, ...],
    train: str | None,
    against: str | None,
    by: str | None,
    width: int | None,
    percent: bool,
    form: str,
    json_path: str | None,
    report_path: str | None,
    plot_path: str | None,
    strict: bool,
    force: bool,
    threads: int | None,
    **options: Any,
) -> None:
    """Measure how varied the texts in a file are.

    TEXTS is a file with one text per line, one file per system; '-' reads standard input. Without -m, all measures of
    diversity are shown with confidence intervals, and the loops and copies behind them. Values of most measures depend
    on the number of texts: compare pools of the same size, or use 'bleuprint compare --pool'.
    """
    check_format(form, {"--width": width is not None, "--json -": json_path == STDIN})
    check_outputs(json_path, report_path, plot_path, force=force)
    digits = Digits(percent, width)
    files = named_files(texts)
    if metrics:
        whole = {"--train": train, "--by": by, "--size": options["size"], "--report": report_path, "--plot": plot_path}
        for flag, value in whole.items():
            if value is not None:
                raise click.UsageError(f"{flag} does not go with -m.")
        _chosen_metrics(files, metrics, against, digits, form, json_path, force, threads, options)
        return
    if options["max_order"] is not None:
        raise click.UsageError("--max-order needs -m: without it, each measure has its own orders.")
    pools = {name: lines_of(path) for name, path in files.items()}
    training, human, labels = (None if path is None else lines_of(path) for path in (train, against, by))
    results: dict[str, Diversity] = {}
    with progress("measuring", _STEPS * len(pools)) as advance:
        for name, pool in pools.items():
            if len(pool) < 2:
                raise PoolError(f"diversity of {name}", 2, len(pool))
            if labels is not None and len(labels) != len(pool):
                raise LineCountError(str(by), len(labels), name, len(pool))
            results[name] = diversity(
                pool,
                training,
                human,
                by=labels,
                size=options["size"],
                tokenizer=options["tokenizer"],
                lowercase=options["lowercase"],
                confidence=None if options["no_intervals"] else options["confidence"],
                seed=options["seed"],
                threads=threads,
                progress=advance,
            )
    _notes.show(_notes_on(results))
    content = _record([{"name": name, **result.to_dict()} for name, result in results.items()])
    files_to_write = {} if json_path is None or json_path == STDIN else {Path(json_path): content.encode()}
    if report_path is not None:
        from bleuprint.report import render_diversity

        scores = {name: result.self_bleu for name, result in results.items() if result.self_bleu is not None}
        files_to_write[Path(report_path)] = render_diversity(scores, results).encode()
    if plot_path is not None:
        from bleuprint.report import diversity_plot
        from bleuprint.report.picture_files import written

        files_to_write[Path(plot_path)] = written(diversity_plot(results, percent=percent), plot_path)
    write_files(files_to_write, overwrite=force)
    if json_path == STDIN:
        _terminal.write_json(content)
        return
    if form == "text":
        _show(results, digits)
        return
    (first, *others) = results.values()
    shown = _Shown(lambda digits: _tables(results, digits)) if others else first
    write_formatted(shown, content, form, percent=percent)


@dataclass(frozen=True, slots=True)
class _Shown(Displayed):
    """Tables of several files, or of chosen metrics."""

    tables: Callable[[Digits], tuple[DisplayTable, ...]]

    def display(self, *, percent: bool = False) -> tuple[DisplayTable, ...]:
        return self.tables(Digits(percent))


def _notes_on(results: Mapping[str, Diversity]) -> list[str]:
    if len(results) == 1:
        return [note for result in results.values() for note in result.notes]
    # What is said of all files is said once.
    pools: dict[str, list[str]] = {}
    for name, result in results.items():
        for note in result.notes:
            pools.setdefault(note, []).append(_terminal.visible(name))
    notes = [note if len(names) == len(results) else f"{', '.join(names)}: {note}" for note, names in pools.items()]
    sizes = {name: result.texts for name, result in results.items()}
    if len(set(sizes.values())) > 1:
        listed = ", ".join(f"{_terminal.visible(name)} {size:,}" for name, size in sizes.items())
        notes.append(
            f"the files have different numbers of texts ({listed}), on which most measures depend; "
            f"--size {min(sizes.values())} makes them equal"
        )
    return notes


def _record(systems: list[dict[str, Any]]) -> str:
    return json.dumps({"bleuprint": __version__, "systems": systems}, ensure_ascii=False, indent=1, default=list) + "\n"


def _chosen_metrics(
    files: Mapping[str, str],
    names: tuple[str, ...],
    against: str | None,
    digits: Digits,
    form: str,
    json_path: str | None,
    force: bool,
    threads: int | None,
    options: Mapping[str, Any],
) -> None:
    given = {key: options[key] for key in ("tokenizer", "lowercase", "max_order") if options[key] is not None}
    metrics = named_metrics(names, **given)
    if digits.percent and not any(metric.has_percent for metric in metrics.values()):
        raise click.UsageError(f"--percent does not apply to {', '.join(metrics)}, which has its own scale.")
    real = None if against is None else lines_of(against)
    for name, metric in metrics.items():
        if metric.needs_references and real is None:
            raise click.UsageError(f"{name} compares with other texts; pass them with --against.")
    if real is not None and not any(metric.needs_references for metric in metrics.values()):
        raise click.UsageError(f"--against does not apply to {', '.join(metrics)}.")
    scores = []
    for file, path in files.items():
        pool = lines_of(path)
        scores += [(file, name, _scored(metric, pool, real, threads)) for name, metric in metrics.items()]
    fields = [
        {"texts": file, "metric": name, "value": score.value, **score.parts, "signature": score.signature}
        for file, name, score in scores
    ]
    content = _record(fields)
    if json_path == STDIN:
        _terminal.write_json(content)
        return
    if json_path is not None:
        write_files({Path(json_path): content.encode()}, overwrite=force)
    if form != "text":
        write_formatted(_Shown(lambda digits: (_chosen_table(scores, digits),)), content, form, percent=digits.percent)
        return
    _terminal.draw(plain_table(_chosen_table(scores, digits)))
    _terminal.write("\n" + "".join(f"{line}\n" for line in dict.fromkeys(field["signature"] for field in fields)))


def _chosen_table(scores: list[tuple[str, str, Any]], digits: Digits) -> DisplayTable:
    rows = []
    for file, name, score in scores:
        written = digits.of(score.signature)
        values = Cell(", ".join(map(written, score.per_order)), ", ".join(map(repr, map(float, score.per_order))))
        number = Cell(str(score.texts), score.texts)
        rows.append((Cell(file), number, Cell(name), Cell(written(score.value), score.value), values))
    header = ("texts", "number", "metric", "value", "by order")
    signatures = _numbered((name, score.signature) for _, name, score in scores)
    caption = "Diversity by the chosen metrics."
    return DisplayTable(header, tuple(rows), caption, (), signatures, frozenset({0, 2}), "diversity", signed=2)


def _numbered(signatures: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Signatures by name; a number is added where those of the files differ."""
    listed: dict[str, list[str]] = {}
    for name, signature in signatures:
        known = listed.setdefault(name, [])
        if signature not in known:
            known.append(signature)
    return {
        name if at == 0 else f"{name} {at + 1}": signature
        for name, several in listed.items()
        for at, signature in enumerate(several)
    }


def _scored(metric: Metric[Any], pool: list[str], real: list[str] | None, threads: int | None) -> Any:
    return metric.corpus(pool, real if metric.needs_references else None, threads=threads)


def _show(results: Mapping[str, Diversity], digits: Digits) -> None:
    if len(results) > 1:
        _terminal.draw(plain_table(_side_by_side(results, digits)))
    for name, result in results.items():
        said = f"{_terminal.visible(name)}: "
        whole, *of_groups = result.tables(digits)
        if len(results) == 1:
            _terminal.draw(plain_table(whole))
        for table in of_groups:
            _terminal.write(f"\n{said}{table.caption[0].lower()}{table.caption[1:]}:\n")
            _terminal.draw(plain_table(table))
        _list(f"{said}loops", [(" ".join(map(str, loop.phrase)), _place(loop)) for loop in result.loops])
        _list(f"{said}copies", [(text, f"{count:,} texts") for text, count in result.duplicates])
        if result.near_duplicates != result.duplicates:
            _list(f"{said}near-copies", [(text, f"{count:,} texts") for text, count in result.near_duplicates])
    signatures = dict.fromkeys(measure.signature for result in results.values() for measure in result.measures)
    _terminal.write("\n" + "".join(f"{line}\n" for line in signatures))


def _place(loop: Any) -> str:
    return f"line {loop.text + 1:,}, tokens {loop.begin + 1} to {loop.end}"


def _list(title: str, items: list[tuple[str, str]]) -> None:
    if items:
        _terminal.write(f"\n{title}:\n")
        _terminal.write("".join(f"  {place}: {_terminal.visible(text)}\n" for text, place in items))


def _side_by_side(results: Mapping[str, Diversity], digits: Digits) -> DisplayTable:
    """One column of values per file."""
    rows = tuple(
        (*words(several[0].name, several[0].direction), *(measure.cells(digits)[0] for measure in several))
        for several in zip(*(result.measures for result in results.values()), strict=True)
    )
    signatures = _numbered((one.name, one.signature) for result in results.values() for one in result.measures)
    sizes = ", ".join(f"{name}: {result.texts:,} texts" for name, result in results.items())
    header = ("measure", "more diverse", *results)
    return DisplayTable(header, rows, f"Diversity ({sizes}).", (), signatures, frozenset({0, 1}), "diversity", signed=0)


def _tables(results: Mapping[str, Diversity], digits: Digits) -> tuple[DisplayTable, ...]:
    """The files side by side, then the groups of each."""
    groups = [
        replace(table, notes=(f"{name}: {table.caption}.",))
        for name, result in results.items()
        for table in result.tables(digits)[1:]
    ]
    return (_side_by_side(results, digits), *groups)
