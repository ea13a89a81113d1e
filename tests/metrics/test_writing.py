"""How metrics are written: their repr, their names with options, and options that they do not have."""

from __future__ import annotations

from typing import Any

import pytest

import bleuprint as bp
from bleuprint.errors import OptionError, UnknownOptionError
from bleuprint.metrics import registry


@pytest.mark.parametrize(
    ("metric", "written"),
    [
        (bp.SentenceBleu(), "SentenceBleu()"),
        (bp.SentenceBleu(n_grams=2, threshold=0.3), "SentenceBleu(n_grams=2, threshold=0.3)"),
        (bp.BLEU(max_order=2, tokenizer="char"), "BLEU(tokenizer='char', max_order=2)"),
        (bp.SelfBLEU(max_order=3), "SelfBLEU(max_order=3)"),
    ],
)
def test_repr_is_the_call_that_makes_the_metric(metric: Any, written: str) -> None:
    assert repr(metric) == written
    assert repr(eval(written, {**vars(bp.metrics), type(metric).__name__: type(metric)})) == written


@pytest.mark.parametrize("name", registry.scored_by_name())
def test_repr_of_every_metric_names_its_class(name: str) -> None:
    assert repr(registry.resolve(name)) == f"{registry.find(name).__name__}()"


def test_a_metric_is_written_in_python_as_on_the_command_line() -> None:
    texts, references = ["the cat sat on a mat"], ["the cat sat on the mat"]
    result = bp.evaluate(texts, references, metrics=["chrf:word_order=2", "BLEU"])
    assert result.metrics == ("chrf", "bleu")
    assert result.systems[0].scores[0].value == bp.CHRF(word_order=2).corpus(texts, references).value
    assert bp.evaluate(texts, references, metrics="chrf++, chrf").metrics == ("chrf:profile=chrf++", "chrf")
    assert str(result) == result.pretty()
    with pytest.raises(OptionError, match=r"chrf has no option 'word_ordr'\. Did you mean word_order\?"):
        bp.evaluate(texts, references, metrics=["chrf:word_ordr=2"])
    with pytest.raises(OptionError, match="metric must be one metric with its options, got 'bleu:max_order=2,chrf'"):
        registry.resolve("bleu:max_order=2,chrf")


@pytest.mark.parametrize("call", [bp.BLEU, lambda **options: bp.corpus_bleu(["a"], ["a"], **options)])
def test_an_unknown_option_gets_the_right_name(call: Any) -> None:
    with pytest.raises(
        UnknownOptionError, match=r"an option of bleu must be .*got 'smooth'\. Did you mean 'smoothing'"
    ):
        call(smooth="exp")
    with pytest.raises(TypeError):  # which it is in Python
        call(smooth="exp")
