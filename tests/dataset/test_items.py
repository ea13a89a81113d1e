"""Items and datasets: checked, frozen, and out of whatever holds texts."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from pathlib import Path
from typing import Any

import duckdb
import pandas
import polars
import pyarrow
import pytest

import bleuprint as bp
from bleuprint.dataset import Dataset, DatasetItem
from bleuprint.errors import (
    BareStringError,
    DataFileError,
    InputError,
    LengthMismatchError,
    NoReferenceError,
    NotTextError,
    OptionError,
    SurrogateError,
    TransposedReferencesError,
)
from tests.support.cli import sample

ROWS = [
    {"id": "a", "prediction": "the cat", "references": ["the cat", "a cat"], "source": "die Katze", "score": 1.5},
    {"id": "b", "prediction": "a dog", "references": ["the dog"], "source": "ein Hund", "score": 2.5},
]


def test_an_item_as_the_seeds_write_it() -> None:
    item = DatasetItem(
        actual_output="The cat sat on the mat.",
        expected_output="The cat is sitting on the mat.",
        query="Where is the cat?",
        id=1,
        metadata={"lang": "en"},
    )
    assert item.references == ("The cat is sitting on the mat.",)
    assert item.query == item.source == "Where is the cat?"
    assert item.metadata["lang"] == "en"
    assert DatasetItem("a", ["b", None, "c"]).expected_output == ("b", "c")
    assert DatasetItem("", "").references == ("",)


def test_an_item_does_not_change() -> None:
    given = {"a": 1}
    item = DatasetItem("x", ["y"], source="s", metadata=given)
    given["a"] = 2
    assert item.metadata == {"a": 1}
    with pytest.raises(dataclasses.FrozenInstanceError):
        item.actual_output = "z"  # type: ignore[misc]
    with pytest.raises(TypeError):
        item.metadata["a"] = 3  # type: ignore[index]
    twins = [pickle.loads(pickle.dumps(item)), copy.deepcopy(item), dataclasses.replace(item)]
    assert all(twin == item and hash(twin) == hash(item) for twin in twins)
    assert dataclasses.replace(item, actual_output="z").actual_output == "z"
    assert item != DatasetItem("x", ["y"], source="s")


@pytest.mark.parametrize(
    ("fields", "error", "message"),
    [
        ({"actual_output": None}, NotTextError, "actual_output must be a str, got None; use '' for an empty text"),
        (
            {"actual_output": float("nan")},
            NotTextError,
            "actual_output must be a str, got NaN; it stands for a missing text",
        ),
        ({"actual_output": b"a"}, NotTextError, "decode it first"),
        ({"actual_output": 7}, NotTextError, "convert it with str()"),
        ({"actual_output": ["a"]}, NotTextError, "got list"),
        ({"actual_output": "\ud800"}, SurrogateError, "actual_output holds a lone surrogate"),
        ({"expected_output": None}, NotTextError, "expected_output must be a str or a list of them, got None"),
        ({"expected_output": []}, NoReferenceError, "expected_output holds no reference"),
        ({"expected_output": [None]}, NoReferenceError, "expected_output holds no reference"),
        ({"expected_output": ["a", 3]}, NotTextError, "expected_output[1] must be a str, got int"),
        ({"expected_output": {"a"}}, NotTextError, "use list(item)"),
        ({"expected_output": ["a", "\udfff"]}, SurrogateError, "expected_output[1]"),
        ({"query": 3}, NotTextError, "query must be a str, got int"),
        ({"source": b""}, NotTextError, "source must be a str, got bytes"),
        ({"query": "a", "source": "b"}, InputError, "query and source both name the input"),
        ({"query": "a", "input": "b"}, InputError, "query and input both name the input"),
        ({"id": 1.5}, NotTextError, "id must be a str, an int or None, got float"),
        ({"id": True}, NotTextError, "got bool"),
        ({"id": "\ud800"}, SurrogateError, "id holds"),
        ({"metadata": [1]}, NotTextError, "metadata must be a dict"),
        ({"metadata": {1: 2}}, NotTextError, "a dict with str keys"),
    ],
)
def test_what_an_item_refuses(fields: dict[str, Any], error: type[InputError], message: str) -> None:
    with pytest.raises(error) as caught:
        DatasetItem(**{"actual_output": "a", "expected_output": "b", **fields})
    assert message in str(caught.value)


def test_from_lists() -> None:
    dataset = Dataset.from_lists(["a", "b"], ["A", ["B", "C"]], ["s", "t"], [1, 2], name="two")
    assert dataset.hypotheses == ["a", "b"]
    assert dataset.references == [("A",), ("B", "C")]
    assert dataset.sources == ["s", "t"]
    assert [item.id for item in dataset] == [1, 2]
    assert dataset[-1] is dataset[1]
    assert repr(dataset) == "<Dataset 'two' of 2 items>"
    assert list(dataset[1:]) == [dataset[1]]
    assert Dataset.from_lists(["a"], ["A"], ids=["x"])[0].id == "x"
    assert Dataset.from_lists(["a"], ["A"]).sources is None
    assert len(Dataset.from_lists([], [])) == 0
    assert dataset == Dataset(list(dataset), name="two") != Dataset(list(dataset))
    assert (
        bp.corpus_bleu(dataset.hypotheses, dataset.references).value
        == bp.corpus_bleu(["a", "b"], ["A", ["B", "C"]]).value
    )


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: Dataset.from_lists("ab", ["a"]), BareStringError, "hypotheses"),
        (lambda: Dataset.from_lists({"a": 1}, ["a"]), NotTextError, "items need an order"),
        (lambda: Dataset.from_lists(["a"], ["a", "b"]), LengthMismatchError, "references has 2"),
        (lambda: Dataset.from_lists(["a"], ["a"], ids=[]), LengthMismatchError, "ids has 0"),
        (lambda: Dataset.from_lists(["a", "b"], [["a", "b"]]), TransposedReferencesError, "transposed"),
        (lambda: Dataset.from_lists(["a", None], ["a", "b"]), InputError, "item [1]: actual_output must be a str"),  # type: ignore[list-item]
        (lambda: Dataset(["a"]), NotTextError, "items[0] must be a DatasetItem, got str"),  # type: ignore[list-item]
        (lambda: Dataset("abc"), NotTextError, "items must be a list"),  # type: ignore[arg-type]
        (lambda: Dataset.from_dicts(["a"]), NotTextError, "rows[0] must be a dict"),  # type: ignore[list-item]
        (
            lambda: Dataset.from_dicts([{"a": 1}]),
            DataFileError,
            "no column is recognized as hypotheses; choose from 'a'",
        ),
        (
            lambda: Dataset.from_dicts([{"output": "", "prediction": "", "target": ""}]),
            DataFileError,
            "the hypotheses could be in column 'output' or 'prediction'; choose one",
        ),
        (
            lambda: Dataset.from_dicts([{"output": "", "ref": ""}, {"output": ""}]),
            InputError,
            "rows[1] has no 'ref'; it has 'output'",
        ),
        (lambda: Dataset.from_dicts([{"a": ""}], {"hypotesis": "a"}), OptionError, "keys among hypothesis, reference"),
        (lambda: Dataset.from_dicts([{"a": ""}], {"hypothesis": "b"}), DataFileError, "it has no column 'b'"),
        (lambda: Dataset.from_dicts([{"a": ""}], {"source": ["a", "b"]}), OptionError, "one column of sources"),
        (lambda: Dataset.from_dicts([{"a": ""}], {"output": "a", "hyp": "a"}), OptionError, "once"),
        (lambda: Dataset.from_table([1]), NotTextError, "table must be a pandas, polars"),
    ],
)
def test_what_a_dataset_refuses(call: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error) as caught:
        call()
    assert message in str(caught.value)


def test_from_dicts_guesses_and_says_so() -> None:
    dataset = Dataset.from_dicts(ROWS, name="mine")
    assert dataset.hypotheses == ["the cat", "a dog"]
    assert dataset.references == [("the cat", "a cat"), ("the dog",)]
    assert dataset.sources == ["die Katze", "ein Hund"]
    assert dataset[1].id == "b"
    assert dataset[0].metadata == {"score": 1.5}
    (note,) = dataset.notes
    assert note == (
        "mine: hypotheses from column 'prediction', references from column 'references', "
        "sources from column 'source', ids from column 'id'"
    )


def test_from_dicts_with_names() -> None:
    rows = [{"mt": "a", "r1": "b", "r2": ["c", "d"], "query": "q", "input": "i"}]
    dataset = Dataset.from_dicts(rows, {"actual_output": "mt", "expected_output": ["r1", "r2"]})
    assert dataset[0].references == ("b", "c", "d")
    assert dataset[0].source is None
    assert dataset.notes == ("the rows: sources could be in 'query' or 'input', so none were read",)
    assert Dataset.from_dicts(rows, {"hyp": "mt", "ref": "r1", "query": "input"})[0].source == "i"


class HuggingFace:
    """What datasets.Dataset looks like from outside."""

    column_names = tuple(ROWS[0])

    def __getitem__(self, name: str) -> list[object]:
        return [row[name] for row in ROWS]


class OnlyArrow:
    """Anything else that speaks Arrow."""

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return pyarrow.Table.from_pylist(ROWS).__arrow_c_stream__(requested_schema)


TABLES = [
    pandas.DataFrame(ROWS),
    polars.DataFrame(ROWS),
    pyarrow.Table.from_pylist(ROWS),
    pyarrow.RecordBatch.from_pylist(ROWS),
    HuggingFace(),
    OnlyArrow(),
]


@pytest.mark.parametrize("table", TABLES, ids=lambda table: f"{type(table).__module__}.{type(table).__name__}")
def test_from_table(table: Any) -> None:
    assert list(Dataset.from_table(table)) == list(Dataset.from_dicts(ROWS))


def test_from_a_query() -> None:
    with duckdb.connect() as connection:
        rows = connection.from_arrow(pyarrow.Table.from_pylist(ROWS))
        assert list(Dataset.from_table(rows)) == list(Dataset.from_dicts(ROWS))
        assert Dataset.from_table(rows.limit(1)).hypotheses == [ROWS[0]["prediction"]]


def test_names_of_metadata_may_be_of_a_class_of_text() -> None:
    name = type("Name", (str,), {})("lang")
    assert DatasetItem("a", "b", metadata={name: "en"}).metadata == {"lang": "en"}
    with pytest.raises(NotTextError, match="metadata must be a dict with str keys"):
        DatasetItem("a", "b", metadata={"lang": "en", 1: 2})


def test_missing_values_of_tables_are_named() -> None:
    frame = pandas.DataFrame({"output": ["a", None], "reference": ["a", "b"]})
    with pytest.raises(InputError, match=r"rows\[1\]: actual_output must be a str, got NaN; it stands for a missing"):
        Dataset.from_table(frame)
    with pytest.raises(NotTextError, match="choose one split"):
        Dataset.from_table(type("Splits", (), {"column_names": {"train": [], "test": []}})())


def test_from_files(tmp_path: Path) -> None:
    dataset = Dataset.from_files(sample("system-a"), [sample("ref-1"), sample("ref-2")], sample("source"))
    assert len(dataset) == 48
    assert len(dataset[0].references) == 2
    assert dataset[0].source
    assert dataset[47].id == 48
    assert dataset.name == sample("system-a")
    single = Dataset.from_files(sample("system-a"), sample("ref-1"), name="one")
    assert isinstance(single[0].expected_output, str)
    (tmp_path / "short.txt").write_bytes(b"\xef\xbb\xbfa\n")
    with pytest.raises(DataFileError, match="has 48 lines but"):
        Dataset.from_files(sample("system-a"), tmp_path / "short.txt")
    assert "byte order mark" in Dataset.from_files(tmp_path / "short.txt", [tmp_path / "short.txt"]).notes[0]


def test_the_input_has_three_names() -> None:
    for name in ("query", "source", "input"):
        item = DatasetItem("a", "b", **{name: "c"})
        assert (item.query, item.source) == ("c", "c")
