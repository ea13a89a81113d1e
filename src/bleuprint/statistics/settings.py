"""Settings of a comparison."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from bleuprint import checks
from bleuprint.errors import OptionError
from bleuprint.statistics.chance import Chance
from bleuprint.statistics.intervals import METHODS
from bleuprint.statistics.power import POWER, segments_needed

BOOTSTRAP, RANDOMIZATION, EXACT, AUTO = "paired-bootstrap", "approximate-randomization", "exact", "auto"
TESTS = (AUTO, BOOTSTRAP, RANDOMIZATION, EXACT)
RESAMPLES = 1000
_DEFAULT_TRIALS = {BOOTSTRAP: RESAMPLES}
_RANDOM_SWAPS = 10_000
_SMALLEST_ALPHA = 1e-15  # an exact test has 2**n outcomes for a few segments, and others at most some millions
_BELOW_ALPHA = 5  # the smallest possible p-value must be this many times below alpha


@dataclass(frozen=True, slots=True)
class Settings:
    """How systems are compared: everything except the data that can change a p-value or an interval."""

    test: str = AUTO
    resamples: int | None = None  # None: 10,000 swaps for the test, 1000 bootstrap resamples, more for many pairs
    alpha: float = 0.05
    interval: str = "bca"
    seed: int = 12345
    mode: str = "bleuprint"
    power: float = POWER
    detect: float | Mapping[str, float] | None = None  # one number for all metrics, or by metric
    margin: float | Mapping[str, float] | None = None  # largest difference that does not matter, in the same way

    def __post_init__(self) -> None:
        checks.choice("test", self.test, TESTS)
        Chance(self.seed, 1, self.mode)
        if self.mode == "sacrebleu" and self.test in {AUTO, EXACT}:
            raise OptionError("test", f"{BOOTSTRAP} or {RANDOMIZATION} in mode sacrebleu", self.test)
        if self.resamples is not None:
            checks.trials("resamples", self.resamples)
        checks.choice("interval", self.interval, METHODS)
        if checks.fraction("alpha", self.alpha) < _SMALLEST_ALPHA:
            raise OptionError("alpha", f"at least {_SMALLEST_ALPHA:g}, below which no test finds a p-value", self.alpha)
        checks.fraction("power", self.power)
        if self.detect is not None and not isinstance(self.detect, Mapping):  # those are checked by `of_metric`
            segments_needed(1.0, 1, self.detect)
        if self.margin is not None and not isinstance(self.margin, Mapping):
            allowed = "a positive difference on the scale of the scores"
            checks.number("margin", self.margin, math.ulp(0.0), 1e9, allowed=allowed)
            if self.alpha >= 0.5:
                raise OptionError("alpha", "below 0.5 for tests of equivalence", self.alpha)

    def of_metric(self, metric: str, *, has_percent: bool) -> Settings:
        """The settings with the differences for one metric; those that its scores cannot have are refused."""
        detect = checks.difference("detect", self.detect, metric, has_percent)
        return replace(self, detect=detect, margin=checks.difference("margin", self.margin, metric, has_percent))

    def trials(self, pairs: int) -> int:
        """The number of resamples or swaps of the test of so many pairs.

        With B of them, no p-value is below 1 / (B + 1), and Holm multiplies the smallest by the number of pairs.

        >>> Settings().trials(1), Settings(test="paired-bootstrap").trials(105), Settings(resamples=50).trials(105)
        (10000, 10500, 50)
        """
        return self.at_least(_DEFAULT_TRIALS.get(self.test, _RANDOM_SWAPS), pairs)

    def at_least(self, usual: int, pairs: int) -> int:
        """The number of resamples that was given; else the usual one, or as many as so many pairs need."""
        return self._number(usual, self._enough(pairs))

    def draws(self, pairs: int) -> int:
        """The number of resamples for the intervals, which need some beyond their ends at level 1 - alpha / pairs."""
        return self.trials(pairs) if self.test == BOOTSTRAP else self._number(RESAMPLES, 2 * self._enough(pairs))

    def _number(self, usual: int, enough: int) -> int:
        return self.resamples or (usual if self.mode == "sacrebleu" else max(usual, enough))

    def _enough(self, pairs: int) -> int:
        return min(checks.MOST_TRIALS, math.ceil(_BELOW_ALPHA * pairs / self.alpha))

    def doubts(self, pairs: int) -> tuple[str, ...]:
        """Return notes about the number of resamples."""
        fewest, trials = math.ceil(pairs / self.alpha), self.trials(pairs)
        if self.test == EXACT or trials >= fewest:
            return ()
        return (
            f"with {trials:,} resamples, no p-value of {pairs:,} pairs can fall below {self.alpha:g} after "
            f"correction; use at least {fewest:,}",
        )

    def describe(self, pairs: int, samples: int | None = None) -> str:
        """The settings of a comparison of so many pairs, for its signature; `samples` is another number of trials."""
        counted = {"samples": samples or self.trials(pairs), "resamples": self.draws(pairs)}
        fields: dict[str, Any] = {"test": self.test, **counted, **asdict(self), "resamples": self.draws(pairs)}
        for name, given in (("detect", self.detect), ("margin", self.margin)):
            if isinstance(given, Mapping):
                fields[name] = ",".join(f"{metric}={value}" for metric, value in given.items())
        return "|".join(f"{key}:{value}" for key, value in fields.items() if value is not None)
