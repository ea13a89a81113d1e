"""Draw the pictures of docs/gallery.md with the commands that stand beside them: python -m tools.make_gallery."""

from __future__ import annotations

import contextlib
import tempfile
from pathlib import Path

from click.testing import CliRunner

from bleuprint.cli import program

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "docs" / "_static" / "gallery"
_SAMPLE = ROOT / "src" / "bleuprint" / "dataset" / "sample"
_FILES = {"ref-1": "reference.txt", "ref-2": "reference-2.txt"}

SETUP = (
    "bleuprint lm train reference.txt reference-2.txt -o sample.blm --order 3 -tok 13a",
    "bleuprint score system-a.txt system-b.txt system-c.txt -r reference.txt -r reference-2.txt -s source.txt "
    "-m bleu,ibleu,perplexity:lm=sample.blm --json sample.json",
)
_SYSTEMS = "system-a.txt system-b.txt system-c.txt"
# What draws each picture, and the file that it writes.
COMMANDS = {
    "scores": ("bleuprint plot sample.json --chart scores --width 3.3in", "sample.scores.svg"),
    "matrix": ("bleuprint plot sample.json --chart matrix --width 5in", "sample.matrix.svg"),
    "systems": ("bleuprint plot sample.json --chart systems --width 3.3in", "sample.systems.svg"),
    "distribution": ("bleuprint plot sample.json --chart distribution --width 3.3in", "sample.distribution.svg"),
    "versus": (
        "bleuprint plot sample.json --chart versus --system system-a --system system-c --width 3.3in",
        "sample.versus.svg",
    ),
    "length": ("bleuprint plot sample.json --chart length --width 3.3in", "sample.length.svg"),
    "tradeoff": ("bleuprint plot sample.json --chart tradeoff --width 3.3in", "sample.tradeoff.svg"),
    "fluency": ("bleuprint plot sample.json --chart fluency --width 7in", "sample.fluency.svg"),
    "perplexity": (f"bleuprint score {_SYSTEMS} -m perplexity:lm=sample.blm --plot perplexity.svg", "perplexity.svg"),
    "diversity": ("bleuprint plot sample.json --chart diversity --width 3.3in", "sample.diversity.svg"),
    "measures": (f"bleuprint diversity {_SYSTEMS} --plot measures.svg", "measures.svg"),
    "sweep": ("bleuprint plot sample.json --chart sweep --width 3.3in", "sample.sweep.svg"),
    "origin": ("bleuprint plot sample.json --chart origin --width 3.3in", "sample.origin.svg"),
    "influence": ("bleuprint plot sample.json --chart influence --width 3.3in", "sample.influence.svg"),
}


def pictures() -> dict[str, str]:
    """Every picture as SVG, by the name of its file."""
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        for path in _SAMPLE.glob("*.txt"):
            Path(_FILES.get(path.stem, path.name)).write_bytes(path.read_bytes())
        for command in (*SETUP, *(command for command, _ in COMMANDS.values())):
            CliRunner().invoke(program, command.split()[1:], standalone_mode=False, catch_exceptions=False)
        return {f"{name}.svg": Path(file).read_text(encoding="utf-8") for name, (_, file) in COMMANDS.items()}


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, svg in pictures().items():
        (FOLDER / name).write_text(svg, encoding="utf-8")
        print(f"written: {FOLDER / name}")


if __name__ == "__main__":
    main()
