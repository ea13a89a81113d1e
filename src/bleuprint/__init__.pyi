# Written by tools/make_stubs.py; do not edit.

import os
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from os import PathLike
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from bleuprint import corpora as corpora
from bleuprint import dataset as dataset
from bleuprint import errors as errors
from bleuprint import insight as insight
from bleuprint import metrics as metrics
from bleuprint import models as models
from bleuprint import pools as pools
from bleuprint import ratings as ratings
from bleuprint import report as report
from bleuprint import results as results
from bleuprint import runners as runners
from bleuprint import signature as signature
from bleuprint import statistics as statistics
from bleuprint.core import tokenizers
from bleuprint.core.columns import References, Text, Texts
from bleuprint.core.columns import token_ids as token_ids
from bleuprint.core.tokenizers import Tokenize
from bleuprint.core.tokenizers import tokenize as tokenize
from bleuprint.corpora.seen import seen as seen
from bleuprint.insight import buckets as buckets
from bleuprint.insight import contributions as contributions
from bleuprint.insight import explain as explain
from bleuprint.insight import influence as influence
from bleuprint.insight import ngram_changes as ngram_changes
from bleuprint.insight import reconcile as reconcile
from bleuprint.insight import work as work
from bleuprint.insight.choosing import Choice as Choice
from bleuprint.insight.choosing import choose as choose
from bleuprint.metrics._blend_files import BlendWeights
from bleuprint.metrics._equality import EqualityScore
from bleuprint.metrics._error_rate import ErrorScore
from bleuprint.metrics.base.metric import Metric
from bleuprint.metrics.base.pool import PoolScore, ReferencedScore
from bleuprint.metrics.base.score import MeanScore
from bleuprint.metrics.bertscore import BERTScore as BERTScore
from bleuprint.metrics.blend import Blend as Blend
from bleuprint.metrics.bleu import BLEU as BLEU
from bleuprint.metrics.bleu import BleuScore
from bleuprint.metrics.cer import CER as CER
from bleuprint.metrics.chrf import CHRF as CHRF
from bleuprint.metrics.chrf import ChrfScore
from bleuprint.metrics.cider import CIDEr as CIDEr
from bleuprint.metrics.compression_ratio import CompressionRatio as CompressionRatio
from bleuprint.metrics.compression_ratio import CompressionScore
from bleuprint.metrics.contains_match import ContainsMatch as ContainsMatch
from bleuprint.metrics.contamination import Contamination as Contamination
from bleuprint.metrics.contamination import ContaminationScore
from bleuprint.metrics.coverage import Coverage as Coverage
from bleuprint.metrics.cross_bleu import CrossBLEU as CrossBLEU
from bleuprint.metrics.cross_bleu import CrossBleuScore
from bleuprint.metrics.density import Density as Density
from bleuprint.metrics.distinct import Distinct as Distinct
from bleuprint.metrics.duplicates import DuplicateGroups
from bleuprint.metrics.duplicates import Duplicates as Duplicates
from bleuprint.metrics.embedding_vendi import EmbeddingVendi as EmbeddingVendi
from bleuprint.metrics.entropy import Entropy as Entropy
from bleuprint.metrics.exact_match import ExactMatch as ExactMatch
from bleuprint.metrics.expected_distinct import ExpectedDistinct as ExpectedDistinct
from bleuprint.metrics.frechet import Frechet as Frechet
from bleuprint.metrics.frechet import FrechetScore
from bleuprint.metrics.gec_gleu import GecGLEU as GecGLEU
from bleuprint.metrics.gec_gleu import GecGleuScore
from bleuprint.metrics.gleu import GLEU as GLEU
from bleuprint.metrics.gleu import GleuScore
from bleuprint.metrics.homogenization import Homogenization as Homogenization
from bleuprint.metrics.homogenization import HomogenizationScore
from bleuprint.metrics.ibleu import IBLEU as IBLEU
from bleuprint.metrics.ibleu import IbleuScore
from bleuprint.metrics.levenshtein_ratio import LevenshteinRatio as LevenshteinRatio
from bleuprint.metrics.loops import Loops as Loops
from bleuprint.metrics.loops import LoopsScore
from bleuprint.metrics.mattr import MATTR as MATTR
from bleuprint.metrics.mer import MER as MER
from bleuprint.metrics.meteor import METEOR as METEOR
from bleuprint.metrics.ms_jaccard import MSJaccard as MSJaccard
from bleuprint.metrics.mtld import MTLD as MTLD
from bleuprint.metrics.near_duplicates import NearDuplicateGroups
from bleuprint.metrics.near_duplicates import NearDuplicates as NearDuplicates
from bleuprint.metrics.neural_perplexity import NeuralPerplexity as NeuralPerplexity
from bleuprint.metrics.ngram_diversity import NgramDiversity as NgramDiversity
from bleuprint.metrics.nist import NIST as NIST
from bleuprint.metrics.nist import NistScore
from bleuprint.metrics.novelty import Novelty as Novelty
from bleuprint.metrics.novelty import NoveltyScore
from bleuprint.metrics.pairwise import pairwise as pairwise
from bleuprint.metrics.perplexity import Perplexity as Perplexity
from bleuprint.metrics.perplexity import PerplexityScore
from bleuprint.metrics.repetition_rate import RepetitionRate as RepetitionRate
from bleuprint.metrics.rouge import ROUGE as ROUGE
from bleuprint.metrics.sari import SARI as SARI
from bleuprint.metrics.self_bleu import SelfBLEU as SelfBLEU
from bleuprint.metrics.self_bleu import SelfBleuScore
from bleuprint.metrics.self_repetition import SelfRepetition as SelfRepetition
from bleuprint.metrics.sentence_bleu import SentenceBleu as SentenceBleu
from bleuprint.metrics.smoothing import Smoothing
from bleuprint.metrics.squad_f1 import SquadF1 as SquadF1
from bleuprint.metrics.ter import TER as TER
from bleuprint.metrics.ter import TerScore
from bleuprint.metrics.unique_ngrams import UniqueNgrams as UniqueNgrams
from bleuprint.metrics.vendi import Vendi as Vendi
from bleuprint.metrics.vendi import VendiScore
from bleuprint.metrics.wer import WER as WER
from bleuprint.metrics.wil import WIL as WIL
from bleuprint.metrics.wip import WIP as WIP
from bleuprint.metrics.zipf import Zipf as Zipf
from bleuprint.models.language_model import LanguageModel as LanguageModel
from bleuprint.models.ngram_index import NgramIndex as NgramIndex
from bleuprint.pools.comparisons import compare_pools as compare_pools
from bleuprint.pools.diversity import diversity as diversity
from bleuprint.pools.rarefaction import rarefaction as rarefaction
from bleuprint.pools.select_diverse import select_diverse as select_diverse
from bleuprint.ratings.table import Ratings as Ratings
from bleuprint.results import Result
from bleuprint.results.comparison import Comparison as Comparison
from bleuprint.runners import MetricRunner as MetricRunner
from bleuprint.runners import evaluate as evaluate
from bleuprint.runners import replay as replay
from bleuprint.runners.comparisons import Columns, Progress
from bleuprint.runners.comparisons import confidence_interval as confidence_interval
from bleuprint.runners.evaluation import Metrics
from bleuprint.runners.gates import GateReport, Rule, Undecided

__version__: str
_NAMES_BY_MODULE: dict[str, str]
_MODULES: dict[str, str]
_ROOMS: set[str]
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
    "Blend",
    "CIDEr",
    "Choice",
    "Comparison",
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
    "ExpectedDistinct",
    "Frechet",
    "GecGLEU",
    "Homogenization",
    "LanguageModel",
    "LevenshteinRatio",
    "Loops",
    "MSJaccard",
    "MetricRunner",
    "NearDuplicates",
    "NeuralPerplexity",
    "NgramDiversity",
    "NgramIndex",
    "Novelty",
    "Perplexity",
    "Ratings",
    "RepetitionRate",
    "SelfBLEU",
    "SelfRepetition",
    "SentenceBleu",
    "SquadF1",
    "UniqueNgrams",
    "Vendi",
    "Zipf",
    "bertscore",
    "blend",
    "bleu",
    "buckets",
    "cer",
    "choose",
    "chrf",
    "cider",
    "compare",
    "compare_pools",
    "compare_scores",
    "compression_ratio",
    "confidence_interval",
    "contains_match",
    "contamination",
    "contributions",
    "corpus_bertscore",
    "corpus_blend",
    "corpus_bleu",
    "corpus_cer",
    "corpus_chrf",
    "corpus_cider",
    "corpus_contains_match",
    "corpus_contamination",
    "corpus_coverage",
    "corpus_density",
    "corpus_exact_match",
    "corpus_gec_gleu",
    "corpus_gleu",
    "corpus_ibleu",
    "corpus_levenshtein_ratio",
    "corpus_mer",
    "corpus_meteor",
    "corpus_neural_perplexity",
    "corpus_nist",
    "corpus_novelty",
    "corpus_perplexity",
    "corpus_rouge",
    "corpus_sari",
    "corpus_squad_f1",
    "corpus_ter",
    "corpus_wer",
    "corpus_wil",
    "corpus_wip",
    "coverage",
    "cross_bleu",
    "density",
    "distinct",
    "diversity",
    "duplicates",
    "embedding_vendi",
    "entropy",
    "evaluate",
    "exact_match",
    "expected_distinct",
    "explain",
    "frechet",
    "gate",
    "gec_gleu",
    "gleu",
    "homogenization",
    "ibleu",
    "ibleu_sweep",
    "influence",
    "levenshtein_ratio",
    "loops",
    "mattr",
    "mer",
    "meteor",
    "ms_jaccard",
    "mtld",
    "near_duplicates",
    "neural_perplexity",
    "ngram_changes",
    "ngram_diversity",
    "nist",
    "novelty",
    "pairwise",
    "perplexity",
    "rarefaction",
    "reconcile",
    "repetition_rate",
    "replay",
    "rouge",
    "sari",
    "seen",
    "select_diverse",
    "self_bleu",
    "self_bleu_within",
    "self_repetition",
    "sentence_bertscore",
    "sentence_bertscores",
    "sentence_blend",
    "sentence_blends",
    "sentence_bleu",
    "sentence_bleus",
    "sentence_cer",
    "sentence_cers",
    "sentence_chrf",
    "sentence_chrfs",
    "sentence_ciders",
    "sentence_contains_match",
    "sentence_contains_matches",
    "sentence_contamination",
    "sentence_contaminations",
    "sentence_coverage",
    "sentence_coverages",
    "sentence_densities",
    "sentence_density",
    "sentence_exact_match",
    "sentence_exact_matches",
    "sentence_gec_gleu",
    "sentence_gec_gleus",
    "sentence_gleu",
    "sentence_gleus",
    "sentence_ibleu",
    "sentence_ibleus",
    "sentence_levenshtein_ratio",
    "sentence_levenshtein_ratios",
    "sentence_mer",
    "sentence_mers",
    "sentence_meteor",
    "sentence_meteors",
    "sentence_neural_perplexities",
    "sentence_neural_perplexity",
    "sentence_nist",
    "sentence_nists",
    "sentence_novelties",
    "sentence_novelty",
    "sentence_perplexities",
    "sentence_perplexity",
    "sentence_rouge",
    "sentence_rouges",
    "sentence_sari",
    "sentence_saris",
    "sentence_squad_f1",
    "sentence_squad_f1s",
    "sentence_ter",
    "sentence_ters",
    "sentence_wer",
    "sentence_wers",
    "sentence_wil",
    "sentence_wils",
    "sentence_wip",
    "sentence_wips",
    "squad_f1",
    "ter",
    "token_ids",
    "tokenize",
    "unique_ngrams",
    "vendi",
    "wer",
    "wil",
    "wip",
    "work",
    "zipf",
]

def _all() -> list[str]: ...
def ibleu_sweep(
    hypotheses: Texts,
    references: References,
    *,
    sources: Texts,
    alphas: Iterable[float] = ...,
    threads: int | None = None,
    profile: str | None = None,
    tokenizer: str | tokenizers.Tokenize | None = None,
    lowercase: bool | None = None,
    max_order: int = 4,
    weights: Sequence[float] | None = None,
    smoothing: str | Smoothing | None = None,
    effective_order: bool | None = None,
    reference_length: Literal["closest", "closest-first", "shortest"] | None = None,
    absent_order: Literal["undefined", "one", "zero"] | None = None,
    zero_when: Literal["no-match", "any-order-without-match", "never"] | None = None,
    zero_precision: Literal["zero", "skip"] | None = None,
    context: Literal["corpus", "last-segment"] | None = None,
) -> list[IbleuScore]:
    """The corpus iBLEU for every `alpha`, counted once; other options as for `IBLEU`."""

def self_bleu_within(
    outputs: Iterable[str | Sequence[Text]],
    *,
    split: Callable[[str], Sequence[str]] | None = None,
    profile: str | None = "autometrics",
    threads: int | None = None,
    max_order: int | None = None,
    weights: Sequence[float] | None = None,
    smoothing: str | Smoothing = "method1",
    tokenizer: str | Tokenize = "nltk",
    lowercase: bool = False,
    sample: int | None = None,
    seed: int | Literal["profile"] | None = "profile",
) -> list[float]:
    """Self-BLEU among the sentences of each output; 1.0 for an output with fewer than two, as in autometrics."""

def compare(
    systems: Mapping[str, Texts] | None = None,
    references: References | None = None,
    *,
    metrics: Metrics = "bleu",
    sources: Texts | None = None,
    columns: Columns | None = None,
    lower_is_better: Iterable[str] = ...,
    clusters: Iterable[Hashable] | None = None,
    baseline: str | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
    test: str = "auto",
    samples: int | None = None,
    resamples: int | None = None,
    alpha: float = 0.05,
    interval: str = "bca",
    seed: int = 12345,
    mode: str = "bleuprint",
    power: float = 0.8,
    detect: float | None = None,
    margin: float | None = None,
) -> Comparison:
    """Compare systems on the same segments: which is better, and which differences may be due to chance."""

def compare_scores(
    scores: Mapping[str, Iterable[float]],
    *,
    name: str = "score",
    higher_is_better: bool = True,
    clusters: Iterable[Hashable] | None = None,
    baseline: str | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
    test: str = "auto",
    samples: int | None = None,
    resamples: int | None = None,
    alpha: float = 0.05,
    interval: str = "bca",
    seed: int = 12345,
    mode: str = "bleuprint",
    power: float = 0.8,
    detect: float | None = None,
    margin: float | None = None,
) -> Comparison:
    """Compare the means of scores from anywhere, such as COMET, human ratings, or accuracy: one number per item."""

def gate(
    new: Result,
    baseline: Result | None = None,
    *,
    rule: Rule = "worse",
    max_drop: float = 0.0,
    alpha: float = 0.05,
    undecided: Undecided = "fail",
    allow_missing: bool = False,
    minimum: Mapping[str, float] | None = None,
    maximum: Mapping[str, float] | None = None,
    min_pass_rate: Mapping[str, float] | None = None,
    thresholds: Mapping[str, float] | None = None,
    metrics: Mapping[str, Metric[Any]] | None = None,
    threads: int | None = None,
    test: str = "auto",
    samples: int | None = None,
    resamples: int | None = None,
    interval: str = "bca",
    seed: int = 12345,
    mode: str = "bleuprint",
    power: float = 0.8,
    detect: float | None = None,
    margin: float | None = None,
) -> GateReport:
    """Check a result against bounds per metric, and against a baseline on the same references."""

def compression_ratio(
    texts: Texts,
    *,
    algorithm: str = "gzip",
    tokenizer: str | Tokenize = "whitespace",
    lowercase: bool = False,
    threads: int | None = None,
) -> CompressionScore:
    """CompressionRatio of a pool of texts."""

def corpus_bertscore(
    hypotheses: Texts,
    references: References,
    *,
    encoder: Any,
    layer: int | None = None,
    idf: bool = False,
    baseline: str | PathLike[str] | Sequence[float] | None = None,
    prior: str | None = None,
    threads: int | None = None,
) -> MeanScore:
    """BERTScore of a corpus."""

def corpus_blend(
    hypotheses: Texts, references: References, *, fit: BlendWeights | str | PathLike[str], threads: int | None = None
) -> MeanScore:
    """Blend of a corpus."""

def corpus_bleu(
    hypotheses: Texts,
    references: References,
    *,
    profile: str | None = None,
    tokenizer: str | tokenizers.Tokenize | None = None,
    lowercase: bool | None = None,
    max_order: int = 4,
    weights: Sequence[float] | None = None,
    smoothing: str | Smoothing | None = None,
    effective_order: bool | None = None,
    reference_length: Literal["closest", "closest-first", "shortest"] | None = None,
    absent_order: Literal["undefined", "one", "zero"] | None = None,
    zero_when: Literal["no-match", "any-order-without-match", "never"] | None = None,
    zero_precision: Literal["zero", "skip"] | None = None,
    context: Literal["corpus", "last-segment"] | None = None,
    threads: int | None = None,
) -> BleuScore:
    """BLEU of a corpus."""

def corpus_cer(
    hypotheses: Texts,
    references: References,
    *,
    lowercase: bool = False,
    whitespace: str = "strip",
    normalizer: str | None = None,
    threads: int | None = None,
) -> ErrorScore:
    """CER of a corpus."""

def corpus_chrf(
    hypotheses: Texts,
    references: References,
    *,
    profile: str | None = None,
    char_order: int | None = None,
    word_order: int | None = None,
    beta: float = 2,
    lowercase: bool = False,
    whitespace: bool = False,
    eps_smoothing: bool = False,
    threads: int | None = None,
) -> ChrfScore:
    """CHRF of a corpus."""

def corpus_cider(
    hypotheses: Texts,
    references: References,
    *,
    variant: str = "cider-d",
    tokenizer: str | tokenizers.Tokenize = "unicode-words",
    lowercase: bool = True,
    max_order: int = 4,
    sigma: float = 6.0,
    prior: str | None = None,
    threads: int | None = None,
) -> MeanScore:
    """CIDEr of a corpus."""

def corpus_contains_match(
    hypotheses: Texts,
    references: References,
    *,
    lowercase: bool = False,
    ignore_punctuation: bool = False,
    ignore_numbers: bool = False,
    whitespace: str = "strip",
    threads: int | None = None,
) -> EqualityScore:
    """ContainsMatch of a corpus."""

def corpus_contamination(
    hypotheses: Texts,
    *,
    index: NgramIndex | str | PathLike[str],
    profile: str = "gpt3",
    order: int | None = None,
    unit: str | None = None,
    share: float | None = None,
    short: str | None = None,
    threads: int | None = None,
) -> ContaminationScore:
    """Contamination of a corpus."""

def corpus_coverage(
    hypotheses: Texts,
    *,
    sources: Texts,
    tokenizer: str | tokenizers.Tokenize = "13a",
    lowercase: bool = True,
    max_order: int = 4,
    threads: int | None = None,
) -> MeanScore:
    """Coverage of a corpus."""

def corpus_density(
    hypotheses: Texts,
    *,
    sources: Texts,
    tokenizer: str | tokenizers.Tokenize = "13a",
    lowercase: bool = True,
    max_order: int = 4,
    threads: int | None = None,
) -> MeanScore:
    """Density of a corpus."""

def corpus_exact_match(
    hypotheses: Texts,
    references: References,
    *,
    lowercase: bool = False,
    ignore_punctuation: bool = False,
    ignore_numbers: bool = False,
    whitespace: str = "strip",
    normalizer: str | None = None,
    threads: int | None = None,
) -> EqualityScore:
    """ExactMatch of a corpus."""

def corpus_gec_gleu(
    hypotheses: Texts,
    references: References,
    *,
    sources: Texts,
    tokenizer: str | tokenizers.Tokenize = "whitespace",
    lowercase: bool = False,
    max_order: int = 4,
    iterations: int = 500,
    threads: int | None = None,
) -> GecGleuScore:
    """GecGLEU of a corpus."""

def corpus_gleu(
    hypotheses: Texts,
    references: References,
    *,
    profile: str | None = None,
    tokenizer: str | tokenizers.Tokenize | None = None,
    lowercase: bool | None = None,
    min_order: int = 1,
    max_order: int = 4,
    threads: int | None = None,
) -> GleuScore:
    """GLEU of a corpus."""

def corpus_ibleu(
    hypotheses: Texts,
    references: References,
    *,
    sources: Texts,
    alpha: float | None = None,
    profile: str | None = None,
    tokenizer: str | tokenizers.Tokenize | None = None,
    lowercase: bool | None = None,
    max_order: int = 4,
    weights: Sequence[float] | None = None,
    smoothing: str | Smoothing | None = None,
    effective_order: bool | None = None,
    reference_length: Literal["closest", "closest-first", "shortest"] | None = None,
    absent_order: Literal["undefined", "one", "zero"] | None = None,
    zero_when: Literal["no-match", "any-order-without-match", "never"] | None = None,
    zero_precision: Literal["zero", "skip"] | None = None,
    context: Literal["corpus", "last-segment"] | None = None,
    threads: int | None = None,
) -> IbleuScore:
    """IBLEU of a corpus."""

def corpus_levenshtein_ratio(
    hypotheses: Texts,
    references: References,
    *,
    profile: str | None = None,
    definition: str | None = None,
    lowercase: bool = False,
    whitespace: str = "keep",
    threads: int | None = None,
) -> MeanScore:
    """LevenshteinRatio of a corpus."""

def corpus_mer(
    hypotheses: Texts,
    references: References,
    *,
    tokenizer: str | Tokenize = "whitespace",
    lowercase: bool = False,
    normalizer: str | None = None,
    threads: int | None = None,
) -> ErrorScore:
    """MER of a corpus."""

def corpus_meteor(
    hypotheses: Texts,
    references: References,
    *,
    tokenizer: str | tokenizers.Tokenize = "nltk",
    lowercase: bool = True,
    stages: str | Sequence[str] = ...,
    alpha: float = 0.9,
    beta: float = 3.0,
    gamma: float = 0.5,
    wordnet: str | os.PathLike[str] | None = None,
    threads: int | None = None,
) -> MeanScore:
    """METEOR of a corpus."""

def corpus_neural_perplexity(
    hypotheses: Texts,
    *,
    model: Any,
    profile: str | None = None,
    bos: bool | None = None,
    max_length: int | None = None,
    stride: int | None = None,
    long_texts: str | None = None,
    average: str | None = None,
    threads: int | None = None,
) -> MeanScore:
    """NeuralPerplexity of a corpus."""

def corpus_nist(
    hypotheses: Texts,
    references: References,
    *,
    tokenizer: str | tokenizers.Tokenize = "13a",
    lowercase: bool = False,
    max_order: int = 5,
    prior: str | None = None,
    threads: int | None = None,
) -> NistScore:
    """NIST of a corpus."""

def corpus_novelty(
    hypotheses: Texts, *, index: NgramIndex | str | PathLike[str], order: int = 4, threads: int | None = None
) -> NoveltyScore:
    """Novelty of a corpus."""

def corpus_perplexity(
    hypotheses: Texts, *, lm: LanguageModel | str | PathLike[str], unknown: str = "include", threads: int | None = None
) -> PerplexityScore:
    """Perplexity of a corpus."""

def corpus_rouge(
    hypotheses: Texts,
    references: References,
    *,
    types: str | Sequence[str] = ...,
    tokenizer: str | tokenizers.Tokenize = "rouge",
    stemmer: bool | str = False,
    threads: int | None = None,
) -> MeanScore:
    """ROUGE of a corpus."""

def corpus_sari(
    hypotheses: Texts,
    references: References,
    *,
    sources: Texts,
    profile: str | None = None,
    tokenizer: str | tokenizers.Tokenize = "13a",
    lowercase: bool = True,
    max_order: int = 4,
    deletion: str | None = None,
    averaging: str = "scores",
    counting: str | None = None,
    threads: int | None = None,
) -> MeanScore:
    """SARI of a corpus."""

def corpus_squad_f1(
    hypotheses: Texts, references: References, *, normalizer: str | None = "squad", threads: int | None = None
) -> MeanScore:
    """SquadF1 of a corpus."""

def corpus_ter(
    hypotheses: Texts,
    references: References,
    *,
    profile: str | None = None,
    normalized: bool = False,
    no_punct: bool = False,
    asian_support: bool = False,
    lowercase: bool = True,
    tokenizer: str | tokenizers.Tokenize | None = None,
    threads: int | None = None,
) -> TerScore:
    """TER of a corpus."""

def corpus_wer(
    hypotheses: Texts,
    references: References,
    *,
    tokenizer: str | Tokenize = "whitespace",
    lowercase: bool = False,
    normalizer: str | None = None,
    alternatives: bool = False,
    threads: int | None = None,
) -> ErrorScore:
    """WER of a corpus."""

def corpus_wil(
    hypotheses: Texts,
    references: References,
    *,
    tokenizer: str | Tokenize = "whitespace",
    lowercase: bool = False,
    normalizer: str | None = None,
    threads: int | None = None,
) -> ErrorScore:
    """WIL of a corpus."""

def corpus_wip(
    hypotheses: Texts,
    references: References,
    *,
    tokenizer: str | Tokenize = "whitespace",
    lowercase: bool = False,
    normalizer: str | None = None,
    threads: int | None = None,
) -> ErrorScore:
    """WIP of a corpus."""

def cross_bleu(
    texts: Texts,
    references: Texts,
    *,
    max_order: int = 5,
    weights: Sequence[float] | None = None,
    smoothing: str | Smoothing = "method1",
    tokenizer: str | Tokenize = "nltk",
    lowercase: bool = False,
    threads: int | None = None,
) -> CrossBleuScore:
    """CrossBLEU of a pool of texts."""

def distinct(
    texts: Texts,
    *,
    max_order: int = 4,
    tokenizer: str | Tokenize = "nltk",
    lowercase: bool = False,
    threads: int | None = None,
) -> PoolScore:
    """Distinct of a pool of texts."""

def duplicates(
    texts: Texts, *, tokenizer: str | Tokenize = "nltk", lowercase: bool = False, threads: int | None = None
) -> DuplicateGroups:
    """Duplicates of a pool of texts."""

def embedding_vendi(texts: Texts, *, encoder: Any, layer: int | None = None, threads: int | None = None) -> VendiScore:
    """EmbeddingVendi of a pool of texts."""

def entropy(
    texts: Texts,
    *,
    max_order: int = 4,
    tokenizer: str | Tokenize = "nltk",
    lowercase: bool = False,
    threads: int | None = None,
) -> PoolScore:
    """Entropy of a pool of texts."""

def expected_distinct(
    texts: Texts,
    *,
    max_order: int = 4,
    vocabulary: int = 30522,
    tokenizer: str | Tokenize = "nltk",
    lowercase: bool = False,
    threads: int | None = None,
) -> PoolScore:
    """ExpectedDistinct of a pool of texts."""

def frechet(
    texts: Texts,
    references: Texts,
    *,
    encoder: Any,
    layer: int | None = None,
    pooling: str = "mean",
    threads: int | None = None,
) -> FrechetScore:
    """Frechet of a pool of texts."""

def homogenization(
    texts: Texts,
    *,
    measure: str = "rouge-l",
    pairs: int = 100000,
    seed: int = 12345,
    tokenizer: str | Tokenize = "nltk",
    lowercase: bool = False,
    threads: int | None = None,
) -> HomogenizationScore:
    """Homogenization of a pool of texts."""

def loops(
    texts: Texts,
    *,
    max_period: int = 20,
    times: int = 3,
    tokenizer: str | Tokenize = "nltk",
    lowercase: bool = False,
    threads: int | None = None,
) -> LoopsScore:
    """Loops of a pool of texts."""

def mattr(
    texts: Texts,
    *,
    window: int = 50,
    tokenizer: str | Tokenize = "nltk",
    lowercase: bool = False,
    threads: int | None = None,
) -> PoolScore:
    """MATTR of a pool of texts."""

def ms_jaccard(
    texts: Texts,
    references: Texts,
    *,
    max_order: int = 4,
    tokenizer: str | Tokenize = "nltk",
    lowercase: bool = False,
    threads: int | None = None,
) -> ReferencedScore:
    """MSJaccard of a pool of texts."""

def mtld(
    texts: Texts,
    *,
    threshold: float = 0.72,
    tokenizer: str | Tokenize = "nltk",
    lowercase: bool = False,
    threads: int | None = None,
) -> PoolScore:
    """MTLD of a pool of texts."""

def near_duplicates(
    texts: Texts,
    *,
    measure: str = "jaccard",
    threshold: float = 0.8,
    order: int = 3,
    tokenizer: str | Tokenize = "nltk",
    lowercase: bool = False,
    threads: int | None = None,
) -> NearDuplicateGroups:
    """NearDuplicates of a pool of texts."""

def ngram_diversity(
    texts: Texts,
    *,
    max_order: int = 4,
    tokenizer: str | Tokenize = "nltk",
    lowercase: bool = False,
    threads: int | None = None,
) -> PoolScore:
    """NgramDiversity of a pool of texts."""

def repetition_rate(
    texts: Texts,
    *,
    max_order: int = 4,
    tokenizer: str | Tokenize = "nltk",
    lowercase: bool = False,
    threads: int | None = None,
) -> PoolScore:
    """RepetitionRate of a pool of texts."""

def self_bleu(
    texts: Texts,
    *,
    profile: str | None = None,
    max_order: int | None = None,
    weights: Sequence[float] | None = None,
    smoothing: str | Smoothing = "method1",
    tokenizer: str | Tokenize = "nltk",
    lowercase: bool = False,
    sample: int | None = None,
    seed: int | Literal["profile"] | None = "profile",
    threads: int | None = None,
) -> SelfBleuScore:
    """SelfBLEU of a pool of texts."""

def self_repetition(
    texts: Texts,
    *,
    order: int = 4,
    tokenizer: str | Tokenize = "nltk",
    lowercase: bool = False,
    threads: int | None = None,
) -> PoolScore:
    """SelfRepetition of a pool of texts."""

def sentence_bertscore(
    hypothesis: Text,
    references: Text | Sequence[Text | None],
    *,
    encoder: Any,
    layer: int | None = None,
    idf: bool = False,
    baseline: str | PathLike[str] | Sequence[float] | None = None,
    prior: str | None = None,
) -> MeanScore:
    """BERTScore of one segment."""

def sentence_bertscores(
    hypotheses: Texts,
    references: References,
    *,
    encoder: Any,
    layer: int | None = None,
    idf: bool = False,
    baseline: str | PathLike[str] | Sequence[float] | None = None,
    prior: str | None = None,
    threads: int | None = None,
) -> NDArray[np.float64]:
    """BERTScore of every segment, as an array."""

def sentence_blend(
    hypothesis: Text, references: Text | Sequence[Text | None], *, fit: BlendWeights | str | PathLike[str]
) -> MeanScore:
    """Blend of one segment."""

def sentence_blends(
    hypotheses: Texts, references: References, *, fit: BlendWeights | str | PathLike[str], threads: int | None = None
) -> NDArray[np.float64]:
    """Blend of every segment, as an array."""

def sentence_bleu(
    hypothesis: Text,
    references: Text | Sequence[Text | None],
    *,
    profile: str | None = None,
    tokenizer: str | tokenizers.Tokenize | None = None,
    lowercase: bool | None = None,
    max_order: int = 4,
    weights: Sequence[float] | None = None,
    smoothing: str | Smoothing | None = None,
    effective_order: bool | None = None,
    reference_length: Literal["closest", "closest-first", "shortest"] | None = None,
    absent_order: Literal["undefined", "one", "zero"] | None = None,
    zero_when: Literal["no-match", "any-order-without-match", "never"] | None = None,
    zero_precision: Literal["zero", "skip"] | None = None,
    context: Literal["corpus", "last-segment"] | None = None,
) -> BleuScore:
    """BLEU of one segment."""

def sentence_bleus(
    hypotheses: Texts,
    references: References,
    *,
    profile: str | None = None,
    tokenizer: str | tokenizers.Tokenize | None = None,
    lowercase: bool | None = None,
    max_order: int = 4,
    weights: Sequence[float] | None = None,
    smoothing: str | Smoothing | None = None,
    effective_order: bool | None = None,
    reference_length: Literal["closest", "closest-first", "shortest"] | None = None,
    absent_order: Literal["undefined", "one", "zero"] | None = None,
    zero_when: Literal["no-match", "any-order-without-match", "never"] | None = None,
    zero_precision: Literal["zero", "skip"] | None = None,
    context: Literal["corpus", "last-segment"] | None = None,
    threads: int | None = None,
) -> NDArray[np.float64]:
    """BLEU of every segment, as an array."""

def sentence_cer(
    hypothesis: Text,
    references: Text | Sequence[Text | None],
    *,
    lowercase: bool = False,
    whitespace: str = "strip",
    normalizer: str | None = None,
) -> ErrorScore:
    """CER of one segment."""

def sentence_cers(
    hypotheses: Texts,
    references: References,
    *,
    lowercase: bool = False,
    whitespace: str = "strip",
    normalizer: str | None = None,
    threads: int | None = None,
) -> NDArray[np.float64]:
    """CER of every segment, as an array."""

def sentence_chrf(
    hypothesis: Text,
    references: Text | Sequence[Text | None],
    *,
    profile: str | None = None,
    char_order: int | None = None,
    word_order: int | None = None,
    beta: float = 2,
    lowercase: bool = False,
    whitespace: bool = False,
    eps_smoothing: bool = False,
) -> ChrfScore:
    """CHRF of one segment."""

def sentence_chrfs(
    hypotheses: Texts,
    references: References,
    *,
    profile: str | None = None,
    char_order: int | None = None,
    word_order: int | None = None,
    beta: float = 2,
    lowercase: bool = False,
    whitespace: bool = False,
    eps_smoothing: bool = False,
    threads: int | None = None,
) -> NDArray[np.float64]:
    """CHRF of every segment, as an array."""

def sentence_ciders(
    hypotheses: Texts,
    references: References,
    *,
    variant: str = "cider-d",
    tokenizer: str | tokenizers.Tokenize = "unicode-words",
    lowercase: bool = True,
    max_order: int = 4,
    sigma: float = 6.0,
    prior: str | None = None,
    threads: int | None = None,
) -> NDArray[np.float64]:
    """CIDEr of every segment, as an array."""

def sentence_contains_match(
    hypothesis: Text,
    references: Text | Sequence[Text | None],
    *,
    lowercase: bool = False,
    ignore_punctuation: bool = False,
    ignore_numbers: bool = False,
    whitespace: str = "strip",
) -> EqualityScore:
    """ContainsMatch of one segment."""

def sentence_contains_matches(
    hypotheses: Texts,
    references: References,
    *,
    lowercase: bool = False,
    ignore_punctuation: bool = False,
    ignore_numbers: bool = False,
    whitespace: str = "strip",
    threads: int | None = None,
) -> NDArray[np.float64]:
    """ContainsMatch of every segment, as an array."""

def sentence_contamination(
    hypothesis: Text,
    *,
    index: NgramIndex | str | PathLike[str],
    profile: str = "gpt3",
    order: int | None = None,
    unit: str | None = None,
    share: float | None = None,
    short: str | None = None,
) -> ContaminationScore:
    """Contamination of one segment."""

def sentence_contaminations(
    hypotheses: Texts,
    *,
    index: NgramIndex | str | PathLike[str],
    profile: str = "gpt3",
    order: int | None = None,
    unit: str | None = None,
    share: float | None = None,
    short: str | None = None,
    threads: int | None = None,
) -> NDArray[np.float64]:
    """Contamination of every segment, as an array."""

def sentence_coverage(
    hypothesis: Text,
    *,
    source: Text,
    tokenizer: str | tokenizers.Tokenize = "13a",
    lowercase: bool = True,
    max_order: int = 4,
) -> MeanScore:
    """Coverage of one segment."""

def sentence_coverages(
    hypotheses: Texts,
    *,
    sources: Texts,
    tokenizer: str | tokenizers.Tokenize = "13a",
    lowercase: bool = True,
    max_order: int = 4,
    threads: int | None = None,
) -> NDArray[np.float64]:
    """Coverage of every segment, as an array."""

def sentence_densities(
    hypotheses: Texts,
    *,
    sources: Texts,
    tokenizer: str | tokenizers.Tokenize = "13a",
    lowercase: bool = True,
    max_order: int = 4,
    threads: int | None = None,
) -> NDArray[np.float64]:
    """Density of every segment, as an array."""

def sentence_density(
    hypothesis: Text,
    *,
    source: Text,
    tokenizer: str | tokenizers.Tokenize = "13a",
    lowercase: bool = True,
    max_order: int = 4,
) -> MeanScore:
    """Density of one segment."""

def sentence_exact_match(
    hypothesis: Text,
    references: Text | Sequence[Text | None],
    *,
    lowercase: bool = False,
    ignore_punctuation: bool = False,
    ignore_numbers: bool = False,
    whitespace: str = "strip",
    normalizer: str | None = None,
) -> EqualityScore:
    """ExactMatch of one segment."""

def sentence_exact_matches(
    hypotheses: Texts,
    references: References,
    *,
    lowercase: bool = False,
    ignore_punctuation: bool = False,
    ignore_numbers: bool = False,
    whitespace: str = "strip",
    normalizer: str | None = None,
    threads: int | None = None,
) -> NDArray[np.float64]:
    """ExactMatch of every segment, as an array."""

def sentence_gec_gleu(
    hypothesis: Text,
    references: Text | Sequence[Text | None],
    *,
    source: Text,
    tokenizer: str | tokenizers.Tokenize = "whitespace",
    lowercase: bool = False,
    max_order: int = 4,
    iterations: int = 500,
) -> GecGleuScore:
    """GecGLEU of one segment."""

def sentence_gec_gleus(
    hypotheses: Texts,
    references: References,
    *,
    sources: Texts,
    tokenizer: str | tokenizers.Tokenize = "whitespace",
    lowercase: bool = False,
    max_order: int = 4,
    iterations: int = 500,
    threads: int | None = None,
) -> NDArray[np.float64]:
    """GecGLEU of every segment, as an array."""

def sentence_gleu(
    hypothesis: Text,
    references: Text | Sequence[Text | None],
    *,
    profile: str | None = None,
    tokenizer: str | tokenizers.Tokenize | None = None,
    lowercase: bool | None = None,
    min_order: int = 1,
    max_order: int = 4,
) -> GleuScore:
    """GLEU of one segment."""

def sentence_gleus(
    hypotheses: Texts,
    references: References,
    *,
    profile: str | None = None,
    tokenizer: str | tokenizers.Tokenize | None = None,
    lowercase: bool | None = None,
    min_order: int = 1,
    max_order: int = 4,
    threads: int | None = None,
) -> NDArray[np.float64]:
    """GLEU of every segment, as an array."""

def sentence_ibleu(
    hypothesis: Text,
    references: Text | Sequence[Text | None],
    *,
    source: Text,
    alpha: float | None = None,
    profile: str | None = None,
    tokenizer: str | tokenizers.Tokenize | None = None,
    lowercase: bool | None = None,
    max_order: int = 4,
    weights: Sequence[float] | None = None,
    smoothing: str | Smoothing | None = None,
    effective_order: bool | None = None,
    reference_length: Literal["closest", "closest-first", "shortest"] | None = None,
    absent_order: Literal["undefined", "one", "zero"] | None = None,
    zero_when: Literal["no-match", "any-order-without-match", "never"] | None = None,
    zero_precision: Literal["zero", "skip"] | None = None,
    context: Literal["corpus", "last-segment"] | None = None,
) -> IbleuScore:
    """IBLEU of one segment."""

def sentence_ibleus(
    hypotheses: Texts,
    references: References,
    *,
    sources: Texts,
    alpha: float | None = None,
    profile: str | None = None,
    tokenizer: str | tokenizers.Tokenize | None = None,
    lowercase: bool | None = None,
    max_order: int = 4,
    weights: Sequence[float] | None = None,
    smoothing: str | Smoothing | None = None,
    effective_order: bool | None = None,
    reference_length: Literal["closest", "closest-first", "shortest"] | None = None,
    absent_order: Literal["undefined", "one", "zero"] | None = None,
    zero_when: Literal["no-match", "any-order-without-match", "never"] | None = None,
    zero_precision: Literal["zero", "skip"] | None = None,
    context: Literal["corpus", "last-segment"] | None = None,
    threads: int | None = None,
) -> NDArray[np.float64]:
    """IBLEU of every segment, as an array."""

def sentence_levenshtein_ratio(
    hypothesis: Text,
    references: Text | Sequence[Text | None],
    *,
    profile: str | None = None,
    definition: str | None = None,
    lowercase: bool = False,
    whitespace: str = "keep",
) -> MeanScore:
    """LevenshteinRatio of one segment."""

def sentence_levenshtein_ratios(
    hypotheses: Texts,
    references: References,
    *,
    profile: str | None = None,
    definition: str | None = None,
    lowercase: bool = False,
    whitespace: str = "keep",
    threads: int | None = None,
) -> NDArray[np.float64]:
    """LevenshteinRatio of every segment, as an array."""

def sentence_mer(
    hypothesis: Text,
    references: Text | Sequence[Text | None],
    *,
    tokenizer: str | Tokenize = "whitespace",
    lowercase: bool = False,
    normalizer: str | None = None,
) -> ErrorScore:
    """MER of one segment."""

def sentence_mers(
    hypotheses: Texts,
    references: References,
    *,
    tokenizer: str | Tokenize = "whitespace",
    lowercase: bool = False,
    normalizer: str | None = None,
    threads: int | None = None,
) -> NDArray[np.float64]:
    """MER of every segment, as an array."""

def sentence_meteor(
    hypothesis: Text,
    references: Text | Sequence[Text | None],
    *,
    tokenizer: str | tokenizers.Tokenize = "nltk",
    lowercase: bool = True,
    stages: str | Sequence[str] = ...,
    alpha: float = 0.9,
    beta: float = 3.0,
    gamma: float = 0.5,
    wordnet: str | os.PathLike[str] | None = None,
) -> MeanScore:
    """METEOR of one segment."""

def sentence_meteors(
    hypotheses: Texts,
    references: References,
    *,
    tokenizer: str | tokenizers.Tokenize = "nltk",
    lowercase: bool = True,
    stages: str | Sequence[str] = ...,
    alpha: float = 0.9,
    beta: float = 3.0,
    gamma: float = 0.5,
    wordnet: str | os.PathLike[str] | None = None,
    threads: int | None = None,
) -> NDArray[np.float64]:
    """METEOR of every segment, as an array."""

def sentence_neural_perplexities(
    hypotheses: Texts,
    *,
    model: Any,
    profile: str | None = None,
    bos: bool | None = None,
    max_length: int | None = None,
    stride: int | None = None,
    long_texts: str | None = None,
    average: str | None = None,
    threads: int | None = None,
) -> NDArray[np.float64]:
    """NeuralPerplexity of every segment, as an array."""

def sentence_neural_perplexity(
    hypothesis: Text,
    *,
    model: Any,
    profile: str | None = None,
    bos: bool | None = None,
    max_length: int | None = None,
    stride: int | None = None,
    long_texts: str | None = None,
    average: str | None = None,
) -> MeanScore:
    """NeuralPerplexity of one segment."""

def sentence_nist(
    hypothesis: Text,
    references: Text | Sequence[Text | None],
    *,
    tokenizer: str | tokenizers.Tokenize = "13a",
    lowercase: bool = False,
    max_order: int = 5,
    prior: str | None = None,
) -> NistScore:
    """NIST of one segment."""

def sentence_nists(
    hypotheses: Texts,
    references: References,
    *,
    tokenizer: str | tokenizers.Tokenize = "13a",
    lowercase: bool = False,
    max_order: int = 5,
    prior: str | None = None,
    threads: int | None = None,
) -> NDArray[np.float64]:
    """NIST of every segment, as an array."""

def sentence_novelties(
    hypotheses: Texts, *, index: NgramIndex | str | PathLike[str], order: int = 4, threads: int | None = None
) -> NDArray[np.float64]:
    """Novelty of every segment, as an array."""

def sentence_novelty(hypothesis: Text, *, index: NgramIndex | str | PathLike[str], order: int = 4) -> NoveltyScore:
    """Novelty of one segment."""

def sentence_perplexities(
    hypotheses: Texts, *, lm: LanguageModel | str | PathLike[str], unknown: str = "include", threads: int | None = None
) -> NDArray[np.float64]:
    """Perplexity of every segment, as an array."""

def sentence_perplexity(
    hypothesis: Text, *, lm: LanguageModel | str | PathLike[str], unknown: str = "include"
) -> PerplexityScore:
    """Perplexity of one segment."""

def sentence_rouge(
    hypothesis: Text,
    references: Text | Sequence[Text | None],
    *,
    types: str | Sequence[str] = ...,
    tokenizer: str | tokenizers.Tokenize = "rouge",
    stemmer: bool | str = False,
) -> MeanScore:
    """ROUGE of one segment."""

def sentence_rouges(
    hypotheses: Texts,
    references: References,
    *,
    types: str | Sequence[str] = ...,
    tokenizer: str | tokenizers.Tokenize = "rouge",
    stemmer: bool | str = False,
    threads: int | None = None,
) -> NDArray[np.float64]:
    """ROUGE of every segment, as an array."""

def sentence_sari(
    hypothesis: Text,
    references: Text | Sequence[Text | None],
    *,
    source: Text,
    profile: str | None = None,
    tokenizer: str | tokenizers.Tokenize = "13a",
    lowercase: bool = True,
    max_order: int = 4,
    deletion: str | None = None,
    averaging: str = "scores",
    counting: str | None = None,
) -> MeanScore:
    """SARI of one segment."""

def sentence_saris(
    hypotheses: Texts,
    references: References,
    *,
    sources: Texts,
    profile: str | None = None,
    tokenizer: str | tokenizers.Tokenize = "13a",
    lowercase: bool = True,
    max_order: int = 4,
    deletion: str | None = None,
    averaging: str = "scores",
    counting: str | None = None,
    threads: int | None = None,
) -> NDArray[np.float64]:
    """SARI of every segment, as an array."""

def sentence_squad_f1(
    hypothesis: Text, references: Text | Sequence[Text | None], *, normalizer: str | None = "squad"
) -> MeanScore:
    """SquadF1 of one segment."""

def sentence_squad_f1s(
    hypotheses: Texts, references: References, *, normalizer: str | None = "squad", threads: int | None = None
) -> NDArray[np.float64]:
    """SquadF1 of every segment, as an array."""

def sentence_ter(
    hypothesis: Text,
    references: Text | Sequence[Text | None],
    *,
    profile: str | None = None,
    normalized: bool = False,
    no_punct: bool = False,
    asian_support: bool = False,
    lowercase: bool = True,
    tokenizer: str | tokenizers.Tokenize | None = None,
) -> TerScore:
    """TER of one segment."""

def sentence_ters(
    hypotheses: Texts,
    references: References,
    *,
    profile: str | None = None,
    normalized: bool = False,
    no_punct: bool = False,
    asian_support: bool = False,
    lowercase: bool = True,
    tokenizer: str | tokenizers.Tokenize | None = None,
    threads: int | None = None,
) -> NDArray[np.float64]:
    """TER of every segment, as an array."""

def sentence_wer(
    hypothesis: Text,
    references: Text | Sequence[Text | None],
    *,
    tokenizer: str | Tokenize = "whitespace",
    lowercase: bool = False,
    normalizer: str | None = None,
    alternatives: bool = False,
) -> ErrorScore:
    """WER of one segment."""

def sentence_wers(
    hypotheses: Texts,
    references: References,
    *,
    tokenizer: str | Tokenize = "whitespace",
    lowercase: bool = False,
    normalizer: str | None = None,
    alternatives: bool = False,
    threads: int | None = None,
) -> NDArray[np.float64]:
    """WER of every segment, as an array."""

def sentence_wil(
    hypothesis: Text,
    references: Text | Sequence[Text | None],
    *,
    tokenizer: str | Tokenize = "whitespace",
    lowercase: bool = False,
    normalizer: str | None = None,
) -> ErrorScore:
    """WIL of one segment."""

def sentence_wils(
    hypotheses: Texts,
    references: References,
    *,
    tokenizer: str | Tokenize = "whitespace",
    lowercase: bool = False,
    normalizer: str | None = None,
    threads: int | None = None,
) -> NDArray[np.float64]:
    """WIL of every segment, as an array."""

def sentence_wip(
    hypothesis: Text,
    references: Text | Sequence[Text | None],
    *,
    tokenizer: str | Tokenize = "whitespace",
    lowercase: bool = False,
    normalizer: str | None = None,
) -> ErrorScore:
    """WIP of one segment."""

def sentence_wips(
    hypotheses: Texts,
    references: References,
    *,
    tokenizer: str | Tokenize = "whitespace",
    lowercase: bool = False,
    normalizer: str | None = None,
    threads: int | None = None,
) -> NDArray[np.float64]:
    """WIP of every segment, as an array."""

def unique_ngrams(
    texts: Texts,
    *,
    max_order: int = 4,
    tokenizer: str | Tokenize = "nltk",
    lowercase: bool = False,
    threads: int | None = None,
) -> PoolScore:
    """UniqueNgrams of a pool of texts."""

def vendi(
    texts: Texts,
    *,
    max_order: int = 2,
    probes: int = 16,
    seed: int = 12345,
    tokenizer: str | Tokenize = "nltk",
    lowercase: bool = False,
    threads: int | None = None,
) -> VendiScore:
    """Vendi of a pool of texts."""

def zipf(
    texts: Texts,
    *,
    ranks: int = 5000,
    tokenizer: str | Tokenize = "nltk",
    lowercase: bool = False,
    threads: int | None = None,
) -> PoolScore:
    """Zipf of a pool of texts."""

bertscore = corpus_bertscore
blend = corpus_blend
bleu = corpus_bleu
cer = corpus_cer
chrf = corpus_chrf
cider = corpus_cider
contains_match = corpus_contains_match
contamination = corpus_contamination
coverage = corpus_coverage
density = corpus_density
exact_match = corpus_exact_match
gec_gleu = corpus_gec_gleu
gleu = corpus_gleu
ibleu = corpus_ibleu
levenshtein_ratio = corpus_levenshtein_ratio
mer = corpus_mer
meteor = corpus_meteor
neural_perplexity = corpus_neural_perplexity
nist = corpus_nist
novelty = corpus_novelty
perplexity = corpus_perplexity
rouge = corpus_rouge
sari = corpus_sari
squad_f1 = corpus_squad_f1
ter = corpus_ter
wer = corpus_wer
wil = corpus_wil
wip = corpus_wip
