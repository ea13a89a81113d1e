"""The compiled module in Node: the digits of the package, on all of WMT22 and on the metric vectors."""

from __future__ import annotations

import json
import re
import subprocess
from dataclasses import asdict
from typing import Any

from bleuprint import BLEU, CHRF
from tests.parity.record_wmt22 import references_of, tokenizer_of
from tests.support.wmt22 import REPOSITORY, Wmt22
from tests.vectors.ours import METRICS
from tests.vectors.reading import Vector, read

COVERED = {"bleu", "chrf", "rouge", "self-bleu", "sentence-bleu", "ter", "tokenizers", "wer"}


def node(*arguments: str, text: str = "") -> str:
    done = subprocess.run(["node", *arguments], input=text, capture_output=True, text=True, cwd=REPOSITORY)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def jobs(data: Wmt22) -> tuple[list[dict[str, Any]], list[float]]:
    """What to score, and the package's own scores."""
    found, expected = [], []
    folder = data.folder / "txt"
    for name in ("bleu", "chrf"):
        for row in data.published(name):
            target = row.pair.split("-")[1]
            which = row.metric.partition("-")[2]
            stem = f"generaltest2022.{row.pair}"
            paths = sorted((folder / "references").glob(f"{stem}.ref.{'*' if which == 'all' else which}.{target}"))
            output = folder / "system-outputs" / f"{stem}.hyp.{row.system}.{target}"
            references = references_of(data, row)  # for chrF the last one first
            paths = paths[::-1] if name == "chrf" else paths
            options: dict[str, Any] = {"tokenizer": tokenizer_of(row.pair)} if name == "bleu" else {}
            metric: Any = BLEU(**options) if name == "bleu" else CHRF()
            groups = [list(texts) for texts in zip(*references, strict=True)]
            found.append(
                {"metric": name, "options": options, "output": str(output), "references": list(map(str, paths))}
            )
            expected.append(metric.corpus(data.output(row.pair, row.system), groups, threads=1).value)
    return found, expected


def test_wmt22_scores_are_equal_to_the_last_bit(wmt22_data: Wmt22) -> None:
    asked, expected = jobs(wmt22_data)
    scores = json.loads(node("tests/web/scores.mjs", text=json.dumps(asked)))
    differing = [(job, a, b) for job, a, b in zip(asked, scores, expected, strict=True) if a != b]
    print(f"{len(scores) - len(differing)} of {len(scores)} equal")
    assert not differing
    assert len(scores) >= 84


def vectors() -> list[Vector]:
    """The cases of the metrics that the module has."""
    return [vector for metric in sorted(COVERED) for vector in read(metric)]


def question(vector: Vector) -> dict[str, Any]:
    case = asdict(vector.case)
    return {"metric": vector.metric, **case}


def test_metric_vectors() -> None:
    passed = dict(re.findall(r"^([a-z0-9-]+): (\d+) passed", node("vectors/run.mjs", "web/npm/vectors.mjs"), re.M))
    assert set(passed) == COVERED


def test_metric_vectors_are_equal_to_the_last_bit() -> None:
    values = json.loads(node("tests/web/vectors.mjs", text=json.dumps(list(map(question, vectors())))))
    for vector, value in zip(vectors(), values, strict=True):
        assert value is None or value == METRICS[vector.metric](vector.case), vector.id


def test_the_package_compares_and_refuses() -> None:
    assert node("tests/web/package.mjs") == "all passed\n"
