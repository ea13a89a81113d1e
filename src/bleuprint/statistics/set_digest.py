"""Digests of sets of texts that do not depend on their order, and merge exactly.

Each text is hashed to a number of 2048 bits, and the numbers are added modulo 2**2048. Finding another set with the
same sum takes about 2**90 steps, by the generalized birthday attack.
Bellare, Micciancio (1997): A New Paradigm for Collision-Free Hashing. Wagner (2002): A Generalized Birthday Problem.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

_BYTES = 256
_MODULUS = 1 << (8 * _BYTES)


class SetDigest:
    """A running digest of a collection of byte strings; equal ones count as often as they occur.

    >>> whole = SetDigest().add([b"a", b"b", b"b"])
    >>> whole.name
    '3-073d56b5bbb169b8fe0b40432d030824'
    >>> SetDigest().add([b"b"]).merge(SetDigest().add([b"b", b"a"])).name == whole.name
    True
    """

    __slots__ = ("_sum", "count")

    def __init__(self) -> None:
        self._sum = 0
        self.count = 0

    def add(self, items: Iterable[bytes]) -> SetDigest:
        """Add byte strings."""
        for item in items:
            self._sum += int.from_bytes(hashlib.shake_256(item).digest(_BYTES), "little")
            self.count += 1
        self._sum %= _MODULUS
        return self

    def merge(self, other: SetDigest) -> SetDigest:
        """Add the items of another digest."""
        self._sum = (self._sum + other._sum) % _MODULUS
        self.count += other.count
        return self

    def state(self) -> tuple[int, int]:
        """Return the sum and the number of items."""
        return self._sum, self.count

    @classmethod
    def of_state(cls, state: Iterable[int]) -> SetDigest:
        """Restore a digest from its state; ValueError if it cannot be one."""
        digest = cls()
        digest._sum, digest.count = state
        if not all(type(number) is int for number in (digest._sum, digest.count)):
            raise ValueError("digest must hold two integers")
        if not 0 <= digest._sum < _MODULUS or digest.count < 0:
            raise ValueError("digest must hold a sum below 2**2048 and a number of texts")
        return digest

    @property
    def name(self) -> str:
        """The number of items and 128 bits of the digest."""
        return f"{self.count}-{hashlib.sha256(self._sum.to_bytes(_BYTES, 'little')).hexdigest()[:32]}"
