"""sacrebleu's command line for local files, with its arguments and output."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import BinaryIO

from bleuprint.compat.sacrebleu.command.arguments import Arguments, parse
from bleuprint.compat.sacrebleu.command.reading import Systems, read_references, read_systems
from bleuprint.compat.sacrebleu.command.tables import Paint, results_table, single_results
from bleuprint.compat.sacrebleu.metrics import METRICS
from bleuprint.compat.sacrebleu.metrics.base import Metric, Score, logger
from bleuprint.compat.sacrebleu.utils import Color
from bleuprint.errors import InputError, LineCountError


def output(given: Sequence[str], stdin: BinaryIO, *, colour: bool = False) -> Iterator[str]:
    """Yield what sacrebleu prints for these arguments, line by line; raises InputError on failure."""
    arguments = parse(given)
    references = read_references(arguments)
    systems = read_systems(arguments, stdin)
    _check(arguments, systems, references)
    metrics = {name.upper(): _metric(name, arguments, references) for name in arguments.metrics}
    coloured = colour and not arguments.no_color and not os.environ.get("NO_COLOR")
    paint: Paint = Color.format if coloured else lambda text, _: text
    if arguments.sentence_level:
        yield from _by_sentence(arguments, next(iter(metrics.values())), systems.lines[0], references)
    elif len(systems.names) == 1:
        yield from _one_system(arguments, metrics, systems.lines[0], paint)
    else:
        logger.info(f"Found {len(systems.names)} systems.")
        yield from _several_systems(arguments, metrics, systems, paint)


def _check(arguments: Arguments, systems: Systems, references: list[list[str]]) -> None:
    count = len(systems.names)
    if arguments.sentence_level and count > 1:
        raise InputError("Only one system can be evaluated in sentence-level mode.")
    if arguments.sentence_level and (arguments.confidence or arguments.paired):
        raise InputError("Statistical tests are unavailable in sentence-level mode.")
    if arguments.paired and count == 1:
        raise InputError("Paired tests require multiple input systems given to --input (-i).")
    if count > 1 and arguments.confidence:
        raise InputError("Use paired tests (--paired-bs or --paired-ar) for multiple systems.")
    for name, lines in zip(systems.names, systems.lines, strict=True):
        if not lines:
            raise InputError(f"{name} contains no sentence.")
        for number, stream in enumerate(references, start=1):
            if len(stream) != len(lines):
                raise LineCountError(name, len(lines), f"reference {number}", len(stream))


def _metric(name: str, arguments: Arguments, references: list[list[str]]) -> Metric[Score]:
    prefix = f"{name}_"
    options = {key.removeprefix(prefix): value for key, value in vars(arguments).items() if key.startswith(prefix)}
    return METRICS[name.upper()](**options, references=references)


def _by_sentence(
    arguments: Arguments, metric: Metric[Score], lines: list[str], references: list[list[str]]
) -> Iterator[str]:
    for hypothesis, *group in zip(lines, *references, strict=True):
        score = metric.sentence_score(hypothesis, group)
        signature = metric.get_signature().format(arguments.short)
        yield score.format(arguments.width, arguments.score_only, signature) + "\n"


def _one_system(
    arguments: Arguments, metrics: dict[str, Metric[Score]], lines: list[str], paint: Paint
) -> Iterator[str]:
    results, as_json = [], arguments.format == "json"
    for name in sorted(metrics):
        resamples = arguments.confidence_n if arguments.confidence else 1
        score = metrics[name].corpus_score(lines, None, resamples)
        signature = metrics[name].get_signature().format(arguments.short and not as_json)
        results.append(score.format(arguments.width, arguments.score_only, signature, as_json))
    return single_results(results, as_json=as_json, paint=paint)


def _several_systems(
    arguments: Arguments, metrics: dict[str, Metric[Score]], systems: Systems, paint: Paint
) -> Iterator[str]:
    signatures: dict[str, str] = {}
    scores: dict[str, list[str]] = {"System": systems.names}
    if not arguments.paired:
        for lines in systems.lines:
            for name in sorted(metrics):
                score = metrics[name].corpus_score(lines, None)
                signatures[score.name] = metrics[name].get_signature().format(arguments.short)
                scores.setdefault(score.name, []).append(score.format(arguments.width, True))
        return results_table(scores, signatures, arguments, paint)
    from bleuprint.compat.sacrebleu.significance import PairedTest

    test = PairedTest(
        list(zip(systems.names, systems.lines, strict=True)),
        metrics,
        references=None,
        test_type="bs" if arguments.paired_bs else "ar",
        n_samples=arguments.paired_bs_n if arguments.paired_bs else arguments.paired_ar_n,
        n_jobs=arguments.paired_jobs,
    )
    tested, results = test()
    signatures = {name: signature.format(arguments.short) for name, signature in tested.items()}
    return results_table(results, signatures, arguments, paint)
