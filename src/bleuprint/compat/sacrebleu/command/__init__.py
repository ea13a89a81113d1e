"""sacrebleu's command line for local files, with its arguments and output."""

from __future__ import annotations

import io
import os
from argparse import Namespace
from collections.abc import Iterator, Sequence
from typing import BinaryIO

from bleuprint.compat.sacrebleu.command.arguments import parse
from bleuprint.compat.sacrebleu.command.tables import Paint, ansi, results_table, single_results
from bleuprint.compat.sacrebleu.metrics import METRICS
from bleuprint.compat.sacrebleu.metrics.base import Metric, Score, logger
from bleuprint.compat.sacrebleu.utils import smart_open
from bleuprint.errors import DataFileError, InputError, LineCountError

Systems = dict[str, list[str]]  # the lines of each by its name


def output(given: Sequence[str], stdin: BinaryIO, *, colour: bool = False) -> Iterator[str]:
    """Yield what sacrebleu prints for these arguments, line by line; raises InputError on failure."""
    arguments = parse(given)
    references = _read_references(arguments)
    systems = _read_systems(arguments, stdin)
    _check(arguments, systems, references)
    metrics = {name.upper(): _metric(name, arguments, references) for name in arguments.metrics}
    coloured = colour and not arguments.no_color and not os.environ.get("NO_COLOR")
    paint: Paint = ansi if coloured else lambda text, _: text
    first = next(iter(systems.values()))
    if arguments.sentence_level:
        (metric,) = metrics.values()
        for hypothesis, *group in zip(first, *references, strict=True):
            score = metric.sentence_score(hypothesis, group)
            signature = metric.get_signature().format(arguments.short)
            yield score.format(arguments.width, arguments.score_only, signature) + "\n"
    elif len(systems) == 1:
        yield from _one_system(arguments, metrics, first, paint)
        if arguments.detail:
            yield "No subset information found. Consider using --origlang argument.\n"
    else:
        logger.info(f"Found {len(systems)} systems.")
        yield from _several_systems(arguments, metrics, systems, paint)


def _read_references(arguments: Namespace) -> list[list[str]]:
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


def _read_systems(arguments: Namespace, stdin: BinaryIO) -> Systems:
    """The systems, from the files of -i or from the fields of standard input."""
    if arguments.input is None:
        columns = _from_stream(stdin, arguments.encoding)
        names = [f"System {number}" for number in range(1, len(columns) + 1)]
        return dict(zip(["Baseline", *names[:-1]] if arguments.paired else names, columns, strict=True))
    systems: Systems = {}
    for file in arguments.input:
        name = f"Baseline: {file}" if arguments.paired and not systems else file
        if f"Baseline: {file}" in systems and arguments.paired:
            logger.info(f"Ignoring {file!r} as it was also given as the baseline.")
        elif name in systems:
            raise InputError(f"{file!r} already used to name a system.")
        else:
            systems[name] = _lines(file, arguments.encoding)
    if not systems:
        raise InputError("-i/--input has no file.")
    return systems


def _from_stream(stdin: BinaryIO, encoding: str) -> list[list[str]]:
    try:
        # Any line ending is accepted here, unlike in files, as in sacrebleu.
        lines = [line.rstrip().split("\t") for line in io.TextIOWrapper(stdin, encoding=encoding)] or [[""]]
    except (UnicodeError, LookupError) as error:
        raise _unreadable("standard input", error) from None
    if any(len(fields) != len(lines[0]) for fields in lines):
        raise InputError("the number of tab-delimited fields in the input stream differ across lines.")
    columns = zip(*lines, strict=True)
    return [[text.rstrip() if number else text for number, text in enumerate(column)] for column in columns]


def _lines(file: str, encoding: str) -> list[str]:
    """Lines end at line feeds and lose trailing whitespace, as in sacrebleu."""
    try:
        with smart_open(file, encoding=encoding) as opened:
            return [line.rstrip() for line in opened]
    except (UnicodeError, LookupError, EOFError) as error:
        raise _unreadable(file, error) from None
    except OSError as error:
        raise DataFileError(file, (error.strerror or str(error)).lower()) from None


def _unreadable(name: str, error: Exception) -> DataFileError:
    return DataFileError(name, f"it cannot be decoded with this encoding ({error})")


def _check(arguments: Namespace, systems: Systems, references: list[list[str]]) -> None:
    count = len(systems)
    if arguments.sentence_level and count > 1:
        raise InputError("Only one system can be evaluated in sentence-level mode.")
    if arguments.sentence_level and (arguments.confidence or arguments.paired):
        raise InputError("Statistical tests are unavailable in sentence-level mode.")
    if arguments.paired and count == 1:
        raise InputError("Paired tests require multiple input systems given to --input (-i).")
    if count > 1 and arguments.confidence:
        raise InputError("Use paired tests (--paired-bs or --paired-ar) for multiple systems.")
    for name, lines in systems.items():
        if not lines:
            raise InputError(f"{name} contains no sentence.")
        for number, stream in enumerate(references, start=1):
            if len(stream) != len(lines):
                raise LineCountError(name, len(lines), f"reference {number}", len(stream))


def _metric(name: str, arguments: Namespace, references: list[list[str]]) -> Metric[Score]:
    prefix = f"{name}_"
    options = {key.removeprefix(prefix): value for key, value in vars(arguments).items() if key.startswith(prefix)}
    return METRICS[name.upper()](**options, references=references)


def _one_system(
    arguments: Namespace, metrics: dict[str, Metric[Score]], lines: list[str], paint: Paint
) -> Iterator[str]:
    results, as_json = [], arguments.format == "json"
    for name in sorted(metrics):
        resamples = arguments.confidence_n if arguments.confidence else 1
        score = metrics[name].corpus_score(lines, None, resamples)
        signature = metrics[name].get_signature().format(arguments.short and not as_json)
        results.append(score.format(arguments.width, arguments.score_only, signature, as_json))
    return single_results(results, as_json=as_json, paint=paint)


def _several_systems(
    arguments: Namespace, metrics: dict[str, Metric[Score]], systems: Systems, paint: Paint
) -> Iterator[str]:
    signatures: dict[str, str] = {}
    scores: dict[str, list[str]] = {"System": list(systems)}
    if not arguments.paired:
        for lines in systems.values():
            for name in sorted(metrics):
                score = metrics[name].corpus_score(lines, None)
                signatures[score.name] = metrics[name].get_signature().format(arguments.short)
                scores.setdefault(score.name, []).append(score.format(arguments.width, True))
        return results_table(scores, signatures, arguments, paint)
    from bleuprint.compat.sacrebleu.significance import PairedTest

    test = PairedTest(
        list(systems.items()),
        metrics,
        references=None,
        test_type="bs" if arguments.paired_bs else "ar",
        n_samples=arguments.paired_bs_n if arguments.paired_bs else arguments.paired_ar_n,
        n_jobs=arguments.paired_jobs,
    )
    tested, results = test()
    signatures = {name: signature.format(arguments.short) for name, signature in tested.items()}
    return results_table(results, signatures, arguments, paint)
