"""What every encoder is: texts in, for each its tokens and an array with one vector per token out."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from bleuprint.errors import OptionError
from bleuprint.signature import Option

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Encoder", "Encoding", "checked_special"]


class Encoding(NamedTuple):
    """The tokens of a text, and a row of float32 for each of them."""

    tokens: Sequence[str]
    vectors: NDArray[np.float32]


class Encoder(ABC):
    """Base of encoders.

    `markers` are the tokens that frame every text, as [CLS] and [SEP] do. With `special="keep"` they stay among the
    tokens and a metric may give them no weight; with "drop" they are taken away, and their vectors with them.
    """

    name: str
    digest: str  # SHA-256 of what decides the vectors; "" if nobody can know
    markers: frozenset[str] = frozenset()
    special: str = "keep"
    layer: int | None = None
    max_length: int | None = None  # tokens; the rest of a longer text is not read
    batch_size: int = 32

    @property
    def options(self) -> dict[str, Option]:
        """What a signature says of the encoder."""
        return {
            "encoder": self.name,
            "encoder_digest": f"sha256-{self.digest}" if self.digest else None,
            "layer": self.layer,
            "max_length": self.max_length,
            "special_tokens": self.special,
        }

    @abstractmethod
    def _encode(self, texts: Sequence[str]) -> Sequence[Encoding]:
        """The encodings of one batch, markers included."""

    def encode(self, texts: Sequence[str]) -> list[Encoding]:
        """The encodings of texts, computed in batches of texts of like length."""
        order = sorted(range(len(texts)), key=lambda place: len(texts[place]))
        found: dict[int, Encoding] = {}
        for begin in range(0, len(order), self.batch_size):
            places = order[begin : begin + self.batch_size]
            batch = self._encode([texts[place] for place in places])
            if len(batch) != len(places):
                raise _refused(f"{len(batch)} encodings for {len(places)} texts")
            for place, encoding in zip(places, batch, strict=True):
                found[place] = self._checked(encoding)
        sizes = sorted({encoding.vectors.shape[1] for encoding in found.values() if len(encoding.tokens)})
        if len(sizes) > 1:
            raise _refused(f"vectors of {' and '.join(map(str, sizes))} numbers")
        return [found[place] for place in range(len(texts))]

    def tokens(self, texts: Sequence[str]) -> list[Sequence[str]]:
        """The tokens alone, for what needs no vectors."""
        return [encoding.tokens for encoding in self.encode(texts)]

    def _unmarked(self, tokens: Sequence[str]) -> Sequence[str]:
        return tokens if self.special == "keep" else [token for token in tokens if token not in self.markers]

    def _checked(self, encoding: Encoding) -> Encoding:
        import numpy as np

        tokens, given = encoding
        if len(tokens) == 0:
            return Encoding((), np.zeros((0, 0), dtype=np.float32))
        vectors = np.asarray(given, dtype=np.float32)
        if vectors.ndim != 2 or len(vectors) != len(tokens):
            raise _refused(f"{len(tokens)} tokens with an array of shape {vectors.shape}")
        if not np.isfinite(vectors).all():
            raise _refused("vectors with numbers that are infinite or NaN")
        if self.special == "keep":
            return Encoding(tokens, vectors)
        kept = [place for place, token in enumerate(tokens) if token not in self.markers]
        return Encoding([tokens[place] for place in kept], vectors[kept])


def _refused(got: str) -> OptionError:
    return OptionError(
        "encoder",
        "something that gives, for every text, tokens and one row of finite floats each, all of one length",
        got,
    )


def checked_special(value: str) -> str:
    if value not in ("keep", "drop"):
        raise OptionError("special", "'keep' or 'drop'", value)
    return value
