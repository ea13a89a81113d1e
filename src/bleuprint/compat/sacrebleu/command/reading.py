"""Read files and standard input like sacrebleu: lines end at line feeds and lose trailing whitespace."""

from __future__ import annotations

import io
from typing import BinaryIO, NamedTuple

from bleuprint.compat.sacrebleu.command.arguments import Arguments
from bleuprint.compat.sacrebleu.metrics.base import logger
from bleuprint.compat.sacrebleu.utils import smart_open
from bleuprint.errors import DataFileError, InputError

_STDIN = "standard input"


class Systems(NamedTuple):
    """The names of the systems, and the lines of each."""

    names: list[str]
    lines: list[list[str]]


def read_references(arguments: Arguments) -> list[list[str]]:
    """The reference streams: one per file, or one per field of a single file."""
    if arguments.num_refs == 1:
        return [_lines(file, arguments.encoding) for file in arguments.refs]
    streams: list[list[str]] = [[] for _ in range(arguments.num_refs)]
    file = arguments.refs[0]
    for number, line in enumerate(_lines(file, arguments.encoding), start=1):
        fields = line.split("\t", maxsplit=arguments.num_refs - 1)
        if len(fields) != arguments.num_refs:
            expected = f"expected {arguments.num_refs} fields, but found {len(fields)}"
            raise DataFileError(file, expected, line=number)
        for stream, field in zip(streams, fields, strict=True):
            stream.append(field)
    return streams


def read_systems(arguments: Arguments, stdin: BinaryIO) -> Systems:
    """The systems, from the files of -i or from the fields of standard input."""
    if arguments.input is None:
        lines = _from_stream(stdin, arguments.encoding)
        names = [f"System {number}" for number in range(1, len(lines) + 1)]
        return Systems(["Baseline", *names[:-1]] if arguments.paired else names, lines)
    systems = Systems([], [])
    for file in arguments.input:
        if file in systems.names:
            if arguments.paired and file == systems.names[0]:
                logger.info(f"Ignoring {file!r} as it was also given as the baseline.")
                continue
            raise InputError(f"{file!r} already used to name a system.")
        systems.names.append(file)
        systems.lines.append(_lines(file, arguments.encoding))
    if not systems.names:
        raise InputError("-i/--input has no file.")
    if arguments.paired:
        systems.names[0] = f"Baseline: {systems.names[0]}"
    return systems


def _from_stream(stdin: BinaryIO, encoding: str) -> list[list[str]]:
    try:
        # Any line ending is accepted here, unlike in files, as in sacrebleu.
        lines = [line.rstrip().split("\t") for line in io.TextIOWrapper(stdin, encoding=encoding)] or [[""]]
    except (UnicodeError, LookupError) as error:
        raise _unreadable(_STDIN, error) from None
    if any(len(fields) != len(lines[0]) for fields in lines):
        raise InputError("the number of tab-delimited fields in the input stream differ across lines.")
    columns = zip(*lines, strict=True)
    return [[text.rstrip() if number else text for number, text in enumerate(column)] for column in columns]


def _lines(file: str, encoding: str) -> list[str]:
    try:
        with smart_open(file, encoding=encoding) as opened:
            return [line.rstrip() for line in opened]
    except (UnicodeError, LookupError, EOFError) as error:
        raise _unreadable(file, error) from None
    except OSError as error:
        raise DataFileError(file, (error.strerror or str(error)).lower()) from None


def _unreadable(name: str, error: Exception) -> DataFileError:
    return DataFileError(name, f"it cannot be decoded with this encoding ({error})")
