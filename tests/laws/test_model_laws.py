"""Laws of metrics that need no references but a model or sources, beside those of all metrics."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleuprint.errors import (
    BareStringError,
    LengthMismatchError,
    MergeError,
    MissingSourcesError,
    NotTextError,
    SurrogateError,
    UnusedSourcesError,
)
from bleuprint.metrics import registry
from tests.laws.cases import Case, cases, default, options_of
from tests.laws.strategies import Segments, columns_of, corpora, first_of, sentence_of, share
from tests.laws.test_laws import EVERY
from tests.support.tables import SOURCE_TABLE

WITHOUT_REFERENCES = [name for name in EVERY if not registry.metrics()[name].needs_references]
with_models = pytest.mark.parametrize("name", sorted(set(WITHOUT_REFERENCES) - set(SOURCE_TABLE)))
with_sources = pytest.mark.parametrize("name", sorted(SOURCE_TABLE))


@pytest.mark.parametrize("name", WITHOUT_REFERENCES)
@share(40, len(WITHOUT_REFERENCES))
@given(data=st.data(), corpus=corpora())
def test_sentences_are_corpora_of_one(name: str, data: st.DataObject, corpus: Segments) -> None:
    metric = data.draw(cases(name)).make()
    for segment in corpus:
        columns = columns_of(metric, [segment])
        words = {label: [text.split() for text in column] for label, column in columns.items()}
        assert (
            metric.sentence(**first_of(words)).value
            == sentence_of(metric, segment).value
            == metric.corpus(**columns).value
        )


@pytest.mark.parametrize("name", WITHOUT_REFERENCES)
@share(40, len(WITHOUT_REFERENCES))
@given(data=st.data(), corpus=corpora())
def test_references_are_not_looked_at_but_checked(name: str, data: st.DataObject, corpus: Segments) -> None:
    metric = data.draw(cases(name)).make()
    columns, others = columns_of(metric, corpus), [["anything", "at all"] for _ in corpus]
    score = metric.corpus(**columns, references=others)
    assert score.value == metric.corpus(**columns).value
    assert metric.statistics(**columns, references=others).total() == metric.statistics(**columns).total()
    assert metric.sentences(**columns, references=others).tolist() == metric.sentences(**columns).tolist()
    assert "references:0" in score.signature
    with pytest.raises(LengthMismatchError):
        metric.corpus(**columns, references=[*others, "a"])


@with_models
def test_bad_input_is_refused(name: str) -> None:
    metric: Any = default(name)
    with pytest.raises(BareStringError):
        metric.corpus("a b")
    with pytest.raises(NotTextError, match=r"hypotheses\[1\] must be a str, got None"):
        metric.corpus(["a", None])
    with pytest.raises(NotTextError, match="hypothesis must be"):
        metric.sentence(None)
    with pytest.raises(NotTextError, match="references must be a str or a list of them, got int"):
        metric.sentence("a", 3)
    with pytest.raises(SurrogateError, match=r"hypotheses\[0\]"):
        metric.corpus(["\ud800"])
    with pytest.raises(UnusedSourcesError):
        metric.corpus(["a"], sources=["a"])
    with pytest.raises(MergeError):
        metric.merge(Case(name, {**options_of(name)[0], str(registry.model_option(type(metric))): 4}).make())


@with_sources
def test_bad_sources_are_refused(name: str) -> None:
    metric: Any = default(name)
    with pytest.raises(MissingSourcesError):
        metric.corpus(["a"])
    with pytest.raises(LengthMismatchError, match="hypotheses has 2 segments but sources has 1"):
        metric.corpus(["a", "b"], sources=["a"])
    with pytest.raises(BareStringError, match="sources"):
        metric.corpus(["a"], sources="a")
    with pytest.raises(NotTextError, match=r"sources\[0\]"):
        metric.corpus(["a"], sources=[None])
    with pytest.raises(MergeError):
        metric.merge(SOURCE_TABLE[name](lowercase=False))


@with_models
@given(data=st.data())
def test_hostile_texts(name: str, data: st.DataObject) -> None:
    metric = data.draw(cases(name)).make()
    least = 1 if name == "perplexity" else 0
    assert metric.sentence("\x00 \u2028 <s> </s>").value >= least
    assert metric.corpus(["a b " * 200_000]).value >= least
    empty = metric.corpus(["", "", " "])
    assert empty.columns[1] == (0 if name == "novelty" else 3)
    assert empty.value >= least
