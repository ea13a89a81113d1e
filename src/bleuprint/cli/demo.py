"""bleuprint demo."""

from __future__ import annotations

from pathlib import Path

from bleuprint.cli import _terminal
from bleuprint.cli._command import subcommand
from bleuprint.cli._options import shared_options
from bleuprint.cli._output import Output, output_options
from bleuprint.cli.score import report_of, show
from bleuprint.dataset import read_parallel
from bleuprint.files import translate_errors
from bleuprint.runners import evaluate
from bleuprint.runners.comparisons import compare_result

_SAMPLE = Path(__file__).parent.parent / "dataset" / "sample"
_METRICS = ("bleu", "chrf", "ter")
_NEXT = """Next: open {folder}/report.html in a browser, then score files of your own, with one text per line:
  bleuprint score system.txt -r reference.txt --report report.html"""
_SYSTEMS = ("system-a", "system-b", "system-c")


@subcommand("demo", examples=("bleuprint demo", "bleuprint demo -o /tmp/demo --percent"), more="docs/tutorial.md")
@shared_options("path", metavar="DIR", default="demo", help="Folder for the result and the report.")
@output_options("percent", force="Overwrite existing files that differ, instead of failing.")
def command(path: str, output: Output) -> None:
    """Score the bundled sample data and write a report.

    The sample has 48 German segments with two English references each, and the outputs of three invented systems.
    """
    names = ("source", "ref-1", "ref-2", *_SYSTEMS)
    source, first, second, *systems = read_parallel(_SAMPLE / f"{name}.txt" for name in names)
    result = compare_result(
        evaluate(
            {name: file.segments for name, file in zip(_SYSTEMS, systems, strict=True)},
            list(zip(first.segments, second.segments, strict=True)),
            metrics=_METRICS,
            sources=source.segments,
        )
    )
    folder = Path(path)
    with translate_errors(folder):
        folder.mkdir(parents=True, exist_ok=True)
    files = [
        (folder / "results.json", result.to_json().encode()),
        (folder / "report.html", report_of(result, output).encode()),
    ]
    output.deliver(json=result.to_json, show=lambda: show(result, output), files=files)
    _terminal.write_lines(["", *(f"wrote {file}" for file, _ in files), "", *_NEXT.format(folder=folder).splitlines()])
