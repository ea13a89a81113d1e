"""Options that several commands share, each declared once."""

from __future__ import annotations

import click

from bleuprint.cli._command import Decorator, combine, option

_TOKENIZER_HELP = "How to split texts into words; see 'bleuprint list tokenizers'."

threads_option = option(
    "--threads", group="Speed", type=click.IntRange(1), help="Number of threads [default: all cores]."
)
seed_option = option(
    "--seed", group="Test", type=int, default=12345, show_default=True, metavar="N", help="Random seed."
)
alpha_option = option(
    "--alpha", group="Test", type=float, default=0.05, show_default=True, metavar="P", help="Significance level."
)
lowercase_option = option("-lc", "--lowercase", group="Metrics", is_flag=True, default=None, help="Ignore case.")
errors_option = option(
    "--errors",
    group="Input",
    type=click.Choice(["strict", "replace"]),
    default="strict",
    show_default=True,
    help="How to handle invalid UTF-8: fail, or replace it with U+FFFD.",
)


def resamples_option(help_text: str, default: int | None = None) -> Decorator:
    """--resamples, with what is resampled."""
    return option(
        "--resamples", group="Test", type=int, default=default, show_default=True, metavar="N", help=help_text
    )


def permutations_option(default: int, help_text: str = "Permutations of the test.") -> Decorator:
    """--permutations of a test."""
    return option(
        "--permutations",
        group="Test",
        type=int,
        default=default,
        show_default=True,
        metavar="N",
        help=help_text,
    )


def tokenizer_option(default: str | None = None, help_text: str = _TOKENIZER_HELP) -> Decorator:
    """--tokenizer with this default."""
    return option(
        "-tok", "--tokenizer", group="Metrics", metavar="NAME", default=default, show_default=True, help=help_text
    )


def tokenizer_options(default: str | None = None) -> Decorator:
    """--tokenizer and --lowercase."""
    return combine(tokenizer_option(default), lowercase_option)
