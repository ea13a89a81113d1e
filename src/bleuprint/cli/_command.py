"""What all commands are made of: options in groups, help with examples, and help where arguments are confused."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
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
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            raise _explain(self, error) from None


def subcommand(
    name: str, *, cls: type[Command] = Command, **settings: Any
) -> Callable[[Callable[..., object]], Command]:
    """Make a function a command, with its examples, where to read `more`, and the settings of `click.command`."""
    return click.command(name, cls, **settings)


class Group(click.Group):
    """Commands under one word; its decorator `command` makes a `Command`."""

    command_class = Command


class MetricsCommand(Command):
    """A command with files, -r and -m, which catches arguments that ended up in the wrong place.

    -m and -i take every further word that they can, as in sacrebleu: -m bleu chrf, -i a.txt b.txt.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        words, files = _expand(self.params, args)
        after = [(file, reference) for file, option, reference in files if option == "references"]
        if ctx.resilient_parsing:  # the shell completes what is not finished
            after = []
        if after and len(after) < len(files):
            file, reference = after[0]
            raise click.UsageError(
                f"{file!r} comes after -r {reference}, and other systems do not, so it may be meant as a reference; "
                f"write -r {file} for a second reference, or put all systems before -r.",
                ctx,
            )
        rest = super().parse_args(ctx, words)
        if len(after) > 1:
            systems = f"{', '.join(file for file, _ in after)} after -r {after[0][1]} are systems"
            _notes.show([f"{systems}; for more references, write -r before each of them"], ctx)
        return rest


def _expand(
    parameters: Iterable[click.Parameter], words: Sequence[str]
) -> tuple[list[str], list[tuple[str, str, str]]]:
    """Write -m and -i before each of their words.

    Also return the files, each with the name of the option that it follows directly, and with that option's value.
    """
    spellings = {word: option for option in parameters if isinstance(option, click.Option) for word in option.opts}
    expanded: list[str] = []
    files: list[tuple[str, str, str]] = []
    option, value = "", ""  # the option whose value was just read
    rest = list(words)
    while rest:
        word = rest.pop(0)
        if word == "--":
            return [*expanded, word, *rest], files
        if word.startswith("-") and word != STDIN:
            spelling, equals, value = word.partition("=")
            known = spellings.get(spelling)
            option = "" if known is None or known.is_flag else known.name or ""
            if option == "inputs" and not equals and rest:
                continue
            expanded.append(word)
            if option and not equals and rest:
                value = rest.pop(0)
                expanded.append(value)
        elif option == "inputs":
            files.append((word, "", ""))
            expanded += ["-i", word]
        elif option == "metrics" and _is_metric(word):
            expanded += ["-m", word]
        else:
            files.append((word, option, value))
            expanded.append(word)
    return expanded, files


def _is_metric(word: str) -> bool:
    from bleuprint.metrics import specs

    if not specs.looks_like_metric(word):
        return False
    if Path(word).exists():
        raise click.UsageError(
            f"{word!r} after -m is a metric and also a file; write -m {word} for the metric, ./{word} for the file."
        )
    return True


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
    if metrics:
        hint = f" As an option of a metric, write it with the metric: -m {' or '.join(metrics)}."
    return click.UsageError(f"There is no option {given}.{hint}", error.ctx)
