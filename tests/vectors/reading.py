"""The vectors as they stand in the files, checked against their schema and against each other."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema

from tests.vectors.plain.case import Case, Value

FOLDER = Path(__file__).resolve().parents[2] / "vectors"
NAMES = sorted(path.stem for path in FOLDER.glob("*.json") if path.stem not in {"schema", "mistakes"})


class VectorError(ValueError):
    """A file of vectors that is not what the format says; the message names the case."""


@dataclass(frozen=True)
class Vector:
    """A case with what is expected of it."""

    metric: str
    case: Case
    fields: Mapping[str, Any]

    @property
    def id(self) -> str:
        return self.case.id

    @property
    def expected(self) -> Value:
        return expected_value(self.fields["expected"])

    def passed_by(self, value: Value) -> bool:
        return close(value, self.expected, self.fields["tolerance"])


def expected_value(expected: Mapping[str, Any]) -> Value:
    return next(expected[key] for key in ("score", "scores", "tokens") if key in expected)


def close(value: Value, expected: Value, tolerance: float) -> bool:
    """Whether a value passes: numbers within the tolerance, lists of the same length, tokens equal."""
    if isinstance(value, list) and isinstance(expected, list):
        return len(value) == len(expected) and all(
            close(*pair, tolerance) for pair in zip(value, expected, strict=True)
        )
    if isinstance(value, (int, float)) and isinstance(expected, (int, float)):
        return abs(value - expected) <= tolerance
    return bool(value == expected)


@cache
def read(metric: str) -> list[Vector]:
    """The vectors of a metric."""
    return parse((FOLDER / f"{metric}.json").read_text(encoding="utf-8"), metric)


def parse(text: str, metric: str) -> list[Vector]:
    found = json.loads(text)
    schema = json.loads((FOLDER / "schema.json").read_text(encoding="utf-8"))
    error = jsonschema.exceptions.best_match(jsonschema.Draft202012Validator(schema).iter_errors(found))
    if error is not None:
        raise VectorError(f"{place(found, list(error.absolute_path))}: {error.message}")
    if found["metric"] != metric:
        raise VectorError(f"{metric}.json: it says that it is of {found['metric']!r}")
    vectors = [vector(metric, fields) for fields in found["cases"]]
    if len({each.id for each in vectors}) < len(vectors):
        raise VectorError(f"{metric}.json: two cases have the same id")
    return vectors


def place(found: Any, path: list[Any]) -> str:
    """The id of the case that is wrong, and the field."""
    if len(path) < 2 or path[0] != "cases":
        return f"{found.get('metric', '?') if isinstance(found, dict) else '?'}.json"
    case = found["cases"][path[1]]
    name = case.get("id", f"case {path[1]}") if isinstance(case, dict) else f"case {path[1]}"
    return ", ".join([str(name), *map(str, path[2:])])


def vector(metric: str, fields: dict[str, Any]) -> Vector:
    case = Case(
        fields["id"],
        fields["options"],
        fields["hypotheses"],
        fields["references"],
        fields.get("sources", ()),
        fields["level"],
    )
    for problem in problems(metric, case, fields):
        raise VectorError(f"{case.id}: {problem}")
    return Vector(metric, case, fields)


def problems(metric: str, case: Case, fields: dict[str, Any]) -> Iterator[str]:
    """What a schema cannot say."""
    number = len(case.hypotheses)
    if not case.id.startswith(f"{metric}-"):
        yield f"the id must begin with {metric}-"
    if case.references and len(case.references) != number:
        yield f"{number} hypotheses and {len(case.references)} lists of references"
    if case.sources and len(case.sources) != number:
        yield f"{number} hypotheses and {len(case.sources)} sources"
    expected = expected_value(fields["expected"])
    if isinstance(expected, list) and len(expected) != number:
        yield f"{number} hypotheses and {len(expected)} expected values"
    if isinstance(expected, list) != (case.level == "sentence" or metric == "tokenizers"):
        yield f"at level {case.level!r} one value is expected for each hypothesis only if it is 'sentence'"
    if set(fields["catches"]) - set(fields["mistakes"]):
        yield "it catches mistakes of which it has no value"
