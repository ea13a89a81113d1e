"""bleuprint compare and score with tables: columns of scores, ids, clusters, repeats, and logs."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import zstandard

import bleuprint as bp
from bleuprint.dataset.joining import join_tables
from bleuprint.errors import DataFileError, InputError, OptionError
from bleuprint.results import Result
from tests.support.cli import SYSTEMS, assert_one_line, invoke, lines, refuse, sample, succeed

Row = dict[str, Any]


def rows(system: str) -> list[Row]:
    return [
        {
            "id": f"q{number}",
            "document": f"d{number // 6}",
            "output": text,
            "reference": reference,
            "comet": len(text) / 99,
        }
        for number, (text, reference) in enumerate(zip(lines(system), lines("ref-1"), strict=True), start=1)
    ]


def written(path: Path, table: list[Row]) -> str:
    if path.suffix == ".json":
        path.write_text(json.dumps(table))
    elif path.suffix == ".csv":
        import csv

        with path.open("w", newline="") as file:
            writer = csv.DictWriter(file, table[0])
            writer.writeheader()
            writer.writerows(table)
    else:
        path.write_text("".join(json.dumps(row) + "\n\n" for row in table))
    return str(path)


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """Three systems in three formats, the second in another order."""
    return [
        written(tmp_path / "system-a.jsonl", rows("system-a")),
        written(tmp_path / "system-b.json", rows("system-b")[::-1]),
        written(tmp_path / "system-c.csv", rows("system-c")),
    ]


def columns() -> dict[str, list[float]]:
    return {name: [row["comet"] for row in rows(name)] for name in SYSTEMS}


DOCUMENTS = [row["document"] for row in rows("system-a")]


def test_tables_are_joined_by_id(files: list[str]) -> None:
    result = invoke("compare", *files)
    texts = [sample(name) for name in SYSTEMS]
    assert result.stdout == invoke("compare", *texts, "-r", sample("ref-1")).stdout
    assert "ids from column 'id'" in result.stderr
    scored = invoke("score", *files)
    assert scored.stdout == invoke("score", *texts, "-r", sample("ref-1")).stdout
    segments = invoke("score", *files, "--sentence-level").stdout.splitlines()
    assert [line.split()[0] for line in segments[:3]] == ["id", "q1", "q2"]


def test_a_column_alone(files: list[str], tmp_path: Path) -> None:
    out, page = tmp_path / "out.json", tmp_path / "out.html"
    options = ["--column", "comet", "--lower-is-better", "comet", "--cluster", "document", "--margin", "0.01"]
    result = succeed("compare", *files, *options, "--json", str(out), "--report", str(page))
    expected = bp.compare(columns={"comet": columns()}, lower_is_better=["comet"], clusters=DOCUMENTS, margin=0.01)
    stored = Result.read_json(out)
    assert stored.comparison == expected
    assert stored.metrics == ("comet",)
    assert stored.systems[0].scores[0].segments == tuple(columns()["system-a"])
    assert expected.metric("comet").units == 9
    assert expected.metric("comet").pairs[0].test == "exact"
    assert expected.metric("comet").pairs[0].verdict in page.read_text()
    assert "for non-inferiority" in result.stdout
    assert "|clusters:9|" in result.stdout.splitlines()[-1]


def test_a_column_beside_a_metric(files: list[str], tmp_path: Path) -> None:
    out = tmp_path / "out.json"
    succeed("compare", *files, "--column", "comet", "-m", "chrf", "--json", str(out), "--report", str(out) + ".html")
    outputs = {name: lines(name) for name in SYSTEMS}
    expected = bp.compare(outputs, lines("ref-1"), metrics="chrf", columns={"comet": columns()})
    stored = Result.read_json(out)
    assert stored.comparison == expected
    assert stored.metrics == ("chrf", "comet")
    assert bp.replay(stored).same
    assert len(bp.replay(stored).scores) == 3
    succeed("gate", str(out), "--baseline", str(out))


def test_labels_from_a_file(files: list[str], tmp_path: Path) -> None:
    labels = tmp_path / "documents.txt"
    labels.write_text("".join(f"{label}\n" for label in DOCUMENTS))
    texts = [*(sample(name) for name in SYSTEMS), "-r", sample("ref-1")]
    result = invoke("compare", *texts, "--cluster-file", str(labels))
    assert result.stdout == invoke("compare", *files, "--cluster", "document").stdout
    labels.write_text("d\n" * 3)
    refuse("48 lines but", "compare", *texts, "--cluster-file", str(labels))
    labels.write_text("d\n" * 20 + "\n" + "e\n" * 27)
    problem = "documents.txt, line 21: the line is empty; every segment needs a label"
    refuse(problem, "compare", *texts, "--cluster-file", str(labels))


def test_repeated_samples(tmp_path: Path) -> None:
    """Three answers per item: the item is what is resampled and swapped."""
    paths, means = [], {}
    for shift, name in enumerate(("new", "old")):
        table = [
            {"id": item, "accuracy": int((item * 7 + repeat * 3 + shift) % 5 > 1)}
            for item in range(12)
            for repeat in range(3)
        ]
        paths.append(written(tmp_path / f"{name}.jsonl", table if shift else sorted(table, key=lambda row: -row["id"])))
        means[name] = [sum(row["accuracy"] for row in table if row["id"] == item) / 3 for item in range(12)]
    result = invoke("compare", *paths, "--column", "accuracy", "--repeat-of", "id", "--json", "-")
    found = json.loads(result.stdout)["comparison"]["metrics"][0]
    expected = bp.compare(columns={"score": means}).metric("score").pairs[0]
    assert found["units"] == 12
    assert found["segments"] == 36
    assert found["pairs"][0]["p_value"] == expected.p_value
    assert found["pairs"][0]["standard_error"] == pytest.approx(expected.standard_error, rel=1e-9)
    refuse("new.jsonl, line 3: id 11 was already used in line 1", "compare", *paths, "--column", "accuracy")


def inspect_log(
    path: Path, letters: str, *, version: int = 2, status: str = "success", method: int = zipfile.ZIP_DEFLATED
) -> str:
    """A log as Inspect 0.3.285 writes it, with what is read and a little more."""
    header = {"version": version, "status": status, "eval": {"task": "animals"}, "plan": {}, "results": {}, "stats": {}}
    samples = [
        {
            "id": f"q{number}",
            "epoch": 1,
            "input": f"Which animal is number {number}?",
            "target": "the cat",
            "output": {"model": "mockllm/model", "choices": [], "completion": f"the cat {letter}"},
            "scores": {"match": {"value": letter, "answer": "a"}, "judge": {"value": {"style": 0.25, "facts": number}}},
            "metadata": {"document": f"d{number // 2}"},
        }
        for number, letter in enumerate(letters)
    ]
    if path.suffix == ".json":
        path.write_text(json.dumps({**header, "samples": samples}))
        return str(path)
    with zipfile.ZipFile(path, "w", method) as archive:
        archive.writestr("_journal/start.json", "{}")
        for entry in samples:
            archive.writestr(f"samples/{entry['id']}_epoch_1.json", json.dumps(entry))
        archive.writestr("header.json", json.dumps(header))
    return str(path)


def test_logs_of_inspect(tmp_path: Path) -> None:
    logs = [inspect_log(tmp_path / "new.eval", "CCCPCCCC"), inspect_log(tmp_path / "old.json", "IICPINIC")]
    result = succeed(
        "compare", *logs, "--column", "match", "--column", "judge/facts", "--cluster", "document", "--json", "-"
    )
    match, facts = json.loads(result.stdout)["comparison"]["metrics"]
    expected = bp.compare(
        columns={"score": {"new": [1, 1, 1, 0.5, 1, 1, 1, 1], "old": [0, 0, 1, 0.5, 0, 0, 0, 1]}},
        clusters=[0, 0, 1, 1, 2, 2, 3, 3],
    )
    assert match["pairs"][0]["p_value"] == expected.metric("score").pairs[0].p_value
    assert facts["systems"][0]["score"]["value"] == 3.5
    succeed("compare", *logs, "-m", "chrf")
    assert invoke("score", logs[0], "-m", "chrf", "-q").stdout.startswith("0.")


def test_a_log_of_inspect_in_zstd(tmp_path: Path) -> None:
    """Inspect compresses entries with method 93, which zipfile cannot read before Python 3.14."""
    plain = Path(inspect_log(tmp_path / "plain.eval", "CICICI"))
    packed = tmp_path / "packed.eval"
    with zipfile.ZipFile(plain) as source, zipfile.ZipFile(packed, "w") as target:
        for entry in source.infolist():
            target.writestr(entry.filename, zstandard.compress(source.read(entry)))
        sizes = {entry.filename: entry.file_size for entry in source.infolist()}
        for entry in target.filelist:  # only the central directory is read for method and size
            entry.compress_type, entry.file_size = 93, sizes[entry.filename]
    paths = {"plain": plain, "packed": packed}
    joined = join_tables(paths, scores=["match"])
    assert joined.scores["match"]["packed"] == joined.scores["match"]["plain"] == [1, 0, 1, 0, 1, 0]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"version": 1}, "it is a log of Inspect in version 1, but only version 2 can be read"),
        ({"status": "error"}, "the evaluation is not complete, its status is 'error'"),
    ],
)
@pytest.mark.parametrize("name", ["log.eval", "log.json"])
def test_logs_that_are_refused(tmp_path: Path, name: str, options: dict[str, Any], message: str) -> None:
    logs = [inspect_log(tmp_path / f"other-{name}", "CI"), inspect_log(tmp_path / name, "CI", **options)]
    refuse(message, "compare", *logs, "--column", "match")


def test_a_file_that_is_no_log(tmp_path: Path) -> None:
    (tmp_path / "a.eval").write_bytes(b"not a zip file")
    with pytest.raises(DataFileError, match=r"a\.eval: cannot be read as a log of Inspect"):
        join_tables({"a": tmp_path / "a.eval"})
    (tmp_path / "a.json").write_text('{"a": 1}')
    with pytest.raises(DataFileError, match=r"a\.json: it must hold an array of objects"):
        join_tables({"a": tmp_path / "a.json"})


def harness(path: Path, values: list[float], filters: tuple[str, ...] = ("none",)) -> str:
    """A sample file as lm-eval 0.4.13 writes it."""
    return written(
        path,
        [
            {
                "doc_id": number,
                "doc": {"question": "?", "topic": f"t{number // 2}"},
                "target": "4",
                "arguments": {"gen_args_0": {"arg_0": "Q: ?", "arg_1": {}}},
                "resps": [["It is 4"]],
                "filtered_resps": ["4"],
                "filter": used,
                "metrics": ["exact_match"],
                "doc_hash": "a",
                "prompt_hash": "b",
                "target_hash": "c",
                "exact_match": value,
            }
            for number, value in enumerate(values)
            for used in filters
        ],
    )


def test_samples_of_the_harness(tmp_path: Path) -> None:
    new, old = [1.0, 1.0, 1.0, 0.0, 1.0, 1.0], [0.0, 1.0, 0.0, 0.0, 0.0, 0.0]
    paths = [harness(tmp_path / "samples_new.jsonl", new), harness(tmp_path / "samples_old.jsonl", old)]
    result = succeed("compare", *paths, "--column", "exact_match", "--cluster", "doc.topic", "--json", "-")
    found = json.loads(result.stdout)["comparison"]["metrics"][0]["pairs"][0]
    expected = (
        bp.compare(columns={"score": {"new": new, "old": old}}, clusters=[0, 0, 1, 1, 2, 2]).metric("score").pairs[0]
    )
    assert found["p_value"] == expected.p_value
    both = harness(tmp_path / "samples_both.jsonl", new, ("strict", "flexible"))
    assert join_tables({"a": both}, scores=["exact_match,strict"]).scores["exact_match,strict"]["a"] == new


def test_logs_are_compared_by_their_own_scores(tmp_path: Path) -> None:
    logs = [inspect_log(tmp_path / "new.eval", "CCCPCCCC"), inspect_log(tmp_path / "old.json", "IICPINIC")]
    found = json.loads(succeed("compare", *logs, "--json", "-").stdout)["comparison"]["metrics"]
    assert [entry["metric"] for entry in found] == ["match", "judge/style", "judge/facts"]
    asked = succeed("compare", *logs, "--column", "match", "--json", "-").stdout
    assert found[0] == json.loads(asked)["comparison"]["metrics"][0]
    right = [
        harness(tmp_path / f"samples_{name}.jsonl", passed) for name, passed in (("a", [1.0, 0.0]), ("b", [1.0] * 2))
    ]
    assert (
        "Items that pass: 1 with samples_b alone (1), 0 with samples_a alone (none)."
        in succeed("compare", *right).stdout
    )
    chosen = json.loads(succeed("compare", *logs, "-m", "chrf", "--json", "-").stdout)["comparison"]["metrics"]
    assert [entry["metric"] for entry in chosen] == ["chrf"]
    page = tmp_path / "report.html"
    succeed("compare", *right, "--report", str(page))
    written = page.read_text(encoding="utf-8")
    assert written.index("Items that pass: 1 with samples_b alone") < written.index('<section id="scores"')


def promptfoo(path: Path, passed: Sequence[bool | None], providers: Sequence[str] = ("a",)) -> str:
    """A result file as promptfoo 0.123.1 writes it, with what is read; None is an assertion that could not run."""
    results = [
        {
            "testIdx": number,
            "promptIdx": 0,
            "vars": {"source": "Q", "reference": ["the cat", "a cat"], "id": f"q{number}"},
            "provider": {"id": f"python:{provider}.py", "label": provider},
            "prompt": {"label": "{{source}}"},
            "response": {"output": f"the {provider}"},
            "success": bool(right),
            "score": 0.5 * bool(right),
            "namedScores": {} if right is None else {"bleu": 0.25},
            "failureReason": 2 if right is None else 0 if right else 1,
        }
        for number, right in enumerate(passed)
        for provider in providers
    ]
    path.write_text(json.dumps({"evalId": "eval-1", "results": {"version": 3, "results": results}}))
    return str(path)


def test_results_of_promptfoo(tmp_path: Path) -> None:
    paths = [
        promptfoo(tmp_path / f"{name}.json", passed)
        for name, passed in (("new", [True, True, True]), ("old", [False, True, False]))
    ]
    found = json.loads(succeed("compare", *paths, "--json", "-").stdout)["comparison"]["metrics"]
    assert [entry["metric"] for entry in found] == ["passed", "score", "bleu"]
    assert found[0]["pairs"][0]["flips"] == {"first": ["q0", "q2"], "second": []}
    assert [system["score"]["value"] for system in found[1]["systems"]] == [0.5, 0.5 / 3]
    joined = join_tables(dict(zip(("new", "old"), paths, strict=True)))
    assert joined.references == [("the cat", "a cat")] * 3
    assert joined.sources == ["Q"] * 3
    failed = promptfoo(tmp_path / "failed.json", [True, None, True])
    refuse("failed.json, result 2: 'passed' must be a number, got nothing", "compare", paths[0], failed)
    several = promptfoo(tmp_path / "several.json", [True, False], ("a", "b"))
    options = ("--system", "system", "--column", "passed", "--json", "-")
    found = json.loads(succeed("compare", several, *options).stdout)["comparison"]["metrics"]
    assert [system["name"] for system in found[0]["systems"]] == ["a: {{source}}", "b: {{source}}"]
    (tmp_path / "broken.json").write_text('{"results": {"results": [{"vars": {}}]}}')
    refuse(
        "broken.json, item 1: it is not written as the framework writes it (KeyError: 'provider')",
        *("compare", paths[0], str(tmp_path / "broken.json")),
    )


def mlflow_traces(path: Path, passed: Sequence[bool]) -> str:
    """Traces as pandas writes `mlflow.search_traces` of MLflow 3.17, with what is read; their order is any."""
    traces = [
        {
            "trace_id": f"tr-{path.stem}-{number}",
            "request": {"question": f"Which animal is {number}?"},
            "response": "the cat" if right else "the dog",
            "assessments": [
                {"assessment_name": "right", "feedback": {"value": right}},
                {"assessment_name": "grade", "feedback": {"value": "yes" if right else "no"}},
                {"assessment_name": "comment", "feedback": {"value": "fine"}},
                {
                    "assessment_name": "expected_response",
                    "expectation": {"serialized_value": {"value": '["the cat", "a cat"]'}}
                    if number
                    else {"value": "the cat"},
                },
            ],
        }
        for number, right in enumerate(passed)
    ]
    path.write_text(json.dumps(traces[:: -1 if path.stem == "old" else 1]))
    return str(path)


def test_traces_of_mlflow(tmp_path: Path) -> None:
    paths = [
        mlflow_traces(tmp_path / f"{name}.json", passed)
        for name, passed in (("new", [True, True, False]), ("old", [False, True, False]))
    ]
    found = json.loads(succeed("compare", *paths, "--json", "-").stdout)["comparison"]["metrics"]
    assert [entry["metric"] for entry in found] == ["right", "grade"]
    for entry in found:
        assert entry["pairs"][0]["flips"] == {"first": ['{"question": "Which animal is 0?"}'], "second": []}
    joined = join_tables({"new": paths[0], "old": paths[1]})
    assert joined.systems == {"new": ["the cat", "the cat", "the dog"], "old": ["the dog", "the cat", "the dog"]}
    assert joined.references == [("the cat",), ("the cat", "a cat"), ("the cat", "a cat")]
    table = tmp_path / "table.json"
    table.write_text('{"columns": ["id", "grade"], "data": [["a", 1], ["b", 0]]}')
    assert join_tables({"a": table}, texts=False, scores=["grade"]).scores["grade"] == {"a": [1.0, 0.0]}


def edited(table: list[Row], line: int, **values: Any) -> list[Row]:
    return [row | values if number == line else row for number, row in enumerate(table, start=1)]


A = rows("system-a")
WRONG: list[tuple[list[Row], list[str], str]] = [
    (edited(A, 5, id="q1"), [], "b.jsonl, line 9: id 'q1' was already used in line 1"),
    (edited(A, 5, id=None), [], "b.jsonl, line 9: 'id' must be a text or an integer"),
    (edited(A, 5, id="x"), [], "a.jsonl, line 9: id 'q5' does not appear in"),
    (edited(A, 5, reference="other"), [], "b.jsonl, line 9: its references differ from those in"),
    (edited(A, 5, output=3), [], "b.jsonl, line 9: 'output' must be a text, got int"),
    (edited(A, 5, comet=None), ["--column", "comet"], "b.jsonl, line 9: 'comet' must be a number, got nothing"),
    (edited(A, 5, comet="NaN"), ["--column", "comet"], "b.jsonl, line 9: 'comet' must be a finite number, got nan"),
    (edited(A, 5, comet="good"), ["--column", "comet"], "b.jsonl, line 9: 'comet' must be a number, got 'good'"),
    (edited(A, 5, document=None), ["--cluster", "document"], "b.jsonl, line 9: 'document' must be a label"),
    (edited(A, 5, document="d9"), ["--cluster", "document"], "b.jsonl, line 9: its 'document' differs from that in"),
    (A, ["--column", "bleurt"], "a.jsonl, line 1: it has no 'bleurt'; it has 'id'"),
    (
        A,
        ["--column", "comet", "--lower-is-better", "ter"],
        "lower_is_better must be names of columns (comet), got 'ter'",
    ),
    (A, ["--column", "comet", "--margin", "-1"], "margin must be a positive difference"),
    (A, ["--cluster", "document", "-r", "x"], "--cluster needs tables that hold everything"),
    ([{key: row[key] for key in row if key != "id"} for row in A], [], "b.jsonl: it has no ids, but"),
]


@pytest.mark.parametrize(("table", "options", "message"), WRONG)
def test_bad_tables_name_file_and_line(tmp_path: Path, table: list[Row], options: list[str], message: str) -> None:
    first, second = written(tmp_path / "a.jsonl", A), written(tmp_path / "b.jsonl", table)
    refuse(message, "compare", first, second, *options)


def test_tables_without_ids_are_joined_by_position(tmp_path: Path) -> None:
    plain = [{key: row[key] for key in ("output", "reference")} for row in A]
    paths = [written(tmp_path / "a.jsonl", plain), written(tmp_path / "b.jsonl", plain[:-1])]
    refuse("48 rows but", "compare", *paths)
    written(tmp_path / "b.jsonl", plain)
    succeed("compare", *paths)


BAD_COLUMNS: list[tuple[Any, str]] = [
    ({"c": {"A": [1, float("nan")], "B": [1, 2]}}, "c of A[1] must be a finite number, got nan"),
    ({"c": {"A": [1, None], "B": [1, 2]}}, "c of A[1] must be a finite number, got NoneType"),
    ({"c": {"A": [1, 2], "B": [1]}}, "c of A has 2 segments but c of B has 1"),
    ({"c": {"A": [1, 2]}}, "at least two systems, got 1"),
    ({"c": {"A": [1], "B": [1]}, "d": {"A": [1], "C": [1]}}, "column d must have scores for the systems 'A', 'B'"),
    ({"c": [1, 2]}, "the scores of c must be a dict of lists by system"),
    ({}, "there is nothing to compare"),
]


@pytest.mark.parametrize(("given", "message"), BAD_COLUMNS)
def test_bad_columns(given: Any, message: str) -> None:
    with pytest.raises(InputError) as caught:
        bp.compare(columns=given)
    assert message in str(caught.value)


def long_table(names: tuple[str, ...] = SYSTEMS, column: str = "system") -> list[Row]:
    """One row per item and system, in no order."""
    table = [{column: name, **row} for name in names for row in rows(name)]
    return sorted(table, key=lambda row: (row["output"], row[column]))


@pytest.mark.parametrize("ending", ["csv", "jsonl", "json"])
def test_one_table_holds_several_systems(tmp_path: Path, files: list[str], ending: str) -> None:
    path = written(tmp_path / f"all.{ending}", long_table())
    compared = succeed("compare", path, "--column", "comet", "--json", "-")
    assert "systems from column 'system'" in compared.stderr
    found = Result.from_json(compared.stdout)
    expected = Result.from_json(invoke("compare", *files, "--column", "comet", "--json", "-").stdout)
    assert sorted(system.name for system in found.systems) == sorted(SYSTEMS)
    order = {name: place for place, name in enumerate(found.ids or ())}
    for name in SYSTEMS:
        (mine,), (theirs,) = found.system(name).scores, expected.system(name).scores
        assert mine.value == theirs.value
        assert [mine.segments[order[identity]] for identity in expected.ids or ()] == list(theirs.segments)


def test_texts_of_several_systems_in_one_table(tmp_path: Path, files: list[str]) -> None:
    table = sorted(long_table(column="model"), key=lambda row: (row["model"], int(row["id"][1:])))
    path = written(tmp_path / "all.jsonl", table)
    compared = invoke("compare", path, "--system", "model")
    assert compared.stdout == invoke("compare", *files).stdout


@pytest.mark.parametrize("command", ["score", "compare"])
def test_a_column_of_systems_is_recognized_and_announced(tmp_path: Path, files: list[str], command: str) -> None:
    table = sorted(long_table(), key=lambda row: (row["system"], int(row["id"][1:])))
    found = succeed(command, written(tmp_path / "all.jsonl", table))
    assert "all.jsonl: the column 'system' names 3 systems" in found.stderr
    assert found.stdout == invoke(command, *files).stdout


def test_a_column_called_system_may_hold_prompts(tmp_path: Path) -> None:
    prompted = [{**row, "system": f"You are expert {at % 2}."} for at, row in enumerate(rows("system-a")[1:])]
    found = succeed("score", written(tmp_path / "all.jsonl", prompted))
    assert "names 2 systems that read like prompts, so all are scored as one system: " in found.stderr
    assert found.stdout.splitlines()[1].split()[0] == "output"
    same = [{**row, "system": "You are an expert."} for row in rows("system-a")]
    assert "names" not in succeed("score", written(tmp_path / "same.jsonl", same)).stderr


def test_systems_with_other_items_get_a_row_each(tmp_path: Path) -> None:
    table = [row for row in long_table() if (row["system"] == "system-a") == (int(row["id"][1:]) % 2 == 0)]
    path = written(tmp_path / "all.jsonl", table)
    found = succeed("score", path, "-m", "bleu,chrf")
    assert "the systems have other items (" in found.stderr
    assert "so their scores cannot be compared with each other" in found.stderr
    for name in SYSTEMS:
        own = [{**row, "system": None} for row in table if row["system"] == name]
        alone = succeed("score", written(tmp_path / f"{name}.jsonl", own), "-m", "bleu,chrf", "-q").stdout.split()
        (numbers,) = (line.split()[1:] for line in found.stdout.splitlines() if line.startswith(name))
        assert numbers == alone
    for flag, *value in (["--json", "x.json"], ["--intervals"], ["--format", "latex"], ["--sentence-level"]):
        refuse(f"{flag} needs systems that answered the same items", "score", path, flag, *value)
    refuse("every system needs the same items.", "compare", path)
    # What is wrong with the columns themselves is said once, and by itself.
    renamed = [{"text" if name == "output" else name: value for name, value in row.items()} for row in table]
    refuse("no column is recognized as hypotheses", "score", written(tmp_path / "other.jsonl", renamed))


def test_a_column_of_systems_in_score(tmp_path: Path, files: list[str]) -> None:
    path = written(tmp_path / "all.jsonl", long_table(column="model"))
    found = Result.from_json(succeed("score", path, "--system", "model", "--json", "-").stdout)
    assert sorted(system.name for system in found.systems) == sorted(SYSTEMS)
    refuse(
        "--system needs a table that holds its references; leave out -r.",
        *("score", path, "--system", "model"),
        "-r",
        str(sample("ref-1")),
    )


@pytest.mark.parametrize(
    ("table", "arguments", "expected"),
    [
        (rows("system-a"), ["--column", "comet"], "all.jsonl: it holds one system; pass a table for each, or name"),
        (long_table(("system-a",)), ["--column", "comet"], "all.jsonl: it holds one system"),
        (rows("system-a"), ["--system", "model"], "all.jsonl: it has no column 'model'"),
        (
            [*long_table(), {**rows("system-a")[0], "system": None}],
            ["--column", "comet"],
            "all.jsonl, line 289: 'system' must be the name of a system, got nothing",
        ),
        (long_table()[1:], ["--column", "comet"], "every system needs the same items"),
        ([*long_table(), long_table()[0]], ["--column", "comet"], "was already used in line 1"),
    ],
)
def test_bad_tables_of_several_systems(tmp_path: Path, table: list[Row], arguments: list[str], expected: str) -> None:
    failed = invoke("compare", written(tmp_path / "all.jsonl", table), *arguments)
    assert failed.exit_code == 2, failed.stdout
    assert_one_line(failed.stderr.splitlines(keepends=True)[-1], expected)


def test_a_system_column_needs_one_table(files: list[str]) -> None:
    failed = invoke("compare", *files, "--system", "system")
    assert failed.exit_code == 2
    assert "--system needs one table that holds all systems." in failed.stderr
    with pytest.raises(OptionError, match="without 'system' if there are several files"):
        join_tables({"a": files[0], "b": files[1]}, columns={"system": "system"})
