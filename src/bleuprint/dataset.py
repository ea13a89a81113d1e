"""Reading segments: parallel text files, one segment per line.

A line ends at a line feed and nowhere else: U+2028, form feeds and lone carriage returns stay inside their
segment, so files that correspond line by line keep corresponding. The carriage return of a CRLF ending
belongs to the ending. Files are UTF-8; a byte order mark at the start is removed and noted.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from bleuprint.errors import DataFileError, LineCountError

__all__ = ["STDIN", "TextFile", "read_parallel", "read_text"]

STDIN = "-"
_STDIN_NAME = "<stdin>"
_BOM = b"\xef\xbb\xbf"

# What the first bytes give away about a file that is no UTF-8 text, with the command that makes it one.
_FOREIGN = {
    b"\xff\xfe": "it is UTF-16, not UTF-8; convert it first: iconv -f UTF-16 -t UTF-8",
    b"\xfe\xff": "it is UTF-16, not UTF-8; convert it first: iconv -f UTF-16 -t UTF-8",
    b"\x1f\x8b": "it is compressed with gzip; unpack it first: gzip -d",
    b"\x28\xb5\x2f\xfd": "it is compressed with zstd; unpack it first: zstd -d",
}


@dataclass(frozen=True, slots=True)
class TextFile:
    """The segments of one file, and what had to be said about it."""

    name: str
    segments: tuple[str, ...]
    notes: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.segments)


def read_text(path: str | Path) -> TextFile:
    """The segments of a file; `-` is standard input."""
    name = _STDIN_NAME if str(path) == STDIN else str(path)
    content = _content(path, name)
    for start, problem in _FOREIGN.items():
        if content.startswith(start):
            raise DataFileError(name, problem)
    notes: tuple[str, ...] = ()
    if content.startswith(_BOM):
        content = content.removeprefix(_BOM)
        notes = (f"{name}: a byte order mark at the start was removed",)
    if not content:
        raise DataFileError(name, "the file is empty; there is nothing to score")
    return TextFile(name, _segments(content, name), notes)


def read_parallel(paths: Iterable[str | Path]) -> list[TextFile]:
    """Several files whose lines belong together; they must have equally many."""
    paths = list(paths)
    if sum(str(path) == STDIN for path in paths) > 1:
        raise DataFileError(_STDIN_NAME, "it can be read only once, but '-' is given more than once")
    files = [read_text(path) for path in paths]
    for file in files[1:]:
        if len(file) != len(files[0]):
            raise LineCountError(files[0].name, len(files[0]), file.name, len(file))
    return files


def _content(path: str | Path, name: str) -> bytes:
    try:
        if str(path) != STDIN:
            return Path(path).read_bytes()
        if sys.stdin is None:
            raise DataFileError(name, "standard input is closed")
        return sys.stdin.buffer.read()
    except FileNotFoundError:
        raise DataFileError(name, "there is no such file") from None
    except IsADirectoryError:
        raise DataFileError(name, "this is a folder, not a file") from None
    except OSError as error:
        raise DataFileError(name, f"cannot be read: {error.strerror or error}") from None
    except ValueError as error:  # a NUL inside the path
        raise DataFileError(name, f"cannot be opened: {error}") from None


def _segments(content: bytes, name: str) -> tuple[str, ...]:
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        line_start = content.rfind(b"\n", 0, error.start) + 1
        raise DataFileError(
            name,
            f"byte {error.start - line_start + 1} (0x{content[error.start]:02X}) is not valid UTF-8; "
            "convert the file from the encoding it has: iconv -f … -t UTF-8",
            line=content.count(b"\n", 0, error.start) + 1,
        ) from None
    lines = text.split("\n")
    last = lines.pop()
    segments = [line.removesuffix("\r") for line in lines]
    return (*segments, last) if last else tuple(segments)
