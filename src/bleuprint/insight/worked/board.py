"""Where the steps of a score are collected, and what they read: the texts as the metric reads them."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple, TypeVar

from bleuprint.core import counts
from bleuprint.core.arrays import Integers
from bleuprint.core.columns import Corpus, Text
from bleuprint.core.tokenizers import Tokenizer
from bleuprint.insight.worked.equations import Equation
from bleuprint.insight.worked.model import MarkedText, WorkStep, WorkTable
from bleuprint.metrics.base.definition import Definition
from bleuprint.metrics.base.terms import Number, Term, derivation, symbol

Token = str | int
Tokens = tuple[Token, ...]
Reading = TypeVar("Reading")
Heading = tuple[str, str]  # the name of a step, and what it says

# The steps of the symbols that formulas name, up to their "_"; others belong to the step before.
_HEADINGS: dict[str, Heading] = {
    **dict.fromkeys(("p", "q", "a", "b"), ("Precisions", "Matches divided by totals.")),
    **dict.fromkeys(
        ("P", "R", "F", "precision", "recall"),
        ("Precision and recall", "Matches over what each text has, and the F-score of both."),
    ),
    **dict.fromkeys(("I", "E"), ("Information per n-gram", "The information of the matches over the n-grams.")),
    **dict.fromkeys(("BP", "lengths"), ("Brevity penalty", "BP = 1 if c ≥ r, exp(1 − r/c) if c < r.")),
    "penalty": ("Penalty", "Scattered matches cost more: the penalty grows with the number of chunks per match."),
    "C": ("Cosines", "Rounded to the unit in which they are summed."),
}


class Board:
    """Collects what a score follows from: texts, steps with their numbers, and a term for each column of the formula.

    A column that a step shows has the symbol that the step gives it; the others have their own names.
    """

    def __init__(self, names: Sequence[str], columns: Sequence[Number]) -> None:
        self.texts: list[MarkedText] = []
        self.headings = dict(_HEADINGS)
        self.shows_parts = False  # whether all scores of the formula are shown, not only what the value follows from
        self._names, self.columns = names, tuple(columns)
        self._terms: dict[int, Term] = {}
        self._steps: list[_Step] = []

    def show_plain(self, role: str, tokens: Tokens) -> None:
        """Show a text without marks."""
        self.texts.append(MarkedText(role, tokens, (0,) * len(tokens)))

    def step(self, name: str, text: str, table: WorkTable | None = None) -> None:
        """Begin a step; a table without rows is left out."""
        self._steps.append(_Step(name, text, table if table is not None and table.rows else None, []))

    def column(self, place: int, symbol: str, note: str = "") -> None:
        """Show a column of the score in the current step, under a symbol."""
        self._terms[place] = self.count(symbol, self.columns[place], note)

    def count(self, name: str, value: Number, note: str = "") -> Term:
        """Show a number that is no column in the current step."""
        return self._write(symbol(name, value, note))

    def write(self, symbol: str, value: Term, *, place: int | None = None, note: str = "") -> Term:
        """Show a value that steps compute before the formula; at a place, it is that column of the score."""
        term = replace(value.name(symbol), note=note)
        if place is not None:
            check(symbol, term.value, self.columns[place])
            self._terms[place] = term
        return self._write(term)

    def _write(self, term: Term) -> Term:
        self._steps[-1].terms.append(term)
        return term

    def terms(self) -> list[Term]:
        """What the formula gets: one term for each column."""
        names = [*self._names, *(f"last_{name}" for name in self._names)]
        unshown = ((place, symbol(_label(names[place]), value)) for place, value in enumerate(self.columns))
        return list((dict(unshown) | self._terms).values())

    def finish(self, value: Term, parts: Iterable[Term], summary: str) -> tuple[WorkStep, ...]:
        """The steps so far, and those that the formula names on the way to the value, which the summary explains."""
        shown = {term.label for step in self._steps for term in step.terms}
        terms = [term for term in derivation(value, *parts) if term.label not in shown]
        inputs = [term for term in terms if term.is_given]
        if inputs:
            self._steps.append(_Step("Counts", "The numbers that the formula takes.", None, inputs))
        score = name, text = "Score", summary
        headings = {**self.headings, value.label.partition("_")[0]: score, "BLEU": score}
        for term in terms:
            if not term.is_given:
                name, text = headings.get(term.label.partition("_")[0], (name, text))
                if not self._steps or self._steps[-1].name != name:
                    self.step(name, text)
                self._write(term)
        return tuple(
            WorkStep(step.name, step.text, step.table, tuple(map(Equation.of, step.terms))) for step in self._steps
        )


class _Step(NamedTuple):
    name: str
    text: str
    table: WorkTable | None
    terms: list[Term]


def _label(column: str) -> str:
    """The name of a column as a symbol, which cannot begin with the number of a component."""
    return re.sub(r"^(\d+)_(.+)", r"\2_\1", re.sub(r"\W", "_", column))


def check(name: str, shown: object, expected: object) -> None:
    """Stop if what is shown differs from what the core counted: showing either would be wrong."""
    if shown != expected:
        raise AssertionError(f"{name}: shown {shown!r}, but the core has {expected!r}")


@dataclass(frozen=True)
class Segment:
    """The texts of one score, and the metric that reads them."""

    definition: Definition  # fitted, if it is a metric that learns
    output: Text
    references: Sequence[Text]
    source: Text | None
    learned_before: bool = True  # whether the metric was fitted before it came to this segment

    @property
    def formula(self) -> Any:
        return self.definition.formula

    def tokens(self) -> tuple[Tokens, dict[str, Tokens]]:
        """The tokens of the output, and of each reference by its name."""
        return self.read(self.tokens_of)

    def read(self, reader: Callable[[Text], Reading]) -> tuple[Reading, dict[str, Reading]]:
        """The output as a reader reads it, and each reference by its name."""
        return reader(self.output), dict(zip(self._names, map(reader, self.references), strict=True))

    @property
    def _names(self) -> list[str]:
        numbers = range(1, len(self.references) + 1)
        return [f"reference {number}" if len(numbers) > 1 else "reference" for number in numbers]

    def tokens_of(self, text: Text) -> Tokens:
        return tokens_of(text, self.definition.tokenizer)

    @cached_property
    def rows_alone(self) -> Integers:
        """What the metric counts with each reference alone."""
        count = len(self.references)
        sources = None if self.source is None else [self.source] * count
        corpus = Corpus.of([self.output] * count, [[text] for text in self.references], sources)
        return self.definition.rows.count(self.definition.tokenizer.prepare(corpus), 1)

    def best_reference(self, board: Board, columns: slice = slice(None)) -> str:
        """The name of the first reference that alone has the counts of the score."""
        rows = [tuple(row[columns]) for row in self.rows_alone.tolist()]
        return self._names[rows.index(board.columns[columns])]


def tokens_of(text: Text, tokenizer: Tokenizer, scheme: str | None = None) -> Tokens:
    """The tokens of a text, or those of a list, as the metric counts them; `scheme` replaces the native one."""
    if not isinstance(text, str):
        lowercase = tokenizer.lowercase
        return tuple(token.lower() if lowercase and isinstance(token, str) else token for token in text)
    if not tokenizer.native:
        return tuple(tokenizer.split(text))
    return tuple(counts.tokenize(text, scheme or tokenizer.scheme, tokenizer.lowercase))


def which_reference(rule: str, references: Collection[str], best: str) -> str:
    """A sentence about which of several references counts."""
    return f" With several references, {rule} counts: {best}." if len(references) > 1 else ""
