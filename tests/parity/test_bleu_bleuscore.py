"""BLEU against bleuscore, which computes Hugging Face's (tensorflow/nmt's) rule and sacrebleu's."""

from __future__ import annotations

import itertools
from typing import Literal

import bleuscore
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleuprint import BLEU
from bleuprint.metrics.bleu import BleuScore
from tests.parity.corpora import Corpus, corpora, random_corpora
from tests.support.effort import MANY

Rule = Literal["shortest", "closest"]
SETTINGS: list[tuple[Rule, bool, int]] = list(itertools.product(("shortest", "closest"), (False, True), range(1, 7)))


# bleuscore drops "-\n" before it trims a text and takes these four for letters, where Python's split(), in
# which the other packages end, takes them for white space. Elsewhere its 13a is the same.
_SEPARATORS = dict.fromkeys(range(0x1C, 0x20), " ")


def cleaned(corpus: Corpus) -> Corpus:
    return Corpus(
        [text.translate(_SEPARATORS).rstrip() for text in corpus.hypotheses],
        [
            [None if text is None else text.translate(_SEPARATORS).rstrip() for text in texts]
            for texts in corpus.references
        ],
    )


def ours(corpus: Corpus, rule: Rule, smooth: bool, order: int) -> BleuScore:
    smoothing = "add-all" if smooth else "none"
    if rule == "shortest":
        metric = BLEU(profile="hf", smoothing=smoothing, max_order=order)
    else:
        metric = BLEU(smoothing=smoothing, max_order=order, zero_when="never")
    return metric.corpus(corpus.hypotheses, corpus.references)


def assert_equal(corpus: Corpus, rule: Rule, smooth: bool, order: int) -> None:
    corpus = cleaned(corpus)
    references = [[text for text in texts if text is not None] for texts in corpus.references]
    score = ours(corpus, rule, smooth, order)
    theirs = bleuscore.compute(references, corpus.hypotheses, order, smooth, rule)
    assert score.hypothesis_length == theirs["translation_length"]
    assert score.reference_length == theirs["reference_length"]
    if score.hypothesis_length == 0:
        assert score.value == 0.0  # theirs divides by zero: a nan or 0
        return
    assert score.value == pytest.approx(theirs["bleu"], rel=1e-12, abs=1e-300)
    assert score.brevity_penalty == pytest.approx(theirs["brevity_penalty"], rel=1e-12)
    assert score.precisions == pytest.approx(theirs["precisions"], rel=1e-12)


@pytest.mark.parametrize(("rule", "smooth", "order"), SETTINGS)
def test_every_setting_on_generated_corpora(rule: Rule, smooth: bool, order: int) -> None:
    for corpus in random_corpora(20 + order, 250 if MANY else 60):
        assert_equal(corpus, rule, smooth, order)


@given(corpus=corpora(), setting=st.sampled_from(SETTINGS))
def test_any_setting_on_any_corpus(corpus: Corpus, setting: tuple[Rule, bool, int]) -> None:
    assert_equal(corpus, *setting)
