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
from typing import TYPE_CHECKING, NamedTuple

from bleuprint import checks
from bleuprint.core.arrays import Flags, Floats, Places, np
from bleuprint.errors import InputError, OptionError
from bleuprint.ratings.agreement.result import Estimate
from bleuprint.ratings.agreement.statistics import standardize
from bleuprint.ratings.judge import JudgeErrors, judge_errors
from bleuprint.ratings.scoring import FromRatings, OutputScores, choose_column, item_labels
from bleuprint.results.digits import list_first
from bleuprint.results.display import Cell, DisplayTable
from bleuprint.statistics.distributions import t_quantile
from bleuprint.statistics.small_samples import STUDENT, Ends, Evidence, difference_ends, fewest_changes

if TYPE_CHECKING:
    from bleuprint.ratings.items import Trials
    from bleuprint.ratings.table import Ratings

_FEWEST_ITEMS = 10  # with fewer rated ones, the weight of the metric would be a guess
_MANY = 10**6  # degrees of freedom
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
class RatingEstimate(FromRatings):
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
        text = f"People would rate {best.name or 'the outputs'} {known} on average."
        if others:
            # To be best, a system has to be better than all others, so no correction for their number is needed.
            pairs = zip(others, self.differences, strict=False)
            unclear = [other.name for other, pair in pairs if not pair.estimate.excludes_zero]
            shown = f"but it is not shown to be better than {list_first(unclear)}" if unclear else "above all others"
            text = f"People would rate {best.name} best on average, {known}, {shown}."
        ratio = self.narrowing
        if ratio is None:
            return f"{text} {self.metric} has no weight in this: there are too few ratings, or it cannot add to them."
        if ratio > 0.97:
            return f"{text} {self.metric} adds nothing to the ratings: intervals are as narrow without it."
        return (
            f"{text} With {self.metric}, intervals are {100 * (1 - ratio):.0f} % narrower than from the ratings alone, "
            f"as from {1 / ratio**2:.1f} times as many ratings."
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
        signatures = {self.metric: self.signature}
        caption = f"What people would rate as {self.human}."
        table = DisplayTable(tuple(header), tuple(rows), caption, tuple(notes), signatures, label="rating-estimate")
        return table, *(() if self.judge is None else self.judge.tables(self.metric))


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """What is known of a mean rating, or of a difference of two; arrays have a number for each item."""

    mean: float  # of the ratings
    gap: float  # how much higher the scores of all outputs are than those of the rated ones
    errors: Floats  # what the item adds to the error of the mean
    moves: Floats  # what it adds to the gap
    values: Floats  # its mean rating; NaN where there is none
    scores: Floats  # its mean score where it is rated
    spread: float  # the standard error of the mean score of all outputs
    items: int  # that were rated
    outputs: int

    @classmethod
    def of(cls, scores: Floats, ratings: Floats, item: Places, items: int) -> Part:
        """The part of these outputs; NaN is the rating of those that nobody rated."""

        def sums(values: Floats) -> Floats:
            return np.bincount(item, weights=values, minlength=items).astype(np.float64)

        rated = ~np.isnan(ratings)
        count, mean, seen = int(rated.sum()), float(ratings[rated].mean()), scores[rated].mean()
        times, all_moves = sums(rated), sums(scores - scores.mean()) / len(scores)
        with np.errstate(invalid="ignore"):
            values, stands = (sums(np.where(rated, column, 0.0)) / times for column in (ratings, scores))
        errors = sums(np.where(rated, ratings - mean, 0.0)) / count
        moves = sums(np.where(rated, scores - seen, 0.0)) / count - all_moves
        gap, spread = float(scores.mean() - seen), math.sqrt(all_moves @ all_moves)
        return cls(mean, gap, errors, moves, values, stands, spread, int((times > 0).sum()), count)

    def __sub__(self, other: Part) -> Part:
        return Part(
            self.mean - other.mean,
            self.gap - other.gap,
            self.errors - other.errors,
            self.moves - other.moves,
            self.values - other.values,
            self.scores - other.scores,
            math.hypot(self.spread, other.spread),
            min(self.items, other.items),
            self.outputs + other.outputs,
        )

    def hardly_varies(self, alpha: float) -> bool:
        """Whether so few items differ from the usual one that no variance can be estimated."""
        counts = np.unique(self.values[~np.isnan(self.values)].round(12), return_counts=True)[1]
        usual, every = int(counts.max(initial=0)), int(counts.sum())
        return self.items == 1 or (2 * usual > every and every - usual < fewest_changes(alpha))

    def hardly_errs(self, alpha: float) -> bool:
        """Whether the scores are the ratings of all items but so few that no variance can be estimated."""
        return self.items - int((abs(self.values - self.scores) < _SAME).sum()) < fewest_changes(alpha)

    def estimate(self, level: float, *, weighted: bool) -> tuple[float, Ends, float]:
        """The estimate, its interval, and the weight of the metric, 0 unless `weighted`."""
        squares, weight = float(self.moves @ self.moves), 0.0
        if weighted and squares * self.items > _SAME**2:
            weight = float(self.errors @ self.moves) / squares
        left, freedom = self.errors - weight * self.moves, self.items - (2 if weight else 1)
        # Errors of items that nobody rated are 0; those of the others are smaller than the true ones.
        variance = float((left**2 * np.where(self.errors != 0, self.items / freedom, 1.0)).sum())
        if weight:
            variance += self.gap**2 * float(((self.moves * left) ** 2).sum()) / squares**2
        value, margin = self.mean + weight * self.gap, t_quantile((1 + level) / 2, freedom) * math.sqrt(variance)
        return value, (value - margin, value + margin), weight

    def ends_of_few(self, level: float, *, weight: float) -> Ends:
        """The interval of ratings from 0 to 1 alone, or with scores of weight 1 that are hardly ever wrong."""
        rated = ~np.isnan(self.values)
        values, others = self.values[rated], self.scores[rated] if weight else None
        errors = self.errors if others is None else (values - others - (values - others).mean()) / len(values)
        error = math.sqrt(float(errors @ errors) * self.items / max(1, self.items - 1))
        mean = self.mean if others is None else float((values - others).mean())
        evidence = Evidence(mean, error, values, others)
        low, high = evidence.ends(evidence.method(1 - level) or STUDENT, level)
        value, spread = self.mean + weight * self.gap, weight * t_quantile((1 + level) / 2, _MANY) * self.spread
        return value - math.hypot(mean - low, spread), value + math.hypot(high - mean, spread)


class Solution(NamedTuple):
    """An estimate with its interval, that of the ratings alone, and the weight of the metric."""

    value: float
    ends: Ends | None
    alone: Ends | None
    weight: float


@dataclass(frozen=True, slots=True, eq=False)
class Study:
    """The scale of the ratings and the question that is answered for each part."""

    question: Question
    origin: float
    unit: float
    has_scale: bool
    items: int
    deviation: float  # the unit of the scores

    def answer(self, name: str, first: Part, second: Part | None, metric: float | None) -> MeanRating:
        """The estimate of a mean, or of the difference of two."""
        part, origin, least = (first, self.origin, 0.0) if second is None else (first - second, 0.0, -1.0)
        value, ends, alone, weight = self._solve(first) if second is None else self._subtract(first, second)

        def rescale(number: float) -> float:
            return origin + self.unit * (min(max(number, least), 1.0) if self.has_scale else number)

        def show(value: float, ends: Ends | None) -> Estimate:
            if ends is None:
                return Estimate(rescale(value), reason=_NO_SCALE.format(name or "the outputs"))
            return Estimate(rescale(value), rescale(ends[0]), rescale(ends[1]))

        found = show(value, ends), show(part.mean, alone)
        needed = self._items_for_width(part.items, found[0].width, found[1].width)
        return MeanRating(name, part.outputs, *found, metric, weight * self.unit / self.deviation, needed)

    def _is_usual(self, part: Part) -> bool:
        """Whether variances tell what an interval of the part is."""
        alpha = self.question.alpha
        return part.items >= _FEWEST_ITEMS and not part.hardly_varies(alpha) and not part.hardly_errs(alpha)

    def _solve(self, part: Part) -> Solution:
        alpha, level = self.question.alpha, 1 - self.question.alpha
        if self.has_scale:
            alone: Ends | None = part.ends_of_few(level, weight=0.0)
        else:
            alone = None if part.hardly_varies(alpha) else part.estimate(level, weighted=False)[1]
        if self._is_usual(part):
            value, ends, weight = part.estimate(level, weighted=True)
            return Solution(value, ends, alone, weight)
        if self.has_scale and part.items >= _FEWEST_ITEMS and not part.hardly_varies(alpha):
            return Solution(part.mean + part.gap, part.ends_of_few(level, weight=1.0), alone, 1.0)
        return Solution(part.mean, alone, alone, 0.0)

    def _subtract(self, first: Part, second: Part) -> Solution:
        part, level = first - second, 1 - self.question.alpha
        if all(map(self._is_usual, (part, first, second))):
            value, ends, weight = part.estimate(level, weighted=True)
            return Solution(value, ends, part.estimate(level, weighted=False)[1], weight)
        one, two = self._solve(first), self._solve(second)
        known = one.ends and two.ends and difference_ends((one.value, *one.ends), (two.value, *two.ends))
        alone = one.alone and two.alone and difference_ends((first.mean, *one.alone), (second.mean, *two.alone))
        return Solution(one.value - two.value, known, alone, min(one.weight, two.weight))

    def _items_for_width(self, rated: int, now: float, alone: float) -> int | None:
        """The rated items for an interval of the width that was asked for, if further ones are like these.

        The square of the width falls with one over their number, to that of ratings alone if all items are rated.
        """
        width = self.question.width
        if width is None or now == 0:
            return None
        if now <= width:
            return rated
        least = alone**2 * rated / self.items
        if width**2 < least or rated == self.items:
            return None
        share = (width**2 - least) / (now**2 - least)
        return math.ceil(1 / (1 / self.items + share * (1 / rated - 1 / self.items)))


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
    ends = question.ends(given)
    origin, most = ends or (float(given.min()), float(given.max()))
    unit = most - origin or 1.0
    values = [(ratings.human[column] - origin) / unit for column in rounds]
    # A judge on the scale of the ratings stays there, so that its errors can be counted.
    scores, deviation, rated = (entry.outputs - origin) / unit, unit, ~np.isnan(values[0])
    if ends is None or not 0 <= scores.min() <= scores.max() <= 1:
        scores, deviation = standardize(entry.outputs), float(entry.outputs.std()) or 1.0
    item = np.unique(item_labels(ratings), return_inverse=True)[1].reshape(-1).astype(np.intp)
    items = int(item.max()) + 1
    study = Study(question, origin, unit, ends is not None, items, deviation)
    places = {system: np.flatnonzero(ratings.system == k) for k, system in enumerate(ratings.systems)}
    parts = {k: Part.of(scores[of], values[0][of], item[of], items) for k, of in places.items() if rated[of].any()}
    means = {system: float(entry.outputs[places[system]].mean()) for system in parts}
    sign = 1 if human in ratings.lower_is_better else -1
    systems = [study.answer(system, part, None, means[system]) for system, part in parts.items()]
    systems.sort(key=lambda system: sign * (system.estimate.value or 0.0))
    pairs = combinations([system.name for system in systems], 2)
    drift = [Part.of(scores, column, item, items) for column in values]
    return RatingEstimate(
        ratings.name,
        human,
        name,
        entry.signature,
        1 - question.alpha,
        items,
        len(np.unique(item[rated])),
        tuple(systems),
        tuple(study.answer(f"{a} − {b}", parts[a], parts[b], means[a] - means[b]) for a, b in pairs),
        tuple(study.answer(f"{human} − {question.earlier}", drift[0], before, None) for before in drift[1:]),
        judge_errors(ratings, human, entry.outputs, item, (origin, origin + unit), trials, question.alpha),
        question.width,
        tuple(_draw_segments(ratings, scores, item, question.rate_next, trials.seed, rated)),
        trials.seed,
        (*ratings.notes, *(f"{system} has no ratings, so it is left out" for system in places if system not in parts)),
    )


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
