"""Tables of a result: plain text, Markdown, HTML, data frames, and files of segments."""

from __future__ import annotations

import csv
import importlib
import io
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from bleuprint.errors import MissingExtraError, OptionError, OutputError
from bleuprint.results.escaping import markdown_code, markdown_text, spreadsheet_cell, visible, xml_text
from bleuprint.results.text_tables import aligned

if TYPE_CHECKING:
    from bleuprint.results.model import Level, Result

__all__ = ["frame", "html", "markdown", "pretty", "segment_columns", "segment_file", "system_columns"]

Columns = dict[str, list[Any]]


def system_columns(result: Result) -> Columns:
    """One row per system: its name, its score for every metric, and the signatures."""
    columns: Columns = {"system": [system.name for system in result.systems]}
    for place, metric in enumerate(result.metrics):
        columns[metric] = [system.scores[place].value for system in result.systems]
    for place, metric in enumerate(result.metrics):
        columns[f"{metric} signature"] = [system.scores[place].signature for system in result.systems]
    return columns


def segment_columns(result: Result) -> Columns:
    """One row per segment and system; segments are numbered from 1, and have their id if there are ids."""
    # Before anything of that size is made: a result can claim any size.
    for place, metric in enumerate(result.metrics):
        if any(len(system.scores[place].segments) != result.size for system in result.systems):
            raise OutputError("the table of segments", f"the result has no segment scores for {metric}")
    if not result.metrics and not result.has_texts:
        raise OutputError("the table of segments", "the result has neither texts nor scores")
    numbers = list(range(1, result.size + 1))
    columns: Columns = {
        "segment": numbers * len(result.systems),
        **({} if result.ids is None else {"id": list(result.ids) * len(result.systems)}),
        "system": [system.name for system in result.systems for _ in numbers],
    }
    if result.has_texts:
        if result.sources is not None:
            columns["source"] = list(result.sources) * len(result.systems)
        columns["hypothesis"] = [text for system in result.systems for text in system.hypotheses]
        columns["references"] = [list(texts) for texts in result.references] * len(result.systems)
    for place, metric in enumerate(result.metrics):
        columns[metric] = [value for system in result.systems for value in system.scores[place].segments]
    return columns


def frame(result: Result, level: Level, library: str) -> Any:
    """Return the table as a data frame of `library`."""
    try:
        return importlib.import_module(library).DataFrame(_columns(result, level))
    except ImportError as error:
        raise MissingExtraError(f"to_{library}", (library,), library) from error


def _columns(result: Result, level: Level) -> Columns:
    if level not in ("segments", "systems"):
        raise OptionError("level", "'segments' or 'systems'", level)
    return segment_columns(result) if level == "segments" else system_columns(result)


def _cells(result: Result, *, percent: bool) -> list[list[str]]:
    factor, digits = (100, 2) if percent else (1, 4)
    return [
        [system.name, *(f"{factor * score.value:.{digits}f}" for score in system.scores)] for system in result.systems
    ]


def _signatures(result: Result) -> list[str]:
    return list(dict.fromkeys(score.signature for system in result.systems for score in system.scores))


def html(result: Result) -> str:
    """Return a small HTML table with the signatures below it; all names are escaped."""
    head = "".join(f"<th>{xml_text(name)}</th>" for name in ("system", *result.metrics))
    rows = "".join(
        "<tr>" + "".join(f"<td>{xml_text(cell)}</td>" for cell in row) + "</tr>"
        for row in _cells(result, percent=False)
    )
    signatures = "".join(f"<br><code>{xml_text(line)}</code>" for line in _signatures(result))
    body = f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
    return f"{body}<small>{result.size:,} segments{signatures}</small>"


def markdown(result: Result, *, percent: bool = False) -> str:
    """Return a Markdown table; names are escaped and stay in their cells."""
    rows = [["system", *result.metrics], *_cells(result, percent=percent)]
    lines = ["| " + " | ".join(map(markdown_text, row)) + " |" for row in rows]
    lines.insert(1, "|---" + "|---:" * len(result.metrics) + "|")
    return "\n".join([*lines, "", *(f"{markdown_code(signature)}  " for signature in _signatures(result))]) + "\n"


def pretty(result: Result, *, percent: bool = False) -> str:
    """Return a plain text table with the signatures below it."""
    rows = [["system", *result.metrics], *_cells(result, percent=percent)]
    return "\n".join([*aligned(rows), "", *map(visible, _signatures(result))])


def segment_file(result: Result, path: Path) -> bytes:
    """Return the table of segments in the format given by the file name."""
    columns = segment_columns(result)
    match path.suffix.lower():
        case ".csv":
            return _separated(columns, ",")
        case ".tsv":
            return _separated(columns, "\t")
        case ".jsonl":
            rows = (dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True))
            return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()
        case ".parquet":
            return _parquet(columns)
    raise OutputError(str(path), "the name must end in .csv, .tsv, .jsonl, or .parquet")


def _separated(columns: Columns, separator: str) -> bytes:
    """One column per reference; see `spreadsheet_cell` for cells that a spreadsheet would run as a formula."""
    references = columns.pop("references", None)
    if references is not None:
        for number in range(max(map(len, references), default=0)):
            columns[f"reference {number + 1}"] = [texts[number] if number < len(texts) else "" for texts in references]
    file = io.StringIO(newline="")
    # Python 3.11 does not quote a lone carriage return. A spreadsheet would start a new row there, possibly with a
    # formula.
    returns = any("\r" in cell for cells in columns.values() for cell in cells if isinstance(cell, str))
    quoting: Literal[0, 2] = csv.QUOTE_NONNUMERIC if returns else csv.QUOTE_MINIMAL
    writer = csv.writer(file, delimiter=separator, lineterminator="\n", quoting=quoting)
    writer.writerow(map(_harmless, columns))
    writer.writerows(map(_harmless, row) for row in zip(*columns.values(), strict=True))
    return file.getvalue().encode()


def _harmless(cell: object) -> object:
    return spreadsheet_cell(cell) if isinstance(cell, str) else cell


def _parquet(columns: Columns) -> bytes:
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError as error:
        raise MissingExtraError("writing .parquet", ("pyarrow",), "arrow") from error
    file = io.BytesIO()
    pq.write_table(pa.table(columns), file)
    return file.getvalue()
