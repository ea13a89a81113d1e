"""Draw what a notebook and a paper show, for the manual: python -m tools.make_notebook_pictures.

It needs Chromium, pdflatex, pdftoppm, and `pip install nbconvert playwright`.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbconvert import HTMLExporter
from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "docs" / "notebooks"
_NOTEBOOKS = ROOT / "examples" / "notebooks"
# The notebook of each picture, its cells from where to where, and the size.
PICTURES = {"comparison": ("compare-systems", 3, 6, (1060, 1095)), "work": ("show-the-work", 1, 2, (1060, 1375))}
_PAPER = r"""\documentclass{article}
\usepackage{booktabs}
\usepackage[paperwidth=4.6in, paperheight=2.6in, margin=.1in]{geometry}
\pagestyle{empty}
\begin{document}
\input{table}
\end{document}
"""


def draw_notebook(name: str) -> None:
    """Run a notebook and take a picture of some of its cells."""
    notebook, first, last, (width, height) = PICTURES[name]
    book = nbformat.read(_NOTEBOOKS / f"{notebook}.ipynb", as_version=4)  # type: ignore[no-untyped-call]
    NotebookClient(book, timeout=300, kernel_name="python3").execute()
    book.cells = book.cells[first:last]
    page, _ = HTMLExporter(template_name="classic").from_notebook_node(book)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        opened = browser.new_page(viewport={"width": width, "height": height})
        opened.set_content(page)
        opened.add_style_tag(content="body, #notebook, .container { margin: 0; padding: 0; width: 100%; border: 0 }")
        opened.screenshot(path=FOLDER / f"{name}.png")
        browser.close()


def draw_table() -> None:
    """Compile the table of a comparison, as docs/how-to/put-scores-into-a-paper.md prints it."""
    sample = ROOT / "src" / "bleuprint" / "dataset" / "sample"
    files = [*(f"system-{letter}.txt" for letter in "abc"), "-r", "ref-1.txt", "-r", "ref-2.txt"]
    command = ["bleuprint", "compare", *files, "-m", "bleu,chrf,ter", "--percent", "--format", "latex"]
    with tempfile.TemporaryDirectory() as folder:
        table = subprocess.run(command, cwd=sample, check=True, capture_output=True, text=True).stdout
        Path(folder, "table.tex").write_text(table.replace("[t]", "[h]", 1), encoding="utf-8")
        Path(folder, "paper.tex").write_text(_PAPER, encoding="utf-8")
        subprocess.run(["pdflatex", "-interaction=batchmode", "paper.tex"], cwd=folder, check=True)
        picture = ["pdftoppm", "-r", "140", "-png", "-singlefile", "paper.pdf", str(FOLDER / "latex")]
        subprocess.run(picture, cwd=folder, check=True)


if __name__ == "__main__":
    for name in PICTURES:
        draw_notebook(name)
    draw_table()
