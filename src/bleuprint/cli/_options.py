"""Options that several commands share, each declared once: its group in the help, its spellings, and its help."""

from __future__ import annotations

from functools import partial
from typing import Any

import click

from bleuprint.cli._command import Decorator, combine, option

FORMATS = ("text", "markdown", "latex", "csv", "json")

_input = partial(option, group="Input")
_metrics = partial(option, group="Metrics")
_test = partial(option, group="Test")
_output = partial(option, group="Output")
_speed = partial(option, group="Speed")

# By the name of the parameter.
_SHARED = {
    "references": partial(
        _input, "-r", "--reference", multiple=True, metavar="REF", help="Reference file; repeat for several."
    ),
    "source": partial(_input, "-s", "--source", metavar="SRC", help="Source file, for metrics such as ibleu."),
    "errors": partial(
        _input,
        "--errors",
        type=click.Choice(["strict", "replace"]),
        default="strict",
        help="How to handle invalid UTF-8: fail, or replace it with U+FFFD.",
    ),
    "tokenizer": partial(
        _metrics,
        "-tok",
        "--tokenizer",
        metavar="NAME",
        help="How to split texts into words; see 'bleuprint list tokenizers'.",
    ),
    "metric": partial(_metrics, "-m", "--metric", metavar="METRIC"),
    "metrics": partial(_metrics, "-m", "--metric", multiple=True, metavar="METRIC"),
    "models": partial(
        _metrics,
        "-m",
        "--metric",
        multiple=True,
        metavar="METRIC",
        help="Metric of the result that needs its model again, e.g. perplexity:lm=FILE; repeatable.",
    ),
    "lowercase": partial(_metrics, "-lc", "--lowercase", is_flag=True, default=None, help="Ignore case."),
    "smoothing": partial(
        _metrics, "--smoothing", metavar="METHOD", help="Smoothing method: none, exp, floor(0.1), add-k(1), …"
    ),
    "max_order": partial(_metrics, "--max-order", type=int, metavar="N", help="Maximum n-gram order."),
    "profile": partial(
        _metrics, "--profile", metavar="NAME", help="Match another library's scores; see 'bleuprint list profiles'."
    ),
    "tokenizer_model": partial(
        _metrics,
        "--tokenizer-model",
        metavar="FILE",
        help="SentencePiece model that a saved result, a language model, an index or a blend names by its SHA-256.",
    ),
    "alpha": partial(_test, "--alpha", type=float, default=0.05, metavar="P", help="Significance level."),
    "seed": partial(_test, "--seed", type=int, default=12345, metavar="N", help="Random seed."),
    "resamples": partial(_test, "--resamples", type=int, metavar="N"),
    "path": partial(_output, "-o", "--output", metavar="FILE"),
    "as_json": partial(_output, "--json", is_flag=True, help="Print as JSON."),
    "width": partial(_output, "-w", "--width", type=click.IntRange(0, 17), help="Decimal places."),
    "percent": partial(
        _output, "--percent", is_flag=True, help="Show scores multiplied by 100; files keep their own scale."
    ),
    "sentence_level": partial(_output, "--sentence-level", is_flag=True, help="Print the score of every segment."),
    "format": partial(
        _output,
        "--format",
        type=click.Choice(FORMATS),
        default="text",
        help="How to print the table; LaTeX needs the package booktabs.",
    ),
    "signatures": partial(
        _output, "--signatures", is_flag=True, help="Print full signatures, from which the scores can be recomputed."
    ),
    "quiet": partial(_output, "-q", "--quiet", is_flag=True, help="Print only the scores, one line per system."),
    "json": partial(
        _output, "--json", metavar="FILE", help="Save the result as JSON; '-' prints it instead of the table."
    ),
    "report": partial(_output, "--report", metavar="FILE", help="Write an HTML report."),
    "plot": partial(_output, "--plot", metavar="FILE", help="Draw the scores in an .svg, .png or .pdf file."),
    "strict": partial(_output, "--strict", is_flag=True, help="Treat warnings as errors."),
    "force": partial(_output, "--force", is_flag=True, help="Overwrite existing files instead of failing."),
    "threads": partial(_speed, "--threads", type=click.IntRange(1), help="Number of threads [default: all cores]."),
}


def shared(*names: str, **settings: Any) -> Decorator:
    """Add shared options by the names of their parameters; settings such as `help` replace those declared here."""
    return combine(*(_SHARED[name](name, **settings) for name in names))
