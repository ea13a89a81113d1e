"""Which methods frames have, for type checkers. Written by tools/make_stubs.py; do not edit."""

from __future__ import annotations

from typing import Generic, TypeVar

Whole = TypeVar("Whole")
Rows = TypeVar("Rows")


class ScoreMethods(Generic[Whole, Rows]):
    """Metrics of segments: one score of all rows, and a score of every row."""

    bertscore: Whole
    bleu: Whole
    cer: Whole
    chrf: Whole
    cider: Whole
    exact_match: Whole
    gleu: Whole
    ibleu: Whole
    meteor: Whole
    nist: Whole
    perplexity: Whole
    rouge: Whole
    sari: Whole
    squad_f1: Whole
    ter: Whole
    wer: Whole
    sentence_bertscore: Rows
    sentence_bleu: Rows
    sentence_cer: Rows
    sentence_chrf: Rows
    sentence_cider: Rows
    sentence_exact_match: Rows
    sentence_gleu: Rows
    sentence_ibleu: Rows
    sentence_meteor: Rows
    sentence_nist: Rows
    sentence_perplexity: Rows
    sentence_rouge: Rows
    sentence_sari: Rows
    sentence_squad_f1: Rows
    sentence_ter: Rows
    sentence_wer: Rows


class PoolMethods(Generic[Whole]):
    """Metrics of a pool: one score of all rows."""

    cross_bleu: Whole
    distinct: Whole
    near_duplicates: Whole
    self_bleu: Whole
