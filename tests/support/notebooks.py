"""Run notebooks and read what their cells show."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

NOTEBOOKS = Path(__file__).resolve().parents[2] / "examples" / "notebooks"


def executed(path: Path) -> Any:
    """The notebook with its outputs; an error in a cell is raised."""
    book: Any = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
    NotebookClient(book, timeout=300, kernel_name="python3").execute()
    return book


def outputs(book: Any) -> list[Any]:
    """Everything that the cells show."""
    return [output for cell in book.cells if cell.cell_type == "code" for output in cell.outputs]


def shown(book: Any, kind: str) -> list[str]:
    """The outputs of a MIME type, and for text/plain what is printed as well."""
    texts = []
    for output in outputs(book):
        if output.output_type == "stream" and kind == "text/plain":
            texts.append(output.text)
        elif kind in output.get("data", {}):
            texts.append(output.data[kind])
    return texts
