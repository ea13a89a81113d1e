"""NLTK's nltk.translate scores: the same values and warnings, computed by the core.

As in NLTK, references come before hypotheses, and texts are lists of tokens (a str is a list of its characters).
"""

# ruff: noqa: F403, F405

from __future__ import annotations

from bleuprint.compat.nltk import bleu_score, chrf_score, gleu_score, nist_score
from bleuprint.compat.nltk.bleu_score import *
from bleuprint.compat.nltk.chrf_score import *
from bleuprint.compat.nltk.gleu_score import *
from bleuprint.compat.nltk.meteor_score import meteor_score as meteor
from bleuprint.compat.nltk.meteor_score import single_meteor_score
from bleuprint.compat.nltk.nist_score import *

__all__ = ["bleu", "chrf", "gleu", "meteor", "nist", "single_meteor_score"]
__all__ += bleu_score.__all__ + chrf_score.__all__ + gleu_score.__all__ + nist_score.__all__
__all__.sort()

bleu, chrf, gleu, nist = sentence_bleu, sentence_chrf, sentence_gleu, sentence_nist
