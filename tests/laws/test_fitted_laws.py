"""Laws of metrics that weigh by a corpus, beside those of all metrics, which they keep under a prior."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleuprint.errors import (
    FitError,
    LengthMismatchError,
    MergeError,
    NoReferenceError,
    NotTextError,
    SignatureError,
    SurrogateError,
)
from bleuprint.metrics.base.metric import FittedMetric
from tests.laws.cases import options_of
from tests.laws.strategies import (
    LETTERS,
    Segment,
    Segments,
    corpora,
    hypotheses_of,
    random_segments,
    references_of,
    share,
)
from tests.support.tables import FITTED_TABLE

KINDS: dict[str, Any] = dict(FITTED_TABLE)  # each kind has options of its own
every_case = pytest.mark.parametrize(
    ("name", "options"), [(name, options) for name in sorted(KINDS) for options in options_of(name)]
)
every_kind = pytest.mark.parametrize("name", sorted(KINDS))
fewer_examples = share(25, len(FITTED_TABLE))
AnyFitted = FittedMetric[Any]


def fitted(name: str, options: dict[str, Any], prior: Segments) -> AnyFitted:
    metric: AnyFitted = KINDS[name](**options).fit(references_of(prior))
    return metric


def score(metric: AnyFitted, corpus: Segments) -> float:
    return float(metric.corpus(hypotheses_of(corpus), references_of(corpus)))


def rows(metric: AnyFitted, corpus: Segments) -> list[list[int]]:
    listed: list[list[int]] = metric.statistics(hypotheses_of(corpus), references_of(corpus)).rows.tolist()
    return listed


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
    corpus = random_segments(4, 2553)
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
