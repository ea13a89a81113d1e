"""Texts whose n-grams are counted once, to weigh those of other texts by."""

from __future__ import annotations

from hashlib import sha256

from bleuprint.core import _native
from bleuprint.core._native import Column
from bleuprint.core.preparation import prepare

__all__ = ["Prior"]


class Prior:
    """What was counted of texts: occurrences of n-grams, or segments that have them.

    The texts are a column, or the content of a prior that has counted them before.
    """

    def __init__(
        self, texts: Column | bytes, scheme: str, lowercase: bool, max_order: int, *, by_segment: bool, threads: int
    ) -> None:
        prepare(scheme, lowercase)
        self.orders = range(1, max_order + 1)
        if isinstance(texts, bytes):
            self._prior = _native.Prior(texts, scheme, lowercase, max_order, by_segment)
        else:
            self._prior = _native.Prior(texts, scheme, lowercase, max_order, by_segment, threads)
        # Not a hash that stands for anything counted: a name by which to tell that a prior is the one asked for.
        self.name = f"{len(self._prior)}-{sha256(self._prior.content()).hexdigest()[:32]}"

    def content(self) -> bytes:
        """The texts as they were counted, the same bytes on every machine."""
        return self._prior.content()

    def informed_plan(self) -> _native.Plan:
        return self._prior.informed_plan()

    def cosine_plan(self, *, clipped: bool, sigma: float) -> _native.Plan:
        return self._prior.cosine_plan(clipped, sigma)
