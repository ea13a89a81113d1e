"""Write native/text/unicode_tables.cpp: the general categories P, S and N that the `intl` tokeniser asks for.

sacrebleu takes them from the `regex` package, so this script does too: python tools/make_unicode_tables.py
"""

from __future__ import annotations

import pathlib
import sys

import regex

CATEGORIES = {"punctuation": r"\p{P}", "symbol": r"\p{S}", "number": r"\p{N}"}
TARGET = pathlib.Path(__file__).parent.parent / "native" / "text" / "unicode_tables.cpp"

HEADER = """\
// Made by tools/make_unicode_tables.py from regex {version}; do not edit.
#include "text/unicode_tables.hpp"

#include <cstdint>
#include <vector>

namespace bleuprint {{

namespace {{

struct Run {{
  char32_t first, last;
  Category category;
}};

constexpr Run runs[] = {{
"""

FOOTER = """\
};

std::vector<uint8_t> spread() {
  std::vector<uint8_t> table(0x110000, static_cast<uint8_t>(Category::other));
  for (const Run& run : runs) {
    for (char32_t value = run.first; value <= run.last; ++value) table[value] = static_cast<uint8_t>(run.category);
  }
  return table;
}

}  // namespace

Category category_of(char32_t value) {
  static const std::vector<uint8_t> table = spread();  // 1.1 MB, only once a text is scanned with it
  return value < table.size() ? static_cast<Category>(table[value]) : Category::other;
}

}  // namespace bleuprint
"""


def runs() -> list[tuple[int, int, str]]:
    everything = "".join(chr(c) for c in range(sys.maxunicode + 1))
    return sorted(
        (match.start(), match.end() - 1, name)
        for name, pattern in CATEGORIES.items()
        for match in regex.finditer(f"{pattern}+", everything)
    )


def main() -> None:
    rows = "".join(f"    {{0x{first:04X}, 0x{last:04X}, Category::{name}}},\n" for first, last, name in runs())
    TARGET.write_text(HEADER.format(version=regex.__version__) + rows + FOOTER, encoding="utf-8")


if __name__ == "__main__":
    main()
