"""MBR decoding chooses what mbrs chooses, with its own BLEU and chrF and with fastchrf, on real translations."""

from __future__ import annotations

import sys
import types
from collections.abc import Iterator
from typing import Any

import pytest

import bleuprint as bp
from bench import data
from bench.pairwise import groups_of

# They need COMET, BLEURT and an older transformers. mbrs imports all of its metrics or none, and BLEU and chrF know
# nothing of these.
NEURAL = {
    "bertscore": "MetricBERTScore",
    "bleurt": "MetricBLEURT",
    "comet": "MetricCOMET",
    "cometkiwi": "MetricCOMETkiwi",
    "metricx": "MetricMetricX",
    "xcomet": "MetricXCOMET",
}
GROUPS, CANDIDATES = 12, 16
SINGLE = 2e-6  # mbrs adds up in single precision


@pytest.fixture(scope="module")
def mbrs() -> Iterator[Any]:
    """The decoder and the metrics of mbrs."""
    for module, name in NEURAL.items():
        stand_in = types.ModuleType(f"mbrs.metrics.{module}")
        setattr(stand_in, name, type(name, (), {}))
        sys.modules[f"mbrs.metrics.{module}"] = stand_in
    from mbrs import decoders, metrics

    yield types.SimpleNamespace(decoders=decoders, metrics=metrics)
    for name in [name for name in sys.modules if name.partition(".")[0] == "mbrs"]:
        del sys.modules[name]


@pytest.mark.parametrize(
    ("utility", "name", "options"),
    [
        (bp.BLEU(), "MetricBLEU", {}),
        (bp.CHRF(), "MetricChrF", {}),
        (bp.CHRF(), "MetricChrF", {"fastchrf": True}),
        (bp.CHRF(word_order=2), "MetricChrF", {"word_order": 2}),
        (bp.TER(), "MetricTER", {}),
    ],
    ids=["bleu", "chrf", "fastchrf", "chrf++", "ter"],
)
def test_winners_are_those_of_mbrs(mbrs: Any, utility: Any, name: str, options: dict[str, Any]) -> None:
    kind = getattr(mbrs.metrics, name)
    decoder = mbrs.decoders.DecoderMBR(mbrs.decoders.DecoderMBR.Config(), kind(kind.Config(num_workers=1, **options)))
    groups = groups_of(data.load(GROUPS), CANDIDATES, 0)
    for choice, group in zip(bp.choose(groups, metric=utility, threads=1), groups, strict=True):
        theirs = decoder.decode(group, group)
        assert theirs.score[0] / 100 == pytest.approx(choice.value, abs=SINGLE)
        # Equally good candidates are a tie, which single precision may decide either way.
        if theirs.idx[0] != choice.index:
            again = bp.choose([[group[theirs.idx[0]]]], metric=utility, references=[group])[0]
            assert again.value == pytest.approx(choice.value, abs=SINGLE)
