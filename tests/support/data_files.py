"""Small files of every format, for the tests that read them."""

from __future__ import annotations

import csv
import gzip
import io
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import pyarrow
import pyarrow.parquet
import zstandard

Rows = Sequence[Mapping[str, Any]]


def written(folder: Path, name: str, content: bytes) -> Path:
    path = folder / name
    path.write_bytes(content)
    return path


def jsonl(rows: Rows) -> bytes:
    return b"".join(json.dumps(row, ensure_ascii=False).encode() + b"\n" for row in rows)


def delimited(rows: Rows, delimiter: str = ",") -> bytes:
    text = io.StringIO(newline="")
    # Python 3.11 leaves a carriage return unquoted, which no reader takes for a part of the field.
    returns = any("\r" in str(value) for row in rows for value in row.values())
    quoting: Literal[0, 1] = csv.QUOTE_ALL if returns else csv.QUOTE_MINIMAL
    writer = csv.DictWriter(text, list(rows[0]), delimiter=delimiter, lineterminator="\n", quoting=quoting)
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue().encode()


def parquet(rows: Rows) -> bytes:
    sink = io.BytesIO()
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(list(rows)), sink, compression="zstd", row_group_size=7)
    return sink.getvalue()


def gzipped(content: bytes) -> bytes:
    return gzip.compress(content, mtime=0)


def zstandardized(content: bytes) -> bytes:
    return zstandard.ZstdCompressor(write_checksum=True).compress(content)


def saved_dataset(folder: Path, rows: Rows, files: int = 2) -> Path:
    """What `datasets.Dataset.save_to_disk` writes."""
    folder.mkdir()
    table = pyarrow.Table.from_pylist(list(rows))
    size = -(-len(rows) // files)
    names = [f"data-{number:05}-of-{files:05}.arrow" for number in range(files)]
    for number, name in enumerate(names):
        part = table.slice(number * size, size)
        with (
            pyarrow.OSFile(str(folder / name), "wb") as sink,
            pyarrow.ipc.new_stream(sink, table.schema) as writer,
        ):
            writer.write_table(part, max_chunksize=3)
    state = {"_data_files": [{"filename": name} for name in names], "_fingerprint": "0", "_split": "test"}
    (folder / "state.json").write_text(json.dumps(state), encoding="utf-8")
    return folder


FORMATS: dict[str, Callable[[Rows], bytes]] = {
    ".jsonl": jsonl,
    ".ndjson.gz": lambda rows: gzipped(jsonl(rows)),
    ".jsonl.zst": lambda rows: zstandardized(jsonl(rows)),
    ".csv": delimited,
    ".csv.gz": lambda rows: gzipped(delimited(rows)),
    ".CSV.ZST": lambda rows: zstandardized(delimited(rows)),
    ".tsv": lambda rows: delimited(rows, "\t"),
    ".tsv.gz": lambda rows: gzipped(delimited(rows, "\t")),
    ".parquet": parquet,
}
