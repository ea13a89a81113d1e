"""Run the metric vectors against a package or a program, and name the mistake behind what fails.

An adapter in `vectors/adapters` calls one package. It is a program like any other that speaks the protocol of
`vectors/README.md`, and it runs in the Python that the package is installed for.
"""

from __future__ import annotations

import json
import os
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, Literal

from bleuprint.dataset import read_parallel
from bleuprint.errors import DataFileError, OptionError, closest
from bleuprint.metrics import registry
from bleuprint.metrics.base import Metric, Score
from bleuprint.results.analysis import Analysis
from bleuprint.results.display import Cell, DisplayTable
from bleuprint.results.fields import MalformedError, record
from bleuprint.runners.progress import progress

Value = float | tuple[float, ...] | tuple[tuple[str, ...], ...]
Setting = str | bool | int | float | None | Mapping[str, tuple[str, ...]]
Outcome = Literal["passed", "on purpose", "failed", "unsupported"]

_PACKAGE = Path(__file__).parents[1]
_OUTCOMES: tuple[Outcome, ...] = ("passed", "on purpose", "failed", "unsupported")
_SINGLE = 1e-6  # relative: what single precision loses, with room for sums
_LARGEST_ANSWER = 2**24  # bytes
_VERSION = "import sys, importlib.metadata as found; print(found.version(sys.argv[1]))"


@dataclass(frozen=True, slots=True)
class Choice:
    """A value of a case: the expected one, or one that is accepted, with its name and the reason."""

    score: float | None = None
    scores: tuple[float, ...] | None = None
    tokens: tuple[tuple[str, ...], ...] | None = None
    name: str = ""
    why: str = ""

    @property
    def value(self) -> Value:
        """The one that is there."""
        for value in (self.score, self.scores, self.tokens):
            if value is not None:
                return value
        raise MalformedError("score, scores or tokens are missing")


@dataclass(frozen=True, slots=True)
class Vector:
    """A case of a file, as far as an audit needs it."""

    metric: str
    id: str
    level: Literal["corpus", "sentence"]
    options: Mapping[str, Setting]
    hypotheses: tuple[str, ...]
    references: tuple[tuple[str, ...], ...]
    expected: Choice
    tolerance: float
    mistakes: Mapping[str, Value]
    accepted: tuple[Choice, ...] = ()
    sources: tuple[str, ...] = ()

    @property
    def question(self) -> dict[str, Any]:
        """What a program is told: the case without the answers."""
        fields = ("metric", "id", "level", "options", "hypotheses", "references", "sources")
        return {name: getattr(self, name) for name in fields}

    def fails_with(self, mistake: str, value: Value) -> bool:
        """Whether a program with this mistake gives this value."""
        return _near(value, self.mistakes.get(mistake, self.expected.value), _SINGLE)


@dataclass(frozen=True, slots=True)
class AuditedCase:
    """One case, and what came of it; `note` is the reason of a choice, or what went wrong."""

    id: str
    metric: str
    outcome: Outcome
    value: Value | None
    expected: Value
    note: str = ""


@dataclass(frozen=True, slots=True)
class Finding:
    """What explains cases that differ."""

    metric: str
    outcome: Outcome
    text: str
    cases: tuple[str, ...]


@dataclass(frozen=True, slots=True, repr=False)
class Audit(Analysis):
    """What a package or a program makes of the vectors."""

    name: str
    cases: tuple[AuditedCase, ...]
    findings: tuple[Finding, ...]
    costs: Mapping[str, float]  # by metric: how much too high the bundled sample is scored, on the metric's own scale
    notes: tuple[str, ...] = ()

    def ids(self, outcome: Outcome, metric: str | None = None) -> list[str]:
        """The cases with this outcome."""
        return [case.id for case in self.cases if case.outcome == outcome and metric in (None, case.metric)]

    @property
    def verdict(self) -> str:
        """The result in words."""
        passed, chosen, failed, unsupported = (len(self.ids(outcome)) for outcome in _OUTCOMES)
        text = f"{self.name}: of {len(self.cases) - unsupported} cases, {passed} passed and {failed} failed"
        return f"{text}; {chosen} differed on purpose." if chosen else f"{text}."

    def __repr__(self) -> str:
        return f"<Audit of {self.verdict}>"

    def display(self, *, percent: bool = False) -> tuple[DisplayTable, ...]:
        """The outcomes of each metric, with what explains them; `percent` changes nothing, because costs are points."""
        rows, silent = list[tuple[Cell, ...]](), list[str]()
        for metric in dict.fromkeys(case.metric for case in self.cases):
            counts = [len(self.ids(outcome, metric)) for outcome in _OUTCOMES]
            if any(counts[:-1]):
                cost = self.costs.get(metric)
                points = Cell("") if cost is None else Cell(f"{round(100 * cost, 2) + 0.0:+.2f}", 100 * cost)
                rows.append((Cell(metric), *(Cell(str(count), count) for count in counts), points))
            else:
                silent.append(metric)
        notes = [self.verdict]
        notes += [
            f"{found.metric}, {found.outcome}: {found.text} ({', '.join(found.cases)})" for found in self.findings
        ]
        notes += [f"not supported: {', '.join(silent)}"] if silent else []
        notes += ["points: how much too high the bundled sample is scored, times 100"] if self.costs else []
        return (
            DisplayTable(
                ("metric", *_OUTCOMES, "points"),
                tuple(rows),
                caption=f"The metric vectors on {self.name}.",
                notes=tuple(notes),
                label="audit",
            ),
        )


def vectors_folder() -> Path:
    """The folder with the vectors: inside an installed package, beside `src` in a checkout."""
    return next(folder for folder in (_PACKAGE / "vectors", _PACKAGE.parents[1] / "vectors") if folder.is_dir())


def adapters() -> dict[str, Path]:
    """The adapters by the names of their packages."""
    files = sorted(vectors_folder().glob("adapters/adapt_*.py"))
    return {file.stem.removeprefix("adapt_").replace("_", "-"): file for file in files}


def read_vectors(folder: Path, metrics: Sequence[str]) -> list[Vector]:
    """The cases of these metrics, or of all."""
    names = sorted(path.stem for path in folder.glob("*.json") if path.stem not in {"schema", "mistakes"})
    for metric in metrics:
        if metric not in names:
            raise OptionError("metric", f"one of {', '.join(names)}", metric, meant=closest(metric, names))
    return [vector for name in names if name in metrics or not metrics for vector in _parse(folder / f"{name}.json")]


def _parse(path: Path) -> Iterator[Vector]:
    case = "the file"
    try:
        for number, fields in enumerate(json.loads(path.read_text(encoding="utf-8"))["cases"], 1):
            case = f"case {number}"
            case = str(fields["id"])
            vector = record(Vector, fields, case, metric=path.stem)
            _ = vector.expected.value
            yield vector
    except (MalformedError, LookupError, TypeError, ValueError) as error:
        raise DataFileError(str(path), f"{case} is malformed: {error}") from None


def package_command(package: str, python: str) -> tuple[str, list[str]]:
    """The name of an installed package with its version, and the command that runs its adapter."""
    known = adapters()
    name = package.lower().replace("_", "-")
    if name not in known:
        raise OptionError.because(
            f"there is no adapter for {package!r}, but for {', '.join(known)}; to audit another implementation, write "
            "a program that answers cases as vectors/README.md says, and pass it with --command"
        )
    try:
        asked = subprocess.run([python, "-c", _VERSION, name], capture_output=True, text=True, check=False)
    except OSError as error:
        raise OptionError.because(f"cannot run {python!r}: {error.strerror}") from None
    if "PackageNotFoundError" in asked.stderr:
        raise OptionError.because(f"{name} is not installed; install it with: {python} -m pip install {name}")
    if asked.returncode:
        raise OptionError.because(f"{python!r} does not say which {name} it has: {_last_line(asked.stderr)}")
    return f"{name} {asked.stdout.strip()}", [python, str(known[name])]


def audit(name: str, command: Sequence[str], vectors: Sequence[Vector], *, limit: float = 60.0) -> Audit:
    """Ask a program every case, judge its answers, and name the mistakes that explain them.

    - `limit`: seconds to wait for an answer
    """
    with progress("auditing", None):
        answers = _answers(command, vectors, limit)
        judged = [(vector, _judge(vector, *answer)) for vector, answer in zip(vectors, answers, strict=True)]
        if all(case.outcome == "unsupported" for _, case in judged):
            raise OptionError.because(f"{name} supports none of these {len(judged)} cases")
        costs = _costs(command, judged, limit)
    sentences = json.loads((vectors_folder() / "mistakes.json").read_text(encoding="utf-8"))
    findings = [
        finding
        for metric in dict.fromkeys(vector.metric for vector in vectors)
        for finding in _explain([pair for pair in judged if pair[0].metric == metric], sentences.get(metric, {}))
    ]
    return Audit(name, tuple(case for _, case in judged), tuple(findings), costs)


def _answers(command: Sequence[str], vectors: Sequence[Vector], limit: float) -> list[tuple[Value | None, str]]:
    """The value of each case, and what went wrong; neither where a case is not supported.

    All cases go to one process. If it stops early, the next case is asked alone, and the others go on after it.
    """
    found: list[tuple[Value | None, str]] = []
    while left := vectors[len(found) :]:
        lines, _ = _ask(command, left, limit)
        if len(lines) > len(left):  # nobody knows which line belongs to which case
            lines = []
        if len(lines) < len(left):
            alone, problem = _ask(command, [left[len(lines)]], limit)
            if not alone and not found and not _ask(command, [left[-1]], limit)[0]:
                raise OptionError.because(f"cannot run {' '.join(command)!r}: {problem}")
            lines = [*lines, "\n".join(alone) or json.dumps({"error": problem})]
        found += map(_read, lines, left)
    return found


def _ask(command: Sequence[str], vectors: Sequence[Vector], limit: float) -> tuple[list[str], str]:
    """The lines that a program prints for these cases, and how it ended."""
    with TemporaryFile() as questions, TemporaryFile() as output, TemporaryFile() as errors:
        questions.writelines(json.dumps(vector.question).encode() + b"\n" for vector in vectors)
        questions.seek(0)
        try:
            process = subprocess.Popen(command, stdin=questions, stdout=output, stderr=errors)
        except OSError as error:
            raise OptionError.because(f"cannot run {command[0]!r}: {error.strerror}") from None
        try:
            size, since, pause = 0, time.monotonic(), 0.001
            while process.poll() is None and time.monotonic() < since + limit and size < _LARGEST_ANSWER:
                time.sleep(pause := min(1.2 * pause, 0.1))
                if (grown := os.fstat(output.fileno()).st_size) > size:
                    size, since = grown, time.monotonic()
            status = process.poll()
        finally:
            process.kill()
            process.wait()
        output.seek(0)
        errors.seek(0)
        lines = output.read(_LARGEST_ANSWER).decode("utf-8", "replace").splitlines()
        said = _last_line(errors.read().decode("utf-8", "replace"))
        ending = f"no answer within {limit:g} seconds" if status is None else f"no answer, exit status {status}"
        return [line for line in lines if line.strip()], f"{ending}{': ' * bool(said)}{said}"


def _last_line(text: str) -> str:
    return (text.strip().splitlines() or [""])[-1]


@dataclass(frozen=True, slots=True)
class _Answer:
    value: Value | None = None
    error: str = ""


def _read(line: str, vector: Vector) -> tuple[Value | None, str]:
    """The value that a line says, or what is wrong with it; neither for "unsupported"."""
    if line.strip() == "unsupported":
        return None, ""
    try:
        said = json.loads(line)
        if vector.level == "sentence" and not isinstance(said, list | dict):
            said = [said]
        answer = record(_Answer, said if isinstance(said, dict) else {"value": said})
    except (MalformedError, ValueError, RecursionError):
        answer = _Answer()
    if answer.value is None and not answer.error:
        return None, f"It printed {line[:80]!r} in place of a number or a list."
    return answer.value, answer.error


def _near(value: Any, other: Any, tolerance: float) -> bool:
    """Whether values are equal: numbers within the tolerance, relative if they exceed 1, and lists item by item."""
    if isinstance(value, tuple) and isinstance(other, tuple):
        same = len(value) == len(other)
        return same and all(_near(*pair, tolerance) for pair in zip(value, other, strict=True))
    numbers = isinstance(value, float) and isinstance(other, float)
    return abs(value - other) <= tolerance * max(1.0, abs(other)) if numbers else bool(value == other)


def _judge(vector: Vector, value: Value | None, problem: str) -> AuditedCase:
    outcome: Outcome = "failed"
    note = problem
    if value is None:
        outcome = "failed" if problem else "unsupported"
    elif _near(value, vector.expected.value, vector.tolerance):
        outcome = "passed"
    elif choices := [choice for choice in vector.accepted if _near(value, choice.value, _SINGLE)]:
        outcome, note = "on purpose", f"As {choices[0].name}: {choices[0].why}"
    elif vector.tolerance and _near(value, vector.expected.value, _SINGLE):
        outcome, note = "on purpose", "The score is computed in single precision (float32)."
    return AuditedCase(vector.id, vector.metric, outcome, value, vector.expected.value, note)


def _explain(judged: Sequence[tuple[Vector, AuditedCase]], sentences: Mapping[str, str]) -> Iterator[Finding]:
    """The mistake that explains most failed cases, then the one that explains most of the rest; then reasons.

    Of mistakes that explain as many, the one that agrees with more of all answers is likelier.
    """
    metric = judged[0][0].metric
    left = [(vector, case) for vector, case in judged if case.outcome == "failed" and not case.note]
    while left:
        ranks: dict[str, tuple[int, int, tuple[str, ...]]] = {}
        for mistake in dict.fromkeys(mistake for vector, _ in left for mistake in vector.mistakes):
            explained, agreeing = (
                [
                    vector.id
                    for vector, case in pairs
                    if case.value is not None and vector.fails_with(mistake, case.value)
                ]
                for pairs in (left, judged)
            )
            ranks[mistake] = len(explained), len(agreeing), tuple(explained)
        best = max(ranks.values())
        if not best[0]:
            break
        alike = [sentences.get(mistake, mistake) for mistake, rank in ranks.items() if rank == best]
        yield Finding(metric, "failed", " Or: ".join(alike[:2]), best[2])
        left = [(vector, case) for vector, case in left if vector.id not in best[2]]
    for vector, case in left:
        yield Finding(metric, "failed", f"No known mistake: {case.value} instead of {case.expected}.", (vector.id,))
    for outcome, note in dict.fromkeys((case.outcome, case.note) for _, case in judged if case.note):
        yield Finding(metric, outcome, note, tuple(case.id for _, case in judged if case.note == note))


def _costs(command: Sequence[str], judged: Sequence[tuple[Vector, AuditedCase]], limit: float) -> dict[str, float]:
    """By metric with failed cases, what the program gives for the bundled sample, less our value."""
    files = read_parallel(
        _PACKAGE / "dataset" / "sample" / f"{name}.txt" for name in ("system-b", "source", "ref-1", "ref-2")
    )
    outputs, sources, *references = (tuple(file.segments) for file in files)
    failed = {
        vector.metric: vector
        for vector, case in reversed(judged)
        if case.outcome == "failed" and case.value is not None and build_metric(vector) is not None
    }
    asked = [
        replace(
            vector,
            hypotheses=outputs,
            references=tuple(zip(*references[:number], strict=True)) if vector.references else (),
            sources=sources if vector.sources else (),
        )
        for vector in failed.values()
        for number in (1, 2)  # what takes one reference gets one
    ]
    costs = {}
    for vector, (value, _) in zip(asked, _answers(command, asked, limit) if asked else (), strict=True):
        metric = build_metric(vector)
        if isinstance(value, float) and metric is not None:
            score = metric.corpus(vector.hypotheses, vector.references or None, sources=vector.sources or None)
            costs[vector.metric] = value - float(score.value)
    return costs


def build_metric(vector: Vector) -> Metric[Score] | None:
    """Our metric with the options of a case, if it can score a corpus of its own words."""
    given: dict[str, Any] = dict(vector.options)
    kind = given.pop("rate", vector.metric)
    if kind not in registry.names() or given.keys() & {"model", "synonyms"}:
        return None
    if (value := given.pop("smoothing_value", None)) is not None:
        given["smoothing"] = f"{given['smoothing'].replace('epsilon', 'method1')}({value})"
    if given.pop("measure", "f") != "f":
        return None
    given = {{"type": "types", "order": "max_order"}.get(name, name): value for name, value in given.items()}
    if given.get("normalizer") == "none":
        given["normalizer"] = None
    if kind in {"gleu", "nist", "sari", "self-bleu", "distinct"}:
        given["tokenizer"] = "whitespace"
    return registry.find(kind)(**given)
