"""Every n-gram metric for generated text: the number you can trust, at memory speed.

>>> import bleuprint as bp
>>> bp.sentence_bleu("the cat sat on the mat", ["the cat sat on the mat"]).value
1.0
"""

from __future__ import annotations

__version__ = "0.1.0"

from bleuprint._functions import (
    corpus_bleu,
    corpus_gleu,
    ibleu,
    sentence_bleu,
    sentence_bleus,
    sentence_gleu,
    sentence_gleus,
)
from bleuprint._pool_functions import (
    cross_bleu,
    distinct_n,
    ms_jaccard,
    ngram_entropy,
    repetition_rate,
    self_bleu,
    self_bleu_within,
    unique_ngrams,
)
from bleuprint._ter_functions import corpus_ter, sentence_ter, sentence_ters
from bleuprint.metrics import BLEU, GLEU, IBLEU, TER, GecGleu, SelfBLEU
from bleuprint.metrics.mbr import MbrChoice, mbr_decode
from bleuprint.metrics.pairwise import pairwise_bleu, pairwise_bleu_rows, pairwise_diversity
from bleuprint.tokenizers import tokenize

bleu = corpus_bleu
gleu = corpus_gleu
ter = corpus_ter

__all__ = [
    "BLEU",
    "GLEU",
    "IBLEU",
    "TER",
    "GecGleu",
    "MbrChoice",
    "SelfBLEU",
    "bleu",
    "corpus_bleu",
    "corpus_gleu",
    "corpus_ter",
    "cross_bleu",
    "distinct_n",
    "gleu",
    "ibleu",
    "mbr_decode",
    "ms_jaccard",
    "ngram_entropy",
    "pairwise_bleu",
    "pairwise_bleu_rows",
    "pairwise_diversity",
    "repetition_rate",
    "self_bleu",
    "self_bleu_within",
    "sentence_bleu",
    "sentence_bleus",
    "sentence_gleu",
    "sentence_gleus",
    "sentence_ter",
    "sentence_ters",
    "ter",
    "tokenize",
    "unique_ngrams",
]
