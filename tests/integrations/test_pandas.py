"""pandas: what the accessors give is what the library gives for lists, whatever the columns are kept in."""

from __future__ import annotations

import inspect
import subprocess
import sys
import textwrap
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bleuprint as bp
import bleuprint.integrations.pandas
from bleuprint.errors import (
    FitError,
    InputError,
    NoReferenceError,
    NoSegmentsError,
    NotTextError,
    OptionError,
    PoolError,
    SurrogateError,
)
from bleuprint.integrations._frames import POOLED, SCORED
from bleuprint.metrics import SentenceBleu, registry
from bleuprint.metrics.functions import ONE, THREE
from tests.support.effort import examples
from tests.support.frames import POOL_NAMES, SCORED_NAMES, Case, cases, metric_of, model, options_of
from tests.support.tables import POOL_TABLE

KINDS = [object, "str", "string[python]", "string[pyarrow]", pd.ArrowDtype(pa.string()), "category"]
LISTS = [object, pd.ArrowDtype(pa.list_(pa.string())), pd.ArrowDtype(pa.large_list(pa.large_string()))]

SYSTEMS = Case(
    hypotheses=["the cat sat on the mat", "a dog", "a cat is on a mat", "the dog", "so it is"],
    flat=["the cat sat on a mat", "a dog", "the cat sat on a mat", "a dog", "so it was"],
    lists=[["the cat sat on a mat"], ["a dog", "the dog"], ["the cat sat"], ["a dog", "dogs"], ["so it was"]],
    sources=["a cat was sitting", "dog", "a cat was sitting", "dog", "it was so"],
    groups=["B", "B", "A", "A", None],
)


METHODS = {*SCORED, *(f"sentence_{name}" for name in SCORED)}


def frame_of(case: Case, kind: Any = object, lists: Any = object, index: list[Any] | None = None) -> Any:
    return pd.DataFrame(
        {
            "hyp": pd.Series(case.hypotheses, dtype=kind),
            "ref": pd.Series(case.flat, dtype=kind),
            "refs": pd.Series(case.lists, dtype=lists),
            "src": pd.Series(case.sources, dtype=kind),
            "system": pd.Series(case.groups, dtype=object),
        }
    ).set_axis(range(len(case)) if index is None else index, axis=0)


def sources_of(name: str, case: Case) -> list[str] | None:
    return case.sources if metric_of(name).needs_sources else None


@pytest.mark.parametrize("name", SCORED_NAMES)
def test_every_metric_by_its_name(name: str) -> None:
    """With one column of references; tests/laws/test_doors.py has lists, and the scores of rows."""
    metric, method = metric_of(name), name.replace("-", "_")
    sources = "src" if metric.needs_sources else None
    score = getattr(frame_of(SYSTEMS).bleuprint, method)("hyp", "ref", sources=sources, **options_of(name))
    expected = metric.corpus(SYSTEMS.hypotheses, SYSTEMS.flat, sources=sources_of(name, SYSTEMS))
    assert (score.value, score.parts, score.signature) == (expected.value, expected.parts, expected.signature)


@pytest.mark.parametrize("name", POOL_NAMES)
def test_every_metric_of_a_pool(name: str) -> None:
    """On a series; tests/laws/test_doors.py has frames."""
    frame, kind = frame_of(SYSTEMS), POOL_TABLE[name]
    method = getattr(frame["hyp"].bleuprint, name.replace("-", "_"))
    if kind.needs_references:
        expected = kind().corpus(SYSTEMS.hypotheses, SYSTEMS.flat)
        scores = [method(frame["ref"]), method(SYSTEMS.flat)]
    else:
        expected = kind().corpus(SYSTEMS.hypotheses)
        scores = [method()]
        with pytest.raises(OptionError, match=f"^{name} only looks at the texts, so leave references out"):
            method(frame["ref"])
    assert {(score.value, score.signature) for score in scores} == {(expected.value, expected.signature)}


@settings(max_examples=examples(60))
@given(cases(), st.sampled_from(KINDS), st.sampled_from(LISTS), st.data())
def test_any_frame_in_any_form(case: Case, kind: Any, lists: Any, data: st.DataObject) -> None:
    index = data.draw(st.lists(st.integers() | st.text(max_size=2), min_size=len(case), max_size=len(case)))
    frame = frame_of(case, kind, lists, index)
    part = data.draw(st.slices(len(case)).filter(lambda rows: range(len(case))[rows]))
    frame, case = frame.iloc[part], case.take(list(range(len(case)))[part])
    for name in ("bleu", "rouge"):
        for column, references in (("ref", case.flat), ("refs", case.lists)):
            metric = metric_of(name)
            score = getattr(frame.bleuprint, name)("hyp", column)
            assert score.value == metric.corpus(case.hypotheses, references).value
            rows = frame.bleuprint.sentence_scores("hyp", column, metrics=[name])
            assert rows[name].tolist() == metric.sentences(case.hypotheses, references).tolist()
            assert rows.index.equals(frame.index)
    both = frame.bleuprint.bleu("hyp", ["ref", "src"])
    expected = bp.corpus_bleu(case.hypotheses, list(zip(case.flat, case.sources, strict=True)))
    assert (both.value, both.signature) == (expected.value, expected.signature)
    if len(case) > 1:
        assert frame["hyp"].bleuprint.self_bleu().value == bp.self_bleu(case.hypotheses).value


@settings(max_examples=examples(60))
@given(cases(), st.sampled_from(KINDS), st.sampled_from([object, "category", "string"]))
def test_any_groups(case: Case, kind: Any, group_kind: Any) -> None:
    frame = frame_of(case, kind).astype({"system": group_kind})
    metrics = ["bleu", "meteor", "ter"]
    found = frame.bleuprint.score("hyp", "refs", metrics=metrics, by="system", signatures=True)
    groups = case.by_group()
    assert [None if pd.isna(key) else key for key in found.index] == list(groups)
    assert found.index.name == "system"
    for row, group in enumerate(groups.values()):
        for score in bp.evaluate(group.hypotheses, group.lists, metrics=metrics).systems[0].scores:
            assert found[score.metric].iloc[row] == score.value
            assert found[f"{score.metric} signature"].iloc[row] == score.signature


def test_several_metrics_and_keys() -> None:
    frame = frame_of(SYSTEMS, index=list("vwxyz"))
    lm = model()
    chosen: list[Any] = ["ibleu", SentenceBleu(), "perplexity", "cider"]
    found = frame.bleuprint.score("hyp", "ref", metrics=chosen, models={"perplexity": lm}, sources="src")
    expected = bp.evaluate(
        SYSTEMS.hypotheses, SYSTEMS.flat, metrics=chosen, models={"perplexity": lm}, sources=SYSTEMS.sources
    )
    assert found.loc["hyp"].to_dict() == {score.metric: score.value for score in expected.systems[0].scores}
    assert list(found.columns) == ["ibleu", "item-bleu", "perplexity", "cider"]
    rows = frame.bleuprint.sentence_scores(
        "hyp", "ref", metrics=chosen, models={"perplexity": lm}, sources="src", threads=1
    )
    assert rows.index.tolist() == list("vwxyz")
    for score in expected.systems[0].scores:
        assert tuple(rows[score.metric]) == score.segments
    frame["length"] = [2, 1, 2, 1, 1]
    by_two = frame.bleuprint.score("hyp", "ref", by=["system", "length"])
    assert by_two.index.names == ["system", "length"]
    assert by_two.loc[("A", 2), "bleu"] == bp.corpus_bleu(SYSTEMS.hypotheses[2:3], SYSTEMS.flat[2:3]).value
    assert len(by_two) == 5


def test_no_rows() -> None:
    empty = frame_of(SYSTEMS).iloc[:0]
    with pytest.raises(NoSegmentsError):
        empty.bleuprint.bleu("hyp", "ref")
    with pytest.raises(NoSegmentsError):
        pd.DataFrame({"hyp": [], "ref": []}).bleuprint.bleu("hyp", "ref")
    assert empty.bleuprint.score("hyp", "ref", by="system").shape == (0, 1)
    assert empty.bleuprint.sentence_bleu("hyp", "ref").tolist() == []
    with pytest.raises(PoolError, match="needs at least 2 of them, got 0"):
        empty["hyp"].bleuprint.self_bleu()
    with pytest.raises(FitError):
        empty.bleuprint.cider("hyp", "ref")


def test_lists_as_parquet_files_give_them() -> None:
    frame = pa.table({"hyp": SYSTEMS.hypotheses, "refs": SYSTEMS.lists}).to_pandas()
    assert isinstance(frame["refs"][0], np.ndarray)
    assert frame.bleuprint.bleu("hyp", "refs").value == bp.corpus_bleu(SYSTEMS.hypotheses, SYSTEMS.lists).value


def test_a_reference_that_is_none_in_a_list_is_left_out() -> None:
    frame = pd.DataFrame({"hyp": ["a b"], "refs": [[None, "a c"]]})
    assert frame.bleuprint.gleu("hyp", "refs").value == bp.corpus_gleu(["a b"], [[None, "a c"]]).value


@pytest.mark.parametrize("missing", [None, np.nan, pd.NA, pd.NaT], ids=repr)
@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_a_missing_text_is_named_by_its_row(kind: Any, missing: Any) -> None:
    if (missing is pd.NaT and kind is not object) or isinstance(kind, pd.ArrowDtype):
        missing = None  # these kinds do not keep another
    frame = frame_of(SYSTEMS, kind, index=list("vwxyz"))
    frame["gap"] = pd.Series(["a", "b", "c", missing, "e"], dtype=kind, index=frame.index)
    said = r"column 'gap' at index 'y' \(row 3\) must be a str{}, got (nan|None|<NA>|NaT), a missing value; use '' for"
    calls: list[tuple[str, Callable[[], object]]] = [
        ("", lambda: frame.bleuprint.score("gap", "ref")),
        ("", lambda: frame.bleuprint.score("gap", "ref", by="system")),
        (" or a list of them", lambda: frame.bleuprint.score("hyp", "gap")),
        (" or a list of them", lambda: frame.bleuprint.score("hyp", "gap", by="system")),
        ("", lambda: frame.bleuprint.sentence_bleu("hyp", ["ref", "gap"])),
        ("", lambda: frame.bleuprint.ibleu("hyp", "ref", sources="gap")),
        ("", lambda: frame["gap"].bleuprint.self_bleu()),
    ]
    for lists, call in calls:
        with pytest.raises(NotTextError, match=said.format(lists)):
            call()


BAD: list[tuple[type[InputError], list[Any], Any, str]] = [
    (NotTextError, ["a", 1], object, "column 'bad' at index 9 (row 1) must be a str or a list of them, got int; "),
    (
        NotTextError,
        ["a", ["b", np.nan]],
        object,
        "column 'bad' at index 9 (row 1)[1] must be a str, got nan, a missing",
    ),
    (
        NotTextError,
        [1, 2],
        "int64",
        "column 'bad' must be a column of strings or of lists of strings, got int64; select",
    ),
    (
        NotTextError,
        [np.nan] * 2,
        "float64",
        "column 'bad' at index 8 (row 0) must be a str or a list of them, got nan, ",
    ),
    (NotTextError, [1, 2], "category", "column 'bad' at index 8 (row 0) must be a str or a list of them, got int"),
    (NotTextError, [True, False], pd.ArrowDtype(pa.bool_()), "column 'bad' must be a column of strings or of lists of"),
    (NoReferenceError, [["a"], []], object, "column 'bad' at index 9 (row 1) holds no reference"),
    (NoReferenceError, [["a"], [None]], LISTS[1], "column 'bad' at index 9 (row 1) holds no reference"),
    (NotTextError, [["a"], None], LISTS[1], "column 'bad' at index 9 (row 1) must be a str or a list of them, got"),
    (SurrogateError, ["a", "\ud800"], object, "column 'bad' at index 9 (row 1) holds a lone surrogate"),
]


@pytest.mark.parametrize(("error", "items", "kind", "message"), BAD, ids=[entry[3] for entry in BAD])
def test_bad_columns(error: type[InputError], items: list[Any], kind: Any, message: str) -> None:
    frame = pd.DataFrame({"hyp": ["a", "b"], "bad": pd.Series(items, dtype=kind)}).set_axis([8, 9])
    with pytest.raises(error) as caught:
        frame.bleuprint.bleu("hyp", "bad")
    assert str(caught.value).startswith(message)


def test_columns_that_are_not_there() -> None:
    frame = frame_of(SYSTEMS)
    twice = pd.concat([frame, frame[["hyp"]]], axis=1)
    listed = r"one column of the frame \('hyp', 'ref', 'refs', 'src', 'system'\), got 'mt'"
    calls: list[Callable[[], object]] = [
        lambda: frame.bleuprint.bleu("mt", "ref"),
        lambda: frame.bleuprint.sentence_bleu("hyp", ["ref", "mt"]),
        lambda: frame.bleuprint.score("hyp", "ref", by="mt"),
        lambda: frame.bleuprint.sari("hyp", "ref", sources="mt"),
    ]
    for call in calls:
        with pytest.raises(OptionError, match=listed):
            call()
    with pytest.raises(OptionError, match=r"^hypotheses must be one column"):
        twice.bleuprint.bleu("hyp", "ref")
    with pytest.raises(OptionError, match=r"^references must be a column or a list of columns"):
        frame.bleuprint.bleu("hyp", [])
    with pytest.raises(
        NotTextError, match=r"^references must be a list with one entry per hypothesis, .*bleu compares with references"
    ):
        frame.bleuprint.bleu("hyp")
    with pytest.raises(InputError, match="sari compares with the sources"):
        frame.bleuprint.sari("hyp", "ref")
    with pytest.raises(InputError, match="bleu does not use sources"):
        frame.bleuprint.bleu("hyp", "ref", sources="src")
    lm = model()
    assert frame.bleuprint.perplexity("hyp", lm=lm).value == bp.perplexity(SYSTEMS.hypotheses, lm=lm).value
    alone = frame.bleuprint.score("hyp", metrics="perplexity", models={"perplexity": lm}, by="system")
    assert alone.loc["A", "perplexity"] == bp.perplexity(SYSTEMS.hypotheses[2:4], lm=lm).value


def test_labels_need_not_be_names() -> None:
    frame = pd.DataFrame({0: ["a b c d"], ("x", 1): ["a b c d"]})
    assert frame.bleuprint.bleu(0, ("x", 1)).value == 1.0


def test_the_methods_are_those_of_the_tables() -> None:
    """Made out of the tables, seen by dir and help."""
    named = {name.replace("-", "_"): registry.find(name) for name in (*THREE, *ONE)}
    assert named == {**SCORED, **POOLED}
    assert {kind.unit for kind in SCORED.values()} == {"segment"}
    assert {kind.unit for kind in POOLED.values()} == {"pool"}
    accessor = pd.DataFrame().bleuprint
    assert {*METHODS, *POOLED, "score", "sentence_scores"} <= set(dir(accessor))
    assert set(POOLED) <= set(dir(pd.Series(["a"]).bleuprint))
    assert list(inspect.signature(accessor.ibleu).parameters)[:3] == ["hypotheses", "references", "sources"]
    assert accessor.sentence_chrf.__doc__ == "The score of each row. The metric is chrf; options are those of `CHRF`."


_MEMORY = """
import resource
import pandas as pd
import bleuprint.integrations.pandas

line = "the quick brown fox jumps over the lazy dog and runs on " * 80
frame = pd.DataFrame({"hyp": pd.Series([line] * 20_000, dtype="string[pyarrow]")})
megabytes = frame["hyp"].array.nbytes / 2**20
frame.iloc[:2].bleuprint.bleu("hyp", "hyp")
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
assert frame.bleuprint.bleu("hyp", "hyp", threads=1).value == 1.0
print(megabytes, (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 2**10)
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="peak memory is measured in KiB on Linux only")
def test_texts_kept_as_arrow_are_not_copied() -> None:
    code = textwrap.dedent(_MEMORY)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=600, check=True)
    texts, grown = map(float, done.stdout.split())
    assert texts > 80
    assert grown < texts / 8
