"""What pool metrics are: texts measured against each other instead of against references.

A pool keeps its texts as token ids. Pools merge exactly, in any order of shards, because everything is counted from
the ids when the score is asked for.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Self, TypeVar

from bleuprint import __version__, signature
from bleuprint.core import counts
from bleuprint.core.columns import Texts, checked_column
from bleuprint.core.tokenizers import Tokenizer
from bleuprint.errors import MergeError, PoolError
from bleuprint.metrics.base.metric import Defined, checked_threads

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["PoolMetric", "PoolScore"]


class PoolScore:
    """A number that describes a pool of texts."""

    def __init__(
        self,
        metric: PoolMetric[Any],
        texts: int,
        per_order: tuple[float, ...],
        per_text: NDArray[np.float64] | None = None,
        value: float | None = None,
    ) -> None:
        self.metric = metric
        self.texts = texts
        self.per_order = per_order
        self.per_text = per_text
        self.value = per_order[-1] if value is None else value

    @property
    def percent(self) -> float:
        """The value on the scale 0..100."""
        return 100 * self.value

    @property
    def signature(self) -> str:
        """Every option that can move the number; `from_signature` replays it."""
        facts = {"texts": self.texts, "bleuprint": __version__}
        return signature.write(self.metric.name, self.metric.definition, self.metric.options, facts)

    def __float__(self) -> float:
        return self.value

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.value!r}>"

    def __str__(self) -> str:
        orders = ", ".join(f"{order}: {value:.4f}" for order, value in enumerate(self.per_order, start=1))
        return f"{self.metric.name} = {self.value:.4f} (by order {orders}; {self.texts} texts)"


AnyPoolScore = TypeVar("AnyPoolScore", bound=PoolScore)


class PoolMetric(Defined, ABC, Generic[AnyPoolScore]):
    """Base of all metrics of a pool of texts."""

    fewest_texts: ClassVar[int] = 1

    _tokenizer: Tokenizer
    _pool: counts.Pool

    def __init__(self) -> None:
        self.reset()

    @abstractmethod
    def _score(self, pool: counts.Pool, threads: int) -> AnyPoolScore:
        """The score of a pool that has enough texts."""

    def corpus(self, texts: Texts, *, threads: int | None = None) -> AnyPoolScore:
        """The score of these texts alone."""
        return self._checked(self._filled(texts, checked_threads(threads)), checked_threads(threads))

    def update(self, texts: Texts, *, threads: int | None = None) -> Self:
        """Add a batch of texts."""
        self._pool.append(self._filled(texts, checked_threads(threads)))
        return self

    def merge(self, other: Self) -> Self:
        """Add the texts of another metric of the same options."""
        if type(other) is not type(self) or other.signature != self.signature:
            raise MergeError(self.signature, other.signature if isinstance(other, Defined) else repr(other))
        self._pool.append(other._pool)
        return self

    def compute(self, *, threads: int | None = None) -> AnyPoolScore:
        """The score of all texts since the last reset."""
        return self._checked(self._pool, checked_threads(threads))

    def reset(self) -> Self:
        """Forget all texts."""
        self._pool = counts.Pool(self._tokenizer.scheme, self._tokenizer.native_lowercase)
        return self

    def _filled(self, texts: Texts, threads: int, name: str = "texts") -> counts.Pool:
        column = self._tokenizer.prepare_column(checked_column(texts, name), name)
        pool = counts.Pool(self._tokenizer.scheme, self._tokenizer.native_lowercase)
        pool.add(column, threads)
        return pool

    def _checked(self, pool: counts.Pool, threads: int) -> AnyPoolScore:
        if len(pool) < self.fewest_texts:
            raise PoolError(self.name, self.fewest_texts, len(pool))
        return self._score(pool, threads)
