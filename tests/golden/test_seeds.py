"""The worked numbers of the texts this project grew from; what they print wrongly stands here corrected.

Each number was printed by the package named beside it, run on the same pair. A blog post works out BLEU-2 of
one pair by hand and prints it with NLTK; axion's manual of SentenceBleu has one example and three scenarios.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import pytest

from bleuprint import BLEU, corpus_bleu, sentence_bleu
from bleuprint.metrics import SentenceBleu

CANDIDATE, REFERENCE = "the cat is on the mat", "there is a cat on the mat"


class TestBlog:
    def test_bleu_2_by_hand(self) -> None:
        """5/6 and 2/5, penalty e^(-1/6): 0.48872. The post has 0.4885, a product of rounded factors."""
        for score in (
            corpus_bleu([CANDIDATE], [REFERENCE], max_order=2, smoothing="none", tokenizer="whitespace"),
            sentence_bleu(CANDIDATE, REFERENCE, max_order=2),
            BLEU(max_order=2, profile="moses").sentence(CANDIDATE.split(), [REFERENCE.split()]),
        ):
            assert score.matches == (5, 2)
            assert score.totals == (6, 5)
            assert score.brevity_penalty == pytest.approx(math.exp(-1 / 6), rel=1e-15)
            assert score.value == pytest.approx(math.exp(-1 / 6) * math.sqrt(5 / 6 * 2 / 5), rel=1e-15)
            assert f"{score.value:.5f}" == "0.48872"
            assert f"{score.value:.4f}" != "0.4885"

    def test_its_nltk_code(self) -> None:
        """NLTK 3.10.4, method1, weights for BLEU-1, BLEU-2 and BLEU-4."""
        score = BLEU(profile="nltk", smoothing="method1").sentence(CANDIDATE.split(), [REFERENCE.split()])
        bleu_1, bleu_2, _, bleu_4 = score.orders
        assert [f"{value:.4f}" for value in (bleu_1, bleu_2, bleu_4)] == ["0.7054", "0.4887", "0.1943"]
        assert bleu_4 == score.value
        for weights, printed in (((1, 0, 0, 0), "0.7054"), ((0.5, 0.5, 0, 0), "0.4887")):
            metric = BLEU(profile="nltk", smoothing="method1", weights=weights)
            assert f"{metric.sentence(CANDIDATE, REFERENCE).value:.4f}" == printed

    @pytest.mark.parametrize(
        ("options", "printed"),
        [
            ({"profile": "axion", "max_order": 2}, 0.5542),  # axion
            ({"profile": "axion"}, 0.3851),  # axion
            ({}, 0.2906),  # sacrebleu 2.6.0, sentence_bleu
            ({"profile": "hf", "smoothing": "add-all"}, 0.3851),  # tensorflow/nmt, smooth=True
            ({"profile": "hf"}, 0.0),  # tensorflow/nmt
        ],
    )
    def test_what_others_print_for_the_pair(self, options: dict[str, str | int], printed: float) -> None:
        metric = BLEU(**options)  # type: ignore[arg-type]
        assert round(metric.sentence(CANDIDATE, REFERENCE).value, 4) == printed

    def test_first_pair(self) -> None:
        """Five of six words and three of five bigrams match: BLEU-2 is the root of one half."""
        pair = ("The cat sat on the mat.", "The cat is on the mat.")
        score = sentence_bleu(*pair, tokenizer="whitespace", max_order=2, smoothing="none")
        assert (score.matches, score.totals) == ((5, 3), (6, 5))
        assert score.value == pytest.approx(math.sqrt(0.5), rel=1e-15)
        assert (sentence_bleu(*pair).matches[0], sentence_bleu(*pair).totals[0]) == (6, 7)


class Example(NamedTuple):
    candidate: str
    reference: str
    matches: tuple[int, ...]
    totals: tuple[int, ...]
    axion: float  # axion, defaults: lower-cased, add-one, four orders
    axion_2: float  # axion, n_grams=2
    unsmoothed: float  # axion, smoothing=False
    nltk: float  # NLTK 3.10.4, method1
    sacrebleu: float  # sacrebleu 2.6.0, sentence_bleu, out of 100


EXAMPLES = {
    "basic, '~0.6'": Example(
        "The cat sat on the mat.",
        "The cat is sitting on the mat.",
        *((5, 3, 1, 0), (6, 5, 4, 3), 0.4139, 0.6399, 0.0, 0.2151, 42.38),
    ),
    "scenario 1, '~0.9'": Example(
        "The quick brown fox jumped over the lazy dog.",
        "The quick brown fox jumps over the lazy dog.",
        *((8, 6, 4, 2), (9, 8, 7, 6), 0.6580, 0.8367, 0.5969, 0.5969, 65.80),
    ),
    "scenario 2, '~0.5'": Example(
        "Deep learning needs big data to train properly.",
        "Machine learning models require large datasets for training.",
        *((1, 0, 0, 0), (8, 7, 6, 5), 0.1604, 0.1667, 0.0, 0.0278, 5.67),
    ),
    "scenario 3, '~0.1'": Example(
        "The Eiffel Tower is located in the French capital city.",
        "Paris is the capital of France.",
        *((3, 0, 0, 0), (10, 9, 8, 7), 0.1499, 0.1907, 0.0, 0.0278, 5.30),
    ),
}


@pytest.mark.parametrize("example", EXAMPLES.values(), ids=EXAMPLES)
class TestManualOfSentenceBleu:
    def test_profile_axion(self, example: Example) -> None:
        score = BLEU(profile="axion").sentence(example.candidate, example.reference)
        assert (score.matches, score.totals) == (example.matches, example.totals)
        assert round(score.value, 4) == example.axion
        two = BLEU(profile="axion", max_order=2).sentence(example.candidate, example.reference)
        assert round(two.value, 4) == example.axion_2
        plain = BLEU(profile="axion", smoothing="none").sentence(example.candidate, example.reference)
        assert round(plain.value, 4) == example.unsmoothed

    def test_sentence_bleu_class(self, example: Example) -> None:
        """Orders exist in all four examples, so ours, which leaves out absent ones, gives the same."""
        pair = (example.candidate, example.reference)
        assert SentenceBleu().sentence(*pair).value == BLEU(profile="axion").sentence(*pair).value
        assert round(SentenceBleu(n_grams=2).sentence(*pair).value, 4) == example.axion_2
        assert round(SentenceBleu(smoothing=False).sentence(*pair).value, 4) == example.unsmoothed

    def test_what_others_print(self, example: Example) -> None:
        tokens, reference = example.candidate.lower().split(), example.reference.lower().split()
        nltk = BLEU(profile="nltk", smoothing="method1").sentence(tokens, [reference])
        assert round(nltk.value, 4) == example.nltk
        assert round(sentence_bleu(example.candidate, example.reference).percent, 2) == example.sacrebleu


class TestShortTexts:
    """Exact matches below four words, where the libraries part (each was run)."""

    @pytest.mark.parametrize("text", ["Paris", "the cat", "the cat sat", "the cat sat down", "a a a"])
    def test_a_perfect_match_of_any_length_is_one(self, text: str) -> None:
        assert sentence_bleu(text, text).value == 1.0
        assert SentenceBleu().sentence(text, text).value == 1.0
        assert SentenceBleu(smoothing=False).sentence(text, text).value == 1.0

    def test_paris_elsewhere(self) -> None:
        assert BLEU(effective_order=False).sentence("Paris", "Paris").value == 0.0  # sacrebleu.BLEU()
        assert BLEU(profile="axion").sentence("Paris", "Paris").value == 0.0
        assert SentenceBleu(case_sensitive=True, smoothing=False).sentence("Paris", "paris").value == 0.0
        nltk = BLEU(profile="nltk", smoothing="method2").sentence(["Paris"], [["Paris"]])
        assert round(nltk.value, 4) == 0.5946

    def test_add_k_takes_a_missing_order_for_perfect(self) -> None:
        """sacrebleu 2.6.0: 66.7/66.7/50/100 and 68.66."""
        score = sentence_bleu("a b x", "a b c", smoothing="add-k")
        assert score.precisions == pytest.approx([2 / 3, 2 / 3, 1 / 2, 1.0])
        assert round(score.percent, 2) == 68.66
