"""How scores are written: on terminals, in tables, in reports and in charts, so that nobody reads two numbers."""

from __future__ import annotations

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
    kind = registry.metrics().get(name)
    return name != COLUMN if kind is None else kind.has_percent


@dataclass(frozen=True, slots=True)
class Digits:
    """Writes scores; stored results keep their own scale. `width` is the number of decimals, whatever is written.

    >>> Digits()(0.25), Digits(percent=True)(0.25), Digits(percent=True).delta(-0.01), Digits(width=1)(0.25)
    ('0.2500', '25.00', '-1.00', '0.2')
    """

    percent: bool = False
    width: int | None = None

    def of(self, written: str) -> Digits:
        """Return the digits for scores with this signature; a metric with its own scale has no percent."""
        return replace(self, percent=self.percent and has_percent(written))

    def scale(self, value: float) -> float:
        """The score on the scale in which it is shown, with all its digits."""
        return 100 * value if self.percent else value

    def __call__(self, value: float, decimals: int = 4) -> str:
        """Write a score with so many decimals of a fraction; a percentage has two fewer."""
        return self._format(value, decimals, "")

    def delta(self, value: float) -> str:
        """Write a difference with its sign."""
        return self._format(value, 4, "+")

    def axis_number(self, value: float, decimals: int) -> str:
        """Write a number of an axis, with commas between thousands."""
        return self._format(value, decimals, ",")

    def _format(self, value: float, decimals: int, form: str) -> str:
        if self.percent:
            decimals = max(decimals - 2, 0)
        return f"{self.scale(value) + 0.0:{form}.{decimals if self.width is None else self.width}f}"


FRACTIONS = Digits()


def format_part(part: Part) -> str:
    """Write a part of a score, such as its precisions.

    >>> format_part((0.5, 0.25)), format_part(7)
    ('0.5000, 0.2500', '7')
    """
    if isinstance(part, tuple):
        more = len(part) - _MOST_NUMBERS
        listed = ", ".join(map(format_part, part[:_MOST_NUMBERS]))
        return f"{listed} and {more:,} more" if more > 0 else listed
    return f"{part:.4f}" if isinstance(part, float) else str(part)
