"""bleuprint seen."""

from __future__ import annotations

from typing import Any

import click

from bleuprint import checks
from bleuprint.cli import _notes, _terminal
from bleuprint.cli._command import option, subcommand, test_option
from bleuprint.cli._inputs import named_files, read_lines
from bleuprint.cli._metrics import build_metrics, metric_options
from bleuprint.cli._options import shared_options
from bleuprint.cli._output import Output, document, output_options
from bleuprint.core import counts
from bleuprint.corpora.seen import PERMUTATIONS, Seen, seen
from bleuprint.dataset.stream import text_blocks
from bleuprint.errors import LineCountError
from bleuprint.models.ngram_index import NgramIndex
from bleuprint.results.digits import Digits
from bleuprint.runners.progress import progress


@subcommand(
    "seen",
    examples=(
        "bleuprint seen test.jsonl --index corpus.bpi --report seen.html",
        "bleuprint seen test.txt --index corpus.bpi --rule palm --max 0.01",
        "bleuprint seen test.txt --index corpus.bpi -i out.txt -r ref.txt -m bleu",
    ),
    more="'bleuprint cards contamination', docs/seen-before.md",
    epilog="Exit status 1: more items are contaminated than --max allows.",
)
@click.argument("texts", metavar="TEXTS")
@option("Input", "--index FILE", "Index to search; see 'bleuprint index build'.", required=True)
@option("Input", "--column NAME", "Column of a table that holds the texts [default: text].")
@test_option(
    "--rule",
    "Paper whose rule decides which texts are contaminated.",
    type=click.Choice(["gpt3", "palm", "llama2"]),
    default="gpt3",
)
@test_option("--order N", "Length of the n-grams [default: the rule's].", type=int)
@test_option(
    "--share SHARE",
    "Minimum share of seen text for an item to count as contaminated; 0 for any [default: the rule's].",
    type=float,
)
@option("Input", "-i, --input HYP", "File of outputs for these texts; repeatable.", name="inputs", multiple=True)
@shared_options("references", "source")
@metric_options("bleu")
@test_option(
    "--permutations N", "Random sets of items to compare the contaminated ones with.", type=int, default=PERMUTATIONS
)
@shared_options("seed")
@test_option(
    "--max SHARE", "Fail if a larger share of items is contaminated.", name="maximum", type=click.FloatRange(0, 1)
)
@option("Output", "--limit N", "Contaminated items to print.", type=click.IntRange(0), default=20)
@output_options(
    "width", "percent", "json", "strict", "force", report="Write an HTML report with the seen spans highlighted."
)
@shared_options("threads")
def command(
    texts: str,
    column: str | None,
    index: str,
    inputs: tuple[str, ...],
    references: tuple[str, ...],
    source: str | None,
    metrics: tuple[str, ...],
    permutations: int,
    seed: int,
    maximum: float | None,
    limit: int,
    output: Output,
    threads: int | None,
    **options: Any,
) -> None:
    """Find texts that a corpus contains, such as test items in training data.

    TEXTS is a file with one text per line, or a table. The corpus is an index from 'bleuprint index build'. With -i,
    the outputs for these texts are also scored without the contaminated ones, and a permutation test tells whether
    that matters.
    """
    if not inputs and (references or source is not None):
        raise click.UsageError("-r and -s need outputs to score: pass them with -i.")
    rule = {name: options.pop(name) for name in ("rule", "order", "share")}
    opened = NgramIndex.open(index)
    items = [text for block in text_blocks(texts, column=column) for text in counts.column_strings(block)]

    def lines(path: str) -> list[str]:
        segments = read_lines(path)
        if len(segments) != len(items):
            raise LineCountError(texts, len(items), path, len(segments))
        return segments

    expected = list(zip(*map(lines, references), strict=True))
    systems = {name: lines(path) for name, path in named_files(inputs).items()}
    sources = None if source is None else lines(source)
    built = build_metrics(metrics, {**options, "index": index}, unit="segment") if systems else {}
    with progress("searching", None):
        result = seen(items, opened, **rule, threads=threads)
        if systems:
            result = result.with_effects(
                systems,
                expected or None,
                sources=sources,
                metrics=built,
                permutations=permutations,
                seed=seed,
                threads=threads,
            )
    _notes.show(result.notes)

    def report() -> str:
        from bleuprint.report import render_seen

        return render_seen(result, opened, name=texts, percent=output.percent)

    output.deliver(
        json=lambda: document(result.to_dict()), report=report, show=lambda: _show(result, limit, output.digits)
    )
    if maximum is not None and not checks.reaches(-result.score.value, -maximum):
        _terminal.note(
            f"bleuprint: {result.score.contaminated} of {result.score.texts} texts are contaminated, "
            f"more than --max {maximum:g}"
        )
        raise click.exceptions.Exit(1)


def _show(result: Seen, limit: int, digits: Digits) -> None:
    score = result.score
    _terminal.draw_rows(
        ["contamination", "contaminated", "texts"],
        [[digits(score.value), f"{score.contaminated:,}", f"{score.texts:,}"]],
    )
    curve = ["novelty", *("" if value is None else digits(value) for value in result.curve)]
    _terminal.write("\n")
    _terminal.draw_rows(["order", *map(str, range(1, len(result.curve) + 1))], [curve])
    contaminated = result.by_longest_span
    if contaminated and limit:
        rows = [
            [
                str(text.number),
                str(text.longest.length),
                f"{text.longest.place.source}:{text.longest.place.text}",
                " ".join(text.words(text.longest)),
            ]
            for text in contaminated[:limit]
            if text.longest is not None
        ]
        _terminal.write("\n")
        _terminal.draw_rows(["item", "longest", "source", "span"], rows)
        if len(contaminated) > limit:
            _terminal.write(f"and {len(contaminated) - limit:,} more; --limit shows more, --json has all\n")
    if result.effects:
        effects = [[*effect.row(digits), "yes" if effect.matters else "no"] for effect in result.effects]
        _terminal.write("\n")
        _terminal.draw_rows(["system", "metric", "all", "clean", "contaminated", "difference", "p", "matters"], effects)
    _terminal.write_lines(["", score.signature])
