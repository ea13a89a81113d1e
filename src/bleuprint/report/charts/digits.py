"""How scores are written, in charts and beside them."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["FRACTIONS", "Digits"]


@dataclass(frozen=True, slots=True)
class Digits:
    """Writes the scores of a metric: as many digits as in the terminal, so that nobody reads two numbers.

    >>> Digits()(0.25), Digits(percent=True)(0.25), Digits(percent=True).signed(-0.01)
    ('0.2500', '25.00', '-1.00')
    """

    percent: bool = False

    def __call__(self, value: float, decimals: int = 4) -> str:
        """A score with so many decimals of a fraction; a percentage has two fewer."""
        return self._written(value, decimals, "")

    def signed(self, value: float) -> str:
        """A difference with its sign."""
        return self._written(value, 4, "+")

    def grouped(self, value: float, decimals: int) -> str:
        """A number of an axis, with commas between thousands."""
        return self._written(value, decimals, ",")

    def _written(self, value: float, decimals: int, form: str) -> str:
        if self.percent:
            value, decimals = 100 * value, max(decimals - 2, 0)
        return f"{value + 0.0:{form}.{decimals}f}"


FRACTIONS = Digits()
