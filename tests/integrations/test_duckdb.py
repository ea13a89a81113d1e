"""The function for SQL in the manual, on two hundred items."""

from __future__ import annotations

from typing import Any

import duckdb
import pyarrow as pa
import pytest

import bleuprint as bp
from tests.support.documents import ROOT
from tests.support.markdown import examples_of
from tests.support.two_hundred import OUTPUTS, REFERENCES, corpus, segments


@pytest.fixture
def connection() -> Any:
    """A connection with the function, as the manual creates it."""
    names: dict[str, Any] = {}
    page = (ROOT / "docs" / "integrations.md").read_text(encoding="utf-8").partition("## DuckDB")[2]
    for source, _ in examples_of(page)[:7]:
        exec(source, names)
    return names["connection"]


def test_rows_and_the_corpus(connection: Any) -> None:
    items = pa.table({"place": range(len(OUTPUTS)), "hyp": OUTPUTS, "ref": REFERENCES})
    connection.register("items", items)
    scores = connection.sql("SELECT bleu(hyp, ref) FROM items ORDER BY place").fetchall()
    assert [score for (score,) in scores] == segments("bleu")
    table = connection.sql("SELECT hyp, ref FROM items").to_arrow_table()
    assert bp.corpus_bleu(table["hyp"], table["ref"]).value == corpus("bleu")


def test_a_missing_reference_is_our_error(connection: Any) -> None:
    with pytest.raises(duckdb.Error, match=r"NoReferenceError: references\[0\] holds no reference"):
        connection.sql("SELECT bleu('a', NULL)").fetchall()
