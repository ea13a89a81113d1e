"""Random draws and coin flips, and sums of the selected rows, in blocks so that memory does not grow with trials."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from bleuprint import checks
from bleuprint.core import counts
from bleuprint.core.arrays import Floats, NDArray, Numbers, np
from bleuprint.errors import InputError, OptionError
from bleuprint.statistics.rows import Sample

SEED = 12345
MODES = ("bleuprint", "sacrebleu")
_MOST_SCORES = 1 << 28  # of all systems in all trials, which are kept: 2 GB
_BLOCK_OF_DRAWS = 1 << 24  # rows drawn between two progress reports
_TOGETHER = 1 << 14  # scores that are computed at once, few enough that the columns of the formula stay in cache
_BLOCK_OF_WORDS = 1 << 20  # random words held at a time, few enough to stay in cache
_BLOCK_OF_SUMS = 1 << 20  # numbers in the sums of a block of coins: three copies of 8 MB are held


class RowSums:
    """Sums of rows, one row per segment, computed by the core. The selection depends only on the seed and the trial.

    >>> sums = RowSums(np.array([[1], [10], [100]])).draw(seed=1, begin=0, end=5, threads=1)
    >>> sums.tolist() == RowSums(np.array([[1], [10], [100]])).draw(seed=1, begin=0, end=9, threads=2)[:5].tolist()
    True
    """

    def __init__(self, rows: Numbers) -> None:
        kind: Any = counts.IntegerRows if rows.dtype == np.int64 else counts.RealRows
        self._rows = kind(rows)
        self._empty = rows[:0]

    def draw(self, seed: int, begin: int, end: int, threads: int) -> Numbers:
        """Return one sum per trial, of as many rows as there are, drawn with replacement."""
        return self._fill(self._rows.drawn, end - begin, seed, begin, end, threads)

    def draw_at(self, indices: NDArray[np.uint32], threads: int) -> Numbers:
        """Return one sum per trial, of the rows at the trial's indices."""
        return self._fill(self._rows.drawn_at, len(indices), indices.reshape(-1), threads)

    def choose(self, seed: int, begin: int, end: int, threads: int) -> Numbers:
        """Return one sum per trial, of the rows whose coin shows heads."""
        return self._fill(self._rows.chosen, end - begin, seed, begin, end, threads)

    def choose_by(self, words: NDArray[np.uint32], trials: int, threads: int) -> Numbers:
        """Return one sum per trial, of the rows whose bit is set: number trial · rows + row in the words."""
        return self._fill(self._rows.chosen_by, trials, words, threads)

    def _fill(self, select: Callable[..., None], trials: int, *arguments: object) -> Numbers:
        sums = np.empty_like(self._empty, shape=(trials, self._empty.shape[1]))
        select(*arguments, sums)
        return sums


@dataclass(frozen=True, slots=True)
class Chance:
    """The source of random choices.

    In mode "bleuprint", each trial has its own random stream, so the results do not depend on the number of threads.
    Mode "sacrebleu" calls NumPy's generator exactly as sacrebleu does.
    """

    seed: int = SEED
    threads: int = 1
    mode: str = "bleuprint"
    report: Callable[[int], None] | None = None  # called after every block with its number of trials

    def __post_init__(self) -> None:
        checks.integer("seed", self.seed, 0, (1 << 64) - 1, allowed="an integer from 0 to 2 ** 64 - 1")
        checks.choice("mode", self.mode, MODES)

    @property
    def as_sacrebleu(self) -> bool:
        return self.mode == "sacrebleu"

    def draws(self, rows: Numbers, trials: int) -> Iterator[Numbers]:
        """Yield blocks with one sum per trial, of as many rows as there are, drawn with replacement."""
        sums, count = RowSums(rows), len(rows)
        words = Words(self.seed) if self.as_sacrebleu else None
        step = max(1, _BLOCK_OF_WORDS // count) if words else max(16, min(4096, _BLOCK_OF_DRAWS // count))
        for begin, end in self._blocks(trials, step):
            if words is None:
                yield sums.draw(self.seed, begin, end, self.threads)
            else:
                yield sums.draw_at(words.below(count, end - begin, count), self.threads)

    def coins(self, rows: Numbers, trials: int) -> Iterator[Numbers]:
        """Yield blocks with one sum per trial, of the rows whose coin shows heads."""
        sums, count = RowSums(rows), len(rows)
        words = Words(self.seed) if self.as_sacrebleu else None
        # NumPy takes 32 coins from each word, trial after trial, so 32 trials end on a word boundary.
        step = max(4096, min(16384, _BLOCK_OF_SUMS // rows.shape[1] // 32 * 32))
        step = min(step, max(1, 4 * _BLOCK_OF_WORDS // count) * 32) if words else step
        for begin, end in self._blocks(trials, step):
            if words is None:
                yield sums.choose(self.seed, begin, end, self.threads)
            else:
                yield sums.choose_by(words(-(-(end - begin) * count // 32)), end - begin, self.threads)

    def _blocks(self, trials: int, step: int) -> Iterator[tuple[int, int]]:
        for begin in range(0, trials, step):
            end = min(begin + step, trials)
            yield begin, end
            if self.report is not None:
                self.report(end - begin)


def share_reporter(report: Callable[[float], object] | None, total: int) -> Callable[[int], None] | None:
    """A function that is called with numbers of finished trials, and reports the share of all trials that is done."""
    if report is None:
        return None
    done = 0

    def advance(trials: int) -> None:
        nonlocal done
        done += trials
        report(min(1.0, done / total))

    return advance


def draw_scores(samples: Sequence[Sample], trials: int, chance: Chance) -> Floats:
    """Return the score of every sample in every trial; the same segments are drawn for all samples.

    >>> from bleuprint import BLEU
    >>> sample = BLEU(max_order=1).sample(["a b", "c d"], ["a b", "c e"])
    >>> draw_scores([sample], 8, Chance(seed=1)).tolist()
    [[0.75, 0.75, 1.0, 0.5, 1.0, 0.5, 0.5, 1.0]]
    """
    rows, places = stack_samples(samples)
    if len(samples) * trials > _MOST_SCORES:
        most = f"resamples of at most {_MOST_SCORES // len(samples):,}, or compare with a baseline, which needs fewer"
        raise OptionError.because(f"{trials:,} resamples of {len(samples):,} systems take too much memory; use {most}")
    scores = np.empty((len(samples), trials))
    done = 0
    alike = all(sample.formula is samples[0].formula for sample in samples)
    step = max(1, _TOGETHER // len(samples))
    pieces = (block[at : at + step] for block in chance.draws(rows, trials) for at in range(0, len(block), step))
    for block in pieces:
        here, columns = slice(done, done + len(block)), block.T.copy()
        if alike:  # one call of the formula: most of the time for a thousand trials goes into the calls themselves
            together = columns[np.transpose(places)].reshape(len(places[0]), -1)
            scores[:, here] = samples[0].score(together.T).reshape(len(samples), -1)
        else:
            for index, (sample, own) in enumerate(zip(samples, places, strict=True)):
                scores[index, here] = sample.score(columns[own].T)
        done += len(block)
    return scores


def stack_samples(samples: Sequence[Sample]) -> tuple[Numbers, list[list[int]]]:
    """Return the columns of all samples, equal ones such as the lengths of references once, and the places of each."""
    sizes = {len(sample) for sample in samples}
    if sizes == {0} or not sizes:
        raise InputError("there are no segments to draw from; pass at least one.")
    if len(sizes) > 1:
        raise InputError(f"all samples must have the same number of segments, got {sorted(sizes)}.")
    every = np.concatenate([sample.rows for sample in samples], axis=1)
    if (np.abs(every).max(axis=0) > np.finfo(np.float64).max / len(every)).any():
        raise InputError(
            f"some scores are too large to add up, such as {every.flat[np.abs(every).argmax()]:g}; scale them."
        )
    numbers: dict[bytes, int] = {}
    found = [numbers.setdefault(column.tobytes(), len(numbers)) for column in every.T]
    ends = list(accumulate(sample.rows.shape[1] for sample in samples))
    places = [found[begin:end] for begin, end in zip([0, *ends], ends, strict=False)]
    return every[:, [found.index(number) for number in range(len(numbers))]], places


class Words:
    """The 32-bit words that NumPy's default generator derives its numbers from."""

    def __init__(self, seed: int | None) -> None:
        self._generator = np.random.default_rng(seed)

    def __call__(self, count: int) -> NDArray[np.uint32]:
        return self._generator.integers(0, 1 << 32, size=count, dtype=np.uint32)

    def below(self, bound: int, trials: int, count: int) -> NDArray[np.uint32]:
        """Return the same as `Generator.choice(bound, size=(trials, count))` in a quarter of the time."""
        if bound == 1:
            return np.zeros((trials, count), dtype=np.uint32)  # NumPy consumes no randomness here
        wanted = trials * count
        parts = [numbers_below(bound, self(wanted))]
        while (missing := wanted - sum(map(len, parts))) > 0:
            parts.append(numbers_below(bound, self(missing)))
        return (parts[0] if len(parts) == 1 else np.concatenate(parts)).reshape(trials, count)


def numbers_below(bound: int, words: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """Turn random words into random numbers below `bound`, in place; a few words are rejected.

    >>> numbers_below(10, np.array([0, (1 << 31) + 1, 0xFFFFFFFF], dtype=np.uint32)).tolist()
    [5, 9]
    """
    return words[: counts.bounded(words, bound)]
