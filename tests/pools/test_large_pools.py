"""What `diversity` leaves out for large pools, it says."""

from __future__ import annotations

from importlib import import_module

import pytest

import bleuprint as bp

NAMES = ("compression-ratio (gzip)", "compression-ratio (zstd)")


def test_compression_of_a_large_pool_has_no_interval(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [f"word {number % 97} and {number * number % 1009} of it" for number in range(200)]
    small = bp.diversity(texts)
    monkeypatch.setattr(import_module("bleuprint.pools.diversity"), "_MOST_COMPRESSED", 1000)
    large = bp.diversity(texts)
    assert small.notes == large.notes[: len(small.notes)]
    assert {note.partition(" has no interval: ")[0] for note in large.notes[len(small.notes) :]} == set(NAMES)
    for name in NAMES:
        assert small[name].low is not None
        assert (large[name].low, large[name].value) == (None, small[name].value)
