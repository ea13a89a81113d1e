"""Fit a metric of one's own: several metrics, weighted so that they predict ratings.

Weights are fitted by ridge regression or partial least squares. How well the blend predicts ratings is measured on
held-out items only: folds are over items, never over rows, and the tuning is chosen inside each training set. The
blend itself is then fitted to all ratings.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from os import PathLike
from typing import Any

from bleuprint import __version__, checks
from bleuprint.core.arrays import np
from bleuprint.errors import InputError
from bleuprint.metrics._blend_files import BlendWeights
from bleuprint.metrics.base.metric import Metric
from bleuprint.metrics.blend import Blend, check_component
from bleuprint.ratings.scored import FromRatings, RatedScores, rated_scores
from bleuprint.ratings.table import Names
from bleuprint.results.display import Cell, DisplayTable
from bleuprint.runners.evaluation import Metrics
from bleuprint.statistics.intervals import Interval

__all__ = ["Fit", "FittedWeight", "fit"]

METHODS = ("ridge", "pls")
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
class Fit(FromRatings):
    """A blend of metrics and how well it predicts the ratings of items that it has not seen."""

    name: str
    human: str
    lower_is_better: bool  # of the ratings; the blend then predicts their negative
    method: str
    tuning: float  # the penalty of ridge, or the number of components of partial least squares
    outputs: int
    items: int
    folds: int
    seed: int
    held_out: Interval  # correlation of held-out predictions with ratings
    best: str  # the component that agrees best alone
    gain: Interval  # by how much the blend correlates better than that one, on held-out items
    weights: tuple[FittedWeight, ...]
    blend: BlendWeights
    components: tuple[Metric[Any], ...]  # a signature only names the model of a component that has one
    notes: tuple[str, ...] = ()

    @property
    def metric(self) -> Blend:
        """The fitted metric, which scores, compares and gates like any other."""
        return Blend.load(self.blend, metrics=self.components)

    def save(self, path: str | PathLike[str], *, overwrite: bool = False) -> None:
        """Write the fitted metric as JSON, for `Blend(path)` and `-m blend:fit=path`."""
        self.blend.save(path, overwrite=overwrite)

    @property
    def verdict(self) -> str:
        """The result in words."""
        gain = self.gain
        if gain.low > 0:
            better = f"better than {self.best} alone"
        elif gain.high < 0:
            better = f"worse than {self.best} alone, so use {self.best}"
        else:
            better = f"not shown to be better than {self.best} alone, so use {self.best}"
        return (
            f"On held-out items, the blend correlates with {self.human} by {_shown(self.held_out)}. It is {better}; "
            f"the difference is {_shown(gain, sign='+')}."
        )

    def __repr__(self) -> str:
        return (
            f"<Fit of {', '.join(part.metric for part in self.weights)} to {self.human}: r = {_shown(self.held_out)}>"
        )

    def display(self, *, percent: bool = False) -> tuple[DisplayTable, ...]:
        """The weights, largest first; `percent` changes nothing, because ratings have their own scale."""
        ordered = sorted(self.weights, key=lambda part: -abs(part.weight.value))
        rows = tuple(
            (
                Cell(part.metric),
                Cell(f"{part.weight.value:+.4f}", part.weight.value),
                Cell(f"{part.weight.low:+.4f} … {part.weight.high:+.4f}"),
                Cell(f"{part.alone.value:.3f}", part.alone.value, best=part.metric == self.best),
                Cell(f"{part.alone.low:.3f} … {part.alone.high:.3f}"),
            )
            for part in ordered
        )
        tuned = f"penalty {self.tuning:g}" if self.method == "ridge" else f"{self.tuning:g} components"
        negative = (
            f" {self.human} is better if lower, so the blend predicts its negative." if self.lower_is_better else ""
        )
        fitted = (
            f"Fitted to {self.outputs:,} rated outputs of {self.items:,} items by {self.method} ({tuned}), "
            f"with {self.folds} folds over items.{negative}"
        )
        return (
            DisplayTable(
                ("metric", "weight", "95% interval", "r alone", "95% interval of r"),
                rows,
                caption=f"Weights of a blend that predicts {self.human}.",
                notes=(self.verdict, fitted),
                signatures={part.metric: part.signature for part in self.weights},
                words=frozenset({0}),
                label="fit",
                signed=0,
            ),
        )

    def to_json(self) -> str:
        """Everything as JSON."""
        fields = asdict(replace(self, components=()))
        del fields["blend"], fields["components"]
        document = {"bleuprint": __version__, **fields, "signature": self.metric.signature}
        return json.dumps(document, ensure_ascii=False, indent=1) + "\n"


def _shown(interval: Interval, *, sign: str = "") -> str:
    return f"{interval.value:{sign}.3f} ({interval.low:{sign}.3f} … {interval.high:{sign}.3f})"


def fit(
    table: Any,
    human: str,
    *,
    metrics: Metrics = ("bleu", "chrf", "ter"),
    models: Mapping[str, Any] | None = None,
    method: str = "ridge",
    folds: int = 10,
    lower_is_better: Iterable[str] = (),
    group: str | None = None,
    segment: str | None = None,
    system: str | None = None,
    rater: str | None = None,
    hypothesis: str | None = None,
    reference: Names | None = None,
    source: str | None = None,
    samples: int = 1000,
    seed: int = 12345,
    threads: int | None = None,
) -> Fit:
    """Combine metrics into one that predicts human ratings.

    - `table`: a file or table with a row per rated output, see `bleuprint.ratings.read_ratings`
    - `human`: the column with the ratings
    - `metrics`, `models`: as in `evaluate`; each metric must have one row of integers per segment
    - `method`: "ridge" or "pls" (partial least squares)
    - `folds`: number of folds of the cross-validation, which is over items and nested
    - `lower_is_better`: the column of ratings, if lower is better there; the blend then predicts the negative
    - `group`: a column whose labels are the items, such as the document; by default, each segment is an item
    - `segment`, `system`, `rater`, `hypothesis`, `reference`, `source`: columns, if they have uncommon names
    - `samples`: number of resamples of items for the intervals
    - `seed`: random seed of the folds and the resamples

    Ten items are needed for each metric, and 30 at least.

    >>> words = "the old cat sat on a red mat near the big door".split()
    >>> rows = []
    >>> for number in range(40):
    ...     kept = 4 + number % 9
    ...     rows.append({
    ...         "id": number,
    ...         "output": " ".join(words[:kept]),
    ...         "reference": " ".join(words),
    ...         "quality": kept + number % 3,
    ...     })
    >>> fitted = fit(rows, "quality", metrics=["bleu", "ter"])
    >>> fitted.held_out.value > 0.9
    True
    >>> round(fitted.metric.sentence("the old cat sat on a red mat", " ".join(words)).value, 1)
    8.9
    """
    checks.choice("method", method, METHODS)
    scored = rated_scores(
        table,
        human,
        metrics=metrics,
        models=models,
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
    _check_fittable(scored)
    return _fitted(scored, method=method, folds=folds, samples=samples, seed=seed)


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
    if np.ptp(scored.ratings) == 0:
        raise InputError(f"all ratings in {scored.human!r} are equal, so no metric can predict them.")
    for name in scored.metrics:
        values = scored.scores[name]
        if not np.isfinite(values).all():
            place = int(np.flatnonzero(~np.isfinite(values))[0]) + 1
            raise InputError(f"{name} has no finite score for rated output {place}; leave the metric out.")
        if np.ptp(values) == 0:
            raise InputError(
                f"{name} gives all rated outputs the same score, {values[0]:g}, so it has no weight; leave it out."
            )


def _fitted(scored: RatedScores, *, method: str, folds: int, samples: int, seed: int) -> Fit:
    from bleuprint.ratings import held_out as validation
    from bleuprint.statistics.chance import Chance
    from bleuprint.statistics.intervals import bootstrap_interval

    names, y, items = list(scored.metrics), scored.ratings, scored.items
    x = np.column_stack([scored.scores[name] for name in names])
    validated = validation.cross_validated(x, y, items, method=method, folds=folds, seed=seed)
    predictions, ratings = validated.standardized(validated.predictions), validated.centered(y)
    alone = {
        name: validation.correlation(scored.sign[name] * scored.scores[name], y, items, samples=samples, seed=seed)
        for name in names
    }
    best = max(names, key=lambda name: alone[name].value)
    rival = validated.standardized(scored.sign[best] * scored.scores[best])
    difference = validation.difference_sample(predictions, rival, ratings, items)
    correlation = validation.correlation(predictions, ratings, items, samples=samples, seed=seed)
    line, tuning = validation.tuned_fit(x, y, items, method=method, folds=folds, seed=seed)
    weights = validation.weight_intervals(x, y, items, method=method, tuning=tuning, samples=samples, seed=seed)
    signatures = {name: metric.signature for name, metric in scored.metrics.items()}
    blend = BlendWeights(
        tuple(signatures.values()),
        tuple(line.means.tolist()),
        tuple(line.scales.tolist()),
        tuple(line.weights.tolist()),
        float(line.intercept),
        {
            "bleuprint": __version__,
            "human": scored.human,
            "lower_is_better": scored.lower_is_better,
            "method": method,
            "tuning": tuning,
            "outputs": len(y),
            "items": scored.item_count,
            "folds": folds,
            "seed": seed,
            "held_out": {"r": correlation.value, "low": correlation.low, "high": correlation.high},
        },
    )
    return Fit(
        name=scored.name,
        human=scored.human,
        lower_is_better=scored.lower_is_better,
        method=method,
        tuning=tuning,
        outputs=len(y),
        items=scored.item_count,
        folds=folds,
        seed=seed,
        held_out=correlation,
        best=best,
        gain=bootstrap_interval(difference, samples=samples, chance=Chance(seed)),
        weights=tuple(
            FittedWeight(name, signatures[name], weight, alone[name])
            for name, weight in zip(names, weights, strict=True)
        ),
        blend=blend,
        components=tuple(scored.metrics.values()),
        notes=scored.notes,
    )
