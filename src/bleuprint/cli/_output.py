"""Where the answer of a command goes: to files, which are checked before the work, and to the terminal.

`output_options` adds the options to a command, which gets them as one `Output`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import wraps
from pathlib import Path
from typing import Any

import click

from bleuprint import __version__
from bleuprint.cli import _notes, _terminal
from bleuprint.cli._command import Decorator, combine
from bleuprint.cli._options import shared_options
from bleuprint.dataset.opening import STDIN
from bleuprint.errors import OutputError
from bleuprint.files import EXISTS, check_targets, write_files
from bleuprint.results import Result
from bleuprint.results.analysis import Analysis
from bleuprint.results.digits import Digits
from bleuprint.results.display import Displayed

# Options that change the text for people alone.
_TEXT_ONLY = {"sentence_level": "--sentence-level", "quiet": "--quiet", "signatures": "--signatures"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Output:
    """The files to write and the way to print; making one refuses files that cannot be written."""

    width: int | None = None
    percent: bool = False
    sentence_level: bool = False
    format: str = "text"
    intervals: bool = False
    signatures: bool = False
    methods: bool = False
    quiet: bool = False
    json: str | None = None
    report: str | None = None
    title: str | None = None  # of the report
    plot: str | None = None
    strict: bool = False  # which notes read from the context
    force: bool = False

    def __post_init__(self) -> None:
        given = {flag: getattr(self, name) for name, flag in _TEXT_ONLY.items()}
        self.check_text_only({**given, "--width": self.width is not None, "--json -": self.json == STDIN})
        files = {"--json": self.json, "--report": self.report, "--plot": self.plot}
        for flag, path in files.items():
            others = {STDIN, *(files[other] for other in files if other != flag)}
            if flag != "--json" and path is not None and path in others:
                raise click.UsageError(f"{flag} needs its own output file.")
        if self.title is not None and self.report is None:
            raise click.UsageError("--title is that of the report; pass --report FILE too.")
        if self.plot is not None:
            from bleuprint.report.pictures import check_picture_path

            check_picture_path("plot", self.plot)
        self.check_files(path for path in files.values() if path not in {None, STDIN})

        if self.methods and (self.format in {"csv", "json"} or self.json == STDIN):
            raise click.UsageError("--methods is a paragraph: its --format is text, markdown or latex.")

    def check_text_only(self, given: Mapping[str, object]) -> None:
        """Refuse options that only change the text if another format is wanted; `given` are values by spelling."""
        for flag, value in given.items():
            if self.format != "text" and value:
                raise click.UsageError(f"{flag} belongs to --format text, not {self.format}.")

    def check_plain(self, problem: str) -> None:
        """Refuse all but a table in the terminal."""
        for name in ("json", "report", "plot", "intervals", "sentence_level", "format"):
            if getattr(self, name) not in {None, False, "text"}:
                raise click.UsageError(f"--{name.replace('_', '-')} {problem}")

    def check_files(self, paths: Iterable[str | Path | None]) -> None:
        """Refuse files that cannot be written, before the work whose result they are to hold."""
        check_targets((path for path in paths if path is not None), overwrite=self.force, again=True)

    def check_again(self, systems: Mapping[str, Sequence[str]], metrics: Iterable[str]) -> None:
        """Refuse these outputs over a saved result of other outputs or metrics, before they are scored."""
        if self.json is None or self.force or not systems or not Path(self.json).is_file():
            return
        there = Result.read_json(self.json)
        stored = {system.name: list(system.hypotheses) for system in there.systems}
        if there.has_texts and (stored != systems or not {*metrics} <= {*there.metrics}):
            raise OutputError(self.json, EXISTS)

    @property
    def digits(self) -> Digits:
        return Digits(self.percent, self.width)

    @property
    def as_text(self) -> bool:
        """Whether people read what is printed."""
        return self.format == "text" and self.json != STDIN

    def deliver(
        self,
        *,
        json: Callable[[], str],
        show: Callable[[], None],
        tables: Displayed | None = None,
        methods: Callable[[Any], str] | None = None,
        printed_json: Callable[[], str] | None = None,
        report: Callable[[], str] | None = None,
        plot: Callable[[], str] | None = None,
        files: Iterable[tuple[Path, bytes]] = (),
    ) -> None:
        """Write the requested files, or none if one of them cannot be written, and print the result.

        `show` prints the text for people, `tables` are printed in other formats, `methods` returns the paragraph for a
        paper, `report` HTML and `plot` SVG.
        `printed_json` is for --format json, if it is not what --json writes.
        """
        contents = list(files)
        try:
            if self.json is not None and self.json != STDIN:
                contents.append((Path(self.json), json().encode()))
            if self.report is not None and report is not None:
                contents.append((Path(self.report), report().encode()))
            if self.plot is not None and plot is not None:
                from bleuprint.report.pictures import picture_bytes

                contents.append((Path(self.plot), picture_bytes(plot(), self.plot)))
            write_files(contents, overwrite=self.force)
        finally:  # the scores of long work are shown even if a file cannot be written
            if self.json == STDIN:
                _terminal.write_json(json())
            elif self.format == "json":
                _terminal.write_json((printed_json or json)())
            elif self.methods and methods is not None:
                _terminal.write(methods(self.format))
            elif self.format == "text" or tables is None:
                show()
            else:
                own: dict[str, Any] = {"intervals": True} if self.intervals else {}
                renderers = {"csv": tables.to_csv, "markdown": tables.to_markdown, "latex": tables.to_latex}
                _terminal.write(renderers[self.format](percent=self.percent, **own))

    def deliver_analysis(self, result: Analysis) -> None:
        """Write the files of an analysis, then print it as tables with what they mean, or in a format."""

        def show() -> None:
            tables, signatures = result.display(), dict[str, str]()
            for table in tables:
                if len(tables) > 1:
                    _terminal.write_lines([table.caption])
                _terminal.draw(table)
                _terminal.write("\n")
                _terminal.write_sentences(table.notes)
                _terminal.write("\n")
                signatures |= table.signatures or {}
            own = [result.signature] if hasattr(result, "signature") else []
            _terminal.write_lines(dict.fromkeys([*self.signature_lines(signatures.values()), *own]))

        _notes.show(result.notes)
        self.deliver(json=result.to_json, show=show, tables=result, report=result.to_html)

    def signature_lines(self, texts: Iterable[str]) -> list[str]:
        """Every distinct signature, in its short form unless --signatures was given."""
        from bleuprint.results.naming import short_signature

        return list(dict.fromkeys(text if self.signatures else short_signature(text) for text in texts))


def output_options(*names: str, **help_texts: str) -> Decorator:
    """Add options by the names of the fields of `Output`; a keyword is one with a help text of its own."""
    chosen = [field.name for field in fields(Output) if field.name in {*names, *help_texts}]
    declared = [shared_options(name, **({"help": help_texts[name]} if name in help_texts else {})) for name in chosen]

    def gather(function: Callable[..., object]) -> Callable[..., object]:
        @wraps(function)
        def command(**values: Any) -> object:
            return function(output=Output(**{name: values.pop(name) for name in chosen}), **values)

        return command

    return combine(*declared, gather)


def document(content: Mapping[str, object]) -> str:
    """A JSON document of these fields, after the version that wrote it."""
    return json.dumps({"bleuprint": __version__, **content}, ensure_ascii=False, indent=1, default=list) + "\n"
