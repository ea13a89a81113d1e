"""polars: what the namespaces give is what the library gives for lists; expressions work wherever polars has them."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bleuprint as bp
import bleuprint.integrations.polars
from bleuprint.errors import (
    InputError,
    NoReferenceError,
    NoSegmentsError,
    NotTextError,
    OptionError,
    PoolError,
)
from bleuprint.integrations._frames import POOLED
from tests.integrations.test_pandas import METHODS, SYSTEMS, sources_of
from tests.support.effort import examples
from tests.support.frames import POOL_NAMES, SCORED_NAMES, Case, cases, metric_of, model, options_of
from tests.support.tables import POOL_TABLE

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


def namespace(column: pl.Expr | pl.Series | pl.DataFrame) -> Any:
    """mypy does not see what is registered."""
    return column.bleuprint  # type: ignore[union-attr]


HYP = namespace(pl.col("hyp"))


@pytest.mark.parametrize("name", SCORED_NAMES)
def test_every_metric_by_its_name(name: str) -> None:
    frame, metric, method = frame_of(SYSTEMS, cuts=(2, 4)), metric_of(name), name.replace("-", "_")
    listed = sources_of(name, SYSTEMS)
    options = {"sources": None if listed is None else "src", **options_of(name)}
    expected = metric.corpus(SYSTEMS.hypotheses, SYSTEMS.flat, sources=listed)
    rows = metric.sentences(SYSTEMS.hypotheses, SYSTEMS.flat, sources=listed).tolist()
    whole, each = getattr(HYP, method)("ref", **options), getattr(HYP, f"sentence_{method}")("ref", **options)
    both = frame.with_columns(whole, each)
    assert both[method].to_list() == [expected.value] * len(SYSTEMS)
    assert both[f"sentence_{method}"].to_list() == rows
    assert frame.lazy().select(whole).collect().item() == expected.value
    assert frame.lazy().select(each).collect(engine="streaming").to_series().to_list() == rows


@pytest.mark.parametrize("name", POOL_NAMES)
def test_every_metric_of_a_pool(name: str) -> None:
    frame, kind, method = frame_of(SYSTEMS), POOL_TABLE[name], name.replace("-", "_")
    references = ["ref"] if kind.needs_references else []
    expected = kind().corpus(SYSTEMS.hypotheses, SYSTEMS.flat if references else None)
    score = getattr(namespace(frame["hyp"]), method)(*map(frame.get_column, references))
    assert (score.value, score.signature) == (expected.value, expected.signature)
    assert frame.select(getattr(HYP, method)(*references)).item() == expected.value


CONTEXTS: dict[str, Callable[[pl.DataFrame, list[pl.Expr]], pl.DataFrame]] = {
    "eager": lambda frame, chosen: frame.group_by("system", maintain_order=True).agg(chosen),
    "lazy": lambda frame, chosen: frame.lazy().group_by("system", maintain_order=True).agg(chosen).collect(),
    "over": lambda frame, chosen: frame.select("system", *(expression.over("system") for expression in chosen)).unique(
        maintain_order=True
    ),
}


@pytest.mark.parametrize("context", CONTEXTS)
@settings(max_examples=examples(40))
@given(case=cases(smallest=1), kind=st.sampled_from(KINDS), cuts=st.tuples(st.integers(0, 8), st.integers(0, 8)))
def test_a_score_of_every_group(context: str, case: Case, kind: Any, cuts: tuple[int, int]) -> None:
    frame = frame_of(case, kind, cuts)
    chosen = [HYP.bleu("refs"), HYP.rouge(["ref", pl.col("src")]), HYP.ibleu("ref", sources="src"), HYP.distinct()]
    found = CONTEXTS[context](frame, chosen)
    groups = case.by_group()
    assert found["system"].to_list() == list(groups)
    for row, group in zip(found.rows(), groups.values(), strict=True):
        both = list(zip(group.flat, group.sources, strict=True))
        assert row[1:] == (
            bp.corpus_bleu(group.hypotheses, group.lists).value,
            bp.corpus_rouge(group.hypotheses, both).value,
            bp.ibleu(group.hypotheses, group.flat, sources=group.sources).value,
            POOL_TABLE["distinct"]().corpus(group.hypotheses).value,
        )


@settings(max_examples=examples(60))
@given(cases(), st.sampled_from(KINDS), st.tuples(st.integers(0, 8), st.integers(0, 8)), st.data())
def test_any_frame(case: Case, kind: Any, cuts: tuple[int, int], data: st.DataObject) -> None:
    frame = frame_of(case, kind, cuts)
    begin, size = data.draw(st.integers(0, len(case) - 1)), data.draw(st.integers(1, len(case)))
    frame, case = frame.slice(begin, size), case.take(list(range(len(case)))[begin : begin + size])
    metrics = ["bleu", "meteor", "ter"]
    expected = bp.evaluate(case.hypotheses, case.lists, metrics=metrics).systems[0].scores
    assert namespace(frame).score("hyp", "refs", metrics=metrics).rows() == [tuple(score.value for score in expected)]
    rows = namespace(frame).sentence_scores("hyp", "refs", metrics=metrics)
    assert [tuple(rows[name]) for name in metrics] == [score.segments for score in expected]
    by_group = namespace(frame).score("hyp", "refs", metrics=metrics, by="system", signatures=True)
    assert by_group["system"].to_list() == list(case.by_group())
    for row, group in zip(by_group.rows(), case.by_group().values(), strict=True):
        scores = bp.evaluate(group.hypotheses, group.lists, metrics=metrics).systems[0].scores
        assert row[1:] == (*(score.value for score in scores), *(score.signature for score in scores))
    both = list(zip(case.flat, case.sources, strict=True))
    assert namespace(frame).bleu("hyp", ["ref", "src"]).value == bp.corpus_bleu(case.hypotheses, both).value


def test_several_keys() -> None:
    frame = frame_of(SYSTEMS).with_columns(length=pl.Series([2, 1, 2, 1, 1]))
    found = namespace(frame).score("hyp", "ref", by=["system", "length"])
    assert found.columns == ["system", "length", "bleu"]
    assert found.rows()[2] == ("A", 2, bp.corpus_bleu(SYSTEMS.hypotheses[2:3], SYSTEMS.flat[2:3]).value)


def test_other_kinds_of_columns() -> None:
    kinds: list[Any] = [pl.Enum(sorted(set(SYSTEMS.hypotheses))), pl.Categorical, pl.String]
    expected = bp.corpus_bleu(SYSTEMS.hypotheses, SYSTEMS.flat).value
    for kind in kinds:
        frame = frame_of(SYSTEMS).with_columns(pl.col("hyp").cast(kind))
        assert namespace(frame).bleu("hyp", "ref").value == frame.select(HYP.bleu("ref")).item() == expected
    arrays = pl.Series("refs", [["a b", "c"], ["d", "e"]], pl.Array(pl.String, 2))
    frame = pl.DataFrame([pl.Series("hyp", ["a", "d e"]), arrays])
    assert namespace(frame).gleu("hyp", "refs").value == bp.corpus_gleu(["a", "d e"], [["a b", "c"], ["d", "e"]]).value


def test_expressions_are_expressions() -> None:
    frame = frame_of(SYSTEMS)
    upper = namespace(pl.col("hyp").str.to_uppercase()).bleu(pl.col("ref").str.to_uppercase())
    assert frame.select(upper.alias("loud")).columns == ["loud"]
    expected = bp.corpus_bleu([text.upper() for text in SYSTEMS.hypotheses], [text.upper() for text in SYSTEMS.flat])
    assert frame.select(upper).item() == expected.value
    good = frame.lazy().filter(HYP.sentence_gleu("ref") == 1).collect()
    assert good["hyp"].to_list() == ["a dog"]
    lazy = frame.lazy().with_columns(HYP.sentence_bleu("ref"), HYP.bleu("ref"))
    assert lazy.collect_schema()["sentence_bleu"] == lazy.collect_schema()["bleu"] == pl.Float64
    lm = model()
    assert frame.select(HYP.perplexity(lm=lm)).item() == bp.perplexity(SYSTEMS.hypotheses, lm=lm).value


def test_several_columns_of_references_in_an_expression() -> None:
    frame, other = frame_of(SYSTEMS), [text.upper() for text in SYSTEMS.hypotheses]
    both = [[*pair] for pair in zip(SYSTEMS.flat, other, strict=True)]
    columns = ["ref", pl.col("hyp").str.to_uppercase()]
    assert frame.select(HYP.chrf(columns)).item() == bp.corpus_chrf(SYSTEMS.hypotheses, both).value
    assert frame.select(HYP.sentence_chrf(columns))["sentence_chrf"].to_list() == (
        bp.CHRF().sentences(SYSTEMS.hypotheses, both).tolist()
    )


def test_no_rows() -> None:
    empty = frame_of(SYSTEMS).clear()
    with pytest.raises(NoSegmentsError):
        namespace(empty).bleu("hyp", "ref")
    assert namespace(empty).score("hyp", "ref", by="system").rows() == []
    assert empty.select(HYP.sentence_bleu("ref")).rows() == []
    assert empty.group_by("system").agg(HYP.bleu("ref")).rows() == []
    with pytest.raises(PoolError, match="needs at least 2 of them, got 0"):
        namespace(empty["hyp"]).self_bleu()
    with pytest.raises(InputError, match="needs at least 2 of them, got 0"):
        empty.select(HYP.self_bleu())


def test_a_null_is_named_by_its_row() -> None:
    frame = frame_of(SYSTEMS).with_columns(gap=pl.Series(["a", "b", "c", None, "e"]))
    said = r"^column 'gap' at row 3 must be a str( or a list of them)?, got None; use '' for an empty text"
    calls: list[Callable[[], object]] = [
        lambda: namespace(frame).bleu("gap", "ref"),
        lambda: namespace(frame).sentence_bleu("hyp", ["ref", "gap"]),
        lambda: namespace(frame).score("hyp", "gap", by="system"),
        lambda: namespace(frame["gap"]).self_bleu(),
    ]
    for call in calls:
        with pytest.raises(NotTextError, match=said):
            call()
    gap = namespace(pl.col("gap"))
    for expression in (gap.bleu("ref"), HYP.sentence_bleu("gap"), HYP.sentence_bleu(["ref", "gap"]), gap.self_bleu()):
        for call in (
            lambda chosen=expression: frame.select(chosen),
            lambda chosen=expression: frame.lazy().with_columns(chosen).collect(),
        ):
            with pytest.raises(InputError, match=said):
                call()
    with pytest.raises(InputError, match="column 'gap' at row 1 must be a str"):  # of its group
        frame.group_by("system", maintain_order=True).agg(gap.bleu("ref"))


def test_bad_columns() -> None:
    frame = pl.DataFrame({"hyp": ["a", "b"], "number": [1, 2], "none": [["a"], []], "lists": [["a"], ["b"]]})
    with pytest.raises(NotTextError, match=r"^column 'number' must be a column of strings, got Int64; select or cast"):
        namespace(frame).bleu("number", "hyp")
    with pytest.raises(NotTextError, match=r"^column 'lists' must be a column of strings, got List\(String\)"):
        namespace(frame).bleu("lists", "hyp")
    with pytest.raises(NoReferenceError, match=r"^column 'none' at row 1 holds no reference"):
        namespace(frame).bleu("hyp", "none")
    with pytest.raises(InputError, match=r"^column 'none' at row 1 holds no reference"):
        frame.select(HYP.bleu("none"))
    with pytest.raises(OptionError, match=r"^hypotheses must be one column of the frame \('hyp', 'number', "):
        namespace(frame).bleu("mt", "hyp")
    with pytest.raises(InputError, match="hypotheses has 2 segments but references has 1"):
        frame.select(HYP.bleu(pl.lit("a")))
    with pytest.raises(InputError, match="hypotheses has 2 segments but references has 1"):
        frame.select(HYP.bleu(["hyp", pl.lit("a")]))


def test_what_cannot_be_scored_is_refused_before_anything_runs() -> None:
    with pytest.raises(OptionError, match=r"^max_order must be"):
        HYP.bleu("ref", max_order=0)
    with pytest.raises(OptionError, match=r"^max_order must be"):
        HYP.self_bleu(max_order=0)
    with pytest.raises(InputError, match="sari compares with the sources"):
        HYP.sari("ref")
    with pytest.raises(
        NotTextError, match=r"^references must be a list with one entry per hypothesis, .*bleu compares with references"
    ):
        HYP.sentence_bleu()
    with pytest.raises(OptionError, match=r"^references must be a column or a list of columns"):
        HYP.bleu([])


def test_the_methods_are_those_of_the_tables() -> None:
    assert {*METHODS, *POOLED, "score", "sentence_scores"} <= set(dir(namespace(pl.DataFrame())))
    assert {*METHODS, *POOLED} <= set(dir(HYP))
    assert set(POOLED) <= set(dir(namespace(pl.Series(["a"]))))
