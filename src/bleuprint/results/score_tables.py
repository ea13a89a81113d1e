"""Tables of scores: systems and metrics with the best in bold and significance marks, and pairs as a matrix."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from bleuprint.results.digits import Digits
from bleuprint.results.display import Cell, DisplayTable
from bleuprint.results.model import MetricResult, Result

__all__ = ["comparison_tables", "pair_matrix", "pair_table", "score_table", "shown_score"]

_WORSE, _BETTER, _BELOW = "†", "†", "‡"
_TESTS = {
    "paired-bootstrap": "paired bootstrap test",
    "approximate-randomization": "paired approximate randomization test",
    "exact": "exact paired permutation test",
}
Entry = Mapping[str, Any]  # the comparison under one metric, as `Comparison.to_dict` writes it


def shown_score(value: float, written: str, *, percent: bool) -> str:
    """A score as the tables show it."""
    return Digits(percent).of(written)(value)


def score_table(result: Result, *, percent: bool = False, intervals: bool = False) -> DisplayTable:
    """One row per system and one column per metric; with a comparison, significance marks."""
    entries = {} if result.comparison is None else {entry["metric"]: entry for entry in result.comparison["metrics"]}
    rows = []
    for system in result.systems:
        cells = [Cell(system.name)]
        for score in system.scores:
            best = _best([other.score(score.metric) for other in result.systems], score)
            entry = entries.get(score.metric)
            cells.append(_score_cell(score.value, score.signature, entry, system.name, best, percent, intervals))
        rows.append(tuple(cells))
    return DisplayTable(
        header=("system", *result.metrics),
        rows=tuple(rows),
        caption=_caption(result.size, list(entries.values()), intervals),
        notes=() if result.comparison is None else _notes(list(entries.values()), alpha_of(result.comparison)),
        signatures=_signatures(result),
    )


def _best(scores: Sequence[MetricResult], score: MetricResult) -> bool:
    values = [other.value for other in scores]
    return len(values) > 1 and score.value == (max(values) if score.higher_is_better else min(values))


def _signatures(result: Result) -> dict[str, str]:
    """The signatures by metric; a number is added where those of the systems differ."""
    listed: dict[str, str] = {}
    for place, metric in enumerate(result.metrics):
        distinct = list(dict.fromkeys(system.scores[place].signature for system in result.systems))
        listed |= {metric if at == 0 else f"{metric} {at + 1}": text for at, text in enumerate(distinct)}
    if result.comparison is not None:
        listed["comparison"] = result.comparison["signature"]
    return listed


def _score_cell(
    value: float, written: str, entry: Entry | None, system: str, best: bool, percent: bool, intervals: bool
) -> Cell:
    text = shown_score(value, written, percent=percent)
    mark = "" if entry is None else _mark(entry, system)
    if intervals and entry is not None:
        score = next(other["score"] for other in entry["systems"] if other["name"] == system)
        low, high = (shown_score(score[end], written, percent=percent) for end in ("low", "high"))
        return Cell(f"{text} [{low}, {high}]", value, best, mark)
    return Cell(text, value, best, mark)


def _baseline(entry: Entry) -> str | None:
    """The system that all others were compared with; None if all pairs were compared."""
    systems = entry["systems"]
    return entry["pairs"][0]["second"] if systems and systems[0].get("wins") is None and entry["pairs"] else None


def _mark(entry: Entry, system: str) -> str:
    """† worse than the best system or better than the baseline; ‡ worse than the baseline."""
    baseline = _baseline(entry)
    against = entry["systems"][0]["name"] if baseline is None else baseline
    for pair in entry["pairs"]:
        if {pair["first"], pair["second"]} == {system, against} and pair["better"] is not None:
            if baseline is None:
                return _WORSE if pair["better"] == against else ""
            return _BETTER if pair["better"] == system else _BELOW
    return ""


def _caption(size: int, entries: Sequence[Entry], intervals: bool) -> str:
    caption = f"Scores on {size:,} segments; the best of each column is bold."
    if intervals and entries:
        level = entries[0]["systems"][0]["score"]["level"]
        caption += f" Brackets: {100 * level:g} % confidence intervals."
    return caption


def _notes(entries: Sequence[Entry], alpha: float | None) -> tuple[str, ...]:
    """What the marks mean, and how it was tested."""
    if not entries or not entries[0]["pairs"]:
        return ()
    baseline = _baseline(entries[0])
    how = how_tested(entries, alpha)
    if baseline is None:
        return (f"†: significantly worse than the best ({how}).",)
    return (f"†: significantly better than {baseline}, ‡: significantly worse ({how}).",)


def how_tested(entries: Sequence[Entry], alpha: float | None = None) -> str:
    """The tests in words: which, with how many samples, and the correction."""
    tests = list(dict.fromkeys(_TESTS.get(pair["test"], pair["test"]) for entry in entries for pair in entry["pairs"]))
    pairs = len(entries[0]["pairs"])
    correction = f", Holm correction over {pairs} pairs" if pairs > 1 else ""
    level = "" if alpha is None else f"p < {alpha:g}, "
    return f"{level}{' or '.join(tests)}{correction}"


def alpha_of(comparison: Mapping[str, Any]) -> float | None:
    """The significance level that the signature of a comparison records."""
    found = re.search(r"\|alpha:([0-9.e-]+)", str(comparison["signature"]))
    return float(found[1]) if found else None


def comparison_tables(
    comparison: Mapping[str, Any], segments: int, *, percent: bool, level: str, intervals: bool
) -> tuple[DisplayTable, ...]:
    """The tables of a comparison: systems first, then the pairs of each metric as a matrix, or the pairs in rows."""
    entries = comparison["metrics"]
    if level == "pairs":
        return (pair_table(comparison, percent=percent),)
    matrices = tuple(pair_matrix(entry, percent=percent) for entry in entries)
    if level == "matrix":
        return matrices
    return (_system_table(comparison, segments, percent=percent, intervals=intervals), *matrices)


def _system_table(comparison: Mapping[str, Any], segments: int, *, percent: bool, intervals: bool) -> DisplayTable:
    entries: Sequence[Entry] = comparison["metrics"]
    names = [system["name"] for system in entries[0]["systems"]]
    ranked = len(entries) == 1 and entries[0]["systems"][0].get("wins") is not None
    rows = []
    for name in names:
        cells = [Cell(name)]
        for entry in entries:
            system = next(other for other in entry["systems"] if other["name"] == name)
            best = system["score"]["value"] == entry["systems"][0]["score"]["value"]
            value = system["score"]["value"]
            cells.append(_score_cell(value, entry["signature"], entry, name, best, percent, intervals))
            if ranked:
                low, high = system["best_rank"], system["worst_rank"]
                cells.append(Cell(str(low) if low == high else f"{low}-{high}"))
        rows.append(tuple(cells))
    signatures = {entry["metric"]: entry["signature"] for entry in entries} | {"comparison": comparison["signature"]}
    return DisplayTable(
        header=("system", *(entry["metric"] for entry in entries), *(["rank"] if ranked else [])),
        rows=tuple(rows),
        caption=_caption(segments, entries, intervals),
        notes=_notes(entries, alpha_of(comparison)),
        signatures=signatures,
    )


def pair_matrix(entry: Entry, *, percent: bool = False) -> DisplayTable:
    """Row minus column for every pair that was compared; significant differences are marked."""
    names = [system["name"] for system in entry["systems"]]
    pairs = {(pair["first"], pair["second"]): pair for pair in entry["pairs"]}
    rows = []
    for name in names:
        cells = [Cell(name)]
        for other in names:
            pair = pairs.get((name, other)) or pairs.get((other, name))
            if pair is None:
                cells.append(Cell(""))
                continue
            sign = 1 if (pair["first"], pair["second"]) == (name, other) else -1
            difference = sign * pair["difference"]["value"]
            text = Digits(percent and pair["has_percent"]).signed(difference)
            tone = "" if pair["better"] is None else "good" if pair["better"] == name else "bad"
            cells.append(Cell(text, difference, mark="" if pair["better"] is None else "*", tone=tone))  # type: ignore[arg-type]
        rows.append(tuple(cells))
    return DisplayTable(
        header=(entry["metric"], *names),
        rows=tuple(rows),
        caption=f"Differences in {entry['metric']}.",
        notes=(f"Row minus column; *: significant ({how_tested([entry])}).",),
        label=f"pairs-{entry['metric']}",
    )


def pair_table(comparison: Mapping[str, Any], *, percent: bool = False) -> DisplayTable:
    """One row per pair and metric, with the difference, its interval and its p-values."""
    rows = []
    for entry in comparison["metrics"]:
        for pair in entry["pairs"]:
            digits = Digits(percent and pair["has_percent"])
            ends = (pair["difference"][end] for end in ("value", "low", "high"))
            numbers = [Cell(digits.signed(end), end) for end in ends]
            chances = [Cell(_p_value(pair[name]), pair[name]) for name in ("p_value", "corrected_p_value")]
            better = Cell(pair["better"] or "", pair["better"])
            rows.append((*map(Cell, (entry["metric"], pair["first"], pair["second"])), *numbers, *chances, better))
    header = ("metric", "first", "second", "difference", "low", "high", "p", "corrected p", "better")
    return DisplayTable(
        header,
        tuple(rows),
        caption="Differences of all compared pairs, with simultaneous confidence intervals.",
        signatures={"comparison": comparison["signature"]},
        words=frozenset({0, 1, 2, 8}),
        label="pairs",
    )


def _p_value(value: float) -> str:
    return "<0.0001" if value < 0.0001 else f"{value:.4f}"
