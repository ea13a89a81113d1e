"""Rows of slow metrics, computed in chunks that are saved to disk, so that an interrupted run can resume.

The name of a chunk's file is a digest of everything that determines its content, i.e. the metric's signature, with the
digest of its model, and the texts, so a finished chunk is found again whatever else has changed and is never mistaken
for another. The file ends with a checksum of its name and rows: a damaged, truncated or renamed file is ignored and its
chunk computed again.
"""

from __future__ import annotations

import hashlib
import io
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from bleuprint.core.arrays import Integers, np
from bleuprint.core.columns import Corpus
from bleuprint.errors import OptionError, OutputError
from bleuprint.files import write_files
from bleuprint.metrics.base.definition import Definition
from bleuprint.metrics.base.metric import Metric
from bleuprint.metrics.base.score import Measured, Score
from bleuprint.results.model import digest_of
from bleuprint.runners.progress import progress

CHUNK = 64  # segments; the most that an interruption can cost
_SEAL = 32  # size of a SHA-256 in bytes


def store_folder(store: str | PathLike[str]) -> Path:
    """The folder that was given as `store`."""
    if not isinstance(store, str | PathLike) or not fspath(store):
        raise OptionError("store", "None or the path of a folder", store)
    return Path(store)


def check_identified(metric: Metric[Score], store: Path) -> None:
    """Raise an error if the rows of a metric cannot be stored, because a changed function would find the old ones."""
    repairs = [
        f"pass digest=… to {type(model).__name__} (any text that changes with it) for {model.name}"
        for model in metric.definition.outside.values()
        if getattr(model, "digest", None) == ""
    ]
    if callable(metric.tokenizer.argument):
        repairs.append(f"use a tokenizer with a name instead of {metric.tokenizer.name}")
    if repairs:
        problem = f"cannot store rows of {metric.name}, which would be used again after a function has changed"
        raise OptionError.because(f"{problem}; {' and '.join(repairs)}")


def measure_slowly(metric: Metric[Score], corpus: Corpus, *, store: Path | None, threads: int) -> Measured[Score]:
    """Score a corpus chunk by chunk; with `store`, finished chunks are saved there and not computed again."""
    definition = metric.definition.ready_for(corpus, threads)  # weights are learned from all segments
    definition.rows.check(corpus)
    chunks = []
    if store is not None:
        try:
            store.mkdir(parents=True, exist_ok=True)
        except (OSError, ValueError) as error:
            raise OutputError(str(store), getattr(error, "strerror", None) or str(error)) from None
    with progress(metric.name, len(corpus)) as advance:
        for begin in range(0, len(corpus), CHUNK):
            end = min(begin + CHUNK, len(corpus))
            chunks.append(_rows(definition, corpus.part(begin, end), store, threads))
            advance(end - begin)
    rows = np.concatenate(chunks) if chunks else np.zeros((0, len(metric.columns)), dtype=np.int64)
    return definition.measure(corpus, [rows])


def _rows(definition: Definition, corpus: Corpus, store: Path | None, threads: int) -> Integers:
    path = None if store is None else store / _name(definition, corpus)
    stored_rows = None if path is None else _load_rows(path, (len(corpus), len(definition.columns)))
    if stored_rows is not None:
        return stored_rows
    rows = definition.rows.count(corpus, threads)
    if path is not None:
        file = io.BytesIO()
        np.save(file, rows, allow_pickle=False)
        write_files({path: _seal(path, file.getvalue())}, overwrite=True)
    return rows


def _name(definition: Definition, corpus: Corpus) -> str:
    columns: Any = (corpus.hypotheses, corpus.references, corpus.sources if definition.kind.needs_sources else None)
    digests = ("" if column is None else digest_of(column.unpack()) for column in columns)
    return hashlib.sha256("\n".join([definition.signature, *digests]).encode()).hexdigest() + ".npy"


def _load_rows(path: Path, shape: tuple[int, int]) -> Integers | None:
    """The rows in the file; None if it does not exist or is not intact."""
    try:
        content = path.read_bytes()
        payload = content[:-_SEAL]
        if _seal(path, payload) != content:
            return None
        rows = np.load(io.BytesIO(payload), allow_pickle=False)
    except (OSError, ValueError, EOFError):
        return None
    return rows if rows.dtype in (np.int64, np.float64) and rows.shape == shape else None


def _seal(path: Path, payload: bytes) -> bytes:
    return payload + hashlib.sha256(path.name.encode() + payload).digest()
