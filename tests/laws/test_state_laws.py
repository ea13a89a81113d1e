"""What a metric has seen can be written down and carried on elsewhere: nothing is lost, not even the last bit."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleuprint.metrics.base.metric import Metric
from tests.laws.strategies import share
from tests.support.tables import TABLE

words = st.lists(st.sampled_from(["a", "b", "c", "the", "mat.", "é"]), max_size=9).map(" ".join)
segments = st.lists(st.tuples(words, st.lists(words, min_size=1, max_size=2), words), max_size=6)


def add(metric: Metric[Any], rows: list[tuple[str, list[str], str]]) -> Metric[Any]:
    sources = [source for _, _, source in rows] if metric.needs_sources else None
    return metric.update([text for text, _, _ in rows], [texts for _, texts, _ in rows], sources=sources)


@pytest.mark.parametrize("name", sorted(TABLE))
@share(20, len(TABLE))
@given(parts=st.tuples(segments, segments).filter(any))
def test_states_add_up_to_the_whole(name: str, parts: Any) -> None:
    first, second = parts
    whole = add(add(TABLE[name](), first), second).compute()
    states = [json.loads(json.dumps(add(TABLE[name](), rows).state())) for rows in (first, second)]
    joined = TABLE[name]().add_state(states[0]).add_state(states[1]).compute()
    assert (joined.value, joined.columns, joined.signature) == (whole.value, whole.columns, whole.signature)
    assert joined.parts == whole.parts
