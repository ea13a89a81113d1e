"""The command line. Each subcommand is one file, imported on use, so that `bleuprint --help` stays instant.

Exit codes: 0 success; 1 success, but the answer is no (a failed gate, a score that differs); 2 wrong usage or input
that cannot be scored; 130 interrupted; 141 the program reading the output closed the pipe (128 + SIGPIPE, as a shell
reports for coreutils and git). Every failure is one line on standard error; with BLEUPRINT_DEBUG=1 the traceback
follows. Without arguments, the help is printed there. A closed pipe is silent, because `bleuprint … | head` is no
failure; files are written before the output.
"""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from typing import Any

from bleuprint import __version__
from bleuprint.errors import BleuprintError, InputWarning, MissingExtraError, closest

try:
    import click
except ImportError as error:
    raise MissingExtraError("the command line", ["click"]) from error

from bleuprint.cli import _notes, _terminal

__all__ = ["COMMANDS", "GROUPS", "main", "program"]

# The commands in the groups of `bleuprint --help`, each with the first line of its own help, kept here so that listing
# the commands does not import them.
GROUPS = {
    "Score": {
        "score": "Score system outputs, with or without references.",
        "compare": "Test whether systems differ significantly.",
        "diversity": "Measure how varied the texts in a file are.",
        "gate": "Fail a release if its scores dropped.",
        "report": "Write a saved result as a single HTML file.",
        "plot": "Draw a chart from saved results as SVG, PNG or PDF.",
        "replay": "Recompute a saved result from its signatures.",
    },
    "Explain": {
        "explain": "Show which rules make two definitions of a metric differ, and by how much.",
        "reconcile": "Find the settings that reproduce a reported score.",
        "work": "Show the arithmetic behind one sentence's score.",
        "tokenize": "Print the tokens that a metric sees.",
        "audit": "Find mistakes in the metrics of a package, with the metric vectors.",
        "cards": "Explain a metric: what it measures, when to use it, and where it fails.",
        "list": "List metrics, tokenizers, or profiles.",
    },
    "Choose": {"choose": "Choose the best of several candidates per line, under any metric."},
    "Ratings": {"ratings": "Compare metrics with human ratings, and learn from ratings."},
    "Data": {
        "index": "Build, merge, and query exact n-gram indexes of a corpus.",
        "seen": "Find texts that a corpus contains, such as test items in training data.",
        "lm": "Train, convert, and inspect n-gram language models.",
        "tokenizers": "Add, list, and remove SentencePiece models that are used by name.",
    },
    "Setup": {
        "demo": "Score the bundled sample data and write a report.",
        "doctor": "Show what is installed, what is missing, and how to install it.",
        "completion": "Print a script for completion in bash, zsh, or fish.",
    },
}
COMMANDS = {name: text for commands in GROUPS.values() for name, text in commands.items()}

# Words that people try, by the command that does it.
_WORDS = {
    "compare": "bench diff significance test",
    "choose": "best mbr rerank",
    "score": "blue eval evaluate run",
    "cards": "card",
    "plot": "chart",
    "gate": "check",
    "seen": "contamination",
    "score HYP -r REF": "sacrebleu",
    "score FILE -r REAL -m frechet:encoder=NAME": "fid frechet",
    "ratings estimate": "estimate ppi trust",
    "--help": "help",
    "report": "html",
    "ratings agreement": "fit meta",
    "list metrics": "metrics",
    "score FILE -m perplexity:lm=MODEL": "perplexity ppl",
    "list profiles": "profiles",
    "plot --chart fluency": "quadrants",
    "ratings power": "rating-power",
    "score FILE -m self-bleu": "self-bleu",
    "ratings threshold": "threshold",
    "lm train": "train",
    "replay": "verify",
    "--version": "version",
}
_ANSWERS = {word: command for command, words in _WORDS.items() for word in words.split()}


def _answer(word: str) -> str:
    """What to say of a word that is no command: the command that does it, or one that is spelled alike."""
    from bleuprint.metrics import registry

    said = word.lower().replace("_", "-")
    if said in _ANSWERS:
        also = " For duplicates and shared n-grams, use 'bleuprint diversity FILE'." if said == "self-bleu" else ""
        return f"Use 'bleuprint {_ANSWERS[said]}'.{also}"
    if (metric := registry.find_name(said)) is not None:
        return f"Use 'bleuprint score -m {metric}'."
    similar = closest(word, (*COMMANDS, *_ANSWERS))
    if similar is None:
        return "See 'bleuprint --help'."
    return f"Did you mean {similar}?" if similar in COMMANDS else f"Did you mean 'bleuprint {_ANSWERS[similar]}'?"


_PIPE_CLOSED = 141


class Program(click.Group):
    """The group of subcommands. All failures are reported in one place."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        # Importing a module called list would replace the built-in one here.
        file = "list_" if cmd_name == "list" else cmd_name.replace("-", "_")
        module = import_module(f"bleuprint.cli.{file}")
        command: click.Command = module.command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in COMMANDS and not args[0].startswith("-") and not ctx.resilient_parsing:
            raise click.ClickException(f"There is no command {args[0]!r}. {_answer(args[0])}")
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        with warnings.catch_warnings():
            warnings.simplefilter("always", InputWarning)
            show = warnings.showwarning

            def show_note(message: Warning | str, category: type[Warning], *place: Any) -> None:
                if issubclass(category, InputWarning):
                    _notes.show([str(message)])
                else:
                    show(message, category, *place)

            warnings.showwarning = show_note  # type: ignore[assignment]
            return super().invoke(ctx)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        width = max(map(len, COMMANDS))
        for group, commands in GROUPS.items():
            with formatter.section(group):
                formatter.write_dl([(name.ljust(width), text) for name, text in commands.items()])

    def main(  # type: ignore[override]  # click declares two overloads; only this one is used
        self, args: Sequence[str] | None = None, prog_name: str | None = None, **extra: Any
    ) -> Any:
        if "_BLEUPRINT_COMPLETE" in os.environ:
            from bleuprint.cli import completion  # noqa: F401  # registers the scripts of the shells
        if "_BLEUPRINT_COMPLETE" in os.environ or not extra.get("standalone_mode", True):
            return super().main(args, prog_name, **extra)
        arguments = list(sys.argv[1:] if args is None else args)
        sys.exit(self._run(arguments))

    def _run(self, arguments: list[str]) -> int:
        try:
            for stream in (sys.stdout, sys.stderr):
                with suppress(AttributeError):  # a closed stream is None
                    stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
            code = self._dispatch(arguments)
            _terminal.flush()
            return code
        except SystemExit:
            raise
        except (_terminal.PipeClosedError, BrokenPipeError):
            _terminal.settle()
            return _PIPE_CLOSED
        except BaseException as error:
            line, code = _explain(error)
            _terminal.settle()
            _terminal.note(f"bleuprint: {line}")
            if os.environ.get("BLEUPRINT_DEBUG"):
                import traceback

                for part in traceback.format_exception(error):
                    for debug_line in part.splitlines():
                        _terminal.note(debug_line)
            return code

    def _dispatch(self, arguments: list[str]) -> int:
        if not arguments:  # as ruff and uv do: a script that lost its command does not succeed
            for line in self.get_help(click.Context(self, info_name="bleuprint", **self.context_settings)).splitlines():
                _terminal.note(line)
            return 2
        try:
            with self.make_context("bleuprint", arguments) as context:
                self.invoke(context)
            return 0
        except click.exceptions.Exit as stop:
            return stop.exit_code


def _explain(error: BaseException) -> tuple[str, int]:
    """Return the line to print for a failure, and its exit code."""
    match error:
        case KeyboardInterrupt() | click.Abort():
            return "interrupted", 130
        case click.UsageError(ctx=context) if context is not None:
            return f"{error.format_message()} (see {context.command_path} --help)", 2
        case click.ClickException():
            return error.format_message(), 2
        case BleuprintError():
            return str(error), 2
        case ModuleNotFoundError(name=str(module)) if module.split(".")[0] == "rich":
            return str(MissingExtraError("the command line", ["rich"])), 2
        case OSError():
            return str(error), 2
        case MemoryError():
            return "out of memory", 2
    return (
        f"unexpected {type(error).__name__}: {error}. This is a bug in bleuprint {__version__}: "
        "please report it with the output of BLEUPRINT_DEBUG=1",
        2,
    )


@click.group(
    "bleuprint",
    cls=Program,
    no_args_is_help=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Run 'bleuprint COMMAND --help' for details on a command.",
)
@click.version_option(__version__, prog_name="bleuprint", message="%(prog)s %(version)s")
def program() -> None:
    """Measure generated text with the BLEU family."""


def main() -> None:
    """Run the command line (the console script)."""
    program.main()
