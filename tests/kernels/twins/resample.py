"""Random choices and sums of rows in plain Python, number by number."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

MASK = (1 << 64) - 1
STEP = 0x9E3779B97F4A7C15


def mixed(number: int) -> int:
    number = ((number ^ (number >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    number = ((number ^ (number >> 27)) * 0x94D049BB133111EB) & MASK
    return number ^ (number >> 31)


def words(seed: int, trial: int) -> Iterator[int]:
    start = mixed((mixed((seed + STEP) & MASK) + (trial + 1) * STEP) & MASK)
    number = 0
    while True:
        number += 1
        yield mixed((start + number * STEP) & MASK)


def draws(seed: int, trial: int, count: int) -> list[int]:
    """As many numbers below `count`, each as likely as the others."""
    found: list[int] = []
    for word in words(seed, trial):
        for half in (word & 0xFFFFFFFF, word >> 32):
            if (half * count & 0xFFFFFFFF) >= (1 << 32) % count and len(found) < count:
                found.append(half * count >> 32)
        if len(found) == count:
            break
    return found


def coins(seed: int, trial: int, count: int) -> list[bool]:
    stream = words(seed, trial)
    found: list[bool] = []
    while len(found) < count:
        word = next(stream)
        found += [bool(word >> bit & 1) for bit in range(64)]
    return found[:count]


def sum_at(rows: Sequence[Sequence[int]], chosen: Sequence[int]) -> list[int]:
    return [sum(rows[index][column] for index in chosen) for column in range(len(rows[0]))]


def sum_where(rows: Sequence[Sequence[int]], heads: Sequence[bool]) -> list[int]:
    return sum_at(rows, [index for index, head in enumerate(heads) if head])
