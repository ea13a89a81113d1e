"""Writes what the benchmarks measured: docs/performance.md, bench/tables/speed.md, and the tables in README.md and
docs/seen-before.md.

    python -m tools.docs_site.performance

The figures are those of docs/performance.json (`make performance`) and docs/goals.json (`make goals`).
"""

from __future__ import annotations

import json
import sys
import textwrap
from collections.abc import Iterator, Sequence
from statistics import median
from typing import Any, NamedTuple

from tools.reliability_tables.sections import ROOT, table, with_section

FIGURES = ROOT / "docs" / "performance.json"
GOALS = ROOT / "docs" / "goals.json"
PAGE = ROOT / "docs" / "performance.md"
README = ROOT / "README.md"
SEEN = ROOT / "docs" / "seen-before.md"
TABLES = ROOT / "bench" / "tables" / "speed.md"

Figures = dict[str, Any]


class Job(NamedTuple):
    """What users ask about: a section of a suite, our row in it, and the rows of the peers, the best known first."""

    name: str
    suite: str
    section: str
    ours: str
    peers: Sequence[str] = ()
    units: int | None = None  # how many the job has, where the time of the whole job says more


JOBS = (
    Job("Corpus BLEU, from strings", "bleu", "Corpus BLEU, 13a", "bleuprint", ("sacrebleu", "bleuscore")),
    Job(
        "Sentence BLEU, call by call",
        "bleu",
        "sentence_bleu, call by call",
        "bleuprint",
        ("sacrebleu", "bleuscore, no smoothing"),
    ),
    Job("chrF", "chrf", "Corpus chrF, lists", "bleuprint", ("sacrebleu, 500 segments",)),
    Job("TER", "ter", "Corpus TER, 300 segments", "bleuprint", ("sacrebleu",)),
    Job("ROUGE-1/2/L", "rouge", "ROUGE-1/2/L of a column", "bleuprint, corpus_rouge", ("rouge_score", "rouge-rust")),
    Job("METEOR", "meteor", "METEOR of a column", "bleuprint", ("nltk",)),
    Job("Peak memory, corpus BLEU of 50,000 segments", "bleu", "Peak extra memory", "bleuprint", ("sacrebleu",)),
    Job("Self-BLEU-4 of 50,000 texts", "self-bleu", "Self-BLEU-4 of 50,000", "bleuprint", ("fast_bleu",), 50_000),
    Job("Self-BLEU-5 of 1,000,000 texts", "self-bleu", "Growth of Self-BLEU-5, one", "1,000,000 texts", (), 1_000_000),
    Job(
        "Paired bootstrap, 1,000 resamples of 27,000 segments",
        "significance",
        "Paired bootstrap",
        "bleuprint, own draws",
        ("sacrebleu",),
        1000,
    ),
    Job("Perplexity, n-gram model", "lm", "log10 probabilities", "bleuprint", ("ufal.kenlm",)),
    Job("HTML report of 10 systems with 549 segments", "report", "Report, 549 segments, BLEU", "10 systems"),
    Job("Start-up: `import`", "start-up", "import, CPU time", "bleuprint", ("sacrebleu", "nltk")),
)
OF_README = ("Corpus BLEU", "chrF", "TER", "ROUGE", "Peak memory", "Self-BLEU", "Paired bootstrap")

INDEX_GROWTH = {  # the sections of the suite, and what the table calls them
    "Building: CPU time": "build, s",
    "Building: text per minute": "text per minute, GB",
    "Building with --memory": "allocated at most, MB",
    "Bytes of the index": "bytes per token",
    "novelty of every order up to 13: texts that are seen": "query of a seen text, µs",
    "novelty of every order up to 13: texts that are unseen": "of an unseen one, µs",
}

OPENING = """# Performance

How long common jobs take, next to the packages that people use for them today. `make performance` measures everything
again and writes this page.

"""

READING = """
All packages ran on the same texts, one after another. Times are CPU times of one thread. A ratio of 80× means that the
other package takes 80 times as long, or 80 times the memory; it is the median over all repeats. Times differ between
machines, ratios differ less. Scores that differ beyond rounding under the same definition: {found}.

The last column is the suite that measures a row: `python -m bench --suite bleu`. `make bench` installs the packages.
[All tables](../bench/tables/speed.md) have every path, spreads, memory, and the goals that are met or missed.
[Benchmarks](../bench/README.md) explains how they are measured.
"""

TABLES_OPENING = """# Speed: all tables

`make performance` measures every figure in the tables and writes this page. The section on goals has a run of its own,
`make goals`.

**How to read the tables.** The first row is the baseline: bleuprint, unless the heading says otherwise. A ratio of
80× means that a row takes eighty times as long as the baseline. All packages run one after another in the same
process, on the same texts. Ratios are computed for each repeat; the tables show the median. The spread is the fastest
and the slowest repeat. Times are CPU times of all threads, or wall times if threads are compared. *Difference* is the
largest difference between a package's scores and bleuprint's under the same definition. Memory is the peak that a job
adds to its process, without the input.
"""

GOALS_OPENING = """## Goals

`make goals` measures these rows and nothing else. A ratio is the row's time over ours, unless the path compares our own
rows: then it is the row's time over that of the first. [Profiles](profiles.md) show what bounds each path.
"""


def main() -> int:
    report, goals = (json.loads(path.read_text(encoding="utf-8")) for path in (FIGURES, GOALS))
    PAGE.write_text(page(report), encoding="utf-8")
    README.write_text(with_section(README.read_text(encoding="utf-8"), "speed", readme(report)), encoding="utf-8")
    seen = with_section(SEEN.read_text(encoding="utf-8"), "figures", index_growth(report))
    SEEN.write_text(with_section(seen, "search", search_speed(report)), encoding="utf-8")
    TABLES.write_text(tables(report, goals), encoding="utf-8")
    written = ", ".join(str(path.relative_to(ROOT)) for path in (PAGE, README, SEEN, TABLES))
    print(f"{written} from {FIGURES.name} and {GOALS.name}")
    return 0


def page(report: Figures) -> str:
    """The page of the manual: one row per job, and where and when it was measured."""
    machine, corpus = report["machine"], report["corpus"]
    measured = (
        f"Measured {machine['date']} on {machine['processor']}, {machine['machine']}, with {machine['python']}. "
        f"The texts are {corpus['segments']:,} segments: {corpus['source']}."
    )
    measured_jobs = [job for job in JOBS if job.suite in report["suites"]]
    rows = [[job.name, _own(job, report), _peers(job, report), f"`{job.suite}`"] for job in measured_jobs]
    return "".join(
        [
            OPENING,
            f"{_wrap(measured)}\n\n",
            table(["job", "bleuprint", "other packages", "suite"], rows),
            "\n",
            READING.format(found="; ".join(report["disagreements"]) or "none"),
        ]
    )


def readme(report: Figures) -> str:
    """The table of the README: some of the jobs."""
    rows = [[job.name, _own(job, report), _peers(job, report)] for job in JOBS if job.name.startswith(OF_README)]
    return table(["job", "bleuprint", "other packages"], rows)


def index_growth(report: Figures) -> str:
    """The table of docs/seen-before.md: an index of ever more text."""
    parts = [part for part in report["suites"]["index"] for title in INDEX_GROWTH if part["title"].startswith(title)]
    rows = [
        [row["name"], *(_number(part["rows"][at]["value"]) for part in parts)]
        for at, row in enumerate(parts[0]["rows"])
    ]
    grows = [
        part["notes"][0].rpartition(": ")[2] for part in parts if part["notes"][:1] and "exponent" in part["notes"][0]
    ]
    said = (
        f"Measured {report['machine']['date']}. Building grows with an exponent of {grows[0]}, queries of seen texts "
        f"with {grows[1]} and of unseen texts with {grows[2]}."
    )
    return f"{table(['text', *INDEX_GROWTH.values()], rows)}\n\n{_wrap(said)}"


def search_speed(report: Figures) -> str:
    """The table of docs/seen-before.md: a corpus that is read once."""
    race, *growth = report["suites"]["seen"]
    rows = [
        [row["name"], _number(row["value"]), f"{_number(row['low'])} – {_number(row['high'])}"] for row in race["rows"]
    ]
    grown = []
    for part in growth:
        first, last = part["rows"][0], part["rows"][-1]
        exponent = part["notes"][0].rpartition(": ")[2]
        what = part["title"].rpartition(": ")[2]
        grown.append(
            f"{what}: {_number(first['value'])} {part['unit']} for {first['name']}, {_number(last['value'])} "
            f"{part['unit']} for {last['name']} (exponent {exponent})"
        )
    said = f"Measured {report['machine']['date']}. {race['title']}. {race['notes'][0]} " + "; ".join(grown) + "."
    return f"{table(['what', 'MB/s', 'spread'], rows)}\n\n{_wrap(said)}"


def tables(report: Figures, goals: Figures) -> str:
    """Everything that was measured."""
    lines = [TABLES_OPENING, *_circumstances(report)]
    for name, sections in report["suites"].items():
        lines.append(f"## {name}\n")
        for section in sections:
            if not lacks_its_peers(section):
                lines += _section(section)
    return "\n".join([*lines, *_goals(goals)]).rstrip() + "\n"


def _rows(job: Job, report: Figures) -> tuple[str, dict[str, Figures]]:
    """The unit of a job, and its rows by name."""
    (section,) = (part for part in report["suites"][job.suite] if part["title"].startswith(job.section))
    return section["unit"], {row["name"]: row for row in section["rows"]}


def _own(job: Job, report: Figures) -> str:
    unit, rows = _rows(job, report)
    value = rows[job.ours]["value"]
    if job.units is None:
        return f"{value:#.2g} {unit}"
    seconds = value * job.units / 1e6
    return f"{seconds:.1f} s" if seconds >= 1 else f"{1000 * seconds:.0f} ms"


def _peers(job: Job, report: Figures) -> str:
    """Each peer with its version and how many times longer it takes."""
    _, rows = _rows(job, report)
    versions = dict(part.rsplit(" ", 1) for part in report["machine"]["packages"].split(", "))
    ours = rows[job.ours]["raw"]
    found = []
    for peer in job.peers:
        name = peer.partition(",")[0]
        ratio = median(theirs / own for theirs, own in zip(rows[peer]["raw"], ours, strict=True))
        found.append(f"{_cell(name)} {versions[name.replace('_', '-')]}: {ratio:,.{0 if ratio >= 10 else 1}f}×")
    return ", ".join(found)


def _goals(report: Figures) -> Iterator[str]:
    """Every row with a goal."""
    sections = report["suites"]["goals"]
    yield GOALS_OPENING
    machine = report["machine"]
    yield f"Measured {machine['date']}, load {machine['load']}, at the end {machine['load at the end']}.\n"
    yield "| path | goal | measured | low – high | verdict |\n|---|---:|---:|---:|---|"
    for section in sections:
        for row in section["rows"]:
            if (goal := row["goal"]) is not None:
                sign, bound = ("≥", goal["at_least"]) if goal["at_least"] is not None else ("≤", goal["at_most"])
                unit = "×" if goal["of"] == "ratio" else f" {section['unit']}"
                measured, repeats = row["value"], row["raw"]
                if goal["of"] == "ratio":
                    ours = section["rows"][0]["raw"]
                    measured, repeats = row["ratio"], [one / other for one, other in zip(repeats, ours, strict=True)]
                cells = [
                    _cell(f"{section['title']}: {row['name']}"),
                    f"{sign} {bound:.4g}{unit}",
                    f"{_number(measured)}{unit}",
                    f"{_number(min(repeats))} – {_number(max(repeats))}" if len(repeats) > 1 else "",
                    "reached" if goal["met"] else "**missed**",
                ]
                yield f"| {' | '.join(cells)} |"
    yield ""
    for section in sections:
        yield from (f"{_cell(note)}\n" for note in section["notes"] if "measured" in note)


def _circumstances(report: Figures) -> Iterator[str]:
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


def lacks_its_peers(section: Figures) -> bool:
    """A comparison with packages none of which was installed says nothing."""
    return len(section["rows"]) == 1 and any("is not installed" in note for note in section["notes"])


def _section(section: Figures) -> Iterator[str]:
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


def _wrap(text: str) -> str:
    return textwrap.fill(text, 120, break_long_words=False, break_on_hyphens=False)


if __name__ == "__main__":
    sys.exit(main())
