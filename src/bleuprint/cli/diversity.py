"""bleuprint diversity."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from bleuprint.cli import _notes, _terminal
from bleuprint.cli._command import option, subcommand, test_option
from bleuprint.cli._inputs import named_files, read_lines, stream_lines
from bleuprint.cli._options import shared_options
from bleuprint.cli._output import Output, document, output_options
from bleuprint.errors import LineCountError, PoolError
from bleuprint.metrics.near_duplicates import NearDuplicateGroups
from bleuprint.pools.diversity import Diversity, Pools, diversity
from bleuprint.results.escaping import visible
from bleuprint.runners.progress import progress

_STEPS = 25  # measures of a pool, about
_SHOWN = 5  # n-grams and copies that are listed


@subcommand(
    "diversity",
    examples=(
        "bleuprint diversity samples.txt",
        "bleuprint diversity samples.txt --train train.txt -r human.txt",
        "bleuprint diversity samples.txt --by prompts.txt",
    ),
    more="docs/how-to/diversity.md, 'bleuprint cards vendi'",
)
@click.argument("texts", nargs=-1, required=True, metavar="TEXTS...")
@option("Input", "--train FILE", "Training data: how much of it do the texts repeat?")
@option("Input", "-r, --reference FILE", "Human texts of the same kind, to compare with.")
@option("Input", "--by FILE", "A label per text, such as its prompt: diversity within and between labels.")
@option("Input", "--size N", "Measure N texts drawn at random, to compare with smaller pools.", type=int)
@shared_options("tokenizer", default="nltk")
@shared_options("lowercase")
@test_option("--confidence P", "Level of the confidence intervals.", type=float, default=0.95)
@test_option("--no-intervals", "Leave the intervals out, which take most of the time.")
@shared_options("seed")
@option("Output", "--write-clean FILE", "Write the texts without copies and near-copies, the first of each group kept.")
@option("Output", "--write-pairs FILE", "Write the pairs of near-copies as JSON lines.")
@output_options(
    *("width", "percent", "format", "signatures", "json", "report", "strict", "force"),
    plot="Plot the measures in an .svg, .png or .pdf file.",
)
@option("Speed", "--memory SIZE", "Memory limit such as 2GB; more texts are counted on disk, with fewer measures.")
@shared_options("threads")
def command(
    texts: tuple[str, ...],
    train: str | None,
    reference: str | None,
    by: str | None,
    lowercase: bool | None,
    confidence: float,
    no_intervals: bool,
    write_clean: str | None,
    write_pairs: str | None,
    output: Output,
    **options: Any,
) -> None:
    """Measure how varied the texts in a file are.

    TEXTS is a file with one text per line, one file per system; '-' reads standard input. All measures of diversity are
    shown with confidence intervals, and the loops and copies behind them. Values of most measures depend on the number
    of texts: compare pools of the same size, or use 'bleuprint compare --pool'. 'bleuprint score -m' computes single
    metrics of pools.
    """
    output.check_files([write_clean, write_pairs])
    if (write_clean or write_pairs) and (len(texts) > 1 or options["size"] is not None):
        raise click.UsageError("--write-clean and --write-pairs take one file of texts, whole.")
    if options["memory"] is not None and (write_clean or write_pairs or output.report):
        raise click.UsageError("--write-clean, --write-pairs and --report need all texts; leave out --memory.")
    read: Any = read_lines if options["memory"] is None else stream_lines
    pools = {name: read(path) for name, path in named_files(texts).items()}
    training, human, labels = (None if path is None else read_lines(path) for path in (train, reference, by))
    results: dict[str, Diversity] = {}
    with progress("measuring", _STEPS * len(pools)) as advance:
        for name, pool in pools.items():
            if isinstance(pool, list) and len(pool) < 2:
                raise PoolError(f"diversity of {name}", 2, len(pool))
            if isinstance(pool, list) and labels is not None and len(labels) != len(pool):
                raise LineCountError(str(by), len(labels), name, len(pool))
            results[name] = diversity(
                pool,
                training,
                human,
                by=labels,
                lowercase=bool(lowercase),
                confidence=None if no_intervals else confidence,
                progress=advance,
                **options,
            )
    _notes.show(_notes_on(results))

    def report() -> str:
        from bleuprint.report import render_diversity

        scores = {name: result.self_bleu for name, result in results.items() if result.self_bleu is not None}
        return render_diversity(scores, results)

    def plot() -> str:
        from bleuprint.report import diversity_plot

        return diversity_plot(results, percent=output.percent)

    tables = Pools(results if len(results) > 1 else {"value": next(iter(results.values()))})
    output.deliver(
        json=lambda: document({"systems": [{"name": name, **result.to_dict()} for name, result in results.items()]}),
        tables=tables,
        report=report,
        plot=plot,
        show=lambda: _show(results, tables, output),
        files=[
            (Path(path), "".join(f"{line}\n" for line in lines(pool, result.near)).encode())
            for path, lines in ((write_clean, _kept), (write_pairs, _pairs))
            for pool, result in zip(pools.values(), results.values(), strict=True)
            if path is not None and result.near is not None
        ],
    )


def _kept(texts: Sequence[str], near: NearDuplicateGroups) -> Iterator[str]:
    return (texts[place] for place in near.kept())


def _pairs(texts: Sequence[str], near: NearDuplicateGroups) -> Iterator[str]:
    for first, second, similarity in near.pairs():
        found = {"lines": [first + 1, second + 1], "texts": [texts[first], texts[second]], "similarity": similarity}
        yield json.dumps(found, ensure_ascii=False)


def _notes_on(results: Mapping[str, Diversity]) -> list[str]:
    if len(results) == 1:
        return [note for result in results.values() for note in result.notes]
    # What is said of all files is said once.
    pools: dict[str, list[str]] = {}
    for name, result in results.items():
        for note in result.notes:
            pools.setdefault(note, []).append(visible(name))
    notes = [note if len(names) == len(results) else f"{', '.join(names)}: {note}" for note, names in pools.items()]
    sizes = {name: result.texts for name, result in results.items()}
    if len(set(sizes.values())) > 1:
        listed = ", ".join(f"{visible(name)} {size:,}" for name, size in sizes.items())
        notes.append(
            f"the files have different numbers of texts ({listed}), on which most measures depend; "
            f"--size {min(sizes.values())} makes them equal"
        )
    return notes


def _show(results: Mapping[str, Diversity], tables: Pools, output: Output) -> None:
    _terminal.write_sentences(tables.findings(output.digits))
    for table in tables.tables(output.digits):
        _terminal.write_lines(["", table.caption])
        _terminal.draw(table)
        _terminal.write("\n")
        _terminal.write_sentences(table.notes)
    for name, result in results.items():
        for title, items in _repetitions(result):
            lines = (f"  {place}: {text}" for text, place in items)
            _terminal.write_lines(["", f"{name}: {title}:", *lines] if items else [])
    signatures = dict.fromkeys(measure.signature for result in results.values() for measure in result.measures)
    _terminal.write_lines(["", *signatures] if output.signatures else [])


def _repetitions(result: Diversity) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """Lists of what is repeated, with titles: each text, and where or how often it is found."""
    yield (
        "loops",
        [
            (" ".join(map(str, loop.phrase)), f"line {loop.text + 1:,}, tokens {loop.begin + 1} to {loop.end}")
            for loop in result.loops[:_SHOWN]
        ],
    )
    yield "copies", [(text, f"{count:,} texts") for text, count in result.duplicates[:_SHOWN]]
    if result.near_duplicates != result.duplicates:
        yield "near-copies", [(text, f"{count:,} texts") for text, count in result.near_duplicates[:_SHOWN]]
    if result.self_bleu is not None:
        shared_ngrams = result.self_bleu.shared_ngrams(limit=_SHOWN)
        phrases = [(" ".join(map(str, phrase)), f"{count:,} texts") for phrase, count in shared_ngrams]
        yield "n-grams shared by the most texts", phrases
