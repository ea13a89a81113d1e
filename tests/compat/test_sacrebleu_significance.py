"""PairedTest against sacrebleu's: means, margins and p-values without any tolerance."""

from __future__ import annotations

from typing import Any

import pytest

from tests.compat.sides import Outcome, Sides
from tests.parity.test_significance_sacrebleu import noisy, references
from tests.support.effort import MANY
from tests.support.wmt22 import Wmt22

BOTH = Sides.of("bleuprint.compat.sacrebleu", "sacrebleu")
KINDS = ("BLEU", "CHRF", "TER")
BOTH.module("significance")  # which is an attribute from here on

Systems = list[tuple[str, list[str]]]


def outcomes(
    systems: Systems, streams: list[list[str]], kinds: tuple[str, ...], **options: Any
) -> tuple[Outcome, Outcome]:
    def paired(library: Any) -> object:
        metrics = {name: getattr(library.metrics, name)(references=streams) for name in kinds}
        signatures, scores = library.significance.PairedTest(systems, metrics, None, **options)()
        return [signatures, scores, metrics[kinds[0]].get_signature()]

    return BOTH.outcomes(paired)


def assert_same(systems: Systems, streams: list[list[str]], kinds: tuple[str, ...], **options: Any) -> None:
    ours, theirs = outcomes(systems, streams, kinds, **options)
    assert ours.error is None
    assert ours == theirs


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "options",
    [
        {"test_type": "bs", "n_samples": 200},
        {"test_type": "ar", "n_samples": 300},
        {"test_type": "ar", "n_samples": 100, "n_ar_confidence": 60},
    ],
    ids=["bootstrap", "randomization", "randomization with intervals"],
)
@pytest.mark.parametrize("count", [1, 40, 131])
def test_generated_systems(kind: str, options: dict[str, Any], count: int) -> None:
    first = references(count, count)
    systems = [(name, noisy(seed, first, 0.1 * seed)) for seed, name in enumerate(("base", "near", "far"), start=1)]
    assert_same(systems, [first, noisy(9, first, 0.2)], (kind,), **options)


@pytest.mark.parametrize("test_type", ["ar", "bs"])
@pytest.mark.parametrize("streams", [1, 2, 3, 4, 5, 6, 7])
def test_mean_lengths_of_ter_are_rounded_as_in_sacrebleu(streams: int, test_type: str) -> None:
    """The last bit of a sum of thirds decides ties between swapped systems, and with them the p-value."""
    first = references(7, 60)
    several = [noisy(seed + 20, first, 0.3)[: len(first)] for seed in range(streams)]
    several = [
        [line if (at + seed) % 3 else f"{line} more" for at, line in enumerate(s)] for seed, s in enumerate(several)
    ]
    systems = [("base", noisy(1, first, 0.15)), ("near", noisy(2, first, 0.15)), ("far", noisy(3, first, 0.3))]
    assert_same(systems, several, ("TER",), test_type=test_type, n_samples=400, n_ar_confidence=50)


def test_the_interval_of_ter_is_rounded_as_in_sacrebleu() -> None:
    first = references(8, 50)
    streams = [noisy(seed, first, 0.4) for seed in (4, 5)] + [[f"{line} and more" for line in first]]
    for count in (3, 2):
        arguments = noisy(1, first, 0.2), streams[:count], 200
        ours, theirs = BOTH.outcomes(lambda side: side.TER().corpus_score(*arguments))  # noqa: B023
        assert ours.error is None
        assert ours == theirs


def test_defaults() -> None:
    first = references(3, 20)
    systems = [("base", noisy(1, first, 0.1)), ("new", noisy(2, first, 0.2))]
    assert_same(systems, [first], ("BLEU",))


@pytest.mark.parametrize("seed", ["1", "none"])
def test_the_seed_of_the_environment(seed: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SACREBLEU_SEED", seed)
    first = references(4, 30)
    systems = [("base", noisy(1, first, 0.1)), ("new", noisy(2, first, 0.2))]
    ours, theirs = outcomes(systems, [first], ("BLEU",), test_type="bs", n_samples=50)
    assert ours.error is None
    if seed == "none":  # nothing is reproducible, but the signature says so
        assert f"seed:{seed}" in str(ours.value)
    else:
        assert ours == theirs


def test_unknown_tests() -> None:
    ours, theirs = outcomes([("a", ["a"]), ("b", ["a"])], [["a"]], ("BLEU",), test_type="t")
    assert ours == theirs


def test_wmt22(wmt22_data: Wmt22) -> None:
    names = wmt22_data.systems("en-de")[:3]
    size = None if MANY else 500
    systems = [(name, wmt22_data.output("en-de", name)[:size]) for name in names]
    streams = [lines[:size] for lines in wmt22_data.references("en-de", "A")]
    assert_same(systems, streams, ("BLEU", "CHRF"), test_type="bs", n_samples=300)
