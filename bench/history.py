"""Runs of different commits, compared: ratios to peers that were measured in the same run, and what became of them."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bench.data import ROOT
from bench.results import Report

Ratios = Mapping[str, float]  # by section and row
NOTICED = 0.9  # a peer's ratio below this share of what it was is named: we became slower


def ratios(content: Mapping[str, Any]) -> Ratios:
    """How many times our figure each row of each section has; sections of our own rows have none that move."""
    return {
        f"{section['title']} | {row['name']}": float(row["ratio"])
        for sections in content["suites"].values()
        for section in sections
        for row in section["rows"][1:]
        if row["ratio"] is not None
    }


def read_ratios(path: Path) -> Ratios:
    """The ratios of a file that --json wrote."""
    try:
        return ratios(json.loads(path.read_text(encoding="utf-8")))
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"{path} holds no figures ({type(error).__name__}: {error})") from None


def append(path: Path, report: Report) -> None:
    """Add a run to the history: one line of JSON with its date, commit, machine and ratios."""
    content = json.loads(report.to_json())
    line = {**content["machine"], "commit": _commit(), "options": content["options"], "ratios": ratios(content)}
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(line, ensure_ascii=False) + "\n")


def _commit() -> str:
    command = ["git", "describe", "--always", "--dirty"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout.strip() or "unknown"


def comparison(before: Ratios, after: Ratios) -> str:
    """Each ratio over its earlier value, those that fell the most first.

    >>> print(comparison({"a | peer": 10.0, "b | peer": 5.0, "c | peer": 1.0}, {"a | peer": 5.0, "b | peer": 6.0}))
    <BLANKLINE>
    Ratios against the earlier run (below 1: we are slower than we were, compared with the same peer)
    0.50  a | peer: 10.00 -> 5.00  slower
    1.20  b | peer: 5.00 -> 6.00
    Not in both runs: 1
    """
    lines = ["", "Ratios against the earlier run (below 1: we are slower than we were, compared with the same peer)"]
    shared = sorted((after[name] / before[name], name) for name in before.keys() & after.keys() if before[name])
    for share, name in shared:
        verdict = "  slower" if share < NOTICED else ""
        lines.append(f"{share:.2f}  {name}: {before[name]:.2f} -> {after[name]:.2f}{verdict}")
    missing = len(before.keys() ^ after.keys())
    return "\n".join(lines + [f"Not in both runs: {missing}"] * bool(missing))
