"""bleuprint tokenizers."""

from __future__ import annotations

from pathlib import Path

import click

from bleuprint.cli import _terminal
from bleuprint.cli._command import Group
from bleuprint.cli._options import shared_options
from bleuprint.core import piece_models
from bleuprint.core.tokenizers import MODEL_NAMES

_MORE = "docs/how-to/sentencepiece.md"


@click.group("tokenizers", cls=Group, no_args_is_help=False)
def command() -> None:
    """Add, list, and remove SentencePiece models that are used by name."""


@command.command(
    "add",
    examples=(
        "bleuprint tokenizers add flores200 flores200_sacrebleu_tokenizer_spm.model",
        "bleuprint tokenizers add flores101 ~/.sacrebleu/models/sacrebleu_tokenizer_spm.model",
    ),
    more=_MORE,
)
@click.argument("name", type=click.Choice(MODEL_NAMES))
@click.argument("path", metavar="PATH")
@shared_options("force", help="Replace another model of that name.")
def add(name: str, path: str, force: bool) -> None:
    """Copy a model to your data folder, so that NAME works as a tokenizer.

    PATH is the model file; spm is the older name of flores101. bleuprint downloads nothing, and sacrebleu, whose names
    these are, publishes no digests of its models: NAME means the file that you add. Signatures record its SHA-256.
    """
    model = piece_models.add(name, Path(path), overwrite=force)
    _terminal.write_lines([f"{model.name} is {model.recorded}, copied to {model.path}"])


@command.command(
    "list", examples=("bleuprint tokenizers list", "bleuprint tokenizers list | grep flores200"), more=_MORE
)
def list_() -> None:
    """Show the models that were added."""
    models = piece_models.list_models()
    rows = [[model.name, model.recorded, str(model.path)] for model in models]
    if rows:
        _terminal.draw_rows(["tokenizer", "in signatures", "file"], rows, words=range(3))
    else:
        _terminal.note("note: no models were added; see 'bleuprint tokenizers add --help'")


@command.command(
    "remove", examples=("bleuprint tokenizers remove flores200", "bleuprint tokenizers remove spm"), more=_MORE
)
@click.argument("name", type=click.Choice(MODEL_NAMES))
def remove(name: str) -> None:
    """Delete bleuprint's copy of a model."""
    _terminal.write_lines(f"removed {model.name}, {model.recorded}" for model in piece_models.remove(name))
