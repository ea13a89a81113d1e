"""Every n-gram metric for generated text: the number you can trust, at memory speed.

>>> import bleuprint as bp
>>> bp.sentence_bleu("the cat sat on the mat", ["the cat sat on the mat"]).value
1.0
"""

from __future__ import annotations

from importlib import import_module as _import_module

__version__ = "0.1.0"

# Names are loaded when they are first asked for: a command that only prints its help, or a script that needs one
# metric, does not pay for all of them. Type checkers and editors read the imports below.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from bleuprint._chrf_functions import corpus_chrf, sentence_chrf, sentence_chrfs
    from bleuprint._edit_functions import (
        corpus_cer,
        corpus_levenshtein_ratio,
        corpus_mer,
        corpus_wer,
        corpus_wil,
        sentence_cer,
        sentence_cers,
        sentence_levenshtein_ratio,
        sentence_levenshtein_ratios,
        sentence_mer,
        sentence_mers,
        sentence_wer,
        sentence_wers,
        sentence_wil,
        sentence_wils,
    )
    from bleuprint._encoder_functions import (
        corpus_bertscore,
        frechet_distance,
        sentence_bertscore,
        sentence_bertscores,
    )
    from bleuprint._fitted_functions import (
        corpus_cider,
        corpus_nist,
        sentence_ciders,
        sentence_nist,
        sentence_nists,
    )
    from bleuprint._functions import (
        corpus_bleu,
        corpus_gleu,
        ibleu,
        sentence_bleu,
        sentence_bleus,
        sentence_gleu,
        sentence_gleus,
    )
    from bleuprint._match_functions import (
        corpus_contains_match,
        corpus_exact_match,
        sentence_contains_match,
        sentence_contains_matches,
        sentence_exact_match,
        sentence_exact_matches,
    )
    from bleuprint._meteor_functions import corpus_meteor, sentence_meteor, sentence_meteors
    from bleuprint._perplexity_functions import corpus_perplexity, sentence_perplexities, sentence_perplexity
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
    from bleuprint._sari_functions import corpus_sari, sentence_sari, sentence_saris
    from bleuprint._ter_functions import corpus_ter, sentence_ter, sentence_ters
    from bleuprint.comparisons import Comparison, compare, confidence_interval
    from bleuprint.fluency import quadrants
    from bleuprint.gates import gate
    from bleuprint.insight import buckets, contributions, explain, influence, ngram_changes, reconcile
    from bleuprint.language_model import LanguageModel
    from bleuprint.metrics import (
        BLEU,
        CER,
        CHRF,
        GLEU,
        IBLEU,
        MER,
        METEOR,
        NIST,
        SARI,
        TER,
        WER,
        WIL,
        BERTScore,
        CIDEr,
        ContainsMatch,
        ExactMatch,
        FrechetDistance,
        GecGleu,
        LevenshteinRatio,
        NeuralPerplexity,
        NgramPerplexity,
        Rouge,
        SelfBLEU,
    )
    from bleuprint.metrics.mbr import MbrChoice, mbr_decode
    from bleuprint.metrics.pairwise import pairwise_bleu, pairwise_bleu_rows, pairwise_diversity
    from bleuprint.runners import MetricRunner, evaluate, replay
    from bleuprint.tokenizers import tokenize

    bleu = corpus_bleu
    chrf = corpus_chrf
    gleu = corpus_gleu
    meteor = corpus_meteor
    rouge = corpus_rouge
    ter = corpus_ter

__all__ = [
    "BLEU",
    "CER",
    "CHRF",
    "GLEU",
    "IBLEU",
    "MER",
    "METEOR",
    "NIST",
    "SARI",
    "TER",
    "WER",
    "WIL",
    "BERTScore",
    "CIDEr",
    "Comparison",
    "ContainsMatch",
    "ExactMatch",
    "FrechetDistance",
    "GecGleu",
    "LanguageModel",
    "LevenshteinRatio",
    "MbrChoice",
    "MetricRunner",
    "NeuralPerplexity",
    "NgramPerplexity",
    "Rouge",
    "SelfBLEU",
    "bleu",
    "buckets",
    "chrf",
    "compare",
    "confidence_interval",
    "contributions",
    "corpus_bertscore",
    "corpus_bleu",
    "corpus_cer",
    "corpus_chrf",
    "corpus_cider",
    "corpus_contains_match",
    "corpus_exact_match",
    "corpus_gleu",
    "corpus_levenshtein_ratio",
    "corpus_mer",
    "corpus_meteor",
    "corpus_nist",
    "corpus_perplexity",
    "corpus_rouge",
    "corpus_sari",
    "corpus_ter",
    "corpus_wer",
    "corpus_wil",
    "cross_bleu",
    "distinct_n",
    "evaluate",
    "explain",
    "frechet_distance",
    "gate",
    "gleu",
    "ibleu",
    "influence",
    "mbr_decode",
    "meteor",
    "ms_jaccard",
    "ngram_changes",
    "ngram_entropy",
    "pairwise_bleu",
    "pairwise_bleu_rows",
    "pairwise_diversity",
    "quadrants",
    "reconcile",
    "repetition_rate",
    "replay",
    "rouge",
    "self_bleu",
    "self_bleu_within",
    "sentence_bertscore",
    "sentence_bertscores",
    "sentence_bleu",
    "sentence_bleus",
    "sentence_cer",
    "sentence_cers",
    "sentence_chrf",
    "sentence_chrfs",
    "sentence_ciders",
    "sentence_contains_match",
    "sentence_contains_matches",
    "sentence_exact_match",
    "sentence_exact_matches",
    "sentence_gleu",
    "sentence_gleus",
    "sentence_levenshtein_ratio",
    "sentence_levenshtein_ratios",
    "sentence_mer",
    "sentence_mers",
    "sentence_meteor",
    "sentence_meteors",
    "sentence_nist",
    "sentence_nists",
    "sentence_perplexities",
    "sentence_perplexity",
    "sentence_rouge",
    "sentence_rouges",
    "sentence_sari",
    "sentence_saris",
    "sentence_ter",
    "sentence_ters",
    "sentence_wer",
    "sentence_wers",
    "sentence_wil",
    "sentence_wils",
    "ter",
    "tokenize",
    "unique_ngrams",
]

_NAMES_BY_MODULE = {
    "_chrf_functions": "corpus_chrf sentence_chrf sentence_chrfs",
    "_edit_functions": (
        "corpus_cer corpus_levenshtein_ratio corpus_mer corpus_wer corpus_wil sentence_cer sentence_cers "
        "sentence_levenshtein_ratio sentence_levenshtein_ratios sentence_mer sentence_mers sentence_wer "
        "sentence_wers sentence_wil sentence_wils"
    ),
    "_encoder_functions": "corpus_bertscore frechet_distance sentence_bertscore sentence_bertscores",
    "_fitted_functions": "corpus_cider corpus_nist sentence_ciders sentence_nist sentence_nists",
    "_functions": "corpus_bleu corpus_gleu ibleu sentence_bleu sentence_bleus sentence_gleu sentence_gleus",
    "_match_functions": (
        "corpus_contains_match corpus_exact_match sentence_contains_match sentence_contains_matches "
        "sentence_exact_match sentence_exact_matches"
    ),
    "_meteor_functions": "corpus_meteor sentence_meteor sentence_meteors",
    "_perplexity_functions": "corpus_perplexity sentence_perplexities sentence_perplexity",
    "_pool_functions": (
        "cross_bleu distinct_n ms_jaccard ngram_entropy repetition_rate self_bleu self_bleu_within unique_ngrams"
    ),
    "_rouge_functions": "corpus_rouge sentence_rouge sentence_rouges",
    "_sari_functions": "corpus_sari sentence_sari sentence_saris",
    "_ter_functions": "corpus_ter sentence_ter sentence_ters",
    "comparisons": "Comparison compare confidence_interval",
    "insight": "buckets contributions explain influence ngram_changes reconcile",
    "language_model": "LanguageModel",
    "metrics": (
        "BERTScore BLEU CER CHRF GLEU IBLEU MER METEOR NIST SARI TER WER WIL CIDEr ContainsMatch ExactMatch "
        "FrechetDistance GecGleu LevenshteinRatio NeuralPerplexity NgramPerplexity Rouge SelfBLEU"
    ),
    "metrics.mbr": "MbrChoice mbr_decode",
    "metrics.pairwise": "pairwise_bleu pairwise_bleu_rows pairwise_diversity",
    "fluency": "quadrants",
    "runners": "MetricRunner evaluate replay",
    "gates": "gate",
    "tokenizers": "tokenize",
}
_ALIASES = {
    "bleu": "corpus_bleu",
    "chrf": "corpus_chrf",
    "gleu": "corpus_gleu",
    "meteor": "corpus_meteor",
    "rouge": "corpus_rouge",
    "ter": "corpus_ter",
}
_MODULES = {name: module for module, names in _NAMES_BY_MODULE.items() for name in names.split()}
_ROOMS = {
    "cards",
    "causal_models",
    "comparisons",
    "dataset",
    "encoders",
    "errors",
    "fluency",
    "insight",
    "language_model",
    "metrics",
    "profiles",
    "report",
    "results",
    "runners",
    "significance",
    "statistics",
    "streams",
    "tokenizers",
}


def __getattr__(name: str) -> object:
    if name in _ROOMS:
        return _import_module(f"bleuprint.{name}")
    target = _ALIASES.get(name, name)
    if target not in _MODULES:
        raise AttributeError(f"module 'bleuprint' has no attribute {name!r}")
    value: object = getattr(_import_module(f"bleuprint.{_MODULES[target]}"), target)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, *_ROOMS})
