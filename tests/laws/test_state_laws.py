"""What a metric has seen can be written down and carried on elsewhere: nothing is lost, not even the last bit."""

from __future__ import annotations

import copy
import json
import pickle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleuprint.errors import NoSegmentsError, PoolError
from bleuprint.metrics.base.metric import Metric
from tests.laws.strategies import share
from tests.support.every import EVERY, ROWS, Row, add, make

words = st.lists(st.sampled_from(["a", "b", "c", "the", "mat.", "é"]), max_size=9).map(" ".join)
rows = st.builds(Row, words, st.lists(words, min_size=1, max_size=2), words)
segments = st.lists(rows, max_size=6)
for_every_metric = pytest.mark.parametrize("name", EVERY)


def answer(metric: Metric[Any]) -> tuple[Any, ...]:
    """All that a score says; or, of fewer texts than a pool needs, that."""
    try:
        score = metric.compute()
    except (PoolError, NoSegmentsError) as error:
        return (str(error),)
    return score.value, score.columns, score.signature, score.parts


@for_every_metric
@share(20, len(EVERY))
@given(parts=st.tuples(segments, segments).filter(any))
def test_states_add_up_to_the_whole(name: str, parts: Any) -> None:
    first, second = parts
    whole = add(add(make(name), first), second)
    states = [json.loads(json.dumps(add(make(name), part).state())) for part in (first, second)]
    assert answer(make(name).add_state(states[0]).add_state(states[1])) == answer(whole)


@for_every_metric
@share(20, len(EVERY))
@given(parts=st.tuples(segments, segments, segments).filter(any))
def test_shards_and_batches_make_the_whole(name: str, parts: Any) -> None:
    first, second, third = parts
    whole = add(make(name), [*first, *second, *third])
    left = add(make(name), first).merge(add(make(name), second)).merge(add(make(name), third))
    right = add(make(name), first).merge(add(make(name), second).merge(add(make(name), third)))
    batches = add(add(add(make(name), first), second), third)
    padded = make(name).merge(batches).merge(make(name))
    assert answer(left) == answer(right) == answer(batches) == answer(padded) == answer(whole)
    assert left.state() == right.state() == batches.state() == padded.state()


@for_every_metric
def test_a_state_is_what_was_added_and_no_more(name: str) -> None:
    metric = add(make(name), ROWS)
    state = json.loads(json.dumps(metric.state()))
    assert make(name).add_state(state).state() == state
    assert metric.reset().state() == make(name).state()
    assert make(name).add_state(make(name).state()).state() == make(name).state()


@for_every_metric
def test_copies_go_their_own_way(name: str) -> None:
    metric = add(make(name), ROWS[:3])
    before, whole = answer(metric), answer(add(make(name), ROWS))
    copies = [copy.copy(metric), copy.deepcopy(metric), metric.fresh().merge(metric)]
    copies.append(pickle.loads(pickle.dumps(metric)))
    for twin in copies:
        assert answer(twin) == before
        assert answer(add(twin, ROWS[3:])) == whole
        assert answer(metric) == before, "a copy changed the original"
    assert answer(add(metric, ROWS[3:])) == whole
    assert [answer(twin) for twin in copies] == [whole] * len(copies), "the original changed a copy"
