"""bleuprint list."""

from __future__ import annotations

from collections.abc import Iterator

import click

from bleuprint.cli import _terminal
from bleuprint.cli._command import subcommand
from bleuprint.core import tokenizers
from bleuprint.errors import BleuprintError
from bleuprint.metrics import cards, profiles, registry

# What the kinds of the cards are listed under.
_HEADINGS = {
    kind: heading
    for heading, kinds in {
        "Similarity to references": ("similarity", "n-gram overlap", "meaning", "rewriting", "fitted to ratings"),
        "Errors": ("error rate", "distance"),
        "Right or wrong": ("match",),
        "Fluency": ("fluency",),
        "Copying": ("copying",),
        "Diversity": ("diversity", "diversity and quality", "similarity of two corpora"),
    }.items()
    for kind in kinds
}
_RECOMMENDED = ("self-bleu", "distinct")  # of the many numbers for diversity
_EXAMPLE = "Mr. Li's 3.5-kg cat: 你好吗?"


@subcommand(
    "list",
    examples=("bleuprint list metrics", "bleuprint list tokenizers"),
    more="'bleuprint cards NAME' explains one metric, with its options.",
)
@click.argument("topic", type=click.Choice(["metrics", "tokenizers", "profiles"]))
def command(topic: str) -> None:
    """List metrics, tokenizers, or profiles.

    Tokenizers are shown with what they make of an example. A profile sets the options with which a metric gives
    another library's scores.
    """
    if topic == "metrics":
        _write_metrics()
    else:
        _terminal.write_definitions(list(_tokenizers() if topic == "tokenizers" else _profiles()))


def _write_metrics() -> None:
    """Print all metrics by what they measure, and those of other packages."""
    groups: dict[str, dict[str, str]] = {heading: {} for heading in dict.fromkeys(_HEADINGS.values())}
    for name in (*_RECOMMENDED, *registry.metrics()):
        card = cards.find(name)
        heading, text = ("Other", "") if card is None else (_HEADINGS.get(card.kind, "Other"), card.summary)
        groups.setdefault(heading, {})[name] = cards.plain_text(text)
    plug_ins = {name: f"plug-in of {registry.origin_of(point)}" for name, point in registry.plug_ins().items()}
    groups |= {"Plug-ins": plug_ins} if plug_ins else {}
    width = max(len(name) for entries in groups.values() for name in entries)
    for place, (heading, entries) in enumerate(groups.items()):
        start = f" (start with {' and '.join(_RECOMMENDED)})" if heading == "Diversity" else ""
        _terminal.write("\n" * bool(place) + f"{heading}{start}:\n")
        _terminal.write_definitions([(f"  {name:{width}}", text) for name, text in entries.items()])


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
    for metric, by_name in profiles.table().items():
        for profile, options in by_name.items():
            settings = ", ".join(f"{option}={value}" for option, value in options.items())
            yield f"{metric}:profile={profile}", settings or "the defaults"
