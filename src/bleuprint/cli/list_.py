"""bleuprint list."""

from __future__ import annotations

from collections.abc import Iterator

import click

from bleuprint.cli import _terminal
from bleuprint.cli._command import Command
from bleuprint.core import tokenizers
from bleuprint.errors import BleuprintError
from bleuprint.metrics import cards, profiles, registry

__all__ = ["command"]

_EXAMPLE = "Mr. Li's 3.5-kg cat: 你好吗?"


@click.command(
    "list",
    cls=Command,
    examples=("bleuprint list metrics", "bleuprint list tokenizers"),
    more="'bleuprint cards NAME' explains one metric, with its options.",
)
@click.argument("topic", type=click.Choice(["metrics", "tokenizers", "profiles"]))
def command(topic: str) -> None:
    """List metrics, tokenizers, or profiles.

    Tokenizers are shown with what they make of an example. A profile sets the options with which a metric gives
    another library's scores.
    """
    rows = list({"metrics": _metrics, "tokenizers": _tokenizers, "profiles": _profiles}[topic]())
    _terminal.write_definitions(rows)


def _metrics() -> Iterator[tuple[str, str]]:
    for name in registry.metrics("segment"):
        card = cards.find(name)
        yield name, "" if card is None else cards.plain_text(card.summary)
    for name, point in registry.announced().items():
        yield name, f"plug-in of {registry.origin_of(point)}"


def _tokenizers() -> Iterator[tuple[str, str]]:
    yield "", _EXAMPLE
    for name in tokenizers.names():
        if name == "spm:PATH":
            yield name, "a SentencePiece model; needs pip install 'bleuprint[spm]'"
            continue
        try:
            yield name, " ".join(tokenizers.tokenize(_EXAMPLE, name))
        except BleuprintError as error:
            yield name, str(error)


def _profiles() -> Iterator[tuple[str, str]]:
    for metric, by_name in profiles.PROFILES.items():
        for profile, options in by_name.items():
            settings = ", ".join(f"{option}={value}" for option, value in options.items())
            yield f"{metric}:profile={profile}", settings or "the defaults"
