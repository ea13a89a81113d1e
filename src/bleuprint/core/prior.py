"""N-gram counts of a corpus, used to weight the n-grams of other texts."""

from __future__ import annotations

from itertools import pairwise

from bleuprint.core import _native
from bleuprint.core._native import Column
from bleuprint.core.arrays import np
from bleuprint.core.unicode import prepare


class Prior:
    """N-gram counts of texts: occurrences, or the number of segments that contain each n-gram.

    `texts` is a column, or the `content` of an earlier prior.
    """

    def __init__(
        self, texts: Column | bytes, scheme: str, lowercase: bool, max_order: int, *, by_segment: bool, threads: int
    ) -> None:
        from hashlib import sha256  # loads OpenSSL, which BLEU alone does without

        prepare(scheme, lowercase)
        self.orders = range(1, max_order + 1)
        if isinstance(texts, bytes):
            self.native = _native.Prior(texts, scheme, lowercase, max_order, by_segment)
        else:
            self.native = _native.Prior(texts, scheme, lowercase, max_order, by_segment, threads)
        # The hash only identifies the prior, so that a signature can name it; no counts depend on it.
        self.name = f"{len(self.native)}-{sha256(self.native.content()).hexdigest()[:32]}"

    def content(self) -> bytes:
        """Return the counted texts as bytes, identical on every machine."""
        return self.native.content()

    def segments(self) -> list[list[tuple[str | int, ...]]]:
        """Return the tokens of the counted texts, by segment."""
        content, offset = self.content(), 32
        words, tokens, texts, segments = np.frombuffer(content, "<u8", 4).tolist()
        vocabulary: list[str | int] = []
        for _ in range(words):
            begin = offset + 8
            offset = begin + int.from_bytes(content[offset:begin], "little")
            word = content[begin:offset]
            # A number is a byte that is not part of UTF-8, then its digits in base 16.
            vocabulary.append(int(word[1:], 16) if word[:1] == b"\xff" else word.decode())
        ids = np.frombuffer(content, "<u4", tokens, offset).tolist()
        begins = [*np.frombuffer(content, "<u8", texts, offset + 4 * tokens).tolist(), tokens]
        ends = np.frombuffer(content, "<u8", segments, offset + 4 * tokens + 8 * texts).tolist()
        listed = [tuple(vocabulary[at] for at in ids[begin:end]) for begin, end in pairwise(begins)]
        return [listed[begin:end] for begin, end in pairwise([0, *ends])]
