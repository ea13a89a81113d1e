"""The metrics: one file each. The tables are the lists the CLI, the reports and the tests go by."""

from __future__ import annotations

from typing import Any

from bleuprint import signature
from bleuprint.errors import OptionError
from bleuprint.metrics.base.fitted import FittedMetric
from bleuprint.metrics.base.metric import Metric
from bleuprint.metrics.base.pool import PoolMetric
from bleuprint.metrics.bertscore import BERTScore
from bleuprint.metrics.bleu import BLEU
from bleuprint.metrics.cer import CER
from bleuprint.metrics.chrf import CHRF
from bleuprint.metrics.cider import CIDEr
from bleuprint.metrics.contains_match import ContainsMatch
from bleuprint.metrics.distinct import Distinct
from bleuprint.metrics.entropy import NgramEntropy
from bleuprint.metrics.exact_match import ExactMatch, ExactStringMatch
from bleuprint.metrics.frechet import FrechetDistance
from bleuprint.metrics.gec_gleu import GecGleu
from bleuprint.metrics.gleu import GLEU
from bleuprint.metrics.ibleu import IBLEU
from bleuprint.metrics.levenshtein_ratio import LevenshteinRatio
from bleuprint.metrics.mer import MER
from bleuprint.metrics.meteor import METEOR
from bleuprint.metrics.ms_jaccard import MSJaccard
from bleuprint.metrics.neural_perplexity import NeuralPerplexity
from bleuprint.metrics.nist import NIST
from bleuprint.metrics.perplexity import NgramPerplexity
from bleuprint.metrics.repetition import RepetitionRate
from bleuprint.metrics.rouge import Rouge
from bleuprint.metrics.sari import SARI
from bleuprint.metrics.self_bleu import SelfBLEU
from bleuprint.metrics.sentence_bleu import SentenceBleu
from bleuprint.metrics.ter import TER
from bleuprint.metrics.unique_ngrams import UniqueNgrams
from bleuprint.metrics.wer import WER
from bleuprint.metrics.wil import WIL

__all__ = [
    "BLEU",
    "CER",
    "CHRF",
    "ENTRY_POINTS",
    "FITTED_TABLE",
    "GLEU",
    "IBLEU",
    "MER",
    "METEOR",
    "MODEL_OPTIONS",
    "MODEL_TABLE",
    "NIST",
    "POOL_TABLE",
    "REFERENCE_TABLE",
    "SARI",
    "TABLE",
    "TER",
    "WER",
    "WIL",
    "BERTScore",
    "CIDEr",
    "ContainsMatch",
    "Distinct",
    "ExactMatch",
    "ExactStringMatch",
    "FrechetDistance",
    "GecGleu",
    "LevenshteinRatio",
    "MSJaccard",
    "NeuralPerplexity",
    "NgramEntropy",
    "NgramPerplexity",
    "RepetitionRate",
    "Rouge",
    "SelfBLEU",
    "SentenceBleu",
    "UniqueNgrams",
    "find",
    "from_signature",
]

# Texts against their references.
TABLE: dict[str, type[Metric[Any]]] = {
    "bleu": BLEU,
    "chrf": CHRF,
    "gec-gleu": GecGleu,
    "gleu": GLEU,
    "ibleu": IBLEU,
    "rouge": Rouge,
    "cer": CER,
    "contains-match": ContainsMatch,
    "exact-match": ExactMatch,
    "levenshtein-ratio": LevenshteinRatio,
    "mer": MER,
    "meteor": METEOR,
    "sari": SARI,
    "sentence-bleu": SentenceBleu,
    "ter": TER,
    "wer": WER,
    "wil": WIL,
}

# Texts against their references, weighed by a corpus of references.
FITTED_TABLE: dict[str, type[FittedMetric[Any, Any]]] = {
    "cider": CIDEr,
    "nist": NIST,
}

# Everything that scores texts against references.
REFERENCE_TABLE: dict[str, type[Metric[Any]]] = {**TABLE, **FITTED_TABLE}

# Texts against each other, or against another corpus as a whole.
POOL_TABLE: dict[str, type[PoolMetric[Any]]] = {
    "distinct": Distinct,
    "entropy": NgramEntropy,
    "ms-jaccard": MSJaccard,
    "repetition-rate": RepetitionRate,
    "self-bleu": SelfBLEU,
    "unique-ngrams": UniqueNgrams,
}

# Texts under a model that has to be given, so there is no metric without options.
MODEL_TABLE: dict[str, type[Metric[Any]]] = {
    "bertscore": BERTScore,
    "neural-perplexity": NeuralPerplexity,
    "perplexity": NgramPerplexity,
}
# What each of them calls its model.
MODEL_OPTIONS = {"bertscore": "encoder", "neural-perplexity": "model", "perplexity": "lm"}

ENTRY_POINTS = "bleuprint.metrics"  # where other packages announce metrics of their own


def find(name: str) -> type[Metric[Any]]:
    """The metric of that name: of this package, or of another that announces it.

    >>> find("chrf").__name__
    'CHRF'
    """
    if name in REFERENCE_TABLE:
        return REFERENCE_TABLE[name]
    if name in MODEL_TABLE:
        made = f"{MODEL_TABLE[name].__name__}({MODEL_OPTIONS[name]}=…)"
        raise OptionError("metric", f"{made} or named beside its model, not its name alone: it has no default", name)
    from importlib.metadata import entry_points

    announced = {point.name: point for point in entry_points(group=ENTRY_POINTS)}
    if name not in announced:
        raise OptionError("metric", f"among {', '.join((*REFERENCE_TABLE, *announced))}", name)
    found = announced[name].load()
    if not (isinstance(found, type) and issubclass(found, Metric)):
        raise OptionError("metric", f"a subclass of bleuprint.metric.Metric where {name} is announced", found)
    return found


def from_signature(text: str, **replaced: Any) -> Metric[Any]:
    """The metric that wrote a signature, whichever it is; keyword arguments replace options.

    >>> from_signature("gleu.1|lowercase:no|max_order:2|min_order:1|tokenizer:13a").max_order
    2
    """
    name = signature.parse(text).metric
    kind = next((kind for kind in (*TABLE.values(), *MODEL_TABLE.values()) if kind.name == name), None)
    return (kind or find(name)).from_signature(text, **replaced)
