"""Text files, one segment per line.

Only a line feed ends a line. U+2028, form feeds, and lone carriage returns stay inside their segment, so that parallel
files stay parallel. The carriage return of a CRLF belongs to the line ending. Files are UTF-8; a byte order mark at the
start is removed and reported. UTF-16 is refused even without a byte order mark: read as UTF-8, every other character
would be a NUL, and the text would be scored like that.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bleuprint.core import counts
from bleuprint.dataset.opening import Input, PathLike
from bleuprint.errors import DataFileError, OptionError

BLOCK = 4 << 20  # bytes read at a time; more if a line is longer
_BOM = b"\xef\xbb\xbf"
_REPLACEMENT = "\ufffd"
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")
_NOT_UTF_16 = "it is UTF-16, not UTF-8; convert it first: iconv -f UTF-16 -t UTF-8"


class LineBlocks(Input):
    """A file as blocks of whole lines of valid UTF-8."""

    def __init__(self, path: PathLike, *, errors: str = "strict") -> None:
        if errors not in {"strict", "replace"}:
            raise OptionError("errors", "'strict' or 'replace'", errors)
        super().__init__(path)
        self._replace = errors == "replace"
        self._replaced = 0
        self.notes: Sequence[str] = ()
        self.first_line = 1  # number of the first line in the latest block
        self._following = 1

    def __iter__(self) -> Iterator[bytes]:
        pieces = [self._start()]
        while piece := self.read(BLOCK):
            cut = piece.rfind(b"\n") + 1
            if cut == 0:
                pieces.append(piece)
                continue
            block, pieces = b"".join((*pieces, piece[:cut])), [piece[cut:]]  # a line of a gigabyte is not held twice
            yield self._check(block)
        block, pieces = b"".join(pieces), []
        if block:
            yield self._check(block)
        if self._replaced:
            note = f"{self.name}: replaced {self._replaced} invalid UTF-8 byte sequences with U+FFFD"
            self.notes = (*self.notes, note)
        self.close()

    def _start(self) -> bytes:
        """Return the first bytes without the byte order mark."""
        start = self.read(len(_BOM))
        if start.startswith(_UTF_16):
            raise DataFileError(self.name, _NOT_UTF_16)
        if start.startswith(_BOM):
            start = start.removeprefix(_BOM)
            self.notes = (f"{self.name}: removed the byte order mark at the start",)
        if not start:
            start = self.read(1)
        if not start:
            raise DataFileError(self.name, "the file is empty; there is nothing to score")
        return start

    def _check(self, block: bytes) -> bytes:
        invalid = counts.invalid_utf8(block)
        if invalid >= 0:
            block = self._repair(block, invalid)
        if self._following == 1 and _is_unmarked_utf_16(block[:4096]):
            raise DataFileError(self.name, _NOT_UTF_16)
        self.first_line = self._following
        self._following += block.count(b"\n")
        return block

    def _repair(self, block: bytes, invalid: int) -> bytes:
        if not self._replace:
            line_start = block.rfind(b"\n", 0, invalid) + 1
            raise DataFileError(
                self.name,
                f"byte {invalid - line_start + 1} (0x{block[invalid]:02X}) is not valid UTF-8; "
                "convert the file with iconv -f … -t UTF-8, "
                "or replace such bytes with errors='replace' (--errors replace on the command line)",
                line=self._following + block.count(b"\n", 0, invalid),
            )
        text = block.decode("utf-8", "replace")
        self._replaced += text.count(_REPLACEMENT) - block.count(_REPLACEMENT.encode())
        return text.encode()


def _is_unmarked_utf_16(start: bytes) -> bool:
    """Whether nearly every other byte is NUL, and none of the rest."""
    none, nearly_all = sorted((start[::2].count(0), start[1::2].count(0)))
    return none == 0 and nearly_all >= 4 and nearly_all > 0.9 * (len(start) // 2)
