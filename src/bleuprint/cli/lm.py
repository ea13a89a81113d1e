"""bleuprint lm."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from bleuprint.cli import _terminal
from bleuprint.cli._command import Group, option
from bleuprint.cli._options import shared_options
from bleuprint.dataset import read_text
from bleuprint.files import check_targets, write_files
from bleuprint.models.language_model import LanguageModel
from bleuprint.runners.progress import progress

_FORCE = shared_options("force", help="Overwrite existing files that differ, instead of failing.")


def _numbers(context: click.Context, parameter: click.Parameter, value: str) -> tuple[int, ...]:
    try:
        return tuple(int(item) for item in value.split(","))
    except ValueError:
        raise click.BadParameter(f"must be comma-separated integers such as 0,0,1, got {value!r}.") from None


@click.group("lm", cls=Group, no_args_is_help=False)
def command() -> None:
    """Train, convert, and inspect n-gram language models."""


@command.command(
    "train",
    examples=(
        "bleuprint lm train corpus.txt -o model.blm",
        "bleuprint lm train a.txt b.txt -o model.blm --order 3 -tok 13a",
    ),
    more="docs/how-to/fluency.md",
)
@click.argument("texts", nargs=-1, required=True, metavar="TEXT...")
@option("Output", "-o, --output FILE", "Model file to write.", required=True)
@option("Metrics", "--order N", "Maximum n-gram order.", type=int, default=5)
@option(
    "Metrics",
    "--prune N,N,…",
    "Per order: drop n-grams with this count or less. The last number applies to all higher orders.",
    default="0",
    callback=_numbers,
)
@shared_options("tokenizer", default="whitespace")
@shared_options("lowercase")
@option("Metrics", "--discount-fallback", "Use 0.5, 1, 1.5 where discounts cannot be estimated.")
@option("Metrics", "--skip-symbols", "Drop the words <s>, </s>, and <unk> from the texts.")
@shared_options("threads")
@_FORCE
def train(texts: tuple[str, ...], output: str, lowercase: bool | None, force: bool, **options: Any) -> None:
    """Train a model with modified Kneser-Ney smoothing.

    TEXT is a file with one sentence per line; '-' reads standard input. On natural text, the model equals the one
    that KenLM's lmplz estimates from the same words. 'lm convert' writes it as an ARPA file.
    """
    check_targets([output], overwrite=force)
    with progress("training", None):
        lines = [text for path in texts for text in read_text(path).segments]
        model = LanguageModel.train(lines, lowercase=bool(lowercase), **options)
    write_files({Path(output): model.to_bytes()}, overwrite=force)
    _describe(model)


@command.command(
    "convert",
    examples=("bleuprint lm convert model.arpa model.blm", "bleuprint lm convert model.blm model.arpa.gz"),
    more="docs/how-to/fluency.md",
)
@click.argument("source", metavar="MODEL")
@click.argument("target", metavar="FILE")
@shared_options("tokenizer", "lowercase")
@_FORCE
def convert(source: str, target: str, tokenizer: str | None, lowercase: bool | None, force: bool) -> None:
    """Write a model in another format.

    MODEL is a file from 'lm train' or an ARPA file. FILE is written as ARPA if its name ends in .arpa or .arpa.gz.
    Otherwise it is a compact model, which also stores the tokenizer settings.
    """
    model = LanguageModel.load(source, tokenizer=tokenizer, lowercase=lowercase)
    model.save(target, overwrite=force)


@command.command(
    "info",
    examples=("bleuprint lm info model.blm", "bleuprint lm info model.arpa -tok 13a"),
    more="docs/how-to/fluency.md",
)
@click.argument("model", metavar="MODEL")
@shared_options("tokenizer", "lowercase")
def info(model: str, tokenizer: str | None, lowercase: bool | None) -> None:
    """Show the order, n-gram counts, and tokenizer of a model."""
    _describe(LanguageModel.load(model, tokenizer=tokenizer, lowercase=lowercase))


def _describe(model: LanguageModel) -> None:
    rows = [[f"{order}-grams", f"{count:,}"] for order, count in enumerate(model.ngram_counts, start=1)]
    case = "ignored" if model.tokenizer.lowercase else "kept"
    rows += [["tokenizer", model.tokenizer.name], ["case", case], ["digest", f"{model.digest} (64 bits of a SHA-256)"]]
    _terminal.draw_rows(["model", f"order {model.order}"], rows)
