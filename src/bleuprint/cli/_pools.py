"""Files of texts as pools, and what `bleuprint compare --pool` does with them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from bleuprint import __version__
from bleuprint.cli import _notes, _terminal
from bleuprint.cli._inputs import named_files
from bleuprint.cli._terminal import Table
from bleuprint.dataset import STDIN, read_text
from bleuprint.files import write_files
from bleuprint.pools.comparisons import PERMUTATIONS, POOL_METRICS, PoolComparison, compare_pools
from bleuprint.pools.statistic import named_metrics
from bleuprint.results.digits import Digits
from bleuprint.results.display import DisplayTable
from bleuprint.runners.progress import progress

__all__ = ["compare_files", "lines_of", "plain_table"]


def compare_files(
    files: Sequence[str],
    metrics: Sequence[str] | None,
    reading: Mapping[str, Any],
    references: Sequence[str],
    settings: Mapping[str, Any],
    digits: Digits,
    json_path: str | None,
    *,
    force: bool,
) -> None:
    """Compare the texts of the files and print or save the result."""
    if len(references) > 1:
        raise click.UsageError("--pool compares with one file of other texts: pass -r once.")
    named = named_files(files)
    if len(named) < 2:
        raise click.UsageError("--pool compares at least two files.")
    pools, real = {name: lines_of(path) for name, path in named.items()}, [lines_of(path) for path in references]
    names = _split(metrics) if metrics else POOL_METRICS
    built = named_metrics(names, **reading)
    needing = [name for name, metric in built.items() if metric.needs_references]
    if needing and not real:
        raise click.UsageError(f"{', '.join(needing)} compares with other texts; pass them with -r.")
    if real and not needing:
        raise click.UsageError(f"-r does not apply to {', '.join(built)}.")
    permutations = settings.get("permutations") or PERMUTATIONS
    pairs = len(pools) - 1 if settings.get("baseline") else len(pools) * (len(pools) - 1) // 2
    with progress("comparing", permutations * pairs) as advance:
        comparison = compare_pools(
            pools,
            metrics=built,
            references=real[0] if real else None,
            progress=advance,
            **{**settings, "permutations": permutations},
        )
    _notes.show(comparison.notes)
    content = json.dumps({"bleuprint": __version__, **comparison.to_dict()}, ensure_ascii=False, indent=1) + "\n"
    if json_path == STDIN:
        _terminal.write_json(content)
        return
    if json_path is not None:
        write_files({Path(json_path): content.encode()}, overwrite=force)
    _show(comparison, digits)


def lines_of(path: str) -> list[str]:
    """The texts of a file, one per line."""
    file = read_text(path)
    _notes.show(file.notes)
    return list(file.segments)


def plain_table(table: DisplayTable) -> Table:
    """A table for the terminal."""
    return Table(list(table.header), [[cell.plain for cell in row] for row in table.rows], table.words)


def _split(metrics: Sequence[str]) -> list[str]:
    return [name for text in metrics for name in text.split(",") if name]


def _show(comparison: PoolComparison, digits: Digits) -> None:
    (table,) = comparison.tables(digits)
    _terminal.draw(plain_table(table))
    explained = f"{comparison.texts:,} texts of each; {comparison.permutations:,} permutations of texts"
    _terminal.write(f"\n{explained}; adjusted p after Holm's correction; seed {comparison.seed}\n")
    _terminal.write("".join(f"{line}\n" for line in dict.fromkeys(pair.signature for pair in comparison.pairs)))
