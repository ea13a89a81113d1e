"""Windows over the tokens of texts, and batches of windows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from bleuprint.core.arrays import np
from bleuprint.errors import OptionError

if TYPE_CHECKING:
    from numpy.typing import NDArray

_BATCH_TOKENS = 2048  # at most, unless one window has more: with 50,000 words their scores take 400 MB


class Window(NamedTuple):
    """A span of a text; its tokens are only sliced when needed, because windows overlap."""

    text: int
    whole: Sequence[int]
    begin: int
    end: int
    scored: int  # the first token that no earlier window has scored

    @property
    def ids(self) -> Sequence[int]:
        return self.whole[self.begin : self.end]

    @property
    def size(self) -> int:
        return self.end - self.begin


def batches(windows: list[Window], most: int) -> Iterator[list[Window]]:
    """Batches of windows of similar length, so that there is little padding."""
    batch: list[Window] = []
    for window in sorted(windows, key=lambda item: item.size):
        if batch and (len(batch) == most or (len(batch) + 1) * window.size > _BATCH_TOKENS):
            yield batch
            batch = []
        batch.append(window)
    if batch:
        yield batch


def checked(values: NDArray[np.float64], window: Window) -> NDArray[np.float64]:
    """The log-probabilities of a window, if they are valid."""
    if values.shape != (window.size - 1,) or not np.isfinite(values).all() or (values > 1e-4).any():
        got = f"{values.shape} for {window.size} tokens"
        raise OptionError("model", "one that returns a finite log-probability for every token but the first", got)
    return values
