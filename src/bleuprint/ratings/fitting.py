"""Fit a metric of one's own: several metrics, weighted so that they predict ratings.

Weights are fitted by ridge regression. How well the blend predicts ratings is measured on held-out items only: folds
are over items, never over rows, and the penalty is chosen inside each training set. The blend itself is then fitted to
all ratings.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from os import PathLike
from typing import TYPE_CHECKING, Any

from bleuprint import __version__
from bleuprint.core.arrays import np
from bleuprint.errors import InputError
from bleuprint.metrics.base import Metric, Score
from bleuprint.metrics.blend import Blend, BlendWeights, check_component
from bleuprint.ratings.scoring import RatedScores, interval_cells, interval_text
from bleuprint.results.analysis import Analysis
from bleuprint.results.display import Cell, DisplayTable

if TYPE_CHECKING:
    from bleuprint.ratings.items import Trials  # which loads NumPy
    from bleuprint.statistics.intervals import Interval

FEWEST_ITEMS = 30  # the interval of a correlation over 30 items is about ±0.36
ITEMS_PER_METRIC = 10


@dataclass(frozen=True, slots=True)
class FittedWeight:
    """One component of a blend."""

    metric: str
    signature: str
    weight: Interval  # change of the predicted rating per standard deviation of the component
    alone: Interval  # correlation of the component alone with the ratings; positive if it agrees with them


@dataclass(frozen=True, slots=True, repr=False)
class Fit(Analysis):
    """A blend of metrics and how well it predicts the ratings of items that it has not seen."""

    name: str
    human: str
    lower_is_better: bool  # of the ratings; the blend then predicts their negative
    penalty: float
    outputs: int
    items: int
    folds: int
    seed: int
    held_out: Interval  # correlation of held-out predictions with ratings
    best: str  # the component that agrees best alone
    gain: Interval  # by how much the blend correlates better than that one, on held-out items
    weights: tuple[FittedWeight, ...]
    blend: BlendWeights
    components: tuple[Metric[Score], ...]  # a signature only names the model of a component that has one
    notes: tuple[str, ...] = ()

    @property
    def metric(self) -> Blend:
        """The fitted metric, which scores, compares and gates like any other."""
        return Blend.load(self.blend, metrics=self.components)

    def save(self, path: str | PathLike[str], *, overwrite: bool = False) -> None:
        """Write the fitted metric as JSON, for `Blend(path)` and `-m blend:fit=path`."""
        self.blend.save(path, overwrite=overwrite)

    @property
    def is_better(self) -> bool:
        """Whether the blend is shown to be better than its best component alone."""
        return self.gain.low > 0

    @property
    def verdict(self) -> str:
        """The result in words."""
        gain = self.gain
        if self.is_better:
            better = f"better than {self.best} alone"
        else:
            shown = "worse" if gain.high < 0 else "not shown to be better"
            better = f"{shown} than {self.best} alone, so use {self.best}"
        return (
            f"On held-out items, the blend correlates with {self.human} by {interval_text(self.held_out, '.3f')}. "
            f"It is {better}; the difference is {interval_text(gain, '+.3f')}."
        )

    def __repr__(self) -> str:
        metrics = ", ".join(part.metric for part in self.weights)
        return f"<Fit of {metrics} to {self.human}: r = {interval_text(self.held_out, '.3f')}>"

    def display(self, *, percent: bool = False) -> tuple[DisplayTable, ...]:
        """The weights, largest first; `percent` changes nothing, because ratings have their own scale."""
        ordered = sorted(self.weights, key=lambda part: -abs(part.weight.value))
        rows = tuple(
            (
                Cell(part.metric),
                *interval_cells(part.weight, "+.4f"),
                *interval_cells(part.alone, ".3f", best=part.metric == self.best),
            )
            for part in ordered
        )
        negative = (
            f" {self.human} is better if lower, so the blend predicts its negative." if self.lower_is_better else ""
        )
        fitted = (
            f"Fitted to {self.outputs:,} rated outputs of {self.items:,} items by ridge (penalty {self.penalty:g}), "
            f"with {self.folds} folds over items.{negative}"
        )
        return (
            DisplayTable(
                ("metric", "weight", "95 % interval", "r alone", "95 % interval of r"),
                rows,
                caption=f"Weights of a blend that predicts {self.human}.",
                notes=(self.verdict, fitted),
                signatures={part.metric: part.signature for part in self.weights},
                words=frozenset({0}),
                label="fit",
                signed=0,
            ),
        )

    def to_dict(self) -> dict[str, object]:
        """Return everything as plain numbers, strings and lists, ready for JSON."""
        content = Analysis.to_dict(replace(self, components=()))
        del content["blend"], content["components"]
        return content | {"signature": self.metric.signature}


def fit_blend(scored: RatedScores, folds: int, trials: Trials) -> Fit:
    """Fit a blend to rated scores; see `Ratings.fit`."""
    from bleuprint.ratings.items import correlation_sample, difference_sample
    from bleuprint.ratings.regression import Regression, center, standardize

    _check_fittable(scored)
    names, y, items = list(scored.metrics), scored.ratings, scored.items
    x = np.column_stack([scored.scores[name] for name in names])
    regression = Regression(x, y, items, folds, trials.seed)
    predictions, fold_of = regression.cross_validate()
    predictions, ratings = standardize(predictions, fold_of), center(y, fold_of)
    held_out = trials.interval(correlation_sample(predictions, ratings, items))
    oriented = {name: scored.sign[name] * scored.scores[name] for name in names}
    alone = {name: trials.interval(correlation_sample(oriented[name], y, items)) for name in names}
    best = max(names, key=lambda name: alone[name].value)
    gain = difference_sample(predictions, standardize(oriented[best], fold_of), ratings, items)
    line, penalty = regression.tune()
    weights = [
        FittedWeight(name, scored.metrics[name].signature, weight, alone[name])
        for name, weight in zip(names, regression.weight_intervals(line, penalty, trials), strict=True)
    ]
    facts: dict[str, Any] = {
        "human": scored.human,
        "lower_is_better": scored.lower_is_better,
        "penalty": penalty,
        "outputs": len(y),
        "items": scored.item_count,
        "folds": folds,
        "seed": trials.seed,
    }
    interval = {"r": held_out.value, "low": held_out.low, "high": held_out.high}
    return Fit(
        name=scored.name,
        **facts,
        held_out=held_out,
        best=best,
        gain=trials.interval(gain),
        weights=tuple(weights),
        blend=BlendWeights(
            tuple(part.signature for part in weights),
            tuple(line.means.tolist()),
            tuple(line.scales.tolist()),
            tuple(line.weights.tolist()),
            float(line.intercept),
            {"bleuprint": __version__, **facts, "held_out": interval},
        ),
        components=tuple(scored.metrics.values()),
        notes=scored.notes,
    )


def _check_fittable(scored: RatedScores) -> None:
    if not scored.metrics:
        raise InputError("there is nothing to fit: pass at least one metric.")
    for name, metric in scored.metrics.items():
        check_component(name, metric)
    needed = max(FEWEST_ITEMS, ITEMS_PER_METRIC * len(scored.metrics))
    if scored.item_count < needed:
        raise InputError(
            f"{scored.name} has ratings of {scored.item_count} items in {scored.human!r}, but fitting "
            f"{len(scored.metrics)} metrics needs at least {needed}: {ITEMS_PER_METRIC} for each metric, and "
            f"{FEWEST_ITEMS} in any case. With fewer, weights follow the noise. Rate more items or use fewer metrics."
        )
    for name in scored.metrics:
        values = scored.scores[name]
        if np.ptp(values) == 0:
            raise InputError(
                f"{name} gives all rated outputs the same score, {values[0]:g}, so it has no weight; leave it out."
            )
