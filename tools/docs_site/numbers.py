"""Writes the figures that people cite, each from the file that a command wrote.

    python -m tools.docs_site.numbers

It writes docs/numbers.md and the summaries in docs/reliability.md and docs/which-metric.md. Nothing is measured here.
Run it after the commands that the pages name; a test says when a page is out of date.
"""

from __future__ import annotations

import json
import re
import sys
import textwrap
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from tools.reliability_tables.sections import ROOT, date_of, section, table, with_section

PAGE = ROOT / "docs" / "numbers.md"
SPEED = "docs/performance.json"
RELIABILITY, AGREEMENT = "bench/tables/reliability.md", "bench/tables/agreement.md"
RECORDS = {"BLEU": "tests/parity/wmt22_record.json", "chrF": "tests/parity/wmt22_chrf_record.json"}
_NOT_PEERS = {"bleuprint", "numpy", "pyarrow"}
_AGREEMENT_SHOWN = ("bleu", "chrf")

OPENING = """# Numbers to cite

Every figure here comes from a file that a command wrote.

## How to cite

Cite the version that you used, and publish the signature next to each score: it has every option that can change the
number. `CITATION.cff` in the repository has the entry for bibliographies.
[Put scores into a paper](how-to/put-scores-into-a-paper.md) shows a table with signatures.

These pages have other figures to cite. Name the version, machine and date with them.

| figures | command |
|---|---|
| [Performance](performance.md): time and memory, next to other packages | `make performance` |
| [Reliability](reliability.md): hostile input, coverage, fuzzing, sanitizers | `make hostile`, `make figures` |
| [Agreement with people](which-metric.md#what-people-say): correlations with human ratings | `make agreement` |
"""


def main() -> int:
    for path, text in pages().items():
        path.write_text(text, encoding="utf-8")
        print(f"{path.relative_to(ROOT)} written")
    return 0


def pages() -> dict[Path, str]:
    """Every page with figures."""
    summaries = {"reliability.md": reliability, "which-metric.md": agreement}
    written = {ROOT / "docs" / name: text() for name, text in summaries.items()}
    return {PAGE: page()} | {
        path: with_section(path.read_text(encoding="utf-8"), "summary", text) for path, text in written.items()
    }


def page() -> str:
    """The page of numbers to cite."""
    return "\n".join([OPENING, *_parity(), *_published()]).rstrip() + "\n"


def _read(source: str) -> str:
    return (ROOT / source).read_text(encoding="utf-8")


def _paragraph(*sentences: str) -> str:
    return textwrap.fill(" ".join(sentences), 120, break_long_words=False, break_on_hyphens=False) + "\n"


def _peer(name: str, packages: Mapping[str, str]) -> str:
    """The package that a row measures; empty if it is bleuprint itself, or no package."""
    plain = name.lower().replace("_", "-")
    known = [package for package in packages if package not in _NOT_PEERS and plain.startswith(package.lower())]
    return max(known, key=len, default="")


def _item(text: str) -> str:
    wrapped = textwrap.fill(text, 120, initial_indent="- ", subsequent_indent="  ", break_on_hyphens=False)
    return f"{wrapped}\n"


def _parity() -> Iterator[str]:
    report = json.loads(_read(SPEED))
    packages = _packages(report)
    differences: dict[str, list[float]] = {}
    for row in (row for suite in report["suites"].values() for part in suite for row in part["rows"]):
        if row["difference"] is not None and _peer(row["name"], packages):
            differences.setdefault(_peer(row["name"], packages), []).append(row["difference"])
    yield "## Agreement with other packages\n"
    yield f"Command: `make performance`, {report['machine']['date']}. File: `{SPEED}`.\n"
    yield _paragraph(
        "The benchmark compares scores as well as times, each under the same definition. The table has the largest",
        "difference between two scores. KenLM stores probabilities in 32 bits.",
        f"Scores that differ beyond rounding: {'; '.join(report['disagreements']) or 'none'}.",
    )
    cells = [
        [name, packages[name], str(len(found)), f"{max(found):.1g}" if max(found) else "0"]
        for name, found in sorted(differences.items())
    ]
    yield table(["package", "version", "comparisons", "largest difference"], cells) + "\n"
    yield (
        "`make test` compares every metric with another package, published numbers or a plain implementation. The\n"
        "[card of each metric](../src/bleuprint/metrics/cards) names it and its version.\n"
    )


def _packages(report: Mapping[str, Any]) -> dict[str, str]:
    """The versions of all packages that were measured."""
    return dict(part.rsplit(" ", 1) for part in report["machine"]["packages"].split(", "))


def _published() -> Iterator[str]:
    yield "## Published scores reproduced\n"
    yield _paragraph(
        "Scores that the organizers of WMT22 published, computed again from the released texts.",
        "Reproduced means a relative difference below 10⁻⁹.",
    )
    for name, source in RECORDS.items():
        record = json.loads(_read(source))
        missed, published = record["not_reproduced"], record["published_rows"]
        kept = f"**{name}: {published - len(missed)} of {published}.**"
        yield f"{kept} sacrebleu {record['sacrebleu']} misses the same ones.\n"
        yield "".join(_item(f"{row['system']}, {row['pair']}, {row['metric']}: {row['reason']}") for row in missed)
        yield f"Command: `pytest tests/parity/test_wmt22.py`. File: `{source}`.\n"


def reliability() -> str:
    """The table of docs/reliability.md: what was run, and the result."""
    text = _read(RELIABILITY)
    head, *battery = _rows(section(text, "battery"))
    totals = [row for row in battery if row[0].startswith("**")]
    numbers = {name: sum(int(row[place] or 0) for row in totals) for place, name in enumerate(head) if place}
    worse = ", ".join(f"{numbers[name]:,} {name}" for name in head[4:] if numbers[name]) or "nothing worse"
    fuzzed = _rows(section(text, "fuzzing"))[-1]
    cases = f"{numbers['number']:,}: {numbers['right']:,} right, {numbers['clear']:,} clear errors, {worse}"
    found = [
        ["hostile cases", cases, "hostile", "battery"],
        ["lines that tests run", _first_line(text, "coverage"), "coverage", "coverage"],
        ["wrong formulas that tests notice", _first_line(text, "mutation"), "mutants", "mutation"],
        ["fuzzing", f"{fuzzed[2]} executions in {fuzzed[3]} minutes, {fuzzed[5]} findings open", "fuzz", "fuzzing"],
    ]
    for build, _, passed, _, findings, *_ in _rows(section(text, "sanitizers"))[1:]:
        result = f"{passed} tests passed, {findings} findings"
        found.append([build.partition(",")[0], result, "sanitize", "sanitizers"])
    found.append(["memory leaks", _first_line(text, "leaks"), "leaks", "leaks"])
    cells = [[what, result, f"`make {name}`", date_of(section(text, part))] for what, result, name, part in found]
    return table(["what", "result", "command", "measured"], cells)


def _first_line(text: str, name: str) -> str:
    return section(text, name).strip().partition("\n")[0].replace("**", "").partition(";")[0].removesuffix(".")


def agreement() -> str:
    """The tables of docs/which-metric.md: BLEU, chrF, and the metric that agrees best with people."""
    text = _read(AGREEMENT)
    parts = []
    for level in ("Segments", "Systems"):
        part = text.partition(f"### {level}\n")[2].partition("\n### ")[0]
        head, *rows = _rows(part)
        by_metric = {row[0]: [cell.replace("**", "") for cell in row] for row in rows}
        best = dict(re.findall(r"^- (.*): (\S+) agrees best", part, re.MULTILINE))
        found = []
        for place, ratings in enumerate(head[1:], start=1):
            name = best.get(ratings.partition("<br>")[0])
            shown = [by_metric[metric][place] for metric in _AGREEMENT_SHOWN]
            highest = f"{name}: {by_metric[name][place]}" if name else "none"
            found.append([ratings.replace("<br>", " "), *shown, highest])
        parts += [f"### {level}", table(["ratings", "BLEU", "chrF", "best"], found)]
    measured = date_of(text.partition("<!-- end -->")[0])
    return "\n\n".join([*parts, f"Command: `make agreement`, {measured}. File: `{AGREEMENT}`."])


def _rows(text: str) -> list[list[str]]:
    """The head and the rows of a table in Markdown."""
    lines = [line for line in text.splitlines() if line.startswith("|") and not re.match(r"\| ?-", line)]
    return [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines]


if __name__ == "__main__":
    sys.exit(main())
