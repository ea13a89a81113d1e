"""What an import costs a new interpreter."""

from __future__ import annotations

from collections.abc import Iterator

from bench.harness import Run, compared, peer_installed, start_up_milliseconds
from bench.results import Goal, Row, Section

PACKAGES = ("bleuprint", "numpy", "sacrebleu", "nltk", "bleuscore", "torchmetrics")
_SAMPLE = "bleuprint.__file__.replace('__init__.py', 'dataset/sample/{}.txt')"
USES = {
    "import numpy": "import numpy",
    "corpus_bleu": "import bleuprint; bleuprint.corpus_bleu(['the cat'], ['the cat sat'])",
    "bleuprint score": "import sys, bleuprint.__main__; sys.argv = ['bleuprint', 'score', "
    f"{_SAMPLE.format('system-a')}, '-r', {_SAMPLE.format('ref-1')}]; bleuprint.__main__.main()",
}
MOST_MILLISECONDS = {"corpus_bleu": 50, "bleuprint score": 150}


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
    uses = [Row(name, []) for name in USES]
    for _ in range(run.repeat):
        bare = start_up_milliseconds("pass")
        for row in uses:
            row.raw.append(start_up_milliseconds(USES[row.name]) - bare)
    for row in compared(uses):
        if row.name in MOST_MILLISECONDS:
            row.goal = Goal(at_most=MOST_MILLISECONDS[row.name], of="value")
    yield Section("A first use, CPU time above that of a bare interpreter", "ms", uses)
