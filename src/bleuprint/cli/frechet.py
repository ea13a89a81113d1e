"""bleuprint frechet."""

from __future__ import annotations

import json
from pathlib import Path

import click

from bleuprint import __version__
from bleuprint.cli import _notes, _terminal
from bleuprint.cli._command import Command
from bleuprint.cli._inputs import named_files
from bleuprint.cli._terminal import Table
from bleuprint.cli.score import check_outputs
from bleuprint.dataset import STDIN, read_text
from bleuprint.files import write_files
from bleuprint.metrics import Frechet
from bleuprint.metrics.frechet import FrechetScore
from bleuprint.models.encoders import BUNDLES
from bleuprint.runners.progress import progress

__all__ = ["command"]


@click.command(
    "frechet",
    cls=Command,
    epilog="Existing files are only replaced with --force.",
    examples=(
        "bleuprint frechet samples.txt -r real.txt --encoder minilm",
        "bleuprint frechet GAN=gan.txt LM=lm.txt -r real.txt --encoder ./model",
    ),
    more="'bleuprint cards frechet', docs/how-to/neural-models.md",
)
@click.argument("texts", nargs=-1, required=True, metavar="TEXTS...")
@click.option("-r", "--reference", "references", required=True, metavar="REAL", help="File with real texts.")
@click.option(
    "--encoder", required=True, metavar="NAME", help=f"Encoder: a folder, an .onnx file, {' or '.join(BUNDLES)}."
)
@click.option("--layer", type=int, metavar="N", help="Layer of the encoder [default: its last].")
@click.option(
    "--pooling",
    type=click.Choice(["mean", "first"]),
    default="mean",
    show_default=True,
    help="Vector of a text: the mean of its tokens' vectors, or that of its first token.",
)
@click.option("-w", "--width", type=click.IntRange(0, 17), default=4, show_default=True, help="Decimal places.")
@click.option(
    "--json", "json_path", metavar="FILE", help="Save the result as JSON; '-' prints it instead of the table."
)
@_notes.strict_option
@click.option("--force", is_flag=True, help="Overwrite an existing file.")
def command(
    texts: tuple[str, ...],
    references: str,
    encoder: str,
    layer: int | None,
    pooling: str,
    width: int,
    json_path: str | None,
    strict: bool,
    force: bool,
) -> None:
    """Measure how far generated texts are from real ones, as embeddings.

    TEXTS and REAL have one text per line, in any order and number; '-' reads standard input. Lower is closer. The
    score is the squared Fréchet distance of the two clouds of vectors.
    """
    check_outputs(json_path, None, force=force)
    metric = Frechet(encoder, layer=layer, pooling=pooling)
    scores: dict[str, FrechetScore] = {}
    files = named_files(texts)
    real = read_text(references)
    with progress("encoding", len(files)) as advance:
        for name, path in files.items():
            file = read_text(path)
            _notes.show([*real.notes, *file.notes])
            scores[name] = metric.corpus(file.segments, real.segments)
            advance(1)
    if json_path == STDIN:
        _terminal.write_json(_record(scores))
        return
    try:
        if json_path is not None:
            write_files({Path(json_path): _record(scores).encode()}, overwrite=force)
    finally:
        _show(scores, width)


def _show(scores: dict[str, FrechetScore], width: int) -> None:
    rows = [
        [name, str(score.texts), *(f"{value:.{width}f}" for value in score.parts.values())]
        for name, score in scores.items()
    ]
    _terminal.draw(Table(["texts", "number", "d²", "d", "of means", "of covariances"], rows))
    signatures = dict.fromkeys(score.signature for score in scores.values())
    _terminal.write("\n" + "".join(f"{_terminal.visible(line)}\n" for line in signatures))


def _record(scores: dict[str, FrechetScore]) -> str:
    fields = [
        {"texts": name, "metric": "frechet", "value": score.value, **score.parts, "signature": score.signature}
        for name, score in scores.items()
    ]
    return json.dumps({"bleuprint": __version__, "systems": fields}, ensure_ascii=False, indent=1) + "\n"
