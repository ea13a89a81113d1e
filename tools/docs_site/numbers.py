"""Writes docs/numbers.md: the figures that people cite, each from the file that a command wrote.

    python -m tools.docs_site.numbers

Nothing is measured here. Run it after the commands that the page names; a test says when the page is out of date.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from tools.reliability_tables.sections import ROOT, section, table

__all__ = ["PAGE", "main", "page"]

PAGE = ROOT / "docs" / "numbers.md"
SPEED, RELIABILITY, AGREEMENT = "docs/performance.json", "docs/reliability.md", "docs/which-metric.md"
RECORDS = {"BLEU": "tests/parity/wmt22_record.json", "chrF": "tests/parity/wmt22_chrf_record.json"}
CommitOf = Callable[[str, str], str]
_NOT_PEERS = {"bleuprint", "numpy", "pyarrow"}
_AGREEMENT_SHOWN = ("bleu", "chrf")

OPENING = """# Numbers to cite

Every figure on this page comes from a file that a command wrote. Each section names the command, the file, and the
commit that last changed the figures. `python -m tools.docs_site.numbers` collects them again.

## How to cite

Cite the version that you used, and publish the signature next to each score: it has every option that can change the
number. `CITATION.cff` in the repository has the entry for bibliographies.
[Put scores into a paper](how-to/put-scores-into-a-paper.md) shows a table with signatures.

If you cite a figure of this page, name its version, machine and date as well. Times differ between machines. Ratios
differ less.
"""


def main() -> int:
    PAGE.write_text(page(_last_change), encoding="utf-8")
    print(f"{PAGE.relative_to(ROOT)} from {', '.join([SPEED, RELIABILITY, AGREEMENT, *RECORDS.values()])}")
    return 0


def page(commit_of: CommitOf) -> str:
    """The whole page; `commit_of` says which commit last changed a file, or a section of it."""
    lines = [OPENING, *_speed(commit_of), *_parity(commit_of), *_published(commit_of), *_reliability(commit_of)]
    return "\n".join([*lines, *_agreement(commit_of)]).rstrip() + "\n"


def _last_change(source: str, name: str = "") -> str:
    """The commit and its date, from the history of the repository."""

    def content(text: str) -> str:
        return section(text, name) if name else text

    found, now = "not committed", content(_read(source))
    for commit in _git("log", "--format=%h of %cs", "--", source).splitlines():
        if content(_git("show", f"{commit.partition(' ')[0]}:{source}")) != now:
            break
        found = commit
    return found


def _git(*arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=True).stdout


def _read(source: str) -> str:
    return (ROOT / source).read_text(encoding="utf-8")


def _source(command: str, source: str, commit_of: CommitOf) -> str:
    return f"Command: `{command}`. File: `{source}`, commit {commit_of(source, '')}.\n"


def _paragraph(*sentences: str) -> str:
    return textwrap.fill(" ".join(sentences), 120, break_long_words=False, break_on_hyphens=False) + "\n"


def _speed(commit_of: CommitOf) -> Iterator[str]:
    report = json.loads(_read(SPEED))
    machine, corpus = report["machine"], report["corpus"]
    packages = _packages(report)
    yield "## Speed and memory\n"
    yield _source("make performance", SPEED, commit_of)
    yield _paragraph(
        f"bleuprint {packages['bleuprint']} with {machine['python']} on {machine['processor']}, {machine['machine']},",
        f"at {machine['date']}. The texts are {corpus['segments']:,} segments: {corpus['source']}.",
        "A ratio of 80× means that the other package takes eighty times as long, or eighty times the memory.",
        "Below 1× the other one is faster. [Performance](performance.md) has all rows, times and spreads.",
    )
    rows = []
    for part in (part for suite in report["suites"].values() for part in suite):
        for row in part["rows"]:
            if _peer(row["name"], packages) and row["ratio"] is not None:
                own = _number(part["rows"][0]["value"], part["unit"])
                other = _cell(_versioned(row["name"], packages))
                rows.append([_cell(part["title"]), own, other, f"{_significant(row['ratio'])}×"])
    yield table(["what", "bleuprint", "next to", "ratio"], rows) + "\n"


def _peer(name: str, packages: Mapping[str, str]) -> str:
    """The package that a row measures; empty if it is bleuprint itself, or no package."""
    plain = name.lower().replace("_", "-")
    known = [package for package in packages if package not in _NOT_PEERS and plain.startswith(package.lower())]
    return max(known, key=len, default="")


def _versioned(name: str, packages: Mapping[str, str]) -> str:
    package = _peer(name, packages)
    own, rest = name[: len(package)], name[len(package) :]
    return f"{name} ({own} {packages[package]})" if rest.startswith(".") else f"{own} {packages[package]}{rest}"


def _parity(commit_of: CommitOf) -> Iterator[str]:
    report = json.loads(_read(SPEED))
    packages = _packages(report)
    differences: dict[str, list[float]] = {}
    for row in (row for suite in report["suites"].values() for part in suite for row in part["rows"]):
        if row["difference"] is not None and _peer(row["name"], packages):
            differences.setdefault(_peer(row["name"], packages), []).append(row["difference"])
    yield "## Agreement with other packages\n"
    yield _source("make performance", SPEED, commit_of)
    yield _paragraph(
        "The benchmark compares scores as well as times, each under the same definition. The difference is the largest",
        "of a row, and in this table the largest of all rows. KenLM stores probabilities in 32 bits.",
        f"Scores that differ beyond rounding: {'; '.join(report['disagreements']) or 'none'}.",
    )
    cells = [
        [name, packages[name], str(len(found)), f"{max(found):.1g}" if max(found) else "0"]
        for name, found in sorted(differences.items())
    ]
    yield table(["package", "version", "comparisons", "largest difference"], cells) + "\n"
    yield _paragraph(
        "`make test` compares every metric with another package, with published numbers or with a plain",
        "implementation. The [card of each metric](../src/bleuprint/metrics/cards) names it and its version.",
    )


def _packages(report: Mapping[str, Any]) -> dict[str, str]:
    """The versions of all packages that were measured."""
    return dict(part.rsplit(" ", 1) for part in report["machine"]["packages"].split(", "))


def _published(commit_of: CommitOf) -> Iterator[str]:
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
        yield "".join(f"- {row['system']}, {row['pair']}, {row['metric']}: {row['reason']}\n" for row in missed)
        test = Path(source).stem.removesuffix("_record")
        yield _source(f"pytest tests/parity/test_{test}.py", source, commit_of)


def _reliability(commit_of: CommitOf) -> Iterator[str]:
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
    yield "## Reliability\n"
    yield f"File: `{RELIABILITY}`. [Reliability](reliability.md) says what each of these means.\n"
    cells = [[what, result, f"`make {name}`", commit_of(RELIABILITY, part)] for what, result, name, part in found]
    yield table(["what", "result", "command", "commit"], cells) + "\n"


def _first_line(text: str, name: str) -> str:
    return section(text, name).strip().partition("\n")[0].replace("**", "").partition(";")[0].removesuffix(".")


def _agreement(commit_of: CommitOf) -> Iterator[str]:
    yield "## Agreement with people\n"
    yield _source("make agreement", AGREEMENT, commit_of)
    yield _paragraph(
        "Pearson correlations of scores with human ratings, with 95 % intervals over segments: BLEU, chrF, and the",
        "metric that agrees best. Often others cannot be told apart from it. A † marks metrics that are not shown to",
        "agree at all. [Which metric?](which-metric.md#what-people-say) has all metrics and describes the data.",
    )
    for level in ("Segments", "Systems"):
        part = _read(AGREEMENT).partition(f"### {level}\n")[2].partition("\n### ")[0]
        head, *rows = _rows(part)
        by_metric = {row[0]: [cell.replace("**", "") for cell in row] for row in rows}
        best = dict(re.findall(r"^- (.*): (\S+) agrees best", part, re.MULTILINE))
        found = []
        for place, ratings in enumerate(head[1:], start=1):
            name = best.get(ratings.partition("<br>")[0])
            shown = [by_metric[metric][place] for metric in _AGREEMENT_SHOWN]
            highest = f"{name}: {by_metric[name][place]}" if name else "none"
            found.append([ratings.replace("<br>", " "), *shown, highest])
        yield f"### {level}\n"
        yield table(["ratings", "BLEU", "chrF", "best"], found) + "\n"


def _rows(text: str) -> list[list[str]]:
    """The head and the rows of a table in Markdown."""
    lines = [line for line in text.splitlines() if line.startswith("|") and not re.match(r"\| ?-", line)]
    return [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines]


def _significant(value: float) -> str:
    """Two significant digits at least: what a ratio of times is good for."""
    return f"{value:,.0f}" if value >= 10 else f"{value:.1f}" if value >= 1 else f"{value:.2f}"


def _number(value: float, unit: str) -> str:
    return f"{value:,.0f} {unit}" if value >= 100 else f"{value:.3g} {unit}"


def _cell(text: object) -> str:
    return str(text).replace("|", "\\|").replace("*", "\\*").replace("_", "\\_").replace("<", "&lt;")


if __name__ == "__main__":
    sys.exit(main())
