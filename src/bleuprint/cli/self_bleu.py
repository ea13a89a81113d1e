"""bleuprint self-bleu."""

from __future__ import annotations

import json
from typing import Any

import click

from bleuprint.cli import _terminal
from bleuprint.cli._command import Command, option
from bleuprint.cli._inputs import named_files, read_lines
from bleuprint.cli._options import threads_option, tokenizer_options
from bleuprint.cli._output import Output, output_options
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
@option("--max-order", group="Metrics", type=int, metavar="N", help="Maximum n-gram order [default: 5].")
@tokenizer_options("nltk")
@option("--profile", group="Metrics", metavar="NAME", help="Match another library's scores: nltk, texygen.")
@option(
    "--sample", group="Input", type=int, metavar="N", help="Measure a random sample of N texts [default: all texts]."
)
@option(
    "--seed",
    group="Input",
    type=int,
    help="Random seed for --sample [default: 12345; the first texts with the profile texygen].",
)
@output_options("width", "percent", "sentence_level", "json", "report", "strict", "force")
@threads_option
def command(texts: tuple[str, ...], output: Output, threads: int | None, **options: Any) -> None:
    """Measure how much the texts in a file repeat each other.

    TEXTS is a file with one text per line, one file per system; '-' reads standard input. Lower scores mean more
    diverse texts. The time is linear in the number of texts, so sampling is rarely needed.
    """
    lowercase, seed = bool(options["lowercase"]), "profile" if options["seed"] is None else options["seed"]
    metric = SelfBLEU(**{**options, "lowercase": lowercase, "seed": seed})
    scores = {}
    with progress("measuring", None):
        for name, path in named_files(texts).items():
            scores[name] = metric.corpus(read_lines(path), threads=threads)
    fields = [_fields(name, score) for name, score in scores.items()]

    def report() -> str:
        from bleuprint.report import render_diversity

        return render_diversity(scores)

    def show() -> None:
        if output.sentence_level:
            _terminal.write_lines(output.digits(value) for score in scores.values() for value in score.per_text)
        else:
            _show(scores, output.digits)

    output.deliver(json=lambda: json.dumps(fields, indent=1, ensure_ascii=False) + "\n", report=report, show=show)


def _show(scores: dict[str, SelfBleuScore], digits: Digits) -> None:
    orders = len(next(iter(scores.values())).per_order)
    rows = [
        [name, str(score.texts), digits(score.value), *(digits(value) for value in score.per_order)]
        for name, score in scores.items()
    ]
    _terminal.draw(
        _terminal.table(["texts", "number", "self-bleu", *(f"order {n}" for n in range(1, orders + 1))], rows)
    )
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
