"""bleuprint completion."""

from __future__ import annotations

import click

from bleuprint.cli import _completion, _terminal
from bleuprint.cli._command import Command


@click.command(
    "completion",
    cls=Command,
    examples=(
        "bleuprint completion bash >> ~/.bashrc",
        "bleuprint completion fish > ~/.config/fish/completions/bleuprint.fish",
    ),
    epilog="""For zsh, add this line to ~/.zshrc, after compinit: eval "$(bleuprint completion zsh)\"""",
    more="docs/how-to/score-a-system.md",
)
@click.argument("shell", type=click.Choice(list(_completion.SHELLS)))
def command(shell: str) -> None:
    """Print a script for completion in bash, zsh, or fish.

    It completes commands, options, files, metrics and their options, tokenizers, and profiles.
    """
    _terminal.write(_completion.script(click.get_current_context().find_root().command, shell))
