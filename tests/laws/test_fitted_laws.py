"""Laws of metrics that weigh by a corpus: under a prior they keep those of every metric, without one a few of them."""

from __future__ import annotations

import copy
import random
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleuprint.errors import (
    FitError,
    LengthMismatchError,
    MergeError,
    NoReferenceError,
    NoSegmentsError,
    NotTextError,
    SignatureError,
    SurrogateError,
)
from bleuprint.metrics.base.metric import FittedMetric
from bleuprint.statistics.exact_mean import ExactMean
from tests.laws.strategies import LETTERS, Segment, Segments, corpora, hypotheses_of, references_of, share
from tests.support.tables import FITTED_TABLE

KINDS: dict[str, Any] = dict(FITTED_TABLE)  # each kind has options of its own
OPTIONS: dict[str, list[dict[str, Any]]] = {
    "cider": [{}, {"variant": "cider", "max_order": 2}, {"tokenizer": str.split, "sigma": 2.0}],
    "nist": [{}, {"max_order": 2, "lowercase": True}, {"tokenizer": "char", "max_order": 7}],
}
every_case = pytest.mark.parametrize(
    ("name", "options"), [(name, options) for name in sorted(KINDS) for options in OPTIONS[name]]
)
every_kind = pytest.mark.parametrize("name", sorted(KINDS))
fewer_examples = share(25, len(FITTED_TABLE))
AnyFitted = FittedMetric[Any]


def fitted(name: str, options: dict[str, Any], prior: Segments) -> AnyFitted:
    metric: AnyFitted = KINDS[name](**options).fit(references_of(prior))
    return metric


def score(metric: AnyFitted, corpus: Segments, threads: int | None = 1) -> float:
    return float(metric.corpus(hypotheses_of(corpus), references_of(corpus), threads=threads))


def rows(metric: AnyFitted, corpus: Segments) -> list[list[int]]:
    listed: list[list[int]] = metric.statistics(hypotheses_of(corpus), references_of(corpus)).rows.tolist()
    return listed


@every_case
@fewer_examples
@given(prior=corpora(2), parts=st.lists(corpora(0, 3), min_size=3, max_size=3).filter(any))
def test_shards_merge_to_the_whole(name: str, options: dict[str, Any], prior: Segments, parts: list[Segments]) -> None:
    metric = fitted(name, options, prior)

    def state(part: Segments) -> AnyFitted:
        return fitted(name, options, prior).update(hypotheses_of(part), references_of(part))

    a, b, c = parts
    whole = metric.corpus(hypotheses_of(a + b + c), references_of(a + b + c))
    left = state(a).merge(state(b)).merge(state(c)).compute()
    right = state(c).merge(fitted(name, options, prior)).merge(state(b).merge(state(a))).compute()
    assert (left.value, left.columns) == (right.value, right.columns) == (whole.value, whole.columns)
    first, second = (metric.statistics(hypotheses_of(part), references_of(part)) for part in (a, b + c))
    assert (first + second).rows.tolist() == rows(metric, a + b + c)


@every_case
@fewer_examples
@given(data=st.data(), prior=corpora(2), corpus=corpora(1, 6))
def test_a_stream_equals_its_batch(
    name: str, options: dict[str, Any], data: st.DataObject, prior: Segments, corpus: Segments
) -> None:
    metric = fitted(name, options, prior)
    cuts = [0, *sorted(data.draw(st.lists(st.integers(0, len(corpus)), max_size=4))), len(corpus)]
    for begin, end in pairwise(cuts):
        metric.update(hypotheses_of(corpus[begin:end]), references_of(corpus[begin:end]))
    batch, streamed = metric.corpus(hypotheses_of(corpus), references_of(corpus)), metric.compute()
    assert (streamed.columns, streamed.value) == (batch.columns, batch.value)
    assert streamed.signature == batch.signature
    assert metric.update([], []).compute().value == batch.value
    with pytest.raises(NoSegmentsError):
        metric.reset().compute()
    with pytest.raises(NoSegmentsError):
        metric.corpus([], [])


@every_case
@fewer_examples
@given(data=st.data(), corpus=corpora(2, 5))
def test_order_of_segments_and_references(
    name: str, options: dict[str, Any], data: st.DataObject, corpus: Segments
) -> None:
    """With or without a prior: what weighs is the same set of references."""
    metric = fitted(name, options, corpus)
    shuffled = [
        Segment(text, tuple(data.draw(st.permutations(references))))
        for text, references in data.draw(st.permutations(corpus))
    ]
    unfitted = KINDS[name](**options)
    assert score(metric, shuffled) == score(metric, corpus) == score(unfitted, corpus) == score(unfitted, shuffled)


@every_case
@fewer_examples
@given(prior=corpora(2), corpus=corpora())
def test_scores_alone_in_a_row_and_of_the_corpus(
    name: str, options: dict[str, Any], prior: Segments, corpus: Segments
) -> None:
    metric = fitted(name, options, prior)
    together = metric.sentences(hypotheses_of(corpus), references_of(corpus))
    alone = [metric.sentence(*segment) for segment in corpus]
    assert together.tobytes() == np.array([one.value for one in alone]).tobytes()
    assert [list(one.columns) for one in alone] == rows(metric, corpus)
    assert (together >= 0).all()
    if not metric.definition.summary.additive:
        assert ExactMean().add(together).value == score(metric, corpus)
        assert (together <= 10).all()
    else:
        total = metric.statistics(hypotheses_of(corpus), references_of(corpus)).total()
        assert metric.definition.formula(total) == score(metric, corpus)
    sample = metric.sample(hypotheses_of(corpus), references_of(corpus))
    assert sample.score().item() == pytest.approx(score(metric, corpus), rel=1e-13, abs=1e-13)


@every_case
@fewer_examples
@given(prior=corpora(2), corpus=corpora(2))
def test_a_signature_replays_and_its_prior_is_verified(
    name: str, options: dict[str, Any], prior: Segments, corpus: Segments
) -> None:
    function = {key: value for key, value in options.items() if callable(value)}
    given_prior = fitted(name, options, prior).corpus(hypotheses_of(corpus), references_of(corpus))
    own = KINDS[name](**options).corpus(hypotheses_of(corpus), references_of(corpus))
    for original, references in ((given_prior, references_of(prior)), (own, references_of(corpus))):
        replaying = KINDS[name].from_signature(original.signature, **function).fit(references)
        replayed = replaying.corpus(hypotheses_of(corpus), references_of(corpus))
        assert (replayed.value, replayed.signature) == (original.value, original.signature)
    # A score weighed by its own references replays without more ado.
    again = KINDS[name].from_signature(own.signature, **function).corpus(hypotheses_of(corpus), references_of(corpus))
    assert (again.value, again.signature) == (own.value, own.signature)
    with pytest.raises(SignatureError, match="the signature names the prior"):
        KINDS[name].from_signature(own.signature, **function).fit([*references_of(corpus), "xyz"])


@every_case
@fewer_examples
@given(prior=corpora(2), corpus=corpora(), alphabet=st.sampled_from(("hgfedcba", "àáâãäåæç", "бвгджзик")))
def test_names_of_tokens_do_not_matter(
    name: str, options: dict[str, Any], prior: Segments, corpus: Segments, alphabet: str
) -> None:
    table = str.maketrans(LETTERS, alphabet)

    def renamed(segments: Segments) -> Segments:
        return [Segment(text.translate(table), tuple(r.translate(table) for r in group)) for text, group in segments]

    assert rows(fitted(name, options, renamed(prior)), renamed(corpus)) == rows(fitted(name, options, prior), corpus)


@every_kind
@fewer_examples
@given(prior=corpora(2), corpus=corpora())
def test_tokens_equal_the_text_they_make(name: str, prior: Segments, corpus: Segments) -> None:
    def split(segments: Segments) -> list[list[list[str]]]:
        return [[text.split() for text in references] for references in references_of(segments)]

    metric, by_tokens = fitted(name, {}, prior), KINDS[name]().fit(split(prior), tokenized=True)
    assert by_tokens.signature == metric.signature
    words = [text.split() for text in hypotheses_of(corpus)]
    assert by_tokens.statistics(words, split(corpus)).rows.tolist() == rows(metric, corpus)


@every_kind
@fewer_examples
@given(corpus=corpora(2))
def test_arguments_are_never_changed_and_fit_makes_a_new_metric(name: str, corpus: Segments) -> None:
    metric = KINDS[name]()
    hypotheses: list[Any] = hypotheses_of(corpus)
    references: list[Any] = [[*group, None] for group in references_of(corpus)]
    before, signature = copy.deepcopy((hypotheses, references)), metric.signature
    made = metric.fit(references)
    made.update(hypotheses, iter(references))
    assert metric.corpus(iter(hypotheses), iter(references)).value == made.compute().value
    assert (hypotheses, references) == before
    assert metric.signature == signature != made.signature


@every_kind
@pytest.mark.parametrize("threads", [2, 5])
def test_threads_change_nothing(name: str, threads: int) -> None:
    chance = random.Random(4)
    types = ["".join(chance.choices(LETTERS, k=chance.randint(1, 9))) for _ in range(60)]

    def text() -> str:
        return " ".join(chance.choices(types, k=chance.choice((0, 1, 2, 5, 12, 25))))

    corpus = [Segment(text(), tuple(text() for _ in range(chance.randint(1, 3)))) for _ in range(2553)]
    metric = KINDS[name]()
    one, many = (metric.corpus(hypotheses_of(corpus), references_of(corpus), threads=n) for n in (1, threads))
    assert (one.value, one.columns, one.signature) == (many.value, many.columns, many.signature)
    one, many = (metric.sentences(hypotheses_of(corpus), references_of(corpus), threads=n) for n in (1, threads))
    assert one.tobytes() == many.tobytes()
    one, many = (metric.statistics(hypotheses_of(corpus), references_of(corpus), threads=n) for n in (1, threads))
    assert (one.rows == many.rows).all()


@every_kind
def test_what_takes_a_prior_says_so(name: str) -> None:
    metric = KINDS[name]()
    with pytest.raises(FitError, match=r"use metric = metric\.fit\(references\)"):
        metric.update(["a"], ["a"])
    with pytest.raises(FitError, match="has none yet, so states cannot be merged"):
        metric.merge(KINDS[name]())
    first, second = (metric.fit(texts) for texts in (["a b", "c"], ["a b", "d"]))
    with pytest.raises(MergeError):
        first.merge(second)
    with pytest.raises(MergeError):
        first.statistics(["a"], ["a"]) + second.statistics(["a"], ["a"])


@every_kind
def test_bad_input(name: str) -> None:
    metric = KINDS[name]()
    for scored in (metric, metric.fit(["a b", "b c"])):
        with pytest.raises(SurrogateError):
            scored.corpus(["a", "b"], ["a", "\ud800"])
        with pytest.raises(LengthMismatchError):
            scored.sentences(["a"], ["a", "b"])
        with pytest.raises(NoReferenceError):
            scored.corpus(["a", "b"], ["a", [None]])
        with pytest.raises(NotTextError):
            scored.sentence(None, ["a"])
    with pytest.raises(SurrogateError):
        metric.fit(["a", "\udfff"])
    with pytest.raises(NotTextError, match=r"references\[1\]"):
        metric.fit(["a", None])
    with pytest.raises(TypeError):
        metric.fit("a b")
    assert metric.fit(["a\0b " * 3, ""]).sentence("a\0b", "a\0b").value >= 0.0
