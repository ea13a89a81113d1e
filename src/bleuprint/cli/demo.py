"""bleuprint demo."""

from __future__ import annotations

from pathlib import Path

import click

from bleuprint.cli import _terminal
from bleuprint.cli._command import Command
from bleuprint.cli.score import save, show
from bleuprint.dataset import read_parallel
from bleuprint.errors import OutputError
from bleuprint.results.digits import Digits
from bleuprint.runners import evaluate
from bleuprint.runners.comparisons import compared

__all__ = ["command"]

_SAMPLE = Path(__file__).parent.parent / "dataset" / "sample"
_METRICS = ("bleu", "chrf", "ter")
_SYSTEMS = ("system-a", "system-b", "system-c")


@click.command(
    "demo",
    cls=Command,
    examples=(
        "bleuprint demo",
        "bleuprint demo -o /tmp/demo --percent",
    ),
    more="docs/tutorial.md",
    epilog="Refuses to replace an existing file that differs, unless --force is given.",
)
@click.option(
    "-o", "--output", metavar="DIR", default="demo", show_default=True, help="Folder for the result and the report."
)
@click.option("--percent", is_flag=True, help="Show scores multiplied by 100; files keep the 0-1 scale.")
@click.option("--force", is_flag=True, help="Overwrite existing files.")
def command(output: str, percent: bool, force: bool) -> None:
    """Score the bundled sample data and write a report.

    The sample has 48 German segments with two English references each, and the outputs of three invented systems.
    """
    names = ("source", "ref-1", "ref-2", *_SYSTEMS)
    source, first, second, *systems = read_parallel(_SAMPLE / f"{name}.txt" for name in names)
    result = compared(
        evaluate(
            {name: file.segments for name, file in zip(_SYSTEMS, systems, strict=True)},
            list(zip(first.segments, second.segments, strict=True)),
            metrics=_METRICS,
            sources=source.segments,
        )
    )
    folder = _folder(output)
    saved = save(result, str(folder / "results.json"), str(folder / "report.html"), percent=percent, force=force)
    show(result, Digits(percent))
    _terminal.write("\n" + "".join(f"wrote {_terminal.visible(str(path))}\n" for path in saved))


def _folder(output: str) -> Path:
    folder = Path(output)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        raise OutputError(output, "it is a file, but --output must be a folder") from None
    except (OSError, ValueError) as error:
        raise OutputError(output, getattr(error, "strerror", None) or str(error)) from None
    return folder
