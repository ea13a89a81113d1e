"""Input files and columns of commands that read systems and references."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import wraps
from pathlib import Path, PurePath
from typing import Any

import click

from bleuprint.cli import _notes
from bleuprint.cli._command import combine, option
from bleuprint.cli._options import shared_options
from bleuprint.core.counts import column_strings
from bleuprint.dataset import STDIN, Dataset, FileStream, Segments, is_table, read_parallel
from bleuprint.dataset.joining import find_systems, join_tables, read_apart
from bleuprint.dataset.tables import LineTable
from bleuprint.errors import DataFileError
from bleuprint.metrics import specs
from bleuprint.metrics.base import Metric, Score


@dataclass(frozen=True, slots=True)
class Inputs:
    """The files of systems by name, those of references and sources, and the columns of tables by role."""

    systems: dict[str, str]
    references: tuple[str, ...]
    source: str | None
    columns: dict[str, str | tuple[str, ...]]

    def join(self, *, always: bool = False, errors: str = "strict", **settings: Any) -> Segments | None:
        """Join the rows of several tables with references, or of one that names the system of each row.

        None if the systems are other files, unless `always`; `settings` are those of `join_tables`.
        """
        paths = [*self.systems.values()]
        named = "system" in self.columns
        if named and len(paths) > 1:
            raise click.UsageError("--system needs one table that holds all systems.")
        if named and self.references:
            raise click.UsageError("--system needs a table that holds its references; leave out -r.")
        if always or named or (len(paths) > 1 and not self.references and all(map(is_table, paths))):
            if self.source is not None:
                raise click.UsageError("-s needs -r; tables with references hold their sources too.")
            return join_tables(self.systems, columns=self.columns, errors=errors, **settings)
        if len(paths) > 1 or self.references or self.source or paths[0] == STDIN or not is_table(paths[0]):
            return None  # standard input can be read only once
        column, names = find_systems(paths[0], errors=errors) or ("", [])
        taken = [name for names in self.columns.values() for name in ([names] if isinstance(names, str) else names)]
        if len(names) < 2 or column in taken or len(self.columns.get("hypothesis", ())) > 1:
            return None
        note = f"{paths[0]}: the column {column!r} names {len(names):,} systems"
        try:
            joined = join_tables(self.systems, columns={**self.columns, "system": column}, errors=errors, **settings)
        except DataFileError as error:
            if not any(name.endswith((".", "?", "!", ":")) for name in names):
                raise
            _notes.show([f"{note} that read like prompts, so all are scored as one system: {error}"])
            return None
        return replace(joined, notes=[note, *joined.notes])

    def apart(self, error: DataFileError, errors: str) -> dict[str, Dataset]:
        """The items of each system that one table names; raises what is wrong with several tables."""
        columns, (path, *others) = dict(self.columns), self.systems.values()
        column = str(columns.pop("system", None) or (find_systems(path) or ("",))[0])
        if others or not column:
            raise error
        return read_apart(path, columns, column, errors=errors)

    def check_references(self, metrics: Mapping[str, Metric[Score]]) -> bool:
        """Whether a metric compares with references; asks for -r unless the systems are tables, which may hold them."""
        comparing = [label for label, metric in metrics.items() if metric.needs_references]
        if comparing and not self.references and not all(map(is_table, self.systems.values())):
            raise click.UsageError(f"Missing option '-r' / '--reference': {comparing[0]} compares with references.")
        return bool(comparing)

    def corpus_of(self, metrics: Mapping[str, Metric[Score]]) -> str | None:
        """The text file that metrics of pools alone compare with as a whole, whatever its number of lines."""
        is_corpus = len(self.references) == 1 and all(metric.unit == "pool" for metric in metrics.values())
        if not is_corpus or any(map(is_table, (*self.systems.values(), *self.references))):
            return None
        return self.references[0]

    def open(self, **settings: Any) -> FileStream:
        """Open the files, to be read side by side; `settings` are those of `FileStream`."""
        return FileStream(self.systems, self.references, self.source, columns=self.columns, **settings)


# By role: the option, and its help.
_COLUMNS = {
    "hypothesis": ("--hypothesis-column NAME", "Table column with the hypotheses; repeat for several systems."),
    "reference": ("--reference-column NAME", "Table column with the references; repeatable. Cells may hold lists."),
    "source": ("--source-column NAME", "Table column with the sources."),
    "id": ("--id-column NAME", "Table column with the ids, by which several tables are joined."),
    "system": ("--system NAME", "Column with the system of each row, if one table holds several [default: system]."),
}


def input_options(function: Callable[..., object]) -> Callable[..., object]:
    """Add -r, -s and the columns of tables to a command with files HYP, which gets them as one `Inputs`."""

    @wraps(function)
    def command(
        *, hypotheses: tuple[str, ...], references: tuple[str, ...], source: str | None, **values: Any
    ) -> object:
        if not hypotheses:
            raise click.UsageError("Missing argument 'HYP...'.")
        for text in hypotheses:
            if os.path.lexists(split_name(text)[1]):
                continue
            if " " in text:
                hint = f"for the score of a text, use: bleuprint work {shlex.quote(text)} 'REFERENCE'"
                raise click.UsageError(f"There is no file {text!r}; {hint}.")
            if specs.looks_like_metric(text):
                raise click.UsageError(f"There is no file {text!r}; for several metrics, write -m {text} for each.")
        columns = {role: values.pop(f"{role}_column") for role in _COLUMNS}
        given = {role: names for role, names in columns.items() if names}
        files = hypotheses if references else _one_table(hypotheses)
        inputs = Inputs(named_files(files), references, source, given)
        written = {values.get(name) for name in ("json", "report", "plot")} - {None, STDIN}
        if both := written & {*inputs.systems.values(), *references, source}:
            raise click.UsageError(f"{both.pop()} is read here, so it cannot be written too.")
        return function(inputs=inputs, **values)

    several = {"hypothesis", "reference"}
    return combine(
        shared_options("references", help="Reference file; repeat for several. Tables may hold their own."),
        shared_options("source", help="Source file. Shown in the report and used by metrics such as ibleu."),
        *(
            option("Input", spelling, text, name=f"{role}_column", multiple=role in several)
            for role, (spelling, text) in _COLUMNS.items()
        ),
    )(command)


def read_system(hypotheses: str, references: tuple[str, ...]) -> tuple[list[str], list[tuple[str, ...]]]:
    """The segments of one system and their references; notes go to standard error."""
    if not references and not is_table(hypotheses):
        raise click.UsageError("Missing option '-r' / '--reference'.")
    inputs = Inputs(named_files([hypotheses]), references, None, {})
    with inputs.open(ids=False) as stream:
        segments = stream.read()
    _notes.show(stream.notes)
    return next(iter(segments.systems.values())), segments.references


def read_aligned(
    outputs: Sequence[str], references: Sequence[str], source: str | None
) -> tuple[list[Sequence[str]], list[tuple[str, ...]] | None, Sequence[str] | None]:
    """The segments of text files with as many lines each: those of outputs, the references of each, and the sources."""
    files = read_parallel([*outputs, *references, *([] if source is None else [source])])
    _notes.show(note for file in files for note in file.notes)
    columns = [file.segments for file in files]
    expected = columns[len(outputs) : len(outputs) + len(references)]
    return (
        list(columns[: len(outputs)]),
        list(zip(*expected, strict=True)) if references else None,
        None if source is None else columns[-1],
    )


def read_lines(path: str, errors: str = "strict") -> list[str]:
    """The texts of a file, one per line; notes go to standard error."""
    return list(stream_lines(path, errors))


def stream_lines(path: str, errors: str = "strict") -> Iterator[str]:
    """The same, of which a few megabytes are in memory at a time."""
    with closing(LineTable(path, errors=errors)) as file:
        for batch in file.batches():
            yield from column_strings(batch.column(file.names[0], groups=False))
        _notes.show(file.notes)


def named_files(arguments: Sequence[str]) -> dict[str, str]:
    """Return the files by the names of their systems: as given in Name=path, else the shortest that distinguish them.

    >>> list(named_files(["wmt.en-de.hyp.Online-B.de", "wmt.en-de.hyp.JDExplore.de", "Mine=runs/3/out.txt"]))
    ['Online-B', 'JDExplore', 'Mine']
    >>> list(named_files(["wmt23.de-en.hyp.GPT4-5shot.en"]))
    ['GPT4-5shot']
    """
    given = [split_name(argument) for argument in arguments]
    short = iter(_shortest([path for name, path in given if not name]))
    names = [_printable(name or next(short)) for name, _ in given]
    for place, (name, _) in enumerate(given):
        if name and names.index(_printable(name)) != place:
            raise click.UsageError(f"two systems are called {name}; give them different names.")
    unique = [name if names.index(name) == place else f"{name} ({place + 1})" for place, name in enumerate(names)]
    return dict(zip(unique, (path for _, path in given), strict=True))


def _one_table(arguments: Sequence[str]) -> Sequence[str]:
    """The arguments, or their pattern if they are all files that a cluster wrote: part-0.parquet, part-1.parquet …"""
    folder, name = Path(arguments[0]).parent, Path(arguments[0]).name
    pattern = re.sub(r"part-\d+.*?(?=\.|$)", "part-*", name)
    is_whole = len(arguments) > 1 and pattern != name and {*folder.glob(pattern)} == {*map(Path, arguments)}
    return [str(folder / pattern)] if is_whole else arguments


def split_name(argument: str) -> tuple[str, str]:
    """Take Name=path apart; a file whose own name has an equals sign is meant as a whole."""
    name, equals, path = argument.partition("=")
    if not equals or not name or not path or "/" in name or os.path.lexists(argument):
        return "", argument
    return name, path


def _printable(name: str) -> str:
    return name.encode("utf-8", "backslashreplace").decode()


_OUTPUT = "hyp"  # what stands before the system in a name of WMT
_ENDINGS = (".gz", ".zst", ".txt", ".jsonl", ".ndjson", ".json", ".eval", ".csv", ".tsv", ".parquet")


def _shortest(paths: Sequence[str]) -> list[str]:
    """Drop the parts of the names that all files share: folders, and what stands between dots."""
    stems = ["stdin" if path == STDIN else _stem(path) for path in paths]
    if len(set(stems)) == len(stems):
        return _without_common([stem.split(".") for stem in stems], ".")
    folders = [[*PurePath(path).parent.parts, stem] for path, stem in zip(paths, stems, strict=True)]
    return _without_common(folders, "/")


def _without_common(names: list[list[str]], separator: str) -> list[str]:
    # At least one part of every name stays. A file alone is taken for one of WMT: newstest.en-de.hyp.SYSTEM.de.
    if len(names) == 1 and _OUTPUT in names[0][1:-2]:
        names = [names[0][names[0].index(_OUTPUT) + 1 : -1]]
    while len(names) > 1 and min(map(len, names)) > 1 and len({parts[0] for parts in names}) == 1:
        names = [parts[1:] for parts in names]
    while len(names) > 1 and min(map(len, names)) > 1 and len({parts[-1] for parts in names}) == 1:
        names = [parts[:-1] for parts in names]
    return [separator.join(parts) for parts in names]


def _stem(path: str) -> str:
    name = PurePath(path).name
    for ending in _ENDINGS:
        name = name.removesuffix(ending) or name
    return name
