"""Measure how much metrics narrow intervals of mean ratings on rated data: table of `bench/tables/simulations.md`.

Of the ratings of 100 segments, drawn at random, and the scores of all, `ratings estimate` makes the mean rating of each
system. The table has the width of its interval relative to that of the ratings alone, on average over systems and
draws, and how many of the intervals hold the mean of all ratings. The data is that of `tools.human_agreement`. In place
of a judge, simplifications also have what people said about another side of the same outputs.

    python -m tools.estimate_widths --write
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

import bleuprint as bp
from bleuprint.ratings.scoring import score_outputs
from bleuprint.runners.evaluation import resolve
from tools.human_agreement import crowd_rows, data_folder, rows_of
from tools.pool_simulation import print_tables

METRICS = ("bleu", "chrf", "ter", "meteor")
OTHER = "fluency"  # as people rated it
RATED = 100


def data_sets() -> Iterator[tuple[str, bp.Ratings]]:
    """Rated data by name, with what all metrics give each output as columns of scores."""
    folder = data_folder()
    human = folder / "human"
    sets: dict[str, tuple[list[dict[str, Any]], str]] = {
        "MQM, TED talks, en-de": (rows_of(human / "mqm-ted-en-de.tsv.xz", "\t"), "mqm"),
        "simplifications, simplicity": (rows_of(human / "simpda.csv.xz", ","), "simplicity"),
        **{f"crowd, news, {pair}": (rows, "z") for pair, rows in crowd_rows(folder, ["cs-en"]).items()},
    }
    for name, (rows, column) in sets.items():
        ratings = bp.Ratings.read(rows, column, scores=[OTHER] if OTHER in rows[0] else ())
        scores = score_outputs(ratings, resolve(METRICS, None, unit="segment"), ratings.scores, None)
        yield name, replace(ratings, scores={metric: entry.outputs for metric, entry in scores.items()})


def hide(ratings: bp.Ratings, seed: int) -> bp.Ratings:
    """The ratings of some segments only."""
    (column,) = ratings.human
    segments = np.random.default_rng(seed).permutation(len(ratings.segments)) < RATED
    values = np.where(segments[ratings.segment], ratings.human[column], np.nan)
    judgements = ratings.judgements[column]
    kept = segments[ratings.segment[judgements.output]]
    some = type(judgements)(judgements.output[kept], judgements.rater[kept], judgements.value[kept])
    return replace(ratings, human={column: values}, judgements={column: some})


def measure(ratings: bp.Ratings, metric: str, runs: int) -> tuple[float, float]:
    """The relative width, and the share of intervals that hold the mean of all ratings."""
    (values,) = ratings.human.values()
    truths: Mapping[str, float] = {
        name: float(np.nanmean(values[ratings.system == place])) for place, name in enumerate(ratings.systems)
    }
    widths, held = [], []
    for seed in range(runs):
        for found in hide(ratings, seed).estimate(metric, resamples=1).systems:
            low, high = found.estimate.ends or (-math.inf, math.inf)
            widths.append(found.estimate.width / found.alone.width)
            held.append(low <= truths[found.name] <= high)
    return float(np.mean(widths)), float(np.mean(held))


def tables(runs: int) -> dict[str, str]:
    """The Markdown tables by name."""
    columns = (*METRICS, OTHER)
    lines = [f"| ratings | segments | {' | '.join(columns)} |", f"|---|---:|{'---:|' * len(columns)}"]
    for name, ratings in data_sets():
        found = {metric: measure(ratings, metric, runs) for metric in ratings.scores}
        cells = {metric: f"× {width:.2f} ({100 * held:.0f} %)" for metric, (width, held) in found.items()}
        shown = " | ".join(cells.get(metric, "") for metric in columns)
        lines.append(f"| {name} | {len(ratings.segments):,} | {shown} |")
    return {"widths on rated data": "\n".join(lines) + "\n"}


if __name__ == "__main__":
    print_tables("estimate_widths", __doc__, tables, 50)
