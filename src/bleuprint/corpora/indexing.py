"""Index the n-grams of files."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

from bleuprint.core import counts, tokenizers
from bleuprint.corpora import index_building
from bleuprint.corpora.index_building import MEMORY, Corpus
from bleuprint.dataset.lines import checked_paths
from bleuprint.dataset.opening import STDIN, PathLike, name_of
from bleuprint.dataset.texts import text_blocks
from bleuprint.errors import DataFileError
from bleuprint.models.ngram_index import NgramIndex

__all__ = ["build_index", "merge_indexes"]

_SAMPLED = 1 << 16  # bytes at either end of a file that its stamp covers


def build_index(
    paths: Sequence[PathLike] | PathLike,
    output: str | os.PathLike[str],
    *,
    max_order: int = 13,
    tokenizer: str | tokenizers.Tokenize = "13a",
    lowercase: bool = False,
    column: str | None = None,
    errors: str = "strict",
    memory: int = MEMORY,
    threads: int | None = None,
    overwrite: bool = False,
    restart: bool = False,
    progress: Callable[[int], object] | None = None,
) -> NgramIndex:
    """Index every n-gram of files that may be larger than memory, and open the index.

    - `paths`: text files with one text per line, or tables (.jsonl, .csv, .tsv, .parquet), also compressed
    - `max_order`: the longest n-grams that are counted
    - `column`: the column of tables that holds the texts
    - `memory`: bytes that the build may allocate; it writes parts to disk and merges them
    - `restart`: discard what an earlier, killed build has done instead of going on from there
    - `progress`: called with the number of texts after each block

    >>> import tempfile
    >>> from pathlib import Path
    >>> folder = Path(tempfile.mkdtemp())
    >>> _ = (folder / "corpus.txt").write_text("the cat sat on the mat\\nthe cat ran\\n")
    >>> build_index(folder / "corpus.txt", folder / "corpus.bpi", tokenizer="whitespace").count("the cat")
    2
    """
    listed = checked_paths([paths] if isinstance(paths, str | os.PathLike) else list(paths))
    corpora = [Corpus(name_of(path), _stamp(path), partial(_blocks, path, column, errors, progress)) for path in listed]
    return index_building.build(
        corpora,
        output,
        max_order=max_order,
        tokenizer=tokenizer,
        lowercase=lowercase,
        memory=memory,
        threads=threads,
        overwrite=overwrite,
        restart=restart,
    )


merge_indexes = index_building.merge


def _blocks(
    path: PathLike, column: str | None, errors: str, progress: Callable[[int], object] | None
) -> Iterator[counts.Column]:
    for block in text_blocks(path, column=column, errors=errors):
        yield block
        if progress is not None:
            progress(len(block))


def _stamp(path: PathLike) -> tuple[object, ...]:
    """Size, time, and a digest of both ends of a file: what a resumed build compares."""
    file = Path(path)
    if os.fspath(path) == STDIN or not file.is_file():
        return (os.getpid(), os.urandom(8).hex())  # never the same again
    try:
        status = file.stat()
        with file.open("rb") as content:
            first = content.read(_SAMPLED)
            content.seek(max(0, status.st_size - _SAMPLED))
            ends = hashlib.sha256(first + content.read(_SAMPLED)).hexdigest()[:16]
    except OSError as error:
        raise DataFileError(name_of(path), f"cannot be read: {error.strerror or error}") from None
    return (status.st_size, status.st_mtime_ns, ends)
