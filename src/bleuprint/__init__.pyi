# Written by tools/make_stubs.py; do not edit.

import os
from collections.abc import Hashable, Iterable, Mapping, Sequence
from os import PathLike
from typing import Literal

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
from bleuprint.corpora.search import seen as seen
from bleuprint.dataset import Dataset as Dataset
from bleuprint.dataset import DatasetItem as DatasetItem
from bleuprint.insight import explain as explain
from bleuprint.insight import reconcile as reconcile
from bleuprint.insight import work as work
from bleuprint.insight.choosing import Choice as Choice
from bleuprint.insight.choosing import choose as choose
from bleuprint.metrics._equality import EqualityScore
from bleuprint.metrics._error_rate import ErrorScore
from bleuprint.metrics.base.metric import Metric as Metric
from bleuprint.metrics.base.plain import PlainMetric as PlainMetric
from bleuprint.metrics.base.pool import PoolScore
from bleuprint.metrics.base.score import MeanScore, Score
from bleuprint.metrics.bertscore import BERTScore as BERTScore
from bleuprint.metrics.bleu import BLEU as BLEU
from bleuprint.metrics.bleu import BleuScore
from bleuprint.metrics.cer import CER as CER
from bleuprint.metrics.chrf import CHRF as CHRF
from bleuprint.metrics.chrf import ChrfScore
from bleuprint.metrics.cider import CIDEr as CIDEr
from bleuprint.metrics.cross_bleu import CrossBLEU as CrossBLEU
from bleuprint.metrics.cross_bleu import CrossBleuScore
from bleuprint.metrics.distinct import Distinct as Distinct
from bleuprint.metrics.exact_match import ExactMatch as ExactMatch
from bleuprint.metrics.gleu import GLEU as GLEU
from bleuprint.metrics.gleu import GleuScore
from bleuprint.metrics.ibleu import IBLEU as IBLEU
from bleuprint.metrics.ibleu import IbleuScore
from bleuprint.metrics.item_bleu import SentenceBleu as SentenceBleu
from bleuprint.metrics.meteor import METEOR as METEOR
from bleuprint.metrics.near_duplicates import NearDuplicateGroups
from bleuprint.metrics.near_duplicates import NearDuplicates as NearDuplicates
from bleuprint.metrics.nist import NIST as NIST
from bleuprint.metrics.nist import NistScore
from bleuprint.metrics.pairwise import pairwise as pairwise
from bleuprint.metrics.perplexity import Perplexity as Perplexity
from bleuprint.metrics.perplexity import PerplexityScore
from bleuprint.metrics.rouge import ROUGE as ROUGE
from bleuprint.metrics.sari import SARI as SARI
from bleuprint.metrics.self_bleu import SelfBLEU as SelfBLEU
from bleuprint.metrics.self_bleu import SelfBleuScore
from bleuprint.metrics.smoothing import Smoothing
from bleuprint.metrics.squad_f1 import SquadF1 as SquadF1
from bleuprint.metrics.ter import TER as TER
from bleuprint.metrics.ter import TerScore
from bleuprint.metrics.wer import WER as WER
from bleuprint.models.language_model import LanguageModel as LanguageModel
from bleuprint.models.ngram_index import NgramIndex as NgramIndex
from bleuprint.pools.diversity import diversity as diversity
from bleuprint.pools.rarefaction import rarefaction as rarefaction
from bleuprint.pools.select_diverse import select_diverse as select_diverse
from bleuprint.ratings.table import Ratings as Ratings
from bleuprint.results import Result as Result
from bleuprint.results.comparison import Comparison as Comparison
from bleuprint.runners import MetricRunner as MetricRunner
from bleuprint.runners import evaluate as evaluate
from bleuprint.runners import replay as replay
from bleuprint.runners.comparisons import Columns, Progress
from bleuprint.runners.comparisons import confidence_interval as confidence_interval
from bleuprint.runners.evaluation import Metrics
from bleuprint.runners.gates import GateReport, Rule, Undecided
from bleuprint.runners.gates.audit import audit_gate as audit_gate

__version__: str
_NAMES_BY_MODULE: dict[str, str]
_MODULES: dict[str, str]
_ROOMS: set[str]
_CLASSES: set[str]
__all__ = [
    "BLEU",
    "CER",
    "CHRF",
    "GLEU",
    "IBLEU",
    "METEOR",
    "NIST",
    "ROUGE",
    "SARI",
    "TER",
    "WER",
    "BERTScore",
    "CIDEr",
    "Choice",
    "Comparison",
    "CrossBLEU",
    "Dataset",
    "DatasetItem",
    "Distinct",
    "ExactMatch",
    "LanguageModel",
    "Metric",
    "MetricRunner",
    "NearDuplicates",
    "NgramIndex",
    "Perplexity",
    "PlainMetric",
    "Ratings",
    "Result",
    "SelfBLEU",
    "SentenceBleu",
    "SquadF1",
    "audit_gate",
    "bertscore",
    "choose",
    "cider",
    "compare",
    "confidence_interval",
    "corpus_bleu",
    "corpus_cer",
    "corpus_chrf",
    "corpus_gleu",
    "corpus_meteor",
    "corpus_nist",
    "corpus_rouge",
    "corpus_ter",
    "corpus_wer",
    "cross_bleu",
    "distinct",
    "diversity",
    "evaluate",
    "exact_match",
    "explain",
    "gate",
    "ibleu",
    "near_duplicates",
    "pairwise",
    "perplexity",
    "rarefaction",
    "reconcile",
    "replay",
    "sari",
    "seen",
    "select_diverse",
    "self_bleu",
    "sentence_bleu",
    "sentence_bleus",
    "sentence_cer",
    "sentence_cers",
    "sentence_chrf",
    "sentence_chrfs",
    "sentence_gleu",
    "sentence_gleus",
    "sentence_meteor",
    "sentence_meteors",
    "sentence_nist",
    "sentence_nists",
    "sentence_rouge",
    "sentence_rouges",
    "sentence_ter",
    "sentence_ters",
    "sentence_wer",
    "sentence_wers",
    "squad_f1",
    "token_ids",
    "tokenize",
    "work",
]

def _all() -> list[str]: ...
def compare(
    systems: Mapping[str, Texts] | None = None,
    references: References | None = None,
    *,
    metrics: Metrics = "bleu",
    sources: Texts | None = None,
    columns: Columns | None = None,
    lower_is_better: Iterable[str] = ...,
    clusters: Iterable[Hashable] | None = None,
    ids: Iterable[str | int] | None = None,
    baseline: str | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
    test: str = "auto",
    resamples: int | None = None,
    alpha: float = 0.05,
    interval: str = "bca",
    seed: int = 12345,
    mode: str = "bleuprint",
    power: float = 0.8,
    detect: float | Mapping[str, float] | None = None,
    margin: float | Mapping[str, float] | None = None,
) -> Comparison:
    """Compare systems on the same segments: which is better, and which differences may be due to chance."""

def gate(
    new: Result,
    baseline: Result | None = None,
    *,
    rule: Rule = "worse",
    max_drop: float | Mapping[str, float] = 0.0,
    alpha: float = 0.05,
    undecided: Undecided = "fail",
    allow_missing: bool = False,
    minimum: Mapping[str, float] | None = None,
    maximum: Mapping[str, float] | None = None,
    min_pass_rate: Mapping[str, float] | None = None,
    thresholds: Mapping[str, float] | None = None,
    metrics: Mapping[str, Metric[Score]] | None = None,
    threads: int | None = None,
    test: str = "auto",
    resamples: int | None = None,
    interval: str = "bca",
    seed: int = 12345,
    mode: str = "bleuprint",
    power: float = 0.8,
    detect: float | Mapping[str, float] | None = None,
    margin: float | Mapping[str, float] | None = None,
) -> GateReport:
    """Check a result against bounds per metric, and against a baseline on the same references."""

def bertscore(
    hypotheses: Texts,
    references: References,
    *,
    encoder: object,
    layer: int | None = None,
    idf: bool = False,
    baseline: Sequence[float] | None = None,
    prior: str | None = None,
    threads: int | None = None,
) -> MeanScore:
    """BERTScore of a corpus."""

def cider(
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

def exact_match(
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

def ibleu(
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

def perplexity(
    hypotheses: Texts, *, lm: LanguageModel | str | PathLike[str], unknown: str = "include", threads: int | None = None
) -> PerplexityScore:
    """Perplexity of a corpus."""

def sari(
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
    memory: str | int | None = None,
    threads: int | None = None,
) -> SelfBleuScore:
    """SelfBLEU of a pool of texts."""

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

def squad_f1(
    hypotheses: Texts, references: References, *, normalizer: str | None = "squad", threads: int | None = None
) -> MeanScore:
    """SquadF1 of a corpus."""
