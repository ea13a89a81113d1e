"""METEOR by hand, and the numbers that NLTK 3.10.4 documents for its own."""

from __future__ import annotations

import pytest

from bleuprint import METEOR, sentence_meteor

# The example of NLTK's manual: https://www.nltk.org/api/nltk.translate.meteor_score.html
HYPOTHESIS = "It is a guide to action which ensures that the military always obeys the commands of the party"
REFERENCES = [
    "It is a guide to action that ensures that the military will forever heed Party commands",
    "It is the guiding principle which guarantees the military forces always being under the command of the Party",
    "It is the practical guide for the army always to heed the directions of the party",
]


def test_the_example_of_nltk() -> None:
    for references in (REFERENCES[0], REFERENCES):
        assert f"{sentence_meteor(HYPOTHESIS, references).value:.4f}" == "0.6944"
    assert sentence_meteor("non matching hypothesis", "this is a cat").value == 0.0


def test_the_example_by_hand() -> None:
    """12 words match in 6 chunks: "it is a guide to action", "ensures that", and alone "military", "commands", "the"
    and "party". Of "the" the last of the text meets the only one of the reference, because matching starts at the end.
    P = 12/18, R = 12/16, F = 20/27, penalty = 1/16."""
    score = sentence_meteor(HYPOTHESIS, REFERENCES[0])
    assert score.columns == (12, 6, 18, 16)
    assert score["f_mean"] == pytest.approx(20 / 27, rel=1e-15)
    assert score["penalty"] == 1 / 16
    assert score.value == pytest.approx(20 / 27 * 15 / 16, rel=1e-15)


def test_the_stages_by_hand() -> None:
    """ "kid" is a synonym of "child"; "ran" has the base form "run", which is the stem of "runs"."""
    pair = "a kid ran", "the child runs"
    assert METEOR().sentence(*pair).columns == (2, 1, 3, 3)
    assert METEOR(stages="exact+stem").sentence(*pair).columns == (0, 0, 3, 3)
    assert METEOR().sentence(*pair).value == pytest.approx(2 / 3 * (1 - 0.5 / 8), rel=1e-15)
