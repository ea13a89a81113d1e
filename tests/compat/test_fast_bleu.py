"""fast_bleu's classes, equal to what NLTK says of the same texts, which fast-bleu is meant to be."""

from __future__ import annotations

import random
import warnings
from typing import Any

import pytest
from nltk.translate.bleu_score import SmoothingFunction, sentence_bleu

from bleuprint.compat.fast_bleu import BLEU, SelfBLEU
from bleuprint.errors import OptionError

WEIGHTS: dict[Any, Any] = {"two": (0.5, 0.5), 4: (0.25,) * 4, ("uneven",): (0.2, 0.3, 0.5)}


def pool(seed: int, count: int) -> list[list[str]]:
    chooser = random.Random(seed)
    words = ["a", "b", "c", "d", "a b", "ü"]
    return [chooser.choices(words, k=chooser.choice([1, 2, 3, 5, 9])) for _ in range(count)]


def expected(references: list[list[str]], text: list[str], weights: Any, method: int, reweigh: bool) -> float:
    smooth = getattr(SmoothingFunction(), f"method{method}")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return float(sentence_bleu(references, text, weights, smooth, reweigh))


@pytest.mark.parametrize("method", [0, 1])
@pytest.mark.parametrize("reweigh", [False, True])
def test_equal_to_nltk(method: int, reweigh: bool) -> None:
    references, texts = pool(1, 12), pool(2, 30)
    found = BLEU(references, WEIGHTS, method, reweigh).get_score(texts)
    alone = SelfBLEU(texts, WEIGHTS, method, reweigh).get_score()
    assert list(found) == list(alone) == list(WEIGHTS)
    for key, weights in WEIGHTS.items():
        by_nltk = [expected(references, text, weights, method, reweigh) for text in texts]
        assert found[key] == pytest.approx(by_nltk, rel=1e-12, abs=1e-300)
        others = [texts[:at] + texts[at + 1 :] for at in range(len(texts))]
        by_nltk = [expected(rest, text, weights, method, reweigh) for rest, text in zip(others, texts, strict=True)]
        assert alone[key] == pytest.approx(by_nltk, rel=1e-12, abs=1e-300)


def words(text: str) -> list[str]:
    return text.split()


def test_the_example_of_its_documentation() -> None:
    """The figures that fast-bleu documents."""
    first = words("It is a guide to action that ensures that the military will forever heed Party commands")
    second = "It is the guiding principle which guarantees the military forces always being under the command"
    third = words("It is the practical guide for the army always to heed the directions of the party")
    texts = [first, [*second.split(), "of", "the", "Party"], third]
    one = words("It is a guide to action which ensures that the military always obeys the commands of the party")
    two = words("he read the book because he was interested in world history")
    weights = {"bigram": (1 / 2, 1 / 2), "trigram": (1 / 3, 1 / 3, 1 / 3)}
    assert BLEU(texts, weights).get_score([one, two])["bigram"] == pytest.approx([0.7453559925, 0.0191380231])
    found = SelfBLEU(texts, weights).get_score()["trigram"]
    assert found == pytest.approx([0.0780896606, 0.2014062021, 0.2141533476])


def test_tokens_are_not_joined() -> None:
    """fast-bleu cannot tell ("a b", "c") from ("a", "b c")."""
    (score,) = BLEU([["a b", "c"]], {2: (0.5, 0.5)}).get_score([["a", "b c"]])[2]
    assert score == 0.0


def test_other_tokens_and_defaults() -> None:
    assert BLEU([[1, 2, 3, 4]]).get_score([[1, 2, 3, 4]]) == {4: [1.0]}
    assert BLEU([[1, 2]]).get_score([]) == {4: []}


def test_wrong_options() -> None:
    with pytest.raises(OptionError, match="smoothing_func"):
        BLEU([["a"]], smoothing_func=2)
    with pytest.raises(OptionError, match="sum to 1"):
        SelfBLEU([["a"], ["b"]], {2: (0.5, 0.6)})
