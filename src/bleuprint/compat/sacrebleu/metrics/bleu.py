"""sacrebleu's BLEU: counted by the core, computed in sacrebleu's order of operations, bit for bit."""

from __future__ import annotations

import math
from collections.abc import KeysView, Sequence
from dataclasses import InitVar, dataclass
from typing import Any, ClassVar

from bleuprint.compat.sacrebleu.metrics.base import Metric, Pairs, Score, Stats, Streams, logger
from bleuprint.compat.sacrebleu.tokenizers import TOKENIZERS
from bleuprint.core import counts
from bleuprint.core.columns import split_column

__all__ = ["BLEU", "MAX_NGRAM_ORDER", "BLEUScore"]

MAX_NGRAM_ORDER = 4
_LOG_OF_ZERO = -9999999999
_ADVICE = {"zh": ("zh", "Chinese"), "ja": ("ja-mecab", "Japanese"), "ko": ("ko-mecab", "Korean")}


@dataclass(eq=False, repr=False)
class BLEUScore(Score):
    """A BLEU score with its counts, precisions (0..100), brevity penalty and lengths."""

    score: float
    counts: list[int]
    totals: list[int]
    precisions: list[float]
    bp: float
    sys_len: int
    ref_len: int

    def __post_init__(self) -> None:
        super().__init__("BLEU", self.score)
        self.prec_str = "/".join([f"{precision:.1f}" for precision in self.precisions])
        self.ratio = self.sys_len / self.ref_len if self.ref_len else 0
        lengths = f"ratio = {self.ratio:.3f} hyp_len = {self.sys_len:d} ref_len = {self.ref_len:d}"
        self._verbose = f"{self.prec_str} (BP = {self.bp:.3f} {lengths})"


@dataclass(eq=False, repr=False)
class BLEU(Metric[BLEUScore]):
    """BLEU with sacrebleu's options.

    >>> bleu = BLEU(effective_order=True)
    >>> bleu.sentence_score("the cat sat", ["the cat sat down"]).score
    71.65313105737896
    >>> bleu.get_signature()
    nrefs:1|case:mixed|eff:yes|tok:13a|smooth:exp|version:2.6.0
    """

    SMOOTH_DEFAULTS: ClassVar[dict[str, float | None]] = {"none": None, "floor": 0.1, "add-k": 1, "exp": None}
    TOKENIZERS: ClassVar[KeysView[str]] = TOKENIZERS.keys()
    TOKENIZER_DEFAULT: ClassVar[str] = "13a"
    _TOKENIZER_MAP: ClassVar[dict[str, str]] = {language: name for language, (name, _) in _ADVICE.items()}

    lowercase: bool = False
    force: InitVar[bool] = False
    tokenize: InitVar[str | None] = None
    smooth_method: str = "exp"
    smooth_value: float | None = None
    max_ngram_order: int = MAX_NGRAM_ORDER
    effective_order: bool = False
    trg_lang: str = ""
    references: InitVar[Streams | None] = None

    def __post_init__(self, force: bool, tokenize: str | None, references: Streams | None) -> None:
        _check_smoothing(self.smooth_method)
        if tokenize is None:
            tokenize = self._TOKENIZER_MAP.get(self.trg_lang, self.TOKENIZER_DEFAULT)
        elif self.trg_lang in _ADVICE and tokenize != _ADVICE[self.trg_lang][0]:
            name, language = _ADVICE[self.trg_lang]
            logger.warning(f"Consider using the {name!r} or 'spm' tokenizer for {language}.")
        self.tokenizer = TOKENIZERS[tokenize]()
        self.tokenizer_signature = self.tokenizer.signature()
        super().__init__(references)
        self._force = force

    @staticmethod
    def compute_bleu(
        correct: Any,
        total: Any,
        sys_len: int,
        ref_len: int,
        smooth_method: str = "none",
        smooth_value: float | None = None,
        effective_order: bool = False,
        max_ngram_order: int = MAX_NGRAM_ORDER,
    ) -> BLEUScore:
        """The score of matches and totals by order; as in sacrebleu, add-k modifies the lists in place.

        >>> print(BLEU.compute_bleu([3, 2, 1, 0], [4, 3, 2, 1], 4, 4, smooth_method="floor"))
        BLEU = 39.76 75.0/66.7/50.0/10.0 (BP = 1.000 ratio = 1.000 hyp_len = 4 ref_len = 4)
        """
        _check_smoothing(smooth_method)
        value: Any = BLEU.SMOOTH_DEFAULTS[smooth_method] if smooth_value is None else smooth_value
        penalty = 1.0
        if sys_len < ref_len:
            penalty = math.exp(1 - ref_len / sys_len) if sys_len > 0 else 0.0
        precisions = [0.0] * max_ngram_order
        if not any(correct):
            return BLEUScore(0.0, correct, total, precisions, penalty, sys_len, ref_len)
        orders, halves = max_ngram_order, 1.0
        for n in range(max_ngram_order):
            if smooth_method == "add-k" and n:
                correct[n] += value
                total[n] += value
            if total[n] == 0:
                break
            if effective_order:
                orders = n + 1
            if correct[n] != 0:
                precisions[n] = 100.0 * correct[n] / total[n]
            elif smooth_method == "exp":
                halves *= 2
                precisions[n] = 100.0 / (halves * total[n])
            elif smooth_method == "floor":
                precisions[n] = 100.0 * value / total[n]
        logs = [math.log(precision) if precision else _LOG_OF_ZERO for precision in precisions[:orders]]
        score = penalty * math.exp(sum(logs) / orders)
        return BLEUScore(score, correct, total, precisions, penalty, sys_len, ref_len)

    def _pairs(self) -> Pairs:
        smooth, default = self.smooth_method, self.SMOOTH_DEFAULTS[self.smooth_method]
        if default is not None:
            smooth += f"[{default if self.smooth_value is None else self.smooth_value:.2f}]"
        return {
            "case": ("c", "lc" if self.lowercase else "mixed"),
            "eff": ("e", "yes" if self.effective_order else "no"),
            "tok": ("tok", self.tokenizer_signature),
            "smooth": ("s", smooth),
        }

    def _counts(self) -> counts.Counts:
        scheme, native = self.tokenizer.scheme, self.tokenizer.scheme is not None
        return counts.clipped_counts(scheme or "none", native and self.lowercase, self.max_ngram_order, "closest", 0)

    def _prepare(self, texts: counts.Column, name: str) -> counts.Column:
        if self.tokenizer.scheme is not None:
            return texts
        lower = str.lower if self.lowercase else str
        return split_column(texts, name, lambda text: self.tokenizer(lower(str(text)).rstrip()).split())

    def _row(self, hypothesis: str, references: Sequence[str]) -> Sequence[int]:
        if self.tokenizer.scheme is not None:
            return super()._row(hypothesis, references)
        row: list[int] = self._rows([hypothesis], [[reference] for reference in references])[0].tolist()
        return row

    def _compute_score_from_stats(self, stats: Stats) -> BLEUScore:
        orders = self.max_ngram_order
        correct, total = stats[2 : 2 + orders], stats[2 + orders :]
        if isinstance(stats, tuple):
            correct, total = list(correct), list(total)
        smoothing = self.smooth_method, self.smooth_value
        return self.compute_bleu(correct, total, int(stats[0]), int(stats[1]), *smoothing, self.effective_order, orders)

    def sentence_score(self, hypothesis: str, references: Sequence[str]) -> BLEUScore:
        if not self.effective_order:
            logger.warning("It is recommended to enable `effective_order` for sentence-level BLEU.")
        return super().sentence_score(hypothesis, references)


def _check_smoothing(method: str) -> None:
    if method not in BLEU.SMOOTH_DEFAULTS:
        raise AssertionError(f"Unknown smooth_method {method!r}")
