"""bleuprint self-bleu."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from bleuprint.cli import _notes, _terminal
from bleuprint.cli._command import Command
from bleuprint.cli._inputs import named_files
from bleuprint.cli._metrics import TOKENIZER_HELP
from bleuprint.cli._terminal import Table
from bleuprint.cli.score import check_outputs
from bleuprint.dataset import STDIN, read_text
from bleuprint.files import write_files
from bleuprint.metrics import SelfBLEU
from bleuprint.metrics.self_bleu import SelfBleuScore
from bleuprint.results.digits import Digits
from bleuprint.runners.progress import progress

__all__ = ["command"]

_SHOWN = 5  # how many n-grams and groups of duplicates to list


@click.command(
    "self-bleu",
    cls=Command,
    examples=(
        "bleuprint self-bleu samples.txt",
        "bleuprint self-bleu GAN=gan.txt LM=lm.txt --max-order 4 -tok whitespace",
    ),
    more="'bleuprint cards self-bleu', docs/how-to/diversity.md",
    epilog="Existing files are only replaced with --force.",
)
@click.argument("texts", nargs=-1, required=True, metavar="TEXTS...")
@click.option("--max-order", type=int, metavar="N", help="Maximum n-gram order [default: 5].")
@click.option(
    "-tok",
    "--tokenizer",
    metavar="NAME",
    default="nltk",
    show_default=True,
    help=TOKENIZER_HELP,
)
@click.option("-lc", "--lowercase", is_flag=True, help="Ignore case.")
@click.option("--profile", metavar="NAME", help="Match another library's scores: nltk, texygen.")
@click.option("--sample", type=int, metavar="N", help="Measure a random sample of N texts [default: all texts].")
@click.option(
    "--seed",
    type=int,
    help="Random seed for --sample [default: 12345; the first texts with the profile texygen].",
)
@click.option("-w", "--width", type=click.IntRange(0, 17), help="Decimal places.")
@click.option("--percent", is_flag=True, help="Show scores multiplied by 100; files keep the 0-1 scale.")
@click.option("--sentence-level", is_flag=True, help="Print the score of every text.")
@click.option(
    "--json", "json_path", metavar="FILE", help="Save the result as JSON; '-' prints it instead of the table."
)
@click.option("--report", "report_path", metavar="FILE", help="Write an HTML report.")
@_notes.strict_option
@click.option("--force", is_flag=True, help="Overwrite existing files.")
@click.option("--threads", type=click.IntRange(1), help="Number of threads [default: all cores].")
def command(
    texts: tuple[str, ...],
    width: int | None,
    percent: bool,
    sentence_level: bool,
    json_path: str | None,
    report_path: str | None,
    strict: bool,
    force: bool,
    threads: int | None,
    **options: Any,
) -> None:
    """Measure how much the texts in a file repeat each other.

    TEXTS is a file with one text per line, one file per system; '-' reads standard input. Lower scores mean more
    diverse texts. The time is linear in the number of texts, so sampling is rarely needed.
    """
    check_outputs(json_path, report_path, force=force)
    metric = SelfBLEU(**{**options, "seed": "profile" if options["seed"] is None else options["seed"]})
    scores = {}
    with progress("measuring", None):
        for name, path in named_files(texts).items():
            file = read_text(path)
            _notes.show(file.notes)
            scores[name] = metric.corpus(file.segments, threads=threads)
    content = json.dumps([_fields(name, score) for name, score in scores.items()], indent=1, ensure_ascii=False) + "\n"
    digits = Digits(percent, width)
    try:
        write_files(_files(content, scores, json_path, report_path), overwrite=force)
    finally:
        if json_path == STDIN:
            _terminal.write_json(content)
        elif sentence_level:
            _terminal.write("".join(f"{digits(value)}\n" for score in scores.values() for value in score.per_text))
        else:
            _show(scores, digits)


def _files(
    content: str, scores: dict[str, SelfBleuScore], json_path: str | None, report_path: str | None
) -> list[tuple[Path, bytes]]:
    files = []
    if json_path is not None and json_path != STDIN:
        files.append((Path(json_path), content.encode()))
    if report_path is not None:
        from bleuprint.report import render_diversity

        files.append((Path(report_path), render_diversity(scores).encode()))
    return files


def _show(scores: dict[str, SelfBleuScore], digits: Digits) -> None:
    orders = len(next(iter(scores.values())).per_order)
    rows = [
        [name, str(score.texts), digits(score.value), *(digits(value) for value in score.per_order)]
        for name, score in scores.items()
    ]
    _terminal.draw(Table(["texts", "number", "self-bleu", *(f"order {n}" for n in range(1, orders + 1))], rows))
    for name, score in scores.items():
        repeated = score.duplicates()
        if repeated:
            copies = sum(map(len, repeated))
            _terminal.write(
                f"\n{_terminal.visible(name)}: {copies} texts have duplicates; line numbers of the largest groups:\n"
            )
            _terminal.write("".join(f"  {_lines(group)}\n" for group in repeated[:_SHOWN]))
        shared = score.shared_ngrams(limit=_SHOWN)
        if shared:
            _terminal.write(f"\n{_terminal.visible(name)}: n-grams shared by the most texts:\n")
            _terminal.write(
                "".join(f"  {count}  {_terminal.visible(' '.join(map(str, gram)))}\n" for gram, count in shared)
            )
    _terminal.write("\n" + "".join(f"{line}\n" for line in dict.fromkeys(score.signature for score in scores.values())))


def _lines(group: list[int]) -> str:
    shown = ", ".join(str(place + 1) for place in group[:10])
    return shown if len(group) <= 10 else f"{shown} and {len(group) - 10} more"


def _fields(name: str, score: SelfBleuScore) -> dict[str, Any]:
    return {
        "texts": name,
        "metric": score.definition.name,
        "value": score.value,
        "per_order": list(score.per_order),
        "per_text": score.per_text.tolist(),
        "duplicates": score.duplicates(),
        "signature": score.signature,
    }
