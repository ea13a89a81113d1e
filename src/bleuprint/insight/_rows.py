"""Texts that are scored under many definitions, counted once for each that counts differently."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, TypeVar

from bleuprint.corpus import Corpus, References, Texts
from bleuprint.errors import OptionError
from bleuprint.metric import Metric, checked_threads
from bleuprint.metrics import BLEU, TABLE

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["AnyMetric", "RowMemo", "again", "checked_metric"]

AnyMetric = Metric[Any]
Items = TypeVar("Items", bound=Iterable[Any])
_HIGHEST_ORDER = 5  # what methods 5 and 7 look at
_KEPT = 32  # matrices at a time


def checked_metric(metric: str | AnyMetric) -> AnyMetric:
    """The metric, or the one of that name with its default options."""
    if isinstance(metric, Metric):
        return metric
    if not isinstance(metric, str) or metric not in TABLE:
        raise OptionError("metric", f"a metric object or one of {', '.join(TABLE)}", metric)
    return TABLE[metric]()


def again(items: Any) -> Any:
    """The same items, readable more than once."""
    return list(items) if hasattr(items, "__next__") else items


class RowMemo:
    """The rows of the same texts under one definition after another.

    Definitions that count alike share their rows, and lower orders are columns of the rows of higher ones.

    >>> memo = RowMemo(["a b c d"], ["a b c e"])
    >>> [memo.rows(BLEU(max_order=order, smoothing="none")).tolist() for order in (1, 2)]
    [[[4, 4, 3, 4]], [[4, 4, 3, 2, 4, 3]]]
    >>> memo.counted
    1
    """

    def __init__(
        self, hypotheses: Texts, references: References, sources: Texts | None = None, threads: int | None = None
    ) -> None:
        self._threads = checked_threads(threads)
        self._corpus = Corpus.of(hypotheses, references, sources)
        self._kept: dict[object, tuple[tuple[str, ...], NDArray[np.int64]]] = {}
        self.counted = 0  # how often texts were counted

    def __len__(self) -> int:
        return len(self._corpus)

    @property
    def several_references(self) -> bool:
        return self._corpus.references.group_size != 1

    def rows(self, metric: AnyMetric) -> NDArray[np.int64]:
        """One row per segment, as `metric.statistics` would count them."""
        counting = self._wider(metric)
        key = (type(counting), counting._count, counting._tokenizer)
        if key not in self._kept:
            if len(self._kept) == _KEPT:
                del self._kept[next(iter(self._kept))]
            self._kept[key] = counting.columns, self._counted(counting)
        names, rows = self._kept[key]
        if names == metric.columns:
            return rows
        return rows[:, [names.index(name) for name in metric.columns]]

    def value(self, metric: AnyMetric) -> float:
        """The corpus score."""
        return metric.value_of(self.rows(metric))

    def _counted(self, metric: AnyMetric) -> NDArray[np.int64]:
        metric._check_sources(self._corpus.sources)
        self.counted += 1
        return metric._rows(metric._tokenizer.prepare(self._corpus), self._threads)

    def _wider(self, metric: AnyMetric) -> AnyMetric:
        """A metric whose columns hold those of the given one, and of others."""
        if not isinstance(metric, BLEU):
            return metric
        options = metric.options
        plugin = metric._tokenizer.plugin
        return BLEU(
            tokenizer=metric._tokenizer.name if plugin is None else plugin,
            lowercase=metric._tokenizer.lowercase,
            max_order=max(_HIGHEST_ORDER, metric.counted_orders),
            # With one reference every rule takes its length.
            reference_length=options["reference_length"] if self.several_references else "closest",  # type: ignore[arg-type]
            absent_order="one" if options["absent_order"] == "one" else "undefined",
        )
