"""Metric cards: what a number means, when to use it, when not, and how it fails.

One Markdown file for each file in `metrics/`, with the same name. It begins with front matter (lines of `key: value`
between two lines of `---`; lists are separated by commas), then comes a title, one sentence that sums the metric up,
and the sections in SECTIONS. The command line, the report and the manual show the same file, and a test runs its
examples.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType

from bleuprint.errors import OptionError

__all__ = ["SECTIONS", "Card", "find", "load", "names", "plain_text"]

SECTIONS = (
    *("Definition", "What the number means", "Example", "Use when", "Don't use when"),
    *("Known failures", "Between libraries", "Related"),
)
_FOLDER = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Card:
    """One card: the fields of its front matter, its one-sentence summary and its sections by heading.

    >>> card = load("sentence-bleu")
    >>> card.direction, card.needs, card.default_threshold, card.bands[1]
    ('higher', ('references',), 0.5, ('high', 0.7))
    >>> card.avoid_when[0]
    'Meaning matters more than wording.'
    """

    file: str
    name: str
    title: str
    kind: str
    range: str
    direction: str
    needs: tuple[str, ...]
    level: tuple[str, ...]
    complexity: str
    oracle: str
    papers: tuple[str, ...]
    default_threshold: float | None
    bands: tuple[tuple[str, float], ...]
    summary: str
    sections: Mapping[str, str]

    @property
    def use_when(self) -> tuple[str, ...]:
        return _items(self.sections["Use when"])

    @property
    def avoid_when(self) -> tuple[str, ...]:
        return _items(self.sections["Don't use when"])

    @property
    def markdown(self) -> str:
        """The card to be read: title, summary, the front matter in words, the sections."""
        facts = [
            f"Kind: {self.kind}; {', '.join(self.level)}",
            f"Range: {self.range}; {self.direction} is better",
            f"Needs: {', '.join(self.needs)}",
            f"Cost: {self.complexity}",
            f"Tested against: {self.oracle}",
            f"Papers: {', '.join(self.papers)}",
        ]
        if self.default_threshold is not None:
            word = "from" if self.direction == "higher" else "up to"
            bands = ", ".join(f"{name} {word} {bound:g}" for name, bound in self.bands)
            facts.insert(2, f"Threshold: {self.default_threshold:g}; bands (a habit, not a measurement): {bands}")
        listed = "\n".join(f"- {fact}" for fact in facts)
        chapters = (f"## {heading}\n\n{text}" for heading, text in self.sections.items())
        return "\n\n".join((f"# {self.title}", self.summary, listed, *chapters)) + "\n"


def find(name: str) -> Card | None:
    """The card of a metric, or None where it has none."""
    file = _places().get(_key(name))
    return None if file is None else _cards()[file]


def names() -> tuple[str, ...]:
    """The names of all cards, in order."""
    return tuple(sorted(card.name for card in _cards().values()))


def load(name: str) -> Card:
    """The card of a metric, by its name or by that of its file.

    >>> load("gec_gleu") is load("gec-gleu")
    True
    """
    places = _places()
    if _key(name) not in places:
        from difflib import get_close_matches

        near = get_close_matches(_key(name), sorted(places), cutoff=0.5)
        listed = list(dict.fromkeys(_cards()[places[key]].name for key in near))
        hint = f"nearest: {', '.join(listed)}" if listed else f"there are {', '.join(names())}"
        raise OptionError("card", f"the name of a metric ({hint})", name)
    return _cards()[places[_key(name)]]


def plain_text(markdown: str) -> str:
    """A paragraph without its marks, for where Markdown is not rendered.

    >>> plain_text("see [BLEU](bleu.md), **not** `x`")
    'see BLEU, not x'
    """
    return re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", markdown).replace("**", "").replace("`", "")


@cache
def _cards() -> dict[str, Card]:
    files = sorted(path for path in _FOLDER.iterdir() if path.suffix == ".md")
    return {path.stem: _read(path) for path in files}


@cache
def _places() -> dict[str, str]:
    """What a card may be called, and its file."""
    return {_key(name): file for file, card in _cards().items() for name in (file, card.name)}


def _key(name: str) -> str:
    return name.lower().replace("_", "-")


def _read(path: Path) -> Card:
    _, front, body = path.read_text(encoding="utf-8").split("---\n", 2)
    fields = dict(_field(line) for line in front.splitlines())
    opening, *chapters = re.split(r"^## ", body, flags=re.MULTILINE)
    title, _, summary = opening.strip().partition("\n")
    sections = {heading: text.strip() for heading, _, text in (chapter.partition("\n") for chapter in chapters)}
    threshold, bands = fields.pop("default_threshold", None), fields.pop("bands", "")
    if title != f"# {fields['title']}":
        raise ValueError(f"{path.name}: the heading {title!r} is not the title {fields['title']!r}")
    return Card(
        file=path.stem,
        needs=_list(fields.pop("needs")),
        level=_list(fields.pop("level")),
        papers=_list(fields.pop("papers")),
        default_threshold=None if threshold is None else float(threshold),
        bands=tuple(_band(item) for item in _list(bands)),
        summary=" ".join(summary.split()),
        sections=MappingProxyType(sections),
        **fields,
    )


def _field(line: str) -> tuple[str, str]:
    key, _, value = line.partition(":")
    return key.strip(), value.strip()


def _list(value: str) -> tuple[str, ...]:
    return tuple(item.strip() for item in value.split(",") if item.strip())


def _band(item: str) -> tuple[str, float]:
    name, _, lowest = item.rpartition(" ")
    return name, float(lowest)


def _items(section: str) -> tuple[str, ...]:
    """The points of a list; a point goes on over indented lines."""
    points = re.split(r"^- ", section, flags=re.MULTILINE)[1:]
    return tuple(" ".join(point.split()) for point in points)
