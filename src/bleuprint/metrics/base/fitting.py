"""Metrics that weight n-grams or tokens by a corpus of references, which they have to learn first."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol

from bleuprint.core import counts
from bleuprint.core.arrays import Floats, Integers
from bleuprint.errors import FitError, SignatureError
from bleuprint.metrics.base.rows import RowSource

if TYPE_CHECKING:
    from bleuprint.metrics.base.definition import Definition


class Prior(Protocol):
    """What was learned from a corpus of references."""

    @property
    def name(self) -> str:
        """Its size, and a digest of its content."""

    def content(self) -> bytes:
        """Bytes from which it can be restored in another process."""


@dataclass(frozen=True, slots=True)
class Fitting:
    """How a metric learns weights from references before it can count anything.

    Rows counted with the same prior add up, so streams, shards and resamples are exact. Without a prior, a corpus is
    weighted by its own references, as in other libraries, and no batch can be added to it.
    """

    learn: Callable[[counts.Column | bytes, int], Any]  # learns a prior from references, or restores it from bytes
    rows: Callable[[Any], RowSource]  # the row source for a prior
    fewest_segments: int = 0
    named: str | None = None  # the prior that a signature requires
    of_sums: Callable[[Integers], Floats] | None = None  # the scores without each segment, if the core sums their rows

    def fit(self, definition: Definition, references: counts.Column | bytes, threads: int) -> Definition:
        """The definition with weights learned from these references or restored from a prior's bytes."""
        if not isinstance(references, bytes) and len(references) < self.fewest_segments:
            few = f"needs at least {self.fewest_segments} segments to learn weights from, got {len(references)}"
            raise FitError(definition.name, few)
        prior = self.learn(references, threads)
        if self.named not in (None, prior.name):
            raise SignatureError(
                f"the signature names the prior {self.named}, but these references give {prior.name}: "
                "fit on the references that the score was computed with."
            )
        options = {**definition.options, "prior": prior.name}
        return replace(definition, options=options, rows=self.rows(prior), prior=prior)
