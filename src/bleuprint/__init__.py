"""Every n-gram metric for generated text: the number you can trust, at memory speed.

>>> import bleuprint as bp
>>> bp.sentence_bleu("the cat sat on the mat", ["the cat sat on the mat"]).value
1.0
"""

from __future__ import annotations

__version__ = "0.1.0"

from bleuprint._chrf_functions import corpus_chrf, sentence_chrf, sentence_chrfs
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
from bleuprint._rouge_functions import corpus_rouge, sentence_rouge, sentence_rouges
from bleuprint.metrics import BLEU, CHRF, GLEU, IBLEU, GecGleu, Rouge, SelfBLEU
from bleuprint.metrics.mbr import MbrChoice, mbr_decode
from bleuprint.metrics.pairwise import pairwise_bleu, pairwise_bleu_rows, pairwise_diversity
from bleuprint.tokenizers import tokenize

bleu = corpus_bleu
chrf = corpus_chrf
gleu = corpus_gleu
rouge = corpus_rouge

__all__ = [
    "BLEU",
    "CHRF",
    "GLEU",
    "IBLEU",
    "GecGleu",
    "MbrChoice",
    "Rouge",
    "SelfBLEU",
    "bleu",
    "chrf",
    "corpus_bleu",
    "corpus_chrf",
    "corpus_gleu",
    "corpus_rouge",
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
    "rouge",
    "self_bleu",
    "self_bleu_within",
    "sentence_bleu",
    "sentence_bleus",
    "sentence_chrf",
    "sentence_chrfs",
    "sentence_gleu",
    "sentence_gleus",
    "sentence_rouge",
    "sentence_rouges",
    "tokenize",
    "unique_ngrams",
]
