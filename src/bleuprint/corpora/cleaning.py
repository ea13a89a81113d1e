"""Write a corpus without what a search has found in it."""

from __future__ import annotations

import gzip
import io
import json
import os
import re
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from itertools import accumulate
from pathlib import Path
from typing import IO, Any

from bleuprint.core.columns import column as column_of
from bleuprint.corpora.building import LOCK, lock_folder
from bleuprint.corpora.findings import CONTAMINATED, Seen
from bleuprint.corpora.search import CorpusSearch
from bleuprint.dataset.arrow import load_pyarrow
from bleuprint.dataset.lines import LineBlocks
from bleuprint.dataset.opening import STDIN, PathLike, name_of
from bleuprint.dataset.stream import has_lines, is_table, open_table, text_blocks, text_column
from bleuprint.errors import DataFileError, ExtraImport, OutputError
from bleuprint.files import translate_errors

MANIFEST = "manifest.jsonl"
_NOTHING = b"\xef\xbb\xbf \t\r\n\x0b\x0c"  # a byte order mark and blanks: a line of these is no record of .jsonl
_Marks = list[tuple[int, int, list[int]]]  # words of a record from begin to end, and the n-grams there


class _RawBlocks(LineBlocks):
    """Whole lines of a file with the bytes as they are."""

    def _start(self) -> bytes:
        return b""

    def _check(self, block: bytes) -> bytes:
        return block


def write_clean(
    search: CorpusSearch,
    result: Seen,
    folder: PathLike,
    *,
    cut: bool = False,
    column: str | None = None,
    errors: str = "strict",
) -> int:
    """Write the files of a corpus without the records that contaminate items; return how many records differ.

    These are the records with a rare n-gram of a contaminated item. The folder appears when it is complete. Files in
    which nothing is found are copied byte by byte, and so are all other lines. Its manifest.jsonl names every record
    that was changed, and the items. Files are text, .jsonl or .parquet; they are read once more.

    - `cut`: cut the words that were found, and keep the rest of the records
    """
    target, number, changed = Path(folder), 0, 0
    for file in result.files:
        if file == STDIN or not (has_lines(file) or _is_parquet(file)) or Path(file).name in (MANIFEST, LOCK):
            problem = f"clean copies are made of text, .jsonl and .parquet files, but of no {MANIFEST} and no {LOCK}"
            raise DataFileError(name_of(file), problem)
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise OutputError(str(target), "it already exists; pass another folder")
    items: dict[int, set[int]] = {}
    for item in result.texts:
        for found in item.fields:
            for ngram, _, records, _ in found.matches if found.verdict == CONTAMINATED else ():
                if records <= search.rare:
                    items.setdefault(ngram, set()).add(item.number)
    root = os.path.commonpath([Path(file).absolute().parent for file in result.files])
    temporary = target.with_name(f"{target.name}.writing")
    with translate_errors(target), _open_folder(temporary):
        try:
            with (temporary / MANIFEST).open("w", encoding="utf-8") as manifest:
                for file in result.files:
                    marks: dict[int, _Marks] = {}
                    first = number
                    for block in text_blocks(file, column=column, errors=errors):
                        for text, begin, end, ngrams in search.mark(block, [*items]):
                            marks.setdefault(number - first + text, []).append((begin, end, ngrams))
                        number += len(block)
                    copy = temporary / os.path.relpath(Path(file).absolute(), root)
                    copy.parent.mkdir(parents=True, exist_ok=True)
                    for record, action in _copy(file, copy, marks, search, [*items], column, errors, cut=cut):
                        found_items = set[int]().union(*(items[one] for *_, ngrams in marks[record] for one in ngrams))
                        words = [[begin, end] for begin, end, _ in marks[record]]
                        entry = {"file": file, "record": record + 1, "action": action}
                        manifest.write(json.dumps({**entry, "items": sorted(found_items), "words": words}) + "\n")
                        changed += 1
            if number != result.records:
                raise DataFileError(result.files[0], "the corpus is not the one that was searched; search it again")
            (temporary / LOCK).unlink(missing_ok=True)
            temporary.replace(target)
        finally:
            shutil.rmtree(temporary, ignore_errors=True)
    return changed


@contextmanager
def _open_folder(folder: Path) -> Iterator[None]:
    """Hold an empty folder for this process; what a killed one left in it is removed."""
    folder.mkdir(exist_ok=True)
    if any(folder.iterdir()) and not (folder / LOCK).is_file():
        raise OutputError(str(folder), "it is no unfinished clean copy; move it away")
    with lock_folder(folder):
        for path in folder.iterdir():
            if path.is_dir():
                shutil.rmtree(path)
            elif path.name != LOCK:
                path.unlink()
        yield


def _copy(
    file: str,
    copy: Path,
    marks: Mapping[int, _Marks],
    search: CorpusSearch,
    ngrams: Sequence[int],
    column: str | None,
    errors: str,
    *,
    cut: bool,
) -> Iterator[tuple[int, str]]:
    """Copy a file record by record, and yield the records that are not copied as they are."""
    if not marks:
        shutil.copyfile(file, copy)
        return
    if is_table(file) and column is None:
        with closing(open_table(file, errors=errors)) as table:
            column = text_column(table)

    def shorten(text: str) -> str:
        return _cut(text, search, ngrams) if cut else ""

    if _is_parquet(file):
        yield from _copy_parquet(file, copy, marks, str(column), shorten)
        return
    record = -1
    with _writer(copy) as write, closing(_RawBlocks(file)) as blocks:
        for line in (line for block in blocks for line in io.BytesIO(block)):
            is_record = not is_table(file) or bool(line.strip(_NOTHING))
            record += is_record
            if not (is_record and record in marks):
                write.write(line)
                continue
            content = line.rstrip(b"\r\n")
            decoded = content.decode("utf-8", "replace")  # as `errors` lets it be read
            row: Any = decoded if column is None else json.loads(decoded.removeprefix("\ufeff"))
            shorter = shorten(row if column is None else row[column])
            if shorter:
                written = shorter if column is None else json.dumps({**row, column: shorter}, ensure_ascii=False)
                write.write(written.encode() + line[len(content) :])
            yield record, "cut" if shorter else "removed"


def _copy_parquet(
    file: str, copy: Path, marks: Mapping[int, _Marks], column: str, shorten: Callable[[str], str]
) -> Iterator[tuple[int, str]]:
    arrow, first = load_pyarrow(f"reading {file}"), 0
    with arrow.parquet.ParquetFile(file) as table:
        schema, packed = table.schema_arrow, table.metadata.row_group(0).column(0).compression
        place = schema.get_field_index(column)
        with arrow.parquet.ParquetWriter(copy, schema, compression=packed) as writer:
            for batch in table.iter_batches(use_threads=False):
                marked = [at for at in range(len(batch)) if first + at in marks]
                first += len(batch)
                if marked:
                    texts, kept = batch.column(place).to_pylist(), [True] * len(batch)
                    for at in marked:
                        texts[at] = shorten(texts[at])
                        kept[at] = bool(texts[at])
                        yield first - len(kept) + at, "cut" if kept[at] else "removed"
                    cut = arrow.array(texts, schema.field(place).type)
                    batch = batch.set_column(place, schema.field(place), cut).filter(arrow.array(kept))
                writer.write_batch(batch)


def _is_parquet(file: str) -> bool:
    return file.lower().endswith(".parquet")


def _cut(text: str, search: CorpusSearch, ngrams: Sequence[int]) -> str:
    """The text without the words of n-grams; nothing if no words are left, or if tokens are not within words."""
    while marked := search.mark(column_of([text], "text"), ngrams):
        words = [match.span() for match in re.finditer(r"\S+", text)]
        tokens = [search.reader(text[begin:end]) for begin, end in words]
        if [token for word in tokens for token in word] != search.reader(text):
            return ""
        ends = [*accumulate(map(len, tokens))]
        kept = [
            not any(begin < end and end - len(word) < stop for _, begin, stop, _ in marked)
            for end, word in zip(ends, tokens, strict=True)
        ]
        borders = [*(begin for begin, _ in words), len(text)]
        text = "".join(text[borders[at] : borders[at + 1]] for at, keep in enumerate(kept) if keep)
    return text if text.strip() else ""


@contextmanager
def _writer(path: Path) -> Iterator[IO[bytes]]:
    """Write a file that is compressed as its name says."""
    with path.open("wb") as file:
        if path.suffix == ".gz":
            with gzip.GzipFile("", "wb", fileobj=file, mtime=0) as packed:
                yield packed  # type: ignore[misc]
        elif path.suffix == ".zst":
            with ExtraImport(f"writing {path.name}", ("zstandard",), "zstd"):
                import zstandard
            with zstandard.ZstdCompressor().stream_writer(file, closefd=False) as packed:
                yield packed
        else:
            yield file
