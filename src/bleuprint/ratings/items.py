"""Rows that belong to items: folds and resamples over items, and correlations whose intervals resample items.

Rows of one item (outputs of several systems for one source, several ratings of one output) resemble each other. Folds
over rows would put some of them on both sides, and a fit would be praised for recognizing the item. Resamples of rows
would make intervals too narrow. So both are over items.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from bleuprint import checks
from bleuprint.core.arrays import Floats, Places, np
from bleuprint.statistics.chance import Chance
from bleuprint.statistics.intervals import Interval, bootstrap_intervals, interval_of, magnitude
from bleuprint.statistics.rows import Sample


@dataclass(frozen=True, slots=True)
class Trials:
    """A number of random trials, such as resamples of items, and the random seed."""

    count: int = 1000
    seed: int = 12345
    advance: Callable[[int], object] | None = None  # called after every block with its number of trials

    def __post_init__(self) -> None:
        checks.trials("resamples", self.count)
        Chance(self.seed)

    def blocks(self, size: int) -> Iterator[tuple[np.random.Generator, int]]:
        """Yield the random generator and the number of trials of each block, so that memory does not grow with them."""
        generator = np.random.default_rng(self.seed)
        for begin in range(0, self.count, size):
            trials = min(size, self.count - begin)
            yield generator, trials
            if self.advance is not None:
                self.advance(trials)

    def draws(self, items: int, block: int) -> Iterator[Floats]:
        """Yield blocks of resamples: how often each item is drawn."""
        return (draw_items(generator, items, trials) for generator, trials in self.blocks(block))

    def interval(self, sample: Sample) -> Interval:
        """The interval of a sample's score, from resamples of its items."""
        return bootstrap_intervals([sample], resamples=self.count, chance=Chance(self.seed))[0]

    def percentiles(self, value: float, resampled: Floats) -> Interval:
        """The interval of a value from its values in resamples."""
        return interval_of(value, resampled, None, level=0.95, method="percentile", chance=Chance(self.seed))


def draw_items(generator: np.random.Generator, items: int, trials: int, *, size: int | None = None) -> Floats:
    """How often each item is drawn, in trials that draw `size` items, as many as there are by default."""
    drawn = generator.multinomial(items if size is None else size, np.full(items, 1 / items), size=trials)
    return drawn.astype(np.float64)


def fold_numbers(items: int, folds: int, seed: int) -> Places:
    """The fold of each item: at random, and in folds of equal size as far as possible."""
    allowed = f"an integer from 2 to {items // 2}, half the number of items"
    checks.integer("folds", folds, 2, items // 2, allowed=allowed)
    return np.random.default_rng(seed).permutation(np.arange(items) % folds)


def sums_by_item(items: Places, rows: Floats) -> Floats:
    """The sum of the rows of each item."""
    sums = np.zeros((int(items.max()) + 1, *rows.shape[1:]))
    np.add.at(sums, items, rows)
    return sums


def correlation_sample(x: Floats, y: Floats, items: Places) -> Sample:
    """A sample of items whose score is Pearson's correlation of x and y over their rows; 0 if a side is constant.

    >>> items = np.array([0, 0, 1, 2])
    >>> correlation_sample(np.array([1.0, 2, 3, 4]), np.array([2.0, 1, 4, 3]), items).score().round(3).item()
    0.6
    """
    x, y = (away / magnitude(away) for away in (x - x.mean(), y - y.mean()))
    rows = sums_by_item(items, np.column_stack([np.ones(len(x)), x, y, x * x, y * y, x * y]))
    return Sample(rows, lambda columns: np.nan_to_num(pearson_of_sums(*columns)), has_percent=False)


@np.errstate(invalid="ignore", divide="ignore")
def pearson_of_sums(count: Floats, x: Floats, y: Floats, xx: Floats, yy: Floats, xy: Floats) -> Floats:
    """Pearson's correlation from the number of rows and the sums of x, y, x², y² and xy; NaN if a side is constant."""
    x_spread, y_spread = xx - x**2 / count, yy - y**2 / count
    # A constant column leaves only rounding of its sum of squares.
    varies = (x_spread > 1e-12 * xx) & (y_spread > 1e-12 * yy)
    r: Floats = (xy - x * y / count) / np.sqrt(np.where(varies, x_spread * y_spread, np.nan))
    return np.clip(r, -1.0, 1.0)
