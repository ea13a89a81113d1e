"""What comparisons of many systems and large numbers of trials may take: memory is bounded before it is asked for."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable

import numpy as np
import pytest

import bleuprint as bp
from bleuprint.compat.rouge_score.scoring import BootstrapAggregator
from bleuprint.compat.sacrebleu import metrics as sacrebleu
from bleuprint.metrics import GecGLEU, Homogenization
from bleuprint.pools import rarefaction
from bleuprint.ratings.agreement.result import Settings as AgreementSettings
from bleuprint.ratings.items import Trials
from bleuprint.statistics.comparison import compare_samples
from bleuprint.statistics.rows import Sample
from bleuprint.statistics.settings import Settings

TEXTS = ["a b c d", "e f g h", "i j k l"]
SYSTEMS = [("base", TEXTS), ("new", ["a b c", "e f g i", "i j"])]
TOO_MANY = 1_000_001


DOORS: dict[str, tuple[str, Callable[[int], object]]] = {
    "compare": ("resamples", lambda count: bp.compare(dict(SYSTEMS), TEXTS, resamples=count)),
    "confidence_interval": ("resamples", lambda count: bp.confidence_interval(TEXTS, TEXTS, resamples=count)),
    "agreement": ("resamples", lambda count: AgreementSettings(resamples=count)),
    "permutations of agreement": ("permutations", lambda count: AgreementSettings(permutations=count)),
    "fit, threshold and power": ("resamples", Trials),
    "rarefaction": ("draws", lambda count: rarefaction(TEXTS, draws=count)),
    "gec-gleu": ("iterations", lambda count: GecGLEU(iterations=count)),
    "sacrebleu's interval": ("n_bootstrap", lambda count: sacrebleu.BLEU().corpus_score(TEXTS, [TEXTS], count)),
    "rouge_score": ("n_samples", lambda count: BootstrapAggregator(n_samples=count)),
}


@pytest.mark.parametrize("count", [TOO_MANY, 10**12])
@pytest.mark.parametrize("door", DOORS)
def test_too_many_trials_are_refused_with_the_bound(door: str, count: int) -> None:
    option, call = DOORS[door]
    with pytest.raises(bp.errors.OptionError, match=rf"^{option} must be .* to 1,000,000, got {count}\.$"):
        call(count)


def test_pairs_of_homogenization_are_bounded() -> None:
    with pytest.raises(bp.errors.OptionError, match=r"^pairs must be an integer from 2 to 10,000,000, got 10000001\.$"):
        Homogenization(pairs=10_000_001)


def of_scores(systems: int, segments: int = 40) -> dict[str, Sample]:
    scores = np.random.default_rng(3).normal(size=(systems, segments))
    return {f"s{number}": Sample.of_scores(row) for number, row in enumerate(scores)}


@pytest.mark.parametrize("test", ["auto", "paired-bootstrap"])
def test_memory_does_not_grow_with_pairs_and_resamples(test: str) -> None:
    samples = of_scores(
        24
    )  # 276 pairs × 55,200 resamples are 122 MB of differences; the scores of 24 systems are 11 MB
    tracemalloc.start()
    try:
        compare_samples(samples, Settings(test=test))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 50e6


def test_scores_of_many_systems_are_refused_before_memory_is_taken() -> None:
    same = next(iter(of_scores(1, 2).values()))
    samples = {f"s{number}": same for number in range(300)}
    with pytest.raises(
        bp.errors.OptionError, match=r"^2,000,000 resamples of 300 systems .* at most 894,784, or .* base"
    ):
        compare_samples(samples)
