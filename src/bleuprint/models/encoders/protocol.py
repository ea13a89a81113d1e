"""The encoder interface: texts in; for each, its tokens and an array with one vector per token out.

`CallableEncoder` makes one of a function.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from bleuprint import checks
from bleuprint.core.arrays import NDArray, np
from bleuprint.errors import OptionError
from bleuprint.signature import Option

_FLOATS = "a function or model that returns tokens and one vector of finite floats per token, all of the same length"
_PAIRS = "a function that returns (tokens, vectors) for every text"


class Encoding(NamedTuple):
    """The tokens of a text, and one float32 row per token."""

    tokens: Sequence[str]
    vectors: NDArray[np.float32]


class Encoder(ABC):
    """Base class of encoders.

    `markers` are the special tokens around every text, such as [CLS] and [SEP], to which a metric may give no weight.
    """

    name: str
    digest: str  # SHA-256 of everything that affects the vectors; "" if unknown
    markers: frozenset[str] = frozenset()
    layer: int | None = None
    max_length: int | None = None  # in tokens; longer texts are truncated
    batch_size: int = 32

    def __init__(self, *, batch_size: int = 32, layer: int | None = None) -> None:
        self.batch_size = checks.integer("batch_size", batch_size)
        self.layer = layer

    @property
    def options(self) -> dict[str, Option]:
        """Options that identify the encoder in a signature."""
        return {
            "encoder": self.name,
            "encoder_digest": f"sha256-{self.digest}" if self.digest else None,
            "layer": self.layer,
            "max_length": self.max_length,
        }

    @abstractmethod
    def _encode(self, texts: Sequence[str]) -> Sequence[Encoding]:
        """Return the encodings of one batch, including markers."""

    def encode(self, texts: Sequence[str]) -> list[Encoding]:
        """Return the encodings of texts, computed in batches of similar length."""
        order = sorted(range(len(texts)), key=lambda place: len(texts[place]))
        encodings: dict[int, Encoding] = {}
        for begin in range(0, len(order), self.batch_size):
            places = order[begin : begin + self.batch_size]
            batch = self._encode([texts[place] for place in places])
            if len(batch) != len(places):
                raise _fault(f"{len(batch)} encodings for {len(places)} texts")
            for place, encoding in zip(places, batch, strict=True):
                encodings[place] = self._check(encoding)
        sizes = sorted({encoding.vectors.shape[1] for encoding in encodings.values() if len(encoding.tokens)})
        if len(sizes) > 1:
            raise _fault(f"vectors of different lengths ({', '.join(map(str, sizes))})")
        return [encodings[place] for place in range(len(texts))]

    def tokens(self, texts: Sequence[str]) -> list[Sequence[str]]:
        """Return only the tokens, for callers that need no vectors."""
        return [encoding.tokens for encoding in self.encode(texts)]

    def _check(self, encoding: Encoding) -> Encoding:
        tokens, given = encoding
        if len(tokens) == 0:
            return Encoding((), np.zeros((0, 0), dtype=np.float32))
        vectors = np.asarray(given, dtype=np.float32)
        if vectors.ndim != 2 or len(vectors) != len(tokens):
            raise _fault(f"{len(tokens)} tokens with an array of shape {vectors.shape}")
        if not np.isfinite(vectors).all():
            raise _fault("vectors with infinite or NaN values")
        return Encoding(tokens, vectors)


def _fault(got: str, allowed: str = _FLOATS) -> OptionError:
    return OptionError("encoder", allowed, got)


class CallableEncoder(Encoder):
    """Wraps a function that takes a list of texts and returns, for each, its tokens and one vector per token.

    >>> import numpy as np
    >>> def letters(texts):
    ...     return [(list(text), np.eye(26)[[ord(letter) - 97 for letter in text]]) for text in texts]
    >>> encoder = CallableEncoder(letters, name="letters")
    >>> tokens, vectors = encoder.encode(["abba"])[0]
    >>> "".join(tokens), vectors.shape
    ('abba', (4, 26))

    Signatures contain `name` and, if given, a `digest` of the underlying weights.
    """

    def __init__(
        self,
        function: Callable[[list[str]], Iterable[tuple[Sequence[str], Any]]],
        *,
        name: str | None = None,
        digest: str = "",
        markers: Iterable[str] = (),
        layer: int | None = None,
        batch_size: int = 32,
    ) -> None:
        if not callable(function):
            raise OptionError("encoder", "a callable that takes a list of texts", function)
        module, own = getattr(function, "__module__", "?"), getattr(function, "__qualname__", type(function).__name__)
        super().__init__(batch_size=batch_size, layer=layer)
        self.name = f"custom({module}.{own})" if name is None else name
        self.digest = digest
        self.markers = frozenset(markers)
        self._function = function

    def _encode(self, texts: Sequence[str]) -> list[Encoding]:
        encoded = self._function(list(texts))
        pairs = checks.items_of(encoded)
        if pairs is None:
            raise _fault(type(encoded).__name__, _PAIRS)
        encodings = []
        for pair in pairs:
            try:
                tokens, vectors = pair
                encodings.append(Encoding(list(tokens), vectors))
            except (TypeError, ValueError):
                raise _fault(f"{type(pair).__name__} for a text", _PAIRS) from None
        return encodings
