"""Examples in Markdown files, fenced or not."""

from __future__ import annotations

import doctest
import re
from pathlib import Path
from typing import Any

__all__ = ["examples_of", "failures_of"]


def _unfenced(text: str) -> str:
    """The text with its fences blanked: what follows an output must not look like part of it."""
    return re.sub(r"^\s*```.*$", "", text, flags=re.MULTILINE)


def examples_of(text: str) -> list[tuple[str, str]]:
    """Every example and what it prints."""
    return [(example.source, example.want) for example in doctest.DocTestParser().get_examples(_unfenced(text))]


def failures_of(path: Path, names: dict[str, Any] | None = None) -> str:
    """What doctest says about the examples of a file that do not print what stands under them."""
    text = _unfenced(path.read_text(encoding="utf-8"))
    said: list[str] = []
    test = doctest.DocTestParser().get_doctest(text, dict(names or {}), path.stem, str(path), 0)
    doctest.DocTestRunner(verbose=False).run(test, out=said.append)
    return "".join(said)
