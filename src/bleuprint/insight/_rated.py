"""Rated outputs with their scores, as arrays: what fits, thresholds and power curves are computed from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bleuprint.core.arrays import np
from bleuprint.core.columns import Corpus
from bleuprint.dataset.ratings import Names, Ratings, read_ratings
from bleuprint.errors import InputError, OptionError
from bleuprint.metrics.base.metric import Metric
from bleuprint.runners.evaluation import Metrics, measure, resolve

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["RatedScores", "rated_scores"]


@dataclass(frozen=True, slots=True, eq=False)
class RatedScores:
    """The rated outputs: their ratings, their items, and their scores under each metric, as they are."""

    name: str  # of the file, for messages
    human: str
    lower_is_better: frozenset[str]  # of the ratings and the columns of scores
    metrics: Mapping[str, Metric[Any]]
    ratings: NDArray[np.float64]  # higher is better
    items: NDArray[np.intp]
    scores: Mapping[str, NDArray[np.float64]]
    notes: tuple[str, ...]

    @property
    def item_count(self) -> int:
        return int(self.items.max()) + 1

    def sign(self, name: str) -> float:
        """-1 if lower scores are better."""
        better = self.metrics[name].higher_is_better if name in self.metrics else name not in self.lower_is_better
        return 1.0 if better else -1.0


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
        if human not in ratings.human:
            raise OptionError("human", f"a column of these ratings ({', '.join(ratings.human)})", human)
        if group is not None and group not in ratings.groups:
            raise OptionError("group", f"a column of groups of these ratings ({', '.join(ratings.groups)})", group)
    else:
        ratings = read_ratings(table, human, group=() if group is None else group, scores=columns, **roles)
    lower = frozenset([lower_is_better] if isinstance(lower_is_better, str) else lower_is_better)
    known = (*ratings.human, *ratings.scores)
    for name in sorted(lower - set(known)):
        raise OptionError("lower_is_better", f"names of columns with ratings or scores ({', '.join(known)})", name)
    resolved = resolve(metrics, models) if metrics else {}
    rated = ~np.isnan(ratings.human[human])
    for values in ratings.scores.values():
        rated &= ~np.isnan(values)
    places = np.flatnonzero(rated)
    if not len(places):
        raise InputError(f"{ratings.name} has no output with a rating in {human!r} and all scores.")
    scores = _scored(ratings, resolved, places.tolist(), threads)
    scores |= {name: values[places] for name, values in ratings.scores.items()}
    labels = ratings.segment if group is None else np.unique(ratings.groups[group], return_inverse=True)[1].reshape(-1)
    sign = -1.0 if human in lower else 1.0
    return RatedScores(
        ratings.name,
        human,
        lower,
        resolved,
        sign * ratings.human[human][places],
        np.unique(labels[places], return_inverse=True)[1].reshape(-1).astype(np.intp),
        scores,
        ratings.notes,
    )


def _scored(
    ratings: Ratings, metrics: Mapping[str, Metric[Any]], places: list[int], threads: int | None
) -> dict[str, NDArray[np.float64]]:
    for name, metric in metrics.items():
        needed: dict[str, object] = {"hypothesis": ratings.hypotheses}
        needed |= {"reference": ratings.references} if metric.needs_references else {}
        needed |= {"source": ratings.sources} if metric.needs_sources else {}
        for role, texts in needed.items():
            if texts is None:
                raise InputError(
                    f"{name} needs a column with the {role} of each output, but no column of {ratings.name} is "
                    f"recognized as such; name it: --{role}-column NAME on the command line, {role}=NAME in Python."
                )
    if not metrics:
        return {}
    assert ratings.hypotheses is not None
    hypotheses = [ratings.hypotheses[place] for place in places]
    references = hypotheses if ratings.references is None else [ratings.references[place] for place in places]
    sources = None if ratings.sources is None else [ratings.sources[place] for place in places]
    measured = measure(metrics, {"": Corpus.of(hypotheses, references, sources)}, store=None, threads=threads)[""]
    return {name: np.array(measured[name].segments) for name in metrics}
