"""Profiles: the options under which a metric reproduces the numbers of another library.

A profile fills in options; an option passed explicitly wins. Each profile is tested against the real package if it can
be installed, otherwise against its published rules. Scores stay unrounded and are
not multiplied by 100, whatever the library prints.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bleuprint.errors import OptionError, closest
from bleuprint.metrics.base.options import options_in
from bleuprint.signature import Option

PROFILES: dict[str, dict[str, dict[str, Option]]] = {
    "bleu": {
        # sacrebleu 2.6: corpus_bleu, and sentence_bleu with its effective order.
        "sacrebleu": {},
        # NLTK 3.10: an order that the hypothesis is too short for counts as 0 of 1, a precision of zero is left out of
        # the mean, and methods 5 to 7 look at the last segment of a corpus. Strings are split like word_tokenize does.
        "nltk": {
            "tokenizer": "nltk",
            "smoothing": "method0",
            "effective_order": False,
            "absent_order": "one",
            "zero_precision": "skip",
            "context": "last-segment",
        },
        # Hugging Face evaluate `bleu`, i.e. tensorflow/nmt's compute_bleu; its smooth=True is smoothing="add-all".
        "hf": {"smoothing": "none", "effective_order": False, "reference_length": "shortest", "zero_when": "never"},
        # torchmetrics BLEUScore; its smooth=True is smoothing="add-k". It computes in float32, so it gives 7 digits.
        "torchmetrics": {
            "tokenizer": "whitespace",
            "smoothing": "none",
            "effective_order": False,
            "reference_length": "closest-first",
            "zero_when": "any-order-without-match",
        },
        # axion SentenceBLEU; it rounds to four digits.
        "axion": {
            "tokenizer": "whitespace",
            "lowercase": True,
            "smoothing": "add-all",
            "effective_order": False,
            "absent_order": "zero",
            "zero_when": "never",
        },
        # Moses multi-bleu.perl on tokenized text; its -lc is lowercase=True.
        "moses": {"tokenizer": "whitespace", "smoothing": "none", "effective_order": False},
    },
    "gleu": {
        # NLTK takes token lists; strings are split like word_tokenize does.
        "nltk": {"tokenizer": "nltk"},
        # Hugging Face evaluate `google_bleu`.
        "hf": {"tokenizer": "13a"},
        "autometrics": {"tokenizer": "nltk", "lowercase": True},
    },
    "chrf": {
        # sacrebleu 2.6, which is also our default.
        "sacrebleu": {},
        # chrF++ as in sacrebleu: word unigrams and bigrams count in addition to characters.
        "chrf++": {"word_order": 2},
    },
    "contamination": {
        # Brown et al. 2020, appendix C: any 13-gram, or the whole text if it is shorter.
        "gpt3": {"order": 13, "unit": "ngrams", "share": 0.0, "short": "whole"},
        # Chowdhery et al. 2023, section 8: at least 70 % of the 8-grams.
        "palm": {"order": 8, "unit": "ngrams", "share": 0.7, "short": "never"},
        # Touvron et al. 2023, appendix A.6: at least 80 % of the tokens in n-grams of more than 10 tokens ("dirty").
        # Matches are exact here; the paper lets up to four tokens of an n-gram differ.
        "llama2": {"order": 11, "unit": "tokens", "share": 0.8, "short": "never"},
    },
    "levenshtein-ratio": {
        # fuzz.ratio / 100 and Indel.normalized_similarity.
        "rapidfuzz": {"definition": "indel"}
    },
    "neural-perplexity": {
        # Hugging Face evaluate `perplexity`: a start token before every text, the mean of the texts' perplexities, and
        # texts are only cut if max_length is given.
        "hf-evaluate": {"bos": True, "average": "texts", "long_texts": "truncate"},
        # autometrics: GPT-2 without a start token, windows that move by 512 tokens, one perplexity per text.
        "autometrics": {"bos": False, "stride": 512, "average": "texts", "long_texts": "slide"},
    },
    "sari": {
        # Hugging Face evaluate `sari`, after tensor2tensor; it prints 0..100.
        "hf": {"counting": "types"}
    },
    "self-bleu": {
        # NLTK's sentence_bleu of each text against all others, which is also our default.
        "nltk": {},
        # Texygen's get_bleu_fast: orders up to 3 and the first 500 texts.
        "texygen": {"max_order": 3, "sample": 500, "seed": None},
        # autometrics: the pool is the first 500 sentences of one output; see SelfBLEU.within.
        "autometrics": {"max_order": 3, "sample": 500, "seed": None},
    },
    "ter": {
        # sacrebleu 2.6, which is also our default.
        "sacrebleu": {}
    },
    "ibleu": {
        # EditEval: corpus level, unsmoothed tensorflow/nmt BLEU on word_tokenize's tokens.
        "editeval": {"alpha": 0.9, "profile": "hf", "tokenizer": "nltk"},
        # autometrics: sacrebleu's corpus score of each item; it prints 0..100.
        "autometrics": {"alpha": 0.9, "effective_order": False},
    },
}


def names(metric: str) -> tuple[str, ...]:
    """Names of a metric's profiles.

    >>> names("bleu")
    ('sacrebleu', 'nltk', 'hf', 'torchmetrics', 'axion', 'moses')
    """
    return tuple(PROFILES.get(metric, {}))


def find(metric: str, profile: str | None) -> dict[str, Option]:
    """Options of a profile; empty for None."""
    if profile is None:
        return {}
    if not isinstance(profile, str) or profile not in names(metric):
        meant = closest(profile, names(metric)) if isinstance(profile, str) else None
        raise OptionError(
            "profile", f"one of {', '.join(names(metric)) or '(none)'} for {metric}", profile, meant=meant
        )
    return dict(PROFILES[metric][profile])


def fill(
    metric: str, profile: str | None, defaults: Mapping[str, object], given: Mapping[str, object]
) -> dict[str, Any]:
    """The options given to a constructor; in place of None, what the profile has, else the default.

    >>> fill("gleu", "nltk", {"tokenizer": "13a", "lowercase": False}, {"lowercase": True, "max_order": 4})
    {'tokenizer': 'nltk', 'lowercase': True, 'max_order': 4}
    """
    usual = {**defaults, **find(metric, profile)}
    options = options_in(given)
    return {**usual, **{name: options[name] for name in options if options[name] is not None or name not in usual}}
