"""polars: columns give what lists give, in chunks and of every kind."""

from __future__ import annotations

import itertools
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bleuprint as bp
from bleuprint.errors import NoReferenceError, NoSegmentsError, NotTextError
from tests.support.effort import examples
from tests.support.frames import SYSTEMS, Case, cases

KINDS: list[Any] = [pl.String, pl.Categorical]


def series_of(name: str, items: list[Any], kind: Any, cuts: list[int]) -> pl.Series:
    """The items in as many chunks as there are cuts and one more, some of them empty."""
    ends = [0, *sorted(min(cut, len(items)) for cut in cuts), len(items)]
    parts = [pl.Series(name, items[begin:end], kind) for begin, end in itertools.pairwise(ends)]
    return pl.concat(parts, rechunk=False)


def frame_of(case: Case, kind: Any = pl.String, cuts: tuple[int, ...] = ()) -> pl.DataFrame:
    kinds = {"refs": pl.List(pl.String), "system": pl.String}
    series = [series_of(name, items, kinds.get(name, kind), [*cuts]) for name, items in case.columns.items()]
    return pl.DataFrame(series)


@settings(max_examples=examples(60))
@given(cases(), st.sampled_from(KINDS), st.tuples(st.integers(0, 8), st.integers(0, 8)), st.data())
def test_any_frame_and_its_groups(case: Case, kind: Any, cuts: tuple[int, int], data: st.DataObject) -> None:
    frame = frame_of(case, kind, cuts)
    begin, size = data.draw(st.integers(0, len(case) - 1)), data.draw(st.integers(1, len(case)))
    frame, case = frame.slice(begin, size), case.take(list(range(len(case)))[begin : begin + size])
    metrics = ["bleu", "meteor", "ter", "ibleu"]
    found = bp.evaluate(frame["hyp"], frame["refs"], metrics=metrics, sources=frame["src"])
    assert found == bp.evaluate(case.hypotheses, case.lists, metrics=metrics, sources=case.sources)
    rows = frame.with_columns(bleu=bp.sentence_bleus(frame["hyp"], frame["ref"]))["bleu"]
    assert rows.to_list() == bp.sentence_bleus(case.hypotheses, case.flat).tolist()
    grouped = frame.group_by("system", maintain_order=True)
    scores = {key: bp.corpus_bleu(rows["hyp"], rows["refs"]).value for (key,), rows in grouped}
    groups = case.by_group()
    assert scores == {key: bp.corpus_bleu(group.hypotheses, group.lists).value for key, group in groups.items()}


def test_other_kinds_of_columns() -> None:
    kinds: list[Any] = [pl.Enum(sorted(set(SYSTEMS.hypotheses))), pl.Categorical, pl.String]
    expected = bp.corpus_bleu(SYSTEMS.hypotheses, SYSTEMS.flat).value
    for kind in kinds:
        frame = frame_of(SYSTEMS).with_columns(pl.col("hyp").cast(kind))
        assert bp.corpus_bleu(frame["hyp"], frame["ref"]).value == expected
    arrays = pl.Series("refs", [["a b", "c"], ["d", "e"]], pl.Array(pl.String, 2))
    with pytest.raises(NotTextError, match="references must be a column of strings or of lists of strings"):
        bp.corpus_gleu(["a", "d e"], arrays)
    listed = bp.corpus_gleu(["a", "d e"], arrays.arr.to_list())
    assert listed.value == bp.corpus_gleu(["a", "d e"], [["a b", "c"], ["d", "e"]]).value


def test_no_rows() -> None:
    empty = frame_of(SYSTEMS).clear()
    with pytest.raises(NoSegmentsError):
        bp.corpus_bleu(empty["hyp"], empty["refs"])
    assert bp.sentence_bleus(empty["hyp"], empty["refs"]).tolist() == []


def test_bad_columns_are_named_by_their_rows() -> None:
    gap = pl.Series(["a", "b", "c", None, "e"])
    with pytest.raises(NotTextError, match=r"^hypotheses\[3\] must be a str, got None; use '' for an empty text"):
        bp.corpus_bleu(gap, SYSTEMS.flat)
    with pytest.raises(NotTextError, match=r"^references\[3\] must be a str or a list of them, got None"):
        bp.corpus_bleu(SYSTEMS.hypotheses, gap)
    frame = pl.DataFrame({"hyp": ["a", "b"], "number": [1, 2], "none": [["a"], []], "lists": [["a"], ["b"]]})
    for name in ("number", "lists"):
        with pytest.raises(NotTextError, match=r"^hypotheses must be a column of strings, got "):
            bp.corpus_bleu(frame[name], frame["hyp"])
    with pytest.raises(NoReferenceError, match=r"^references\[1\] holds no reference"):
        bp.corpus_bleu(frame["hyp"], frame["none"])
