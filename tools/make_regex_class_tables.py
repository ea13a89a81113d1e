"""Write native/text/regex_class_tables.cpp: the classes of the `regex` module, which NLTK's tokenizer matches with.

python tools/make_regex_class_tables.py
"""

from __future__ import annotations

from pathlib import Path

import regex

HEADER = """// Made by tools/make_regex_class_tables.py from regex {version}; do not edit.
#include "text/regex_classes.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

#include "utf8.hpp"

namespace bleuprint {{
namespace {{

// Code points where membership flips: [0] starts the first range, [1] is one past its end, and so on.
"""

FOOTER = """
template <size_t N>
bool in_ranges(const std::array<char32_t, N>& flips, char32_t value) noexcept {
  return (std::upper_bound(flips.begin(), flips.end(), value) - flips.begin()) % 2 == 1;
}

}  // namespace

bool is_regex_word(char32_t value) noexcept { return in_ranges(word_flips, value); }

bool is_regex_decimal(char32_t value) noexcept { return in_ranges(decimal_flips, value); }

bool is_regex_space(char32_t value) noexcept { return is_space(value) && (value < 0x1c || value > 0x1f); }

}  // namespace bleuprint
"""


def flips(pattern: str) -> list[int]:
    matcher = regex.compile(pattern)
    inside = [matcher.match(chr(point)) is not None for point in range(0x110000)] + [False]
    return [point for point, member in enumerate(inside) if member != (point > 0 and inside[point - 1])]


def array(name: str, values: list[int]) -> str:
    cells = [f"{value:#x}" for value in values]
    rows = "".join(f"    {', '.join(cells[start : start + 11])},\n" for start in range(0, len(cells), 11))
    return f"constexpr std::array<char32_t, {len(values)}> {name} = {{\n{rows}}};\n"


if __name__ == "__main__":
    tables = array("word_flips", flips(r"\w")) + "\n" + array("decimal_flips", flips(r"\d"))
    source = (
        HEADER.format(version=regex.__version__) + "// clang-format off\n" + tables + "// clang-format on\n" + FOOTER
    )
    (Path(__file__).parent.parent / "native" / "text" / "regex_class_tables.cpp").write_text(source, encoding="utf-8")
