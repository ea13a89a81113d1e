"""Docstrings as Markdown, and signatures as people read them."""

from __future__ import annotations

import inspect
import re
from typing import Any

_INDENTED = re.compile(r"^ {2,}\S")
_ITEM = re.compile(r"- (?P<names>[^:\n]*): (?P<text>.*(?:\n  .*)*)")


def markdown(text: str, options: str | None = None) -> str:
    """A docstring with its examples and its indented formulas in fences.

    A table of options takes the place of the lists of options, if one is given.
    """
    paragraphs = _paragraphs(text)
    if options is None:
        return "\n\n".join(_paragraph(paragraph) for paragraph in paragraphs)
    lists = [place for place, paragraph in enumerate(paragraphs) if paragraph.startswith("- `")]
    lead_ins = [place - 1 for place in lists if place and paragraphs[place - 1].endswith(":")]
    shown = [_paragraph(part) for place, part in enumerate(paragraphs) if place not in {*lists, *lead_ins}]
    examples = next((place for place, part in enumerate(shown) if part.startswith("```pycon")), len(shown))
    return "\n\n".join(filter(None, [*shown[:examples], options, *shown[examples:]]))


def listed(text: str) -> list[tuple[tuple[str, ...], str]]:
    """The names that each item of a docstring's lists begins with, and what it says of them.

    >>> listed("Draw.\\n\\n- `width`, `height`: in pixels\\n- `color`: of\\n  the line")
    [(('width', 'height'), 'in pixels'), (('color',), 'of the line')]
    """
    items = [item for paragraph in _paragraphs(text) if paragraph.startswith("- ") for item in _items(paragraph)]
    return [(names, " ".join(said.split()).replace("``", "`")) for names, said in items]


def _items(paragraph: str) -> list[tuple[tuple[str, ...], str]]:
    found = []
    for item in re.split(r"\n(?=- )", paragraph):
        match = _ITEM.fullmatch(item)
        names = tuple(re.findall(r"`(\w+)`", match["names"])) if match is not None else ()
        found.append((names, match["text"] if match is not None else item.removeprefix("- ")))
    return found


def _paragraphs(text: str) -> list[str]:
    return re.split(r"\n\s*\n", inspect.cleandoc(text)) if text else []


def _paragraph(text: str) -> str:
    lines = text.splitlines()
    if lines[0].startswith(">>>"):
        return f"```pycon\n{text}\n```"
    if all(_INDENTED.match(line) for line in lines):
        kind = "pycon" if lines[0].lstrip().startswith(">>>") else "text"
        return f"```{kind}\n{inspect.cleandoc(text)}\n```"
    return text.replace("``", "`")


def first_sentence(text: str) -> str:
    """What a docstring says in one line, for a table."""
    opening = next(iter(_paragraphs(text)), "")
    return " ".join(opening.split()).partition(". ")[0].removesuffix(".").replace("|", "\\|").replace("``", "`")


def signature(thing: Any, *, bound: bool = False) -> str:
    """The parameters of a callable, without the first one where it is bound; annotations as they were written."""
    try:
        found = inspect.signature(thing)
    except (TypeError, ValueError):
        return "()"
    items = list(found.parameters.values())[1 if bound else 0 :]
    shown: list[str] = []
    star = False
    for item in items:
        if item.kind is inspect.Parameter.VAR_POSITIONAL:
            star = True
        elif item.kind is inspect.Parameter.KEYWORD_ONLY and not star:
            shown.append("*")
            star = True
        shown.append(_parameter(item))
    given = "" if inspect.isclass(thing) else annotation(found.return_annotation)
    return f"({', '.join(shown)})" + (f" -> {given}" if given and given != "None" else "")


def _parameter(item: inspect.Parameter) -> str:
    stars = {"VAR_POSITIONAL": "*", "VAR_KEYWORD": "**"}.get(item.kind.name, "")
    kind = annotation(item.annotation)
    text = f"{stars}{item.name}" + (f": {kind}" if kind else "")
    return text if item.default is inspect.Parameter.empty else f"{text} = {default(item.default)}"


def annotation(given: Any) -> str:
    """An annotation as it was written."""
    if given is inspect.Signature.empty:
        return ""
    return given if isinstance(given, str) else getattr(given, "__name__", str(given))


def default(value: Any) -> str:
    """What a default looks like; an object that has no way to be written shows its kind."""
    text = repr(value)
    return text if not text.startswith("<") else "..."
