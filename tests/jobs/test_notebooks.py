"""The example notebooks run, and show tables, charts and pages instead of long text."""

from __future__ import annotations

import re
from pathlib import Path

import nbformat
import pytest

from tests.support.notebooks import NOTEBOOKS, executed, outputs, shown

_LARGEST = 12_000  # bytes of a committed notebook: no outputs


@pytest.mark.parametrize("path", sorted(NOTEBOOKS.glob("*.ipynb")), ids=lambda path: path.stem)
def test_notebooks_are_committed_without_outputs(path: Path) -> None:
    assert path.stat().st_size < _LARGEST
    book = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
    assert not outputs(book)


def test_compare_systems() -> None:
    book = executed(NOTEBOOKS / "compare-systems.ipynb")
    result, comparison, page = shown(book, "text/html")
    assert result.count("<table>") == 1
    assert comparison.count("<table>") == 4, "the systems, and a matrix of pairs for each metric"
    assert page.startswith("<iframe srcdoc=")
    assert 'sandbox="allow-scripts' in page
    assert shown(book, "image/svg+xml")[0].startswith("<svg ")
    latex, methods, *_ = shown(book, "text/plain")[2:]
    assert "<Result of 3 systems on 48 segments: bleu, chrf, ter>" in shown(book, "text/plain")[0]
    assert r"\toprule" in latex
    assert "@inproceedings{papineni-etal-2002-bleu," in methods
    assert all(len(text) < 8000 for text in shown(book, "text/plain"))


def test_show_the_work() -> None:
    book = executed(NOTEBOOKS / "show-the-work.ipynb")
    assert "True" in shown(book, "text/plain")
    assert sum('class="equation"' in html for html in shown(book, "text/html")) == 3
    assert any("gate passed" in html for html in shown(book, "text/html"))


def test_diversity_of_12000_texts_in_a_notebook() -> None:
    """Self-BLEU-2..5, cross BLEU and distinct-n of 12,000 texts."""
    book = executed(NOTEBOOKS / "diversity.ipynb")
    (table,) = (html for html in shown(book, "text/html") if "Self-BLEU-2" in html)
    numbers = [float(number) for number in re.findall(r"<td>([0-9.]+)</td>", table)]
    generated, real = numbers[0::2], numbers[1::2]
    assert generated == sorted(generated, reverse=True)
    assert all(few > many for few, many in zip(generated, real, strict=True)), "eight nouns repeat themselves more"
    assert any(re.search(r"quality [0-9.]+, coverage [0-9.]+", text) for text in shown(book, "text/plain"))
    assert any("12000" in html for html in shown(book, "text/html"))
