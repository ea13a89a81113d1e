"""Sums of rows chosen at random: equal to plain Python's, whatever the threads, blocks and sizes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from bleuprint.statistics.chance import Chance, RowSums, numbers_below
from tests.kernels.twins import resample
from tests.support.effort import examples

SIZES = [1, 2, 7, 8, 9, 31, 32, 33, 63, 64, 65, 100, 1023, 1024, 1025, 4095, 4096, 4097, 5000]
LARGEST = {"narrow": 300, "wide": 1 << 40}


def random_rows(seed: int, segments: int, columns: int, largest: int = 300) -> NDArray[np.int64]:
    return np.random.default_rng(seed).integers(-largest, largest, size=(segments, columns), dtype=np.int64)


@pytest.mark.parametrize("kind", LARGEST)
@pytest.mark.parametrize("segments", SIZES)
def test_draws_are_those_of_the_twin(segments: int, kind: str) -> None:
    rows = random_rows(segments, segments, 3, LARGEST[kind])
    expected = [resample.sum_at(rows.tolist(), resample.draws(99, trial, segments)) for trial in range(5, 12)]
    assert RowSums(rows).draw(99, 5, 12, 1).tolist() == expected


@pytest.mark.parametrize("kind", LARGEST)
@pytest.mark.parametrize("segments", SIZES)
def test_coins_are_those_of_the_twin(segments: int, kind: str) -> None:
    rows = random_rows(segments, segments, 11, LARGEST[kind])
    expected = [resample.sum_where(rows.tolist(), resample.coins(7, trial, segments)) for trial in range(3, 9)]
    assert RowSums(rows).choose(7, 3, 9, 1).tolist() == expected


@given(st.integers(1, 200), st.integers(1, 20), st.integers(0, (1 << 64) - 1), st.integers(1, 40), st.integers(2, 4))
@settings(max_examples=examples(50))
def test_threads_and_blocks_make_no_difference(
    segments: int, columns: int, seed: int, trials: int, threads: int
) -> None:
    # Above the size that is summed at once without threads.
    copies = 1 + 70_000 // (segments * trials)
    rows = np.tile(random_rows(segments, segments, columns), (copies, 1)).astype(np.int64)
    for sums in (RowSums(rows), RowSums((rows / 7).astype(np.float64))):
        for choose in (sums.draw, sums.choose):
            whole = choose(seed, 0, trials, 1)
            assert (choose(seed, 0, trials, threads) == whole).all()
            middle = trials // 2
            parts = [choose(seed, 0, middle, 1), choose(seed, middle, trials, threads)]
            assert (np.concatenate(parts) == whole).all()


def test_many_trials_cross_the_blocks_of_the_core() -> None:
    rows = random_rows(1, 77, 17)
    sums = RowSums(rows).choose(5, 0, 2500, 2)
    for trial in (0, 1023, 1024, 2047, 2048, 2499):
        assert sums[trial].tolist() == resample.sum_where(rows.tolist(), resample.coins(5, trial, 77))


def test_given_draws_and_coins() -> None:
    generator = np.random.default_rng(3)
    for segments in SIZES:
        rows = random_rows(segments, segments, 9)
        indices = generator.integers(0, segments, size=(6, segments), dtype=np.uint32)
        assert (RowSums(rows).draw_at(indices, 1) == rows[indices].sum(axis=1)).all()
        heads = generator.integers(2, size=(6, segments), dtype=bool)
        padded = np.concatenate([heads.reshape(-1), np.zeros(-heads.size % 32, dtype=bool)])
        words = np.packbits(padded, bitorder="little").view("<u4").astype(np.uint32)
        assert (RowSums(rows).choose_by(words, 6, 1) == heads @ rows).all()


@pytest.mark.parametrize("times", [63, 64, 255, 256, 257, 3000])
def test_a_segment_that_is_drawn_very_often(times: int) -> None:
    """Counts are bytes until one is too large for that."""
    rows = random_rows(4, 3000, 5, 32_000)
    indices = np.arange(3000, dtype=np.uint32)[None, :].copy()
    indices[0, :times] = 17
    assert (RowSums(rows).draw_at(indices, 1) == rows[indices[0]].sum(axis=0)).all()


def test_the_largest_narrow_values() -> None:
    rows = np.full((5000, 2), 32767, dtype=np.int64)
    rows[:, 1] = -32768
    assert RowSums(rows).draw(1, 0, 3, 1).tolist() == [[5000 * 32767, -5000 * 32768]] * 3


def test_sums_beyond_32_bits() -> None:
    rows = np.full((300, 1), 1 << 30, dtype=np.int64)
    heads = sum(resample.coins(2, 0, 300))
    assert RowSums(rows).choose(2, 0, 1, 1).tolist() == [[heads << 30]]


def test_sums_of_floats() -> None:
    rows = random_rows(8, 3001, 2) / 7
    indices = np.random.default_rng(1).integers(0, 3001, size=(4, 3001), dtype=np.uint32)
    assert np.allclose(RowSums(rows).draw_at(indices, 1), rows[indices].sum(axis=1), rtol=0, atol=1e-9)
    heads = np.array([resample.coins(1, trial, 3001) for trial in range(4)])
    assert np.allclose(RowSums(rows).choose(1, 0, 4, 1), heads @ rows, rtol=0, atol=1e-9)


@pytest.mark.parametrize("segments", [1, 2, 3, 31, 32, 33, 1000, 4001])
def test_the_stream_of_numpy_in_blocks(segments: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """sacrebleu makes all its draws in one call, we in blocks: the numbers are the same."""
    monkeypatch.setattr("bleuprint.statistics.chance._BLOCK_OF_WORDS", 3 * segments)
    rows, chance = random_rows(segments, segments, 4), Chance(seed=12345, mode="sacrebleu")
    indices = np.random.default_rng(12345).choice(segments, size=(100, segments), replace=True)
    assert (np.concatenate(list(chance.draws(rows, 100))) == rows[indices].sum(axis=1)).all()
    heads = np.random.default_rng(12345).integers(2, size=(1000, segments), dtype=bool)
    assert (np.concatenate(list(chance.coins(rows, 1000))) == heads @ rows).all()


def test_numbers_below_a_bound_are_those_of_numpy() -> None:
    for bound in (2, 3, 1000, (1 << 31) + 1, (1 << 32) - 1):
        expected = np.random.default_rng(9).integers(0, bound, size=5000)
        words = np.random.default_rng(9).integers(0, 1 << 32, size=12_000, dtype=np.uint32)
        assert (numbers_below(bound, words)[:5000] == expected).all()


def test_draws_are_even() -> None:
    """χ² over 50 segments: 99.9 % of fair dice stay below 85.4."""
    counts = RowSums(np.eye(50, dtype=np.int64)).draw(12345, 0, 20_000, 1).sum(axis=0)
    assert ((counts - 20_000) ** 2 / 20_000).sum() < 85.4
    heads = RowSums(np.eye(50, dtype=np.int64)).choose(12345, 0, 20_000, 1).sum(axis=0)
    assert ((heads - 10_000) ** 2 / 5_000).sum() < 86.7


def test_wrong_sizes_are_refused() -> None:
    sums = RowSums(random_rows(1, 4, 2))
    with pytest.raises(IndexError, match="not so many rows"):
        sums.draw_at(np.full((1, 4), 4, dtype=np.uint32), 1)
    with pytest.raises(ValueError, match="not so many draws"):
        sums.draw_at(np.zeros((1, 3), dtype=np.uint32), 1)
    with pytest.raises(ValueError, match="not so many coins"):
        sums.choose_by(np.zeros(2, dtype=np.uint32), 1, 1)
    with pytest.raises(ValueError, match="there must be rows"):
        RowSums(random_rows(1, 0, 2))
