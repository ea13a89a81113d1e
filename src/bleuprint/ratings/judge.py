"""Where a judge whose scores are ratings, such as pass and fail, differs from people; each single rating counts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bleuprint.core.arrays import Flags, Floats, Places, np
from bleuprint.ratings.agreement.raters import kappa, kappa_rows
from bleuprint.ratings.agreement.resampling import quantile_interval
from bleuprint.ratings.agreement.result import Estimate
from bleuprint.ratings.items import Trials, sums_by_item
from bleuprint.results.display import Cell, DisplayTable
from bleuprint.statistics.small_samples import Ends, share_ends

if TYPE_CHECKING:
    from bleuprint.ratings.table import Ratings

_MOST_CATEGORIES = 10
_BLOCK = 1000  # resamples in memory at a time
_NOTE = "Kappas are 1 if all ratings agree, and 0 if as many do as by chance."
_PASS_OR_FAIL = "False passes are the share of what people fail that the judge passes; false fails the other way round."
_LONGER = (
    "Too high is the share of what people rate below the top that the judge rates higher; too low the other way round."
)


@dataclass(frozen=True, slots=True)
class JudgeErrors:
    """The errors and kappas of a judge, and how often it rated so what people rated so."""

    categories: tuple[float, ...]
    counts: tuple[tuple[int, ...], ...]  # by the judge's category, then by people's
    measures: Mapping[str, Estimate]

    @classmethod
    def of(
        cls, ratings: Ratings, human: str, scores: Floats, item: Places, scale: Ends, trials: Trials, level: float
    ) -> JudgeErrors | None:
        """Count the errors of a judge; None if its scores are not whole numbers on the scale of the ratings."""
        judgements = ratings.judgements[human]
        judged, items = scores[judgements.output], item[judgements.output]
        categories, ranks = np.unique(np.concatenate([judged, judgements.value]), return_inverse=True)
        fits = scale[0] <= judged.min() <= judged.max() <= scale[1] and (categories == categories.round()).all()
        if not fits or not 2 <= len(categories) <= _MOST_CATEGORIES:
            return None
        judge, people = np.split(ranks.reshape(-1), 2)
        top, one, kinds = len(categories) - 1, np.ones(len(judge)), np.eye(len(categories))
        names = ["too high", "too low"]
        if categories.tolist() == [0, 1]:
            names = (
                ["false fails", "false passes"] if human in ratings.lower_is_better else ["false passes", "false fails"]
            )
        rows = np.column_stack([one, judge == people, one, kinds[judge], kinds[people]])
        measures = {
            names[0]: _share(judge > people, people < top, items, level),
            names[1]: _share(judge < people, people > 0, items, level),
            "Cohen's kappa, judge and people": _kappa(rows, items, "Cohen's kappa", trials, level),
            "Gwet's AC1, judge and people": _kappa(rows, items, "Gwet's AC1", trials, level),
        }
        outputs, own = kappa_rows(people, judgements.output)
        for kind in ("Fleiss' kappa", "Gwet's AC1") if own[:, 0].any() else ():
            measures[f"{kind}, people"] = _kappa(own, item[outputs], kind, trials, level)
        counts = (kinds[judge].T @ kinds[people]).astype(int).tolist()
        return cls(tuple(categories.tolist()), tuple(map(tuple, counts)), measures)

    def tables(self, metric: str) -> tuple[DisplayTable, DisplayTable]:
        """The measures, and the confusion matrix."""
        measures = tuple((Cell(name), *estimate.cells) for name, estimate in self.measures.items())
        kinds = [f"{category:g}" for category in self.categories]
        counts = tuple(
            (Cell(kind), *(Cell(f"{count:,}", count) for count in row))
            for kind, row in zip(kinds, self.counts, strict=True)
        )
        notes = (_PASS_OR_FAIL if "false passes" in self.measures else _LONGER, _NOTE)
        errors = DisplayTable(("", "value", "interval"), measures, f"Errors of {metric}", notes, label="judge-errors")
        header = (metric, *(f"people {kind}" for kind in kinds))
        return errors, DisplayTable(header, counts, f"Ratings by {metric} and by people", label="judge-counts")


def _share(wrong: Flags, among: Flags, items: Places, level: float) -> Estimate:
    """The share of wrong ones, as exact as if each item counted once: ratings of one item depend on each other."""
    if not among.any():
        return Estimate(None, reason="people gave no such rating")
    share, trials = float((wrong & among).sum() / among.sum()), len(np.unique(items[among]))
    return Estimate(share, *share_ends(share * trials, trials, level))


def _kappa(rows: Floats, items: Places, kind: str, trials: Trials, level: float) -> Estimate:
    sums = sums_by_item(np.unique(items, return_inverse=True)[1].reshape(-1), rows)
    value = float(kappa(sums.sum(axis=0), kind))
    drawn = np.concatenate([kappa(draw @ sums, kind) for draw in trials.draws(len(sums), _BLOCK)])
    ends = quantile_interval(drawn, level)
    if np.isnan(value) or ends is None or ends[0] == ends[1]:
        return Estimate(None if np.isnan(value) else value, reason="too few ratings differ")
    return Estimate(value, *ends)
