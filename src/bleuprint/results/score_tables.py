"""Tables of scores: systems and metrics with the best in bold and significance marks, and pairs as a matrix."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from bleuprint.results.digits import Digits
from bleuprint.results.display import Cell, DisplayTable
from bleuprint.results.methods import TESTS
from bleuprint.results.model import Result
from bleuprint.results.naming import paper_name

if TYPE_CHECKING:
    from bleuprint.results.comparison import Comparison, MetricComparison  # which loads NumPy
    from bleuprint.statistics.comparison import SampleComparison


_WORSE, _BETTER, _BELOW = "†", "†", "‡"
Ends = tuple[float, float, float]  # the low and the high end of a confidence interval, and its level


class _Column(NamedTuple):
    """The scores of all systems under one metric."""

    metric: str
    signature: str
    higher_is_better: bool
    digits: Digits
    values: Mapping[str, float]  # by system
    ends: Mapping[str, Ends]
    compared: SampleComparison | None

    def cell(self, system: str) -> Cell:
        """The score of a system with its interval; bold if it is the best as it is shown, so several may be."""
        digits, value, ends = self.digits, self.values[system], self.ends.get(system)
        best = max(self.values.values()) if self.higher_is_better else min(self.values.values())
        mark = "" if self.compared is None else _mark(self.compared, system)
        return Cell(
            digits(value) + ("" if ends is None else f" [{digits(ends[0])}, {digits(ends[1])}]"),
            digits.scale(value),
            best=len(self.values) > 1 and digits(value) == digits(best),
            mark=mark,
            ends=None if ends is None else (digits.scale(ends[0]), digits.scale(ends[1])),
        )


def score_table(result: Result, digits: Digits, *, intervals: bool = False) -> DisplayTable:
    """One row per system and one column per metric, with intervals if the result has them; a comparison adds marks."""
    compared = () if result.comparison is None else result.comparison.metrics
    entries, columns = {entry.metric: entry.result for entry in compared}, []
    for first in result.systems[0].scores if result.systems else ():
        scores, entry = {one.name: one.score(first.metric) for one in result.systems}, entries.get(first.metric)
        own = {
            name: (one.interval[0], one.interval[1], 0.95) for name, one in scores.items() if one.interval is not None
        }
        ends = (own if entry is None else _ends(entry)) if intervals else {}
        values, shown = {name: one.value for name, one in scores.items()}, digits.of(first.signature)
        columns.append(_Column(first.metric, first.signature, first.higher_is_better, shown, values, ends, entry))
    signatures = number_signatures((score.metric, score.signature) for one in result.systems for score in one.scores)
    names = [system.name for system in result.systems]
    return _system_table(names, columns, signatures, result.size, result.comparison)


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


def _ends(entry: SampleComparison) -> dict[str, Ends]:
    return {system.name: (system.score.low, system.score.high, system.score.level) for system in entry.systems}


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


def _notes(comparison: Comparison | None, intervals: Iterable[Ends]) -> tuple[str, ...]:
    """What the brackets and the marks mean, and how it was tested."""
    levels = dict.fromkeys(f"{100 * level:g} %" for _, _, level in intervals)
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
    named = dict.fromkeys(TESTS.get(pair.test, f"a {pair.test}") for entry in entries for pair in entry.pairs)
    tests = (name.partition(" ")[2].partition(" (")[0] for name in named)
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
    return (_compared_systems(comparison, digits, intervals), *matrices)


def _compared_systems(comparison: Comparison, digits: Digits, intervals: bool) -> DisplayTable:
    entries, columns = comparison.metrics, []
    for entry in entries:
        result, values = entry.result, {system.name: system.value for system in entry.result.systems}
        shown, ends = entry.adapt(digits), _ends(result) if intervals else {}
        columns.append(_Column(entry.metric, entry.signature, result.higher_is_better, shown, values, ends, result))
    names = [system.name for system in entries[0].result.systems]
    signatures = {entry.metric: entry.signature for entry in entries}
    ranked = len(entries) == 1 and entries[0].result.systems[0].wins is not None
    return _system_table(names, columns, signatures, comparison.segments, comparison, ranked=ranked)


def _system_table(
    systems: Sequence[str],
    columns: Sequence[_Column],
    signatures: dict[str, str],
    size: int,
    comparison: Comparison | None,
    *,
    ranked: bool = False,
) -> DisplayTable:
    """One row per system and one column per metric; if they are `ranked`, also their ranks under the only metric."""
    rows = [[Cell(name), *(column.cell(name) for column in columns)] for name in systems]
    if comparison is not None and ranked:
        rows = [[*row, Cell(comparison.metrics[0].result.system(row[0].text).rank)] for row in rows]
    bold = "; the best of each column is bold" if any(cell.best for row in rows for cell in row) else ""
    titles = (f"{paper_name(one.metric, one.signature)} {'↑' if one.higher_is_better else '↓'}" for one in columns)
    return DisplayTable(
        header=("system", *(column.metric for column in columns), *(["rank"] if ranked else [])),
        rows=tuple(map(tuple, rows)),
        caption=f"Scores on {size:,} segment{'s' * (size != 1)}{bold}.",
        notes=_notes(comparison, [ends for column in columns for ends in column.ends.values()]),
        signatures=signatures | ({} if comparison is None else {"comparison": comparison.signature}),
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
            metric = Cell(paper_name(entry.metric, entry.signature), entry.metric)
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
