"""The JSON Schema that the package publishes describes what results write, all of it and nothing else."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable
from importlib.resources import files
from typing import Any

import pytest
from jsonschema import Draft202012Validator

import bleuprint as bp
from bleuprint.errors import ResultError
from bleuprint.results import MetricResult, Result, SystemResult
from bleuprint.runners.comparisons import compare_result, with_columns
from bleuprint.statistics.comparison import PairComparison, SampleComparison, SystemScore
from bleuprint.statistics.equivalence import Equivalence
from bleuprint.statistics.intervals import Interval

SCHEMA: dict[str, Any] = json.loads((files("bleuprint.results") / "result.schema.json").read_text("utf-8"))
VALIDATOR = Draft202012Validator(SCHEMA)
WORDS = ["cat", "dog", "cow", "hen", "pig", "fox", "owl", "bee"]
REFERENCES = [[f"the {word} sat on the mat", f"a {word} sat there"] for word in WORDS]
SYSTEMS = {
    "A": [f"the {word} sat on the mat" for word in WORDS],
    "B": [f"the {word} is on a mat" for word in WORDS],
    "C": [f"the {word} sat on a mat" for word in WORDS],
}
COLUMNS = {"comet": {name: [0.1 * place + len(name) for place in range(8)] for name in SYSTEMS}}


def evaluated(metrics: list[str], **options: Any) -> Result:
    return bp.evaluate(SYSTEMS, REFERENCES, metrics=metrics, **options)


def without_texts(result: Result) -> Result:
    """A result as Spark makes it: of a corpus that was never in one place."""

    def bare(system: SystemResult) -> SystemResult:
        scores = tuple(dataclasses.replace(score, segments=()) for score in system.scores)
        return dataclasses.replace(system, hypotheses=(), digest="", scores=scores)

    systems = tuple(map(bare, result.systems))
    return dataclasses.replace(result, systems=systems, references=(), digests={}, counted=None)


def compared_columns() -> Result:
    comparison = bp.compare(columns=COLUMNS, clusters=[place // 2 for place in range(8)])
    return dataclasses.replace(with_columns(None, COLUMNS), comparison=comparison)


RESULTS: dict[str, Callable[[], Result]] = {
    "segments": lambda: evaluated(["bleu", "chrf", "ter", "rouge", "sari", "cider"], sources=SYSTEMS["C"]),
    "pools": lambda: evaluated(["bleu", "self-bleu", "distinct", "entropy", "vendi"]),
    "no references": lambda: bp.evaluate(SYSTEMS, metrics=["self-bleu", "distinct"]),
    "columns": lambda: with_columns(evaluated(["bleu"]), COLUMNS),
    "columns alone": lambda: with_columns(None, COLUMNS, ids=WORDS),
    "ids and notes": lambda: evaluated(["bleu"], ids=WORDS, notes=["a note"]),
    "no texts": lambda: without_texts(evaluated(["bleu", "gleu"])),
    "compared": lambda: compare_result(evaluated(["bleu", "ter"])),
    "compared with a baseline": lambda: compare_result(evaluated(["bleu"]), baseline="A", margin=0.01, detect=0.02),
    "compared pools": lambda: compare_result(evaluated(["self-bleu"]), resamples=20),
    "compared columns": compared_columns,
}


@pytest.mark.parametrize("name", RESULTS)
def test_results_are_valid_and_read_back(name: str) -> None:
    result = RESULTS[name]()
    text = result.to_json()
    VALIDATOR.validate(json.loads(text))
    assert Result.from_json(text) == result
    assert Result.from_json(text).to_json() == text


def test_the_schema_is_one() -> None:
    Draft202012Validator.check_schema(SCHEMA)


def fields_of(kind: type) -> set[str]:
    return {field.name for field in dataclasses.fields(kind)}


def test_every_field_is_in_the_schema() -> None:
    described = {name: set(entry.get("properties", ())) for name, entry in SCHEMA["$defs"].items()}
    assert set(SCHEMA["properties"]) == fields_of(Result) - {"counted"}
    assert described["system"] == fields_of(SystemResult)
    assert described["score"] == fields_of(MetricResult)
    assert described["metric_comparison"] == {"metric", "signature"} | fields_of(SampleComparison)
    assert described["system_score"] == fields_of(SystemScore)
    assert described["pair"] == {"verdict"} | fields_of(PairComparison)
    assert described["equivalence"] == {"sentence"} | fields_of(Equivalence)
    assert described["interval"] == fields_of(Interval)


@pytest.mark.parametrize(
    "path",
    [
        ("size",),
        ("systems", 0, "scores", 0, "value"),
        ("systems", 0, "scores", 0, "parts", "precisions"),
        ("systems", 0, "scores", 0, "higher_is_better"),
        ("references", 0),
        ("digests", "references"),
        ("comparison", "signature"),
        ("comparison", "metrics", 0, "pairs", 0, "p_value"),
        ("comparison", "metrics", 0, "pairs", 0, "difference", "level"),
        ("comparison", "metrics", 0, "systems", 0, "score"),
        ("comparison", "metrics", 0, "clusters", 0),
    ],
)
def test_what_the_schema_refuses_the_reader_refuses(path: tuple[str | int, ...]) -> None:
    fields = json.loads(RESULTS["compared"]().to_json())
    place = fields
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = {"no": "value"}
    assert not VALIDATOR.is_valid(fields)
    with pytest.raises(ResultError):
        Result.from_json(json.dumps(fields))
