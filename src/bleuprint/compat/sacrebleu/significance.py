"""sacrebleu's paired tests and bootstrap, with the same random numbers.

Resamples are scored in single precision, like in sacrebleu, so means, intervals and p-values are equal. The core draws
them, so no worker processes are needed. TER's mean reference lengths can be fractions whose sums depend on the order of
adding, and a last bit decides ties between swapped systems; NumPy adds those, in the order it does for sacrebleu.
"""

from __future__ import annotations

import logging
import os
import secrets
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import index
from typing import Any, ClassVar

from bleuprint import checks
from bleuprint.compat.sacrebleu.metrics.base import Metric, Score, Signature, Stats, Streams
from bleuprint.core.arrays import Floats, Integers, np
from bleuprint.statistics.chance import Chance, RowSums, Words

__all__ = ["PairedTest", "Result", "estimate_ci"]

logger = logging.getLogger("sacrebleu")
_BLOCK = 1 << 20  # random numbers in memory at a time

NamedSystems = Sequence[tuple[str, Sequence[str]]]


@dataclass(eq=False, repr=False)
class Result:
    """A system's score; in a paired test with its p-value against the baseline, with bootstrap its mean and margin.

    >>> Result(12.5, 0.01)
    score=12.5,p_value=0.01,mean=None,ci=None
    """

    score: float
    p_value: float | None = None
    mean: float | None = None
    ci: float | None = None

    def __repr__(self) -> str:
        return ",".join(f"{name}={value!s}" for name, value in vars(self).items())


def estimate_ci(scores: Floats) -> tuple[float, float]:
    """The mean of scores, and half the width of their central 95%.

    >>> mean, margin = estimate_ci(np.arange(101.0))
    >>> print(mean, margin)
    50.0 48.0
    """
    ordered = np.sort(scores)
    cut = len(ordered) // 40
    return ordered.mean(), 0.5 * (ordered[len(ordered) - cut - 1] - ordered[cut])


def environment_seed() -> int | None:
    seed = os.environ.get("SACREBLEU_SEED", "12345")
    return None if seed.lower() == "none" else int(seed)


def resample(rows: Integers, metric: Metric[Score], trials: int, seed: int | None, coins: int = 0) -> list[Score]:
    """The score of each resample, in single precision; the draws follow this number of coin flips."""
    words, table, count = Words(seed), RowSums(rows), len(rows)
    for left in range(-(-coins // 32), 0, -_BLOCK):  # NumPy takes 32 coins from a word
        words(min(left, _BLOCK))
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


def _values(scores: list[Score]) -> Floats:
    return np.array([score.score for score in scores])


def _p_value(differences: Floats, observed: float) -> float:
    """The share of differences above the observed one, with one added to both counts."""
    return (int(np.count_nonzero(differences > observed)) + 1) / (len(differences) + 1)


class PairedTest:
    """Compares systems with the first one, by approximate randomization ("ar") or paired bootstrap ("bs").

    >>> from bleuprint.compat.sacrebleu.metrics import BLEU
    >>> systems = [("base", ["a b c d", "e f g h"] * 4), ("new", ["a b c d", "e f g i"] * 4)]
    >>> metric = BLEU(references=[["a b c d", "e f g h"] * 4])
    >>> signatures, scores = PairedTest(systems, {"BLEU": metric}, None, n_samples=100)()
    >>> scores["System"], round(scores["BLEU"][1].score, 2)
    (['base', 'new'], 72.31)
    >>> signatures["BLEU"]
    nrefs:1|ar:100|seed:12345|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0
    """

    _DEFAULT_SAMPLES: ClassVar[dict[str, int]] = {"ar": 10000, "bs": 1000}

    def __init__(
        self,
        named_systems: NamedSystems,
        metrics: Mapping[str, Metric[Score]],
        references: Streams | None,
        test_type: str = "ar",
        n_samples: int = 0,
        n_ar_confidence: int = -1,
        n_jobs: int = 1,
    ) -> None:
        if test_type not in self._DEFAULT_SAMPLES:
            raise AssertionError(f"Unknown test type {test_type!r}")
        self.test_type = test_type
        self.n_jobs = n_jobs
        self.references = references
        self.named_systems = named_systems
        self.n_systems = len(named_systems) - 1
        self.n_samples = n_samples if n_samples > 0 else self._DEFAULT_SAMPLES[test_type]
        self.n_ar_confidence = n_ar_confidence if n_ar_confidence != 0 else self._DEFAULT_SAMPLES["bs"]
        for name in ("n_samples", "n_ar_confidence"):
            checks.trials(name, index(max(1, getattr(self, name))))
        self._seed = environment_seed()
        self._signatures: dict[str, Signature] = {}
        self._baseline: dict[str, tuple[Integers, Result]] = {}
        self.metrics: dict[str, Metric[Score]] = {}
        for name, metric in metrics.items():
            self._add_baseline(name, metric)

    def _add_baseline(self, name: str, metric: Metric[Score]) -> None:
        system, hypotheses = self.named_systems[0]
        logger.info(f"Pre-computing {name} statistics for {system!r}")
        rows = metric._rows(hypotheses, self.references)
        score = metric._compute_score_from_stats(metric._total(rows))
        result = Result(score.score)
        resamples = self.n_samples if self.test_type == "bs" else self.n_ar_confidence
        if resamples > 0:
            result.mean, result.ci = estimate_ci(_values(resample(rows, metric, resamples, self._seed)))
        self._baseline[score.name] = (rows, result)
        self.metrics[score.name] = metric
        signature = self._signatures[score.name] = metric.get_signature()
        signature.update("seed", str(self._seed).lower())
        signature.update(self.test_type, self.n_samples)
        if self.n_ar_confidence > 0:
            signature.update("bs", self.n_ar_confidence)

    def __call__(self) -> tuple[dict[str, Signature], dict[str, list[Any]]]:
        """Run the test; returns signatures by metric, and a Result per system by metric; "System" holds the names."""
        scores: dict[str, list[Any]] = {"System": [name for name, _ in self.named_systems]}
        for name, (_, result) in self._baseline.items():
            scores[name] = [result]
        for system, hypotheses in self.named_systems[1:]:
            for name, metric in self.metrics.items():
                logger.info(f"Computing {name} for {system!r} and extracting sufficient statistics")
                scores[name].append(self._compare(name, metric, metric._rows(hypotheses, self.references)))
        return self._signatures, scores

    def _compare(self, name: str, metric: Metric[Score], rows: Integers) -> Result:
        base, baseline = self._baseline[name]
        result = Result(metric._compute_score_from_stats(metric._total(rows)).score)
        observed = abs(baseline.score - result.score)
        seed = self._seed or secrets.randbits(64)  # 0 means no seed here, as in sacrebleu
        if self.test_type == "bs":
            logger.info(f" > Performing paired bootstrap resampling test (# resamples: {self.n_samples})")
            own, theirs = (_values(resample(side, metric, self.n_samples, seed)) for side in (rows, base))
            sizes = np.abs(own - theirs)
            result.p_value = _p_value(sizes - sizes.mean(), observed)
            result.mean, result.ci = estimate_ci(own)
            return result
        logger.info(f" > Performing approximate randomization test (# trials: {self.n_samples})")
        compute, sides = metric._compute_score_from_stats, self._swap(metric, base, rows, seed)
        differences = [abs(compute(one).score - compute(other).score) for one, other in sides]
        result.p_value = _p_value(np.array(differences), observed)
        if self.n_ar_confidence > 0:
            trials = self.n_ar_confidence
            logger.info(f" > Performing bootstrap resampling for confidence interval (# resamples: {trials})")
            resamples = resample(rows, metric, trials, seed, coins=self.n_samples * len(rows))
            result.mean, result.ci = estimate_ci(_values(resamples))
        return result

    def _swap(self, metric: Metric[Score], base: Integers, rows: Integers, seed: int) -> Iterator[tuple[Stats, Stats]]:
        """The statistics of both sides after each trial's swaps."""
        fractions, own = metric._fractions(base), metric._fractions(rows)
        if fractions is not None and own is not None:
            # All trials in one product, because BLAS may add in another order if the shape is another.
            kept = np.random.default_rng(seed).integers(2, size=(self.n_samples, len(rows)), dtype=bool)
            sides = (kept @ fractions + ~kept @ own), (~kept @ fractions + kept @ own)
            yield from zip(sides[0].tolist(), sides[1].tolist(), strict=True)
            return
        total, width = base.sum(axis=0) + rows.sum(axis=0), base.shape[1]
        for heads in Chance(seed, mode="sacrebleu").coins(np.concatenate([base, rows], axis=1), self.n_samples):
            # On heads the first side gets the baseline's segment, otherwise the system's.
            first = heads[:, :width] + rows.sum(axis=0) - heads[:, width:]
            for one, other in zip(first.tolist(), (total - first).tolist(), strict=True):
                yield metric._stats_of(one), metric._stats_of(other)
