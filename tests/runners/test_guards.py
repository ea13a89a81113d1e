"""Notes about texts and scores that usually come from a mistake."""

from __future__ import annotations

import warnings

import pytest

import bleuprint as bp
from bleuprint.errors import InputWarning, NotTextError
from bleuprint.runners.guards import TextGuard, notes_on_scores
from tests.support.cli import lines


def test_identical_systems_and_references_that_are_sources() -> None:
    outputs, references = lines("system-a"), [(text,) for text in lines("ref-1")]
    systems = {"A": outputs, "B": lines("system-b"), "C": outputs}
    assert TextGuard().look(systems, references, lines("source")).notes() == [
        "A and C are identical in every segment; is one of them the wrong file?"
    ]
    (note,) = TextGuard().look({"A": outputs}, references, lines("ref-1")).notes()
    assert note.startswith("48 of 48 references are equal to their source")


def test_blocks_are_taken_together() -> None:
    guard = TextGuard()
    guard.look({"A": ["a"], "B": ["a"]}, [("x",)], ["x"])
    assert len(guard.notes()) == 2
    guard.look({"A": ["a", "b"], "B": ["a", "c"]}, [("y",), ("z",)], ["", ""])
    assert guard.notes() == []


def test_unknown_words() -> None:
    model = bp.LanguageModel.train(lines("ref-1"), order=2, discount_fallback=True)
    result = bp.evaluate({"A": ["zyx wvu"], "B": ["the"]}, ["a"], metrics=[bp.Perplexity(model)])
    (note,) = notes_on_scores(result)
    assert note.startswith("the language model does not know 67 % of the tokens of A, so")
    assert notes_on_scores(bp.evaluate(["a b c d"], ["a b c d"])) == []


def test_a_text_in_brackets_is_not_silently_one_token() -> None:
    with pytest.warns(InputWarning, match="each is one token with spaces in it; pass a str") as caught:
        assert bp.sentence_bleu(["the cat sat on a mat"], ["the cat sat on the mat"]).value == 0.0
    assert caught[0].filename == __file__
    with pytest.warns(UserWarning, match="hypotheses: "):
        bp.corpus_bleu([["the cat sat"], ["a dog"]], [["the cat sat"], ["a dog"]])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        bp.sentence_bleu(["New York", "is", "large"], ["New York", "is", "big"])
        bp.corpus_bleu([["New York"], ["large"]], [["New York"], ["big"]])
        bp.sentence_bleu("a b", ["a b"])


def test_a_missing_text_of_pandas() -> None:
    with pytest.raises(NotTextError, match=r"got NaN; it stands for a missing text: use '' or drop the segment"):
        bp.corpus_bleu(["a", float("nan")], ["a", "b"])  # type: ignore[list-item]
    with pytest.raises(NotTextError, match=r"references\[1\].*got NaN.*fillna"):
        bp.corpus_bleu(["a", "b"], ["a", float("nan")])  # type: ignore[list-item]
    with pytest.raises(NotTextError, match="got float; convert it with str"):
        bp.corpus_bleu(["a", 3.5], ["a", "b"])  # type: ignore[list-item]
