"""Every n-gram metric for generated text: the number you can trust, at memory speed.

>>> import bleuprint as bp
>>> bp.sentence_bleu("the cat sat on the mat", ["the cat sat on the mat"]).value
1.0
"""

from __future__ import annotations

__version__ = "0.1.0"

from bleuprint._functions import corpus_bleu, sentence_bleu, sentence_bleus
from bleuprint.metrics import BLEU
from bleuprint.tokenizers import tokenize

bleu = corpus_bleu

__all__ = ["BLEU", "bleu", "corpus_bleu", "sentence_bleu", "sentence_bleus", "tokenize"]
