"""Options that several commands share, each declared once: its group in the help, its spellings, and its help."""

from __future__ import annotations

import math
from collections.abc import Mapping
from decimal import Decimal
from functools import partial
from typing import Any

import click

from bleuprint.cli._command import Decorator, combine, option

# By the name of the parameter.
_SHARED = {
    "references": partial(
        option, "Input", "-r, --reference REF", help="Reference file; repeat for several.", multiple=True
    ),
    "source": partial(option, "Input", "-s, --source SRC", help="Source file, for metrics such as ibleu."),
    "errors": partial(
        option,
        "Input",
        "--errors",
        help="How to handle invalid UTF-8: fail, or replace it with U+FFFD.",
        type=click.Choice(["strict", "replace"]),
        default="strict",
    ),
    "metric": partial(option, "Metrics", "-m, --metric METRIC"),
    "metrics": partial(option, "Metrics", "-m, --metric METRIC", multiple=True),
    "models": partial(
        option,
        "Metrics",
        "-m, --metric METRIC",
        help="Metric of the result that needs its model again, e.g. perplexity:lm=FILE, bleu:tokenizer=spm:FILE; "
        "repeatable.",
        multiple=True,
    ),
    "tokenizer": partial(
        option,
        "Metrics",
        "-tok, --tokenizer NAME",
        help="How to split texts into words; see 'bleuprint list tokenizers'.",
    ),
    "lowercase": partial(option, "Metrics", "-lc, --lowercase", help="Ignore case.", default=None),
    "smoothing": partial(
        option, "Metrics", "--smoothing METHOD", help="Smoothing method: none, exp, floor(0.1), add-k(1), …"
    ),
    "max_order": partial(option, "Metrics", "--max-order N", help="Maximum n-gram order.", type=int),
    "profile": partial(
        option, "Metrics", "--profile NAME", help="Match another library's scores; see 'bleuprint list profiles'."
    ),
    "alpha": partial(option, "Test", "--alpha P", help="Significance level.", type=float, default=0.05),
    "seed": partial(option, "Test", "--seed N", help="Random seed.", type=int, default=12345),
    "resamples": partial(option, "Test", "--resamples N", type=int),
    "path": partial(option, "Output", "-o, --output FILE"),
    "as_json": partial(option, "Output", "--json", help="Print as JSON."),
    "width": partial(option, "Output", "-w, --width", help="Decimal places.", type=click.IntRange(0, 17)),
    "percent": partial(
        option, "Output", "--percent", help="Show scores multiplied by 100; JSON keeps their own scale."
    ),
    "sentence_level": partial(option, "Output", "--sentence-level", help="Print the score of every segment."),
    "format": partial(
        option,
        "Output",
        "--format",
        help="How to print the table; LaTeX needs the package booktabs.",
        type=click.Choice(["text", "markdown", "latex", "csv", "json"]),
        default="text",
    ),
    "intervals": partial(option, "Output", "--intervals", help="Show 95 % confidence intervals (BCa bootstrap)."),
    "methods": partial(
        option, "Output", "--methods", help="Print a paragraph for a paper, with citations, instead of the table."
    ),
    "signatures": partial(
        option, "Output", "--signatures", help="Print full signatures, from which the scores can be recomputed."
    ),
    "quiet": partial(option, "Output", "-q, --quiet", help="Print only the scores, one line per system."),
    "json": partial(
        option, "Output", "--json FILE", help="Save the result as JSON; '-' prints it instead of the table."
    ),
    "report": partial(option, "Output", "--report FILE", help="Write an HTML report."),
    "title": partial(option, "Output", "--title TEXT", help="Title of the report [default: the names of the systems]."),
    "plot": partial(option, "Output", "--plot FILE", help="Draw the scores in an .svg, .png or .pdf file."),
    "strict": partial(option, "Output", "--strict", help="Treat warnings as errors."),
    "force": partial(option, "Output", "--force", help="Overwrite existing files instead of failing."),
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
