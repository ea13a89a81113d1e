"""sacrebleu's three metrics and their scores."""

from __future__ import annotations

from bleuprint.compat.sacrebleu.metrics.base import Metric, Score
from bleuprint.compat.sacrebleu.metrics.bleu import BLEU, BLEUScore
from bleuprint.compat.sacrebleu.metrics.chrf import CHRF, CHRFScore
from bleuprint.compat.sacrebleu.metrics.ter import TER, TERScore

__all__ = ["BLEU", "CHRF", "METRICS", "TER", "BLEUScore", "CHRFScore", "TERScore"]

METRICS: dict[str, type[Metric[Score]]] = {"BLEU": BLEU, "CHRF": CHRF, "TER": TER}
