"""Laws of metrics that compare texts with their sources and need no references."""

from __future__ import annotations

import json
import pickle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleuprint.errors import BareStringError, LengthMismatchError, MergeError, MissingSourcesError, NotTextError
from bleuprint.metrics.base.metric import Metric
from tests.laws.strategies import share
from tests.support.tables import SOURCE_TABLE

texts = st.lists(st.sampled_from("aabcd"), max_size=8).map(" ".join)
corpora = st.lists(st.tuples(texts, texts), min_size=1, max_size=6)
for_every_metric = pytest.mark.parametrize("name", sorted(SOURCE_TABLE))
few_examples = share(40, 5)


def sides(corpus: list[tuple[str, str]]) -> tuple[list[str], list[str]]:
    return [text for text, _ in corpus], [source for _, source in corpus]


@for_every_metric
@few_examples
@given(corpus=corpora, cut=st.integers(0, 6))
def test_shards_merge_to_the_whole(name: str, corpus: list[tuple[str, str]], cut: int) -> None:
    outputs, sources = sides(corpus)
    whole, first, second = (SOURCE_TABLE[name]() for _ in range(3))
    first.update(outputs[:cut], sources=sources[:cut])
    second.update(outputs[cut:], sources=sources[cut:])
    merged = first.merge(pickle.loads(pickle.dumps(second)))
    again = SOURCE_TABLE[name]().add_state(json.loads(json.dumps(merged.state())))
    assert merged.compute().parts == again.compute().parts == whole.corpus(outputs, sources=sources).parts
    assert merged.compute().signature == whole.corpus(outputs, sources=sources).signature


@for_every_metric
@few_examples
@given(corpus=corpora, data=st.data())
def test_segments_have_no_order_and_are_corpora_of_one(
    name: str, corpus: list[tuple[str, str]], data: st.DataObject
) -> None:
    metric: Metric[Any] = SOURCE_TABLE[name]()
    outputs, sources = sides(corpus)
    shuffled = sides(data.draw(st.permutations(corpus)))
    assert metric.corpus(shuffled[0], sources=shuffled[1]).value == metric.corpus(outputs, sources=sources).value
    values = metric.sentences(outputs, sources=sources, threads=2).tolist()
    assert values == [metric.sentence(text, source=source).value for text, source in corpus]
    assert values == [metric.corpus([text], sources=[source]).value for text, source in corpus]


@for_every_metric
@few_examples
@given(corpus=corpora)
def test_references_are_not_looked_at(name: str, corpus: list[tuple[str, str]]) -> None:
    metric: Metric[Any] = SOURCE_TABLE[name]()
    outputs, sources = sides(corpus)
    others = [["anything", "at all"] for _ in corpus]
    score = metric.corpus(outputs, others, sources=sources)
    assert score.value == metric.corpus(outputs, sources=sources).value
    assert "references:0" in score.signature
    assert type(metric).from_signature(score.signature).signature == metric.signature


@for_every_metric
@few_examples
@given(corpus=corpora)
def test_tokens_score_like_texts(name: str, corpus: list[tuple[str, str]]) -> None:
    metric: Metric[Any] = SOURCE_TABLE[name]()
    outputs, sources = sides(corpus)
    tokens = [text.split() for text in outputs], [text.split() for text in sources]
    assert metric.corpus(tokens[0], sources=tokens[1]).value == metric.corpus(iter(outputs), sources=sources).value


@for_every_metric
def test_bad_input_is_refused(name: str) -> None:
    metric: Metric[Any] = SOURCE_TABLE[name]()
    with pytest.raises(MissingSourcesError):
        metric.corpus(["a"])
    with pytest.raises(LengthMismatchError, match="hypotheses has 2 segments but sources has 1"):
        metric.corpus(["a", "b"], sources=["a"])
    with pytest.raises(BareStringError, match="sources"):
        metric.corpus(["a"], sources="a")
    with pytest.raises(NotTextError, match=r"sources\[0\]"):
        metric.corpus(["a"], sources=[None])  # type: ignore[list-item]
    with pytest.raises(MergeError):
        metric.merge(SOURCE_TABLE[name](lowercase=False))
