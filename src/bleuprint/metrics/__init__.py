"""The metrics: one file each. `TABLE` is the list the CLI, the reports and the tests go by."""

from __future__ import annotations

from typing import Any

from bleuprint.metric import Metric
from bleuprint.metrics.bleu import BLEU
from bleuprint.metrics.gec_gleu import GecGleu
from bleuprint.metrics.gleu import GLEU
from bleuprint.metrics.ibleu import IBLEU
from bleuprint.metrics.sentence_bleu import SentenceBleu

__all__ = ["BLEU", "GLEU", "IBLEU", "TABLE", "GecGleu", "SentenceBleu"]

TABLE: dict[str, type[Metric[Any]]] = {
    "bleu": BLEU,
    "gec-gleu": GecGleu,
    "gleu": GLEU,
    "ibleu": IBLEU,
    "sentence-bleu": SentenceBleu,
}
