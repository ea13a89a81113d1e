"""Laws that every metric of the pool table keeps."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import bleuprint as bp
from bleuprint.core.pool import words_of_parts
from bleuprint.errors import BareStringError, MergeError, OptionError, PoolError, SurrogateError
from bleuprint.metrics import registry
from bleuprint.metrics.base.metric import Metric
from tests.laws.strategies import share
from tests.support.tables import POOL_TABLE

words = st.lists(st.sampled_from(["a", "b", "c", "the", "mat", "é"]), max_size=9).map(" ".join)
pools = st.lists(words, min_size=2, max_size=8)
for_every_metric = pytest.mark.parametrize("name", sorted(POOL_TABLE))
fewer_examples = share(50, len(POOL_TABLE))
KINDS: dict[str, Any] = dict(POOL_TABLE)  # each kind has options of its own
REFERENCES = ["the cat sat on the mat", "a b c", "b c a the"]


# The texts are read one after another, so their order is part of what is measured.
IN_ORDER = {"compression-ratio", "mattr", "mtld"}
# Eigenvalues are computed in floating point, whose rounding depends on the order of the texts.
ROUNDED = {"vendi"}
# What looks inside texts, or only at word frequencies, does not see texts that repeat each other; entropy has no end to
# compare with; and MTLD counts a text that never falls to its threshold as one factor.
BLIND_TO_COPIES = {"entropy", "loops", "mtld", "zipf"}


def empty(name: str, max_order: int = 3) -> Metric[Any]:
    orders = {"max_order": max_order, "order": max_order}
    known = {option: value for option, value in orders.items() if option in registry.options_of(KINDS[name])}
    metric: Metric[Any] = KINDS[name](tokenizer="whitespace", **known)
    return metric


def make(name: str) -> Metric[Any]:
    metric = empty(name)
    if metric.needs_references:
        metric.add_references(REFERENCES)
    return metric


@for_every_metric
@fewer_examples
@given(texts=pools, data=st.data())
def test_any_order_and_any_split_gives_the_same_bits(name: str, texts: list[str], data: st.DataObject) -> None:
    whole = make(name).corpus(texts)
    shuffled = texts if name in IN_ORDER else data.draw(st.permutations(texts))
    again = make(name).corpus(shuffled, threads=2)
    assert again.per_order == whole.per_order
    assert again.value == (pytest.approx(whole.value, rel=1e-9) if name in ROUNDED else whole.value)
    cut = data.draw(st.integers(0, len(texts)))
    streamed = make(name).update(texts[:cut]).update(texts[cut:])
    assert (streamed.compute().value, streamed.compute().per_order) == (whole.value, whole.per_order)
    merged = make(name).update(texts[:cut]).merge(empty(name).update(texts[cut:])).compute()
    assert (merged.value, merged.per_order) == (whole.value, whole.per_order)
    if whole.per_text is not None:
        assert np.array_equal(streamed.compute().per_text, whole.per_text)


@for_every_metric
@fewer_examples
@given(texts=pools)
def test_arguments_signatures_and_kinds_of_input(name: str, texts: list[str]) -> None:
    before = copy.deepcopy(texts)
    score = make(name).corpus(texts)
    assert texts == before
    replayed = POOL_TABLE[name].from_signature(score.signature)
    if replayed.needs_references:
        replayed.add_references(REFERENCES)
    for again in (replayed.corpus(texts), make(name).corpus([text.split() for text in texts])):
        assert (again.value, again.per_order) == (score.value, score.per_order)
    factor = 100 if POOL_TABLE[name].has_percent else 1
    assert make(name).corpus(tuple(texts)).percent == factor * score.value == factor * float(score)
    assert name in str(score)


@for_every_metric
def test_guards(name: str) -> None:
    with pytest.raises(PoolError):
        make(name).corpus([])
    with pytest.raises(BareStringError):
        make(name).corpus("one text")
    with pytest.raises(SurrogateError, match=r"texts\[1\]"):
        make(name).corpus(["a", "\ud800"])
    if empty(name, 2).signature != empty(name, 3).signature:
        with pytest.raises(OptionError):
            empty(name, 0)
        with pytest.raises(MergeError):
            make(name).merge(empty(name, 2))
    with pytest.raises(MergeError):
        make(name).merge(KINDS[name](tokenizer="char"))
    if KINDS[name].fewest_texts == 1:  # the others compare a text with another
        assert make(name).corpus(["a b c"]).texts == 1
    assert make(name).update(["a b", "a c"]).reset().update(["x", "y"]).merge(make(name)) is not None


@for_every_metric
def test_repeating_a_text_never_looks_more_diverse(name: str) -> None:
    if make(name).needs_references or name in BLIND_TO_COPIES:
        return
    diverse = [f"w{i} x{i} y{i} z{i}" for i in range(6)]
    repeated = diverse[:3] * 2
    better, worse = make(name).corpus(diverse).value, make(name).corpus(repeated).value
    assert better > worse if POOL_TABLE[name].higher_is_better else better < worse


@for_every_metric
@fewer_examples
@given(texts=pools, data=st.data())
def test_the_value_of_a_part_is_that_of_its_score(name: str, texts: list[str], data: st.DataObject) -> None:
    """Tests and intervals ask for the value alone, which is counted without the scores of the texts."""
    metric = make(name).update(texts)
    summary: Any = metric.summary
    assert summary.values()[-1] == metric.compute().value
    kept = sorted(data.draw(st.sets(st.integers(0, len(texts) - 1), min_size=min(2, len(texts)))))
    expected = make(name).corpus([texts[place] for place in kept]).value
    assert summary.part(kept).values()[-1] == expected
    with pytest.raises(PoolError):
        summary.part([]).values()


@for_every_metric
@fewer_examples
@given(texts=pools, data=st.data(), parts=st.integers(1, 70))
def test_parts_that_are_scored_together_score_as_alone(
    name: str, texts: list[str], data: st.DataObject, parts: int
) -> None:
    """Self-BLEU and distinct-n score 64 parts at a time from one count; their twin counts each part by itself."""
    summary: Any = make(name).update(texts).summary
    fewest = min(max(2, summary.definition.kind.fewest_texts), len(texts))
    chosen = st.sets(st.integers(0, len(texts) - 1), min_size=fewest)
    members = [np.isin(np.arange(len(texts)), list(data.draw(chosen))) for _ in range(parts)]
    score = summary.part_scorer()
    together = score(words_of_parts(members))[:parts]
    for values, part in zip(together.tolist(), members, strict=True):
        alone = summary.part(np.flatnonzero(part).tolist()).values()
        assert values == pytest.approx(alone, rel=1e-12, abs=1e-15)


def self_bleus(texts: list[str], order: int) -> list[float]:
    found: list[float] = bp.self_bleu(texts, max_order=order, tokenizer="whitespace").per_text.tolist()
    return found


@given(texts=pools, order=st.integers(1, 5), data=st.data())
def test_law_26_scores_move_with_their_texts(texts: list[str], order: int, data: st.DataObject) -> None:
    places = data.draw(st.permutations(range(len(texts))))
    scores = self_bleus(texts, order)
    assert self_bleus([texts[place] for place in places], order) == [scores[place] for place in places]


@given(texts=pools, order=st.integers(1, 5), data=st.data())
def test_law_27_a_text_that_occurs_twice_scores_one(texts: list[str], order: int, data: st.DataObject) -> None:
    copied = data.draw(st.sampled_from(texts))
    assume(len(copied.split()) >= order)
    scores = self_bleus([*texts, copied], order)
    assert {score for text, score in zip([*texts, copied], scores, strict=True) if text == copied} == {1.0}
