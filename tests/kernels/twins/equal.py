"""Cleaning of texts as it is described, with the interpreter's own tables."""

from __future__ import annotations

import string
import unicodedata


def clean(
    text: str,
    *,
    lowercase: bool = False,
    ignore_punctuation: bool = False,
    ignore_numbers: bool = False,
    whitespace: str = "strip",
) -> str:
    if lowercase:
        text = text.lower()
    if ignore_punctuation:
        text = "".join(c for c in text if not unicodedata.category(c).startswith("P") and c not in string.punctuation)
    if ignore_numbers:
        text = "".join(c for c in text if not unicodedata.category(c).startswith("N"))
    match whitespace:
        case "strip":
            return text.strip()
        case "collapse":
            return " ".join(text.split())
        case "remove":
            return "".join(text.split())
    return text
