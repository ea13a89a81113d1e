"""Columns of Hugging Face datasets: read as Arrow, in the order and with the values that the dataset shows."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import datasets
import pyarrow
import pytest

import bleuprint as bp
from bleuprint.core.columns import as_arrow
from bleuprint.dataset import Dataset
from bleuprint.errors import InputError, NotTextError

ROWS = [
    {
        "id": place,
        "hyp": f"the cat sat on mat {place} ü",
        "ref": f"the cat sat on a mat {place % 4} ü",
        "refs": [f"the cat {place}", "a cat sat on it"],
        "lang": "en",
    }
    for place in range(20)
]
COLUMNS = {"hypothesis": "hyp", "reference": "refs"}
STORED: dict[str, Callable[[datasets.Dataset], Any]] = {
    "in order": lambda data: data,
    "shuffled": lambda data: data.shuffle(seed=3),
    "filtered": lambda data: data.filter(lambda row: row["id"] % 3 == 1),
    "selected twice": lambda data: data.select([7, 7, 2]).select([1, 2]),
    "in parts": lambda data: datasets.concatenate_datasets([data, data.shuffle(seed=1)]),
    "a slice": lambda data: data.select(range(4, 9)),
    "in another format": lambda data: data.shuffle(seed=3).with_format("numpy"),
}
COMPUTED: dict[str, Callable[[datasets.Dataset], Any]] = {
    "by a function": lambda data: data.with_transform(
        lambda batch: {name: [value.upper() if name == "hyp" else value for value in batch[name]] for name in batch}
    ),
    "as a stream": lambda data: data.to_iterable_dataset(),
}


@pytest.fixture
def data() -> datasets.Dataset:
    return datasets.Dataset.from_list(ROWS)


@pytest.mark.parametrize("change", [*STORED.values(), *COMPUTED.values()], ids=[*STORED, *COMPUTED])
def test_columns_score_as_their_values_do(data: Any, change: Callable[[Any], Any]) -> None:
    changed = change(data)
    rows = [dict(row) for row in changed]
    outputs, single = ([str(row[name]) for row in rows] for name in ("hyp", "ref"))
    several = [list(map(str, row["refs"])) for row in rows]
    assert bp.sentence_bleus(changed["hyp"], changed["ref"]).tolist() == bp.sentence_bleus(outputs, single).tolist()
    assert bp.corpus_bleu(changed["hyp"], changed["refs"]).value == bp.corpus_bleu(outputs, several).value
    dataset = Dataset.from_table(changed, COLUMNS)
    assert dataset.hypotheses == outputs
    assert dataset.references == list(map(tuple, several))
    assert dataset.ids == [int(row["id"]) for row in rows]
    assert [item.metadata for item in dataset] == [{"ref": row["ref"], "lang": "en"} for row in rows]


@pytest.mark.parametrize("change", STORED.values(), ids=STORED)
def test_stored_columns_become_no_python_objects(data: Any, change: Callable[[Any], Any]) -> None:
    table = as_arrow(change(data), "hyp")
    assert isinstance(table, pyarrow.Table)
    assert table.column_names == ["hyp"]


def test_rows_that_were_filtered_out_are_not_looked_at(data: Any) -> None:
    rows = datasets.Dataset.from_list([*ROWS[:2], {**ROWS[2], "ref": None}])
    kept = rows.filter(lambda row: row["ref"] is not None)
    assert bp.corpus_bleu(kept["hyp"], kept["ref"]).value == bp.corpus_bleu(data["hyp"][:2], data["ref"][:2]).value
    with pytest.raises(InputError, match=r"references\[2\] must be a str or a list of them, got None"):
        bp.corpus_bleu(rows["hyp"], rows["ref"])
    with pytest.raises(InputError, match=r"rows\[2\]: expected_output must be a str or a list of them, got None"):
        Dataset.from_table(rows, {"hypothesis": "hyp", "reference": "ref"})


def test_texts_that_no_array_can_hold_together(data: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    shuffled, refused = data.shuffle(seed=3), list[Any]()
    values = list(shuffled["hyp"])

    def table(self: Any) -> Any:
        if sys._getframe(1).f_code is as_arrow.__code__:
            refused.append(self)
            raise pyarrow.ArrowInvalid("offset overflow while concatenating arrays")
        return vars(self)["table"]

    kept = property(table, lambda self, value: vars(self).update(table=value))
    monkeypatch.setattr(type(shuffled.data), "table", kept, raising=False)
    assert as_arrow(shuffled, "hyp")["hyp"].to_pylist() == values
    assert refused


def test_columns_inside_columns(data: Any) -> None:
    nested = datasets.Dataset.from_list([{"texts": {"hyp": row["hyp"], "ref": row["ref"]}} for row in ROWS])
    score = bp.corpus_bleu(nested["texts"]["hyp"], nested["texts"]["ref"])
    assert score.value == bp.corpus_bleu(data["hyp"], data["ref"]).value


def test_several_splits_are_refused(data: Any) -> None:
    with pytest.raises(NotTextError, match="choose one split"):
        Dataset.from_table(datasets.DatasetDict({"train": data}))
