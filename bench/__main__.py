"""`python -m bench`: measure the chosen suites, print tables, write JSON, fail if somebody's score differs."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from bench import data, harness, history, results
from bench.suites import SUITES

PACKAGES = (
    *("bleuprint", "sacrebleu", "nltk", "bleuscore", "fast-bleu", "fastchrf", "rouge-score", "rouge-rust"),
    *("rouge-score-rs", "jiwer", "pycocoevalcap", "rapidfuzz", "ufal.kenlm"),
    *("torchmetrics", "pyarrow", "numpy"),
)
LARGE = 50_000


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument(
        "--suite",
        action="append",
        choices=SUITES,
        help="which to run (repeatable; default: all but goals, whose rows they have)",
    )
    parser.add_argument("--repeat", type=int, help="interleaved repeats (default 5)")
    parser.add_argument("--segments", type=int, help="segments of the corpus (default 20000)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there, every repeat included")
    parser.add_argument("--history", type=Path, metavar="FILE", help="add a line with the ratios of this run")
    parser.add_argument("--against", type=Path, metavar="FILE", help="compare ratios with those of an earlier --json")
    parser.add_argument("--quick", action="store_true", help="little text and two repeats: does it run at all?")
    options = parser.parse_args(arguments)
    if options.against is not None:
        try:
            options.against = history.read_ratios(options.against)
        except (OSError, ValueError) as error:
            parser.error(f"--against takes a file that --json wrote: {error}")
    options.suite = options.suite or [name for name in SUITES if name != "goals"]
    options.repeat = options.repeat or (2 if options.quick else 5)
    options.segments = options.segments or (48 if options.quick else 20_000)
    if options.repeat < 1 or options.segments < 1:
        parser.error("--repeat and --segments take positive numbers")
    return options


def main(arguments: Sequence[str] | None = None) -> int:
    options = parse(arguments)
    # bleuscore and fast-bleu take all cores by default; their threads must not enter a comparison of single threads.
    os.environ.setdefault("RAYON_NUM_THREADS", "1")
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    large = data.load(options.segments if options.quick else max(options.segments, LARGE))
    corpus = large.head(options.segments)
    run = harness.Run(corpus, large, options.repeat, options.quick)
    report = results.Report(
        harness.machine(PACKAGES),
        {"segments": len(corpus), "bytes": corpus.text_bytes, "source": corpus.source},
        {"suites": options.suite, "repeat": options.repeat, "quick": options.quick},
        {},
    )
    print(results.heading(report), flush=True)
    for name in options.suite:
        report.suites[name] = []
        for section in SUITES[name].sections(run):
            report.suites[name].append(section)
            print(results.table(section), flush=True)
    print(results.goals(section for sections in report.suites.values() for section in sections))
    report.machine["load at the end"] = harness.load_average()
    print(f"\nload at the end  {report.machine['load at the end']}")
    if options.json is not None:
        options.json.write_text(report.to_json(), encoding="utf-8")
    if options.history is not None:
        history.append(options.history, report)
    if options.against is not None:
        print(history.comparison(options.against, history.ratios(json.loads(report.to_json()))))
    for line in report.disagreements():
        print(f"\nDISAGREEMENT: {line}", file=sys.stderr)
    return 1 if report.disagreements() else 0


if __name__ == "__main__":
    sys.exit(main())
