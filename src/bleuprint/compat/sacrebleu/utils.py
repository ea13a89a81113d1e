"""The utilities of sacrebleu that do not need test sets."""

from __future__ import annotations

import gzip
import math
from collections.abc import Sequence
from functools import reduce
from operator import add
from pathlib import Path
from typing import IO, Any, cast

__all__ = ["my_log", "smart_open", "sum_of_lists"]

_LOG_OF_ZERO = -9999999999


def smart_open(file: str, mode: str = "rt", encoding: str = "utf-8") -> IO[Any]:
    """Open a text file, with gzip if the name ends in .gz; only line feeds end lines."""
    if file.endswith(".gz"):
        return cast("IO[Any]", gzip.open(file, mode=mode, encoding=encoding, newline="\n"))
    return Path(file).open(mode=mode, encoding=encoding, newline="\n")


def my_log(num: float) -> float:
    """The natural logarithm; a very low number for 0.

    >>> my_log(1.0), my_log(0)
    (0.0, -9999999999)
    """
    return _LOG_OF_ZERO if num == 0.0 else math.log(num)


def sum_of_lists(lists: Sequence[Sequence[Any]]) -> list[Any]:
    """Column sums.

    >>> sum_of_lists([[1, 2], [3, 4]])
    [4, 6]
    """
    # One after another, because since Python 3.12 sum() rounds floats differently.
    return [reduce(add, column) for column in zip(*lists, strict=True)]
