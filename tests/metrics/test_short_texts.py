"""Texts that are shorter than the longest n-grams: what their scores are is said where they are shown."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest

import bleuprint as bp
from bleuprint.errors import InputWarning
from tests.support.cli import succeed

WHY = (
    "no output has 3 tokens, so there are no 3-grams and BLEU is 0; use effective_order=True, or max_order=2 "
    "(command line: -m bleu:effective_order=yes)"
)


def test_bleu_of_short_outputs_says_why_it_is_zero() -> None:
    score = bp.corpus_bleu(["the cat", "dogs"], ["the cat", "dogs"])
    assert score.value == 0.0
    assert score.note == WHY
    assert str(score).endswith(f"; {WHY}")
    assert "max_order=1" in bp.corpus_bleu(["a", "b"], ["a", "b"]).note
    assert bp.corpus_bleu(["the cat"], ["the cat"], effective_order=True).note == ""
    assert bp.corpus_bleu(["the cat"], ["the cat"], max_order=2).value == 1.0


@pytest.mark.parametrize(
    ("outputs", "references"),
    [
        (["the cat sat on the mat"], ["the cat sat on the mat"]),
        (["a b c d e"], ["v w x y z"]),  # nothing in common
        (["a b"], ["x y"]),
        ([""], ["a b c d"]),
    ],
)
def test_other_scores_need_no_note(outputs: list[str], references: list[str]) -> None:
    score = bp.corpus_bleu(outputs, references)
    assert score.note == ""
    assert str(score).endswith(")")


def test_work_says_why_it_is_zero() -> None:
    steps = bp.work("the cat", "the cat", bp.BLEU(effective_order=False))
    assert WHY in " ".join(steps.pretty().split())
    assert "no output has" not in bp.work("the cat", "the cat").pretty()


def test_the_command_line_says_why_it_is_zero(tmp_path: Path) -> None:
    (tmp_path / "short").write_text("the cat\ndogs\n", encoding="utf-8")
    (tmp_path / "long").write_text("the cat sat on a mat\ndogs bark at the red moon\n", encoding="utf-8")
    short, long = str(tmp_path / "short"), str(tmp_path / "long")
    assert f"note: short: {WHY}" in succeed("score", short, "-r", short).stderr
    assert f"note: short: {WHY}" in succeed("score", short, "-r", short, "--json", str(tmp_path / "x.json")).stderr
    assert "note" not in succeed("score", long, "-r", long).stderr
    assert "note" not in succeed("score", short, "-r", short, "-m", "bleu:effective_order=yes").stderr


def test_self_bleu_of_short_texts_says_that_equal_ones_score_below_one() -> None:
    with pytest.warns(InputWarning, match="self-bleu: 100 of 100 texts have fewer than 5 tokens") as caught:
        score = bp.self_bleu(["yes"] * 100)
    assert len(caught) == 1
    assert caught[0].filename == __file__
    assert round(score.value, 3) == 0.158
    assert "an order that a text is too short for counts as 0 of 1" in score.note
    assert "use max_order=1" in score.note
    assert score.note in str(score)
    with pytest.warns(InputWarning, match="cross-bleu: 2 of 3 texts have fewer than 4 tokens"):
        bp.cross_bleu(["yes", "no", "a b c d e"], ["yes", "no"], max_order=4)
    with pytest.warns(InputWarning, match="self-bleu: 3 of 3") as caught:
        bp.evaluate({"A": ["yes"] * 3}, metrics=["self-bleu"])
    assert len(caught) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert bp.self_bleu(["yes"] * 100, max_order=1).value == 1.0
        assert bp.self_bleu(["the cat sat on the mat"] * 2 + ["yes"]).note == ""
        bp.self_bleu(["", ""])


def test_resampling_does_not_repeat_the_warning() -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        bp.compare({"A": ["yes", "no", "yes"], "B": ["a", "b", "c"]}, metrics=["self-bleu"], resamples=19)
    assert [str(warning.message).partition(";")[0] for warning in caught] == [
        "self-bleu: 3 of 3 texts have fewer than 5 tokens"
    ] * 2
