"""bleuprint frechet."""

from __future__ import annotations

import click

from bleuprint.cli import _terminal
from bleuprint.cli._command import Command, option
from bleuprint.cli._inputs import named_files, read_lines
from bleuprint.cli._output import Output, document, output_options
from bleuprint.metrics import Frechet
from bleuprint.metrics.frechet import FrechetScore
from bleuprint.models.encoders import BUNDLES
from bleuprint.results.digits import Digits
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
@option("-r", "--reference", group="Input", required=True, metavar="REAL", help="File with real texts.")
@option(
    "--encoder",
    group="Metrics",
    required=True,
    metavar="NAME",
    help=f"Encoder: a folder, an .onnx file, {' or '.join(BUNDLES)}.",
)
@option("--layer", group="Metrics", type=int, metavar="N", help="Layer of the encoder [default: its last].")
@option(
    "--pooling",
    group="Metrics",
    type=click.Choice(["mean", "first"]),
    default="mean",
    show_default=True,
    help="Vector of a text: the mean of its tokens' vectors, or that of its first token.",
)
@output_options("width", "json", "strict", "force")
def command(
    texts: tuple[str, ...], reference: str, encoder: str, layer: int | None, pooling: str, output: Output
) -> None:
    """Measure how far generated texts are from real ones, as embeddings.

    TEXTS and REAL have one text per line, in any order and number; '-' reads standard input. Lower is closer. The
    score is the squared Fréchet distance of the two clouds of vectors.
    """
    metric = Frechet(encoder, layer=layer, pooling=pooling)
    scores: dict[str, FrechetScore] = {}
    files = named_files(texts)
    real = read_lines(reference)
    with progress("encoding", len(files)) as advance:
        for name, path in files.items():
            scores[name] = metric.corpus(read_lines(path), real)
            advance(1)
    fields = [
        {"texts": name, "metric": "frechet", "value": score.value, **score.parts, "signature": score.signature}
        for name, score in scores.items()
    ]
    output.deliver(json=lambda: document({"systems": fields}), show=lambda: _show(scores, output.digits))


def _show(scores: dict[str, FrechetScore], digits: Digits) -> None:
    rows = []
    for name, score in scores.items():
        numbers = (score.squared, score.distance, score.mean_part, score.covariance_part)
        rows.append([name, str(score.texts), *map(digits, numbers)])
    _terminal.draw(_terminal.table(["texts", "number", "d²", "d", "of means", "of covariances"], rows))
    _terminal.write_lines(["", *dict.fromkeys(score.signature for score in scores.values())])
