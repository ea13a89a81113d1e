"""The utilities of sacrebleu that do not need test sets."""

from __future__ import annotations

import gzip
import math
import sys
from collections.abc import Mapping, Sequence
from functools import reduce
from operator import add
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from argparse import Namespace

    from bleuprint.compat.sacrebleu.significance import Result

__all__ = ["Color", "my_log", "print_results_table", "print_single_results", "smart_open", "sum_of_lists"]

_LOG_OF_ZERO = -9999999999


class Color:
    """Colors for the terminal, unless `ENABLE_COLORS` is set to False."""

    ENABLE_COLORS = True

    @staticmethod
    def format(msg: str, color: str) -> str:
        """The message in a color: black, red, green, yellow, blue, magenta, cyan or white; unchanged in any other.

        >>> Color.format("p", "red")
        '\\x1b[31mp\\x1b[0m'
        """
        colors = ("black", "red", "green", "yellow", "blue", "magenta", "cyan", "white")
        if not Color.ENABLE_COLORS or color.lower() not in colors:
            return msg
        return f"\x1b[{30 + colors.index(color.lower())}m{msg}\x1b[0m"


def print_results_table(
    results: Mapping[str, Sequence[str | Result]], signatures: Mapping[str, object], args: Namespace
) -> None:
    """Print the scores of several systems; `args` are the arguments of the command."""
    from bleuprint.compat.sacrebleu.command.arguments import Arguments
    from bleuprint.compat.sacrebleu.command.tables import results_table

    texts = {name: str(signature) for name, signature in signatures.items()}
    sys.stdout.write("".join(results_table(results, texts, Arguments(**vars(args)), Color.format)))


def print_single_results(results: list[str], args: Namespace) -> None:
    """Print the scores of one system, aligned at the "="."""
    from bleuprint.compat.sacrebleu.command.tables import single_results

    sys.stdout.write("".join(single_results(results, as_json=args.format == "json", paint=Color.format)))


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
