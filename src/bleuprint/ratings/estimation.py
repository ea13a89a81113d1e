"""Estimate what people would rate, from a metric or an LLM judge on all outputs and people's ratings of some.

    score = mean rating + weight · (mean of the metric on all outputs − its mean on those that were rated)

What the metric gets wrong is in both of its means and cancels, if the rated outputs are a random sample. The weight is
the one with the smallest variance, near 0 for a useless metric (power tuning). Variances are sums over items of squared
errors, with n − 2 degrees of freedom and the variance of the weight itself, so that few ratings get wide intervals.
Angelopoulos, Bates, Fannjiang, Jordan, Zrnic (2023): Prediction-powered inference. Science 382.
Angelopoulos, Duchi, Zrnic (2023): PPI++: Efficient prediction-powered inference. arXiv:2311.01453.

Where ratings hardly vary, no variance tells what the next one will be. The interval is then the one that
`statistics.small_samples` has for ratings on a scale with known ends. Without these there is none.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, NamedTuple

from bleuprint import checks
from bleuprint.core.arrays import Flags, Floats, Places, np
from bleuprint.errors import InputError, OptionError
from bleuprint.ratings.agreement.result import Estimate
from bleuprint.ratings.agreement.statistics import standardize
from bleuprint.ratings.judge import JudgeErrors
from bleuprint.ratings.scoring import OutputScores, choose_column, item_labels
from bleuprint.results.analysis import Analysis
from bleuprint.results.digits import list_first
from bleuprint.results.display import Cell, DisplayTable
from bleuprint.statistics.distributions import t_quantile
from bleuprint.statistics.small_samples import STUDENT, Ends, Evidence, difference_ends, fewest_changes

if TYPE_CHECKING:
    from bleuprint.ratings.items import Trials
    from bleuprint.ratings.table import Ratings

_FEWEST_ITEMS = 10  # with fewer rated ones, the weight of the metric would be a guess
_SAME = 1e-10  # of ratings and scores, whose sizes are about 1
_LARGEST = 1e100  # in size, of the ends of a scale
_NO_SCALE = "Ratings of {} hardly vary; give the ends of their scale for an interval."


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked besides the mean ratings; see `Ratings.estimate`."""

    earlier: str | None = None
    scale: Sequence[float] | None = None
    width: float | None = None
    rate_next: int = 0
    alpha: float = 0.05

    def __post_init__(self) -> None:
        checks.fraction("alpha", self.alpha)
        checks.integer("rate_next", self.rate_next, 0)
        if self.width is not None:
            checks.number("width", self.width, math.ulp(0.0), allowed="a number above 0")

    def ends(self, given: Floats) -> Ends | None:
        """The ends of the scale of these ratings; pass and fail are 0 and 1, other scales have to be given."""
        if self.scale is None:
            return (0.0, 1.0) if ((given == 0) | (given == 1)).all() else None
        span = f"{given.min():g} to {given.max():g}"
        allowed = f"two numbers, the lowest and the highest possible rating; there are ratings from {span}"
        ends = [checks.number("scale", end, -_LARGEST, _LARGEST) for end in checks.items("scale", self.scale, allowed)]
        if len(ends) != 2 or not ends[0] <= given.min() <= given.max() <= ends[1] or ends[0] == ends[1]:
            raise OptionError("scale", allowed, self.scale)
        return ends[0], ends[1]


@dataclass(frozen=True, slots=True)
class MeanRating:
    """What people would rate the outputs of a system on average, or a difference between systems or rounds."""

    name: str
    outputs: int  # that were rated
    estimate: Estimate
    alone: Estimate  # from the ratings without the metric
    metric: float | None  # the mean score
    weight: float  # of the metric; 0 if only the ratings count
    needed: int | None  # rated items for the width that was asked for; None if there are too few items


@dataclass(frozen=True, slots=True, repr=False)
class RatingEstimate(Analysis):
    """What people would rate on average, and how far a metric or a judge can stand in for them."""

    name: str
    human: str
    metric: str
    signature: str
    level: float
    items: int
    rated_items: int
    systems: tuple[MeanRating, ...]  # the best first
    differences: tuple[MeanRating, ...]  # of all pairs of systems
    drift: tuple[MeanRating, ...]  # from an earlier round of ratings to this one
    judge: JudgeErrors | None  # of a metric whose scores are ratings
    width: float | None
    rate_next: tuple[str, ...]  # segments
    seed: int
    notes: tuple[str, ...] = ()

    @property
    def narrowing(self) -> float | None:
        """The width of the intervals as a share of those from ratings alone; None where the metric has no weight."""
        widths = [entry.estimate.width / entry.alone.width for entry in self.systems if entry.weight]
        return sum(widths) / len(widths) if widths else None

    @property
    def verdict(self) -> str:
        """The result in words."""
        best, *others = self.systems
        known = f"{best.estimate.text} ({best.estimate.interval or 'no interval'})"
        text = f"People would rate {best.name or 'the outputs'} {known} on average"
        if others:
            # To be best, a system has to be better than all others, so no correction for their number is needed.
            pairs = zip(others, self.differences, strict=False)
            unclear = [other.name for other, pair in pairs if not pair.estimate.excludes_zero]
            text += (
                f", but it is not shown to be better than {list_first(unclear)}"
                if unclear
                else ", better than all others"
            )
        if self.narrowing is None or self.narrowing > 0.97:
            return f"{text}. {self.metric} adds nothing to the ratings: intervals are no narrower with it."
        return (
            f"{text}. With {self.metric}, intervals are {100 * (1 - self.narrowing):.0f} % narrower than from the "
            f"ratings alone, as from {1 / self.narrowing**2:.1f} times as many ratings."
        )

    def __repr__(self) -> str:
        return f"<RatingEstimate of {self.human} with {self.metric}: {len(self.systems)} systems>"

    def display(self, *, percent: bool = False) -> tuple[DisplayTable, ...]:
        """Scores and differences, then the errors of a judge; `percent` changes nothing: ratings have a scale."""
        rows = []
        for entry in (*self.systems, *self.differences, *self.drift):
            metric = Cell("", math.nan) if entry.metric is None else Cell(f"{entry.metric:.3f}", entry.metric)
            cells = [Cell(f"{entry.outputs:,}", entry.outputs), *entry.estimate.cells, *entry.alone.cells, metric]
            if self.width is not None:
                cells.append(Cell("–", math.nan) if entry.needed is None else Cell(f"{entry.needed:,}", entry.needed))
            rows.append((Cell(entry.name or "all outputs"), *cells))
        interval = f"{100 * self.level:g} % interval"
        header = ["", "rated", self.human, interval, "ratings alone", f"{interval} alone", self.metric]
        reasons = dict.fromkeys(entry.estimate.reason for entry in self.systems)
        notes = [self.verdict, f"{self.rated_items:,} of {self.items:,} items are rated.", *filter(None, reasons)]
        if self.width is not None:
            header.append(f"items for {self.width:g}")
            notes.append(f"items for {self.width:g}: rated items for an interval so wide; –: there are not enough.")
        if self.rate_next:
            notes.append(f"Rate next: {', '.join(self.rate_next)}.")
        caption, signed = f"What people would rate as {self.human}.", {self.metric: self.signature}
        table = DisplayTable(tuple(header), tuple(rows), caption, tuple(notes), signed, label="rating-estimate")
        return table, *(() if self.judge is None else self.judge.tables(self.metric))


class Part(NamedTuple):
    """What is known of a mean rating, or of a difference of two; arrays have a number for each item."""

    items: int  # that were rated
    outputs: int  # that were rated
    spread: float  # the standard error of the mean score of all outputs
    parents: tuple[Part, ...]  # of a difference
    has_scale: bool  # ratings are from 0 to 1
    level: float
    mean: float  # of the ratings
    gap: float  # how much higher the scores of all outputs are than those of the rated ones
    errors: Floats  # what the item adds to the error of the mean
    moves: Floats  # what it adds to the gap
    values: Floats  # its mean rating; NaN where there is none
    scores: Floats  # its mean score where it is rated

    @classmethod
    def of(cls, scores: Floats, ratings: Floats, item: Places, items: int, *, has_scale: bool, level: float) -> Part:
        """The part of these outputs; NaN is the rating of those that nobody rated."""

        def sums(values: Floats) -> Floats:
            return np.bincount(item, weights=values, minlength=items).astype(np.float64)

        rated = ~np.isnan(ratings)
        count, mean, seen = int(rated.sum()), float(ratings[rated].mean()), float(scores[rated].mean())
        times, everywhere = sums(rated), sums(scores - scores.mean()) / len(scores)
        with np.errstate(invalid="ignore"):
            columns = [sums(np.where(rated, column, 0.0)) / times for column in (ratings, scores)]
        errors, moves = (sums(np.where(rated, x, 0.0)) / count for x in (ratings - mean, scores - seen))
        facts: Any = (float(scores.mean()) - seen, errors, moves - everywhere, *columns)
        return cls(
            int((times > 0).sum()), count, math.sqrt(everywhere @ everywhere), (), has_scale, level, mean, *facts
        )

    def __sub__(self, other: Part) -> Part:
        rest: Any = zip(self[6:], other[6:], strict=True)
        counts = min(self.items, other.items), self.outputs + other.outputs, math.hypot(self.spread, other.spread)
        return Part(*counts, (self, other), self.has_scale, self.level, *(mine - theirs for mine, theirs in rest))

    @property
    def hardly_varies(self) -> bool:
        """Whether so few items differ from the usual one that no variance can be estimated."""
        counts = np.unique(self.values[~np.isnan(self.values)].round(12), return_counts=True)[1]
        usual, every = int(counts.max(initial=0)), int(counts.sum())
        return self.items == 1 or (2 * usual > every and every - usual < fewest_changes(1 - self.level))

    @property
    def is_usual(self) -> bool:
        """Whether variances tell how far the estimate may be off: ratings vary, and so do the errors of the metric."""
        wrong = self.items - int((abs(self.values - self.scores) < _SAME).sum())
        varies = self.items >= _FEWEST_ITEMS and not self.hardly_varies
        return varies and wrong >= fewest_changes(1 - self.level) and all(part.is_usual for part in self.parents)

    def solve(self) -> Solution:
        """The estimate with the metric."""
        if self.is_usual:
            return self._weigh(tuned=True)
        if self.parents:
            found = _subtract(*(part.solve() for part in self.parents))
            return found if found.weight else self.alone()
        if self.has_scale and self.items >= _FEWEST_ITEMS and not self.hardly_varies:  # the metric is hardly ever wrong
            spread = NormalDist().inv_cdf((1 + self.level) / 2) * self.spread
            return self._bound(self.mean + self.gap, self.values, self.scores, spread, 1.0)
        return self.alone()

    def alone(self) -> Solution:
        """The estimate from the ratings without the metric."""
        if self.parents and not self.is_usual:
            first, second = self.parents
            if self.has_scale and np.count_nonzero(~np.isnan(self.values)) == first.items == second.items:
                return self._bound(self.mean, first.values, second.values)
            return _subtract(first.alone(), second.alone())
        if self.has_scale and not self.parents:
            return self._bound(self.mean, self.values)
        return Solution(self.mean, None, 0.0) if self.hardly_varies else self._weigh(tuned=False)

    def _weigh(self, *, tuned: bool) -> Solution:
        """The estimate with the weight that narrows it most, or without the metric, with Student's t."""
        squares, weight = float(self.moves @ self.moves), 0.0
        if tuned and squares * self.items > _SAME**2:
            weight = float(self.errors @ self.moves) / squares
        left, freedom = self.errors - weight * self.moves, self.items - (2 if weight else 1)
        # Errors of items that nobody rated are 0; those of the others are smaller than the true ones.
        variance = float((left**2 * np.where(self.errors != 0, self.items / freedom, 1.0)).sum())
        if weight:
            variance += self.gap**2 * float(((self.moves * left) ** 2).sum()) / squares**2
        value, margin = self.mean + weight * self.gap, t_quantile((1 + self.level) / 2, freedom) * math.sqrt(variance)
        return Solution(value, (value - margin, value + margin), weight)

    def _bound(
        self, value: float, values: Floats, others: Floats | None = None, spread: float = 0.0, weight: float = 0.0
    ) -> Solution:
        """An estimate around numbers from 0 to 1, or differences of them, of which few tell how much they vary."""
        rated = ~np.isnan(values)
        both = values[rated], None if others is None else others[rated]
        errors = both[0] if both[1] is None else both[0] - both[1]
        mean, size = (self.mean, self.items) if others is None else (float(errors.mean()), len(errors))
        errors = self.errors if others is None else (errors - mean) / size
        error = math.sqrt(float(errors @ errors) * size / max(1, size - 1))
        evidence = Evidence(mean, error, *both)
        low, high = evidence.ends(evidence.method(1 - self.level) or STUDENT, self.level)
        ends = value - math.hypot(mean - low, spread), value + math.hypot(high - mean, spread)
        return Solution(value, ends, weight)


class Solution(NamedTuple):
    """An estimate with its interval, if it has one, and the weight of the metric."""

    value: float
    ends: Ends | None
    weight: float


def _subtract(first: Solution, second: Solution) -> Solution:
    ends = first.ends and second.ends and difference_ends((first.value, *first.ends), (second.value, *second.ends))
    return Solution(first.value - second.value, ends, min(first.weight, second.weight))


def estimate_ratings(
    ratings: Ratings, human: str | None, scored: Mapping[str, OutputScores], question: Question, trials: Trials
) -> RatingEstimate:
    """Estimate what people would rate, with the one metric or column that was scored; see `Ratings.estimate`."""
    human = choose_column(ratings, human)
    rounds = [human] if question.earlier is None else [human, choose_column(ratings, question.earlier, "earlier")]
    ((name, entry),) = scored.items()
    gaps = np.flatnonzero(~np.isfinite(entry.outputs))
    if len(gaps):
        raise InputError(f"{name} has no score for output {gaps[0] + 1} of {ratings.name}; it needs one for each.")
    given = np.concatenate([ratings.judgements[column].value for column in rounds])
    scale, level = question.ends(given), 1 - question.alpha
    origin, most = scale or (float(given.min()), float(given.max()))
    unit = most - origin or 1.0
    # A judge on about the scale of the ratings stays there, so that its errors can be counted.
    scores, deviation = (entry.outputs - origin) / unit, unit
    if np.ptp(scores) < 1e-5 or abs(scores).max() > 1e5:
        scores, deviation = standardize(entry.outputs), float(entry.outputs.std()) or 1.0
    item = np.unique(item_labels(ratings), return_inverse=True)[1].reshape(-1).astype(np.intp)
    items, columns = int(item.max()) + 1, [(ratings.human[column] - origin) / unit for column in rounds]
    rated = ~np.isnan(columns[0])

    def part_of(column: Floats, of: Places | slice = slice(None)) -> Part:
        return Part.of(scores[of], column[of], item[of], items, has_scale=scale is not None, level=level)

    def answer(name: str, part: Part, metric: float | None) -> MeanRating:
        start, least = (0.0, -1.0) if part.parents else (origin, 0.0)

        def rescale(number: float) -> float:
            return start + unit * (number if scale is None else min(max(number, least), 1.0))

        def show(found: Solution) -> Estimate:
            if found.ends is None:
                return Estimate(rescale(found.value), reason=_NO_SCALE.format(name or "the outputs"))
            return Estimate(rescale(found.value), rescale(found.ends[0]), rescale(found.ends[1]))

        found, alone = part.solve(), show(part.alone())
        estimate, weight = show(found), found.weight * unit / deviation
        needed = _count_needed(part.items, items, estimate.width, alone.width, question.width)
        return MeanRating(name, part.outputs, estimate, alone, metric, weight, needed)

    places = {system: np.flatnonzero(ratings.system == place) for place, system in enumerate(ratings.systems)}
    parts = {system: part_of(columns[0], of) for system, of in places.items() if rated[of].any()}
    means = {system: float(entry.outputs[places[system]].mean()) for system in parts}
    sign = 1 if human in ratings.lower_is_better else -1
    systems = [answer(system, part, means[system]) for system, part in parts.items()]
    systems.sort(key=lambda system: sign * (system.estimate.value or 0.0))
    pairs = combinations([system.name for system in systems], 2)
    now, *before = map(part_of, columns)
    return RatingEstimate(
        name=ratings.name,
        human=human,
        metric=name,
        signature=entry.signature,
        level=level,
        items=items,
        rated_items=len(np.unique(item[rated])),
        systems=tuple(systems),
        differences=tuple(answer(f"{a} − {b}", parts[a] - parts[b], means[a] - means[b]) for a, b in pairs),
        drift=tuple(answer(f"{human} − {question.earlier}", now - part, None) for part in before),
        judge=JudgeErrors.of(ratings, human, entry.outputs, item, (origin, origin + unit), trials, level),
        width=question.width,
        rate_next=tuple(_draw_segments(ratings, scores, item, question.rate_next, trials.seed, rated)),
        seed=trials.seed,
        notes=(*ratings.notes, *(f"{name} has no ratings, so it is left out" for name in places if name not in parts)),
    )


def _count_needed(rated: int, items: int, now: float, alone: float, width: float | None) -> int | None:
    """The rated items for an interval of this width, if further ones are like these; None if there are too few.

    The square of the width falls with one over their number, to that of the ratings alone if all items are rated.
    """
    least = alone**2 * rated / items
    if width is None or now == 0:
        return None
    if now <= width:
        return rated
    if width**2 < least or rated == items:
        return None
    share = (width**2 - least) / (now**2 - least)
    return math.ceil(1 / (1 / items + share * (1 / rated - 1 / items)))


def _draw_segments(
    ratings: Ratings, scores: Floats, item: Places, count: int, seed: int, rated: Flags
) -> Iterator[str]:
    """Draw segments without ratings, each with the same chance, spread over items and over the scores within each.

    Segments are ordered by the mean score of their item, then their own, and every k-th is drawn from a random start.
    Madow and Madow (1944): On the theory of systematic sampling. Annals of Mathematical Statistics 15.
    """

    def means(labels: Places) -> Floats:
        return (np.bincount(labels, weights=scores) / np.bincount(labels))[labels]

    order = np.lexsort((ratings.segment, means(ratings.segment), item, means(item)))
    free = np.bincount(ratings.segment, weights=rated) == 0
    listed = [segment for segment in dict.fromkeys(ratings.segment[order].tolist()) if free[segment]]
    count = min(count, len(listed))
    start = np.random.default_rng(seed).random()
    return (ratings.segments[listed[int((start + place) * len(listed) / count)]] for place in range(count))
