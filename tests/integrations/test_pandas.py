"""pandas: columns give what lists give, whatever they are kept in."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bleuprint as bp
from bleuprint.errors import InputError, NoReferenceError, NoSegmentsError, NotTextError, SurrogateError
from tests.support.effort import examples
from tests.support.frames import SYSTEMS, Case, cases

KINDS = [object, "str", "string[python]", "string[pyarrow]", pd.ArrowDtype(pa.string()), "category"]
LISTS = [object, pd.ArrowDtype(pa.list_(pa.string())), pd.ArrowDtype(pa.large_list(pa.large_string()))]


def frame_of(case: Case, kind: Any = object, lists: Any = object, index: list[Any] | None = None) -> Any:
    kinds = {"refs": lists, "system": object}
    series = {name: pd.Series(items, dtype=kinds.get(name, kind)) for name, items in case.columns.items()}
    return pd.DataFrame(series).set_axis(range(len(case)) if index is None else index, axis=0)


@settings(max_examples=examples(60))
@given(cases(), st.sampled_from(KINDS), st.sampled_from(LISTS), st.data())
def test_any_frame_in_any_form(case: Case, kind: Any, lists: Any, data: st.DataObject) -> None:
    index = data.draw(st.lists(st.integers() | st.text(max_size=2), min_size=len(case), max_size=len(case)))
    frame = frame_of(case, kind, lists, index)
    part = data.draw(st.slices(len(case)).filter(lambda rows: range(len(case))[rows]))
    frame, case = frame.iloc[part], case.take(list(range(len(case)))[part])
    for metric in (bp.BLEU(), bp.ROUGE()):
        for column, references in (("ref", case.flat), ("refs", case.lists)):
            given = frame["hyp"], frame[column]
            assert metric.corpus(*given).value == metric.corpus(case.hypotheses, references).value
            assert metric.sentences(*given).tolist() == metric.sentences(case.hypotheses, references).tolist()
    expected = bp.ibleu(case.hypotheses, case.flat, sources=case.sources)
    assert bp.ibleu(frame["hyp"], frame["ref"], sources=frame["src"]).value == expected.value
    if len(case) > 1:
        assert bp.self_bleu(frame["hyp"]).value == bp.self_bleu(case.hypotheses).value


@settings(max_examples=examples(60))
@given(cases(), st.sampled_from(KINDS), st.sampled_from([object, "category", "string"]))
def test_any_groups(case: Case, kind: Any, group_kind: Any) -> None:
    frame = frame_of(case, kind).astype({"system": group_kind})
    grouped = frame.groupby("system", sort=False, dropna=False, observed=True)
    found = {None if pd.isna(key) else key: bp.corpus_bleu(rows["hyp"], rows["refs"]).value for key, rows in grouped}
    groups = case.by_group()
    assert found == {key: bp.corpus_bleu(group.hypotheses, group.lists).value for key, group in groups.items()}


def test_several_metrics_and_systems() -> None:
    frame = frame_of(SYSTEMS, "string[pyarrow]")
    chosen = ["bleu", "meteor", "ibleu", "cider"]
    found = bp.evaluate({"A": frame["hyp"], "B": frame["src"]}, frame["refs"], metrics=chosen, sources=frame["src"])
    systems = {"A": SYSTEMS.hypotheses, "B": SYSTEMS.sources}
    assert found == bp.evaluate(systems, SYSTEMS.lists, metrics=chosen, sources=SYSTEMS.sources)
    compared = bp.compare({"A": frame["hyp"], "B": frame["src"]}, frame["refs"], resamples=20)
    assert compared == bp.compare(systems, SYSTEMS.lists, resamples=20)


def test_no_rows() -> None:
    empty = frame_of(SYSTEMS).iloc[:0]
    for frame in (empty, pd.DataFrame({"hyp": [], "refs": []}, dtype=object)):
        with pytest.raises(NoSegmentsError):
            bp.corpus_bleu(frame["hyp"], frame["refs"])
        assert bp.sentence_bleus(frame["hyp"], frame["refs"]).tolist() == []


def test_lists_as_parquet_files_give_them() -> None:
    frame = pa.table({"hyp": SYSTEMS.hypotheses, "refs": SYSTEMS.lists}).to_pandas()
    assert isinstance(frame["refs"][0], np.ndarray)
    expected = bp.corpus_bleu(SYSTEMS.hypotheses, SYSTEMS.lists).value
    assert bp.corpus_bleu(frame["hyp"], frame["refs"]).value == expected


def test_a_reference_that_is_none_in_a_list_is_left_out() -> None:
    frame = pd.DataFrame({"hyp": ["a b"], "refs": [[None, "a c"]]})
    assert bp.corpus_gleu(frame["hyp"], frame["refs"]).value == bp.corpus_gleu(["a b"], [[None, "a c"]]).value


@pytest.mark.parametrize("missing", [None, np.nan, pd.NA, pd.NaT], ids=repr)
@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_a_missing_text_is_named_by_its_row(kind: Any, missing: Any) -> None:
    """It is never the text "nan"."""
    if (missing is pd.NaT and kind is not object) or isinstance(kind, pd.ArrowDtype):
        missing = None  # these kinds do not keep another
    gap = pd.Series(["a", "b", "c", missing, "e"], dtype=kind, index=list("vwxyz"))
    with pytest.raises(NotTextError, match=r"^hypotheses\[3\] must be a str, got "):
        bp.corpus_bleu(gap, SYSTEMS.flat)
    with pytest.raises(NotTextError, match=r"^references\[3\] must be a str or a list of them, got "):
        bp.corpus_bleu(SYSTEMS.hypotheses, gap)


BAD: list[tuple[type[InputError], list[Any], Any, str]] = [
    (NotTextError, [1, 2], "int64", "references"),
    (NotTextError, [np.nan] * 2, "float64", "references"),
    (NotTextError, [1, 2], "category", "references"),
    (NotTextError, [True, False], pd.ArrowDtype(pa.bool_()), "references must be a column of strings or of lists of"),
    (NotTextError, ["a", 1], object, "references[1] must be a str or a list of them, got int"),
    (NoReferenceError, [["a"], []], object, "references[1] holds no reference"),
    (NoReferenceError, [["a"], [None]], LISTS[1], "references[1] holds no reference"),
    (NoReferenceError, [["a"], None], LISTS[1], "references[1] holds no reference"),
    (SurrogateError, ["a", "\ud800"], object, "references[1] holds a lone surrogate"),
]


@pytest.mark.parametrize(("error", "items", "kind", "message"), BAD)
def test_bad_columns(error: type[InputError], items: list[Any], kind: Any, message: str) -> None:
    with pytest.raises(error) as caught:
        bp.corpus_bleu(pd.Series(["a", "b"]), pd.Series(items, dtype=kind))
    assert str(caught.value).startswith(message)


_MEMORY = """
import resource
import pandas as pd
import bleuprint as bp

line = "the quick brown fox jumps over the lazy dog and runs on " * 80
texts = pd.Series([line] * 20_000, dtype="string[pyarrow]")
megabytes = texts.array.nbytes / 2**20
bp.corpus_bleu(texts.iloc[:2], texts.iloc[:2])
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
assert bp.corpus_bleu(texts, texts, threads=1).value == 1.0
print(megabytes, (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 2**10)
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="peak memory is measured in KiB on Linux only")
def test_texts_kept_as_arrow_are_not_copied() -> None:
    code = textwrap.dedent(_MEMORY)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=600, check=True)
    texts, grown = map(float, done.stdout.split())
    assert texts > 80
    assert grown < texts / 8
