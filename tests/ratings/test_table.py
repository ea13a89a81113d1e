"""Ratings tables: what is read from files and memory, what is averaged, and what is refused."""

from __future__ import annotations

import gzip
import json
import math
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleuprint.errors import BleuprintError, DataFileError, InputError, OptionError
from bleuprint.ratings import Ratings

ROWS: list[dict[str, Any]] = [
    {
        "segment": str(segment),
        "system": system,
        "document": f"talk.{segment // 2}",
        "source": f"Quelle {segment}",
        "hypothesis": f"{system} says {segment}",
        "reference": f"reference {segment}",
        "mqm": -float(segment + (system == "B")),
    }
    for segment in range(4)
    for system in ("A", "B")
]


def table_file(folder: Path, kind: str, rows: list[dict[str, Any]]) -> Path:
    path = folder / f"ratings.{kind}"
    frame = pd.DataFrame(rows)
    if kind.startswith("tsv"):
        path.write_text(frame.to_csv(sep="\t", index=False), encoding="utf-8")
    elif kind == "csv.gz":
        path.write_bytes(gzip.compress(frame.to_csv(index=False).encode()))
    elif kind == "jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    elif kind == "json":
        path.write_text(json.dumps(rows), encoding="utf-8")
    else:
        frame.to_parquet(path)
    return path


TABLES: dict[str, Any] = {
    "dicts": ROWS,
    "columns": {name: [row[name] for row in ROWS] for name in ROWS[0]},
    "pandas": pd.DataFrame(ROWS),
    "polars": pl.DataFrame(ROWS),
}


@pytest.mark.parametrize("kind", ["tsv", "csv.gz", "jsonl", "json", "parquet", *TABLES])
def test_tables_of_every_kind_hold_the_same_ratings(kind: str, tmp_path: Path) -> None:
    table = TABLES[kind] if kind in TABLES else table_file(tmp_path, kind, ROWS)
    ratings = Ratings.read(table, "mqm", group="document")
    assert ratings.segments == ("0", "1", "2", "3")
    assert ratings.systems == ("A", "B")
    assert ratings.human["mqm"].tolist() == [row["mqm"] for row in ROWS]
    assert ratings.hypotheses == tuple(row["hypothesis"] for row in ROWS)
    assert ratings.references == tuple((row["reference"],) for row in ROWS)
    assert ratings.sources == tuple(row["source"] for row in ROWS)
    assert ratings.groups == {"document": tuple(row["document"] for row in ROWS)}
    assert [ratings.segments[index] for index in ratings.segment] == [row["segment"] for row in ROWS]
    assert [ratings.systems[index] for index in ratings.system] == [row["system"] for row in ROWS]


def test_uncommon_columns_are_named() -> None:
    renamed = [{f"my {name}": value for name, value in row.items()} for row in ROWS]
    ratings = Ratings.read(
        renamed,
        ["my mqm"],
        segment="my segment",
        system="my system",
        hypothesis="my hypothesis",
        reference=["my reference", "my source"],
        source="my source",
    )
    assert ratings.references is not None
    assert ratings.references[0] == ("reference 0", "Quelle 0")
    assert ratings.notes == ()


def test_a_written_list_of_references_is_several(tmp_path: Path) -> None:
    rows = [{"id": i, "simple": "x", "references": str([f"it's {i}", 'a "b"']), "fluency": i} for i in range(3)]
    ratings = Ratings.read(table_file(tmp_path, "csv.gz", rows), "fluency")
    assert ratings.references == tuple((f"it's {i}", 'a "b"') for i in range(3))
    assert "every cell of 'references' is a list" in ratings.notes[-1]


def test_a_text_in_brackets_among_plain_texts_stays_a_text() -> None:
    rows = [{"id": i, "reference": text, "fluency": i} for i, text in enumerate(["['a']", "b", "c"])]
    assert Ratings.read(rows, "fluency").references == (("['a']",), ("b",), ("c",))


def test_without_systems_every_row_is_a_segment() -> None:
    ratings = Ratings.read({"hypothesis": ["a", "b", "c"], "good": [True, "false", 1]}, "good")
    assert ratings.segments == ("1", "2", "3")
    assert not ratings.has_systems
    assert ratings.human["good"].tolist() == [1, 0, 1]


JUDGEMENT = st.tuples(st.integers(0, 4), st.integers(0, 2), st.integers(0, 2), st.sampled_from([1.0, 2.5, 4.0, None]))


@given(st.lists(JUDGEMENT, max_size=40), st.booleans())
def test_repeated_ratings_are_averaged_and_kept(
    judgements: list[tuple[int, int, int, float | None]], has_raters: bool
) -> None:
    fixed = [(10, 0, 0, 1.0), (11, 0, 0, 2.0), (12, 0, 0, 3.0)]
    rows = [
        {"item": item, "system": f"s{system}", "score": value} | ({"rater": f"r{rater}"} if has_raters else {})
        for item, system, rater, value in [*fixed, *judgements]
    ]
    ratings = Ratings.read(rows, "score")
    by_output: dict[tuple[str, str], list[float]] = {}
    for item, system, _, value in [*fixed, *judgements]:
        by_output.setdefault((str(item), f"s{system}"), []).extend([] if value is None else [value])
    assert len(ratings) == len(by_output)
    for output in range(len(ratings)):
        key = ratings.segments[ratings.segment[output]], ratings.systems[ratings.system[output]]
        mean = ratings.human["score"][output]
        expected = by_output[key]
        assert math.isnan(mean) if not expected else mean == pytest.approx(sum(expected) / len(expected))
        kept = ratings.judgements["score"]
        assert kept.value[kept.output == output].tolist() == expected


@pytest.mark.parametrize("gap", ["", "NA", "nan", "None", None, math.nan])
def test_an_empty_cell_is_a_gap(gap: object) -> None:
    rows = [{"item": item, "score": score} for item, score in enumerate([1, gap, 2, 3])]
    assert np.isnan(Ratings.read(rows, "score").human["score"]).tolist() == [False, True, False, False]


def test_own_scores_come_from_the_table_or_beside_it() -> None:
    rows = [{"item": item, "score": item, "comet": 0.5 * item} for item in range(3)]
    assert Ratings.read(rows, "score", scores=["comet"]).scores["comet"].tolist() == [0, 0.5, 1]
    given = Ratings.read(rows, "score", scores={"mine": [3, None, 1]}).scores["mine"]
    assert given[[0, 2]].tolist() == [3, 1]
    assert math.isnan(given[1])


def refusal(kind: type[BleuprintError], rows: Any, human: Any = "score", **options: Any) -> str:
    with pytest.raises(kind) as caught:
        Ratings.read(rows, human, **options)
    return str(caught.value)


def rated(*scores: object, **others: object) -> list[dict[str, Any]]:
    return [{"item": item, "score": score, **others} for item, score in enumerate(scores)]


def test_a_rating_column_of_text_is_refused() -> None:
    message = refusal(DataFileError, rated(1, "good", 3))
    assert message == "the table, row 2: 'score' must be a number, or empty where nobody rated, got 'good'."
    assert "must be a number" in refusal(DataFileError, rated(1, [2], 3))
    assert "'score' must be a number from -1e100 to 1e100, got inf." in refusal(DataFileError, rated(1, "inf", 3))


@pytest.mark.parametrize("value", [1e101, -1.7e308, "1e160"])
def test_numbers_whose_squares_overflow_are_refused(value: float | str) -> None:
    message = refusal(DataFileError, rated(1, value, 3))
    assert message == f"the table, row 2: 'score' must be a number from -1e100 to 1e100, got {float(value)}."
    assert "row 1: 'other' must be a number from" in refusal(DataFileError, rated(1, 2, 3, other=value), scores="other")


def test_an_unknown_column_is_refused() -> None:
    for options in ({}, {"group": "x"}, {"system": "x"}, {"scores": "x"}, {"reference": ["x"]}):
        human = "score" if options else "x"
        message = refusal(DataFileError, rated(1, 2, 3), human, **options)
        assert message == "the table: it has no column 'x'; its columns are 'item' and 'score'."


def test_fewer_than_three_items_are_refused() -> None:
    """Not by reading: a mean can be estimated from one."""
    ratings = Ratings.read(rated(1, 2, None, hypothesis="a", reference="a"), "score")
    for method in (ratings.agreement, ratings.threshold, ratings.power):
        with pytest.raises(DataFileError, match="'score' has ratings of 2 segments; agreement needs at least 3"):
            method()
    assert "holds no ratings" in refusal(DataFileError, rated(None, None, None))


def test_ratings_that_never_differ_are_refused() -> None:
    ratings = Ratings.read(rated(2, 2, 2, hypothesis="a", reference="a"), "score")
    for method in (ratings.agreement, ratings.threshold, ratings.power):
        with pytest.raises(DataFileError, match="all ratings in 'score' are 2; no metric can agree"):
            method()


def test_systems_without_segments_are_refused() -> None:
    rows = [{"system": system, "score": score} for score, system in enumerate("ABC")]
    message = refusal(DataFileError, rows)
    assert "no column is recognized as segments" in message
    assert "--segment NAME on the command line, segment=NAME in Python" in message


def test_different_texts_of_one_output_are_refused() -> None:
    rows = [*rated(1, 2, 3, hypothesis="a"), {"item": 0, "score": 2, "hypothesis": "b"}]
    message = refusal(DataFileError, rows)
    assert message.startswith(
        "the table, row 4: its 'hypothesis' differs from that in row 1, which has the same segment"
    )
    rows = [*rated(1, 2, 3, comet=1), {"item": 0, "score": 2, "comet": 2}]
    assert "its 'comet' differs" in refusal(DataFileError, rows, scores="comet")


@pytest.mark.parametrize("text", [None, 3, math.nan, "\ud800"])
def test_what_is_not_text_is_refused(text: object) -> None:
    rows = rated(1, 2, 3, hypothesis="a", reference="b")
    rows[1]["hypothesis"] = text
    assert "the table, row 2: 'hypothesis'" in refusal(DataFileError, rows)
    rows[1] |= {"hypothesis": "a", "reference": [text]}
    assert "the table, row 2: 'reference'" in refusal(DataFileError, rows)


def test_tables_that_are_none() -> None:
    assert "no rows" in refusal(InputError, [])
    assert "table[0] must be a dict, got int" in refusal(InputError, [1])
    assert "table must be a path" in refusal(InputError, 1)
    assert "score has 1 segments but item has 2" in refusal(InputError, {"score": [1], "item": [1, 2]})
    assert "scores['x']" in refusal(InputError, rated(1, 2, 3), scores={"x": [1]})
    for human in ((), 3, [3], ["score", "score"]):
        refusal(OptionError, rated(1, 2, 3), human)
    refusal(OptionError, rated(1, 2, 3), segment=["item"])
    refusal(OptionError, rated(1, 2, 3), ["\ud800"])
    refusal(OptionError, rated(1, 2, 3), scores={"\ud800": [1, 2, 3]})
    refusal(OptionError, rated(1, 2, 3), scores={1: [1, 2, 3]})


def test_reading_ratings_loads_no_metric() -> None:
    """What is learned from ratings is imported by the method that computes it."""
    code = (
        "import sys, bleuprint as bp; bp.Ratings.read([{'id': n, 'r': n} for n in range(3)], 'r'); "
        "print([name for name in sys.modules if name.startswith(('bleuprint.metrics', 'bleuprint.runners'))])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
