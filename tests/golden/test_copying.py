"""Metrics of copying: numbers worked out by hand from the definitions of the papers."""

from __future__ import annotations

import pytest

import bleuprint as bp

ARTICLE = "the council met on monday . it approved the plan for a new school ."
SUMMARY = "the council approved the plan for a school on monday ."


def test_fragments_of_grusky_et_al_2018() -> None:
    """F(A, S), figure 3: "the council", "approved the plan for a", "school", "on monday .": 2, 5, 1, 3 words of 11."""
    score = bp.metrics.Coverage(tokenizer="whitespace").sentence(SUMMARY, source=ARTICLE)
    assert score.value == 11 / 11
    assert score["density"] == (4 + 25 + 1 + 9) / 11
    assert score["compression"] == 15 / 11
    # New are "council approved", "a school" and "school on".
    assert score["novel_1"] == 0
    assert score["novel_2"] == 3 / 10
    assert bp.metrics.Density(tokenizer="whitespace").sentence(SUMMARY, source=ARTICLE).value == 39 / 11


def test_novelty_of_merrill_et_al_2024() -> None:
    """The share of n-grams, with repetition, that are not in the corpus."""
    index = bp.NgramIndex.build([ARTICLE], max_order=4, tokenizer="whitespace")
    score = bp.metrics.Novelty(index=index, order=2).corpus([SUMMARY, "a new school on monday ."])
    # Of 10 and 5 bigrams, 3 and 1 are new; of 9 and 4 trigrams, those with one of these inside: 5 and 2.
    assert score.value == 4 / 15
    assert score.curve[:3] == (0.0, 4 / 15, 7 / 13)


WORDS = [f"w{number}" for number in range(40)]


def contaminated(text: list[str], profile: str) -> float:
    index = bp.NgramIndex.build([WORDS], tokenizer="whitespace")
    return bp.metrics.Contamination(index=index, profile=profile).sentence(text).value


def test_gpt3_takes_any_13_gram_or_the_whole_of_a_shorter_text() -> None:
    """Brown et al. 2020, appendix C."""
    assert contaminated(["x", *WORDS[3:16], "y"], "gpt3") == 1.0
    assert contaminated(["x", *WORDS[3:15], "y"], "gpt3") == 0.0
    assert contaminated(WORDS[3:8], "gpt3") == 1.0
    assert contaminated([*WORDS[3:8], "x"], "gpt3") == 0.0


@pytest.mark.parametrize(("seen", "expected"), [(13, 0.0), (14, 1.0)])
def test_palm_takes_seven_of_ten_8_grams(seen: int, expected: float) -> None:
    """Chowdhery et al. 2023, section 8: 17 words have ten 8-grams, of which 14 seen words hold seven."""
    assert contaminated([*WORDS[:seen], *"x" * (17 - seen)], "palm") == expected


@pytest.mark.parametrize(("copied", "expected"), [(10, 0.0), (11, 0.0), (12, 1.0)])
def test_llama2_takes_four_of_five_tokens_in_spans_of_more_than_ten(copied: int, expected: float) -> None:
    """Touvron et al. 2023, appendix A.6: 12 of 15 tokens are 80 %, 11 are fewer, and a span of 10 does not count."""
    assert contaminated([*WORDS[:copied], *"x" * (15 - copied)], "llama2") == expected
    if copied == 10:
        assert contaminated(WORDS[:10], "llama2") == 0.0
