"""What all commands are made of: options in groups, help with examples, and help where arguments are confused."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Literal, get_args

import click

from bleuprint.cli import _notes
from bleuprint.dataset.opening import STDIN

# The manual; what is installed with pip holds none of its pages.
MANUAL = "https://github.com/bleuprint/bleuprint/blob/main/docs"
Decorator = Callable[[Callable[..., object]], Callable[..., object]]
OptionGroup = Literal["Input", "Metrics", "Test", "Output", "Speed", "Other"]


class Option(click.Option):
    """An option that knows under which heading the help of its command lists it, and shows its default there."""

    def __init__(self, *arguments: Any, group: OptionGroup, **settings: Any) -> None:
        super().__init__(*arguments, **{"show_default": True, **settings})
        self.group = group


def option(group: OptionGroup, flags: str, help: str, *, name: str | None = None, **settings: Any) -> Decorator:
    """Declare an option as its help shows it, such as "-o, --output FILE"; without a metavar or a type it is a flag.

    `name` is that of the parameter, and `settings` are those of `click.option`.
    """
    *others, last = flags.split(", ")
    spelling, _, metavar = last.partition(" ")
    names = [*others, spelling, *([] if name is None else [name])]
    kind = {"metavar": metavar} if metavar else {} if "type" in settings else {"is_flag": True}
    return click.option(*names, cls=Option, group=group, help=help, **{**kind, **settings})


test_option = partial(option, "Test")  # the heading of settings that change a verdict, not a score


def combine(*decorators: Decorator) -> Decorator:
    """One decorator that adds several options, listed in this order."""

    def add(function: Callable[..., object]) -> Callable[..., object]:
        for decorate in reversed(decorators):
            function = decorate(function)
        return function

    return add


class Command(click.Command):
    """A command whose help groups the options and ends with examples and where to read on."""

    def __init__(self, *arguments: Any, examples: Sequence[str] = (), more: str = "", **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        if "_BLEUPRINT_COMPLETE" in os.environ:
            from bleuprint.cli import completion

            completion.add_types(self.params)
        self.examples, self.more = tuple(examples), more

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        grouped: dict[str, list[tuple[str, str]]] = {group: [] for group in get_args(OptionGroup)}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx) if isinstance(parameter, click.Option) else None
            if record is not None:
                grouped[getattr(parameter, "group", "Other")].append(record)
        for group, records in grouped.items():
            if records:
                with formatter.section(group):
                    formatter.write_dl(records)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        super().format_epilog(ctx, formatter)
        if self.examples:
            with formatter.section("Examples"):
                for example in self.examples:
                    formatter.write(f"{'':{formatter.current_indent}}{example}\n")
        if self.more:
            with formatter.section("See also"):  # line by line: an address is not broken
                for place in self.more.split(", "):
                    shown = re.sub("^docs", MANUAL, place)
                    formatter.write(f"{'':{formatter.current_indent}}{shown}\n")

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        words = list(args)
        try:
            rest = super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            raise _explain(self, error) from None
        if not ctx.resilient_parsing:  # the shell completes what is not finished
            self._check_order(ctx, words)
        return rest

    def _check_order(self, ctx: click.Context, words: Sequence[str]) -> None:
        """Catch files after -r REF, which may be meant as references: refused if others come before it, else noted."""
        flags = {flag for one in self.params if one.name == "references" for flag in one.opts if flag.startswith("-")}
        files = [file for one in self.params if one.nargs == -1 for file in ctx.params[str(one.name)]]
        after, reference = list[str](), ""
        for word, following in zip(words, (*words[1:], ""), strict=False):
            if word.startswith("-") and word != STDIN:
                reference = following if word in flags else ""
            elif reference and word != reference and word in files:
                after.append(word)
        if after and len(after) < len(files):
            raise click.UsageError(
                f"{after[0]!r} comes after -r, and other systems do not, so it may be meant as a reference; "
                f"write -r {after[0]} for a second reference, or put all systems before -r.",
                ctx,
            )
        if len(after) > 1:
            _notes.show([f"{', '.join(after)} are systems; for more references, write -r before each of them"], ctx)


def subcommand(
    name: str, *, cls: type[Command] = Command, **settings: Any
) -> Callable[[Callable[..., object]], Command]:
    """Make a function a command, with its examples, where to read `more`, and the settings of `click.command`."""
    return click.command(name, cls, **settings)


class Group(click.Group):
    """Commands under one word; its decorator `command` makes a `Command`."""

    command_class = Command


def _explain(command: click.Command, error: click.NoSuchOption) -> click.UsageError:
    """Add what is meant: another spelling, or an option of a metric."""
    from bleuprint.errors import closest
    from bleuprint.metrics import registry

    spellings = [spelling for parameter in command.params for spelling in parameter.opts if spelling.startswith("--")]
    given, similar = error.option_name, closest(error.option_name, spellings)
    option = given.removeprefix("--").replace("-", "_")
    kinds = registry.metrics() if "--metric" in spellings else {}
    metrics = [f"{name}:{option}=…" for name, kind in kinds.items() if option in registry.options_of(kind)]
    hint = "" if similar is None else f" Did you mean {similar}?"
    if given in {"-m", "--metric"}:
        hint = " To score with one metric, use 'bleuprint score -m METRIC'."
    if given in {"-i", "--input"}:
        hint = " Write systems without an option: HYP -r REF."
    if metrics:
        hint = f" As an option of a metric, write it with the metric: -m {' or '.join(metrics)}."
    return click.UsageError(f"There is no option {given}.{hint}", error.ctx)
