"""chrF against sacrebleu: every option, one and several references, generated text and WMT22's."""

from __future__ import annotations

import itertools
from typing import NamedTuple

import numpy as np
import pytest
import sacrebleu
from hypothesis import given
from hypothesis import strategies as st

import bleuprint
from bleuprint import CHRF
from tests.parity.corpora import Corpus, corpora, random_corpora
from tests.support.effort import MANY
from tests.support.wmt22 import Wmt22


class Setting(NamedTuple):
    char_order: int
    word_order: int
    beta: float
    lowercase: bool
    whitespace: bool
    eps_smoothing: bool

    def theirs(self) -> sacrebleu.CHRF:
        return sacrebleu.CHRF(**self._asdict())

    def ours(self) -> CHRF:
        return CHRF(**self._asdict())


FLAGS = [False, True]
SETTINGS = [
    setting
    for setting in itertools.starmap(Setting, itertools.product([0, 1, 4, 6, 9], [0, 1, 2], [1, 2, 3], *[FLAGS] * 3))
    if setting.char_order + setting.word_order > 0
]


def assert_equal(corpus: Corpus, setting: Setting) -> None:
    ours, theirs = setting.ours(), setting.theirs()
    expected = theirs.corpus_score(corpus.hypotheses, corpus.streams())
    score = ours.corpus(corpus.hypotheses, corpus.references)
    assert score.percent == pytest.approx(expected.score, rel=1e-13, abs=0)
    assert str(score).split(" = ")[0] == expected.name
    assert score.sacrebleu_signature == theirs.get_signature().format()
    # Which of several references was chosen shows in the counts.
    rows = theirs._extract_corpus_statistics(corpus.hypotheses, corpus.streams())
    assert ours.statistics(corpus.hypotheses, corpus.references).rows.tolist() == rows


def test_every_setting_on_generated_corpora() -> None:
    per_setting = 12 if MANY else 2
    corpora_left = random_corpora(41, per_setting * len(SETTINGS))
    compared = 0
    for setting in SETTINGS:
        for corpus in itertools.islice(corpora_left, per_setting):
            assert_equal(corpus, setting)
            compared += 1
    assert compared == per_setting * len(SETTINGS) == (4_032 if MANY else 672)


@given(corpus=corpora(), setting=st.sampled_from(SETTINGS))
def test_any_setting_on_any_corpus(corpus: Corpus, setting: Setting) -> None:
    assert_equal(corpus, setting)


def test_sentences() -> None:
    """One at a time and as a row."""
    for word_order in (0, 2):
        for corpus in random_corpora(42, 500 if MANY else 100):
            row = bleuprint.sentence_chrfs(corpus.hypotheses, corpus.references, word_order=word_order)
            for text, group, of_row in zip(corpus.hypotheses, corpus.references, row, strict=True):
                kept = [reference for reference in group if reference is not None]
                theirs = sacrebleu.sentence_chrf(text, kept, word_order=word_order).score
                ours = bleuprint.sentence_chrf(text, group, word_order=word_order)
                assert ours.percent == pytest.approx(theirs, rel=1e-13, abs=0)
                assert ours.value == of_row


def test_defaults_and_profiles() -> None:
    for corpus in random_corpora(43, 300):
        for ours, plus in ((CHRF(), 0), (CHRF(profile="sacrebleu"), 0), (CHRF(profile="chrf++"), 2)):
            theirs = sacrebleu.corpus_chrf(corpus.hypotheses, corpus.streams(), word_order=plus).score
            assert ours.corpus(corpus.hypotheses, corpus.references).percent == pytest.approx(theirs, rel=1e-13, abs=0)


SYSTEMS = [
    *(("de-en", "Online-B"), ("cs-en", "Online-A"), ("en-zh", "Online-W"), ("en-ja", "Online-B"), ("en-hr", "SRPOL")),
    *(("ru-en", "Online-G"), ("en-ru", "Online-Y"), ("en-uk", "Online-B")),
]


@pytest.mark.parametrize(("pair", "system"), SYSTEMS)
def test_wmt22(wmt22_data: Wmt22, pair: str, system: str) -> None:
    """About a hundred segments of a system, with all its references, sentence by sentence and as a corpus."""
    output = wmt22_data.output(pair, system)
    step = max(1, len(output) // 100)
    streams = [lines[::step] for lines in wmt22_data.references(pair)]
    hypotheses = output[::step]
    references = [list(texts) for texts in zip(*streams, strict=True)]
    for setting in (Setting(6, 0, 2, False, False, False), Setting(6, 2, 2, True, True, True)):
        theirs = setting.theirs()
        assert_equal(Corpus(hypotheses, [[*texts] for texts in references]), setting)
        values = setting.ours().sentences(hypotheses, references, threads=1)
        expected = [theirs.sentence_score(h, r).score / 100 for h, r in zip(hypotheses, references, strict=True)]
        assert len(values) > 70
        assert np.abs(values - expected).max() <= 1e-15


def test_references_that_tie_in_percent() -> None:
    """Here 0.10416666666666669 and 0.10416666666666667 are equal a hundredfold, so the first reference counts."""
    text, references = "cccc", ["cacaaaacbbc", "bcbac"]
    for group in (references, references[::-1]):
        assert_equal(Corpus([text], [[*group]]), SETTINGS[0]._replace(char_order=6, word_order=0, beta=2))
        theirs = sacrebleu.CHRF()._extract_corpus_statistics([text], [[reference] for reference in group])
        assert theirs[0][1] == len(group[0])
