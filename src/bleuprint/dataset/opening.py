"""Read bytes from plain files, gzip or zstd files, or standard input. Every failure is one clear error.

The compression is detected from the first bytes, with which no UTF-8 text can start, so pipes may be compressed too.
"""

from __future__ import annotations

import os
import stat
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Protocol

from bleuprint.errors import DataFileError, MissingExtraError

PathLike = str | os.PathLike[str]

STDIN = "-"
_STDIN_NAME = "<stdin>"
_GZIP, _ZSTD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"
_LONGEST_MAGIC = 4
_FETCHED = 1 << 16
# Compressed bytes decompressed at a time: four bytes of zstd can expand to 128 KB, so a hostile file takes 128 MB.
_FED = 1 << 12


class _Frame(Protocol):
    """The decompressor interface shared by zlib, zstandard, and the standard library's zstd."""

    @property
    def eof(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, /) -> bytes: ...


def name_of(path: PathLike) -> str:
    """Return the name of a file in messages."""
    return _STDIN_NAME if os.fspath(path) == STDIN else os.fspath(path)


def check_paths(paths: Iterable[PathLike]) -> list[PathLike]:
    """Return the paths as a list, after checking that standard input appears at most once."""
    listed = list(paths)
    if sum(name_of(path) == _STDIN_NAME for path in listed) > 1:
        raise DataFileError(_STDIN_NAME, "it can be read only once, but '-' is given more than once")
    return listed


@contextmanager
def translate_errors(name: str) -> Iterator[None]:
    """Turn errors of the system and of pyarrow into a DataFileError."""
    try:
        yield
    except FileNotFoundError:
        raise DataFileError(name, "there is no such file") from None
    except IsADirectoryError:
        raise DataFileError(name, "this is a folder, not a file") from None
    except (OSError, ValueError, TypeError, LookupError, NotImplementedError) as error:  # the bases of pyarrow's errors
        problem = (getattr(error, "strerror", None) or str(error)).strip().partition("\n")[0].rstrip(".")
        raise DataFileError(name, f"cannot be read: {problem}") from None


class Input:
    """The decompressed bytes of a file, with the read position in the file on disk."""

    def __init__(self, path: PathLike) -> None:
        self.name = name_of(path)
        self.position = 0
        self._file = self._open(path)
        self._status = self._file_status()
        self.size = None if self._status is None else self._status[0]  # None for a pipe
        self._pending = b""  # read but not yet decompressed
        self._ready, self._given = b"", 0
        self._frame: _Frame | None = None
        self._new_frame: Callable[[], _Frame] | None = None
        self._format = ""
        self._inside = False
        try:
            self._recognize()
        except BaseException:
            self.close()
            raise

    def read(self, size: int) -> bytes:
        """Return the next `size` bytes; fewer only at the end."""
        pieces = []
        while size > 0:
            if self._given == len(self._ready):
                self._ready, self._given = self._next(size), 0
                if not self._ready:
                    break
            piece = self._ready[self._given : self._given + size]
            pieces.append(piece)
            self._given += len(piece)
            size -= len(piece)
        return b"".join(pieces)

    def close(self) -> None:
        """Close the file; standard input stays open."""
        if self.name != _STDIN_NAME:
            self._file.close()

    def _open(self, path: PathLike) -> IO[bytes]:
        if os.fspath(path) != STDIN:
            with translate_errors(self.name):
                return Path(path).open("rb", buffering=0)
        if sys.stdin is None:
            raise DataFileError(self.name, "standard input is closed")
        return sys.stdin.buffer

    def _file_status(self) -> tuple[int, int] | None:
        """Return size and time of the last change; None for what is not a file."""
        with suppress(OSError, ValueError, AttributeError):
            status = os.fstat(self._file.fileno())
            return (status.st_size, status.st_mtime_ns) if stat.S_ISREG(status.st_mode) else None
        return None

    def _recognize(self) -> None:
        while len(self._pending) < _LONGEST_MAGIC:
            piece = self._fetch(_FETCHED)
            if not piece:
                break
            self._pending += piece
        if self._pending.startswith(_GZIP):
            self._format, self._new_frame = "gzip", _gzip_frame
        elif self._pending.startswith(_ZSTD):
            self._format, self._new_frame = "zstd", _zstd_frames(self.name)

    def _fetch(self, size: int) -> bytes:
        with translate_errors(self.name):
            piece: bytes = getattr(self._file, "read1", self._file.read)(size)
        if not piece and self._file_status() != self._status:
            problem = "it changed while it was being read; wait until nothing writes to it, then read it again"
            raise DataFileError(self.name, problem)
        self.position += len(piece)
        return piece

    def _next(self, size: int) -> bytes:
        """Return some bytes, or nothing at the end."""
        if self._new_frame is not None:
            return self._unpack(self._new_frame)
        piece, self._pending = self._pending, b""
        return piece or self._fetch(size)

    def _unpack(self, new_frame: Callable[[], _Frame]) -> bytes:
        piece = b""
        while not piece:
            self._pending = self._pending or self._fetch(_FETCHED)
            if not self._inside:
                self._pending = self._pending.lstrip(b"\0")  # tapes and block devices pad with zeros
            if not self._pending:
                if self._inside:
                    raise DataFileError(self.name, f"its {self._format} data ends too early; the file is truncated")
                break
            self._frame = self._frame or new_frame()
            fed, self._pending = self._pending[:_FED], self._pending[_FED:]
            piece = _decompress(self._frame, fed, self.name, self._format)
            self._inside = not self._frame.eof
            if self._frame.eof:
                self._pending = self._frame.unused_data + self._pending
                self._frame = None
        return piece


def _decompress(frame: _Frame, fed: bytes, name: str, form: str) -> bytes:
    try:
        return frame.decompress(fed)
    except MemoryError:
        raise
    except Exception as error:  # zlib.error, zstandard.ZstdError, compression.zstd.ZstdError
        raise DataFileError(name, f"its {form} data is damaged ({error})") from None


def _gzip_frame() -> _Frame:
    return zlib.decompressobj(wbits=16 + zlib.MAX_WBITS)


def _zstd_frames(name: str) -> Callable[[], _Frame]:
    try:
        if sys.version_info >= (3, 14):
            from compression.zstd import ZstdDecompressor

            return ZstdDecompressor
        import zstandard
    except ImportError as error:
        raise MissingExtraError(f"reading {name}, which is compressed with zstd,", ["zstandard"], "zstd") from error
    return zstandard.ZstdDecompressor().decompressobj


def unpack_zstd(name: str, content: bytes, size: int) -> bytes:
    """Return the `size` bytes that these bytes of a file unpack to; refuse more, or fewer."""
    frame = _zstd_frames(name)()
    pieces, length = [], 0
    for start in range(0, len(content), _FED):
        pieces.append(_decompress(frame, content[start : start + _FED], name, "zstd"))
        length += len(pieces[-1])
        if length > size:
            break
    if length != size:
        raise DataFileError(name, f"its zstd data is damaged (it does not have the {size:,} bytes that are announced)")
    return b"".join(pieces)
