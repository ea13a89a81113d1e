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
    from bleuprint.core.tokenizers import tokenize
    from bleuprint.insight import buckets, contributions, explain, influence, ngram_changes, reconcile
    from bleuprint.insight.quadrants import quadrants
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
    from bleuprint.metrics.functions.bleu import (
        corpus_bleu,
        corpus_gleu,
        ibleu,
        sentence_bleu,
        sentence_bleus,
        sentence_gleu,
        sentence_gleus,
    )
    from bleuprint.metrics.functions.chrf import corpus_chrf, sentence_chrf, sentence_chrfs
    from bleuprint.metrics.functions.edits import (
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
    from bleuprint.metrics.functions.encoders import (
        corpus_bertscore,
        frechet_distance,
        sentence_bertscore,
        sentence_bertscores,
    )
    from bleuprint.metrics.functions.fitted import (
        corpus_cider,
        corpus_nist,
        sentence_ciders,
        sentence_nist,
        sentence_nists,
    )
    from bleuprint.metrics.functions.match import (
        corpus_contains_match,
        corpus_exact_match,
        sentence_contains_match,
        sentence_contains_matches,
        sentence_exact_match,
        sentence_exact_matches,
    )
    from bleuprint.metrics.functions.meteor import corpus_meteor, sentence_meteor, sentence_meteors
    from bleuprint.metrics.functions.perplexity import corpus_perplexity, sentence_perplexities, sentence_perplexity
    from bleuprint.metrics.functions.pool import (
        cross_bleu,
        distinct_n,
        ms_jaccard,
        ngram_entropy,
        repetition_rate,
        self_bleu,
        self_bleu_within,
        unique_ngrams,
    )
    from bleuprint.metrics.functions.rouge import corpus_rouge, sentence_rouge, sentence_rouges
    from bleuprint.metrics.functions.sari import corpus_sari, sentence_sari, sentence_saris
    from bleuprint.metrics.functions.ter import corpus_ter, sentence_ter, sentence_ters
    from bleuprint.metrics.mbr import MbrChoice, mbr_decode
    from bleuprint.metrics.pairwise import pairwise_bleu, pairwise_bleu_rows, pairwise_diversity
    from bleuprint.models.language_model import LanguageModel
    from bleuprint.runners import MetricRunner, evaluate, replay
    from bleuprint.runners.comparisons import Comparison, compare, confidence_interval
    from bleuprint.runners.gates import gate

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
    "metrics.functions.chrf": "corpus_chrf sentence_chrf sentence_chrfs",
    "metrics.functions.edits": (
        "corpus_cer corpus_levenshtein_ratio corpus_mer corpus_wer corpus_wil sentence_cer sentence_cers "
        "sentence_levenshtein_ratio sentence_levenshtein_ratios sentence_mer sentence_mers sentence_wer "
        "sentence_wers sentence_wil sentence_wils"
    ),
    "metrics.functions.encoders": "corpus_bertscore frechet_distance sentence_bertscore sentence_bertscores",
    "metrics.functions.fitted": "corpus_cider corpus_nist sentence_ciders sentence_nist sentence_nists",
    "metrics.functions.bleu": "corpus_bleu corpus_gleu ibleu sentence_bleu sentence_bleus sentence_gleu sentence_gleus",
    "metrics.functions.match": (
        "corpus_contains_match corpus_exact_match sentence_contains_match sentence_contains_matches "
        "sentence_exact_match sentence_exact_matches"
    ),
    "metrics.functions.meteor": "corpus_meteor sentence_meteor sentence_meteors",
    "metrics.functions.perplexity": "corpus_perplexity sentence_perplexities sentence_perplexity",
    "metrics.functions.pool": (
        "cross_bleu distinct_n ms_jaccard ngram_entropy repetition_rate self_bleu self_bleu_within unique_ngrams"
    ),
    "metrics.functions.rouge": "corpus_rouge sentence_rouge sentence_rouges",
    "metrics.functions.sari": "corpus_sari sentence_sari sentence_saris",
    "metrics.functions.ter": "corpus_ter sentence_ter sentence_ters",
    "runners.comparisons": "Comparison compare confidence_interval",
    "insight": "buckets contributions explain influence ngram_changes reconcile",
    "models.language_model": "LanguageModel",
    "metrics": (
        "BERTScore BLEU CER CHRF GLEU IBLEU MER METEOR NIST SARI TER WER WIL CIDEr ContainsMatch ExactMatch "
        "FrechetDistance GecGleu LevenshteinRatio NeuralPerplexity NgramPerplexity Rouge SelfBLEU"
    ),
    "metrics.mbr": "MbrChoice mbr_decode",
    "metrics.pairwise": "pairwise_bleu pairwise_bleu_rows pairwise_diversity",
    "insight.quadrants": "quadrants",
    "runners": "MetricRunner evaluate replay",
    "runners.gates": "gate",
    "core.tokenizers": "tokenize",
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
    "dataset",
    "encoders",
    "errors",
    "insight",
    "metrics",
    "models",
    "report",
    "results",
    "runners",
    "signature",
    "significance",
    "statistics",
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
