"""NLTK's nltk.translate scores: the same values and warnings, computed by the core.

As in NLTK, references come before hypotheses, and texts are lists of tokens (a str is a list of its characters).
"""

from __future__ import annotations

from bleuprint.compat.nltk.bleu_score import (
    SmoothingFunction,
    brevity_penalty,
    closest_ref_length,
    corpus_bleu,
    modified_precision,
    sentence_bleu,
)
from bleuprint.compat.nltk.chrf_score import corpus_chrf, sentence_chrf
from bleuprint.compat.nltk.gleu_score import corpus_gleu, sentence_gleu
from bleuprint.compat.nltk.meteor_score import meteor_score as meteor
from bleuprint.compat.nltk.meteor_score import single_meteor_score
from bleuprint.compat.nltk.nist_score import corpus_nist, sentence_nist

__all__ = [
    "SmoothingFunction",
    "bleu",
    "brevity_penalty",
    "chrf",
    "closest_ref_length",
    "corpus_bleu",
    "corpus_chrf",
    "corpus_gleu",
    "corpus_nist",
    "gleu",
    "meteor",
    "modified_precision",
    "nist",
    "sentence_bleu",
    "sentence_chrf",
    "sentence_gleu",
    "sentence_nist",
    "single_meteor_score",
]

bleu, chrf, gleu, nist = sentence_bleu, sentence_chrf, sentence_gleu, sentence_nist
