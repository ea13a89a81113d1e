"""Scores: a number with its components, and the signature that records how it was computed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from bleuprint.core.arrays import Floats
from bleuprint.statistics.rows import Statistics

if TYPE_CHECKING:
    from bleuprint.metrics.base.definition import Definition
    from bleuprint.metrics.base.metric import Metric
    from bleuprint.metrics.base.summaries import Summary

Part = int | float | tuple[int, ...] | tuple[float, ...]


class Score:
    """A score with its components and signature; `float(score)` is its value."""

    __slots__ = ("columns", "definition", "references", "sentence", "value")
    part_names: ClassVar[tuple[str, ...]] = ()  # attributes; without any, the columns are the parts

    def __init__(
        self,
        definition: Definition,
        columns: tuple[int, ...],
        sentence: bool,
        references: int | None,
        value: float | None = None,
    ) -> None:
        self.definition = definition
        self.columns = columns
        self.sentence = sentence
        self.references = references  # per segment; None if it varies
        self.value: float = definition.formula(columns, sentence=sentence) if value is None else value

    @property
    def metric(self) -> Metric[Score]:
        """A new metric with the same definition; changing it does not affect any score."""
        return self.definition.metric()

    @property
    def percent(self) -> float:
        """The value times 100, or the value itself if the metric has its own scale."""
        return 100 * self.value if self.definition.kind.has_percent else self.value

    @property
    def parts(self) -> dict[str, Part]:
        """The numbers the value was computed from, by name, ready for JSON."""
        if self.part_names:
            return {name: getattr(self, name) for name in self.part_names}
        return dict(zip(self.definition.columns, self.columns, strict=False))

    @property
    def note(self) -> str:
        """What one has to know about the value, such as why it is 0; empty for most scores."""
        return ""

    @property
    def signature(self) -> str:
        """Every option that can change the number; `from_signature` recreates the metric from it."""
        return self.definition.signature_of(sentence=self.sentence, references=self.references)

    @property
    def segment_signature(self) -> str:
        """The signature of the scores of single segments, where the options of these differ."""
        return self.definition.signature_of(sentence=True, references=self.references)

    def __float__(self) -> float:
        return self.value

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.value!r}>"

    def __str__(self) -> str:
        return f"{self.definition.name} = {self.value:.4f}"

    def _repr_html_(self) -> str:
        from bleuprint.results.pages import render_score

        return render_score(self)


def column(place: int | slice, meaning: str = "") -> Any:
    """A property of a score: one of its columns, or several."""
    return property(lambda score: score.columns[place], doc=meaning)


AnyScore = TypeVar("AnyScore", bound=Score, covariant=True)


class MeanScore(Score):
    """Several named numbers, the first of which is the value; for a corpus, usually means over segments."""

    __slots__ = ("_parts",)

    def __init__(
        self,
        definition: Definition,
        columns: tuple[int, ...],
        sentence: bool,
        references: int | None,
        value: float | None = None,
        parts: Mapping[str, float] | None = None,
    ) -> None:
        self._parts = parts
        if value is None:
            value = next(iter((_compute_parts(definition, columns) if parts is None else parts).values()))
        super().__init__(definition, columns, sentence, references, value)

    @property
    def parts(self) -> dict[str, Part]:
        return dict(self._named)

    @property
    def _named(self) -> Mapping[str, float]:
        if self._parts is None:
            self._parts = _compute_parts(self.definition, self.columns)
        return self._parts

    def __getitem__(self, name: str) -> float:
        """A component by name, as in score["recall"]."""
        return self._named[name]

    def __str__(self) -> str:
        parts = ", ".join(f"{name} = {value:.4f}" for name, value in self._named.items())
        return f"{self.definition.name} = {self.value:.4f} ({parts})"


def _compute_parts(definition: Definition, columns: tuple[int, ...]) -> dict[str, float]:
    scores: dict[str, float] = definition.formula.scores(columns)
    # Most formulas give floats for plain numbers; converting them again would take as long as the formula.
    if set(map(type, scores.values())) == {float}:
        return scores
    return {name: float(value) for name, value in scores.items()}


@dataclass(frozen=True, slots=True, eq=False)
class Measured(Generic[AnyScore]):
    """The result of one pass over a corpus: its score, the score of each segment, and what was counted."""

    score: AnyScore
    segments: Floats  # empty if a pool metric has no score for each text
    statistics: Statistics | None  # None if the rows of the metric do not add up
    pool: Summary | None = None  # the texts of a pool metric, as token ids
