"""How scores are written: on terminals, in tables, in reports and in charts, so that nobody reads two numbers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from bleuprint import signature
from bleuprint.errors import SignatureError
from bleuprint.metrics import registry
from bleuprint.metrics.base.score import Part
from bleuprint.results.model import COLUMN

_MOST_NUMBERS = 12  # of one part; a pool has a number per text


def has_percent(written: str) -> bool:
    """Whether scores with this signature can be shown times 100.

    Scores from elsewhere cannot, because nobody knows their scale. Metrics of other packages can.

    >>> has_percent("bleu.1|lowercase:no"), has_percent("vendi.1|lowercase:no")
    (True, False)
    """
    try:
        name = signature.parse(written).metric
    except SignatureError:
        return True
    return registry.find(name).has_percent if name in registry.names() else name != COLUMN


@dataclass(frozen=True, slots=True)
class Digits:
    """Writes scores; stored results keep their own scale. `width` is the number of decimals, whatever is written.

    >>> Digits()(0.25), Digits(percent=True)(0.25), Digits(percent=True).delta(-0.01), Digits(width=1)(0.25)
    ('0.2500', '25.00', '-1.00', '0.2')
    >>> [Digits(by_size=True)(value) for value in (0.25, 2.5, 25, 821.0972)]
    ['0.2500', '2.500', '25.00', '821']
    """

    percent: bool = False
    width: int | None = None
    by_size: bool = (
        False  # large numbers have fewer decimals: those of metrics with a scale of their own, as perplexity
    )

    def of(self, written: str) -> Digits:
        """Return the digits for scores with this signature; a metric with its own scale has no percent."""
        shares = has_percent(written)
        return replace(self, percent=self.percent and shares, by_size=not shares)

    def within(self, error: float | None) -> Digits:
        """Return the digits for a score with this standard error: as many as say something, four decimals at most.

        >>> Digits().within(42.0)(3687.2388), Digits().within(0.3)(7.5057), Digits().within(0.001)(0.4321)
        ('3687', '7.51', '0.4321')
        """
        if not error or self.width is not None:
            return self
        return replace(self, width=min(4, max(0, 1 - math.floor(math.log10(error)))))

    def scale(self, value: float) -> float:
        """The score on the scale in which it is shown, with all its digits."""
        return 100 * value if self.percent else value

    def __call__(self, value: float, decimals: int = 4) -> str:
        """Write a score with so many decimals of a fraction; a percentage has two fewer."""
        return self._format(value, self._decimals(value, decimals), "z")

    def delta(self, value: float) -> str:
        """Write a difference with its sign."""
        return self._format(value, self._decimals(value, 4), "+z")

    def axis_number(self, value: float, decimals: int) -> str:
        """Write a number of an axis, with commas between thousands."""
        return self._format(value, decimals, "z,")

    def _decimals(self, value: float, most: int) -> int:
        size = abs(value) if self.by_size else 0
        return most if size < 1 else max(most - (1 if size < 10 else 2), 0) if size < 100 else 0

    def _format(self, value: float, decimals: int, form: str) -> str:
        if self.percent:
            decimals = max(decimals - 2, 0)
        return f"{self.scale(value):{form}.{decimals if self.width is None else self.width}f}"


FRACTIONS = Digits()


def format_part(part: Part) -> str:
    """Write a part of a score, such as its precisions.

    >>> format_part((0.5, 0.25)), format_part(7)
    ('0.5000, 0.2500', '7')
    """
    if isinstance(part, tuple):
        return list_first(list(map(format_part, part)), _MOST_NUMBERS)
    return f"{part:.4f}" if isinstance(part, float) else str(part)


def list_first(items: Sequence[str], most: int = 5) -> str:
    """The first items in words, and how many more there are.

    >>> list_first(["a", "b", "c"], 2)
    'a, b and 1 more'
    """
    more = len(items) - most
    return ", ".join(items[:most]) + (f" and {more:,} more" if more > 0 else "")
