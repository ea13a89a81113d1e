"""What a benchmark found: plain records, their JSON, and the table people read."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from statistics import median

WIDTH = 110
SCHEMA = 1


@dataclass(frozen=True)
class Goal:
    """A bound on a row's ratio to the first row of its section, or on its value."""

    at_least: float | None = None
    at_most: float | None = None
    of: str = "ratio"

    def met(self, row: Row) -> bool | None:
        number = row.ratio if self.of == "ratio" else row.value
        if number is None:
            return None
        return (self.at_least is None or number >= self.at_least) and (self.at_most is None or number <= self.at_most)

    def __str__(self) -> str:
        sign, bound = ("≥", self.at_least) if self.at_least is not None else ("≤", self.at_most)
        return f"{sign} {bound:.4g}{'×' if self.of == 'ratio' else ''}"


@dataclass
class Row:
    """One contestant in one section; `raw` holds a figure per repeat, in the section's unit."""

    name: str
    raw: list[float]
    ratio: float | None = None  # how many times the first row's figure: the median of the repeats' own ratios
    difference: float | None = None  # largest distance from our score on the same text
    tolerance: float = 0.0
    goal: Goal | None = None

    @property
    def value(self) -> float:
        return median(self.raw)

    @property
    def agrees(self) -> bool:
        # Written so that a NaN disagrees.
        return self.difference is None or self.difference <= self.tolerance

    def to_json(self) -> dict[str, object]:
        verdict = None if self.goal is None else {**asdict(self.goal), "met": self.goal.met(self)}
        return {**asdict(self), "value": self.value, "low": min(self.raw), "high": max(self.raw), "goal": verdict}


@dataclass
class Section:
    title: str
    unit: str
    rows: list[Row]
    notes: list[str] = field(default_factory=list)
    rate: str = ""  # what one item is, if items per second mean something: then the unit is µs per item

    def disagreements(self) -> Iterator[str]:
        for row in self.rows:
            if not row.agrees:
                yield (
                    f"{self.title}: {row.name} differs from us by {row.difference:.3g}, "
                    f"more than the {row.tolerance:g} allowed"
                )

    def to_json(self) -> dict[str, object]:
        return {**asdict(self), "rows": [row.to_json() for row in self.rows]}


@dataclass
class Report:
    machine: dict[str, str]
    corpus: dict[str, str | int]
    options: dict[str, object]
    suites: dict[str, list[Section]]

    def disagreements(self) -> list[str]:
        return [line for sections in self.suites.values() for section in sections for line in section.disagreements()]

    def to_json(self) -> str:
        suites = {name: [section.to_json() for section in sections] for name, sections in self.suites.items()}
        content = {
            "schema": SCHEMA,
            "machine": self.machine,
            "corpus": self.corpus,
            "options": self.options,
            "suites": suites,
            "disagreements": self.disagreements(),
        }
        return json.dumps(content, indent=1, ensure_ascii=False) + "\n"


def heading(report: Report) -> str:
    """What was measured on what, and how to read the tables."""
    corpus, repeat = report.corpus, report.options["repeat"]
    described = {
        **report.machine,
        "text": f"{corpus['source']}: {corpus['segments']:,} segments, {corpus['bytes']:,} bytes",
        "reading": f"medians of {repeat} interleaved repeats; a ratio is the row's figure over the first row's, "
        "taken repeat by repeat; a difference is the largest distance from our score",
    }
    width = max(map(len, described))
    return "\n".join(line for key, value in described.items() for line in _wrapped(f"{key:<{width}}  ", value))


def _wrapped(label: str, text: str) -> Iterator[str]:
    line = label
    for word in text.split(" "):
        if len(line) + len(word) > WIDTH:
            yield line.rstrip()
            line = " " * len(label)
        line += word + " "
    yield line.rstrip()


def table(section: Section) -> str:
    """The section as aligned text; every figure is read against the first row."""
    head = ("", section.unit, "low – high", "per second" if section.rate else "", "ratio", "difference", "goal")
    cells = [head, *(_cells(row, section) for row in section.rows)]
    widths = [max(len(line[column]) for line in cells) for column in range(len(head))]
    lines = ["", section.title, "─" * min(WIDTH, len(section.title))]
    for line in cells:
        first, *middle, last = (
            text.ljust(width) if column in (0, len(head) - 1) else text.rjust(width)
            for column, (text, width) in enumerate(zip(line, widths, strict=True))
        )
        lines.append("  ".join([first, *(text for text in middle if text), last]).rstrip())
    for note in section.notes:
        lines.extend(_wrapped("  ", note))
    return "\n".join(lines)


def goals(sections: Iterable[Section]) -> str:
    """All rows with a goal, a line each: what was to be reached, what was measured, the verdict."""
    rows = [(section, row) for section in sections for row in section.rows if row.goal is not None]
    lines = ["", f"Goals: {sum(bool(row.goal and row.goal.met(row)) for _, row in rows)} of {len(rows)} reached"]
    for section, row in rows:
        assert row.goal is not None
        measured = row.ratio if row.goal.of == "ratio" else row.value
        unit = "×" if row.goal.of == "ratio" else f" {section.unit}"
        figure = "not measured" if measured is None else f"{_number(measured)}{unit}"
        lines += _wrapped("  ", f"{section.title}: {row.name}: {row.goal}: {figure}, {_verdict(row)}")
    return "\n".join(lines)


def _verdict(row: Row) -> str:
    return "" if row.goal is None else {True: "reached", False: "not reached", None: ""}[row.goal.met(row)]


def _cells(row: Row, section: Section) -> tuple[str, ...]:
    return (
        row.name,
        _number(row.value),
        f"{_number(min(row.raw))} – {_number(max(row.raw))}",
        f"{1e6 / row.value:,.0f}" if section.rate and row.value else "",
        "" if row.ratio is None else f"{_number(row.ratio)}×",
        "" if row.difference is None else f"{row.difference:.1e}" if 0 < row.difference < 1 else f"{row.difference:g}",
        "" if row.goal is None else f"{row.goal}  {_verdict(row)}".rstrip(),
    )


def _number(value: float) -> str:
    """Three figures that matter, without exponents."""
    size = abs(value)
    return f"{value:,.0f}" if size >= 100 else f"{value:.1f}" if size >= 10 else f"{value:.2f}"
