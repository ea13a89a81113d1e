"""Metric cards: what a score means, when to use it, when not to, and how it fails.

Each file in `metrics/` has a card, a Markdown file of the same name. A card has front matter (lines of `key: value`
between two lines of `---`; lists are separated by commas), a title, a one-sentence summary and the sections listed in
SECTIONS. The command line, the report and the manual all show the same file, and a test runs its examples.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType

from bleuprint.errors import OptionError, closest

__all__ = ["SECTIONS", "Card", "find", "load", "names", "plain_text"]

SECTIONS = (
    *("Definition", "What the number means", "Example", "Use when", "Don't use when"),
    *("Known failures", "Between libraries", "Related"),
)
_FOLDER = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Card:
    """One metric's card: the fields of its front matter, its summary, and its sections by heading.

    `signature` is the metric's default signature. It is empty if the metric cannot be constructed without arguments.
    `written` is how a table in a paper names the metric: the title without brackets unless the card says otherwise.
    `cite` are the keys in `papers.bib` of what a paper that uses the metric should cite; it is empty for "nothing".

    >>> card = load("item-bleu")
    >>> card.direction, card.needs, card.default_threshold, card.bands[1]
    ('higher', ('references',), 0.5, ('high', 0.7))
    >>> card.avoid_when[0]
    'Meaning matters more than wording.'
    """

    file: str
    name: str
    title: str
    written: str
    kind: str
    range: str
    direction: str
    needs: tuple[str, ...]
    level: tuple[str, ...]
    signature: str
    complexity: str
    oracle: str
    papers: tuple[str, ...]
    cite: tuple[str, ...]
    default_threshold: float | None
    bands: tuple[tuple[str, float], ...]
    summary: str
    sections: Mapping[str, str]

    @property
    def limits(self) -> tuple[float, float]:
        """The smallest and the largest possible score, from the beginning of the range; infinite if it has none.

        >>> load("bleu").limits, load("ter").limits
        ((0.0, 1.0), (0.0, inf))
        """
        bounds = re.match(r"(-?[\d.]+) (?:to (-?[\d.]+)(?![\w(])|and up)", self.range)
        if bounds is None:
            return -math.inf, math.inf
        return float(bounds[1]), math.inf if bounds[2] is None else float(bounds[2])

    @property
    def avoid_when(self) -> tuple[str, ...]:
        """The items of "Don't use when", each of which can continue on indented lines."""
        items = re.split(r"^- ", self.sections["Don't use when"], flags=re.MULTILINE)[1:]
        return tuple(" ".join(item.split()) for item in items)

    @property
    def markdown(self) -> str:
        """The card as a Markdown document, with the front matter as a list of facts below the summary."""
        chapters = (f"## {heading}\n\n{text}" for heading, text in self.sections.items())
        listed = "\n".join(f"- {fact}" for fact in self._facts())
        return "\n\n".join((f"# {self.title}", self.summary, listed, *chapters)) + "\n"

    def _facts(self) -> Iterator[str]:
        yield f"Kind: {self.kind}"
        yield f"Level: {', '.join(self.level)}"
        yield f"Range: {self.range}; {self.direction} is better"
        if self.default_threshold is not None:
            yield f"Default threshold: {self.default_threshold:g}"
            yield f"Bands (rules of thumb): {self._bands()}"
        yield f"Needs: {', '.join(self.needs)}"
        if self.signature:
            yield f"Default signature: `{self.signature}`"
        yield f"Complexity: {self.complexity}"
        yield f"Tested against: {self.oracle}"
        yield f"Papers: {', '.join(self.papers)}"

    def _bands(self) -> str:
        inside, outside = ("≥", "<") if self.direction == "higher" else ("≤", ">")
        *bounded, (last, _) = self.bands
        named = [f"{name} {inside} {bound:g}" for name, bound in bounded]
        return ", ".join([*named, f"{last} {outside} {bounded[-1][1]:g}"])


def find(name: str) -> Card | None:
    """Return the card of a metric, or None if it has no card."""
    return _cards().get(_key(name))


def names() -> tuple[str, ...]:
    """Return the names of all cards, sorted."""
    return tuple(sorted({card.name for card in _cards().values()}))


def load(name: str) -> Card:
    """Return the card of a metric, by the name of the metric or of the file.

    >>> load("gec_gleu") is load("gec-gleu")
    True
    """
    card = find(name)
    if card is None:
        raise OptionError("card", f"one of {', '.join(names())}", name, meant=closest(name, names()))
    return card


def plain_text(markdown: str) -> str:
    """Remove links, bold and code marks from a paragraph, for output that does not render Markdown.

    >>> plain_text("see [BLEU](bleu.md), **not** `x`")
    'see BLEU, not x'
    """
    return re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", markdown).replace("**", "").replace("`", "")


@cache
def _cards() -> dict[str, Card]:
    """All cards, by the names of their files and of their metrics."""
    cards = map(_read, sorted(_FOLDER.glob("*.md")))
    return {_key(name): card for card in cards for name in (card.file, card.name)}


def _key(name: str) -> str:
    return name.lower().replace("_", "-")


def _read(path: Path) -> Card:
    _, front, body = path.read_text(encoding="utf-8").split("---\n", 2)
    fields = {key: value.strip() for key, _, value in (line.partition(":") for line in front.splitlines())}
    opening, *chapters = re.split(r"^## ", body, flags=re.MULTILINE)
    title, _, summary = opening.strip().partition("\n")
    sections = {heading: text.strip() for heading, _, text in (chapter.partition("\n") for chapter in chapters)}
    threshold, bands = fields.pop("default_threshold", None), fields.pop("bands", "")
    if title != f"# {fields['title']}":
        raise ValueError(f"{path.name}: the heading {title!r} is not the title {fields['title']!r}")
    return Card(
        file=path.stem,
        written=fields.pop("written", fields["title"].partition(" (")[0]),
        needs=_list(fields.pop("needs")),
        level=_list(fields.pop("level")),
        signature=fields.pop("signature", ""),
        papers=_list(fields.pop("papers")),
        cite=_list(fields.pop("cite").removeprefix("nothing")),
        default_threshold=None if threshold is None else float(threshold),
        bands=tuple((name, float(lowest)) for name, _, lowest in (item.rpartition(" ") for item in _list(bands))),
        summary=" ".join(summary.split()),
        sections=MappingProxyType(sections),
        **fields,
    )


def _list(value: str) -> tuple[str, ...]:
    return tuple(item.strip() for item in value.split(",") if item.strip())
