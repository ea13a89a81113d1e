"""The rules of text files, said plainly: where lines end, and which byte is no UTF-8."""

from __future__ import annotations


def lines(content: bytes) -> list[str]:
    """The lines of valid UTF-8."""
    *ended, last = content.decode().split("\n")
    return [line.removesuffix("\r") for line in ended] + ([last] if last else [])


def invalid_utf8(content: bytes) -> int:
    """Where the first byte stands that is no UTF-8, -1 if there is none."""
    try:
        content.decode()
    except UnicodeDecodeError as error:
        return error.start
    return -1
