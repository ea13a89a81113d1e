"""N-gram counts of a corpus, used to weight the n-grams of other texts."""

from __future__ import annotations

from hashlib import sha256

from bleuprint.core import _native
from bleuprint.core._native import Column
from bleuprint.core.preparation import prepare

__all__ = ["Prior"]


class Prior:
    """N-gram counts of texts: occurrences, or the number of segments that contain each n-gram.

    `texts` is a column, or the `content` of an earlier prior.
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
        # The hash only identifies the prior, so that a signature can name it; no counts depend on it.
        self.name = f"{len(self._prior)}-{sha256(self._prior.content()).hexdigest()[:32]}"

    def content(self) -> bytes:
        """Return the counted texts as bytes, identical on every machine."""
        return self._prior.content()

    def informed_plan(self) -> _native.Plan:
        return self._prior.informed_plan()

    def cosine_plan(self, *, clipped: bool, sigma: float) -> _native.Plan:
        return self._prior.cosine_plan(clipped, sigma)
