"""Tables of scores: systems and metrics with the best in bold and significance marks, and pairs as a matrix."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from bleuprint.results.digits import Digits
from bleuprint.results.display import Cell, DisplayTable
from bleuprint.results.model import MetricResult, Result
from bleuprint.results.naming import heading, paper_name

if TYPE_CHECKING:
    from bleuprint.results.comparison import Comparison, MetricComparison  # which loads NumPy
    from bleuprint.statistics.comparison import SampleComparison


class Range(NamedTuple):
    """A confidence interval."""

    low: float
    high: float
    level: float


Intervals = Mapping[tuple[str, str], Range]  # by system and metric

_WORSE, _BETTER, _BELOW = "†", "†", "‡"
_TESTS = {
    "paired-bootstrap": "paired bootstrap test",
    "approximate-randomization": "paired approximate randomization test",
    "exact": "exact paired permutation test",
}


def score_table(result: Result, digits: Digits, *, intervals: bool = False) -> DisplayTable:
    """One row per system and one column per metric, with intervals if the result has them; a comparison adds marks."""
    compared = () if result.comparison is None else result.comparison.metrics
    ranges = _score_ranges(result) if intervals else {}
    entries = {entry.metric: entry.result for entry in compared}
    rows = []
    for system in result.systems:
        cells = [Cell(system.name)]
        for score in system.scores:
            shown, entry = digits.of(score.signature), entries.get(score.metric)
            best = _best([other.score(score.metric) for other in result.systems], score, shown)
            mark = "" if entry is None else _mark(entry, system.name)
            cells.append(_score_cell(score.value, shown, ranges.get((system.name, score.metric)), best, mark))
        rows.append(tuple(cells))
    signatures = number_signatures((score.metric, score.signature) for one in result.systems for score in one.scores)
    if result.comparison is not None:
        signatures["comparison"] = result.comparison.signature
    scores = result.systems[0].scores if result.systems else ()
    titles = (heading(one.metric, one.signature, higher_is_better=one.higher_is_better) for one in scores)
    return DisplayTable(
        header=("system", *result.metrics),
        rows=tuple(rows),
        caption=_caption(result.size, rows),
        notes=_notes(result.comparison, ranges),
        signatures=signatures,
        titles=("System", *titles),
    )


def _best(scores: Sequence[MetricResult], score: MetricResult, shown: Digits) -> bool:
    """Whether a score is the best as it is shown; several may then be."""
    values = [other.value for other in scores]
    best = max(values) if score.higher_is_better else min(values)
    return len(values) > 1 and shown(score.value) == shown(best)


def number_signatures(signatures: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Signatures by name; a number is added where several have one name, because systems differ."""
    listed: dict[str, list[str]] = {}
    for name, text in dict.fromkeys(signatures):
        listed.setdefault(name, []).append(text)
    return {
        name if at == 0 else f"{name} {at + 1}": text
        for name, several in listed.items()
        for at, text in enumerate(several)
    }


def _score_cell(value: float, digits: Digits, interval: Range | None, best: bool, mark: str) -> Cell:
    brackets = "" if interval is None else f" [{digits(interval.low)}, {digits(interval.high)}]"
    ends = None if interval is None else (digits.scale(interval.low), digits.scale(interval.high))
    return Cell(f"{digits(value)}{brackets}", digits.scale(value), best=best, mark=mark, ends=ends)


def _score_ranges(result: Result) -> Intervals:
    """The confidence intervals of all scores: those of the comparison, or their own."""
    if result.comparison is not None:
        return _compared_ranges(result.comparison)
    return {
        (system.name, score.metric): Range(score.interval[0], score.interval[1], 0.95)
        for system in result.systems
        for score in system.scores
        if score.interval is not None
    }


def _compared_ranges(comparison: Comparison) -> Intervals:
    found = ((entry, system, system.score) for entry in comparison.metrics for system in entry.result.systems)
    return {(system.name, entry.metric): Range(score.low, score.high, score.level) for entry, system, score in found}


def _baseline(entry: SampleComparison) -> str | None:
    """The system that all others were compared with; None if all pairs were compared."""
    return entry.pairs[0].second if entry.systems[0].wins is None else None


def _mark(entry: SampleComparison, system: str) -> str:
    """† worse than the best system or better than the baseline; ‡ worse than the baseline."""
    baseline = _baseline(entry)
    against = entry.systems[0].name if baseline is None else baseline
    pair = entry.find_pair(system, against)
    if pair is None or pair.better is None:
        return ""
    if baseline is None:
        return _WORSE if pair.better == against else ""
    return _BETTER if pair.better == system else _BELOW


def _caption(size: int, rows: Iterable[Iterable[Cell]]) -> str:
    bold = "; the best of each column is bold" if any(cell.best for row in rows for cell in row) else ""
    return f"Scores on {size:,} segment{'s' * (size != 1)}{bold}."


def _notes(comparison: Comparison | None, intervals: Intervals) -> tuple[str, ...]:
    """What the brackets and the marks mean, and how it was tested."""
    levels = dict.fromkeys(f"{100 * interval.level:g} %" for interval in intervals.values())
    brackets = (f"Brackets: {' or '.join(levels)} confidence intervals.",) if levels else ()
    if comparison is None:
        return brackets
    entries = [entry.result for entry in comparison.metrics]
    baseline = _baseline(entries[0])
    how = f"p < {comparison.alpha:g}, {_how_tested(entries)}"
    if baseline is None:
        return (*brackets, f"†: significantly worse than the best ({how}).")
    return (*brackets, f"†: significantly better than {baseline}, ‡: significantly worse ({how}).")


def _how_tested(entries: Sequence[SampleComparison]) -> str:
    """The tests in words: which, with how many samples, and the correction."""
    tests = list(dict.fromkeys(_TESTS.get(pair.test, pair.test) for entry in entries for pair in entry.pairs))
    pairs = len(entries[0].pairs)
    correction = f", Holm correction over {pairs} pairs" if pairs > 1 else ""
    return f"{' or '.join(tests)}{correction}"


def comparison_tables(
    comparison: Comparison, digits: Digits, *, level: str = "systems", intervals: bool = False
) -> tuple[DisplayTable, ...]:
    """The tables of a comparison: systems first, then the pairs of each metric as a matrix, or the pairs in rows."""
    if level == "pairs":
        return (_pair_table(comparison, digits),)
    matrices = tuple(_pair_matrix(entry, digits) for entry in comparison.metrics)
    if level == "matrix":
        return matrices
    return (_system_table(comparison, digits, _compared_ranges(comparison) if intervals else {}), *matrices)


def _system_table(comparison: Comparison, digits: Digits, intervals: Intervals) -> DisplayTable:
    entries = comparison.metrics
    first = entries[0].result.systems
    ranked = len(entries) == 1 and first[0].wins is not None
    rows = []
    for name in (system.name for system in first):
        cells = [Cell(name)]
        for entry in entries:
            system, value = entry.result.system(name), entry.result.system(name).value
            best = value == entry.result.systems[0].value
            interval, mark = intervals.get((name, entry.metric)), _mark(entry.result, name)
            cells.append(_score_cell(value, entry.adapt(digits), interval, best, mark))
            if ranked:
                cells.append(Cell(system.rank))
        rows.append(tuple(cells))
    signatures = {entry.metric: entry.signature for entry in entries} | {"comparison": comparison.signature}
    titles = (
        heading(entry.metric, entry.signature, higher_is_better=entry.result.higher_is_better) for entry in entries
    )
    return DisplayTable(
        header=("system", *(entry.metric for entry in entries), *(["rank"] if ranked else [])),
        rows=tuple(rows),
        caption=_caption(comparison.segments, rows),
        notes=_notes(comparison, intervals),
        signatures=signatures,
        titles=("System", *titles, *(["Rank"] if ranked else [])),
    )


def _pair_matrix(entry: MetricComparison, digits: Digits) -> DisplayTable:
    """Row minus column for every pair that was compared; significant differences are marked."""
    names = [system.name for system in entry.result.systems]
    pairs = {(pair.first, pair.second): pair for pair in entry.result.pairs}
    rows = []
    for name in names:
        cells = [Cell(name)]
        for other in names:
            pair = pairs.get((name, other)) or pairs.get((other, name))
            if pair is None:
                cells.append(Cell(""))
                continue
            difference = pair.difference.value if pair.first == name else -pair.difference.value
            text, value = entry.adapt(digits).delta(difference), entry.adapt(digits).scale(difference)
            if pair.better is None:
                cells.append(Cell(text, value))
            else:
                cells.append(Cell(text, value, mark="*", tone="good" if pair.better == name else "bad"))
        rows.append(tuple(cells))
    return DisplayTable(
        header=(entry.metric, *names),
        rows=tuple(rows),
        caption=f"Differences in {paper_name(entry.metric, entry.signature)}.",
        notes=(f"Row minus column; *: significant ({_how_tested([entry.result])}).",),
        label=f"pairs-{entry.metric}",
        titles=(paper_name(entry.metric, entry.signature), *names),
    )


def _pair_table(comparison: Comparison, digits: Digits) -> DisplayTable:
    """One row per pair and metric, with the difference, its interval and its p-values."""
    rows = []
    for entry in comparison.metrics:
        for pair in entry.result.pairs:
            shown, interval = entry.adapt(digits), pair.difference
            numbers = [
                Cell(shown.delta(end), shown.scale(end)) for end in (interval.value, interval.low, interval.high)
            ]
            chances = [Cell(_p_value(chance), chance) for chance in (pair.p_value, pair.corrected_p_value)]
            better = Cell(pair.better or "", pair.better)
            metric = Cell(entry.metric, written=paper_name(entry.metric, entry.signature))
            rows.append((metric, *map(Cell, (pair.first, pair.second)), *numbers, *chances, better))
    header = ("metric", "first", "second", "difference", "low", "high", "p", "corrected p", "better")
    return DisplayTable(
        header,
        tuple(rows),
        caption="Differences of all compared pairs, with corrected confidence intervals.",
        signatures={"comparison": comparison.signature},
        words=frozenset({0, 1, 2, 8}),
        label="pairs",
        titles=tuple(name.capitalize() if name != "p" else name for name in header),
    )


def _p_value(value: float) -> str:
    return "<0.0001" if value < 0.0001 else f"{value:.4f}"
