"""The command line. One file per subcommand, loaded when it is called: `bleuprint --help` stays instant.

Exit codes: 0 it worked, 1 it worked and the answer is no (a failed gate, a score that differs), 2 wrong usage or input
that cannot be scored, 130 interrupted. Every failure is one line on standard error; BLEUPRINT_DEBUG=1 adds the
traceback.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from typing import Any

import click

from bleuprint import __version__
from bleuprint.cli import _terminal
from bleuprint.errors import BleuprintError

__all__ = ["COMMANDS", "main", "program"]

# Name to first line of help, which stands here so that listing the commands does not load them.
COMMANDS = {
    "cards": "Explain a metric: what it means, when to use it, how it fails.",
    "compare": "Say whether systems differ by more than chance.",
    "demo": "Score the sample that comes with bleuprint and write a report.",
    "doctor": "Show what is installed, what is missing and how to get it.",
    "explain": "Say which rule makes two definitions of a metric differ, and by how much.",
    "gate": "Stop a release whose scores have dropped.",
    "lm": "Train, convert and describe n-gram language models.",
    "perplexity": "Measure how well a language model predicts texts.",
    "plot": "Draw one chart of a stored result as SVG or PNG.",
    "quadrants": "Say which outputs are faithful, which are fluent, and which are both.",
    "reconcile": "Find the settings that give a claimed score.",
    "replay": "Score a stored result again, from its signatures.",
    "report": "Show a stored result as one HTML file.",
    "sacrebleu": "Score files as sacrebleu does, with its arguments and its output.",
    "score": "Score system outputs against references.",
    "self-bleu": "How much the texts of a file repeat each other.",
}


class Program(click.Group):
    """The group of subcommands, with one way to fail."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module = import_module(f"bleuprint.cli.{cmd_name.replace('-', '_')}")
        command: click.Command = module.command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(sorted(COMMANDS.items()))

    def main(  # type: ignore[override]  # click declares it twice; the other form is for callers of its own
        self, args: Sequence[str] | None = None, prog_name: str | None = None, **extra: Any
    ) -> Any:
        if "_BLEUPRINT_COMPLETE" in os.environ or not extra.get("standalone_mode", True):
            return super().main(args, prog_name, **extra)
        arguments = list(sys.argv[1:] if args is None else args)
        sys.exit(self._run(arguments))

    def _run(self, arguments: list[str]) -> int:
        try:
            for stream in (sys.stdout, sys.stderr):
                with suppress(AttributeError):  # None where the stream is closed
                    stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
            code = self._dispatch(arguments)
            _terminal.flush()
            return code
        except SystemExit:
            raise
        except BaseException as error:
            line, code = _explain(error)
            _terminal.settle()
            _terminal.note(f"bleuprint: {line}")
            if os.environ.get("BLEUPRINT_DEBUG"):
                import traceback

                traceback.print_exception(error)
            return code

    def _dispatch(self, arguments: list[str]) -> int:
        try:
            with self.make_context("bleuprint", arguments) as context:
                self.invoke(context)
            return 0
        except click.exceptions.Exit as stop:
            return stop.exit_code


def _explain(error: BaseException) -> tuple[str, int]:
    """One line for a failure, and its exit code."""
    match error:
        case KeyboardInterrupt() | click.Abort():
            return "interrupted", 130
        case click.UsageError(ctx=context) if context is not None:
            return f"{error.format_message()} (see {context.command_path} --help)", 2
        case click.ClickException():
            return error.format_message(), 2
        case BleuprintError():
            return str(error), 2
        case BrokenPipeError():
            return "the reader of the output has closed the pipe", 2
        case OSError():
            return str(error), 2
        case MemoryError():
            return "there is not enough memory for this", 2
    return (
        f"unexpected {type(error).__name__}: {error}. This is a mistake in bleuprint {__version__}: "
        "please report it, with what BLEUPRINT_DEBUG=1 prints",
        2,
    )


@click.group(
    "bleuprint",
    cls=Program,
    no_args_is_help=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="'bleuprint COMMAND --help' explains a command.",
)
@click.version_option(__version__, prog_name="bleuprint", message="%(prog)s %(version)s")
def program() -> None:
    """Measure generated text with the BLEU family."""


def main() -> None:
    """The entry point."""
    program.main()
