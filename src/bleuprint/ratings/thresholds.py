"""Find the score at which an output is good enough, from ratings that say pass or fail."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bleuprint.core.arrays import np
from bleuprint.errors import InputError, OptionError
from bleuprint.metrics import registry
from bleuprint.metrics.base.metric import Metric
from bleuprint.ratings.scored import FromRatings, rated_scores
from bleuprint.ratings.separation import Criterion, Separation, precision_recall, separation
from bleuprint.ratings.table import Names, Ratings
from bleuprint.results.display import Cell, DisplayTable
from bleuprint.statistics.intervals import Interval

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Threshold", "find_threshold"]

_FEWEST_ITEMS = 20  # the cross-validation of a threshold leaves out a tenth of the items
_FEWEST_OUTCOMES = 10  # outputs that pass and outputs that fail, each


@dataclass(frozen=True, slots=True, repr=False)
class Threshold(FromRatings):
    """A threshold on a metric's score that predicts which outputs people pass; `value` is None if none separates."""

    name: str
    metric: str
    signature: str
    human: str
    passing: str  # which ratings pass, in words
    higher_is_better: bool
    value: float | None
    low: float | None  # interval of the threshold, from resamples of items
    high: float | None
    predicted: float | None  # share of the rated outputs that meet the threshold
    found: Separation  # of scores that are negated where lower is better
    curve: tuple[tuple[float, float, float], ...]  # threshold, precision and recall in the rated outputs
    notes: tuple[str, ...] = ()

    @property
    def separates(self) -> bool:
        """Whether there is a threshold that is better than chance and meets the criterion."""
        return self.value is not None

    @property
    def verdict(self) -> str:
        """The result in words."""
        found = self.found
        area = f"the area under the ROC curve is {_shown(found.area)}, where 0.5 is chance"
        if self.value is None or found.precision is None or found.recall is None:
            return (
                f"No threshold of {self.metric} separates outputs that pass from outputs that fail: {found.reason} "
                f"({area})."
            )
        sign = "≥" if self.higher_is_better else "≤"
        return (
            f"An output passes if {self.metric} {sign} {self.value:g}. On held-out items, {_shown(found.precision)} of "
            f"the outputs that meet the threshold do pass (precision), and {_shown(found.recall)} of the outputs that "
            f"pass meet it (recall); {area}.{self._missed()}"
        )

    def _missed(self) -> str:
        """A warning if held-out items do not keep what the criterion asks for."""
        criterion, found = self.found.criterion, self.found
        for name, asked, kept in (
            ("precision", criterion.precision, found.precision),
            ("recall", criterion.recall, found.recall),
        ):
            if asked is not None and kept is not None and kept.value < asked:
                return f" The {name} asked for, {asked:g}, holds for the rated outputs but not for held-out items."
        return ""

    @property
    def code(self) -> str:
        """A line of Python that uses the threshold; empty if there is none."""
        kind = registry.metrics("segment").get(self.metric)
        if self.value is None or kind is None:
            return ""
        if "threshold" in registry.options_of(kind):
            return f"bp.{kind.__name__}(threshold={self.value!r})"
        return f"metric.with_threshold({self.value!r})"

    @property
    def command(self) -> str:
        """A gate that new outputs pass if as many of them meet the threshold as of the rated ones; empty if none."""
        if self.value is None or self.predicted is None:
            return ""
        rate = int(100 * self.predicted) / 100
        return (
            f"bleuprint gate new.json --min-pass-rate {self.metric}={rate:g} --threshold {self.metric}={self.value!r}"
        )

    def __repr__(self) -> str:
        return f"<Threshold of {self.metric}: {'none separates' if self.value is None else repr(self.value)}>"

    def display(self, *, percent: bool = False) -> tuple[DisplayTable, ...]:
        """The threshold and its figures; `percent` changes nothing, because a threshold is given as a fraction."""
        found = self.found

        def row(name: str, interval: Interval) -> tuple[Cell, ...]:
            limits = f"{interval.low:.3f} … {interval.high:.3f}"
            return Cell(name), Cell(f"{interval.value:.3f}", interval.value), Cell(limits)

        rows = [row("area under the ROC curve", found.area)]
        if self.value is not None and self.low is not None and self.high is not None:
            limits = Cell(f"{self.low:.4g} … {self.high:.4g}")
            rows.insert(0, (Cell(f"threshold of {self.metric}"), Cell(f"{self.value:g}", self.value), limits))
            for name, interval in (("precision", found.precision), ("recall", found.recall), ("F1", found.f1)):
                if interval is not None:
                    rows.append(row(f"{name} on held-out items", interval))
        counted = (
            f"{found.passing:,} of {found.rows:,} rated outputs pass ({self.passing}); {found.items:,} items. "
            f"Chosen for {found.criterion}."
        )
        return (
            DisplayTable(
                ("", "value", "95% interval"),
                tuple(rows),
                caption=f"Threshold of {self.metric} for {self.human}.",
                notes=(self.verdict, counted),
                signatures={self.metric: self.signature} if self.signature else None,
                label="threshold",
            ),
        )


def _shown(interval: Interval) -> str:
    return f"{interval.value:.2f} ({interval.low:.2f} … {interval.high:.2f})"


def find_threshold(
    table: Any,
    human: str,
    *,
    metric: str | Metric[Any] = "bleu",
    models: Mapping[str, Any] | None = None,
    column: str | None = None,
    cut: float | None = None,
    precision: float | None = None,
    recall: float | None = None,
    lower_is_better: Iterable[str] = (),
    group: str | None = None,
    folds: int = 10,
    segment: str | None = None,
    system: str | None = None,
    rater: str | None = None,
    hypothesis: str | None = None,
    reference: Names | None = None,
    source: str | None = None,
    samples: int = 1000,
    seed: int = 12345,
    threads: int | None = None,
) -> Threshold:
    """Find the threshold of a metric that best predicts which outputs people pass.

    - `table`, `segment`, `system`, `rater`, `hypothesis`, `reference`, `source`: as in `fit`
    - `human`: the column with the ratings; true and false count as 1 and 0
    - `metric`, `models`: the metric, as in `evaluate`; or `column`, with scores from elsewhere
    - `cut`: outputs with at least this rating pass, or at most if lower is better; 0.5 if all ratings are 0 or 1
    - `precision`, `recall`: require this share of the one, and maximize the other; by default, F1 is maximized
    - `lower_is_better`: names of the columns of ratings and scores in which lower is better
    - `group`: a column whose labels are the items, such as the document; by default, each segment is an item
    - `folds`, `samples`, `seed`: of the cross-validation over items, and of the resamples of items

    No threshold is returned if the metric does not separate outputs that pass from outputs that fail: if the interval
    of the area under the ROC curve reaches down to 0.5.

    >>> words = "the old cat sat on a red mat near the big door".split()
    >>> rows = []
    >>> for number in range(60):
    ...     kept = 4 + number % 9
    ...     rows.append({
    ...         "id": number,
    ...         "output": " ".join(words[:kept]),
    ...         "reference": " ".join(words),
    ...         "ok": kept + number % 2 > 8,
    ...     })
    >>> found = find_threshold(rows, "ok", metric="sentence-bleu")
    >>> found.value, found.code
    (0.7, 'bp.SentenceBleu(threshold=0.7)')
    """
    criterion = Criterion(precision, recall)
    scored = rated_scores(
        table,
        human,
        metrics=() if column is not None else [metric],
        models=models,
        columns=() if column is None or isinstance(table, Ratings) else column,
        lower_is_better=lower_is_better,
        group=group,
        threads=threads,
        segment=segment,
        system=system,
        rater=rater,
        hypothesis=hypothesis,
        reference=reference,
        source=source,
    )
    if column is not None and column not in scored.scores:
        raise OptionError("column", f"a column of scores ({', '.join(scored.scores)})", column)
    name = column if column is not None else next(iter(scored.metrics))
    sign = scored.sign[name]
    lower = scored.lower_is_better
    bound = _bound(cut, -scored.ratings if lower else scored.ratings, human)
    passes = scored.ratings >= (-bound if lower else bound)
    _check_enough(scored.name, passes, scored.item_count, human, bound)
    found = separation(
        sign * scored.scores[name],
        passes,
        scored.items,
        criterion=criterion,
        folds=folds,
        samples=samples,
        seed=seed,
    )
    threshold = found.threshold
    low, high = (None, None) if threshold is None else sorted((sign * threshold.low, sign * threshold.high))
    metrics = scored.metrics
    points = precision_recall(sign * scored.scores[name], passes)
    return Threshold(
        name=scored.name,
        metric=name,
        signature=metrics[name].definition.signature_of(sentence=True, references=None) if name in metrics else "",
        human=human,
        passing=f"{human} {'≤' if lower else '≥'} {bound:g}",
        higher_is_better=sign > 0,
        value=None if threshold is None else sign * threshold.value,
        low=low,
        high=high,
        predicted=None if threshold is None else float((sign * scored.scores[name] >= threshold.value).mean()),
        found=found,
        curve=tuple(sorted((sign * level, share, rest) for level, share, rest in points)),
        notes=scored.notes,
    )


def _bound(cut: float | None, ratings: NDArray[np.float64], human: str) -> float:
    if cut is None:
        if set(np.unique(ratings).tolist()) <= {0.0, 1.0}:
            return 0.5
        spread = f"from {ratings.min():g} to {ratings.max():g}"
        raise OptionError("cut", f"given, because the ratings in {human!r} are not all 0 or 1 but {spread}", cut)
    if isinstance(cut, bool) or not isinstance(cut, int | float) or not abs(cut) <= 1e300:
        raise OptionError("cut", "a rating: outputs that are rated so or better pass", cut)
    return float(cut)


def _check_enough(name: str, passes: Any, items: int, human: str, bound: float) -> None:
    passing, failing = int(passes.sum()), int((~passes).sum())
    if items < _FEWEST_ITEMS or min(passing, failing) < _FEWEST_OUTCOMES:
        raise InputError(
            f"{name} has {items} items with ratings in {human!r}; with a cut at {bound:g}, {passing} outputs pass and "
            f"{failing} fail. A threshold needs at least {_FEWEST_ITEMS} items, and {_FEWEST_OUTCOMES} outputs of each "
            "kind, to be checked on held-out items. Rate more outputs or use another cut."
        )
