"""bleuprint lm."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from bleuprint.cli import _terminal
from bleuprint.cli._progress import progress
from bleuprint.core import tokenizers
from bleuprint.dataset import read_text
from bleuprint.files import write_files
from bleuprint.models.language_model import LanguageModel

__all__ = ["command", "reading_options"]

_REPLACED = "A file that exists is replaced only with --force, unless it would stay the same."


def reading_options(function: Any) -> Any:
    """How texts are read for a model."""
    names = ", ".join(tokenizers.names())
    lowercase = click.option("-lc", "--lowercase", is_flag=True, default=None, help="Ignore case.")
    return click.option("-tok", "--tokenizer", metavar="NAME", help=names)(lowercase(function))


def _numbers(context: click.Context, parameter: click.Parameter, value: str) -> tuple[int, ...]:
    try:
        return tuple(int(item) for item in value.split(","))
    except ValueError:
        raise click.BadParameter(f"whole numbers with commas between them, as in 0,0,1; got {value!r}.") from None


@click.group("lm", no_args_is_help=False)
def command() -> None:
    """Train, convert and describe n-gram language models."""


@command.command("train", epilog=_REPLACED)
@click.argument("texts", nargs=-1, required=True, metavar="TEXT...")
@click.option("-o", "--output", required=True, metavar="FILE", help="Where the model goes.")
@click.option("--arpa", metavar="FILE", help="Write it as an ARPA file too; FILE.gz gets packed.")
@click.option("--order", type=int, default=5, show_default=True, metavar="N", help="Longest n-grams.")
@click.option(
    "--prune",
    default="0",
    show_default=True,
    metavar="N,N,…",
    callback=_numbers,
    help="By order: drop n-grams that occur so often or less. The last number goes on.",
)
@reading_options
@click.option("--discount-fallback", is_flag=True, help="Use 0.5, 1, 1.5 where discounts cannot be estimated.")
@click.option("--skip-symbols", is_flag=True, help="Drop the words <s>, </s> and <unk> from the texts.")
@click.option("--threads", type=click.IntRange(1), help="Threads to use; all processors if not given.")
@click.option("--force", is_flag=True, help="Replace files that exist.")
def train(
    texts: tuple[str, ...],
    output: str,
    arpa: str | None,
    order: int,
    prune: tuple[int, ...],
    tokenizer: str | None,
    lowercase: bool | None,
    discount_fallback: bool,
    skip_symbols: bool,
    threads: int | None,
    force: bool,
) -> None:
    """Train a model with modified Kneser-Ney smoothing.

    TEXT is a file with one sentence per line; '-' reads standard input. The model is the one that KenLM's lmplz makes
    of the same words.
    """
    if arpa == output:
        raise click.UsageError("--arpa needs a file of its own.")
    lines: list[str] = []
    with progress("training", len(texts) + 1) as advance:
        for path in texts:
            lines.extend(read_text(path).segments)
            advance(1)
        model = LanguageModel.train(
            lines,
            order=order,
            prune=prune,
            tokenizer="whitespace" if tokenizer is None else tokenizer,
            lowercase=bool(lowercase),
            discount_fallback=discount_fallback,
            skip_symbols=skip_symbols,
            threads=threads,
        )
        advance(1)
    contents = [(Path(output), model.to_bytes())]
    if arpa is not None:
        contents.append((Path(arpa), model.to_arpa_file(arpa)))
    write_files(contents, overwrite=force)
    _describe(model)


@command.command("convert", epilog=_REPLACED)
@click.argument("source", metavar="MODEL")
@click.argument("target", metavar="FILE")
@reading_options
@click.option("--force", is_flag=True, help="Replace files that exist.")
def convert(source: str, target: str, tokenizer: str | None, lowercase: bool | None, force: bool) -> None:
    """Write a model in another format.

    MODEL is a file of 'lm train' or an ARPA file. FILE becomes an ARPA file if its name ends in .arpa or .arpa.gz, and
    a compact model, which also keeps how texts are read, if not.
    """
    model = LanguageModel.load(source, tokenizer=tokenizer, lowercase=lowercase)
    as_arpa = target.endswith((".arpa", ".arpa.gz"))
    write_files({Path(target): model.to_arpa_file(target) if as_arpa else model.to_bytes()}, overwrite=force)


@command.command("info")
@click.argument("model", metavar="MODEL")
@click.option("--json", "as_json", is_flag=True, help="Print it as JSON.")
def info(model: str, as_json: bool) -> None:
    """Say what a model holds."""
    loaded = LanguageModel.load(model)
    if as_json:
        _terminal.write(json.dumps(_facts(loaded), indent=2) + "\n")
    else:
        _describe(loaded)


def _facts(model: LanguageModel) -> dict[str, object]:
    return {
        "order": model.order,
        "ngrams": list(model.ngram_counts),
        "tokenizer": model.tokenizer.name,
        "lowercase": model.tokenizer.lowercase,
        "digest": model.digest,
    }


def _describe(model: LanguageModel) -> None:
    rows = [[f"{order}-grams", f"{count:,}"] for order, count in enumerate(model.ngram_counts, start=1)]
    case = "ignored" if model.tokenizer.lowercase else "kept"
    rows += [["tokenizer", model.tokenizer.name], ["case", case], ["digest", model.digest]]
    _terminal.draw(_terminal.Table(["model", f"order {model.order}"], rows))
