"""Rows of slow metrics, computed in chunks that are saved to disk, so that an interrupted run can resume.

The name of a chunk's file is a digest of everything that determines its content, i.e. the metric's signature, with the
digest of its model, and the texts, so a finished chunk is found again whatever else has changed and is never mistaken
for another. The file ends with a checksum of its name and rows: a damaged, truncated or renamed file is ignored and its
chunk computed again.
"""

from __future__ import annotations

import hashlib
import io
from collections.abc import Sequence
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from bleuprint.core.arrays import Integers, np
from bleuprint.core.columns import Corpus
from bleuprint.errors import OptionError, OutputError
from bleuprint.files import write_files
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
    if not metric.can_stream:  # weights must be learned from all segments, not from one chunk
        metric = metric.of(metric.definition.ready_for(corpus, threads))
    hypotheses, references = corpus.hypotheses.unpack(), corpus.references.unpack()
    sources = corpus.sources.unpack() if corpus.sources is not None and metric.needs_sources else None
    chunks = []
    if store is not None:
        try:
            store.mkdir(parents=True, exist_ok=True)
        except (OSError, ValueError) as error:
            raise OutputError(str(store), getattr(error, "strerror", None) or str(error)) from None
    with progress(metric.name, len(corpus)) as advance:
        for begin in range(0, len(corpus), CHUNK):
            part = slice(begin, begin + CHUNK)
            texts = [group[0] for group in hypotheses[part]]
            chunk_sources = None if sources is None else [group[0] for group in sources[part]]
            chunks.append(_rows(metric, texts, references[part], chunk_sources, store, threads))
            advance(len(texts))
    rows = np.concatenate(chunks) if chunks else np.zeros((0, len(metric.columns)), dtype=np.int64)
    return metric.definition.measure(corpus, [rows])


def _rows(
    metric: Metric[Score],
    hypotheses: Sequence[Any],
    references: Sequence[Any],
    sources: Sequence[Any] | None,
    store: Path | None,
    threads: int,
) -> Integers:
    path = None if store is None else store / _name(metric, hypotheses, references, sources)
    stored_rows = None if path is None else _load_rows(path, (len(hypotheses), len(metric.columns)))
    if stored_rows is not None:
        return stored_rows
    rows = metric.statistics(hypotheses, references, sources=sources, threads=threads).rows
    if path is not None:
        file = io.BytesIO()
        np.save(file, rows, allow_pickle=False)
        write_files({path: _seal(path, file.getvalue())}, overwrite=True)
    return rows


def _name(metric: Metric[Score], hypotheses: Sequence[Any], references: Sequence[Any], sources: object) -> str:
    digests = [digest_of(hypotheses), digest_of(references), digest_of(sources) if isinstance(sources, list) else ""]
    return hashlib.sha256("\n".join([metric.signature, *digests]).encode()).hexdigest() + ".npy"


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
