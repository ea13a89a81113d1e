"""bleuprint seen."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import click

from bleuprint.cli import _notes, _terminal
from bleuprint.cli._command import Command, option
from bleuprint.cli._inputs import named_files
from bleuprint.cli._metrics import build_metrics, metrics_option, shared_options
from bleuprint.cli._options import shared
from bleuprint.cli._output import Output, document, output_options
from bleuprint.cli._specs import kind_of, parse
from bleuprint.core import counts
from bleuprint.corpora.seen import PERMUTATIONS, Seen, seen
from bleuprint.dataset import read_text
from bleuprint.dataset.texts import text_blocks
from bleuprint.errors import LineCountError
from bleuprint.metrics import registry
from bleuprint.models.ngram_index import NgramIndex
from bleuprint.results.digits import Digits
from bleuprint.runners.progress import progress


@click.command(
    "seen",
    cls=Command,
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
@option(
    "Test",
    "--rule",
    "Paper whose rule decides which texts are contaminated.",
    type=click.Choice(["gpt3", "palm", "llama2"]),
    default="gpt3",
)
@option("Test", "--order N", "Length of the n-grams [default: the rule's].", type=int)
@option(
    "Test",
    "--share SHARE",
    "Minimum share of seen text for an item to count as contaminated; 0 for any [default: the rule's].",
    type=float,
)
@option("Input", "-i, --input HYP", "File of outputs for these texts; repeatable.", name="inputs", multiple=True)
@shared("references")
@shared("source")
@metrics_option("bleu")
@shared_options
@option(
    "Test",
    "--permutations N",
    "Random sets of items to compare the contaminated ones with.",
    type=int,
    default=PERMUTATIONS,
)
@shared("seed")
@option(
    "Test",
    "--max SHARE",
    "Fail if a larger share of items is contaminated.",
    name="maximum",
    type=click.FloatRange(0, 1),
)
@option("Output", "--limit N", "Contaminated items to print.", type=click.IntRange(0), default=20)
@output_options(
    "width", "percent", "json", "strict", "force", report="Write an HTML report with the seen spans highlighted."
)
@shared("threads")
def command(
    texts: str,
    column: str | None,
    index: str,
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
    scoring = Scoring(**{field.name: options.pop(field.name) for field in fields(Scoring)})
    rule = {name: options.pop(name) for name in ("rule", "order", "share")}
    opened = NgramIndex.open(index)
    items = [text for block in text_blocks(texts, column=column) for text in counts.column_strings(block)]
    effects = scoring.read(texts, len(items), {**options, "index": index})
    with progress("searching", None):
        result = seen(items, opened, **rule, threads=threads)
        if effects:
            result = result.with_effects(**effects, threads=threads)
    _notes.show(result.notes)

    def report() -> str:
        from bleuprint.report import render_seen

        return render_seen(result, opened, name=texts, percent=output.percent)

    output.deliver(
        json=lambda: document(result.to_dict()), report=report, show=lambda: _show(result, limit, output.digits)
    )
    if maximum is not None and result.score.value > maximum:
        _terminal.note(
            f"bleuprint: {result.score.contaminated} of {result.score.texts} texts are contaminated, "
            f"more than --max {maximum:g}"
        )
        raise click.exceptions.Exit(1)


@dataclass(frozen=True, slots=True)
class Scoring:
    """Outputs for the texts, and how to score them with and without the contaminated ones."""

    inputs: tuple[str, ...]
    references: tuple[str, ...]
    source: str | None
    metrics: tuple[str, ...]
    permutations: int
    seed: int

    def read(self, texts: str, count: int, options: dict[str, Any]) -> dict[str, Any]:
        """The arguments of `Seen.with_effects`; nothing without outputs. Every file has a line for each text."""
        if not self.inputs:
            if self.references or self.source is not None:
                raise click.UsageError("-r and -s need outputs to score: pass them with -i.")
            return {}
        references = [_lines(path, texts, count) for path in self.references]
        if not any(registry.model_option(kind_of(spec.name)) == "index" for spec in parse(self.metrics)):
            options = {**options, "index": None}
        return {
            "systems": {name: _lines(path, texts, count) for name, path in named_files(self.inputs).items()},
            "references": list(zip(*references, strict=True)) or None,
            "sources": None if self.source is None else _lines(self.source, texts, count),
            "metrics": build_metrics(self.metrics, options, unit="segment"),
            "permutations": self.permutations,
            "seed": self.seed,
        }


def _lines(path: str, texts: str, count: int) -> list[str]:
    file = read_text(path)
    _notes.show(file.notes)
    if len(file) != count:
        raise LineCountError(texts, count, path, len(file))
    return list(file.segments)


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
