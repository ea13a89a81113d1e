"""Which methods frames have, for type checkers. Written by tools/make_stubs.py; do not edit."""

from __future__ import annotations

from typing import Generic, TypeVar

__all__ = ["PoolMethods", "ScoreMethods"]

Whole = TypeVar("Whole")
Rows = TypeVar("Rows")


class ScoreMethods(Generic[Whole, Rows]):
    """Metrics of segments: one score of all rows, and a score of every row."""

    bertscore: Whole
    blend: Whole
    bleu: Whole
    cer: Whole
    chrf: Whole
    cider: Whole
    contains_match: Whole
    contamination: Whole
    coverage: Whole
    density: Whole
    exact_match: Whole
    gec_gleu: Whole
    gleu: Whole
    ibleu: Whole
    levenshtein_ratio: Whole
    mer: Whole
    meteor: Whole
    neural_perplexity: Whole
    nist: Whole
    novelty: Whole
    perplexity: Whole
    rouge: Whole
    sari: Whole
    squad_f1: Whole
    ter: Whole
    wer: Whole
    wil: Whole
    wip: Whole
    sentence_bertscore: Rows
    sentence_blend: Rows
    sentence_bleu: Rows
    sentence_cer: Rows
    sentence_chrf: Rows
    sentence_cider: Rows
    sentence_contains_match: Rows
    sentence_contamination: Rows
    sentence_coverage: Rows
    sentence_density: Rows
    sentence_exact_match: Rows
    sentence_gec_gleu: Rows
    sentence_gleu: Rows
    sentence_ibleu: Rows
    sentence_levenshtein_ratio: Rows
    sentence_mer: Rows
    sentence_meteor: Rows
    sentence_neural_perplexity: Rows
    sentence_nist: Rows
    sentence_novelty: Rows
    sentence_perplexity: Rows
    sentence_rouge: Rows
    sentence_sari: Rows
    sentence_squad_f1: Rows
    sentence_ter: Rows
    sentence_wer: Rows
    sentence_wil: Rows
    sentence_wip: Rows


class PoolMethods(Generic[Whole]):
    """Metrics of a pool: one score of all rows."""

    compression_ratio: Whole
    cross_bleu: Whole
    distinct: Whole
    duplicates: Whole
    embedding_vendi: Whole
    entropy: Whole
    expected_distinct: Whole
    frechet: Whole
    homogenization: Whole
    loops: Whole
    mattr: Whole
    ms_jaccard: Whole
    mtld: Whole
    near_duplicates: Whole
    ngram_diversity: Whole
    repetition_rate: Whole
    self_bleu: Whole
    self_repetition: Whole
    unique_ngrams: Whole
    vendi: Whole
    zipf: Whole
