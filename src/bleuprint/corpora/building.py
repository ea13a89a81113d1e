"""Build an n-gram index of files of any size: parts that fit into memory, then one merge.

A part is an index of some consecutive texts. Merging parts gives, byte by byte, the index of all texts at once, however
they were divided. So a build that was killed goes on after its last part, a smaller memory limit only means more parts,
and parts may come from other machines.

Beside the output stands a folder, OUTPUT.building, with the parts and a journal. A part counts once the journal names
it. The folder disappears when the output is in place. A folder of that name with anything else in it is refused.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import astuple, dataclass
from functools import partial
from itertools import takewhile
from pathlib import Path
from typing import Any
from unicodedata import unidata_version

from bleuprint import __version__, checks
from bleuprint.core import counts, scripts, tokenizers
from bleuprint.core import ngram_index as native
from bleuprint.core.threads import worker_count
from bleuprint.dataset.opening import STDIN, PathLike, check_paths, name_of
from bleuprint.dataset.stream import text_blocks
from bleuprint.errors import DataFileError, IndexFileError, OptionError, OutputError
from bleuprint.files import check_targets, move_file, translate_errors, write_file, write_files
from bleuprint.models.ngram_index import IndexSource, NgramIndex, check_order, note

MEMORY = 1 << 30
_BYTES_PER_WORD = 4  # of every part, while parts are merged
_LARGEST_PART = 1 << 62  # bytes
_MOST_MERGED = 256  # files that are open at the same time
_VERSION = 2
LOCK, _JOURNAL = "lock", "journal.json"
# All that a build writes into its folder: with the temporary files of files.py, which a killed build leaves.
_TEMPORARY = r"\.[0-9a-f]{12}\.tmp"
_OWN_NAMES = re.compile(rf"\.(journal\.json|[0-9]{{6,}}\.part){_TEMPORARY}|journal\.json|lock|[0-9]{{6,}}\.part")
_WITHOUT_JOURNAL = re.compile(rf"\.journal\.json{_TEMPORARY}|lock")
_SAMPLED = 1 << 16  # bytes at either end of a file that its stamp covers


@dataclass(frozen=True, slots=True)
class TextSource:
    """A source of texts that can be read again from its start."""

    name: str
    stamp: Sequence[object]  # changes if the texts do; empty if that cannot be known, as for a pipe
    blocks: Callable[[], Iterator[counts.Column]]


def build_index(
    paths: Sequence[PathLike | TextSource] | PathLike | TextSource,
    output: PathLike,
    *,
    max_order: int = 13,
    tokenizer: str | tokenizers.Tokenize = "13a",
    lowercase: bool = False,
    column: str | None = None,
    errors: str = "strict",
    memory: int | str = MEMORY,
    threads: int | None = None,
    overwrite: bool = False,
    restart: bool = False,
    progress: Callable[[int], object] | None = None,
) -> NgramIndex:
    """Index every n-gram of files that may be larger than memory, and open the index.

    - `paths`: text files with one text per line, or tables (.jsonl, .csv, .tsv, .parquet), also compressed; or other
      sources of texts
    - `max_order`: the longest n-grams that are counted
    - `column`: the column of tables that holds the texts
    - `memory`: what the build may allocate, in bytes or as "2GB"; it writes parts to disk and merges them
    - `restart`: discard what an earlier, killed build has done instead of going on from there
    - `progress`: called with the number of texts after each block

    >>> import tempfile
    >>> from pathlib import Path
    >>> folder = Path(tempfile.mkdtemp())
    >>> _ = (folder / "corpus.txt").write_text("the cat sat on the mat\\nthe cat ran\\n")
    >>> build_index(folder / "corpus.txt", folder / "corpus.bpi", tokenizer="whitespace").count("the cat")
    2
    """
    given = [paths] if isinstance(paths, str | os.PathLike | TextSource) else list(paths)
    check_paths(path for path in given if not isinstance(path, TextSource))
    corpora = [
        path
        if isinstance(path, TextSource)
        else TextSource(name_of(path), file_stamp(path), partial(_blocks, path, column, errors, progress))
        for path in given
    ]
    target = Path(output)
    reader = tokenizers.resolve(tokenizer, lowercase)
    limit = checks.memory("memory", memory) - checks.OUTSIDE
    # Everything that decides which n-grams are read: a build goes on only with the same.
    settings = {
        "version": [_VERSION, __version__, unidata_version],
        "max_order": check_order(max_order),
        "tokenizer": [reader.name, *map(str, tokenizer_stamp(tokenizer))],
        "lowercase": reader.lowercase,
        "column": column,
        "errors": errors,
        "corpora": [[corpus.name, *map(str, corpus.stamp)] for corpus in corpora],
    }
    check_targets([target], overwrite=overwrite)
    folder = target.with_name(f"{target.name}.building")
    own = tokenizer if reader.argument is not None else None
    with _open_workshop(folder, settings, own, restart=restart) as workshop:
        _add_parts(workshop, corpora, reader, max_order, min(limit, _LARGEST_PART), threads)
        if not workshop.parts:
            raise OptionError("texts", "at least one text to index", [corpus.name for corpus in corpora])
        _merge_parts(workshop, reader, limit)
        move_file(workshop.folder / workshop.parts[0].file, target, overwrite=overwrite)
        workshop.finished = True
    return NgramIndex.open(target, tokenizer=reader.argument)


def merge_indexes(
    paths: Sequence[PathLike],
    output: PathLike,
    *,
    tokenizer: str | tokenizers.Tokenize | None = None,
    overwrite: bool = False,
) -> NgramIndex:
    """Merge index files into one: the index of all their texts, in this order."""
    if not paths:
        raise OptionError("paths", "at least one index", paths)
    indexes = [NgramIndex.open(path, tokenizer=tokenizer) for path in paths]
    for index, path in zip(indexes, paths, strict=True):
        for one, other in zip(_settings(indexes[0]), _settings(index), strict=True):
            if one != other:
                raise IndexFileError(str(path), f"it has {other}, but {paths[0]} has {one}, so they cannot be merged")
    write_file(Path(output), _merger(indexes), overwrite=overwrite)
    return NgramIndex.open(output, tokenizer=tokenizer)


def _settings(index: NgramIndex) -> tuple[str, str]:
    lowercased = " lowercased" if index.tokenizer.lowercase else ""
    return f"max_order {index.max_order}", f"tokenizer {index.tokenizer.name}{lowercased}"


def _merger(indexes: Sequence[NgramIndex]) -> Callable[[int], None]:
    description = note(indexes[0].tokenizer, [source for index in indexes for source in index.sources])

    def fill(descriptor: int) -> None:
        try:
            native.merge_indexes([index.native for index in indexes], descriptor, description)
        except native.IndexFault as fault:
            raise IndexFileError("a part of the merge", str(fault)) from None

    return fill


@dataclass(frozen=True, slots=True)
class _Part:
    """A finished part, and the text after its last: text `texts` of corpus `corpus`."""

    file: str
    digest: str
    corpus: int
    texts: int


class _Workshop:
    """The folder of an unfinished build."""

    def __init__(
        self, folder: Path, settings: dict[str, object], tokenizer: tokenizers.Tokenize | str | None, *, restart: bool
    ) -> None:
        self.folder, self._settings, self._tokenizer = folder, settings, tokenizer
        self.parts = [] if restart else self._journal()
        self.finished = False
        # What was written when the build was killed.
        _remove_own(folder, {part.file for part in self.parts} | {_JOURNAL, LOCK})
        self._number = 1 + max((int(part.file.split(".")[0]) for part in self.parts), default=-1)
        self._write_journal()

    def open(self, file: str) -> NgramIndex:
        return NgramIndex.open(self.folder / file, tokenizer=self._tokenizer)

    def add(self, fill: Callable[[int], None], replaced: Sequence[_Part], corpus: int, texts: int) -> None:
        """Write a part, put it in the place of others, and record that."""
        file = f"{self._number:06d}.part"
        self._number += 1
        write_file(self.folder / file, fill)
        part = _Part(file, self.open(file).digest, corpus, texts)
        at = self.parts.index(replaced[0]) if replaced else len(self.parts)
        self.parts[at : at + len(replaced)] = [part]
        self._write_journal()
        for old in replaced:
            (self.folder / old.file).unlink()

    def _journal(self) -> list[_Part]:
        journal = _read_journal(self.folder)
        if journal is None:
            return []
        try:
            parts = [_Part(*part) for part in journal["parts"]] if journal["settings"] == self._settings else None
        except TypeError:
            parts = None
        if parts is None:
            other = "it holds an unfinished build of other texts or options; pass --restart (restart=True)"
            raise OutputError(str(self.folder), f"{other} to discard it")
        # Killed after the output was in place, while the folder was removed.
        parts = list(takewhile(lambda part: (self.folder / part.file).exists(), parts))
        for part in parts:
            index = self.open(part.file)
            if index.digest != part.digest:
                raise IndexFileError(str(self.folder / part.file), "the journal names another part")
            index.verify()
        return parts

    def _write_journal(self) -> None:
        journal = {"settings": self._settings, "parts": list(map(astuple, self.parts))}
        content = json.dumps(journal, indent=1)
        write_files({self.folder / _JOURNAL: content.encode()}, overwrite=True)


@contextmanager
def _open_workshop(
    folder: Path, settings: dict[str, object], tokenizer: tokenizers.Tokenize | str | None, *, restart: bool
) -> Iterator[_Workshop]:
    """Work in a folder, one process at a time; leave nothing behind but finished parts of an unfinished build."""
    with translate_errors(folder):
        with suppress(FileExistsError):
            folder.mkdir(mode=0o700)  # whatever mode the output has, nobody else reads its parts
        _check_own(folder)
    with lock_folder(folder):
        workshop = _Workshop(folder, settings, tokenizer, restart=restart)
        try:
            yield workshop
        finally:
            if workshop.finished or not workshop.parts:
                with suppress(OSError):
                    _remove_own(folder)
                    folder.rmdir()


def _check_own(folder: Path) -> None:
    """Refuse a folder that a build has not made: what stands in it would be taken for parts, or be removed."""
    foreign = ["it is no folder, or a link"]
    if folder.is_dir() and not folder.is_symlink():
        with os.scandir(folder) as entries:
            files = {entry.name: entry.is_file(follow_symlinks=False) for entry in entries}
        own = _WITHOUT_JOURNAL if _read_journal(folder) is None else _OWN_NAMES
        foreign = sorted(name for name, is_file in files.items() if not (is_file and own.fullmatch(name)))
    if foreign:
        raise OutputError(
            str(folder), f"it was not made by an index build ({foreign[0]}); move it away, or pass another output"
        )


def _read_journal(folder: Path) -> dict[str, Any] | None:
    """The journal in a folder; None if there is none."""
    try:
        content = json.loads((folder / _JOURNAL).read_bytes())
    except (OSError, ValueError, RecursionError):
        return None
    return content if isinstance(content, dict) and content.keys() == {"settings", "parts"} else None


def _remove_own(folder: Path, kept: Collection[str] = ()) -> None:
    """Remove what builds write: first parts, then the journal, without which parts would be somebody else's."""
    for path in sorted(folder.iterdir()):
        if _OWN_NAMES.fullmatch(path.name) and path.name not in kept:
            path.unlink()


@contextmanager
def lock_folder(folder: Path) -> Iterator[None]:
    """Hold the folder for this process; a killed process holds nothing."""
    try:
        import fcntl
    except ImportError:  # Windows
        yield
        return
    with (folder / LOCK).open("a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise OutputError(str(folder), "another process is writing it; wait until it ends") from None
        yield


def _add_parts(
    workshop: _Workshop,
    corpora: Sequence[TextSource],
    reader: tokenizers.Tokenizer,
    max_order: int,
    memory: int,
    threads: int | None,
) -> None:
    """Add the texts that no part holds yet."""
    start, done = (workshop.parts[-1].corpus, workshop.parts[-1].texts) if workshop.parts else (0, 0)
    native.prepare(*reader.reading)
    builder = native.IndexBuilder(max_order)
    sources: list[IndexSource] = []
    workers = worker_count(threads)

    def finish(corpus: int, texts: int) -> None:
        description = note(reader, sources)
        sources.clear()
        workshop.add(lambda descriptor: builder.write(descriptor, description, workers), (), corpus, texts)

    for number in range(start, len(corpora)):
        corpus = corpora[number]
        skipped, read = (done if number == start else 0), 0
        for block in corpus.blocks():
            if read + len(block) <= skipped:
                read += len(block)
                continue
            if read == 0:
                scripts.warn_of_unread(f"index of {corpus.name}", reader, block)
            column = reader.prepare_column(block, corpus.name)
            at = max(0, skipped - read)
            while at < len(block):
                following = builder.add(column, at, *reader.reading, memory)
                sources.append(IndexSource(corpus.name, read + at, following - at))
                at = following
                if at < len(block):
                    finish(number, read + at)
                    builder = native.IndexBuilder(max_order)
            read += len(block)
        if read < skipped:
            raise OutputError(
                str(workshop.folder), f"{corpus.name} has fewer texts than were indexed; pass --restart (restart=True)"
            )
    if builder.texts:
        finish(len(corpora), 0)


def _merge_parts(workshop: _Workshop, reader: tokenizers.Tokenizer, memory: int) -> None:
    """Merge all parts into one; in several rounds if the words of all of them do not fit into memory."""
    while len(workshop.parts) > 1:
        group: list[_Part] = []
        opened: list[NgramIndex] = []
        needed = 0
        for part in workshop.parts[:_MOST_MERGED]:
            index = workshop.open(part.file)
            more = index.words * _BYTES_PER_WORD
            if len(group) > 1 and needed + more > memory:
                break
            group.append(part)
            opened.append(index)
            needed += more
        if needed > memory:  # two parts, the fewest that can be merged
            least = needed + checks.OUTSIDE
            raise OptionError("memory", f"at least {least} bytes for so many different tokens", memory + checks.OUTSIDE)
        workshop.add(_merger(opened), group, group[-1].corpus, group[-1].texts)


def _blocks(
    path: PathLike, column: str | None, errors: str, progress: Callable[[int], object] | None
) -> Iterator[counts.Column]:
    for block in text_blocks(path, column=column, errors=errors):
        yield block
        if progress is not None:
            progress(len(block))


def tokenizer_stamp(tokenizer: str | tokenizers.Tokenize) -> tuple[object, ...]:
    """Empty if the name of the tokenizer says which it is: not that of a lambda, a local function or an object."""
    named = isinstance(tokenizer, str) or "<" not in getattr(tokenizer, "__qualname__", "<")
    return () if named else _never_again()


def _never_again() -> tuple[object, ...]:
    return (os.getpid(), os.urandom(8).hex())


def file_stamp(path: PathLike) -> tuple[object, ...]:
    """Size, time, and a digest of both ends of a file: what a resumed build compares."""
    file = Path(path)
    if os.fspath(path) == STDIN or not file.is_file():
        return _never_again()
    try:
        status = file.stat()
        with file.open("rb") as content:
            first = content.read(_SAMPLED)
            content.seek(max(0, status.st_size - _SAMPLED))
            ends = hashlib.sha256(first + content.read(_SAMPLED)).hexdigest()[:16]
    except OSError as error:
        raise DataFileError(name_of(path), f"cannot be read: {error.strerror or error}") from None
    return (status.st_size, status.st_mtime_ns, ends)
