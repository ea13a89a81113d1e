"""bleuprint tokenize."""

from __future__ import annotations

import json
from itertools import chain

import click

from bleuprint.cli import _notes, _terminal
from bleuprint.cli._command import subcommand
from bleuprint.cli._options import shared_options
from bleuprint.cli._output import Output, output_options
from bleuprint.core import tokenizers
from bleuprint.dataset import STDIN, read_text


@subcommand(
    "tokenize",
    examples=("bleuprint tokenize hyp.txt -tok intl", "bleuprint tokenize zh.txt -tok zh --json | head"),
    more="'bleuprint list tokenizers', docs/why-is-my-bleu-different.md",
)
@click.argument("files", nargs=-1, metavar="[FILE]...")
@shared_options("tokenizer", default="13a")
@shared_options("lowercase")
@shared_options("as_json", help="Print each line as a JSON list, which keeps tokens with spaces.")
@output_options("strict")
def command(files: tuple[str, ...], tokenizer: str, lowercase: bool | None, as_json: bool, output: Output) -> None:
    """Print the tokens that a metric sees.

    FILE has one text per line; standard input is read without one. Each text becomes a line of tokens with a space
    between them.
    """
    split = tokenizers.resolve(tokenizer, bool(lowercase))
    texts = [read_text(path) for path in files or (STDIN,)]
    _notes.show(note for file in texts for note in file.notes)
    for text in chain.from_iterable(file.segments for file in texts):
        tokens = split(text)
        if as_json:
            _terminal.write_json(json.dumps(tokens, ensure_ascii=False) + "\n")
            continue
        if any(" " in token for token in tokens):
            _notes.show(["some tokens contain spaces, so the output is ambiguous; --json keeps them apart"])
        _terminal.write_lines([" ".join(tokens)])
