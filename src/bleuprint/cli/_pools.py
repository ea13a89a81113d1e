"""What `bleuprint compare --pool` does: compare files of texts by pool metrics."""

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
from bleuprint.results.digits import Digits
from bleuprint.runners.pool_comparisons import PERMUTATIONS, POOL_METRICS, PoolComparison, compare_pools
from bleuprint.runners.pool_statistics import named_metrics
from bleuprint.runners.progress import progress

__all__ = ["compare_files"]


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
    pools, real = {name: _lines(path) for name, path in named.items()}, [_lines(path) for path in references]
    names = _split(metrics) if metrics else POOL_METRICS
    permutations = settings.get("permutations") or PERMUTATIONS
    pairs = len(pools) - 1 if settings.get("baseline") else len(pools) * (len(pools) - 1) // 2
    with progress("comparing", permutations * pairs) as advance:
        comparison = compare_pools(
            pools,
            metrics=named_metrics(names, **reading),
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


def _lines(path: str) -> list[str]:
    file = read_text(path)
    _notes.show(file.notes)
    return list(file.segments)


def _split(metrics: Sequence[str]) -> list[str]:
    return [name for text in metrics for name in text.split(",") if name]


def _show(comparison: PoolComparison, digits: Digits) -> None:
    rows = [
        [
            pair.metric,
            pair.first,
            pair.second,
            digits(pair.first_value),
            digits(pair.second_value),
            digits(pair.difference),
            f"[{digits(pair.low)}, {digits(pair.high)}]",
            f"{pair.adjusted_p_value:.4f}",
            "yes" if pair.significant else "no",
        ]
        for pair in comparison.pairs
    ]
    head = ["metric", "first", "second", "first value", "second value", "difference", "interval", "p", "significant"]
    _terminal.draw(Table(head, rows))
    explained = f"{comparison.texts:,} texts of each; {comparison.permutations:,} permutations of texts"
    _terminal.write(f"\n{explained}, p after Holm's correction, seed {comparison.seed}\n")
    _terminal.write("".join(f"{line}\n" for line in dict.fromkeys(pair.signature for pair in comparison.pairs)))
