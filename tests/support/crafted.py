"""Keys that collide under a known seed, found by trying many: what an author of texts could do who knew it."""

from __future__ import annotations

import itertools

import numpy as np
from numpy.typing import NDArray

GOLDEN = 0x9E3779B97F4A7C15
SPREAD = 0xD6E8FEB86659FD93
MASK = (1 << 64) - 1
Words = NDArray[np.uint64]


def _half(value: int) -> np.uint64:
    return np.uint64(value & 0xFFFFFFFF)


def _mixed(values: Words, factor: int) -> Words:
    """`mix` of native/tables/vocabulary_key.hpp: the low half of a product of 128 bits, xor its high half."""
    low, high = values & _half(MASK), values >> np.uint64(32)
    factor_low, factor_high = _half(factor), _half(factor >> 32)
    first, second, third = low * factor_low, high * factor_low, low * factor_high
    middle = (first >> np.uint64(32)) + (second & _half(MASK)) + (third & _half(MASK))
    product_low = (first & _half(MASK)) | (middle << np.uint64(32))
    carried = (second >> np.uint64(32)) + (third >> np.uint64(32)) + (middle >> np.uint64(32))
    mixed: Words = product_low ^ (high * factor_high + carried)
    return mixed


def _turned(seed: int) -> int:
    return (seed << 32 | seed >> 32) & MASK


def pair_places(keys: Words, seed: int) -> Words:
    return _mixed(_mixed(keys ^ np.uint64(seed), GOLDEN), SPREAD)


def token_places(tokens: Words, seed: int) -> Words:
    """Of tokens of eight bytes, given as words."""
    return _mixed(_mixed(tokens ^ np.uint64(seed ^ 8), GOLDEN ^ _turned(seed)), SPREAD)


def _near_the_start(keys: Words, places: Words, count: int) -> Words:
    """Those whose places lie in the first 1/256 of a table that `count` fill by a quarter, or of a smaller one."""
    bits = (4 * count - 1).bit_length()
    chosen = keys[(places & np.uint64((1 << bits) - 1)) < np.uint64(1 << (bits - 8))]
    assert len(chosen) >= count
    found: Words = chosen[:count]
    return found


def colliding_pairs(count: int, seed: int) -> Words:
    """Pairs of ids, as a text brings them about by putting the words with those ids side by side."""
    side = int((400 * count) ** 0.5) + 1
    ids = np.arange(side, dtype=np.uint64)
    keys = (ids[:, None] << np.uint64(32) | ids[None, :]).ravel()
    return _near_the_start(keys, pair_places(keys, seed), count)


def blindly_crafted_pairs(bits: int) -> Words:
    """2 ** bits pairs against one product with a known factor, whatever its seed.

    Differences of two keys that such a hash sends to nearly the same place for most seeds, and all sums of them: with
    512 keys a look-up passed 18 slots on average, and up to 221, where half a slot is usual.
    """
    chance = np.random.default_rng(1)
    values = chance.integers(0, 1 << 63, 500, dtype=np.uint64)
    places = [*range(20), *range(32, 52)]  # bits of two ids of a text of a million words
    single = [np.uint64(1) << np.uint64(place) for place in places]
    differences = [one | other for one, other in itertools.combinations(single, 2)]
    mask, before = np.uint64((2 << bits) - 1), _mixed(values, GOLDEN)

    def near(difference: np.uint64) -> float:
        gap = (_mixed(values ^ difference, GOLDEN) - before) & mask
        return float(np.mean((gap < 32) | (gap > mask - np.uint64(31))))

    chosen: list[np.uint64] = []
    for difference in sorted(differences, key=near, reverse=True):
        if all(int(difference) & int(other) == 0 for other in chosen) and len(chosen) < bits:
            chosen.append(difference)
    keys = np.array([1234 << 32 | 777], dtype=np.uint64)
    for difference in chosen:
        keys = np.concatenate([keys, keys ^ difference])
    return keys


def _eight_letters(count: int, start: int = 0) -> Words:
    """Numbers as eight letters, all different."""
    numbers = np.arange(start, start + count, dtype=np.uint64)
    letters = np.zeros(count, dtype=np.uint64)
    for place in range(8):
        letters |= (np.uint64(97) + numbers % np.uint64(26)) << np.uint64(8 * place)
        numbers //= np.uint64(26)
    return letters


def _texts(words: Words) -> list[str]:
    return [word.tobytes().decode() for word in words.astype("<u8")]


def colliding_words(count: int, seed: int) -> list[str]:
    words = _eight_letters(400 * count)
    return _texts(_near_the_start(words, token_places(words, seed), count))


def ordinary_words(count: int) -> list[str]:
    return _texts(_eight_letters(count, start=1 << 36))
