"""Named requests to the native core; its only importer.

Nothing here knows a metric. A request says which n-grams to count and how; the answer is int64.
"""

from __future__ import annotations

import atexit
import os
import re
import sys
from array import array
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Protocol

from bleuprint import _core
from bleuprint._core import Column, Fault

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = [
    "SCHEMES",
    "ClippedCounts",
    "Column",
    "Fault",
    "arrow_column",
    "available_threads",
    "clipped_counts",
    "column",
    "exp_of",
    "log_of",
    "tokenize",
]

SCHEMES = ("13a", "char", "intl", "nltk", "none", "whitespace", "zh", "zh-corrected")

# Letters with case live in the first two planes; beyond them only the tags are case-ignorable. Probing all 17 planes
# would take eight times as long; a test compares every code point.
_CASED_PLANES = 0x20000
_TAGS = range(0xE0000, 0xE1000)
_UTF32 = "utf-32-le" if sys.byteorder == "little" else "utf-32-be"

atexit.register(_core.prepare_exit)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_core.after_fork)


class ArrowStreamable(Protocol):
    def __arrow_c_stream__(self, requested_schema: object = None) -> object: ...


class ArrowArrayable(Protocol):
    def __arrow_c_array__(self, requested_schema: object = None) -> tuple[object, object]: ...


def column(items: list[object] | tuple[object, ...], *, groups: bool, tokenized: bool) -> Column:
    """A column of texts out of a list: one text per segment, or with `groups` one or several."""
    return _core.column_from_sequence(items, groups, tokenized)


def arrow_column(items: ArrowStreamable | ArrowArrayable, *, groups: bool) -> Column:
    """A column of texts out of anything with the Arrow PyCapsule interface; the texts are not copied."""
    if hasattr(items, "__arrow_c_stream__"):
        return _core.column_from_arrow_stream(items.__arrow_c_stream__(), groups)
    return _core.column_from_arrow_array(*items.__arrow_c_array__(), groups)


class ClippedCounts:
    """Lengths, clipped matches and totals of the n-grams of hypotheses against their references."""

    def __init__(
        self, scheme: str, lowercase: bool, max_order: int, length_rule: str, minimum_total: int
    ) -> None:
        if lowercase or scheme == "nltk":
            adopt_unicode()
        self._plan = _core.ClipPlan(scheme, lowercase, max_order, length_rule, minimum_total)
        self.pair = self._plan.pair
        self.names = (
            "hypothesis_length",
            "reference_length",
            *(f"matches_{n}" for n in range(1, max_order + 1)),
            *(f"totals_{n}" for n in range(1, max_order + 1)),
        )

    def total(self, hypotheses: Column, references: Column, threads: int) -> tuple[int, ...]:
        return self._plan.total(hypotheses, references, threads)

    def rows(self, hypotheses: Column, references: Column, threads: int) -> NDArray[np.int64]:
        import numpy as np

        rows = np.zeros((len(hypotheses), len(self.names)), dtype=np.int64)
        if len(hypotheses):
            self._plan.rows(hypotheses, references, threads, rows)
        return rows


clipped_counts = lru_cache(maxsize=64)(ClippedCounts)


def tokenize(text: str, scheme: str, lowercase: bool = False) -> list[str]:
    """The tokens of one text."""
    if lowercase or scheme == "nltk":
        adopt_unicode()
    return _core.tokenize(text, scheme, lowercase)


def log_of(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Natural logarithms, bit for bit those of math.log; -inf for 0."""
    copy = values.astype("float64", order="C")
    _core.log_in_place(copy.reshape(-1))
    return copy


def exp_of(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Exponentials, bit for bit those of math.exp."""
    copy = values.astype("float64", order="C")
    _core.exp_in_place(copy.reshape(-1))
    return copy


def available_threads() -> int:
    """Processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@cache
def adopt_unicode() -> None:
    """Hand the interpreter's own character classes and case map to the core.

    The core must lower-case exactly as str.lower() and split exactly as re does, and both change with the
    interpreter's Unicode version, so they are read off the running interpreter: some tens of milliseconds, once.
    """
    everything = array("I", range(sys.maxunicode + 1)).tobytes().decode(_UTF32, "surrogatepass")
    _core.adopt_unicode(
        _class_of(r"\w+", everything),
        _class_of(r"\d+", everything),
        _sigma_after(""),
        _sigma_after("A"),
        # U+0130 gives two code points and capital sigma depends on its neighbours: the core treats both itself.
        everything[:_CASED_PLANES].replace("\u0130", "i").replace("\u03a3", "s").lower().encode(_UTF32, "surrogatepass"),
    )


def _class_of(pattern: str, everything: str) -> bytes:
    flags = bytearray(len(everything))
    for match in re.finditer(pattern, everything):
        flags[match.start() : match.end()] = b"\1" * (match.end() - match.start())
    return bytes(flags)


def _sigma_after(prefix: str) -> bytes:
    """What a capital sigma turns into after the prefix and each code point, in UTF-32.

    It becomes final after a cased character, with case-ignorable ones in between, so two probes (with and without a
    cased prefix) tell which characters are which. A line feed is neither and keeps the probes apart.
    """
    low = _sigma_probe(prefix, range(_CASED_PLANES))
    tags = _sigma_probe(prefix, _TAGS)
    return low + bytes(4 * (_TAGS.start - _CASED_PLANES)) + tags


def _sigma_probe(prefix: str, points: range) -> bytes:
    codes = array("I", points)
    if 0x130 in points:
        codes[0x130] = ord("I")
    width = len(prefix) + 3
    probes = array("I", [ord("\n")]) * (width * len(codes))
    for offset, character in enumerate(prefix):
        probes[offset::width] = array("I", [ord(character)]) * len(codes)
    probes[width - 3 :: width] = codes
    probes[width - 2 :: width] = array("I", [0x3A3]) * len(codes)
    text = probes.tobytes().decode(_UTF32, "surrogatepass")
    lowered = array("I", text.lower().encode(_UTF32, "surrogatepass"))
    return lowered[width - 2 :: width].tobytes()
