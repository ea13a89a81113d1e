"""Digests of texts, so that a saved result can recognize the texts it was computed on."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence


class Digest:
    """A running SHA-256 of segments, independent of how they are split into batches.

    >>> Digest().add(["a", ("b", "c")]).text == Digest().add(["a"]).add([("b", "c")]).text
    True
    >>> Digest().add(["ab"]).text == Digest().add(["a", "b"]).text
    False
    """

    def __init__(self) -> None:
        self._hash = hashlib.sha256()

    def add(self, segments: Iterable[str | Sequence[str]]) -> Digest:
        """Add segments: texts or lists of texts. A text and a list with only that text are equal."""
        for segment in segments:
            texts = (segment,) if isinstance(segment, str) else segment
            encoded = [text.encode() for text in texts]
            # Lengths come first, so that different segments never produce the same bytes.
            self._hash.update(" ".join(str(len(text)) for text in encoded).encode() + b"\n" + b"".join(encoded))
        return self

    @property
    def text(self) -> str:
        return f"sha256:{self._hash.hexdigest()}"


def digest_of(segments: Iterable[str | Sequence[str]]) -> str:
    """Return the digest of all segments."""
    return Digest().add(segments).text
