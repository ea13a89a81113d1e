"""evaluate: the same numbers as the functions, in one result."""

from __future__ import annotations

import warnings

import pytest

import bleuprint as bp
from bleuprint.errors import InputError, LengthMismatchError, OptionError, SurrogateError
from bleuprint.runners import evaluate

HYPOTHESES = ["the cat sat on the mat", "No.", "a b c d e", ""]
OTHER = ["a cat sat on a mat", "Yes.", "a b c d e", "x"]
REFERENCES = [("the cat sat on a mat", "a cat sat there"), ("No.", "Nope."), ("a b c d e", "z"), ("x", "y")]


def test_numbers_are_those_of_the_functions() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        result = evaluate({"one": HYPOTHESES, "two": OTHER}, REFERENCES)
    for system, hypotheses in zip(result.systems, (HYPOTHESES, OTHER), strict=True):
        score = system.score("bleu")
        expected = bp.corpus_bleu(hypotheses, REFERENCES)
        assert score.value == expected.value
        assert score.signature == expected.signature
        assert score.parts["matches"] == expected.matches
        assert score.parts["precisions"] == expected.precisions
        assert score.segments == tuple(bp.sentence_bleus(hypotheses, REFERENCES).tolist())
        first = bp.sentence_bleu(hypotheses[0], REFERENCES[0])
        assert score.segment_signature == first.signature
        assert score.segments[0] == first.value
    assert result.references == tuple(REFERENCES)
    assert result.metrics == ("bleu",)


def test_metrics_by_name_and_by_object() -> None:
    result = evaluate(
        {"one": HYPOTHESES},
        REFERENCES,
        metrics={"mine": bp.BLEU(max_order=2), "theirs": bp.BLEU(profile="nltk", tokenizer="whitespace")},
    )
    assert result.metrics == ("mine", "theirs")
    assert result.systems[0].score("mine").value == bp.corpus_bleu(HYPOTHESES, REFERENCES, max_order=2).value
    assert evaluate({"one": HYPOTHESES}, REFERENCES, metrics=["bleu", "item-bleu"]).metrics == (
        "bleu",
        "item-bleu",
    )
    with pytest.raises(KeyError):
        result.systems[0].score("bleu")


def test_a_reference_may_be_a_plain_text() -> None:
    assert evaluate({"one": ["a"]}, ["a"]).references == (("a",),)


def test_what_cannot_be_evaluated() -> None:
    with pytest.raises(LengthMismatchError, match="one has 1 segments but references has 4"):
        evaluate({"one": ["a"]}, REFERENCES)
    with pytest.raises(LengthMismatchError, match="sources"):
        evaluate({"one": HYPOTHESES}, REFERENCES, sources=["a"])
    with pytest.raises(InputError, match="at least one system"):
        evaluate({}, REFERENCES)
    with pytest.raises(OptionError, match="nothing"):
        evaluate({"one": HYPOTHESES}, REFERENCES, metrics=["nothing"])
    with pytest.raises(SurrogateError):
        evaluate({"bad\udc80": HYPOTHESES}, REFERENCES)
    with pytest.raises(SurrogateError, match=r"sources\[3\]"):
        evaluate({"one": HYPOTHESES}, REFERENCES, sources=["a", "b", "c", "\ud800"])
