"""Files as bytes: plain, compressed with gzip or zstd, or standard input; whatever goes wrong is one clear error.

What a file is compressed with is told by its first bytes, which no UTF-8 text begins with, so a pipe may be compressed
as well.
"""

from __future__ import annotations

import os
import stat
import sys
import zlib
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import IO, Protocol

from bleuprint.errors import DataFileError, MissingExtraError

__all__ = ["STDIN", "Input", "PathLike", "name_of"]

PathLike = str | os.PathLike[str]

STDIN = "-"
_STDIN_NAME = "<stdin>"
_GZIP, _ZSTD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"
_LONGEST_MAGIC = 4
_FETCHED = 1 << 16
# At most this much is unpacked at a time: four bytes of zstd can stand for 128 KB, so a hostile file takes 128 MB.
_FED = 1 << 12


class _Frame(Protocol):
    """What zlib, zstandard and the standard library's zstd call a decompressor."""

    @property
    def eof(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, /) -> bytes: ...


def name_of(path: PathLike) -> str:
    """What a file is called in messages."""
    return _STDIN_NAME if os.fspath(path) == STDIN else os.fspath(path)


class Input:
    """The bytes of a file, unpacked, with the position in the file as it lies on the disk."""

    def __init__(self, path: PathLike) -> None:
        self.name = name_of(path)
        self.position = 0
        self._file = self._opened(path)
        self.size = self._size()
        self._pending = b""  # read, and not unpacked yet
        self._ready, self._given = b"", 0
        self._frame: _Frame | None = None
        self._new_frame: Callable[[], _Frame] | None = None
        self._format = ""
        self._inside = False
        try:
            self._recognise()
        except BaseException:
            self.close()
            raise

    def read(self, size: int) -> bytes:
        """The next so many bytes; fewer only at the end."""
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
        """Let go of the file; standard input stays open."""
        if self.name != _STDIN_NAME:
            self._file.close()

    def _opened(self, path: PathLike) -> IO[bytes]:
        try:
            if os.fspath(path) != STDIN:
                return Path(path).open("rb", buffering=0)
        except FileNotFoundError:
            raise DataFileError(self.name, "there is no such file") from None
        except IsADirectoryError:
            raise DataFileError(self.name, "this is a folder, not a file") from None
        except OSError as error:
            raise DataFileError(self.name, f"cannot be read: {error.strerror or error}") from None
        except ValueError as error:  # a NUL inside the path
            raise DataFileError(self.name, f"cannot be opened: {error}") from None
        if sys.stdin is None:
            raise DataFileError(self.name, "standard input is closed")
        return sys.stdin.buffer

    def _size(self) -> int | None:
        with suppress(OSError, ValueError, AttributeError):
            found = os.fstat(self._file.fileno())
            return found.st_size if stat.S_ISREG(found.st_mode) else None
        return None

    def _recognise(self) -> None:
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
        try:
            piece: bytes = getattr(self._file, "read1", self._file.read)(size)
        except OSError as error:
            problem = (
                "this is a folder, not a file" if isinstance(error, IsADirectoryError) else error.strerror or error
            )
            raise DataFileError(self.name, f"cannot be read: {problem}") from None
        except ValueError:
            raise DataFileError(self.name, "it was closed while it was read") from None
        self.position += len(piece)
        return piece

    def _next(self, size: int) -> bytes:
        """Some bytes, nothing at the end."""
        if self._new_frame is not None:
            return self._unpacked(self._new_frame)
        piece, self._pending = self._pending, b""
        return piece or self._fetch(size)

    def _unpacked(self, new_frame: Callable[[], _Frame]) -> bytes:
        piece = b""
        while not piece:
            self._pending = self._pending or self._fetch(_FETCHED)
            if not self._inside:
                self._pending = self._pending.lstrip(b"\0")  # tapes and block devices pad with zeros
            if not self._pending:
                if self._inside:
                    raise DataFileError(self.name, f"its {self._format} data ends too early: the file was cut off")
                break
            self._frame = self._frame or new_frame()
            fed, self._pending = self._pending[:_FED], self._pending[_FED:]
            piece = self._decompressed(self._frame, fed)
            self._inside = not self._frame.eof
            if self._frame.eof:
                self._pending = self._frame.unused_data + self._pending
                self._frame = None
        return piece

    def _decompressed(self, frame: _Frame, fed: bytes) -> bytes:
        try:
            return frame.decompress(fed)
        except MemoryError:
            raise
        except Exception as error:  # zlib.error, zstandard.ZstdError, compression.zstd.ZstdError
            raise DataFileError(self.name, f"its {self._format} data is damaged ({error})") from None


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
