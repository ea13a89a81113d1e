"""Score the same texts under many definitions, counting only once for each way of counting."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import replace
from typing import Any, TypeVar

from bleuprint.core.arrays import Integers
from bleuprint.core.columns import Corpus, References, Texts
from bleuprint.core.threads import worker_count
from bleuprint.metrics.base import Definition, Metric, Score

AnyMetric = Metric[Score]
Key = TypeVar("Key", bound=Hashable)
_KEPT = 4  # requests whose rows are kept


def again(items: Any) -> Any:
    """The same items, as something that can be iterated more than once."""
    return list(items) if hasattr(items, "__next__") else items


class RowMemo:
    """Counts the rows of the same texts for one definition after another.

    Definitions that count the same way share their rows, and lower orders are columns of the rows of higher ones.

    >>> from bleuprint import BLEU
    >>> memo = RowMemo(["a b c d"], ["a b c e"])
    >>> [memo.rows(BLEU(max_order=order, smoothing="none")).tolist() for order in (1, 2)]
    [[[4, 4, 3, 4]], [[4, 4, 3, 2, 4, 3]]]
    >>> memo.counted
    1
    """

    def __init__(
        self, hypotheses: Texts, references: References, sources: Texts | None = None, threads: int | None = None
    ) -> None:
        self._threads = worker_count(threads)
        self._texts = again(hypotheses), again(references), again(sources)
        self.corpus = Corpus.of(*self._texts)
        self.several_references = self.corpus.references.group_size != 1
        self._wide: dict[Hashable, Definition] = {}
        self._kept: dict[Hashable, dict[tuple[str, ...], Integers]] = {}
        self.counted = 0  # how often the texts were counted

    def rows(self, metric: AnyMetric) -> Integers:
        """One row per segment, as `metric.statistics` would count them."""
        key = self._request(metric)
        if key not in self._kept:
            if len(self._kept) == _KEPT:
                del self._kept[next(iter(self._kept))]
            counting, corpus = self._wide[key], self._wide[key].read(*self._texts)
            rows = counting.ready_for(corpus, self._threads).rows.count(corpus, self._threads)
            self._kept[key] = {counting.columns: rows}
            self.counted += 1
        held = self._kept[key]
        if metric.columns not in held:
            names, rows = next(iter(held.items()))
            held[metric.columns] = rows[:, [names.index(name) for name in metric.columns]]
        return held[metric.columns]

    def _request(self, metric: AnyMetric) -> Hashable:
        """A key that is equal for metrics whose rows are counted together."""
        definition = metric.definition.chosen_for(self.corpus)
        wide = definition.rows.wider(several_references=self.several_references)
        key = (definition.tokenizer, wide.counts_alike(definition))
        if key not in self._wide:
            self._wide[key] = replace(definition, rows=wide)
        return key

    def count_all(self, metrics: Mapping[Key, AnyMetric]) -> Iterator[tuple[Key, Integers]]:
        """The rows of all metrics, in an order in which few have to be kept."""
        requests: dict[Hashable, list[Key]] = {}
        for key, metric in metrics.items():
            requests.setdefault(self._request(metric), []).append(key)
        for keys in requests.values():
            yield from ((key, self.rows(metrics[key])) for key in keys)

    def values(self, metrics: Mapping[Key, AnyMetric]) -> dict[Key, float]:
        """The corpus scores."""
        return {key: metrics[key].definition.value_of(rows) for key, rows in self.count_all(metrics)}
