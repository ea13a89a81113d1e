"""Docstrings as Markdown, and signatures as people read them."""

from __future__ import annotations

import inspect
import re
from typing import Any

__all__ = ["first_sentence", "markdown", "signature"]

_INDENTED = re.compile(r"^ {2,}\S")


def markdown(text: str) -> str:
    """A docstring with its examples and its indented formulas in fences."""
    paragraphs = re.split(r"\n\s*\n", inspect.cleandoc(text)) if text else []
    return "\n\n".join(_paragraph(paragraph) for paragraph in paragraphs)


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
    opening = re.split(r"\n\s*\n", inspect.cleandoc(text))[0]
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
    given = "" if inspect.isclass(thing) else _annotation(found.return_annotation)
    return f"({', '.join(shown)})" + (f" -> {given}" if given and given != "None" else "")


def _parameter(item: inspect.Parameter) -> str:
    stars = {"VAR_POSITIONAL": "*", "VAR_KEYWORD": "**"}.get(item.kind.name, "")
    kind = _annotation(item.annotation)
    text = f"{stars}{item.name}" + (f": {kind}" if kind else "")
    return text if item.default is inspect.Parameter.empty else f"{text} = {_default(item.default)}"


def _annotation(given: Any) -> str:
    if given is inspect.Signature.empty:
        return ""
    return given if isinstance(given, str) else getattr(given, "__name__", str(given))


def _default(value: Any) -> str:
    """What a default looks like; an object that has no way to be written shows its kind."""
    text = repr(value)
    return text if not text.startswith("<") else "..."
