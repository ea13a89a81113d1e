"""Writes docs/performance.md from docs/performance.json and docs/goals.json, the output of two benchmarks.

    python -m tools.docs_site.performance

`make performance` measures everything again and then runs this; `make goals` measures only what has a goal.
"""

from __future__ import annotations

import json
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

__all__ = ["main", "page"]

ROOT = Path(__file__).resolve().parents[2]
FIGURES = ROOT / "docs" / "performance.json"
GOALS = ROOT / "docs" / "goals.json"
PAGE = ROOT / "docs" / "performance.md"

OPENING = """# Performance

`make performance` measures every figure in the tables and writes this page. The section on goals has a run of its own,
`make goals`, and profiles that were measured apart.

**How to read the tables.** The first row is the baseline: bleuprint, unless the heading says otherwise. A ratio of
80× means that a row takes eighty times as long as the baseline. All packages run one after another in the same
process, on the same texts. Ratios are computed for each repeat; the tables show the median. The spread is the fastest
and the slowest repeat. Times are CPU times of all threads, or wall times if threads are compared. *Difference* is the
largest difference between a package's scores and bleuprint's under the same definition, because a fast wrong number
does not count. Memory is the peak that a job adds to its process, without the input.
"""

GOALS_OPENING = """## Goals and what bounds them

`make goals` measures these rows and nothing else. A ratio is the row's time over ours, unless the path compares our own
rows: then it is the row's time over that of the first. The profiles below were taken with `perf record` on 2026-11-17,
on a machine that other jobs kept busy. Texts have 23 words and 100 bytes a side.
"""

# By the path, which is the title of a section: what most of the time or memory goes to, in a word, and the profile.
BOUNDS = {
    "Corpus BLEU from strings": (
        "branches that no processor predicts",
        "It takes 1.1 µs a segment. Reading the lists takes 0.1 µs, the tokenizer 13a 0.3 µs. Finding the 46 words "
        "in a table of the hypothesis and clipping the n-grams takes 0.5 µs, most of it for branches that no "
        "processor predicts: a table that is a quarter full is 7 % faster than one that is half full. Of n-grams "
        "there is little to count, because places of up to 64 words are the bits of one machine word.",
    ),
    "Corpus BLEU from tokens and ids": (
        "Python objects",
        "A third of the time is spent on reading. A token is a Python object of some 54 bytes, so the processor "
        "moves about thirteen times as many bytes as for a string. Of the reading, a quarter went to branches by "
        "the length of tokens; short ASCII is now copied as one word, which is 10 % of the whole. Fetching objects "
        "further ahead, on both of their cache lines and across lists, gained 2 % and was dropped. Writing the "
        "digits of ids without branches gained nothing. A padded matrix is read from its begin: looking for the "
        "last id from the end of each row took 1.6 times as long, because processors fetch ahead in one direction.",
    ),
    "sentence_bleu, call by call": (
        "the interpreter, and counting",
        "A call takes 2.0 µs, where a column takes 1.4 for each of the same pairs. Half of it is counting, two "
        "fifths are the interpreter's: the call, its arguments, and the `Score`.",
    ),
    "Levenshtein ratio of a column, indel": (
        "comparing, and reading strings",
        "From run to run it has 0.84 to 0.96 times the speed of `cpdist`. A quarter of the time is comparing, a "
        "sixth the table of where characters stand, an eighth the check for ASCII and the wait for the text, an "
        "eighth the ids of texts that are not ASCII, a ninth reading the strings and keeping them alive. RapidFuzz "
        "compares in the same way, and takes from the Python object whether a string is ASCII. Tried without gain: "
        "adding with carry (GCC 12 keeps no carry between words) and asking for texts ahead of time (ten thousand "
        "pairs fit in the cache).",
    ),
    "RougeScorer.score, call by call": (
        "the interpreter, and texts that come from memory",
        "A call takes 1.8 µs for pairs that were scored just before and 2.7 for new ones, whose texts come from "
        "memory. Rather less than half of it is the core's; the rest is the interpreter's: the call, the types "
        "as a key, and a dict with a tuple of three numbers for each type, which rouge-score-rs returns as well.",
    ),
    "All pairs of 400 texts": (
        "the search for shifts",
        "They are quick where an index or a bit mask of one text serves all others. TER searches shifts for every "
        "pair: 1.6 µs (2.4 before, when each pair was split into words again and divided by a Python function). A "
        "fifth is numbering the words of the pair, a fifth computes what moves would gain, an eighth fills the "
        "matrix, a fourteenth lays out its beam; nothing of one pair serves another.",
    ),
    "Two threads against one, wall time": (
        "reading lists under the interpreter lock; memory that both cores share",
        "Two threads gain 1.84 at most from lists, where work that divides perfectly gains 2: 0.92 of that. Reading "
        "is 0.10 of 1.17 µs, and it needs the interpreter lock. It waits for the heads of strings, which lie all "
        "over memory. Arrow columns are not read object by object. Hashing, which sets the mark, keeps to its "
        "registers, while counting shares caches and memory with the other core, and with whatever else runs there.",
    ),
    "Self-BLEU-5 of 1,000,000 texts, memory beyond the texts": (
        "tables of a second worker",
        "It holds 80 MB of token ids, 56 MB of rows, 20 MB of matches, the vocabulary, and the tables of one "
        "bucket. A second thread has tables of its own. What threads free stays in their heaps under glibc unless "
        "it is handed back, which is done after filling and after counting: two threads take 254 to 266 MB, 278 "
        "before, in the same CPU time.",
    ),
    "Self-BLEU-5 of 1,000,000 texts on local Spark, CPU time": (
        "rows that pass through the JVM",
        "Spark moves every table of n-grams through files, the JVM and Python processes, order by order. With "
        "500,000 texts it takes 43.5 s, one machine 2.1 s: twenty times as long. The JVM alone takes 25.4 s of it, "
        "twelve times as long as one machine, and the Python processes 18.2 s.",
    ),
    "Language model, training": (
        "counting",
        "It takes 60 ms for 20,000 lines. Two fifths estimate and count, a tenth builds the index for queries, a "
        "tenth are logarithms, a fifth reads words and numbers them.",
    ),
    "Language model, queries": (
        "waiting for memory",
        "From run to run they take 0.7 to 0.9 times as long as KenLM's, by what else is in the caches. Waiting for "
        "n-grams, whose table is larger than the caches, was three fifths of the time as long as they were searched "
        "one after another. Now those of one length are looked up together, and each lookup asks for the slot of a "
        "longer n-gram.",
    ),
}


def main() -> int:
    PAGE.write_text(
        page(*(json.loads(path.read_text(encoding="utf-8")) for path in (FIGURES, GOALS))), encoding="utf-8"
    )
    print(f"{PAGE.relative_to(ROOT)} from {FIGURES.name} and {GOALS.name}")
    return 0


def page(report: dict[str, Any], goals: dict[str, Any]) -> str:
    """The whole page."""
    lines = [OPENING, *_circumstances(report)]
    for name, sections in report["suites"].items():
        lines.append(f"## {name}\n")
        for section in sections:
            if not lacks_its_peers(section):
                lines += _section(section)
    return "\n".join([*lines, *_goals(goals)]).rstrip() + "\n"


def _goals(report: dict[str, Any]) -> Iterator[str]:
    """Every row with a goal, and the profile of its path."""
    sections = report["suites"]["goals"]
    yield GOALS_OPENING
    machine = report["machine"]
    yield f"Measured {machine['date']}, load {machine['load']}, at the end {machine['load at the end']}.\n"
    yield "| path | goal | measured | low – high | verdict | what bounds it |\n|---|---:|---:|---:|---|---|"
    for section in sections:
        for row in section["rows"]:
            if (goal := row["goal"]) is not None:
                sign, bound = ("≥", goal["at_least"]) if goal["at_least"] is not None else ("≤", goal["at_most"])
                unit = "×" if goal["of"] == "ratio" else f" {section['unit']}"
                measured, repeats = row["value"], row["raw"]
                if goal["of"] == "ratio":
                    ours = section["rows"][0]["raw"]
                    measured, repeats = row["ratio"], [one / other for one, other in zip(repeats, ours, strict=True)]
                spread = f"{_number(min(repeats))} – {_number(max(repeats))}" if len(repeats) > 1 else ""
                verdict = "reached" if goal["met"] else "**missed**"
                bounded = "" if goal["met"] else BOUNDS.get(section["title"], ("",))[0]
                path = f"{section['title']}: {row['name']}"
                cells = [
                    _cell(path),
                    f"{sign} {bound:.4g}{unit}",
                    f"{_number(measured)}{unit}",
                    spread,
                    verdict,
                    bounded,
                ]
                yield f"| {' | '.join(cells)} |"
    yield ""
    for title, (_, profile) in BOUNDS.items():
        yield textwrap.fill(f"**{_cell(title)}.** {profile}", 120, break_on_hyphens=False) + "\n"
    for section in sections:
        yield from (f"{_cell(note)}\n" for note in section["notes"] if "not measured" in note)


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


def lacks_its_peers(section: dict[str, Any]) -> bool:
    """A comparison with packages none of which was installed says nothing."""
    return len(section["rows"]) == 1 and any("is not installed" in note for note in section["notes"])


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
    sys.exit(main())
