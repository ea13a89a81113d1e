"""The interpreter's character classes and case map, as tables for the core.

The core must lowercase exactly like str.lower() and match words exactly like re. Both depend on the interpreter's
Unicode version, so the tables are built at run time instead of being stored.
"""

from __future__ import annotations

import re
import sys
from array import array
from functools import cache

from bleuprint.core import _native

_SURROGATE = re.compile("[\ud800-\udfff]")
# All words are in the first four planes and all cased letters in the first two; beyond these, only the tags are
# case-ignorable. Probing all 17 planes would take eight times as long. A test compares every code point.
_WORD_PLANES, _CASED_PLANES = 0x40000, 0x20000
_TAGS = range(0xE0000, 0xE1000)
_UTF32 = "utf-32-le" if sys.byteorder == "little" else "utf-32-be"


def has_surrogate(text: str) -> bool:
    """Whether the text contains a lone surrogate, which cannot be encoded."""
    return not text.isascii() and _SURROGATE.search(text) is not None


def prepare(scheme: str, lowercase: bool) -> None:
    """Pass the core the tables that this tokenizer scheme needs."""
    if lowercase or scheme in _native.UNICODE_SCHEMES:
        adopt_unicode()


@cache
def adopt_unicode() -> None:
    """Pass the interpreter's character classes and case map to the core. Takes 20 milliseconds, once."""
    _native.adopt_unicode(*interpreter_tables())


def interpreter_tables() -> tuple[bytes, bytes, bytes, bytes]:
    """Return, by code point: \\w flags, the lowercase of a sigma after it (alone and after a letter), its lowercase."""
    everything = _text(array("I", range(_WORD_PLANES)))
    is_word = bytearray(sys.maxunicode + 1)
    for match in re.finditer(r"\w+", everything):
        is_word[match.start() : match.end()] = b"\1" * (match.end() - match.start())
    # U+0130 lowercases to two code points, and capital sigma depends on its neighbors: the core handles both.
    lower = _utf32(everything[:_CASED_PLANES].replace("\u0130", "i").replace("\u03a3", "s").lower())
    return bytes(is_word), _sigma_after(""), _sigma_after("A"), lower


def _text(points: array[int]) -> str:
    return points.tobytes().decode(_UTF32, "surrogatepass")


def _utf32(text: str) -> bytes:
    return text.encode(_UTF32, "surrogatepass")


def _sigma_after(prefix: str) -> bytes:
    """Return the lowercase of a capital sigma after the prefix and each code point, in UTF-32.

    It becomes a final sigma after a cased character, possibly with case-ignorable ones in between. Two probes, with and
    without a cased prefix, therefore classify every character. A line feed is neither and separates the probes.
    """
    between = bytes(4 * (_TAGS.start - _CASED_PLANES))
    return _sigma_probe(prefix, range(_CASED_PLANES)) + between + _sigma_probe(prefix, _TAGS)


def _sigma_probe(prefix: str, points: range) -> bytes:
    probe = array("I", map(ord, f"{prefix}?\u03a3\n"))
    probes = probe * len(points)  # put together as numbers: as texts, they take five times as long
    probes[len(prefix) :: len(probe)] = array("I", points)
    # U+0130 lowercases to two code points; I is as cased as it is.
    return _utf32(_text(probes).replace("\u0130", "I").lower()[len(prefix) + 1 :: len(probe)])
