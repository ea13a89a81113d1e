"""bleuprint index."""

from __future__ import annotations

import json
from typing import Any

import click

from bleuprint.cli import _terminal
from bleuprint.cli._command import Group, combine, option
from bleuprint.cli._options import shared_options
from bleuprint.cli._output import Output, output_options
from bleuprint.corpora import build_index, merge_indexes
from bleuprint.dataset import STDIN, read_text
from bleuprint.models.ngram_index import NgramIndex
from bleuprint.runners.progress import progress

_MORE = "docs/seen-before.md"
_TOKENIZER = shared_options("tokenizer", help="spm:PATH, if the index was built with a SentencePiece model.")
_TARGET = combine(
    shared_options("path", required=True, help="Index to write."),
    output_options(force="Overwrite an existing index instead of failing."),
)


@click.group("index", cls=Group, no_args_is_help=False)
def command() -> None:
    """Build, merge, and query exact n-gram indexes of a corpus."""


@command.command(
    "build",
    examples=(
        "bleuprint index build corpus/*.txt.zst -o corpus.bpi",
        "bleuprint index build train.jsonl --column text -o train.bpi --memory 4GB",
    ),
    more=_MORE,
    epilog="Run the same command again to resume an interrupted build.",
)
@click.argument("texts", nargs=-1, required=True, metavar="TEXT...")
@option("Input", "--column NAME", "Column of tables that holds the texts [default: text].")
@shared_options("errors")
@option("Metrics", "--max-order N", "Longest n-grams to count.", type=int, default=13)
@shared_options("tokenizer", default="13a")
@shared_options("lowercase")
@_TARGET
@option(
    "Speed",
    "--memory SIZE",
    "Memory limit; larger corpora are sorted in parts on disk.",
    default="1GB",
)
@option("Speed", "--restart", "Start again instead of resuming an interrupted build.")
@shared_options("threads")
def build(texts: tuple[str, ...], path: str, output: Output, lowercase: bool | None, **options: Any) -> None:
    """Index all n-grams of text files.

    TEXT is a file with one text per line, or a table (.jsonl, .csv, .tsv, .parquet); .gz and .zst are decompressed, and
    '-' reads standard input. N-grams do not cross the border of a text. The index keeps the texts, their order and the
    names of the files, so every n-gram can be traced to its source.
    """
    with progress("indexing", None) as advance:
        index = build_index(texts, path, lowercase=bool(lowercase), overwrite=output.force, progress=advance, **options)
    _describe(index)


@command.command(
    "merge",
    examples=(
        "bleuprint index merge a.bpi b.bpi -o corpus.bpi",
        "bleuprint index merge part-*.bpi -o corpus.bpi --force",
    ),
    more=_MORE,
)
@click.argument("indexes", nargs=-1, required=True, metavar="INDEX...")
@_TOKENIZER
@_TARGET
def merge(indexes: tuple[str, ...], path: str, tokenizer: str | None, output: Output) -> None:
    """Merge indexes into the index of all their texts."""
    with progress("merging", None):
        merged = merge_indexes(indexes, path, tokenizer=tokenizer, overwrite=output.force)
    _describe(merged)


@command.command(
    "info", examples=("bleuprint index info corpus.bpi", "bleuprint index info corpus.bpi --verify --json"), more=_MORE
)
@click.argument("index", metavar="INDEX")
@_TOKENIZER
@option("Input", "--verify", "Check every byte against the checksums.")
@shared_options("as_json")
def info(index: str, tokenizer: str | None, verify: bool, as_json: bool) -> None:
    """Show the size, tokenizer, and sources of an index."""
    opened = NgramIndex.open(index, tokenizer=tokenizer)
    if verify:
        opened.verify()
    if as_json:
        _terminal.write(json.dumps(_facts(opened), indent=2, ensure_ascii=False) + "\n")
    else:
        _describe(opened)


@command.command(
    "count",
    examples=(
        "bleuprint index count corpus.bpi 'the quick brown fox'",
        "bleuprint index count corpus.bpi - < ngrams.txt",
    ),
    more=_MORE,
)
@click.argument("index", metavar="INDEX")
@click.argument("ngrams", nargs=-1, required=True, metavar="NGRAM...")
@_TOKENIZER
@shared_options("as_json")
def count(index: str, ngrams: tuple[str, ...], tokenizer: str | None, as_json: bool) -> None:
    """Count occurrences of n-grams in an index.

    NGRAM is a phrase; '-' reads one per line from standard input.
    """
    opened = NgramIndex.open(index, tokenizer=tokenizer)
    listed = [text for ngram in ngrams for text in (read_text(STDIN).segments if ngram == STDIN else (ngram,))]
    counts = list(zip(listed, opened.counts(listed), strict=True))
    if as_json:
        fields = [{"ngram": ngram, "count": count} for ngram, count in counts]
        _terminal.write_json(json.dumps(fields, indent=2, ensure_ascii=False) + "\n")
    else:
        _terminal.draw_rows(["n-gram", "count"], [[ngram, f"{count:,}"] for ngram, count in counts])


def _facts(index: NgramIndex) -> dict[str, object]:
    return {
        "max_order": index.max_order,
        "texts": index.texts,
        "tokens": index.tokens,
        "words": index.words,
        "bytes": index.size,
        "tokenizer": index.tokenizer.name,
        "lowercase": index.tokenizer.lowercase,
        "digest": index.digest,
        "sources": [
            {"name": source.name, "first": source.first + 1, "texts": source.texts} for source in index.sources
        ],
    }


def _describe(index: NgramIndex) -> None:
    case = "ignored" if index.tokenizer.lowercase else "kept"
    rows = [
        ["texts", f"{index.texts:,}"],
        ["tokens", f"{index.tokens:,}"],
        ["different tokens", f"{index.words:,}"],
        ["bytes", f"{index.size:,}"],
        ["tokenizer", index.tokenizer.name],
        ["case", case],
        ["sources", f"{len(index.sources):,}"],
        ["digest", f"{index.digest} (64 bits of a SHA-256)"],
    ]
    _terminal.draw_rows(["index", f"n-grams up to {index.max_order}"], rows)
