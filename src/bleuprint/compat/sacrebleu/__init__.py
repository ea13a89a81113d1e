"""sacrebleu's functions and classes: the same results, on its scale of 0 to 100 and with reference streams.

The differences: streams of unequal length raise an error instead of being cut to the shortest, and nothing is
downloaded, so there are no test sets.
"""

from __future__ import annotations

from typing import NoReturn

from bleuprint.compat.sacrebleu.compat import (
    corpus_bleu,
    corpus_chrf,
    corpus_ter,
    raw_corpus_bleu,
    sentence_bleu,
    sentence_chrf,
    sentence_ter,
)
from bleuprint.compat.sacrebleu.metrics import BLEU, CHRF, TER
from bleuprint.compat.sacrebleu.metrics.base import VERSION
from bleuprint.compat.sacrebleu.metrics.helpers import extract_char_ngrams, extract_word_ngrams
from bleuprint.compat.sacrebleu.utils import smart_open

__all__ = [
    "BLEU",
    "CHRF",
    "TER",
    "__version__",
    "corpus_bleu",
    "corpus_chrf",
    "corpus_ter",
    "extract_char_ngrams",
    "extract_word_ngrams",
    "raw_corpus_bleu",
    "sentence_bleu",
    "sentence_chrf",
    "sentence_ter",
    "smart_open",
]

__version__ = VERSION
_TEST_SETS = ("DATASETS", "SACREBLEU_DIR", "download_", "get_")  # what names that need them begin with


def __getattr__(name: str) -> NoReturn:
    problem = f"module {__name__!r} has no attribute {name!r}"
    if name.startswith(_TEST_SETS):
        problem += (
            ": bleuprint does not download test sets; write them to files with `sacrebleu -t SET -l PAIR --echo ref`"
        )
    raise AttributeError(problem)
