"""Ids of segments: read from every kind of table, kept in results, and shown wherever a segment is named."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import bleuprint as bp
from bleuprint.dataset import Dataset, DatasetItem
from bleuprint.errors import InputError, LengthMismatchError, OptionError
from bleuprint.report.charts import Canvas
from bleuprint.report.sections import influence
from bleuprint.results import Result
from bleuprint.runners import MetricRunner
from tests.support.cli import assert_one_line, invoke

pytest_plugins = ["pytester"]

IDS = ("q-7", "q-3", "q-5")
HYPOTHESES = ["the cat sat on the mat", "a dog", "birds sing in the morning"]
REFERENCES = ["the cat sat on the mat", "the dog barked at night", "birds sing in the morning sun"]
ROWS = [
    {"id": identity, "hypothesis": hypothesis, "reference": reference}
    for identity, hypothesis, reference in zip(IDS, HYPOTHESES, REFERENCES, strict=True)
]


def write_table(path: Path, rows: list[dict[str, Any]]) -> str:
    match path.suffix:
        case ".jsonl":
            path.write_text("".join(json.dumps(row) + "\n" for row in rows))
        case ".json":
            path.write_text(json.dumps(rows))
        case ".csv":
            lines = [",".join(rows[0]), *(",".join(str(value) for value in row.values()) for row in rows)]
            path.write_text("\n".join(lines) + "\n")
        case ".parquet":
            pq.write_table(pa.Table.from_pylist(rows), path)
    return str(path)


def scored(*arguments: str) -> Result:
    result = invoke("score", *arguments, "--json", "-")
    assert result.exit_code == 0, result.stderr
    return Result.from_json(result.stdout)


class TestEvaluate:
    def test_ids_are_kept_and_name_segments(self) -> None:
        result = bp.evaluate(HYPOTHESES, REFERENCES, ids=[7, "b", "c"])
        assert result.ids == ("7", "b", "c")
        assert [result.segment_name(place) for place in range(3)] == ["7", "b", "c"]
        assert Result.from_json(result.to_json()) == result
        assert replace(result, ids=None).segment_name(2) == "segment 3"

    @pytest.mark.parametrize(
        ("ids", "error", "message"),
        [
            (["a", "b"], LengthMismatchError, "ids"),
            (["a", "b", "a"], InputError, r"ids\[2\] is 'a', which is also ids\[0\]; an id names one segment"),
            (["a", "", "c"], InputError, r"ids\[1\] must be a text or an integer that names the segment, got nothing"),
            (["a", 1.5, "c"], InputError, r"ids\[1\] must be a text or an integer .* got float"),
            (["a", None, "c"], InputError, r"ids\[1\] must be .* got nothing"),
            (["a", True, "c"], InputError, r"ids\[1\] must be .* got bool"),
            (["a", "\ud800", "c"], InputError, r"ids\[1\]"),
            ("abc", InputError, "ids must be a list with one id per segment, got str"),
            (7, InputError, "ids must be a list with one id per segment, got int"),
        ],
    )
    def test_bad_ids(self, ids: Any, error: type[Exception], message: str) -> None:
        with pytest.raises(error, match=message):
            bp.evaluate(HYPOTHESES, REFERENCES, ids=ids)

    def test_the_runner_takes_those_of_the_items(self) -> None:
        items = [DatasetItem(*texts, id=name) for *texts, name in zip(HYPOTHESES, REFERENCES, IDS, strict=True)]
        assert MetricRunner("bleu").run_sync(items).result.ids == IDS
        assert MetricRunner("bleu").run_sync(Dataset.from_lists(HYPOTHESES, REFERENCES)).result.ids is None

    def test_the_runner_numbers_items_whose_ids_repeat(self) -> None:
        items = [DatasetItem("a", "a", id="x"), DatasetItem("b", "b", id="x")]
        result = MetricRunner("bleu").run_sync(items).result
        assert result.ids is None
        assert result.notes[0] == "ids[1] is 'x', which is also ids[0]; an id names one segment. Segments are numbered."


@pytest.mark.parametrize("ending", ["jsonl", "json", "csv", "parquet"])
class TestTables:
    def test_a_table_gives_its_ids(self, tmp_path: Path, ending: str) -> None:
        path = write_table(tmp_path / f"one.{ending}", ROWS)
        assert scored(path).ids == IDS
        shown = invoke("score", path, "--sentence-level").stdout.splitlines()
        assert shown[0].split() == ["id", "hypothesis"]
        assert [line.split()[0] for line in shown[1:4]] == list(IDS)

    def test_ids_under_another_name(self, tmp_path: Path, ending: str) -> None:
        rows = [{("key" if name == "id" else name): value for name, value in row.items()} for row in ROWS]
        path = write_table(tmp_path / f"one.{ending}", rows)
        assert scored(path).ids is None
        assert scored(path, "--id-column", "key").ids == IDS

    def test_joined_tables(self, tmp_path: Path, ending: str) -> None:
        paths = [write_table(tmp_path / f"{name}.{ending}", ROWS) for name in ("a", "b")]
        assert scored(*paths).ids == IDS
        compared = invoke("compare", *paths, "--json", "-")
        assert Result.from_json(compared.stdout).ids == IDS

    def test_ids_that_repeat(self, tmp_path: Path, ending: str) -> None:
        rows = [*ROWS, ROWS[0]]
        path = write_table(tmp_path / f"one.{ending}", rows)
        by_chance = invoke("score", path, "--json", "-")
        assert Result.from_json(by_chance.stdout).ids is None
        assert "'q-7' was already used in" in by_chance.stderr
        assert "so segments are numbered" in by_chance.stderr
        asked = invoke("score", path, "--id-column", "id", "--json", "-")
        assert asked.exit_code == 2
        assert_one_line(asked.stderr, "'q-7' was already used in")
        assert invoke("score", path).exit_code == 0


def test_ids_of_a_table_beside_other_files(tmp_path: Path) -> None:
    outputs = write_table(tmp_path / "out.jsonl", [{"id": row["id"], "hypothesis": row["hypothesis"]} for row in ROWS])
    (tmp_path / "ref.txt").write_text("\n".join(REFERENCES) + "\n")
    assert scored(outputs, "-r", str(tmp_path / "ref.txt")).ids == IDS
    in_order = [{"id": row["id"], "reference": row["reference"]} for row in ROWS]
    references = write_table(tmp_path / "ref.jsonl", in_order)
    assert scored(outputs, "-r", references).ids == IDS
    other = write_table(tmp_path / "other.jsonl", in_order[::-1])
    for arguments, code in ((("--id-column", "id"), 2), ((), 0)):
        differing = invoke("score", outputs, "-r", other, *arguments, "--json", "-")
        assert differing.exit_code == code
        assert "segment 1 is 'q-7' in" in differing.stderr
        assert "'q-5' in" in differing.stderr


def test_a_dataset_takes_no_column_of_systems() -> None:
    with pytest.raises(OptionError, match="without 'system', because a dataset holds the outputs of one"):
        Dataset.from_dicts([{**row, "system": "a"} for row in ROWS], {"system": "system"})
    assert Dataset.from_dicts(ROWS).ids == list(IDS)


def test_repeats_are_numbered(tmp_path: Path) -> None:
    rows = [{**row, "comet": 0.5} for row in (ROWS[0], ROWS[0], ROWS[1])]
    paths = [write_table(tmp_path / f"{name}.jsonl", rows) for name in ("a", "b")]
    compared = invoke("compare", *paths, "--repeat-of", "id", "--column", "comet", "--json", "-")
    assert compared.exit_code == 0, compared.stderr
    assert Result.from_json(compared.stdout).ids == ("q-7", "q-7 (2)", "q-3")


class TestNames:
    result = bp.evaluate(HYPOTHESES, REFERENCES, ids=IDS, metrics=["bleu", "chrf"])

    def test_tables_of_segments(self) -> None:
        assert self.result.to_pandas()["id"].tolist() == list(IDS)
        assert "id" not in bp.evaluate(HYPOTHESES, REFERENCES).to_pandas()
        assert self.result.to_csv("segments").startswith("segment,id,system,")

    def test_gates(self) -> None:
        (check,) = bp.gate(self.result, min_pass_rate={"chrf": 1.0}, thresholds={"chrf": 0.9}).checks
        assert check.items == ("q-3", "q-5")

    def test_the_influence_section(self) -> None:
        system = self.result.systems[0]
        drawing = influence.draw(self.result, "bleu", [system], Canvas())
        assert drawing is not None
        assert "q-3" in str(drawing)
        assert "<bdi>q-3</bdi></button>" in self.result.to_html()


def test_pytest_names_segments(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
        def test_scores(bleuprint):
            bleuprint.assert_score(["a b", "c d"], ["a b", "x y"], "bleu", at_least=0.9, ids=["first", "second"])

        def test_drops(bleuprint):
            old = references = ["a b", "x y"]
            bleuprint.assert_not_worse(["a b", "c d"], old, references, "chrf", rule="strict", ids=["x1", "x2"])
        """
    )
    output = pytester.runpytest("-p", "no:cacheprovider").stdout.str()
    assert "second: bleu = " in output
    assert "x2: chrf = " in output
