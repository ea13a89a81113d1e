"""bleuprint replay."""

from __future__ import annotations

import click

from bleuprint.cli import _terminal
from bleuprint.cli._command import option, subcommand
from bleuprint.cli._inputs import read_aligned, read_lines, split_name
from bleuprint.cli._metrics import metrics_with_models
from bleuprint.cli._options import shared_options
from bleuprint.results import Result
from bleuprint.runners import replay


@subcommand(
    "replay",
    examples=("bleuprint replay result.json", "bleuprint replay result.json --hypothesis hyp.txt -r ref.txt"),
    more="docs/how-to/replay-a-result.md",
    epilog="Exit status 1: a score differs.",
)
@click.argument("result", metavar="RESULT.json")
@option(
    "Input",
    "--hypothesis HYP",
    "Hypothesis file, one per system: NAME=HYP, or in the order of the result.",
    name="hypotheses",
    multiple=True,
)
@shared_options("references")
@shared_options("source", help="Source file.")
@shared_options("models", "threads")
def command(
    result: str,
    hypotheses: tuple[str, ...],
    references: tuple[str, ...],
    source: str | None,
    models: tuple[str, ...],
    threads: int | None,
) -> None:
    """Recompute a saved result from its signatures.

    By default, the texts stored in the result are used. Files passed here must contain exactly the texts that were
    scored; their digests are checked.
    """
    stored = Result.read_json(result)
    if len(hypotheses) not in {0, len(stored.systems)}:
        raise click.UsageError(
            f"--hypothesis must be given {len(stored.systems)} times, once per system, or not at all."
        )
    paths = _in_order(hypotheses, [system.name for system in stored.systems])
    pools = all(score.unit == "pool" for system in stored.systems for score in system.scores)
    outputs, expected, sources = read_aligned(paths, () if pools else references, source)
    if pools and references:  # a corpus of any size
        expected = [(line,) for path in references for line in read_lines(path)]
    replayed = replay(
        stored,
        hypotheses={system.name: texts for system, texts in zip(stored.systems, outputs, strict=False)},
        references=expected,
        sources=sources,
        metrics=metrics_with_models(stored, models),
        threads=threads,
    )
    rows = [
        [score.system, score.metric, repr(score.stored), repr(score.computed), "same" if score.same else "DIFFERS"]
        for score in replayed.scores
    ]
    _terminal.draw_rows(["system", "metric", "stored", "now", ""], rows, words=(0, 1, 4))
    for name, (then, now) in replayed.changed_versions.items():
        _terminal.note(f"note: {name} was {then} when the result was saved and is now {now}")
    if not replayed.same:
        click.get_current_context().exit(1)


def _in_order(hypotheses: tuple[str, ...], systems: list[str]) -> list[str]:
    """Return the files in the order of the systems: by their names if all are given as NAME=HYP."""
    given = [split_name(hypothesis) for hypothesis in hypotheses]
    by_name = {name: path for name, path in given if name}
    if not by_name:
        return list(hypotheses)
    for name in sorted({*by_name} ^ {*systems}):
        raise click.UsageError(f"--hypothesis must name every system once, as NAME=HYP; {name} does not match.")
    return [by_name[system] for system in systems]
