"""The value of a pool metric for parts of a pool: what intervals, tests and rarefaction have in common."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from bleuprint.core import counts
from bleuprint.core.arrays import np
from bleuprint.core.columns import Texts, checked_column
from bleuprint.errors import OptionError
from bleuprint.metrics import registry
from bleuprint.metrics.base.pool import PoolMetric, PoolTexts

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["PoolStatistic", "named_metrics", "pool_metric"]


def pool_metric(metric: str | PoolMetric[Any], **options: Any) -> PoolMetric[Any]:
    """The pool metric of that name, with those of the options that it takes; or the given one."""
    if isinstance(metric, PoolMetric):
        return metric
    kinds = {name: kind for name, kind in registry.pool_metrics().items() if registry.model_option(kind) is None}
    if metric not in kinds:
        raise OptionError("metric", f"one of {', '.join(kinds)}, or a pool metric object", metric)
    kind: Callable[..., PoolMetric[Any]] = kinds[metric]
    known = registry.options_of(kinds[metric])
    return kind(**{name: value for name, value in options.items() if name in known})


def named_metrics(
    metrics: Iterable[str | PoolMetric[Any]] | Mapping[str, PoolMetric[Any]], **options: Any
) -> dict[str, PoolMetric[Any]]:
    """Pool metrics by name."""
    if isinstance(metrics, str):
        raise OptionError("metrics", "a list of names or of pool metrics, or a dict", metrics)
    if isinstance(metrics, Mapping):
        return {name: pool_metric(metric, **options) for name, metric in metrics.items()}
    built = [pool_metric(metric, **options) for metric in metrics]
    named = {metric.name: metric for metric in built}
    if len(named) < len(built):
        raise OptionError("metrics", "each metric once; give names to two with other options, in a dict", list(named))
    return named


class PoolStatistic:
    """A pool metric and the texts of a pool, tokenized once."""

    def __init__(
        self, metric: PoolMetric[Any], texts: Texts, references: Texts | None = None, *, threads: int = 1
    ) -> None:
        self.metric, self._threads = metric, threads
        definition = metric.definition
        self._summary = definition.summary(definition)
        self._strings: Sequence[Any] | None = None
        if definition.summary is PoolTexts:
            self._summary.add(texts, threads)
        else:
            self._strings = [group[0] for group in checked_column(texts, "texts").unpack()]
        if references is not None:
            self._summary.add_references(references, threads)
        self._whole = len(self._summary.texts) if self._strings is None else len(self._strings)

    def __len__(self) -> int:
        return self._whole

    @property
    def pool(self) -> counts.Pool:
        """The tokens of the texts."""
        pool: counts.Pool = self._summary.texts
        return pool

    def score(self, kept: NDArray[np.int64] | None = None) -> Any:
        """The score of these texts, or of all."""
        part = self.metric.definition.summary(self.metric.definition)
        part.share_references(self._summary)
        if self._strings is not None:
            chosen = self._strings if kept is None else [self._strings[place] for place in kept.tolist()]
            part.add(chosen, self._threads)
        elif kept is None:
            part.texts = self.pool
        else:
            part.texts = self.pool.selected(kept.tolist())
        return part.score(self._threads)

    def value(self, kept: NDArray[np.int64]) -> float:
        """The value for these texts."""
        return float(self.score(kept).value)

    def drawn(self, size: int, seed: int) -> NDArray[np.int64]:
        """So many texts drawn at random, without replacement."""
        return np.sort(np.random.default_rng(seed).choice(len(self), size=size, replace=False)).astype(np.int64)
