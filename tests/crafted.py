"""Keys that collide under a known seed, found by trying many: what an author of texts could do who knew it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["colliding_pairs", "colliding_words", "ordinary_words", "token_places"]

GOLDEN = 0x9E3779B97F4A7C15
MASK = (1 << 64) - 1
Words = NDArray[np.uint64]


def _half(value: int) -> np.uint64:
    return np.uint64(value & 0xFFFFFFFF)


def _mixed(values: Words, factor: int) -> Words:
    """`mix` of native/vocabulary_key.hpp: the low half of a product of 128 bits, xor its high half."""
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
    return _mixed(_mixed(keys ^ np.uint64(seed), GOLDEN), (0xC2B2AE3D27D4EB4F ^ _turned(seed)) | 1)


def token_places(tokens: Words, seed: int) -> Words:
    """Of tokens of eight bytes, given as words."""
    return _mixed(_mixed(tokens ^ np.uint64(seed ^ 8), GOLDEN ^ _turned(seed)), GOLDEN)


def _near_the_start(keys: Words, places: Words, count: int) -> Words:
    """Those whose places lie in the first 1/256 of a table that is just large enough for `count`."""
    bits = (2 * count - 1).bit_length()
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
