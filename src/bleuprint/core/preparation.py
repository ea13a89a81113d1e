"""What the core must be told before it reads texts."""

from __future__ import annotations

from functools import cache

from bleuprint.core import _native
from bleuprint.core.unicode import interpreter_tables

__all__ = ["adopt_unicode", "prepare"]


def prepare(scheme: str, lowercase: bool) -> None:
    """Hand over the tables that this way of reading needs."""
    if lowercase or scheme in {"nltk", "unicode-words"}:
        adopt_unicode()


@cache
def adopt_unicode() -> None:
    """Hand the interpreter's own character classes and case map to the core: some tens of milliseconds, once."""
    _native.adopt_unicode(*interpreter_tables())
