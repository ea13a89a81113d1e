"""Measure how well all metrics agree with people, and write the tables of `bench/tables/agreement.md`.

The data is read from `../shared/data`, or from the folder that BLEUPRINT_SHARED names: expert ratings of translations
(MQM, WMT21 TED talks), ratings of simplifications (SimpDA), and crowd ratings of translations (WMT22).

    python -m tools.human_agreement --write
"""

from __future__ import annotations

import argparse
import csv
import io
import lzma
import os
import tarfile
from collections.abc import Iterator, Sequence
from datetime import date
from pathlib import Path
from typing import Any

import bleuprint as bp
from bleuprint.ratings.agreement.result import Agreement, LevelAgreement

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "bench" / "tables" / "agreement.md"
BEGIN, END = "<!-- begin: python -m tools.human_agreement --write -->\n", "<!-- end -->\n"
CROWD = ("cs-en", "de-en", "ru-en")
_WMT22 = "generaltest2022"


def data_folder() -> Path:
    """The folder with the data."""
    named = os.environ.get("BLEUPRINT_SHARED")
    return (Path(named) if named else ROOT.parent / "shared") / "data"


def rows_of(path: Path, delimiter: str) -> list[dict[str, Any]]:
    """The rows of a compressed table."""
    text = lzma.decompress(path.read_bytes()).decode()
    return list(csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True))


def crowd_rows(folder: Path, pairs: Sequence[str]) -> dict[str, list[dict[str, Any]]]:
    """Crowd ratings by language pair, with the texts of the rated lines."""
    texts: dict[str, list[str]] = {}
    with tarfile.open(folder / "wmt22.tar.xz") as archive:
        for member in archive:
            name = Path(member.name).name
            if member.isfile() and name.startswith(tuple(f"{_WMT22}.{pair}." for pair in pairs)):
                content = archive.extractfile(member)
                if content is not None:
                    texts[name] = content.read().decode().removesuffix("\n").split("\n")
    found = {}
    for pair in pairs:
        source, target = pair.split("-")
        sources = texts[f"{_WMT22}.{pair}.src.{source}"]
        references = texts[next(name for name in sorted(texts) if name.startswith(f"{_WMT22}.{pair}.ref."))]
        rows = []
        for row in rows_of(folder / "human" / "wmt22-da" / f"{pair}.tsv.xz", "\t"):
            outputs = texts.get(f"{_WMT22}.{pair}.hyp.{row['system']}.{target}")
            if outputs is None:
                raise SystemExit(f"{pair}: there are no outputs of {row['system']}")
            line = int(row["segment"]) - 1
            rows.append(row | {"source": sources[line], "hypothesis": outputs[line], "reference": references[line]})
        found[pair] = rows
    return found


def measure(folder: Path) -> dict[str, Agreement]:
    """The agreement of all metrics with the ratings of every data set."""
    human = folder / "human"
    results = {
        "MQM, TED talks, en-de": bp.Ratings.read(rows_of(human / "mqm-ted-en-de.tsv.xz", "\t"), "mqm").agreement(),
        "simplifications": bp.Ratings.read(
            rows_of(human / "simpda.csv.xz", ","), ["fluency", "meaning", "simplicity"]
        ).agreement(),
    }
    for pair, rows in crowd_rows(folder, CROWD).items():
        results[f"crowd, news, {pair}"] = bp.Ratings.read(rows, "z").agreement()
    return results


def document(results: dict[str, Agreement]) -> str:
    """What stands between the markers."""
    parts = []
    for level, heading in (("segment", "Segments"), ("system", "Systems")):
        found = {
            name if len(result.raters) == 1 else f"{name}, {entry.human}": entry
            for name, result in results.items()
            for entry in result.levels
            if entry.level == level
        }
        parts += [f"### {heading}\n\n", table(found), "\n", *_verdicts(found), "\n"]
    return "".join(parts).rstrip("\n") + "\n"


def table(levels: dict[str, LevelAgreement]) -> str:
    """A row per metric, a column per data set: Pearson's r with its interval.

    Metrics are ordered by the first data set.
    """
    counted = [
        f"{entry.systems} systems" if entry.level == "system" else f"{entry.outputs:,} outputs"
        for entry in levels.values()
    ]
    heads = [f"{name}<br>({count})" for name, count in zip(levels, counted, strict=True)]
    lines = [f"| metric | {' | '.join(heads)} |", f"|---|{'---:|' * len(heads)}"]
    names = dict.fromkeys(metric.metric for entry in levels.values() for metric in entry.metrics)
    for name in names:
        cells = [_cell(entry, name) for entry in levels.values()]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _cell(entry: LevelAgreement, name: str) -> str:
    known = {metric.metric: metric for metric in entry.metrics}
    if name not in known:
        return ""
    metric = known[name]
    estimate = metric.statistics["pearson"]
    if estimate.value is None:
        return "–"
    shown = _two_digits(estimate.value)
    shown = f"**{shown}**" if metric.best_rank == 1 and metric.agrees else shown
    mark = "" if metric.agrees else "†"
    if estimate.low is None or estimate.high is None:
        return f"{shown}{mark}"
    return f"{shown}{mark} ({_two_digits(estimate.low)} … {_two_digits(estimate.high)})"


def _two_digits(value: float) -> str:
    return f"{round(value, 2) + 0.0:.2f}"  # never -0.00


def _verdicts(levels: dict[str, LevelAgreement]) -> Iterator[str]:
    for name, entry in levels.items():
        yield f"- {name}: {entry.verdict}\n"


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print, and write the page if asked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="write the tables into bench/tables/agreement.md")
    options = parser.parse_args(arguments)
    text = document(measure(data_folder()))
    print(text, end="")
    if options.write:
        page = PAGE.read_text(encoding="utf-8")
        before, _, rest = page.partition(BEGIN)
        _, _, after = rest.partition(END)
        PAGE.write_text(f"{before}{BEGIN}{text}\nMeasured {date.today()}.\n{END}{after}", encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
