"""Digests of texts, so that a saved result can recognize the texts it was computed on."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence


def digest_of(segments: Iterable[str | Sequence[str]]) -> str:
    """Return the SHA-256 of segments: texts or lists of texts. A text and a list with only that text are equal.

    >>> digest_of(["ab"]) == digest_of(["a", "b"]), digest_of(["a"]) == digest_of([("a",)])
    (False, True)
    """
    digest = hashlib.sha256()
    for segment in segments:
        encoded = [text.encode() for text in ((segment,) if isinstance(segment, str) else segment)]
        # Lengths come first, so that different segments never produce the same bytes.
        digest.update(" ".join(str(len(text)) for text in encoded).encode() + b"\n" + b"".join(encoded))
    return f"sha256:{digest.hexdigest()}"
