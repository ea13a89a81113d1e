"""Writes docs/performance.md from docs/performance.json, the output of a benchmark.

    python -m tools.docs_site.performance [FILE.json]

`make performance` measures everything again and then runs this.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

__all__ = ["main", "page"]

ROOT = Path(__file__).resolve().parents[2]
FIGURES = ROOT / "docs" / "performance.json"
PAGE = ROOT / "docs" / "performance.md"

OPENING = """# Performance

`make performance` measures every figure in the tables and writes this page. Only the last section, which says what
bounds the times, was measured apart.

**How to read the tables.** The first row is the baseline: bleuprint, unless the heading says otherwise. A ratio of
80× means that a row takes eighty times as long as the baseline. All packages run one after another in the same
process, on the same texts. Ratios are computed for each repeat; the tables show the median. The spread is the fastest
and the slowest repeat. Times are CPU times of all threads, or wall times if threads are compared. *Difference* is the
largest difference between a package's scores and bleuprint's under the same definition, because a fast wrong number
does not count. Memory is the peak that a job adds to its process, without the input.
"""

CLOSING = """## What bounds the times

Measured on 2026-11-17 with `perf record` on the processor above, which other jobs kept busy. Texts are those of the
tables: 23 words and 100 bytes a side. Times are the lowest CPU times of many repeats in one thread.

**Corpus BLEU from strings** takes 1.1 µs a segment. Reading the lists takes 0.1 µs, the tokenizer 13a 0.3 µs.
Finding the 46 words in a table of the hypothesis and clipping the n-grams takes 0.5 µs, most of it for branches
that no processor predicts: a table that is a quarter full is 7 % faster than one that is half full. Of n-grams
there is little to count, because places of up to 64 words are the bits of one machine word.

**Lists of tokens** and of ids take 1.1 to 1.25 times as long as strings. A token is a Python object of some 54
bytes, so the processor moves about thirteen times as many bytes as for a string: 7 ns a token. Matrices of ids with
lengths have no such objects and are as fast as strings.

**The Indel ratio** runs at 0.9 times the speed of `cpdist`. A third of the time is spent comparing, as in
RapidFuzz. The rest is the check for ASCII, which RapidFuzz takes from the Python object, the table of where
characters stand, and a tuple of the strings that keeps them alive while the interpreter lock is free.

**Two threads.** Reading the lists needs the interpreter lock. It is 0.10 of 1.17 µs, so two threads gain at most
1.84 where work that divides perfectly gains 2: 0.92 of that. Arrow columns are not read object by object.

**Queries of a language model** take 0.7 to 0.8 times as long as KenLM's. Waiting for n-grams, whose table is larger
than the caches, was three fifths of the time as long as they were searched one after another. Now those of one
length are looked up together, and each lookup asks for the slot of a longer n-gram.

**Matrices under TER** take 2.2 µs a pair: shifts are searched for every pair, and nothing of one pair serves
another.
"""


def main(arguments: list[str]) -> int:
    source = Path(arguments[0]) if arguments else FIGURES
    PAGE.write_text(page(json.loads(source.read_text(encoding="utf-8"))), encoding="utf-8")
    print(f"{PAGE.relative_to(ROOT)} from {source.name}")
    return 0


def page(report: dict[str, Any]) -> str:
    """The whole page."""
    lines = [OPENING, *_circumstances(report)]
    for name, sections in report["suites"].items():
        lines.append(f"## {name}\n")
        for section in sections:
            lines += _section(section)
    return "\n".join([*lines, CLOSING]).rstrip() + "\n"


def _circumstances(report: dict[str, Any]) -> Iterator[str]:
    """Where, when, with which versions and on which texts."""
    yield "## Machine, versions, texts\n"
    if report["options"].get("quick"):
        yield "**These figures come from a trial run on a few lines and are not meaningful.**\n"
    yield "| | |\n|---|---|"
    for name, value in report["machine"].items():
        yield f"| {name} | {_cell(value)} |"
    corpus = report["corpus"]
    yield f"| texts | {corpus['segments']:,} segments, {corpus['bytes']:,} bytes: {_cell(corpus['source'])} |"
    yield f"| repeats | {report['options']['repeat']} |"
    found = report["disagreements"]
    yield f"| scores that differ from bleuprint's | {'none' if not found else _cell('; '.join(found))} |\n"


def _section(section: dict[str, Any]) -> Iterator[str]:
    rate = bool(section["rate"])
    differs = any(row["difference"] is not None for row in section["rows"])
    head = ["", section["unit"], "spread", *["per second"] * rate, "ratio", *["difference"] * differs]
    yield f"### {section['title']}\n"
    yield f"| {' | '.join(head)} |\n|---|{'---:|' * (len(head) - 1)}"
    for row in section["rows"]:
        cells = [_cell(row["name"]), _number(row["value"]), f"{_number(row['low'])} – {_number(row['high'])}"]
        cells += [f"{1e6 / row['value']:,.0f}" if row["value"] else ""] * rate
        cells.append("" if row["ratio"] is None else f"{_number(row['ratio'])}×")
        cells += ["" if row["difference"] is None else f"{row['difference']:.2g}"] * differs
        yield f"| {' | '.join(cells)} |"
    yield ""
    for note in section["notes"]:
        yield f"{_cell(note)}\n"


def _cell(value: object) -> str:
    return str(value).replace("|", "\\|").replace("*", "\\*").replace("_", "\\_").replace("<", "&lt;")


def _number(value: float) -> str:
    """Three significant digits, without exponents."""
    size = abs(value)
    return f"{value:,.0f}" if size >= 100 else f"{value:.1f}" if size >= 10 else f"{value:.2f}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
