"""Draw the pictures of docs/gallery.md from the sample that comes with the package: python -m tools.make_gallery."""

from __future__ import annotations

from pathlib import Path

import bleuprint as bp
from bleuprint.report import CHARTS, alone, picture
from bleuprint.report.pictures import inner_size
from bleuprint.results import Result

__all__ = ["FOLDER", "pictures"]

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "docs" / "_static" / "gallery"
_SAMPLE = ROOT / "src" / "bleuprint" / "dataset" / "sample"
_COLUMN, _PAGE = 316.8, 672  # 3.3in, the column of a paper, and the width of a page
_WIDTHS = {"fluency": _PAGE, "matrix": 480}


def _lines(name: str) -> list[str]:
    return (_SAMPLE / f"{name}.txt").read_text(encoding="utf-8").removesuffix("\n").split("\n")


def _result() -> Result:
    references = list(zip(_lines("ref-1"), _lines("ref-2"), strict=True))
    model = bp.LanguageModel.train([*_lines("ref-1"), *_lines("ref-2")], order=3, tokenizer="13a")
    return bp.evaluate(
        {name: _lines(name) for name in ("system-a", "system-b", "system-c")},
        references,
        metrics=[bp.BLEU(), bp.IBLEU(), bp.Perplexity(model)],
        sources=_lines("source"),
    )


def pictures() -> dict[str, str]:
    """Every chart as SVG, by the name of its file."""
    result = _result()
    drawn = {}
    for chart in CHARTS:
        size = inner_size(_WIDTHS.get(chart, _COLUMN), None, "")
        drawn[f"{chart}.svg"] = alone(picture(result, chart, width=size.width))
    return drawn


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, svg in pictures().items():
        (FOLDER / name).write_text(svg, encoding="utf-8")
        print(f"written: {FOLDER / name}")


if __name__ == "__main__":
    main()
