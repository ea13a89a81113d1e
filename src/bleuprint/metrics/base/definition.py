"""What is defined by options: a number with its parts, and the signature that replays it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Self, TypeVar

from bleuprint import signature
from bleuprint.errors import SignatureError
from bleuprint.statistics.rows import Statistics

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from bleuprint.metrics.base.metric import Metric

__all__ = ["AnyScore", "Defined", "Measured", "Part", "Score", "Value"]

Value = Any
Part = int | float | tuple[int, ...] | tuple[float, ...]


class Score:
    """A number with its parts and its signature; `float(score)` is its value."""

    __slots__ = ("columns", "metric", "references", "sentence", "value")

    def __init__(
        self,
        metric: Metric[Any],
        columns: tuple[int, ...],
        sentence: bool,
        references: int,
        value: float | None = None,
    ) -> None:
        self.metric = metric
        self.columns = columns
        self.sentence = sentence
        self.references = references
        self.value: float = metric.formula(columns, sentence=sentence) if value is None else value

    @property
    def percent(self) -> float:
        """The value on the scale 0..100; as it is where a metric has a scale of its own."""
        return 100 * self.value if self.metric.has_percent else self.value

    @property
    def parts(self) -> dict[str, Part]:
        """What the value was made from: plain numbers by name, ready for JSON."""
        return dict(zip(self.metric.columns, self.columns, strict=False))

    @property
    def signature(self) -> str:
        """Every option that can move the number; `from_signature` replays it."""
        return self.metric.signature_of(sentence=self.sentence, references=self.references)

    def __float__(self) -> float:
        return self.value

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.value!r}>"


AnyScore = TypeVar("AnyScore", bound=Score)


@dataclass(frozen=True, slots=True, eq=False)
class Measured(Generic[AnyScore]):
    """What one pass over a corpus gives: its score, the score of every segment, and the rows behind them."""

    score: AnyScore
    segments: NDArray[np.float64]
    statistics: Statistics | None  # None where a metric has no rows that add


class Defined:
    """What has a name, options that can move its number, and so a signature."""

    name: ClassVar[str]
    definition: ClassVar[int] = 1  # raised when the meaning of an option changes
    higher_is_better: ClassVar[bool] = True

    options: dict[str, signature.Option]

    @property
    def label(self) -> str:
        """What the metric is called where several stand side by side; signatures have its name."""
        return self.name

    @cached_property
    def signature(self) -> str:
        """Every option that can move the number."""
        return signature.write(self.name, self.definition, self.options, {})

    @classmethod
    def from_signature(cls, text: str, **replaced: Any) -> Self:
        """The metric that wrote this signature; keyword arguments replace options."""
        parsed = signature.parse(text)
        if parsed.metric != cls.name or parsed.version != cls.definition:
            raise SignatureError(f"{cls.__name__} replays signatures of {cls.name}.{cls.definition}, got {text!r}.")
        options = {**parsed.options, **replaced}
        tokenizer = options.get("tokenizer")
        if isinstance(tokenizer, str) and tokenizer.startswith("custom("):
            raise SignatureError(f"tokenizer {tokenizer} is a function of the author's: pass it as tokenizer=….")
        try:
            return cls(**options)
        except TypeError as error:
            raise SignatureError(f"{text!r} has options that {cls.__name__} does not know: {error}.") from None
