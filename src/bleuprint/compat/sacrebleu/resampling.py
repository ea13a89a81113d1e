"""sacrebleu's bootstrap, with the same random numbers.

Resamples are scored in single precision, like in sacrebleu, so means and margins are equal. TER's mean reference
lengths can be fractions whose sums depend on the order of adding; NumPy adds those, in the order it does for sacrebleu.
"""

from __future__ import annotations

import os

from bleuprint.compat.sacrebleu.metrics.base import Metric, Score
from bleuprint.core.arrays import Integers, np
from bleuprint.statistics.chance import RowSums, Words

_BLOCK = 1 << 20  # random numbers in memory at a time


def environment_seed() -> int | None:
    seed = os.environ.get("SACREBLEU_SEED", "12345")
    return None if seed.lower() == "none" else int(seed)


def resample(rows: Integers, metric: Metric[Score], trials: int, seed: int | None) -> list[Score]:
    """The score of each resample, in single precision."""
    words, table, count = Words(seed), RowSums(rows), len(rows)
    step = max(1, _BLOCK // count)
    blocks = (words.below(count, min(step, trials - begin), count) for begin in range(0, trials, step))
    fractions = metric._fractions(rows)
    if fractions is not None:
        single = fractions.astype(np.float32)
        resamples = (single[draw].sum(axis=0) for block in blocks for draw in block)
    else:
        sums = (row for block in blocks for row in table.draw_at(block, 1).astype(np.int64, copy=False).tolist())
        resamples = (np.array(metric._stats_of(row), dtype=np.float32) for row in sums)
    return [metric._compute_score_from_stats(row) for row in resamples]
