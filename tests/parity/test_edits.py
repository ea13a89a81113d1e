"""Error rates against jiwer, the Levenshtein ratio against RapidFuzz."""

from __future__ import annotations

import random
from typing import Any

import jiwer
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz import fuzz
from rapidfuzz.distance import Indel, Levenshtein

import bleuprint as bp
from bleuprint import CER, WER
from bleuprint.metrics import MER, WIL, WIP, LevenshteinRatio
from tests.parity.corpora import random_corpora, random_corpus
from tests.support.text_strategies import nasty_text, random_texts
from tests.support.wmt22 import Wmt22

# Beyond some 2,000 items RapidFuzz takes another of the shortest alignments, in which hits may be others.
SYSTEMS = {"de-en": "Lan-Bridge", "en-zh": "Online-B", "en-ru": "Online-B", "en-ja": "Online-B", "cs-uk": "Online-B"}


def assert_equal_words(words: jiwer.WordOutput, hypotheses: list[str], references: list[str], **options: Any) -> None:
    score = WER(**options).corpus(hypotheses, references)
    assert score.columns == (words.hits, words.substitutions, words.deletions, words.insertions)
    assert score.value == words.wer
    assert MER(**options).corpus(hypotheses, references).value == words.mer
    for kind, expected in ((WIL, words.wil), (WIP, words.wip)):
        assert kind(**options).corpus(hypotheses, references).value == pytest.approx(expected, rel=1e-12, abs=1e-15)


def assert_equals_jiwer(hypotheses: list[str], references: list[str]) -> None:
    """jiwer knows blanks only, and takes one reference."""
    ours = [" ".join(text.split()) for text in hypotheses]
    theirs = [" ".join(text.split()) for text in references]
    assert_equal_words(jiwer.process_words(theirs, ours), hypotheses, references)
    characters = jiwer.process_characters(references, hypotheses)
    found = CER().corpus(hypotheses, references)
    assert found.value == characters.cer
    assert found.columns == (
        *(characters.hits, characters.substitutions),
        *(characters.deletions, characters.insertions),
    )


def test_equals_jiwer_on_generated_text() -> None:
    for corpus in random_corpora(11, 400):
        references = [next(text for text in texts if text is not None) for texts in corpus.references]
        assert_equals_jiwer(corpus.hypotheses, references)


def test_equals_jiwer_on_odd_text() -> None:
    texts = list(random_texts(12, 1500))
    assert_equals_jiwer(texts[1:], texts[:-1])


spaced_texts = st.text(st.sampled_from("ab \u00a0\t\u3000\n\x1f\x85"), max_size=12)


@given(pairs=st.lists(st.tuples(spaced_texts, spaced_texts), min_size=1, max_size=4))
def test_the_tokenizer_space_equals_jiwer_on_raw_text(pairs: list[tuple[str, str]]) -> None:
    """jiwer separates words at spaces only: a lone tab or no-break space is part of a word."""
    hypotheses, references = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    words = jiwer.process_words(references, hypotheses)
    assert_equal_words(words, hypotheses, references, tokenizer="space")


@given(text=st.one_of(spaced_texts, nasty_text()))
def test_the_tokenizer_space_gives_the_words_of_jiwer(text: str) -> None:
    assert bp.tokenize(text, "space") == jiwer.transformations.wer_default(text)[0]


def test_the_default_tokenizer_differs_from_jiwer_where_words_are_not_parted_by_spaces() -> None:
    """What the documents say about the error rates: equal where only spaces separate words."""
    hypothesis, reference = "a b c d", "a\u00a0b\tc d"
    assert bp.sentence_wer(hypothesis, reference).value == 0
    assert jiwer.wer(reference, hypothesis) == bp.sentence_wer(hypothesis, reference, tokenizer="space").value == 1.5


def test_empty_references_as_in_jiwer() -> None:
    assert bp.sentence_wer("a b c", "").value == jiwer.wer("", "a b c") == 3
    assert bp.sentence_cer("abc", "").value == jiwer.cer("", "abc") == 3
    for hypothesis, reference in (("", ""), ("", "a"), ("a", ""), ("a b", "")):
        words = jiwer.process_words(reference, hypothesis)
        assert bp.metrics.MER().sentence(hypothesis, reference).value == words.mer
        assert bp.metrics.WIL().sentence(hypothesis, reference).value == words.wil
        assert bp.metrics.WIP().sentence(hypothesis, reference).value == words.wip


def test_the_lowest_of_several_references() -> None:
    chance = random.Random(13)
    for _ in range(200):
        corpus = random_corpus(chance)
        for hypothesis, texts in zip(corpus.hypotheses, corpus.references, strict=True):
            found = [text for text in texts if text is not None]
            spaced = " ".join(hypothesis.split())
            words = [jiwer.process_words(" ".join(text.split()), spaced) for text in found]
            assert bp.sentence_wer(hypothesis, found).value == min(word.wer for word in words)
            assert bp.metrics.MER().sentence(hypothesis, found).value == min(word.mer for word in words)
            assert bp.metrics.WIL().sentence(hypothesis, found).value == pytest.approx(
                min(word.wil for word in words), rel=1e-12, abs=1e-15
            )
            assert bp.sentence_cer(hypothesis, found).value == min(jiwer.cer(text, hypothesis) for text in found)


@pytest.mark.parametrize("pair", SYSTEMS)
def test_equals_jiwer_and_rapidfuzz_on_real_text(pair: str, wmt22_data: Wmt22) -> None:
    hypotheses = wmt22_data.output(pair, SYSTEMS[pair])[:600]
    streams = [stream[:600] for stream in wmt22_data.references(pair)]
    assert_equals_jiwer(hypotheses, streams[0])
    groups = [list(texts) for texts in zip(*streams, strict=True)]
    expected = [
        max(Levenshtein.normalized_similarity(text, hypothesis) for text in texts)
        for hypothesis, texts in zip(hypotheses, groups, strict=True)
    ]
    assert bp.metrics.LevenshteinRatio().sentences(hypotheses, groups).tolist() == expected
    assert bp.metrics.LevenshteinRatio().corpus(hypotheses, groups).value == pytest.approx(np.mean(expected), rel=1e-12)
    rates = [
        min(Levenshtein.distance(text.split(), hypothesis.split()) / len(text.split()) for text in texts)
        for hypothesis, texts in zip(hypotheses, groups, strict=True)
    ]
    assert bp.sentence_wers(hypotheses, groups).tolist() == rates


@given(nasty_text(), nasty_text())
def test_both_ratios_equal_rapidfuzz(hypothesis: str, reference: str) -> None:
    levenshtein = LevenshteinRatio().sentence(hypothesis, reference).value
    assert levenshtein == Levenshtein.normalized_similarity(hypothesis, reference)
    indel = LevenshteinRatio(profile="rapidfuzz").sentence(hypothesis, reference).value
    assert indel == Indel.normalized_similarity(hypothesis, reference)
    if hypothesis or reference:  # fuzz.ratio gives 0 or 100 for two empty texts, by version
        assert indel == pytest.approx(fuzz.ratio(hypothesis, reference) / 100, rel=1e-12)


def test_published_examples() -> None:
    """kitten and sitting, by both definitions: Levenshtein.normalized_similarity .5714, fuzz.ratio 61.54."""
    assert bp.metrics.LevenshteinRatio().sentence("kitten", "sitting").value == 1 - 3 / 7
    assert bp.metrics.LevenshteinRatio(definition="indel").sentence("kitten", "sitting").value == 1 - 5 / 13
