"""Writes what fuzzers, sanitizers and leak checks came to into docs/reliability.md, between its two markers.

Run from the root of the repository after `make fuzz`, `make sanitize`, `make leaks` and `make adversarial`, which leave
their figures in build/; `make fuzzing-figures`. A part that has not run keeps no figures: it says so. What else must be
said of the runs stands in build/fuzzing-remarks.md.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "reliability.md"
BEGIN, END = "<!-- fuzzing -->", "<!-- /fuzzing -->"
ABOUT = {
    "alignments": "edits with moves, staged matches, synonyms of any bytes, alignments against plain tables",
    "boundary": "any object graph for texts, references and options of the public functions (atheris)",
    "characters": "character n-grams against maps, edit distances against the plain table, equality",
    "matrices": "Arrow arrays of every layout, resampled sums against plain loops",
    "model_files": "language models (ARPA, packed) and counts of a corpus read from any bytes",
    "pools": "Self-BLEU, crossed pools, distinct and shared n-grams, duplicates, pairs: against maps",
    "rows": "clipped n-grams against maps, overlap, corrections, changes, best matches",
    "shuffles": "Spark's blocks and tables: any bytes, and merged against one pool",
    "tokenizers": "every tokenizer, lower case, cleaning, stemmer, UTF-8, lines: raw bytes",
    "twins": "property tests of kernels against their plain twins (atheris)",
    "weighted": "priors, informed and cosine rows, language models trained, packed, read and asked",
}


def read(name: str) -> Any:
    path = ROOT / "build" / name
    return json.loads(path.read_text()) if path.exists() else None


def fuzzing() -> Iterator[str]:
    figures = read("fuzz/figures.json") or {}
    yield "| target | what | executions | minutes | features | findings open |"
    yield "|---|---|---:|---:|---:|---:|"
    for name, found in sorted(figures.items()):
        numbers = f"{found['executions']:,} | {found['seconds'] / 60:.1f} | {found['features']:,} | {found['findings']}"
        yield f"| `{name}` | {ABOUT.get(name, '')} | {numbers} |"
    total = sum(found["executions"] for found in figures.values())
    minutes = sum(found["seconds"] for found in figures.values()) / 60
    yield f"| all | | {total:,} | {minutes:.0f} | | {sum(found['findings'] for found in figures.values())} |"


def sanitizers() -> Iterator[str]:
    yield "| build | test files or folders | tests passed | findings | minutes |"
    yield "|---|---:|---:|---:|---:|"
    labels = {
        "asan": "AddressSanitizer, leaks, UndefinedBehaviorSanitizer, `_GLIBCXX_ASSERTIONS`",
        "tsan": "ThreadSanitizer",
    }
    for folder, label in labels.items():
        found = read(f"{folder}/figures.json")
        row = "not run | | | "
        if found:
            files = f"{found['files']} of {found['of']}"
            row = f"{files} | {found['tests']:,} | {found['findings']} | {found['seconds'] / 60:.0f}"
        yield f"| {label} | {row} |"


def leaks() -> Iterator[str]:
    found = read("leaks.json")
    if found is None:
        yield "Leaks: not measured."
        return
    what = f"{found['calls']:,} calls of every native entry, good and failing"
    yield f"Resident memory gained by {what}: {found['gained'] / 1024:,.0f} KiB (the test allows 4 MiB)."


def adversarial() -> Iterator[str]:
    found = read("adversarial.json")
    if found is None:
        yield "Adversarial input: not measured."
        return
    yield "| crafted words | seed known to the author | seed of the process |"
    yield "|---:|---:|---:|"
    for known, unknown in zip(found["known"], found["unknown"], strict=True):
        ratios = [row["crafted"] / row["ordinary"] for row in (known, unknown)]
        yield f"| {known['words']:,} | {ratios[0]:.1f} times ordinary words | {ratios[1]:.2f} times |"
    yield ""
    yield "| input, at three sizes | milliseconds | per byte, largest to smallest | expected |"
    yield "|---|---|---:|---|"
    for case in found["cases"]:
        times = " / ".join(f"{value * 1000:.1f}" for value in case["seconds"])
        yield f"| {case['name']} | {times} | {case['per_byte']:.2f} | {case['expected']} |"


def remarks() -> str:
    path = ROOT / "build" / "fuzzing-remarks.md"
    return path.read_text() if path.exists() else ""


def section() -> str:
    parts = [
        "## Sanitizers and fuzzing\n",
        "Written by `make fuzzing-figures` out of the last runs of `make fuzz`, `make sanitize`, `make leaks` and\n"
        "`make adversarial`. A fuzz target compares with a slow plain answer where there is one, and counts under two\n"
        "seeds of the tables, which must not differ.\n",
        "\n".join(fuzzing()) + "\n",
        "\n".join(sanitizers()) + "\n",
        remarks(),
        "\n".join(leaks()) + "\n",
        "Tables are seeded for each process by the operating system; keys are always compared whole, so that no\n"
        "result depends on the seed (`tests/test_adversarial.py`). Spark's workers share a seed that the driver\n"
        "draws, for the choice of a bucket only.\n",
        "\n".join(adversarial()) + "\n",
        "Not linear by definition: an edit distance takes n·d/32 steps for d edits and a longest common subsequence\n"
        "m·n/64, both in linear memory and given up at Ctrl-C; TER's search is bounded by its beam of 25 words and\n"
        "1,000 candidates. Limit the length of lines where texts are hostile and time matters.\n",
    ]
    parts.append(
        "The extension declares itself safe for a Python without the interpreter lock: tables are made for a call,\n"
        "what lives longer never changes or has a lock of its own, and ThreadSanitizer runs eight Python threads over\n"
        "it. It has not been run on a free-threaded interpreter.\n"
    )
    return "\n".join([BEGIN, *parts, END])


def main() -> None:
    page = PAGE.read_text() if PAGE.exists() else f"# Reliability\n\n{BEGIN}\n{END}\n"
    if BEGIN not in page:
        page = page.rstrip() + f"\n\n{BEGIN}\n{END}\n"
    before, after = page[: page.index(BEGIN)], page[page.index(END) + len(END) :]
    PAGE.write_text(before + section() + after)


if __name__ == "__main__":
    main()
