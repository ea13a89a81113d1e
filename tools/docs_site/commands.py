"""Pages of the command line, generated from the commands."""

from __future__ import annotations

import re
from collections.abc import Iterator

import click

from bleuprint.cli import COMMANDS, GROUPS, program


def pages() -> dict[str, str]:
    context = click.Context(program, info_name="bleuprint", **program.context_settings)
    found = {f"cli/{name}.md": _page(program, name, context) for name in COMMANDS}
    tables = "\n".join(_table(group, commands) for group, commands in GROUPS.items())
    names = "\n".join(COMMANDS)
    found["cli/commands.md"] = f"""# Command line

{tables}
## Help and exit codes

Each page has the text of `bleuprint COMMAND --help`. A failure prints one line to standard error; `BLEUPRINT_DEBUG=1`
adds the traceback.

| exit code | meaning |
|---|---|
| 0 | success |
| 1 | success, but the answer is no: a gate failed, or a score differs |
| 2 | wrong usage, or input that cannot be scored |
| 130 | interrupted |

```{{toctree}}
:hidden:

{names}
```
"""
    return found


def _table(group: str, commands: dict[str, str]) -> str:
    rows = "\n".join(f"| [`bleuprint {name}`]({name}.md) | {_cell(text)} |" for name, text in commands.items())
    return f"## {group}\n\n| command | what it does |\n|---|---|\n{rows}\n"


def _page(group: click.Group, name: str, parent: click.Context) -> str:
    command = group.get_command(parent, name)
    if command is None:
        raise LookupError(name)
    return "\n".join(_described(command, click.Context(command, info_name=name, parent=parent), 1)) + "\n"


def _described(command: click.Command, context: click.Context, level: int) -> Iterator[str]:
    yield f"{'#' * level} {context.command_path}\n"
    yield f"```text\n{' '.join([context.command_path, *command.collect_usage_pieces(context)])}\n```\n"
    for paragraph in (command.help or "").replace("\f", "").split("\n\n"):
        yield f"{_prose(paragraph)}\n"
    options = [option for option in command.get_params(context) if isinstance(option, click.Option)]
    if options:
        yield "| option | meaning |\n|---|---|"
        for option in options:
            record = option.get_help_record(context)
            if record is not None:
                yield f"| `{_cell(record[0])}` | {_cell(record[1])} |"
        yield ""
    if command.epilog:
        yield f"{_prose(command.epilog)}\n"
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            if inner is not None:
                yield from _described(inner, click.Context(inner, info_name=name, parent=context), level + 1)


def _prose(text: str) -> str:
    return _marked(" ".join(text.replace("\b", "").split()))


def _cell(text: str) -> str:
    return _prose(text).replace("|", "\\|")


def _marked(text: str) -> str:
    """Format quoted commands as code, and escape characters that Markdown would interpret."""
    quoted = re.sub(r"'(bleuprint[^']*|-|replace)'", r"`\1`", text)
    return re.sub(r"(?<![`\w])([*_])", r"\\\1", quoted)
