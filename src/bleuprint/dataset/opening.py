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
        self._ready, self._given = b"", 0
        self._unpacked: Iterator[bytes] | None = None  # of a compressed file
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
                following = self._fetch(size) if self._unpacked is None else next(self._unpacked, b"")
                self._ready, self._given = following, 0
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
        while len(self._ready) < _LONGEST_MAGIC and (piece := self._fetch(_FETCHED)):
            self._ready += piece
        if self._ready.startswith((_GZIP, _ZSTD)):
            if self._ready.startswith(_ZSTD):
                frames = self._unpack(self._ready, "zstd", _zstd_frames(self.name))
            else:
                frames = self._unpack(self._ready, "gzip", lambda: zlib.decompressobj(wbits=16 + zlib.MAX_WBITS))
            self._unpacked, self._ready = frames, b""

    def _fetch(self, size: int) -> bytes:
        with translate_errors(self.name):
            piece: bytes = getattr(self._file, "read1", self._file.read)(size)
        if not piece and self._file_status() != self._status:
            problem = "it changed while it was being read; wait until nothing writes to it, then read it again"
            raise DataFileError(self.name, problem)
        self.position += len(piece)
        return piece

    def _unpack(self, pending: bytes, form: str, new_frame: Callable[[], _Frame]) -> Iterator[bytes]:
        """Yield what the frames hold, one after the other."""
        while True:
            while not (pending := pending.lstrip(b"\0")):  # tapes and block devices pad with zeros
                pending = self._fetch(_FETCHED)
                if not pending:
                    return
            frame = new_frame()
            while not frame.eof:
                pending = pending or self._fetch(_FETCHED)
                if not pending:
                    raise DataFileError(self.name, f"its {form} data ends too early; the file is truncated")
                if piece := _decompress(frame, pending[:_FED], self.name, form):
                    yield piece
                pending = pending[_FED:]
            pending = frame.unused_data + pending


def _decompress(frame: _Frame, fed: bytes, name: str, form: str) -> bytes:
    try:
        return frame.decompress(fed)
    except MemoryError:
        raise
    except Exception as error:  # zlib.error, zstandard.ZstdError, compression.zstd.ZstdError
        raise DataFileError(name, f"its {form} data is damaged ({error})") from None


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
