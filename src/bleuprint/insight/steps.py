"""Explain the difference between two definitions of a metric, option by option."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from bleuprint import signature
from bleuprint.core.columns import References, Texts
from bleuprint.errors import OptionError
from bleuprint.insight._rows import AnyMetric, RowMemo
from bleuprint.metrics import profiles, registry
from bleuprint.metrics.base.metric import Metric
from bleuprint.results.digits import Digits
from bleuprint.results.display import Cell, Displayed, DisplayTable

# Options for reading come first, then counting, then the formula; options not listed come last, by name.
_ORDER = (
    *("tokenizer", "lowercase", "whitespace", "types", "stemmer", "char_order", "word_order", "min_order"),
    *("reference_length", "max_order", "weights", "effective_order", "absent_order", "smoothing", "zero_precision"),
    *("zero_when", "context", "beta", "eps_smoothing"),
)
_Options = dict[str, Any]
_Set = frozenset[int]


@dataclass(frozen=True, slots=True)
class Step:
    """One changed rule, applied after the previous ones."""

    rule: str  # such as "tokenizer 13a → intl"
    options: tuple[str, ...]
    value: float  # the score with this and all previous changes
    change: float  # how much this step adds to the score
    share: float  # the same averaged over all orders of the steps

    def __str__(self) -> str:
        return f"{self.rule}: {self.change:+.4f}"


@dataclass(frozen=True, slots=True, repr=False)
class Explanation(Displayed):
    """Two scores of the same texts, and the steps between them."""

    metric: str
    start: float
    end: float
    steps: tuple[Step, ...]
    start_signature: str
    end_signature: str

    def display(
        self, *, percent: bool = False, digits: Digits | None = None, ends: tuple[str, str] = ("from", "to")
    ) -> tuple[DisplayTable, ...]:
        """A table with one row per step, between the two scores, whose rows have the names in `ends`."""
        number = digits or Digits(percent=percent)

        def row(name: str, score: float, *changes: float) -> tuple[Cell, ...]:
            signed = (Cell(number.delta(change), change) for change in changes)
            return Cell(name), Cell(number(score), score), *signed

        whole = self.end - self.start
        table = DisplayTable(
            ("rule", self.metric, "change", "any order"),
            (
                (*row(ends[0], self.start), Cell(""), Cell("")),
                *(row(step.rule, step.value, step.change, step.share) for step in self.steps),
                row(ends[1], self.end, whole, whole),
            ),
            caption=f"What each rule does to {self.metric}: after the rules above it, and averaged over all orders.",
            signatures={"from": self.start_signature, "to": self.end_signature},
            label="rules",
        )
        return (table,)

    def __repr__(self) -> str:
        return f"<Explanation {self.metric}: {self.start:.4f} → {self.end:.4f} in {len(self.steps)} steps>"

    def __str__(self) -> str:
        lines = (f"{step}  (in any order {step.share:+.4f})" for step in self.steps)
        return "\n".join([f"{self.metric} {self.start:.4f}", *lines, f"{self.metric} {self.end:.4f}"])


def explain(
    hypotheses: Texts,
    references: References,
    start: str | AnyMetric,
    end: str | AnyMetric,
    *,
    metric: str = "bleu",
    sources: Texts | None = None,
    threads: int | None = None,
) -> Explanation:
    """Go from one definition of a metric to another, and show what each rule does to the corpus score.

    A definition is a profile of `metric`, a signature, or a metric object. The options that differ change one at a
    time in a fixed order, so the changes sum to the difference; the size of a step depends on the steps before it.
    Its `share` does not: it is the mean over all orders (its Shapley value), and the shares sum to the difference too.
    Options that only exist together, such as an order and its weights, are one step.

    >>> print(explain(["A cat sat here."], ["a cat sat here."], "moses", "axion"))
    bleu 0.0000
    lowercase no → yes: +1.0000  (in any order +0.6656)
    absent_order undefined → zero: +0.0000  (in any order +0.0000)
    smoothing none → add-all(1.0): +0.0000  (in any order +0.3344)
    zero_when no-match → never: +0.0000  (in any order +0.0000)
    bleu 1.0000
    """
    first, last = definition(start, metric), definition(end, metric)
    if first.name != last.name:
        raise OptionError("end", f"a definition of {first.name} like start", last.name)
    memo = RowMemo(hypotheses, references, sources, threads)
    groups, definitions = _build_between(first, last)
    values = memo.values(definitions)
    before, after = (each.definition.resolved_options(sentence=False) for each in (first, last))
    steps: list[Step] = []
    done: _Set = frozenset()
    for number, options in enumerate(groups):
        now = done | {number}
        rule = ", ".join(f"{option} {in_words(before[option])} → {in_words(after[option])}" for option in options)
        share = _share(number, len(groups), values)
        steps.append(Step(rule, options, values[now], values[now] - values[done], share))
        done = now
    return Explanation(first.name, values[frozenset()], values[done], tuple(steps), _signature(first), _signature(last))


def definition(given: str | AnyMetric, metric: str = "bleu") -> AnyMetric:
    """The metric defined by a profile or a signature."""
    if isinstance(given, Metric):
        return registry.resolve(given, unit="segment")
    kind = registry.find(metric, "segment")
    if isinstance(given, str) and given in profiles.names(kind.name):
        return registry.resolve(metric, {"profile": given})
    if isinstance(given, str) and re.match(r"[^|]*\.[0-9]+(\||#|$)", given):
        return registry.resolve(registry.from_signature(given), unit="segment")
    names = ", ".join(profiles.names(kind.name)) or "(none)"
    raise OptionError("a definition", f"a metric object, a signature, or a profile of {metric} ({names})", given)


def in_words(value: signature.Option) -> str:
    """An option's value for display: yes, no, auto, a number or a name."""
    match value:
        case None:
            return "auto"
        case bool():
            return "yes" if value else "no"
        case tuple():
            return "(" + ", ".join(f"{item:g}" for item in value) + ")"
        case float():
            return f"{value:g}"
    return str(value)


def _build_between(first: AnyMetric, last: AnyMetric) -> tuple[list[tuple[str, ...]], dict[_Set, AnyMetric]]:
    """The groups of options in which two definitions differ, and a definition for each set of changed groups.

    An option is a group of its own, unless it only exists together with others.
    """
    before, after = _options(first), _options(last)
    changed = [option for option in before if before[option] != after[option]]
    changed.sort(key=lambda option: (_ORDER.index(option) if option in _ORDER else len(_ORDER), option))
    groups: list[tuple[str, ...]] = [(option,) for option in changed]
    while True:
        definitions: dict[_Set, AnyMetric] = {}
        impossible = []
        for subset in _subsets(range(len(groups))):
            options = {option: after[option] for number in subset for option in groups[number]}
            try:
                definitions[subset] = first.definition.kind(**{**before, **options})
            except OptionError:
                impossible.append(subset)
        if not impossible:
            return groups, definitions
        together = next(subset for subset in definitions if impossible[0] < subset)
        joined = tuple(option for number in sorted(together) for option in groups[number])
        rest = [group for number, group in enumerate(groups) if number not in together]
        rest.insert(min(together), joined)
        groups = rest


def _options(metric: AnyMetric) -> _Options:
    """The options that recreate the metric."""
    options: _Options = metric.definition.resolved_options(sentence=False)
    if "tokenizer" in options and metric.tokenizer.argument is not None:
        options["tokenizer"] = metric.tokenizer.argument
    return options


def _subsets(numbers: Sequence[int]) -> Iterable[_Set]:
    """All subsets, smaller ones first."""
    for size in range(len(numbers) + 1):
        yield from map(frozenset, combinations(numbers, size))


def _share(number: int, count: int, values: dict[_Set, float]) -> float:
    """The mean of what a change adds, over all orders of the changes."""
    others = [other for other in range(count) if other != number]
    return math.fsum(
        (values[before | {number}] - values[before]) / (count * math.comb(count - 1, len(before)))
        for before in _subsets(others)
    )


def _signature(metric: AnyMetric) -> str:
    return metric.definition.write(metric.definition.resolved_options(sentence=False), {})
