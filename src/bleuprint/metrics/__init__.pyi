# Written by tools/make_stubs.py; do not edit.

from bleuprint.metrics.base.plain import PlainMetric as PlainMetric
from bleuprint.metrics.bertscore import BERTScore as BERTScore
from bleuprint.metrics.bleu import BLEU as BLEU
from bleuprint.metrics.cer import CER as CER
from bleuprint.metrics.chrf import CHRF as CHRF
from bleuprint.metrics.cider import CIDEr as CIDEr
from bleuprint.metrics.compression_ratio import CompressionRatio as CompressionRatio
from bleuprint.metrics.contains_match import ContainsMatch as ContainsMatch
from bleuprint.metrics.contamination import Contamination as Contamination
from bleuprint.metrics.coverage import Coverage as Coverage
from bleuprint.metrics.cross_bleu import CrossBLEU as CrossBLEU
from bleuprint.metrics.density import Density as Density
from bleuprint.metrics.distinct import Distinct as Distinct
from bleuprint.metrics.duplicates import Duplicates as Duplicates
from bleuprint.metrics.embedding_vendi import EmbeddingVendi as EmbeddingVendi
from bleuprint.metrics.entropy import Entropy as Entropy
from bleuprint.metrics.exact_match import ExactMatch as ExactMatch
from bleuprint.metrics.exact_match import ExactMatch as ExactStringMatch
from bleuprint.metrics.expected_distinct import ExpectedDistinct as ExpectedDistinct
from bleuprint.metrics.frechet import Frechet as Frechet
from bleuprint.metrics.gec_gleu import GecGLEU as GecGLEU
from bleuprint.metrics.gleu import GLEU as GLEU
from bleuprint.metrics.homogenization import Homogenization as Homogenization
from bleuprint.metrics.ibleu import IBLEU as IBLEU
from bleuprint.metrics.item_bleu import SentenceBleu as SentenceBleu
from bleuprint.metrics.levenshtein_ratio import LevenshteinRatio as LevenshteinRatio
from bleuprint.metrics.loops import Loops as Loops
from bleuprint.metrics.mattr import MATTR as MATTR
from bleuprint.metrics.mer import MER as MER
from bleuprint.metrics.meteor import METEOR as METEOR
from bleuprint.metrics.ms_jaccard import MSJaccard as MSJaccard
from bleuprint.metrics.mtld import MTLD as MTLD
from bleuprint.metrics.near_duplicates import NearDuplicates as NearDuplicates
from bleuprint.metrics.neural_perplexity import NeuralPerplexity as NeuralPerplexity
from bleuprint.metrics.ngram_diversity import NgramDiversity as NgramDiversity
from bleuprint.metrics.nist import NIST as NIST
from bleuprint.metrics.novelty import Novelty as Novelty
from bleuprint.metrics.perplexity import Perplexity as Perplexity
from bleuprint.metrics.registry import find as find
from bleuprint.metrics.registry import from_signature as from_signature
from bleuprint.metrics.repetition_rate import RepetitionRate as RepetitionRate
from bleuprint.metrics.rouge import ROUGE as ROUGE
from bleuprint.metrics.sari import SARI as SARI
from bleuprint.metrics.self_bleu import SelfBLEU as SelfBLEU
from bleuprint.metrics.self_repetition import SelfRepetition as SelfRepetition
from bleuprint.metrics.squad_f1 import SquadF1 as SquadF1
from bleuprint.metrics.ter import TER as TER
from bleuprint.metrics.unique_ngrams import UniqueNgrams as UniqueNgrams
from bleuprint.metrics.vendi import Vendi as Vendi
from bleuprint.metrics.wer import WER as WER
from bleuprint.metrics.wil import WIL as WIL
from bleuprint.metrics.wip import WIP as WIP
from bleuprint.metrics.zipf import Zipf as Zipf

__all__ = [
    "BLEU",
    "CER",
    "CHRF",
    "GLEU",
    "IBLEU",
    "MATTR",
    "MER",
    "METEOR",
    "MTLD",
    "NIST",
    "ROUGE",
    "SARI",
    "TER",
    "WER",
    "WIL",
    "WIP",
    "BERTScore",
    "CIDEr",
    "CompressionRatio",
    "ContainsMatch",
    "Contamination",
    "Coverage",
    "CrossBLEU",
    "Density",
    "Distinct",
    "Duplicates",
    "EmbeddingVendi",
    "Entropy",
    "ExactMatch",
    "ExactStringMatch",
    "ExpectedDistinct",
    "Frechet",
    "GecGLEU",
    "Homogenization",
    "LevenshteinRatio",
    "Loops",
    "MSJaccard",
    "NearDuplicates",
    "NeuralPerplexity",
    "NgramDiversity",
    "Novelty",
    "Perplexity",
    "PlainMetric",
    "RepetitionRate",
    "SelfBLEU",
    "SelfRepetition",
    "SentenceBleu",
    "SquadF1",
    "UniqueNgrams",
    "Vendi",
    "Zipf",
    "find",
    "from_signature",
]
