"""Run metrics with thresholds over a dataset: which items pass, and does the run pass?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, overload

from bleuprint import checks
from bleuprint.core.columns import Corpus
from bleuprint.core.threads import worker_count
from bleuprint.errors import InputError, OptionError
from bleuprint.metrics import registry
from bleuprint.metrics.base.metric import Metric
from bleuprint.metrics.base.score import Measured, Score
from bleuprint.results import Result
from bleuprint.results.digits import Digits
from bleuprint.results.display import Cell, Displayed, DisplayTable
from bleuprint.runners.evaluation import Metrics, checked_ids, measure, resolve, result_of
from bleuprint.runners.progress import progress
from bleuprint.runners.resuming import store_folder
from bleuprint.runners.verdicts import Item, Verdict, Verdicts, outcome_cell, verdict_table
from bleuprint.runners.worst import worst_places

_SYSTEM = "outputs"


class ItemResult(Displayed):
    """The verdicts of all metrics on one item, by the names of the metrics; `score` is that of the only one."""

    __slots__ = ("_by_metric", "_place", "item")

    def __init__(self, item: Item, by_metric: Mapping[str, Verdicts], place: int) -> None:
        self.item, self._by_metric, self._place = item, by_metric, place

    @property
    def verdicts(self) -> tuple[Verdict, ...]:
        return tuple(self[metric] for metric in self._by_metric)

    @property
    def score(self) -> float:
        if len(self._by_metric) > 1:
            raise InputError(f"an item has a score for each of {', '.join(self._by_metric)}; use item[NAME].score.")
        return self.verdicts[0].score

    @property
    def passed(self) -> bool:
        return all(verdicts.passed[self._place] for verdicts in self._by_metric.values())

    def __getitem__(self, metric: str) -> Verdict:
        expected = self.item.expected_output
        references = 1 if isinstance(expected, str) else len(expected)
        return self._by_metric[metric].at(self._place, references)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ItemResult) and (self.item, self.verdicts) == (other.item, other.verdicts)

    def __reduce__(self) -> tuple[object, ...]:
        alone = {metric: verdicts.only(self._place) for metric, verdicts in self._by_metric.items()}
        return ItemResult, (self.item, alone, 0)

    def display(self, *, percent: bool = False) -> tuple[DisplayTable, ...]:
        """A table with one row per metric."""
        return (verdict_table(self.verdicts, percent=percent),)

    def __repr__(self) -> str:
        return f"<ItemResult {', '.join(map(repr, self.verdicts))}>"

    def pretty(self, *, percent: bool = False) -> str:  # type: ignore[override]
        """The verdicts as text."""
        return "\n".join(verdict.pretty(percent=percent) for verdict in self.verdicts)


class RunResult(Displayed, Sequence[ItemResult]):
    """The items in order; verdicts are computed when an item is accessed."""

    def __init__(
        self,
        items: Sequence[Item],
        metrics: Mapping[str, Metric[Score]],
        measured: Mapping[str, Measured[Score]],
        result: Result,
        min_pass_rate: float,
    ) -> None:
        self._items = items
        self._metrics = metrics
        scores = zip(metrics.values(), result.systems[0].scores, strict=True)
        self._verdicts = {scored.metric: Verdicts(metric, measured[scored.metric], scored) for metric, scored in scores}
        self.result = result
        self.min_pass_rate = min_pass_rate

    def __len__(self) -> int:
        return len(self._items)

    @overload
    def __getitem__(self, index: int) -> ItemResult: ...
    @overload
    def __getitem__(self, index: slice) -> list[ItemResult]: ...
    def __getitem__(self, index: int | slice) -> ItemResult | list[ItemResult]:
        if isinstance(index, slice):
            return [self[place] for place in range(*index.indices(len(self)))]
        place = range(len(self))[index]
        return ItemResult(self._items[place], self._verdicts, place)

    def passing(self, metric: str) -> list[bool]:
        """Whether each item passes under a metric."""
        return [*self._verdicts[metric].passed]

    def worst(self, count: int = 5, metric: str | None = None) -> list[ItemResult]:
        """The items with the worst scores of a metric, the first by default."""
        score = self.result.systems[0].score(metric or next(iter(self._metrics)))
        return [self[place] for place in worst_places(score)[:count]]

    @property
    def pass_rate(self) -> float:
        """The share of items that pass under every metric."""
        outcomes = [all(item) for item in zip(*(self.passing(metric) for metric in self._metrics), strict=True)]
        return sum(outcomes) / len(outcomes)

    @property
    def passed(self) -> bool:
        """Whether enough items pass: all of them, unless `min_pass_rate` says otherwise."""
        return bool(checks.reaches(self.pass_rate, self.min_pass_rate))

    def display(
        self, *, percent: bool = False, level: Literal["metrics", "items"] = "metrics"
    ) -> tuple[DisplayTable, ...]:
        """The run as a table: each metric with its corpus score, its threshold and how many items pass.

        With `level="items"`, one row per item: its score under each metric, and whether it passes.
        """
        if checks.choice("level", level, ("metrics", "items")) == "items":
            return (self._item_table(percent),)
        rows = []
        for label, metric in self._metrics.items():
            score = self.result.systems[0].score(label)
            bound = f"{'≥' if metric.higher_is_better else '≤'} {metric.threshold:g}"
            passing = sum(self.passing(label))
            value = Cell(Digits(percent).of(score.signature)(score.value), score.value)
            rows.append((Cell(label), value, Cell(bound, metric.threshold), Cell(f"{passing}/{len(self)}", passing)))
        outcome = "passed" if self.passed else "failed"
        table = DisplayTable(
            ("metric", "score", "threshold", "passed"),
            tuple(rows),
            caption=f"Scores, thresholds and passing items of {len(self):,} items.",
            notes=(f"{outcome}: {100 * self.pass_rate:.1f} % of {len(self)} items pass",),
            words=frozenset(range(4)),
            label="run",
        )
        return (table,)

    def _item_table(self, percent: bool) -> DisplayTable:
        scores = {label: self.result.systems[0].score(label) for label in self._metrics}
        passing = [self.passing(label) for label in self._metrics]
        rows = []
        for place in range(len(self)):
            passed = all(outcome[place] for outcome in passing)
            cells = [
                Cell(Digits(percent).of(score.segment_signature)(score.segments[place]), score.segments[place])
                for score in scores.values()
            ]
            rows.append((Cell(self.result.segment_name(place)), *cells, outcome_cell(passed)))
        return DisplayTable(
            ("item", *scores, "outcome"),
            tuple(rows),
            caption="Scores of all items.",
            words=frozenset({0, len(scores) + 1}),
            label="items",
        )

    def __repr__(self) -> str:
        outcome = "passed" if self.passed else "failed"
        passing = f"{100 * self.pass_rate:.1f} % pass ({', '.join(self._metrics)})"
        return f"<RunResult of {len(self):,} items, {outcome}: {passing}>"


class MetricRunner:
    """Runs metrics over a dataset in one pass.

    >>> from bleuprint.dataset import DatasetItem
    >>> from bleuprint.metrics import SentenceBleu
    >>> dataset = [
    ...     DatasetItem(actual_output="the cat sat", expected_output="the cat sat"),
    ...     DatasetItem(actual_output="a dog", expected_output=["the cat sat", "a cat sat"]),
    ... ]
    >>> results = MetricRunner(metrics=[SentenceBleu(n_grams=4)]).run_sync(dataset)
    >>> [round(item_result.score, 3) for item_result in results]
    [1.0, 0.35]
    >>> print(results.pretty())
    metric     score   threshold  passed
    item-bleu  0.6751  ≥ 0.5      1/2
    <BLANKLINE>
    failed: 50.0 % of 2 items pass

    - `metrics`: names, metric objects, or a dict of metrics by name
    - `thresholds`: replaces the thresholds of the metrics, by name
    - `min_pass_rate`: share of items that must pass
    - `store`: folder for the rows of slow metrics, so that an interrupted run resumes where it stopped
    - `threads`: number of threads; all processors by default
    """

    def __init__(
        self,
        metrics: Metrics,
        *,
        thresholds: Mapping[str, float] | None = None,
        min_pass_rate: float = 1.0,
        store: str | Path | None = None,
        threads: int | None = None,
    ) -> None:
        self._metrics = resolve(metrics, unit="segment")
        if not self._metrics:
            raise OptionError("metrics", "at least one metric", metrics)
        checks.instance("thresholds", thresholds, Mapping | None, "a dict of thresholds by the name of their metric")
        for given, threshold in (thresholds or {}).items():
            label = given if given in self._metrics else registry.find_name(str(given))
            if label not in self._metrics:
                raise OptionError(
                    "thresholds", f"a dict with the names of the metrics ({', '.join(self._metrics)})", given
                )
            self._metrics[label] = self._metrics[label].with_threshold(threshold)
        self._min_pass_rate = checks.number("min_pass_rate", min_pass_rate, 0, 1, allowed="a share from 0 to 1")
        self._store = None if store is None else store_folder(store)
        self._threads = worker_count(threads)

    def run_sync(self, dataset: Iterable[Item]) -> RunResult:
        """Score all items."""
        items = list(dataset)
        with progress("scoring", None):
            corpora = {_SYSTEM: _corpus(items, any(metric.needs_sources for metric in self._metrics.values()))}
            measured, unseen = measure(self._metrics, corpora, store=self._store, threads=self._threads)
            ids, notes = _ids(items)
            result = result_of(self._metrics, corpora, measured, [*notes, *unseen], ids)
            return RunResult(items, self._metrics, measured[_SYSTEM], result, self._min_pass_rate)

    async def run(self, dataset: Iterable[Item]) -> RunResult:
        """The same as a coroutine; the work runs in a thread."""
        import asyncio  # takes as long to load as NumPy, and the command line never needs it

        return await asyncio.to_thread(self.run_sync, list(dataset))


def _ids(items: Sequence[Item]) -> tuple[tuple[str, ...] | None, list[str]]:
    """The ids of the items, if each has one of its own, and a note if they cannot be used."""
    ids: list[Any] = [getattr(item, "id", None) for item in items]
    if None in ids:
        return None, []
    try:
        return checked_ids(ids, len(items)), []
    except InputError as error:
        return None, [f"{error} Segments are numbered."]


def _corpus(items: Sequence[Item], with_sources: bool) -> Corpus:
    for place, item in enumerate(items):
        if not hasattr(item, "actual_output") or not hasattr(item, "expected_output"):
            raise InputError(
                f"dataset[{place}] must be a DatasetItem, got {type(item).__name__}; "
                "write DatasetItem(actual_output=…, expected_output=…)."
            )
        if item.expected_output is None:
            raise InputError(f"dataset[{place}] has no expected_output, which these metrics compare with.")
        if with_sources and item.source is None:
            raise InputError(f"dataset[{place}] has no source, which one of the metrics needs: pass source=….")
    return Corpus.of(
        [item.actual_output for item in items],
        [item.expected_output for item in items],
        [item.source or "" for item in items] if any(item.source is not None for item in items) else None,
    )
