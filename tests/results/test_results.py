"""Results: JSON there and back, and files that are written whole or not at all."""

from __future__ import annotations

import dataclasses
import errno
import json
import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bleuprint.errors import OutputError, ResultError
from bleuprint.files import move_file, write_files
from bleuprint.metrics import BLEU, PlainMetric
from bleuprint.results import SCHEMA_VERSION, Result
from bleuprint.runners import evaluate
from bleuprint.runners.comparisons import compare_result

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)


def sample() -> Result:
    return evaluate(
        {"one": ["a b c", "\x00<b>"], "zwei\u202e": ["a", "d"]},
        [("a b c", "b"), ("d", "e")],
        sources=["s", "t"],
        notes=["something"],
    )


@settings(deadline=None)
@given(st.lists(st.tuples(texts, texts, texts), min_size=1, max_size=5), st.booleans())
def test_json_gives_back_an_equal_result(rows: list[tuple[str, str, str]], with_sources: bool) -> None:
    result = evaluate(
        {"one": [row[0] for row in rows], "two": [row[1] for row in rows]},
        [(row[2], row[0]) for row in rows],
        sources=[row[1] for row in rows] if with_sources else None,
        metrics=["bleu", "item-bleu"],
    )
    again = Result.from_json(result.to_json())
    assert again == result
    assert again.to_json() == result.to_json()


def test_result_is_frozen_and_says_its_schema() -> None:
    result = sample()
    with pytest.raises(dataclasses.FrozenInstanceError):
        result.notes = ()  # type: ignore[misc]
    fields = json.loads(result.to_json())
    assert fields["schema_version"] == SCHEMA_VERSION
    assert set(fields["versions"]) == {"bleuprint", "python", "unicode"}
    assert next(iter(fields)) == "schema_version"


def without(key: str) -> Callable[[dict[str, Any]], None]:
    return lambda fields: fields.pop(key)


def put(value: object, *path: str | int) -> Callable[[dict[str, Any]], None]:
    def change(fields: Any) -> None:
        for step in path[:-1]:
            fields = fields[step]
        fields[path[-1]] = value

    return change


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (without("schema_version"), "schema_version must be of type int"),
        (without("references"), "references is missing"),
        (put(3, "schema_version"), "schema version is 3, but this version of bleuprint reads 1"),
        (put(True, "schema_version"), "schema_version must be of type int, got bool"),
        (put({}, "systems"), "systems must be of type list"),
        (put("x", "systems", 1), "systems[1] must be of type dict"),
        (put(None, "systems", 0, "name"), "systems[0].name must be of type str"),
        (put("0.5", "systems", 0, "scores", 0, "value"), "systems[0].scores[0].value must be of type float"),
        (put(1, "systems", 0, "scores", 0, "higher_is_better"), "must be of type bool"),
        (put([0.1], "systems", 0, "scores", 0, "segments"), "differ in length"),
        (put("x", "systems", 0, "scores", 0, "parts", "matches"), "parts.matches must be of type float"),
        (put([], "systems", 0, "scores"), "do not have the same metrics"),
        (put(["s"], "sources"), "differ in length"),
        (put("s", "sources"), "sources must be of type list, got str"),
        (put(7, "ids"), "ids must be of type list, got int"),
        (put("\ud800", "references", 0, 0), "references[0][0] holds a lone surrogate"),
        (put([1], "notes"), "notes[0] must be of type str, got int"),
        (put("other", "references", 0, 0), "the texts of references do not match their digest"),
        (put("other", "systems", 1, "hypotheses", 0), "the texts of zwei\u202e do not match their digest"),
        (put("corpus", "systems", 0, "scores", 0, "unit"), "scores[0].unit must be one of segment, pool, got 'corpus'"),
        (put({}, "digests"), "the texts of references do not match their digest"),
    ],
)
def test_malformed_results_are_refused(change: Callable[[dict[str, Any]], None], expected: str) -> None:
    fields = json.loads(sample().to_json())
    change(fields)
    with pytest.raises(ResultError) as caught:
        Result.from_json(json.dumps(fields), source="old.json")
    assert str(caught.value).startswith("old.json is not a valid bleuprint result: ")
    assert expected in str(caught.value)


NAN, INFINITY = float("nan"), float("inf")
SCORE = ("systems", 0, "scores", 0)


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (put(NAN, *SCORE, "value"), "systems[0].scores[0].value must be a finite number, got nan"),
        (put(-INFINITY, *SCORE, "value"), "value must be a finite number, got -inf"),
        (put([0.5, NAN], *SCORE, "segments"), "segments[1] must be a finite number, got nan"),
        (put([1, INFINITY], *SCORE, "parts", "precisions"), "parts.precisions[1] must be a finite number, got inf"),
        (put(10**400, *SCORE, "value"), "value must be at most 2 ** 63 - 1 in size, got an integer of 1329 bits"),
        (put(2**63, *SCORE, "parts", "matches"), "parts.matches must be at most 2 ** 63 - 1"),
        (put([0.5] * 200_000, *SCORE, "parts", "precisions"), "must hold at most 1000 numbers, got 200000"),
        (put(10**15, "size"), "size must be from 1 to 10 ** 12 segments"),
        (put(0, "size"), "size must be from 1 to 10 ** 12 segments, got 0"),
        (put(False, *SCORE, "higher_is_better"), "says that lower is better, but for bleu, higher is better"),
        (put("banana.1|a:b", *SCORE, "signature"), "names the metric banana, which is neither built in nor announced"),
        (put("banana", *SCORE, "signature"), "systems[0].scores[0].signature cannot be read: a signature must start"),
        (put("one", "systems", 1, "name"), "systems holds one 2 times"),
        (put(["x"], "ids"), "differ in length"),
    ],
)
def test_what_would_open_a_gate_is_refused(change: Callable[[dict[str, Any]], None], expected: str) -> None:
    test_malformed_results_are_refused(change, expected)


def test_a_metric_listed_twice_is_refused() -> None:
    fields = json.loads(sample().to_json())
    for system in fields["systems"]:
        system["scores"] *= 2
    with pytest.raises(ResultError, match=r"systems\[0\].scores holds bleu 2 times"):
        Result.from_json(json.dumps(fields))


PAIR = ("metrics", 0, "pairs", 0)


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (
            lambda fields: fields["metrics"][0]["pairs"][0].pop("better"),
            "comparison.metrics[0].pairs[0].better is missing",
        ),
        (put("C", *PAIR, "better"), "pairs[0].better must be one of A, B, got 'C'"),
        (put("C", *PAIR, "first"), "pairs[0].first must be one of A, B, got 'C'"),
        (put("ter", "metrics", 0, "metric"), "comparison.metrics[0].metric must be one of bleu, got 'ter'"),
        (put(10**15, "metrics", 0, "segments"), "segments must be from 1 to 3, got 1000000000000000"),
        (put(NAN, *PAIR, "p_value"), "p_value must be a finite number, got nan"),
        (put(2.0, *PAIR, "p_value"), "p_value must be from 0 to 1, got 2.0"),
        (put(None, *PAIR, "difference", "low"), "difference.low must be of type float, got NoneType"),
        (put([["A", "C"]], "metrics", 0, "clusters"), "clusters[0][1] must be one of A, B, got 'C'"),
        (put(False, "metrics", 0, "higher_is_better"), "higher_is_better is not that of bleu"),
        (put({}, "metrics"), "comparison.metrics must be of type list"),
        (without("signature"), "comparison.signature must be of type str"),
        (put([], "metrics"), "comparison.metrics must hold at least one metric"),
        (put([], "metrics", 0, "pairs"), "comparison.metrics[0] must compare at least two systems"),
        (put(2.0, *PAIR, "difference", "level"), "pairs[0].difference.level must be between 0 and 1, got 2.0"),
        (put(7.0, "metrics", 0, "systems", 1, "score", "low"), "systems[1].score.low must be at most"),
        (put("1", "metrics", 0, "systems", 0, "wins"), "systems[0].wins must be of type int, got str"),
        (put(0, *PAIR, "samples"), "pairs[0].samples must be at least 1, got 0"),
    ],
)
def test_malformed_comparisons_are_refused(change: Callable[[dict[str, Any]], None], expected: str) -> None:
    result = compare_result(evaluate({"A": ["a b", "c", "d"], "B": ["a", "c", "e"]}, ["a b", "c", "d"]))
    assert Result.from_json(result.to_json()) == result
    fields = json.loads(result.to_json())
    change(fields["comparison"])
    with pytest.raises(ResultError) as caught:
        Result.from_json(json.dumps(fields))
    assert expected in str(caught.value)


def test_ids_are_optional() -> None:
    result = sample()
    assert "ids" not in json.loads(result.to_json())
    named = dataclasses.replace(result, ids=("first", "second"))
    assert Result.from_json(named.to_json()) == named


class Letters(PlainMetric):
    name = "letters"
    names = ("letters",)
    higher_is_better = False

    def row(self, hypothesis: str, references: Any, source: str | None) -> tuple[int]:
        return (len(hypothesis),)

    def formula(self, columns: Any, *, sentence: bool = False) -> Any:
        return columns[0] * 1.0


def test_a_metric_of_the_caller_is_passed() -> None:
    result = evaluate(["a b"], ["a c"], metrics={"my letters": Letters(), "my bleu": BLEU()})
    with pytest.raises(ResultError, match=r"pass it in metrics={'my letters': …}"):
        Result.from_json(result.to_json())
    assert Result.from_json(result.to_json(), metrics={"my letters": Letters()}) == result


@pytest.mark.parametrize("text", ["", "{", "[]", "null", "[" * 100_000])
def test_what_is_no_result_at_all(text: str) -> None:
    with pytest.raises(ResultError):
        Result.from_json(text)


def test_writing_and_not_overwriting(tmp_path: Path) -> None:
    path = tmp_path / "result.json"
    result = sample()
    result.write_json(path)
    assert Result.from_json(path.read_text(encoding="utf-8")) == result
    result.write_json(path)  # the same bytes: nothing to lose
    other = dataclasses.replace(result, notes=())
    with pytest.raises(OutputError, match="already exists"):
        other.write_json(path)
    assert Result.from_json(path.read_text(encoding="utf-8")) == result
    other.write_json(path, overwrite=True)
    assert Result.from_json(path.read_text(encoding="utf-8")) == other
    assert [item.name for item in tmp_path.iterdir()] == ["result.json"]


def test_targets_that_cannot_be(tmp_path: Path) -> None:
    for path, problem in [
        (tmp_path, "it is a folder"),
        (tmp_path / "absent" / "x", "does not exist"),
        (tmp_path / "a\x00b", "null"),
    ]:
        with pytest.raises(OutputError, match=problem):
            write_files({path: b"x"})
    with pytest.raises(OutputError, match="same file"):
        write_files({tmp_path / "x": b"1", tmp_path / "." / "y" / ".." / "x": b"2"})


def test_two_names_of_one_file_are_refused(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="they are the same file"):
        write_files([(tmp_path / "x", b"1"), (tmp_path / "." / "x", b"2")])
    assert list(tmp_path.iterdir()) == []


def test_no_file_is_written_when_one_cannot_be(tmp_path: Path) -> None:
    with pytest.raises(OutputError):
        write_files({tmp_path / "first": b"1", tmp_path / "absent" / "second": b"2"})
    assert list(tmp_path.iterdir()) == []


def test_full_disk_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "result.json"
    path.write_bytes(b"old")

    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OutputError, match="No space left"):
        write_files({path: b"new"}, overwrite=True)
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such permissions")
@pytest.mark.parametrize("mode", [0o600, 0o640, 0o644, 0o400])
def test_nobody_else_reads_what_replaces_a_file(tmp_path: Path, mode: int, monkeypatch: pytest.MonkeyPatch) -> None:
    path, flush, seen = tmp_path / "result.json", os.fsync, []

    def watched(descriptor: int) -> None:
        seen.append(stat.S_IMODE(os.fstat(descriptor).st_mode))
        flush(descriptor)

    monkeypatch.setattr(os, "fsync", watched)
    before = os.umask(0o022)
    try:
        write_files({path: b"new"})  # a new file has the mode that the user's umask gives
        assert seen[0] == stat.S_IMODE(path.stat().st_mode) == 0o644
        path.chmod(mode)
        seen.clear()
        write_files({path: b"other"}, overwrite=True)
        assert seen[0] == 0o600
        (tmp_path / "part").write_bytes(b"moved")
        move_file(tmp_path / "part", path, overwrite=True)
        assert (path.read_bytes(), stat.S_IMODE(path.stat().st_mode)) == (b"moved", mode)
    finally:
        os.umask(before)


def test_a_file_that_appears_meanwhile_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "result.json"
    flush = os.fsync

    def late(descriptor: int) -> None:
        path.write_bytes(b"someone else's")
        flush(descriptor)

    monkeypatch.setattr(os, "fsync", late)
    with pytest.raises(OutputError, match="already exists"):
        write_files({path: b"ours"})
    assert path.read_bytes() == b"someone else's"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.skipif(os.name != "posix", reason="links and modes are POSIX's")
def test_links_and_modes_are_respected(tmp_path: Path) -> None:
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_bytes(b"old")
    link.symlink_to(target)
    write_files({link: b"new"}, overwrite=True)
    assert link.is_symlink()
    assert target.read_bytes() == b"new"
    target.chmod(0o604)
    write_files({target: b"newer"}, overwrite=True)
    assert target.stat().st_mode & 0o777 == 0o604
    mask = os.umask(0o027)
    try:
        write_files({tmp_path / "fresh": b"x"})
    finally:
        os.umask(mask)
    assert (tmp_path / "fresh").stat().st_mode & 0o777 == 0o640
