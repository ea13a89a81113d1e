# Written by tools/make_stubs.py; do not edit.

from bleuprint.metrics.base.plain import PlainMetric as PlainMetric
from bleuprint.metrics.bertscore import BERTScore as BERTScore
from bleuprint.metrics.bleu import BLEU as BLEU
from bleuprint.metrics.cer import CER as CER
from bleuprint.metrics.chrf import CHRF as CHRF
from bleuprint.metrics.cider import CIDEr as CIDEr
from bleuprint.metrics.contains_match import ContainsMatch as ContainsMatch
from bleuprint.metrics.cross_bleu import CrossBLEU as CrossBLEU
from bleuprint.metrics.distinct import Distinct as Distinct
from bleuprint.metrics.entropy import Entropy as Entropy
from bleuprint.metrics.exact_match import ExactMatch as ExactMatch
from bleuprint.metrics.exact_match import ExactMatch as ExactStringMatch
from bleuprint.metrics.frechet import Frechet as Frechet
from bleuprint.metrics.gec_gleu import GecGLEU as GecGLEU
from bleuprint.metrics.gleu import GLEU as GLEU
from bleuprint.metrics.ibleu import IBLEU as IBLEU
from bleuprint.metrics.levenshtein_ratio import LevenshteinRatio as LevenshteinRatio
from bleuprint.metrics.mer import MER as MER
from bleuprint.metrics.meteor import METEOR as METEOR
from bleuprint.metrics.ms_jaccard import MSJaccard as MSJaccard
from bleuprint.metrics.neural_perplexity import NeuralPerplexity as NeuralPerplexity
from bleuprint.metrics.nist import NIST as NIST
from bleuprint.metrics.perplexity import Perplexity as Perplexity
from bleuprint.metrics.registry import find as find
from bleuprint.metrics.registry import from_signature as from_signature
from bleuprint.metrics.repetition_rate import RepetitionRate as RepetitionRate
from bleuprint.metrics.rouge import ROUGE as ROUGE
from bleuprint.metrics.sari import SARI as SARI
from bleuprint.metrics.self_bleu import SelfBLEU as SelfBLEU
from bleuprint.metrics.sentence_bleu import SentenceBleu as SentenceBleu
from bleuprint.metrics.ter import TER as TER
from bleuprint.metrics.unique_ngrams import UniqueNgrams as UniqueNgrams
from bleuprint.metrics.wer import WER as WER
from bleuprint.metrics.wil import WIL as WIL

__all__ = [
    "BLEU",
    "CER",
    "CHRF",
    "GLEU",
    "IBLEU",
    "MER",
    "METEOR",
    "NIST",
    "ROUGE",
    "SARI",
    "TER",
    "WER",
    "WIL",
    "BERTScore",
    "CIDEr",
    "ContainsMatch",
    "CrossBLEU",
    "Distinct",
    "Entropy",
    "ExactMatch",
    "ExactStringMatch",
    "Frechet",
    "GecGLEU",
    "LevenshteinRatio",
    "MSJaccard",
    "NeuralPerplexity",
    "Perplexity",
    "PlainMetric",
    "RepetitionRate",
    "SelfBLEU",
    "SentenceBleu",
    "UniqueNgrams",
    "find",
    "from_signature",
]
