"""What an import costs a new interpreter."""

from __future__ import annotations

from collections.abc import Iterator

from bench.harness import Run, compared, peer_installed, start_up_milliseconds
from bench.results import Goal, Row, Section

PACKAGES = ("bleuprint", "numpy", "sacrebleu", "nltk", "bleuscore", "torchmetrics")


def sections(run: Run) -> Iterator[Section]:
    names = [name for name in PACKAGES if peer_installed(name)]
    rows = [Row(name, []) for name in names]
    for _ in range(run.repeat):
        bare = start_up_milliseconds("pass")
        for row in rows:
            row.raw.append(start_up_milliseconds(f"import {row.name}") - bare)
    for row in compared(rows):
        if row.name == "numpy":
            row.goal = Goal(at_least=1)
    yield Section("import, CPU time above that of a bare interpreter", "ms", rows)
