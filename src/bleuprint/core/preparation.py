"""Unicode tables that the core needs before it reads text."""

from __future__ import annotations

from functools import cache

from bleuprint.core import _native
from bleuprint.core.unicode import interpreter_tables


def prepare(scheme: str, lowercase: bool) -> None:
    """Pass the core the tables that this tokenizer scheme needs."""
    if lowercase or scheme in _native.UNICODE_SCHEMES:
        adopt_unicode()


@cache
def adopt_unicode() -> None:
    """Pass the interpreter's character classes and case map to the core. Takes tens of milliseconds, once."""
    _native.adopt_unicode(*interpreter_tables())
