"""Find the score at which an output is good enough, from ratings that say pass or fail.

An output is predicted to pass if its score is at least the threshold. Of the outputs predicted to pass, `precision` is
the share that do pass; of the outputs that pass, `recall` is the share predicted to.

Whether a score separates the two at all is decided first, by the area under the ROC curve: the chance that an output
that passes has a higher score than one that fails, counting ties as half. If the lower end of its 95 % interval, from
resamples of items, is not above one half, no threshold is better than chance. Of data sets whose scores have no
relation to the outcome, this finds separation in 1.5 % to 4 %, where 2.5 % are intended, as
`tests/ratings/test_threshold.py` simulates. The chosen threshold must also be of use on held-out items: outputs that
meet it must pass more often than all outputs do, by more than resamples of items explain.
Bradley (1997): The use of the area under the ROC curve in the evaluation of machine learning algorithms. Pattern
Recognition 30.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from bleuprint import checks
from bleuprint.core.arrays import Flags, Floats, Places, np
from bleuprint.errors import InputError, OptionError
from bleuprint.metrics import registry
from bleuprint.ratings.items import Trials, fold_numbers, sums_by_item
from bleuprint.ratings.scoring import RatedScores, interval_cells, interval_text
from bleuprint.results.analysis import Analysis
from bleuprint.results.display import Cell, DisplayTable
from bleuprint.statistics.intervals import Interval
from bleuprint.statistics.rows import Sample

_FEWEST_ITEMS = 20  # the cross-validation of a threshold leaves out a tenth of the items
_FEWEST_OUTCOMES = 10  # outputs that pass and outputs that fail, each
_DRAWN_AT_A_TIME = 1 << 22  # numbers held for a block of resamples


@dataclass(frozen=True, slots=True)
class Criterion:
    """What the threshold maximizes: F1, or one of precision and recall where the other is at least a given share."""

    precision: float | None = None
    recall: float | None = None

    def __post_init__(self) -> None:
        if self.precision is not None and self.recall is not None:
            raise OptionError.because(
                "pass precision or recall, one of the two: the other is maximized where this one is reached"
            )
        for name in ("precision", "recall"):
            value = getattr(self, name)
            if value is not None and checks.number(name, value, 0, 1) == 0:
                raise OptionError(name, "a number above 0 and up to 1", value)

    def __str__(self) -> str:
        if self.precision is not None:
            return f"the largest recall with a precision of at least {self.precision:g}"
        if self.recall is not None:
            return f"the largest precision with a recall of at least {self.recall:g}"
        return "the largest F1"

    def worth(self, right: Floats, predicted: Floats, passing: Floats) -> Floats:
        """What to maximize, of counts of rows: rightly predicted to pass, predicted to pass, and passing."""
        precision, recall = _share(right, predicted), _share(right, passing)
        if self.precision is not None:
            return np.where(precision >= self.precision, recall, -1.0)
        if self.recall is not None:
            return np.where(recall >= self.recall, precision, -1.0)
        return _share(2 * right, predicted + passing)


def _share(part: Floats, whole: Floats) -> Floats:
    share: Floats = part / np.where(whole > 0, whole, 1.0)
    return share


@dataclass(frozen=True, slots=True)
class Separation:
    """A threshold on a score, and how well it separates.

    `threshold` is None if no threshold separates, and `reason` says why. Precision, recall and F1 are those of held-out
    items: the threshold that judged a row was chosen without its item.
    """

    criterion: Criterion
    rows: int
    items: int
    passing: int
    area: Interval  # under the ROC curve; 0.5 is chance
    threshold: Interval | None = None
    precision: Interval | None = None
    recall: Interval | None = None
    f1: Interval | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True, repr=False)
class Threshold(Analysis):
    """A threshold on a metric's score that predicts which outputs people pass; `value` is None if none separates."""

    name: str
    metric: str
    signature: str
    human: str
    passing: str  # which ratings pass, in words
    higher_is_better: bool
    value: float | None
    low: float | None  # interval of the threshold, from resamples of items; it holds the threshold
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
        area = f"the area under the ROC curve is {interval_text(found.area, '.2f')}, where 0.5 is chance"
        if self.value is None or found.precision is None or found.recall is None:
            return (
                f"No threshold of {self.metric} separates outputs that pass from outputs that fail: {found.reason} "
                f"({area})."
            )
        sign = "≥" if self.higher_is_better else "≤"
        precision, recall = (interval_text(interval, ".2f") for interval in (found.precision, found.recall))
        return (
            f"An output passes if {self.metric} {sign} {self.value:g}. On held-out items, {precision} of the outputs "
            f"that meet the threshold do pass (precision), and {recall} of the outputs that pass meet it (recall); "
            f"{area}.{self._shortfall()}"
        )

    def _shortfall(self) -> str:
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
        rows = [(Cell("area under the ROC curve"), *interval_cells(found.area, ".3f"))]
        if self.value is not None and self.low is not None and self.high is not None:
            limits = Cell(f"{self.low:.4g} … {self.high:.4g}")
            rows.insert(0, (Cell(f"threshold of {self.metric}"), Cell(f"{self.value:g}", self.value), limits))
            for name, interval in (("precision", found.precision), ("recall", found.recall), ("F1", found.f1)):
                if interval is not None:
                    rows.append((Cell(f"{name} on held-out items"), *interval_cells(interval, ".3f")))
        counted = (
            f"{found.passing:,} of {found.rows:,} rated outputs pass ({self.passing}); {found.items:,} items. "
            f"Chosen for {found.criterion}."
        )
        return (
            DisplayTable(
                ("", "value", "95 % interval"),
                tuple(rows),
                caption=f"Threshold of {self.metric} for {self.human}.",
                notes=(self.verdict, counted),
                signatures={self.metric: self.signature} if self.signature else None,
                label="threshold",
            ),
        )


def find_threshold(
    scored: RatedScores, cut: float | None, criterion: Criterion, folds: int, trials: Trials
) -> Threshold:
    """Find the threshold of the one metric or column that was scored; see `Ratings.threshold`."""
    ((name, scores),) = scored.scores.items()
    sign = scored.sign[name]
    lower = scored.lower_is_better
    bound = _resolve_cut(cut, -scored.ratings if lower else scored.ratings, scored.human)
    passes = scored.ratings >= (-bound if lower else bound)
    _check_enough(scored, passes, bound)
    found = separate(sign * scores, passes, scored.items, criterion, folds, trials)
    threshold = found.threshold
    low, high = (None, None) if threshold is None else sorted((sign * threshold.low, sign * threshold.high))
    metric = scored.metrics.get(name)
    points = precision_recall(sign * scores, passes)
    return Threshold(
        name=scored.name,
        metric=name,
        signature="" if metric is None else metric.definition.signature_of(sentence=True, references=None),
        human=scored.human,
        passing=f"{scored.human} {'≤' if lower else '≥'} {bound:g}",
        higher_is_better=sign > 0,
        value=None if threshold is None else sign * threshold.value,
        low=low,
        high=high,
        predicted=None if threshold is None else float((sign * scores >= threshold.value).mean()),
        found=found,
        curve=tuple(sorted((sign * level, share, rest) for level, share, rest in points)),
        notes=scored.notes,
    )


def _resolve_cut(cut: float | None, ratings: Floats, human: str) -> float:
    if cut is None:
        if set(np.unique(ratings).tolist()) <= {0.0, 1.0}:
            return 0.5
        raise OptionError.because(
            f"pass cut: ratings in {human!r} range from {ratings.min():g} to {ratings.max():g}, "
            "so it is unclear which pass"
        )
    return checks.number("cut", cut, -1e300, 1e300, allowed="a rating: outputs that are rated so or better pass")


def _check_enough(scored: RatedScores, passes: Flags, bound: float) -> None:
    passing, failing = int(passes.sum()), int((~passes).sum())
    if scored.item_count < _FEWEST_ITEMS or min(passing, failing) < _FEWEST_OUTCOMES:
        raise InputError(
            f"{scored.name} has {scored.item_count} items with ratings in {scored.human!r}; with a cut at {bound:g}, "
            f"{passing} outputs pass and {failing} fail. A threshold needs at least {_FEWEST_ITEMS} items, and "
            f"{_FEWEST_OUTCOMES} outputs of each kind, to be checked on held-out items. Rate more outputs or use "
            "another cut."
        )


def best_threshold(scores: Floats, passes: Flags, criterion: Criterion) -> float | None:
    """The threshold that is best by the criterion, as a short decimal; None if none meets it.

    >>> scores, passes = np.array([0.12, 0.31, 0.38, 0.47, 0.9]), np.array([False, False, True, False, True])
    >>> best_threshold(scores, passes, Criterion()), best_threshold(scores, passes, Criterion(precision=1.0))
    (0.34, 0.7)
    """
    steps = _Steps.of(scores, passes, np.arange(len(scores)))
    place = steps.best(np.ones((1, len(scores))), criterion)[0]
    return None if place < 0 else _short_decimal(steps, int(place))


def precision_recall(scores: Floats, passes: Flags, *, points: int = 100) -> list[tuple[float, float, float]]:
    """Threshold, precision and recall, from the lowest score to the highest; evenly spaced ones if there are many.

    >>> precision_recall(np.array([0.1, 0.2, 0.3]), np.array([False, True, True]))
    [(0.1, 0.6666666666666666, 1.0), (0.2, 1.0, 1.0), (0.3, 1.0, 0.5)]
    """
    steps = _Steps.of(scores, passes, np.arange(len(scores)))
    passing, failing = (counted[0] for counted in steps.counts(np.ones((1, len(scores)))))
    places = np.unique(np.linspace(0, len(steps.levels) - 1, min(points, len(steps.levels))).round().astype(int))[::-1]
    rows = zip(steps.levels, _share(passing, passing + failing), _share(passing, passing[-1]), strict=True)
    listed = [(float(level), float(precision), float(recall)) for level, precision, recall in rows]
    return [listed[place] for place in places]


def separate(
    scores: Floats, passes: Flags, items: Places, criterion: Criterion, folds: int, trials: Trials
) -> Separation:
    """Find the threshold of a score, higher being better, for rows that pass or fail; see the module's docstring."""
    steps = _Steps.of(scores, passes, items)
    count = int(items.max()) + 1
    fold_of = fold_numbers(count, folds, trials.seed)[items]
    block = max(1, _DRAWN_AT_A_TIME // len(items))
    drawn = [(steps.areas(draw), steps.best(draw, criterion)) for draw in trials.draws(count, block)]
    areas, places = map(np.concatenate, zip(*drawn, strict=True))
    area = trials.percentiles(float(steps.areas(np.ones((1, count)))[0]), areas)
    best = best_threshold(scores, passes, criterion)
    facts = (criterion, len(scores), count, int(passes.sum()), area)
    if not area.low > 0.5:
        reason = "the interval of the area under the ROC curve reaches down to 0.5, which is chance"
        return Separation(*facts, reason=reason)
    if best is None:
        return Separation(*facts, reason=f"no threshold has {criterion}")
    threshold = trials.percentiles(best, steps.levels[places[places >= 0]])
    # The best threshold may be one that few resamples choose, and it lies below the score at its place.
    threshold = replace(threshold, low=min(threshold.low, best), high=max(threshold.high, best))
    judged = _predict_held_out(scores, passes, fold_of, criterion)
    flags = (judged & passes, judged, passes, np.ones(len(passes), dtype=bool))
    outcomes = sums_by_item(items, np.column_stack(flags).astype(np.float64))

    def of(formula: Callable[[Sequence[Floats]], Floats]) -> Interval:
        return trials.interval(Sample(outcomes, formula, has_percent=False))

    gain = of(lambda columns: _share(columns[0], columns[1]) - _share(columns[2], columns[3]))
    if not gain.low > 0:
        # Where most rows pass, the largest F1 is often that of a threshold that lets all of them pass.
        reason = (
            f"with {criterion}, {judged.sum():,} of {len(judged):,} held-out outputs meet the threshold, and of these "
            f"{100 * passes[judged].mean() if judged.any() else 0:.1f} % pass, not clearly more than the "
            f"{100 * passes.mean():.1f} % of all outputs; ask for another precision or recall"
        )
        return Separation(*facts, reason=reason)
    return Separation(
        *facts,
        threshold,
        of(lambda columns: _share(columns[0], columns[1])),
        of(lambda columns: _share(columns[0], columns[2])),
        of(lambda columns: _share(2 * columns[0], columns[1] + columns[2])),
    )


def _predict_held_out(scores: Floats, passes: Flags, fold_of: Places, criterion: Criterion) -> Flags:
    """Which rows a threshold chosen on other folds predicts to pass; where none meets the criterion, none."""
    judged = np.zeros(len(scores), dtype=bool)
    for fold in np.unique(fold_of):
        test = fold_of == fold
        threshold = best_threshold(scores[~test], passes[~test], criterion)
        if threshold is not None:
            judged[test] = scores[test] >= threshold
    return judged


@dataclass(frozen=True, slots=True, eq=False)
class _Steps:
    """The distinct scores from the highest down, each of which can be a threshold, and the rows at each."""

    levels: Floats
    level_of: Places  # of each row
    passes: Flags
    items: Places

    @classmethod
    def of(cls, scores: Floats, passes: Flags, items: Places) -> _Steps:
        levels, level_of = np.unique(-scores, return_inverse=True)
        order = np.argsort(level_of, kind="stable")
        return cls(-levels, level_of.reshape(-1)[order], passes[order], items[order])

    def counts(self, drawn: Floats) -> tuple[Floats, Floats]:
        """For each resample, the rows with at least each score that pass, and that fail."""
        weights = drawn[:, self.items]
        starts = np.searchsorted(self.level_of, np.arange(len(self.levels)))
        passing = np.add.reduceat(np.where(self.passes, weights, 0.0), starts, axis=1)
        failing = np.add.reduceat(np.where(self.passes, 0.0, weights), starts, axis=1)
        return passing.cumsum(axis=1), failing.cumsum(axis=1)

    def areas(self, drawn: Floats) -> Floats:
        """The area under the ROC curve; one half if all rows pass or all fail."""
        passing, failing = self.counts(drawn)
        below = failing[:, -1:] - failing
        at = np.diff(failing, axis=1, prepend=0.0)
        pairs = passing[:, -1] * failing[:, -1]
        won = (np.diff(passing, axis=1, prepend=0.0) * (below + at / 2)).sum(axis=1)
        return np.where(pairs > 0, won / np.where(pairs > 0, pairs, 1.0), 0.5)

    def best(self, drawn: Floats, criterion: Criterion) -> Places:
        """The place of the best threshold, of equal ones the highest; -1 if none meets the criterion."""
        passing, failing = self.counts(drawn)
        worth = criterion.worth(passing, passing + failing, passing[:, -1:])
        return np.where(worth.max(axis=1) > 0, worth.argmax(axis=1), -1).astype(np.intp)


def _short_decimal(steps: _Steps, place: int) -> float:
    """The shortest decimal above the next lower score and up to the score at this place."""
    high = float(steps.levels[place])
    low = float(steps.levels[place + 1]) if place + 1 < len(steps.levels) else -np.inf
    middle = (low + high) / 2 if low > -np.inf else high
    for digits in range(17):
        rounded = round(middle, digits)
        if low < rounded <= high:
            return rounded
    return high
