"""Functions as encoders."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from bleuprint.errors import OptionError
from bleuprint.models.encoders.protocol import Encoder, Encoding

Encode = Callable[[list[str]], Iterable[tuple[Sequence[str], Any]]]


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
        function: Encode,
        *,
        name: str | None = None,
        digest: str = "",
        markers: Iterable[str] = (),
        special: str = "keep",
        layer: int | None = None,
        batch_size: int = 32,
    ) -> None:
        if not callable(function):
            raise OptionError("encoder", "a callable that takes a list of texts", function)
        module, own = getattr(function, "__module__", "?"), getattr(function, "__qualname__", type(function).__name__)
        super().__init__(special=special, batch_size=batch_size, layer=layer)
        self.name = f"custom({module}.{own})" if name is None else name
        self.digest = digest
        self.markers = frozenset(markers)
        self._function = function

    def _encode(self, texts: Sequence[str]) -> list[Encoding]:
        encoded = self._function(list(texts))
        if not isinstance(encoded, Iterable):
            raise _fault(type(encoded).__name__)
        encodings = []
        for pair in encoded:
            try:
                tokens, vectors = pair
                encodings.append(Encoding(list(tokens), vectors))
            except (TypeError, ValueError):
                raise _fault(f"{type(pair).__name__} for a text") from None
        return encodings


def _fault(got: str) -> OptionError:
    return OptionError("encoder", "a function that returns (tokens, vectors) for every text", got)
