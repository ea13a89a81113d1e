"""The rows of docs/migration.md for the bleuprint interface: old call and new call give one number."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import jiwer
import pytest
import rapidfuzz
import sacrebleu
from nltk.translate import bleu_score, gleu_score, nist_score
from rouge_score.rouge_scorer import RougeScorer
from sacrebleu import BLEU, CHRF, TER

import bleuprint as bp
from tests.support.cli import lines

HYPOTHESES, A, B = (lines(name)[:20] for name in ("system-b", "ref-1", "ref-2"))
BOTH = list(zip(A, B, strict=True))
TOKENS, GROUPS = [line.split() for line in HYPOTHESES], [[line.split() for line in pair] for pair in BOTH]
SMOOTH = bleu_score.SmoothingFunction
Number = Callable[[], Any]

ROWS: dict[str, tuple[Number, Number]] = {
    "one stream": (lambda: sacrebleu.corpus_bleu(HYPOTHESES, [A]).score, lambda: bp.corpus_bleu(HYPOTHESES, A).percent),
    "two streams": (
        lambda: sacrebleu.corpus_bleu(HYPOTHESES, [A, B]).score,
        lambda: bp.corpus_bleu(HYPOTHESES, BOTH).percent,
    ),
    "sentence": (
        lambda: sacrebleu.sentence_bleu(HYPOTHESES[0], [A[0], B[0]]).score,
        lambda: bp.sentence_bleu(HYPOTHESES[0], [A[0], B[0]]).percent,
    ),
    "sentences": (
        lambda: [sacrebleu.sentence_bleu(h, [r]).score / 100 for h, r in zip(HYPOTHESES, A, strict=True)],
        lambda: bp.sentence_bleus(HYPOTHESES, A).tolist(),
    ),
    "tokenizer and case": (
        lambda: BLEU(tokenize="intl", lowercase=True).corpus_score(HYPOTHESES, [A]).score,
        lambda: bp.BLEU(tokenizer="intl", lowercase=True).corpus(HYPOTHESES, A).percent,
    ),
    "smoothing": (
        lambda: BLEU(smooth_method="floor", smooth_value=0.2).corpus_score(HYPOTHESES, [A]).score,
        lambda: bp.BLEU(smoothing="floor(0.2)").corpus(HYPOTHESES, A).percent,
    ),
    "order": (
        lambda: BLEU(max_ngram_order=2, effective_order=True).corpus_score(HYPOTHESES, [A]).score,
        lambda: bp.BLEU(max_order=2, effective_order=True).corpus(HYPOTHESES, A).percent,
    ),
    "chrF++": (
        lambda: CHRF(word_order=2).corpus_score(HYPOTHESES, [A]).score,
        lambda: bp.CHRF(profile="chrf++").corpus(HYPOTHESES, A).percent,
    ),
    "TER": (
        lambda: TER(case_sensitive=True).corpus_score(HYPOTHESES, [A]).score,
        lambda: bp.TER(lowercase=False).corpus(HYPOTHESES, A).percent,
    ),
    "bootstrap": (
        lambda: BLEU().corpus_score(HYPOTHESES, [A], n_bootstrap=1000)._ci,
        lambda: 100 * bp.confidence_interval(HYPOTHESES, A, metric="bleu", mode="sacrebleu").margin,
    ),
    "NLTK's sentence": (
        lambda: bleu_score.sentence_bleu(GROUPS[0], TOKENS[0]),
        lambda: bp.sentence_bleu(TOKENS[0], GROUPS[0], profile="nltk").value,
    ),
    "NLTK's corpus": (
        lambda: bleu_score.corpus_bleu(GROUPS, TOKENS, weights=(0.5, 0.5)),
        lambda: bp.corpus_bleu(TOKENS, GROUPS, profile="nltk", max_order=2).value,
    ),
    "NLTK's smoothing": (
        lambda: bleu_score.sentence_bleu(GROUPS[1], TOKENS[1], smoothing_function=SMOOTH(epsilon=0.01).method1),
        lambda: bp.sentence_bleu(TOKENS[1], GROUPS[1], profile="nltk", smoothing="method1(0.01)").value,
    ),
    "GLEU": (
        lambda: gleu_score.sentence_gleu(GROUPS[0], TOKENS[0]),
        lambda: bp.sentence_gleu(TOKENS[0], GROUPS[0]).value,
    ),
    "NIST": (lambda: nist_score.corpus_nist(GROUPS, TOKENS), lambda: bp.corpus_nist(TOKENS, GROUPS).value),
    "ROUGE": (
        lambda: RougeScorer(["rougeL"], use_stemmer=True).score(A[0], HYPOTHESES[0])["rougeL"].fmeasure,
        lambda: bp.sentence_rouge(HYPOTHESES[0], A[0], types="rougeL", stemmer=True).value,
    ),
    "ROUGE of several": (
        lambda: RougeScorer(["rouge1"]).score_multi(BOTH[0], HYPOTHESES[0])["rouge1"].fmeasure,
        lambda: bp.sentence_rouge(HYPOTHESES[0], BOTH[0])["rouge1"],
    ),
    "WER": (lambda: jiwer.wer(A, HYPOTHESES), lambda: bp.corpus_wer(HYPOTHESES, A).value),
    "CER": (lambda: jiwer.cer(A, HYPOTHESES), lambda: bp.corpus_cer(HYPOTHESES, A).value),
    "ratio": (
        lambda: rapidfuzz.fuzz.ratio(A[0], HYPOTHESES[0]),
        lambda: bp.sentence_levenshtein_ratio(HYPOTHESES[0], A[0], profile="rapidfuzz").percent,
    ),
}


@pytest.mark.parametrize("name", ROWS)
def test_old_and_new(name: str) -> None:
    old, new = ROWS[name]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert new() == pytest.approx(old(), rel=1e-7)
