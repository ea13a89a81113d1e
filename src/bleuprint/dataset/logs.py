"""Items and their scores from logs of Inspect, the LM Evaluation Harness, promptfoo and MLflow.

Each becomes a table with the columns id, hypothesis, reference, and source, a column per score, and the metadata.
The formats are documented at https://inspect.aisi.org.uk/eval-logs.html, for `--log_samples` in the interface guide of
lm-evaluation-harness, and at https://www.promptfoo.dev/docs/configuration/outputs. Those of MLflow are what pandas
makes of `mlflow.search_traces` with `to_json(orient="records")`, and the tables of `mlflow.log_table`.
"""

from __future__ import annotations

import json
import struct
import zipfile
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path, PurePath
from typing import IO, Any

from bleuprint.dataset.columns import USUAL_NAMES
from bleuprint.dataset.opening import Input, PathLike, name_of, unpack_zstd
from bleuprint.dataset.tables import Batch, Row, RowBatch, Table, json_parser
from bleuprint.errors import DataFileError

_VERSION = 2  # of Inspect's log format
_ZSTD = 93  # the number of zstd in zip files, which Inspect writes and zipfile reads from Python 3.14 on
_LARGEST = 1 << 31  # bytes of all unpacked entries together
# Inspect's value_to_float: correct, incorrect, partial, no answer.
_LETTERS = {"C": 1.0, "I": 0.0, "P": 0.5, "N": 0.0, "yes": 1.0, "no": 0.0, "true": 1.0, "false": 0.0}
_NO_VERDICT = 2  # promptfoo's reason for a failure that is an error
_EXPECTED = "expected_response"  # MLflow's name for a reference


class LogRow(Row):
    """A row of a log, which knows which of its columns are scores."""

    def __init__(self, **cells: Any) -> None:
        super().__init__(cells)
        self.scores: list[str] = []

    def add_score(self, name: str, value: Any) -> None:
        """Add a score, which may be written as a letter or a word; None is a missing one, anything else is none."""
        self[name] = value = _LETTERS.get(value, value) if isinstance(value, str) else value
        self.scores += [name] if isinstance(value, int | float | None) else []


class _MemoryTable(Table):
    """A table that is in memory; rows are counted from 1."""

    def __init__(self, name: str, rows: Sequence[Row], size: int, place: str) -> None:
        if not rows:
            raise DataFileError(name, "it has no rows; there is nothing to score")
        self.name = name
        self.size = self.position = size
        self._rows, self._place = rows, place

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self._rows[0])

    def batches(self) -> Iterator[Batch]:
        yield RowBatch(self.name, list(range(1, len(self._rows) + 1)), list(self._rows), place=self._place)


def open_json(path: PathLike) -> Table:
    """Open a .json file: an array of objects, or a log."""
    name = name_of(path)
    with closing(Input(path)) as source:
        content = b"".join(iter(lambda: source.read(1 << 20), b""))
    document = _parse(content, name)
    if isinstance(document, dict) and {"version", "eval", "status"} <= document.keys():
        _check_log(name, document)
        return _MemoryTable(name, _inspect_rows(name, document.get("samples") or []), len(content), "sample")
    results = document.get("results") if isinstance(document, dict) else None
    if isinstance(results, dict) and isinstance(results.get("results"), list):
        return _MemoryTable(name, _log_rows(name, results["results"], _promptfoo_row), len(content), "result")
    if isinstance(document, dict) and document.keys() == {"columns", "data"}:
        document = [dict(zip(document["columns"], cells, strict=True)) for cells in document["data"]]
    if not isinstance(document, list):
        problem = "it must hold an array of objects, [{…}, …], or a log; for one object per line, use .jsonl"
        raise DataFileError(name, problem)
    for number, row in enumerate(document, start=1):
        if not isinstance(row, dict):
            problem = f"every item must be an object, {{…}}, got {type(row).__name__}"
            raise DataFileError(name, problem, line=number, place="item")
    if document and {"trace_id", "request", "response", "assessments"} <= document[0].keys():
        document = _log_rows(name, document, _mlflow_row)
    return _MemoryTable(name, document, len(content), "item")


def open_eval(path: PathLike) -> Table:
    """Open a log of Inspect in its .eval format, a zip file."""
    name = name_of(path)
    try:
        with Path(path).open("rb") as file, zipfile.ZipFile(file) as archive:
            entries = {entry.filename: entry for entry in archive.infolist()}
            _check_size(name, [entry for entry in entries.values() if _is_read(entry)])
            if "header.json" not in entries:
                raise DataFileError(name, "it has no header.json, so it is not a finished log of Inspect")
            _check_log(name, _parse(_entry(name, file, archive, entries["header.json"]), name, "header.json"))
            samples = [
                _parse(_entry(name, file, archive, entry), name, entry.filename)
                for entry in entries.values()
                if _is_read(entry) and entry.filename != "header.json"
            ]
            size = sum(entry.compress_size for entry in entries.values())
    except FileNotFoundError:
        raise DataFileError(name, "there is no such file") from None
    except (OSError, zipfile.BadZipFile, struct.error) as error:
        raise DataFileError(name, f"cannot be read as a log of Inspect (a zip file): {error}") from None
    return _MemoryTable(name, _inspect_rows(name, samples), size, "sample")


def _is_read(entry: zipfile.ZipInfo) -> bool:
    path = PurePath(entry.filename)
    return entry.filename == "header.json" or (path.parts[:1] == ("samples",) and path.suffix == ".json")


def _check_size(name: str, entries: Sequence[zipfile.ZipInfo]) -> None:
    """Refuse a log that unpacks to too much; an entry that unpacks to more than it announces is refused later."""
    total = sum(entry.file_size for entry in entries)
    if total > _LARGEST:
        problem = f"its {len(entries):,} files unpack to {total:,} bytes; at most {_LARGEST:,} are read"
        raise DataFileError(name, f"{problem}; divide the log")


def _entry(name: str, file: IO[bytes], archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bytes:
    """Return the content of a zip entry, also if it is compressed with zstd."""
    if entry.compress_type != _ZSTD:
        try:
            return archive.read(entry)
        except (NotImplementedError, RuntimeError) as error:  # an unknown compression, or a password
            raise DataFileError(name, f"{entry.filename} cannot be read: {error}") from None
    file.seek(entry.header_offset)
    lengths = struct.unpack("<26xHH", file.read(30))  # a local header ends with the lengths of its name and extra field
    file.seek(sum(lengths), 1)
    return unpack_zstd(name, file.read(entry.compress_size), entry.file_size)


def _parse(content: bytes, name: str, entry: str = "") -> Any:
    parser = json_parser()
    try:
        return parser.loads(content)
    except parser.JSONDecodeError as error:
        where = f"{entry} holds " if entry else ""
        raise DataFileError(name, f"{where}invalid JSON: {error.msg}", line=error.lineno) from None


def _check_log(name: str, header: Any) -> None:
    version = header.get("version") if isinstance(header, dict) else None
    if version != _VERSION:
        problem = (
            f"it is a log of Inspect in version {version}, but only version {_VERSION} can be read; "
            "convert it with a current Inspect: inspect log convert"
        )
        raise DataFileError(name, problem)
    if header.get("status") != "success":
        problem = f"the evaluation is not complete, its status is {header.get('status')!r}; run inspect eval-retry"
        raise DataFileError(name, problem)


def _inspect_rows(name: str, samples: Sequence[Any]) -> list[Row]:
    rows = _log_rows(name, samples, _inspect_row, "sample")
    return sorted(rows, key=lambda row: (str(row["id"]), row["epoch"]))


def _log_rows(name: str, entries: Sequence[Any], read: Callable[[Any], Row], place: str = "item") -> list[Row]:
    rows = []
    for number, entry in enumerate(entries, start=1):
        try:
            rows.append(read(entry))
        except (KeyError, TypeError, AttributeError, ValueError) as error:
            problem = f"it is not written as the framework writes it ({type(error).__name__}: {error})"
            raise DataFileError(name, problem, line=number, place=place) from None
    return rows


def _inspect_row(sample: Mapping[str, Any]) -> Row:
    row = LogRow(id=sample["id"], epoch=sample["epoch"], hypothesis=sample["output"]["completion"])
    row["reference"] = sample["target"]
    if isinstance(sample["input"], str):
        row["source"] = sample["input"]
    for scorer, score in (sample.get("scores") or {}).items():
        value = score["value"]
        for key, part in value.items() if isinstance(value, Mapping) else (("", value),):
            row.add_score(f"{scorer}/{key}" if key else scorer, part)
    for key, value in (sample.get("metadata") or {}).items():
        row.setdefault(key, value)
    return row


def _promptfoo_row(result: Mapping[str, Any]) -> Row:
    """A result of promptfoo; its variables are columns, and each prompt of each provider is a system."""
    given, provider = result["vars"], result["provider"]
    row = LogRow(id=given.get("id", result["testIdx"]), hypothesis=(result.get("response") or {}).get("output"))
    row["system"] = f"{provider.get('label') or provider['id']}: {result['prompt'].get('label', result['promptIdx'])}"
    # An assertion that could not run, or a provider that failed, is no failed item.
    failed = result.get("failureReason") == _NO_VERDICT
    row.add_score("passed", None if failed else bool(result["success"]))
    row.add_score("score", None if failed else result["score"])
    for name, value in (result.get("namedScores") or {}).items():
        row.add_score(name, value)
    for name, value in given.items():
        row[f"vars.{name}" if name in row or name in USUAL_NAMES["hypothesis"] else name] = value
    return row


def _mlflow_row(trace: Mapping[str, Any]) -> Row:
    """A trace, whose id differs from run to run: an item is known by its request."""
    request, response = (
        value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, sort_keys=True)
        for value in (trace["request"], trace["response"])
    )
    row = LogRow(id=request, hypothesis=response, source=request)
    for assessment in trace["assessments"]:
        name, expected = assessment["assessment_name"], assessment.get("expectation")
        if expected is not None:
            packed = expected.get("serialized_value")
            value = json.loads(packed["value"]) if packed else expected["value"]
            row["reference" if name == _EXPECTED else name] = value
        elif "feedback" in assessment:
            row.add_score(name, assessment["feedback"].get("value"))
    return row


def is_harness_row(row: Mapping[str, object]) -> bool:
    """Whether a line of a .jsonl file comes from the LM Evaluation Harness."""
    return {"doc_id", "doc", "filtered_resps", "arguments"} <= row.keys()


def harness_rows(file: str, numbered: Sequence[tuple[int, Row]]) -> list[tuple[int, Row]]:
    """Return one row per document of a sample file; with several filters, a metric has a column per filter.

    A column is then named as in the results of the harness, `exact_match,strict-match`.
    """
    filters = {str(row.get("filter")) for _, row in numbered}
    lines: dict[Hashable, int] = {}
    rows: dict[Hashable, LogRow] = {}
    seen: set[tuple[Hashable, str]] = set()
    for line, sample in numbered:
        if not is_harness_row(sample) or not isinstance(sample.get("metrics"), list):
            problem = (
                "it is not a sample of the LM Evaluation Harness 0.4.5 or newer, which lists its 'metrics'; "
                "evaluate again with --log_samples"
            )
            raise DataFileError(file, problem, line=line)
        identity, used = sample["doc_id"], str(sample.get("filter"))
        responses = sample["filtered_resps"]
        row = rows.setdefault(identity, LogRow(id=identity))
        lines.setdefault(identity, line)
        if (identity, used) in seen:
            raise DataFileError(file, f"document {identity!r} appears twice with filter {used!r}", line=line)
        seen.add((identity, used))
        if isinstance(sample["doc"], Mapping):
            for key, value in sample["doc"].items():
                row.setdefault(f"doc.{key}", value)
        if len(responses) == 1 and isinstance(responses[0], str):
            row.setdefault("hypothesis", responses[0])
        if isinstance(sample.get("target"), str):
            row.setdefault("reference", sample["target"])
        for metric in sample["metrics"]:
            row.add_score(metric if len(filters) == 1 else f"{metric},{used}", sample.get(metric))
    return [(lines[identity], row) for identity, row in rows.items()]
