"""bleuprint completion: what shells complete, and the scripts for bash, zsh and fish.

click's own scripts break words at ':' and '=' (bash) or at ',' (fish), which the values of -m and NAME=HYP contain.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable
from pathlib import Path

import click
from click import shell_completion
from click.shell_completion import CompletionItem, add_completion_class

from bleuprint.cli import _terminal
from bleuprint.cli._command import subcommand
from bleuprint.core import tokenizers
from bleuprint.insight.claims import SPACES
from bleuprint.metrics import cards, profiles, registry, specs


def script(shell: str) -> str:
    """Return the script that sets up completion in a shell."""
    return (Path(__file__).parent / "shells" / f"completion.{shell}").read_text(encoding="utf-8")


class _OwnScript(shell_completion.ShellComplete):
    def source(self) -> str:
        return script(self.name)


@add_completion_class
class _Bash(_OwnScript, shell_completion.BashComplete):
    def get_completion_args(self) -> tuple[list[str], str]:
        line = os.environ["COMP_WORDS"]
        words = shell_completion.split_arg_string(line)[1:]
        return (words, "") if line[-1:].isspace() or not words else (words[:-1], words[-1])

    def format_completion(self, item: CompletionItem) -> str:
        # readline replaces only what follows the last character of COMP_WORDBREAKS in the word.
        _, incomplete = self.get_completion_args()
        breaks = set(":=") & set(os.environ.get("COMP_WORDBREAKS", ""))
        kept = max((incomplete.rfind(character) + 1 for character in breaks), default=0)
        return f"{item.type},{item.value[kept:] if item.value.startswith(incomplete[:kept]) else item.value}"


@add_completion_class
class _Zsh(_OwnScript, shell_completion.ZshComplete):
    pass


@add_completion_class
class _Fish(_OwnScript, shell_completion.FishComplete):
    pass


Values = Iterable[str | CompletionItem]


class _Text(click.ParamType):  # type: ignore[type-arg]  # generic in newer versions of click only
    """Text whose possible values are computed when a shell asks for them."""

    name = "text"

    def __init__(self, values: Callable[[str], Values]) -> None:
        self._values = values

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        values = self._values(incomplete)
        items = [value if isinstance(value, CompletionItem) else CompletionItem(value) for value in values]
        return [item for item in items if item.value.startswith(incomplete)]


def _files(incomplete: str) -> Values:
    """A path, which the shell completes itself."""
    return [CompletionItem(incomplete, type="file")]


def _metrics(incomplete: str) -> Values:
    """Complete the last metric, option or value of bleu,chrf:word_order=2; the shell completes the file of a model."""
    model = re.search(r"(?:^|,)([\w-]+):(?:.*,)?(\w+)=[^,]*$", incomplete)
    known = model is not None and model[1] in registry.names()
    if model and known and registry.model_option(registry.find(model[1])) == model[2]:
        yield from _files(incomplete)
        return
    before, comma, last = incomplete.rpartition(",")
    before += comma
    metric = re.search(r"(?:^|,)([\w-]+):[^:]*$", incomplete)
    if metric is not None and metric[1] in registry.names():
        options = registry.options_of(registry.find(metric[1]))
        option, equals, _ = last.rpartition(":")[2].partition("=")
        start = before + last[: len(last) - len(last.rpartition(":")[2])]
        if equals and option in options:
            yield from (f"{start}{option}={value}" for value in specs.suggestions(metric[1], option))
            return
        yield from (f"{start}{name}=" for name in options)
    if ":" not in last:
        yield from (f"{before}{name}" for name in (*registry.names(), *registry.plug_ins()))


def _profiles(_: str) -> Iterable[str]:
    return dict.fromkeys(profile for by_name in profiles.table().values() for profile in by_name)


def _definitions(incomplete: str) -> Values:
    return (*_profiles(incomplete), *_metrics(incomplete))


_COMPLETED: dict[str, Callable[[str], Values]] = {
    "metrics": _metrics,
    "metric": _metrics,
    "models": _metrics,
    "tokenizer": lambda _: [name.replace("PATH", "") for name in tokenizers.names()],
    "profile": _profiles,
    "smoothing": lambda _: map(str, SPACES["bleu"]["smoothing"]),
    "start": _definitions,
    "end": _definitions,
    "name": lambda _: cards.names(),
}
_PATHS = re.compile(r"FILE|PATH|TABLE|HYP|REF|SRC|TEXT|JSON|MODEL|FOLDER|DIR|REAL|CANDIDATES|\.json")


def add_types(parameters: Iterable[click.Parameter]) -> None:
    """Give parameters of type text the type by which they are completed: by name, or a path by its metavar."""
    for parameter in parameters:
        if parameter.type is not click.STRING:
            continue
        if parameter.name in _COMPLETED:
            parameter.type = _Text(_COMPLETED[parameter.name])
        elif _PATHS.search(str(parameter.metavar)):
            parameter.type = _Text(_files)


@subcommand(
    "completion",
    examples=(
        "bleuprint completion bash >> ~/.bashrc",
        "bleuprint completion fish > ~/.config/fish/completions/bleuprint.fish",
    ),
    epilog="""For zsh, add this line to ~/.zshrc, after compinit: eval "$(bleuprint completion zsh)\"""",
    more="docs/how-to/score-a-system.md",
)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def command(shell: str) -> None:
    """Print a script for completion in bash, zsh, or fish.

    It completes commands, options, files, metrics and their options, tokenizers, and profiles.
    """
    _terminal.write(script(shell))
