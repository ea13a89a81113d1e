"""Digests of sets: whatever the order and the split, and different for different sets."""

from __future__ import annotations

import json
from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from bleuprint.statistics.set_digest import SetDigest

ITEMS = st.lists(st.sampled_from([b"", b"a", b"b", b"ab"]), max_size=6)


@given(ITEMS, ITEMS)
def test_digests_are_those_of_multisets(first: list[bytes], second: list[bytes]) -> None:
    both = [*first, *second]
    whole = SetDigest().add(both)
    assert SetDigest().add(sorted(both)).name == whole.name
    merged = SetDigest().add(second).merge(SetDigest().add(first))
    assert merged.name == whole.name
    assert SetDigest.of_state(json.loads(json.dumps(merged.state()))).name == whole.name
    assert (SetDigest().add(first).name == SetDigest().add(second).name) == (Counter(first) == Counter(second))
