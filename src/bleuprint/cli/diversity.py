"""bleuprint diversity."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from bleuprint import __version__
from bleuprint.cli import _notes, _terminal
from bleuprint.cli._command import Command
from bleuprint.cli._inputs import named_files
from bleuprint.cli._metrics import TOKENIZER_HELP
from bleuprint.cli._tables import Digits
from bleuprint.cli._terminal import Table
from bleuprint.cli.score import check_outputs
from bleuprint.dataset import STDIN, read_text
from bleuprint.errors import LineCountError
from bleuprint.files import write_files
from bleuprint.metrics import registry
from bleuprint.metrics.base.pool import PoolMetric
from bleuprint.metrics.self_bleu import SelfBLEU
from bleuprint.runners.diversity import Diversity, Measure, diversity
from bleuprint.runners.pool_statistics import named_metrics
from bleuprint.runners.progress import progress

__all__ = ["command"]

_STEPS = 25  # measures of a pool, about
_POOLS = [name for name, kind in registry.pool_metrics().items() if registry.model_option(kind) is None]


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
@click.option(
    "--json", "json_path", metavar="FILE", help="Save the result as JSON; '-' prints it instead of the table."
)
@click.option("--report", "report_path", metavar="FILE", help="Write an HTML report.")
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
    json_path: str | None,
    report_path: str | None,
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
    check_outputs(json_path, report_path, force=force)
    digits = Digits(percent, width)
    files = named_files(texts)
    if metrics:
        needless = {"--train": train, "--by": by, "--size": options["size"], "--report": report_path}
        for flag, value in needless.items():
            if value is not None:
                raise click.UsageError(f"{flag} does not go with -m.")
        _chosen_metrics(files, metrics, against, digits, json_path, force, threads, options)
        return
    if options["max_order"] is not None:
        raise click.UsageError("--max-order needs -m: without it, each measure has its own orders.")
    pools = {name: _lines(path) for name, path in files.items()}
    results: dict[str, Diversity] = {}
    labels = None if by is None else _lines(by)
    with progress("measuring", _STEPS * len(pools)) as advance:
        for name, pool in pools.items():
            if labels is not None and len(labels) != len(pool):
                raise LineCountError(str(by), len(labels), name, len(pool))
            results[name] = diversity(
                pool,
                None if train is None else _lines(train),
                None if against is None else _lines(against),
                by=labels,
                size=options["size"],
                tokenizer=options["tokenizer"],
                lowercase=options["lowercase"],
                confidence=None if options["no_intervals"] else options["confidence"],
                seed=options["seed"],
                threads=threads,
                progress=advance,
            )
    _notes.show(_size_notes(results))
    content = _record([{"texts": name, **result.to_dict()} for name, result in results.items()])
    written = {Path(json_path): content.encode()} if json_path not in (None, STDIN) else {}
    if report_path is not None:
        from bleuprint.report import render_diversity

        metric = SelfBLEU(tokenizer=options["tokenizer"], lowercase=options["lowercase"])
        scores = {name: metric.corpus(pool, threads=threads) for name, pool in pools.items()}
        written[Path(report_path)] = render_diversity(scores, results).encode()
    write_files(written, overwrite=force)
    if json_path == STDIN:
        _terminal.write_json(content)
        return
    _show(results, digits)


def _lines(path: str) -> list[str]:
    file = read_text(path)
    _notes.show(file.notes)
    return list(file.segments)


def _size_notes(results: Mapping[str, Diversity]) -> list[str]:
    sizes = {name: result.texts for name, result in results.items()}
    if len(set(sizes.values())) < 2:
        return [note for result in results.values() for note in result.notes]
    listed = ", ".join(f"{_terminal.visible(name)} {size:,}" for name, size in sizes.items())
    return [
        f"the files have different numbers of texts ({listed}), on which most measures depend; "
        f"--size {min(sizes.values())} makes them equal"
    ]


def _record(systems: list[dict[str, Any]]) -> str:
    return json.dumps({"bleuprint": __version__, "systems": systems}, ensure_ascii=False, indent=1, default=list) + "\n"


def _chosen_metrics(
    files: Mapping[str, str],
    names: tuple[str, ...],
    against: str | None,
    digits: Digits,
    json_path: str | None,
    force: bool,
    threads: int | None,
    options: Mapping[str, Any],
) -> None:
    given = {key: options[key] for key in ("tokenizer", "lowercase", "max_order") if options[key] is not None}
    metrics = named_metrics(names, **given)
    real = None if against is None else _lines(against)
    for name, metric in metrics.items():
        if metric.needs_references and real is None:
            raise click.UsageError(f"{name} compares with other texts; pass them with --against.")
    if real is not None and not any(metric.needs_references for metric in metrics.values()):
        raise click.UsageError(f"--against does not apply to {', '.join(metrics)}.")
    fields, rows = [], []
    for file, path in files.items():
        pool = _lines(path)
        for name, metric in metrics.items():
            score = _scored(metric, pool, real, threads)
            fields.append(
                {"texts": file, "metric": name, "value": score.value, **score.parts, "signature": score.signature}
            )
            orders = ", ".join(digits(value) for value in score.per_order)
            rows.append([file, str(score.texts), name, digits(score.value), orders])
    content = _record(fields)
    if json_path == STDIN:
        _terminal.write_json(content)
        return
    if json_path is not None:
        write_files({Path(json_path): content.encode()}, overwrite=force)
    _terminal.draw(Table(["texts", "number", "metric", "value", "by order"], rows))
    _terminal.write("\n" + "".join(f"{line}\n" for line in dict.fromkeys(field["signature"] for field in fields)))


def _scored(metric: PoolMetric[Any], pool: list[str], real: list[str] | None, threads: int | None) -> Any:
    return metric.corpus(pool, real if metric.needs_references else None, threads=threads)


def _show(results: Mapping[str, Diversity], digits: Digits) -> None:
    if len(results) == 1:
        (result,) = results.values()
        _terminal.draw(_with_intervals(result.measures, digits))
    else:
        _terminal.draw(_side_by_side({name: result.measures for name, result in results.items()}, digits))
    for name, result in results.items():
        said = f"{_terminal.visible(name)}: "
        if result.groups:
            _terminal.write(f"\n{said}within {result.groups:,} groups (the mean of the groups):\n")
            _terminal.draw(_with_intervals(result.within, digits))
            _terminal.write(f"\n{said}between {result.groups:,} groups (one text of each):\n")
            _terminal.draw(_with_intervals(result.between, digits))
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


def _with_intervals(measures: tuple[Measure, ...], digits: Digits) -> Table:
    rows = [
        [
            measure.name,
            _direction(measure),
            digits(measure.value),
            _number(measure.low, digits),
            _number(measure.high, digits),
        ]
        for measure in measures
    ]
    return Table(["measure", "more diverse", "value", "low", "high"], rows)


def _side_by_side(measures: Mapping[str, tuple[Measure, ...]], digits: Digits) -> Table:
    rows = [
        [several[0].name, _direction(several[0]), *(digits(measure.value) for measure in several)]
        for several in zip(*measures.values(), strict=True)
    ]
    return Table(["measure", "more diverse", *measures], rows)


def _direction(measure: Measure) -> str:
    return "higher" if measure.higher_is_better else "lower"


def _number(value: float | None, digits: Digits) -> str:
    return "" if value is None else digits(value)
