"""How well metrics agree with people, as tables and JSON; without NumPy, so that a help text can list choices."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace

from bleuprint import __version__, checks
from bleuprint.errors import OptionError
from bleuprint.results.analysis import Analysis
from bleuprint.results.digits import list_first
from bleuprint.results.display import Cell, DisplayTable, words

LEVELS = ("system", "segment")
UNITS = ("items", "systems", "both")  # what intervals are resampled over
# What ranks and compares the metrics at system level and at segment level.
STATISTICS = {
    "pearson": ("pearson", "pearson"),
    "spearman": ("kendall", "spearman"),
    "kendall": ("kendall", "kendall-by-item"),
    "accuracy": ("pairwise-accuracy", "accuracy"),
}
# The statistics by level, in the order of the tables, and their headings.
LABELS = {
    "system": {"pearson": "Pearson", "kendall": "Kendall", "pairwise-accuracy": "accuracy"},
    "segment": {
        "pearson": "Pearson",
        "spearman": "Spearman",
        "kendall": "Kendall",
        "pearson-by-item": "Pearson by item",
        "spearman-by-item": "Spearman by item",
        "kendall-by-item": "Kendall by item",
        "accuracy": "accuracy",
    },
}


@dataclass(frozen=True, slots=True)
class Estimate:
    """A statistic with its confidence interval, or the reason why the ratings do not define it.

    >>> Estimate(None, reason="all of its scores are equal").text
    '–'
    """

    value: float | None
    low: float | None = None
    high: float | None = None
    reason: str | None = None  # of a missing value or a missing interval

    @classmethod
    def of(cls, value: float, interval: tuple[float, float] | None) -> Estimate:
        """A value with its interval, or the reason why one of them is missing."""
        if math.isnan(value):
            return cls(None, reason="it cannot be computed from numbers of this size")
        if interval is None:
            return cls(value, reason="it is undefined in too many resamples")
        return cls(value, *interval)

    @property
    def text(self) -> str:
        return _three_digits(self.value)

    @property
    def ends(self) -> tuple[float, float] | None:
        """The interval; None if there is none."""
        return None if self.low is None or self.high is None else (self.low, self.high)

    @property
    def width(self) -> float:
        """The width of the interval; 0 if there is none."""
        return 0.0 if self.ends is None else self.ends[1] - self.ends[0]

    @property
    def excludes_zero(self) -> bool:
        return self.ends is not None and not self.ends[0] <= 0 <= self.ends[1]

    @property
    def cells(self) -> tuple[Cell, Cell]:
        """The value and its interval, in a table."""
        return Cell(self.text, self.value, self.ends), Cell(self.interval or "–")

    @property
    def interval(self) -> str:
        """The interval as text; empty if there is none."""
        return "" if self.ends is None else " … ".join(map(_three_digits, self.ends))


@dataclass(frozen=True, slots=True)
class MetricAgreement:
    """One metric: its statistics, the ranks that the significant differences allow, and whether it agrees at all."""

    metric: str
    statistics: Mapping[str, Estimate]
    best_rank: int | None  # None if the tested statistic is undefined
    worst_rank: int | None
    p_value: float | None  # of no agreement, corrected for the number of metrics
    agrees: bool
    threshold: float | None = None  # scores that differ by no more are called equal in `accuracy`

    @property
    def rank(self) -> str:
        if self.best_rank is None:
            return "–"
        return f"{self.best_rank}" if self.best_rank == self.worst_rank else f"{self.best_rank}-{self.worst_rank}"


@dataclass(frozen=True, slots=True)
class MetricDifference:
    """Two metrics, and whether the first agrees better with the ratings than the second."""

    first: str
    second: str
    difference: float
    p_value: float
    corrected_p_value: float  # Holm's correction over all pairs
    better: str | None  # None if the difference is not significant


@dataclass(frozen=True, slots=True, repr=False)
class LevelAgreement:
    """How well metrics agree with one column of ratings, over systems or over segments; the best metric comes first."""

    human: str
    level: str  # "system" or "segment"
    statistic: str  # the one that ranks and compares the metrics
    outputs: int
    segments: int
    systems: int
    metrics: tuple[MetricAgreement, ...] = ()
    differences: tuple[MetricDifference, ...] = ()
    clusters: tuple[tuple[str, ...], ...] = ()  # every metric agrees significantly better than all of later clusters
    groups: Mapping[str, Mapping[str, Mapping[str, Estimate]]] = field(default_factory=dict)  # column, label, metric
    tied: float | None = None  # the accuracy of calling all outputs of a segment equal

    def metric(self, name: str) -> MetricAgreement:
        """Return the agreement of one metric."""
        for entry in self.metrics:
            if entry.metric == name:
                return entry
        raise OptionError("metric", f"one of {', '.join(entry.metric for entry in self.metrics)}", name)

    @property
    def size(self) -> str:
        """What was compared, in words."""
        if self.level == "system":
            return f"{self.systems} systems"
        return f"{self.outputs:,} outputs, {self.segments:,} segments"

    @property
    def other_statistics(self) -> list[str]:
        """The statistics beside the one that ranks the metrics that at least one metric has, in the order of tables."""
        return [
            name
            for name in LABELS[self.level]
            if name != self.statistic
            and any(name in metric.statistics and metric.statistics[name].value is not None for metric in self.metrics)
        ]

    def note_on_intervals(self, resample: str) -> str:
        """Why an interval can exclude 0 where the test shows no agreement; empty if none does."""
        marked = [metric.statistics[self.statistic] for metric in self.metrics if not metric.agrees]
        if self.level != "system" or resample != "items" or not any(entry.excludes_zero for entry in marked):
            return ""
        return "The interval covers other segments; † asks about other systems."

    @property
    def verdict(self) -> str:
        """What the table says, as a sentence."""
        agreeing = [entry.metric for entry in self.metrics if entry.agrees]
        if not agreeing:
            return f"No metric is shown to agree with {self.human} at {self.level} level."
        first = self.clusters[0] if self.clusters else ()
        best = agreeing[0]
        at = f"with {self.human} at {self.level} level"
        if len(self.metrics) == 1:
            return f"{best} agrees {at}."
        if first == (best,):
            return f"{best} agrees best {at}, significantly better than all others."
        tied = [entry.metric for entry in self.metrics if entry.metric != best and entry.best_rank == 1]
        if not tied:
            return f"{best} agrees best {at}."
        return f"{best} agrees best {at}, but {list_first(tied)} cannot be told apart from it."

    def __repr__(self) -> str:
        return f"<LevelAgreement of {len(self.metrics)} metrics with {self.human} at {self.level} level>"


@dataclass(frozen=True, slots=True)
class RaterAgreement:
    """How well the raters of one column agree, and the correlation that no metric can be expected to exceed."""

    human: str
    ratings: int
    outputs: int  # that were rated
    repeated: int  # outputs with at least two ratings
    alpha: Mapping[str, Estimate]  # Krippendorff's, by level of measurement
    ceiling: Estimate

    @property
    def reasons(self) -> list[str]:
        """Why numbers are missing, each reason once."""
        missing = (estimate.reason for estimate in (*self.alpha.values(), self.ceiling))
        return [f"{self.human}: {reason}" for reason in dict.fromkeys(missing) if reason is not None]


@dataclass(frozen=True, slots=True)
class Disagreement:
    """An output on which a metric and people disagree: its score and rating, and their ranks among all, from 0 to 1."""

    metric: str
    human: str
    segment: str
    system: str
    score: float
    rating: float
    score_rank: float
    rating_rank: float
    hypothesis: str | None = None
    references: tuple[str, ...] = ()
    source: str | None = None


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything except the data that can change a number."""

    statistic: str = "pearson"
    resample: str = "items"
    resamples: int = 1000
    permutations: int | None = None
    alpha: float = 0.05
    seed: int = 12345

    def __post_init__(self) -> None:
        checks.choice("statistic", self.statistic, tuple(STATISTICS))
        checks.choice("resample", self.resample, UNITS)
        checks.trials("resamples", self.resamples)
        checks.trials("permutations", self.permutations, optional=True)
        checks.fraction("alpha", self.alpha)
        checks.integer("seed", self.seed, 0, 2**64 - 1)

    def __str__(self) -> str:
        return "|".join(f"{key}:{value}" for key, value in asdict(self).items() if value is not None)


@dataclass(frozen=True, slots=True, repr=False)
class Agreement(Analysis):
    """How well metrics agree with human ratings; see `bleuprint.Ratings.agreement`."""

    name: str  # of the table
    outputs: int
    segments: int
    systems: tuple[str, ...]
    signatures: Mapping[str, str]  # of the metrics
    levels: tuple[LevelAgreement, ...]
    raters: tuple[RaterAgreement, ...]
    ratings: Mapping[str, Mapping[str, float]]  # mean by column and system
    scores: Mapping[str, Mapping[str, float]]  # by metric and system
    lower_is_better: frozenset[str]
    disagreements: tuple[Disagreement, ...]
    settings: Settings
    notes: tuple[str, ...] = ()

    @property
    def signature(self) -> str:
        """How the metrics were compared; each metric has a signature of its own."""
        return f"agreement|outputs:{self.outputs}|{self.settings}#bleuprint:{__version__}"

    def level(self, human: str, level: str = "segment") -> LevelAgreement:
        """Return the agreement with one column of ratings at one level."""
        for entry in self.levels:
            if (entry.human, entry.level) == (human, level):
                return entry
        known = ", ".join(f"{entry.human!r} at {entry.level} level" for entry in self.levels)
        raise OptionError("level", f"one of {known}", f"{human} at {level} level")

    def display(self, *, percent: bool = False) -> tuple[DisplayTable, ...]:
        """The tables: agreement by column of ratings and level, then groups, then the raters."""
        tables = [self._level_table(entry) for entry in self.levels]
        for entry in self.levels:
            tables += [_group_table(entry, column) for column in entry.groups]
        if any(entry.repeated for entry in self.raters):
            tables.append(_rater_table(self.raters))
        elif self.raters and tables:
            tables[-1] = replace(tables[-1], notes=(*tables[-1].notes, "No output was rated twice."))
        return tuple(tables)

    def _level_table(self, entry: LevelAgreement) -> DisplayTable:
        labels, tested, others = LABELS[entry.level], entry.statistic, entry.other_statistics
        has_thresholds = any(metric.threshold is not None for metric in entry.metrics)
        rows = []
        for metric in entry.metrics:
            main = metric.statistics[tested]
            mark = "" if metric.agrees or main.value is None else "†"
            cells = [
                _number_cell(main.value, best=metric.best_rank == 1 and metric.agrees, mark=mark),
                *map(_number_cell, (main.low, main.high, *(metric.statistics[name].value for name in others))),
            ]
            if has_thresholds:
                cells.append(_number_cell(metric.threshold, digits=".3g"))
            rows.append((Cell(metric.metric), Cell(metric.rank), *cells))
        interval = f"{100 * (1 - self.settings.alpha):g} % from"
        header = ("metric", "rank", labels[tested], interval, "to", *(labels[name] for name in others))
        return DisplayTable(
            (*header, *(["tie threshold"] if has_thresholds else [])),
            tuple(rows),
            f"Agreement with {entry.human} at {entry.level} level ({entry.size})",
            (entry.verdict, *_level_notes(entry, self.settings)),
            {name: text for name, text in self.signatures.items() if name in {row.metric for row in entry.metrics}},
            label=f"agreement-{entry.level}",
            signed=0,
        )

    def to_dict(self) -> dict[str, object]:
        """Return everything as plain numbers, strings and lists, ready for JSON."""
        content = asdict(self)
        content["signature"] = self.signature
        content["lower_is_better"] = sorted(self.lower_is_better)
        for entry, plain in zip(self.levels, content["levels"], strict=True):
            plain["verdict"] = entry.verdict
        return content

    def __repr__(self) -> str:
        columns = ", ".join(dict.fromkeys(entry.human for entry in self.levels))
        return f"<Agreement of {len(self.signatures)} metrics on {self.outputs:,} outputs: {columns}>"


def _three_digits(value: float | None) -> str:
    return "–" if value is None else f"{round(value, 3) + 0.0:.3f}"  # never -0.000


def _number_cell(value: float | None, *, digits: str = "", best: bool = False, mark: str = "") -> Cell:
    """A number for a table; NaN stands for a missing one in CSV and data frames."""
    text = f"{value:{digits}}" if digits and value is not None else _three_digits(value)
    return Cell(text, math.nan if value is None else value, best=best, mark=mark)


def _level_notes(entry: LevelAgreement, settings: Settings) -> tuple[str, ...]:
    """Say what the marks mean, and why numbers are missing."""
    notes = []
    marked = [metric.statistics[entry.statistic] for metric in entry.metrics if not metric.agrees]
    if any(estimate.value is not None for estimate in marked):
        notes.append(
            f"†: not shown to agree at all (p ≥ {settings.alpha:g} after correction for the number of metrics)."
        )
    notes += filter(None, [entry.note_on_intervals(settings.resample)])
    if entry.tied:
        notes.append(f"Calling all outputs of a segment equal would reach an accuracy of {entry.tied:.3f}.")
    reasons: dict[str, list[str]] = {}
    for metric in entry.metrics:
        for statistic, estimate in metric.statistics.items():
            if estimate.reason is not None and (estimate.value is None or statistic == entry.statistic):
                label = LABELS[entry.level][statistic]
                missing = label if estimate.value is None else f"the interval of {label}"
                reasons.setdefault(f"{missing} is missing: {estimate.reason}", []).append(metric.metric)
    for reason, metrics in reasons.items():
        of = "" if len(metrics) == len(entry.metrics) else f"{', '.join(metrics)}: "
        notes.append(f"{of}{reason}.")
    return tuple(notes)


def _group_table(entry: LevelAgreement, column: str) -> DisplayTable:
    labels = entry.groups[column]
    names = [metric.metric for metric in entry.metrics]
    label = LABELS[entry.level][entry.statistic]
    rows = []
    for group, estimates in labels.items():
        rows.append((Cell(group), *(Cell(estimates[name].text, estimates[name].value) for name in names)))
    caption = f"{label} with {entry.human} at {entry.level} level, by {column}"
    notes = (f"{caption}.",)
    return DisplayTable((column, *names), tuple(rows), caption, notes, label=f"agreement-{column}")


def _rater_table(raters: tuple[RaterAgreement, ...]) -> DisplayTable:
    levels = list(raters[0].alpha)
    rows = tuple(
        (
            *words(entry.human, f"{entry.ratings:,}", f"{entry.outputs:,}", f"{entry.repeated:,}"),
            *(Cell(entry.alpha[level].text, entry.alpha[level].value) for level in levels),
            Cell(entry.ceiling.text, entry.ceiling.value),
        )
        for entry in raters
    )
    reasons = (f"{reason}." for entry in raters for reason in entry.reasons)
    header = (
        *("ratings", "number", "outputs", "rated twice or more"),
        *(f"alpha ({level})" for level in levels),
        "noise ceiling",
    )
    explained = "alpha: Krippendorff's. noise ceiling: the highest Pearson correlation to expect at segment level."
    return DisplayTable(header, rows, "Agreement of raters", (explained, *reasons), label="agreement-raters")
