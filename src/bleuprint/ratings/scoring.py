"""Scores of rated outputs under metrics, and what all results that are learned from them have in common."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bleuprint import __version__, signature
from bleuprint.core.arrays import Floats, NDArray, Places, np
from bleuprint.core.columns import Corpus
from bleuprint.errors import InputError, OptionError
from bleuprint.metrics import registry
from bleuprint.metrics.base import Metric, Score
from bleuprint.ratings.reading import check_usable
from bleuprint.results.display import Cell
from bleuprint.results.model import COLUMN
from bleuprint.runners.evaluation import Metrics, measure, resolve
from bleuprint.statistics.rows import Sample

if TYPE_CHECKING:
    from bleuprint.ratings.table import Ratings
    from bleuprint.statistics.intervals import Interval  # which loads NumPy


def interval_text(interval: Interval, form: str) -> str:
    """A value with its interval, in words."""
    return f"{interval.value:{form}} ({interval.low:{form}} … {interval.high:{form}})"


def interval_cells(interval: Interval, form: str) -> tuple[Cell, Cell]:
    """A value and its interval, in a table."""
    value = Cell(f"{interval.value:{form}}", interval.value)
    return value, Cell(f"{interval.low:{form}} … {interval.high:{form}}")


def allowed_metrics(ratings: Ratings) -> dict[str, Metric[Score]]:
    """Return all metrics that need no model and nothing that the table lacks."""
    if ratings.hypotheses is None:
        return {}
    return {
        name: registry.resolve(name)
        for name, kind in registry.scored_by_name("segment").items()
        if (ratings.references is not None or not kind.needs_references)
        and (ratings.sources is not None or not kind.needs_sources)
    }


@dataclass(frozen=True, slots=True, eq=False)
class OutputScores:
    """Scores of all outputs under one metric or in one column, as they are; NaN where there is none."""

    outputs: Floats
    sign: float  # -1 where lower is better
    signature: str
    systems: Mapping[int, float]  # the score of the system's outputs as a corpus, by place
    samples: Mapping[int, tuple[Sample, Places]]  # rows to resample, and their outputs


def score_outputs(
    ratings: Ratings, metrics: Mapping[str, Metric[Score]], columns: Iterable[str], threads: int | None
) -> dict[str, OutputScores]:
    """Score all outputs under the metrics, and add columns of scores."""
    for name, metric in metrics.items():
        _check_texts(ratings, name, metric)
        if name in columns:
            raise OptionError("scores", "columns that are not named like a metric", name)
    places = [np.flatnonzero(ratings.system == system) for system in range(len(ratings.systems))]
    corpora = {str(number): _corpus(ratings, of.tolist()) for number, of in enumerate(places)} if metrics else {}
    measured = measure(metrics, corpora, store=None, threads=threads)[0] if metrics else {}
    scored: dict[str, OutputScores] = {}
    for name, metric in metrics.items():
        entries = [measured[system][name] for system in corpora]
        outputs, samples = np.full(len(ratings), np.nan), {}
        for number, (of, entry) in enumerate(zip(places, entries, strict=True)):
            outputs[of] = np.where(np.isfinite(entry.segments), entry.segments, np.nan)
            if entry.statistics is not None:
                definition = entry.score.definition
                samples[number] = definition.row_summary.sample(definition, entry.statistics.rows), of
        systems = {number: float(entry.score.value) for number, entry in enumerate(entries)}
        sign = 1.0 if metric.higher_is_better else -1.0
        scored[name] = OutputScores(outputs, sign, entries[-1].score.signature, systems, samples)
    for name in columns:
        values, higher = ratings.scores[name], name not in ratings.lower_is_better
        present = {number: of[~np.isnan(values[of])] for number, of in enumerate(places)}
        scored[name] = OutputScores(
            values,
            1.0 if higher else -1.0,
            signature.write(COLUMN, 1, {"higher_is_better": higher, "name": name}, {"bleuprint": __version__}),
            {number: float(values[of].mean()) for number, of in present.items() if len(of)},
            {number: (Sample.of_scores(values[of]), of) for number, of in present.items() if len(of)},
        )
    return scored


def _check_texts(ratings: Ratings, name: str, metric: Metric[Score]) -> None:
    for option, role, texts, needed in (
        ("hypothesis", "hypotheses", ratings.hypotheses, True),
        ("reference", "references", ratings.references, metric.needs_references),
        ("source", "sources", ratings.sources, metric.needs_sources),
    ):
        if needed and texts is None:
            raise InputError(
                f"{name} needs {role}, but no column of {ratings.name} is recognized as such; "
                f"name it: --{option} NAME on the command line, {option}=NAME in Python."
            )


def _corpus(ratings: Ratings, places: list[int]) -> Corpus:
    assert ratings.hypotheses is not None
    hypotheses = [ratings.hypotheses[place] for place in places]
    sources = None if ratings.sources is None else [ratings.sources[place] for place in places]
    if ratings.references is None:
        return Corpus.alone(hypotheses, sources)
    return Corpus.of(hypotheses, [ratings.references[place] for place in places], sources)


@dataclass(frozen=True, slots=True, eq=False)
class RatedScores:
    """The outputs with a rating in one column: their ratings, their items, and their scores under each metric."""

    name: str  # of the file, for messages
    human: str
    lower_is_better: bool  # of the ratings as they are in the table
    metrics: Mapping[str, Metric[Score]]
    ratings: Floats  # higher is better
    items: Places
    scores: Mapping[str, Floats]  # as they are
    sign: Mapping[str, float]  # -1 where lower scores are better
    notes: tuple[str, ...]

    @classmethod
    def of(
        cls,
        ratings: Ratings,
        human: str | None,
        metrics: Metrics,
        *,
        columns: Sequence[str] = (),
        models: Mapping[str, object] | None,
        threads: int | None,
    ) -> RatedScores:
        """Score the rated outputs under metrics and columns of scores.

        Items are the segments, or the labels of the group of these ratings.
        """
        human = choose_column(ratings, human)
        check_usable(ratings, human)
        resolved = resolve(metrics, models, unit="segment")
        scored = score_outputs(ratings, resolved, columns, threads)
        rated = ~np.isnan(ratings.human[human])
        for name in columns:
            rated &= ~np.isnan(ratings.scores[name])
        places = np.flatnonzero(rated)
        if not len(places):
            raise InputError(f"{ratings.name} has no output with a rating in {human!r} and all scores.")
        for name in resolved:
            gaps = np.flatnonzero(np.isnan(scored[name].outputs[places]))
            if len(gaps):
                raise InputError(f"{name} has no finite score for rated output {gaps[0] + 1}; leave the metric out.")
        return cls(
            ratings.name,
            human,
            human in ratings.lower_is_better,
            resolved,
            ratings.quality(human)[places],
            np.unique(item_labels(ratings)[places], return_inverse=True)[1].reshape(-1).astype(np.intp),
            {name: entry.outputs[places] for name, entry in scored.items()},
            {name: entry.sign for name, entry in scored.items()},
            ratings.notes,
        )

    @property
    def item_count(self) -> int:
        return int(self.items.max()) + 1


def choose_column(ratings: Ratings, human: str | None, option: str = "human") -> str:
    """The column of ratings with this name; the only one by default."""
    if human is None:
        if len(ratings.human) > 1:
            raise OptionError.because(
                f"the ratings are in several columns, {', '.join(ratings.human)}; pass one of them as human"
            )
        return next(iter(ratings.human))
    if not isinstance(human, str) or human not in ratings.human:
        raise OptionError(option, f"a column of these ratings ({', '.join(ratings.human)})", human)
    return human


def item_labels(ratings: Ratings) -> NDArray[np.generic]:
    """The item of each output: its segment, or its label of the group."""
    if len(ratings.groups) > 1:
        raise OptionError.because(
            f"outputs can be items by one group only, but these ratings have {', '.join(ratings.groups)}; "
            "read them with one of these as group"
        )
    return np.array(next(iter(ratings.groups.values()))) if ratings.groups else ratings.segment
