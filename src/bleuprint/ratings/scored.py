"""Rated outputs with their scores, as arrays: what fits, thresholds and power curves are computed from."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

from bleuprint import __version__
from bleuprint.core.arrays import np
from bleuprint.errors import InputError, OptionError
from bleuprint.metrics.base.metric import Metric
from bleuprint.ratings.meta import checked_lower, score_outputs
from bleuprint.ratings.table import Names, Ratings, checked_names, read_ratings
from bleuprint.results.display import Displayed
from bleuprint.runners.evaluation import Metrics, resolve

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["FromRatings", "RatedScores", "rated_scores"]


class FromRatings(Displayed):
    """What was learned from ratings: it is shown as tables, and as a page."""

    __slots__ = ()

    def to_html(self, *, title: str | None = None, date: str | None = None) -> str:
        """One HTML page that needs nothing else."""
        # Reports are built on this room, so the module is imported by name when needed.
        page: str = import_module("bleuprint.report").render_from_ratings(self, title=title, date=date)
        return page

    def to_json(self) -> str:
        """Everything as JSON."""
        fields: Any = self  # each result is a dataclass
        return json.dumps({"bleuprint": __version__, **asdict(fields)}, ensure_ascii=False, indent=1) + "\n"


@dataclass(frozen=True, slots=True, eq=False)
class RatedScores:
    """The rated outputs: their ratings, their items, and their scores under each metric, as they are."""

    name: str  # of the file, for messages
    human: str
    lower_is_better: bool  # of the ratings as they are in the table
    metrics: Mapping[str, Metric[Any]]
    ratings: NDArray[np.float64]  # higher is better
    items: NDArray[np.intp]
    scores: Mapping[str, NDArray[np.float64]]
    sign: Mapping[str, float]  # -1 where lower scores are better
    notes: tuple[str, ...]

    @property
    def item_count(self) -> int:
        return int(self.items.max()) + 1


def rated_scores(
    table: Any,
    human: str,
    *,
    metrics: Metrics,
    models: Mapping[str, Any] | None,
    columns: Names | Mapping[str, Sequence[float | None]] = (),
    lower_is_better: Iterable[str] = (),
    group: str | None,
    threads: int | None,
    **roles: Any,
) -> RatedScores:
    """Read ratings and score the rated outputs; items are the segments, or the labels of the column `group`."""
    if not isinstance(human, str):
        raise OptionError("human", "the name of the column with the ratings", human)
    if isinstance(table, Ratings):
        ratings = table
        named = [role for role, name in roles.items() if name is not None] + ["columns"] * bool(columns)
        if named:
            raise OptionError(named[0], "left out for Ratings, whose columns were named when they were read", table)
        if human not in ratings.human:
            raise OptionError("human", f"a column of these ratings ({', '.join(ratings.human)})", human)
        if group is not None and group not in ratings.groups:
            raise OptionError("group", f"a column of groups of these ratings ({', '.join(ratings.groups)})", group)
    else:
        ratings = read_ratings(table, human, group=() if group is None else group, scores=columns, **roles)
    lower = checked_lower(checked_names("lower_is_better", lower_is_better), ratings)
    resolved = resolve(metrics, models)
    scored = score_outputs(ratings, resolved, lower_is_better=lower, threads=threads)
    rated = ~np.isnan(ratings.human[human])
    for values in ratings.scores.values():
        rated &= ~np.isnan(values)
    places = np.flatnonzero(rated)
    if not len(places):
        raise InputError(f"{ratings.name} has no output with a rating in {human!r} and all scores.")
    labels = ratings.segment if group is None else np.unique(ratings.groups[group], return_inverse=True)[1].reshape(-1)
    return RatedScores(
        ratings.name,
        human,
        human in lower,
        resolved,
        (-1.0 if human in lower else 1.0) * ratings.human[human][places],
        np.unique(labels[places], return_inverse=True)[1].reshape(-1).astype(np.intp),
        {name: scored.outputs[name][places] for name in scored.outputs},
        scored.sign,
        (*ratings.notes, *scored.notes),
    )
