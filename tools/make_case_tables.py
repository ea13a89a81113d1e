"""Write native/c/unicode.cpp: the word characters and the case map of this interpreter, for programs without Python.

Inside Python the core takes them from the running interpreter, so that it agrees with its str and re. The C interface
has those of the interpreter that ran this script: python -m tools.make_case_tables
"""

from __future__ import annotations

import struct
import unicodedata
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from bleuprint.core.unicode import interpreter_tables

TARGET = Path(__file__).parent.parent / "native" / "c" / "unicode.cpp"
FINAL_SIGMA = 0x3C2

HEADER = """\
// Made by tools/make_case_tables.py from Unicode {version}; do not edit.
#include "c/unicode.hpp"

#include <cstdint>

namespace bleuprint {{

namespace {{

struct Run {{
  uint32_t first, last;
}};

// The lower case of every code point of a run is `add` further; with `step` 2 that of every other one.
struct Shift {{
  uint32_t first, last, step;
  int32_t add;
}};

"""

FOOTER = """\
template <size_t count>
std::vector<bool> spread(const Run (&runs)[count]) {
  std::vector<bool> table(runs[count - 1].last + 1);
  for (const Run& run : runs) {
    for (uint32_t value = run.first; value <= run.last; ++value) table[value] = true;
  }
  return table;
}

}  // namespace

Unicode built_in_unicode() {
  Unicode tables{spread(words), spread(cased), spread(ignorable), {}};
  for (const Shift& shift : shifts) {
    while (tables.lower.size() <= shift.last) tables.lower.push_back(static_cast<char32_t>(tables.lower.size()));
    for (uint32_t value = shift.first; value <= shift.last; value += shift.step) {
      tables.lower[value] = static_cast<char32_t>(static_cast<int32_t>(value) + shift.add);
    }
  }
  return tables;
}

}  // namespace bleuprint
"""


class Tables(NamedTuple):
    """By code point; all that follow have no flag, and are their own lower case."""

    words: list[bool]
    cased: list[bool]
    ignorable: list[bool]
    lower: list[int]


def tables() -> Tables:
    """The tables of this interpreter, told apart as the core does."""
    words, alone, across, lower = interpreter_tables()
    after, beyond = (struct.unpack(f"={len(table) // 4}I", table) for table in (alone, across))
    cased = [value == FINAL_SIGMA for value in after]
    ignorable = [not known and value == FINAL_SIGMA for known, value in zip(cased, beyond, strict=True)]
    return Tables(list(map(bool, words)), cased, ignorable, list(struct.unpack(f"={len(lower) // 4}I", lower)))


def runs(flags: Iterable[bool]) -> Iterator[tuple[int, int]]:
    """First and last of each run of flags."""
    first = -1
    for place, flag in enumerate([*flags, False]):
        if flag and first < 0:
            first = place
        elif not flag and first >= 0:
            yield first, place - 1
            first = -1


def shifts(lower: list[int]) -> list[tuple[int, int, int, int]]:
    """First, last, step and distance of runs of letters."""
    found: list[list[int]] = []
    for place, value in enumerate(lower):
        if value == place:
            continue
        run = found[-1] if found else None
        if run and run[3] == value - place and place - run[1] in ({run[2]} if run[0] < run[1] else {1, 2}):
            run[1], run[2] = place, place - run[1]
        else:
            found.append([place, place, 1, value - place])
    return [(first, last, step, add) for first, last, step, add in found]


def wrap(items: Iterable[str]) -> str:
    """The items in lines of up to 120 letters, as clang-format leaves them."""
    lines, line = [], "   "
    for item in items:
        if len(line) + len(item) + 2 > 120:
            lines.append(line)
            line = "   "
        line += f" {item},"
    return "\n".join([*lines, line]) + "\n"


def source() -> str:
    """The file."""
    known = tables()
    parts = [HEADER.format(version=unicodedata.unidata_version)]
    for name in ("words", "cased", "ignorable"):
        pairs = wrap(f"{{0x{first:X}, 0x{last:X}}}" for first, last in runs(getattr(known, name)))
        parts.append(f"// clang-format off\nconstexpr Run {name}[] = {{\n{pairs}}};\n// clang-format on\n\n")
    rows = wrap(f"{{0x{first:X}, 0x{last:X}, {step}, {add}}}" for first, last, step, add in shifts(known.lower))
    parts.append(f"// clang-format off\nconstexpr Shift shifts[] = {{\n{rows}}};\n// clang-format on\n\n")
    return "".join([*parts, FOOTER])


def main() -> None:
    TARGET.write_text(source(), encoding="utf-8")


if __name__ == "__main__":
    main()
