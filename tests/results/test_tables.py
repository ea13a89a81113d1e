"""Results as tables: data frames, files of segments, Markdown and text for the terminal."""

from __future__ import annotations

import csv
import io

import polars
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleuprint.errors import MissingExtraError, OptionError
from bleuprint.results import Result
from bleuprint.results.model import digest_of
from bleuprint.results.naming import short_signature
from bleuprint.runners import evaluate


def sample() -> Result:
    return evaluate(
        {"one": ["a b c", "=SUM(A1)"], "t|wo*": ["a", "d"]},
        [("a b c", "b"), ("d",)],
        sources=["s", "-2"],
        metrics=["bleu", "chrf"],
    )


def test_a_row_for_every_segment_of_every_system() -> None:
    result = sample()
    columns = result.to_polars().to_dict(as_series=False)
    assert columns["segment"] == [1, 2, 1, 2]
    assert columns["system"] == ["one", "one", "t|wo*", "t|wo*"]
    assert columns["source"] == ["s", "-2"] * 2
    assert columns["references"] == [["a b c", "b"], ["d"]] * 2
    assert columns["chrf"][2:] == list(result.systems[1].scores[1].segments)
    assert result.to_polars("systems")["bleu"].to_list() == [system.score("bleu").value for system in result.systems]


def test_data_frames() -> None:
    result = sample()
    frame = result.to_pandas()
    assert list(frame["bleu"]) == [value for system in result.systems for value in system.score("bleu").segments]
    assert list(result.to_pandas("systems").columns) == ["system", "bleu", "chrf", "bleu signature", "chrf signature"]
    assert result.to_polars().equals(polars.DataFrame(frame.to_dict("list")))
    with pytest.raises(OptionError, match="level must be segments or systems, got 'texts'"):
        result.to_pandas("texts")  # type: ignore[arg-type]


def test_a_missing_library_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "pandas", None)
    with pytest.raises(MissingExtraError, match=r"to_pandas needs pandas: pip install 'bleuprint\[pandas\]'"):
        sample().to_pandas()


def test_segments_as_separated_values() -> None:
    result = sample()
    table = list(csv.DictReader(io.StringIO(result.to_csv("segments"))))
    assert [float(row["bleu"]) for row in table] == result.to_polars()["bleu"].to_list()
    assert table[1]["hypothesis"] == "'=SUM(A1)", "a spreadsheet must not run it"
    assert table[1]["source"] == "'-2"
    assert (table[0]["reference 2"], table[1]["reference 2"]) == ("b", "")
    assert float(table[2]["chrf"]) == result.systems[1].scores[1].segments[0]


def test_cells_that_a_spreadsheet_would_run() -> None:
    leads = ["=", "+", "-", "@", "\t", "\r", "\n", "\0", "%", "＝", "＋", "－", "＠", "a\r="]
    texts = [f"{lead}1+1" for lead in leads]
    result = evaluate({"=system": texts}, texts)
    rows = list(csv.DictReader(io.StringIO(result.to_csv("segments"), newline="")))
    assert [row["hypothesis"] for row in rows] == [*(f"'{text}" for text in texts[:-1]), "a\r'=1+1"]
    assert {row["system"] for row in rows} == {"'=system"}


def test_markdown_and_text() -> None:
    text = sample().to_markdown()
    head, rule, first, second, *_ = text.splitlines()
    assert (head, rule) == ("| System | BLEU ↑ | chrF ↑ |", "|---|---:|---:|")
    assert first.startswith("| one | **0.")
    assert second.startswith(r"| t\|wo\* | ")
    signature = sample().systems[0].score("bleu").signature
    assert signature not in text
    assert short_signature(signature) in text
    assert sample().pretty(percent=True).splitlines()[0].split() == ["system", "bleu", "chrf"]


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=4)))
def test_digests_know_segments(texts: list[str]) -> None:
    assert digest_of([*texts, ""]) != digest_of(texts)
    if len(texts) > 1:
        assert digest_of([texts[0] + texts[1], *texts[2:]]) != digest_of(texts)
        assert digest_of([(texts[0], texts[1]), *texts[2:]]) != digest_of(texts)
