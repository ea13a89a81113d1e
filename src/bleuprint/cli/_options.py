"""Options that several commands share, each declared once: its group in the help, its spellings, and its help."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from decimal import Decimal
from functools import partial
from typing import Any

import click

from bleuprint.cli._command import Decorator, combine, option

_input, _metrics, _test, _output = (partial(partial, option, group) for group in ("Input", "Metrics", "Test", "Output"))
# By the name of the parameter; what each call makes still takes that name and other settings.
_SHARED: dict[str, Callable[..., Decorator]] = {
    "references": _input("-r, --reference REF", help="Reference file; repeat for several.", multiple=True),
    "source": _input("-s, --source SRC", help="Source file, for metrics such as ibleu."),
    "errors": _input(
        "--errors",
        help="How to handle invalid UTF-8: fail, or replace it with U+FFFD.",
        type=click.Choice(["strict", "replace"]),
        default="strict",
    ),
    "metric": _metrics("-m, --metric METRIC"),
    "metrics": _metrics("-m, --metric METRIC", multiple=True),
    "models": _metrics(
        "-m, --metric METRIC",
        help="Metric of the result that needs its model again, e.g. perplexity:lm=FILE, bleu:tokenizer=spm:FILE; "
        "repeatable.",
        multiple=True,
    ),
    "tokenizer": _metrics(
        "-tok, --tokenizer NAME", help="How to split texts into words; see 'bleuprint list tokenizers'."
    ),
    "lowercase": _metrics("-lc, --lowercase", help="Ignore case.", default=None),
    "smoothing": _metrics("--smoothing METHOD", help="Smoothing method: none, exp, floor(0.1), add-k(1), …"),
    "max_order": _metrics("--max-order N", help="Maximum n-gram order.", type=int),
    "profile": _metrics("--profile NAME", help="Match another library's scores; see 'bleuprint list profiles'."),
    "alpha": _test("--alpha P", help="Significance level.", type=float, default=0.05),
    "seed": _test("--seed N", help="Random seed.", type=int, default=12345),
    "resamples": _test("--resamples N", type=int),
    "path": _output("-o, --output FILE"),
    "as_json": _output("--json", help="Print as JSON."),
    "width": _output("-w, --width", help="Decimal places.", type=click.IntRange(0, 17)),
    "percent": _output("--percent", help="Show scores multiplied by 100; JSON keeps their own scale."),
    "sentence_level": _output("--sentence-level", help="Print the score of every segment."),
    "format": _output(
        "--format",
        help="How to print the table; LaTeX needs the package booktabs.",
        type=click.Choice(["text", "markdown", "latex", "csv", "json"]),
        default="text",
    ),
    "intervals": _output("--intervals", help="Show 95 % confidence intervals (BCa bootstrap)."),
    "methods": _output("--methods", help="Print a paragraph for a paper, with citations, instead of the table."),
    "signatures": _output("--signatures", help="Print full signatures, from which the scores can be recomputed."),
    "quiet": _output("-q, --quiet", help="Print only the scores, one line per system."),
    "json": _output("--json FILE", help="Save the result as JSON; '-' prints it instead of the table."),
    "report": _output("--report FILE", help="Write an HTML report."),
    "title": _output("--title TEXT", help="Title of the report [default: the names of the systems]."),
    "plot": _output("--plot FILE", help="Draw the scores in an .svg, .png or .pdf file."),
    "strict": _output("--strict", help="Treat warnings as errors."),
    "force": _output("--force", help="Overwrite existing files instead of failing."),
    "threads": partial(
        option, "Speed", "--threads", help="Number of threads [default: all cores].", type=click.IntRange(1)
    ),
}


def shared_options(*names: str, **settings: Any) -> Decorator:
    """Add shared options by the names of their parameters; settings such as `help` replace those declared here."""
    return combine(*(_SHARED[name](name=name, **settings) for name in names))


def numbers_by_metric(_: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> dict[str, float]:
    """Parse METRIC=N pairs such as bleu=0.3; where N may stand alone, its key is empty, and it is for all metrics."""
    alone, numbers = str(parameter.metavar).startswith("["), dict[str, float]()
    for value in values:
        metric, sign, number = value.rpartition("=")
        try:
            parsed = float(number)
        except ValueError:
            parsed = math.nan
        if math.isnan(parsed) or not (metric if sign else alone):
            raise click.BadParameter(f"{value!r} must have the form {parameter.metavar}, such as bleu=0.3.")
        if metric in numbers:
            raise click.BadParameter(f"there are two numbers for {metric or 'all metrics'}; pass one.")
        numbers[metric] = parsed
    return numbers


def differences(
    numbers: Mapping[str, float], scales: Mapping[str, bool], *, percent: bool = False
) -> float | dict[str, float] | None:
    """What an option [METRIC=]D gives; with `percent`, in points where `scales` says that a metric has percent."""
    if not percent and numbers.keys() <= {""}:
        return numbers.get("")
    every = {name: numbers[""] for name in scales if "" in numbers}
    named = {**every, **{name: number for name, number in numbers.items() if name}}
    return {
        name: float(Decimal(repr(number)).scaleb(-2)) if percent and scales.get(name) else number
        for name, number in named.items()
    }
