"""Settings of a comparison."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, replace

from bleuprint import checks
from bleuprint.errors import OptionError
from bleuprint.statistics.chance import Chance
from bleuprint.statistics.intervals import METHODS, check_samples
from bleuprint.statistics.power import POWER, segments_needed

BOOTSTRAP, RANDOMIZATION, EXACT, AUTO = "paired-bootstrap", "approximate-randomization", "exact", "auto"
TESTS = (AUTO, BOOTSTRAP, RANDOMIZATION, EXACT)
RESAMPLES = 1000
_DEFAULT_SAMPLES = {BOOTSTRAP: RESAMPLES}
_RANDOM_SWAPS = 10_000
_MOST_BY_DEFAULT = 1_000_000
_SMALLEST_ALPHA = 1e-15  # an exact test has 2**n outcomes for a few segments, and others at most some millions
_BELOW_ALPHA = 5  # the smallest possible p-value must be this many times below alpha


@dataclass(frozen=True, slots=True)
class Settings:
    """How systems are compared: everything except the data that can change a p-value or an interval."""

    test: str = AUTO
    samples: int | None = None  # for the test; None: 1000 resamples or 10,000 swaps, more for many pairs
    resamples: int | None = None  # for the intervals, unless the test is the bootstrap; None: 1000, more for many pairs
    alpha: float = 0.05
    interval: str = "bca"
    seed: int = 12345
    mode: str = "bleuprint"
    power: float = POWER
    detect: float | None = None
    margin: float | None = None  # largest difference that does not matter, for tests of equivalence

    def __post_init__(self) -> None:
        checks.choice("test", self.test, TESTS)
        Chance(self.seed, 1, self.mode)
        if self.mode == "sacrebleu" and self.test in {AUTO, EXACT}:
            raise OptionError("test", f"{BOOTSTRAP} or {RANDOMIZATION} in mode sacrebleu", self.test)
        for samples in (self.resamples, self.samples):
            if samples is not None:
                check_samples(samples)
        checks.choice("interval", self.interval, METHODS)
        if checks.fraction("alpha", self.alpha) < _SMALLEST_ALPHA:
            raise OptionError("alpha", f"at least {_SMALLEST_ALPHA:g}, below which no test finds a p-value", self.alpha)
        checks.fraction("power", self.power)
        if self.detect is not None:
            segments_needed(1.0, 1, self.detect)
        if self.margin is not None:
            _check_margin(self.margin, self.alpha)

    def for_pairs(self, pairs: int) -> Settings:
        """Return settings with enough samples for this many pairs, unless `samples` was given.

        With B samples, no p-value is below 1 / (B + 1), and Holm multiplies the smallest by the number of pairs.
        Intervals at level 1 - alpha / pairs need samples beyond their ends.

        >>> Settings().for_pairs(1).samples, Settings(test="paired-bootstrap").for_pairs(105).samples
        (10000, 10500)
        """
        if self.mode == "sacrebleu":
            return replace(self, resamples=self.resamples or RESAMPLES)
        enough = min(_MOST_BY_DEFAULT, math.ceil(_BELOW_ALPHA * pairs / self.alpha))
        return replace(
            self,
            samples=max(self.trials, enough) if self.samples is None else self.samples,
            resamples=max(RESAMPLES, 2 * enough) if self.resamples is None else self.resamples,
        )

    def doubts(self, pairs: int) -> tuple[str, ...]:
        """Return notes about the number of samples."""
        fewest = math.ceil(pairs / self.alpha)
        if self.test == EXACT or self.trials >= fewest:
            return ()
        return (
            f"with {self.trials:,} samples, no p-value of {pairs:,} pairs can fall below {self.alpha:g} after "
            f"correction; use at least {fewest:,}",
        )

    @property
    def trials(self) -> int:
        """The number of resamples or swaps of the test."""
        default = _DEFAULT_SAMPLES.get(self.test, _RANDOM_SWAPS)
        return default if self.samples is None else self.samples

    @property
    def drawn(self) -> int:
        """The number of resamples for the intervals."""
        return self.trials if self.test == BOOTSTRAP else self.resamples or RESAMPLES

    def __str__(self) -> str:
        fields = asdict(self) | {"samples": self.trials, "resamples": self.resamples or RESAMPLES}
        return "|".join(f"{key}:{value}" for key, value in fields.items() if value is not None)


def _check_margin(margin: float, alpha: float) -> None:
    allowed = "a positive difference on the scale of the scores"
    checks.number("margin", margin, math.ulp(0.0), 1e9, allowed=allowed)
    if alpha >= 0.5:
        raise OptionError("alpha", "below 0.5 for tests of equivalence", alpha)
