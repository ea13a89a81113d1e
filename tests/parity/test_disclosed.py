"""Where numbers here are not those of another library, or leave their range: as the documents say, and no further."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np
import pytest
from nltk.tokenize import NLTKWordTokenizer
from nltk.translate import bleu_score

import bleuprint as bp
from bleuprint.metrics._token_matching import Prepared, shares
from tests.support.documents import ROOT

CARDS = ROOT / "src" / "bleuprint" / "metrics" / "cards"


@pytest.mark.parametrize("method", ["method5", "method7"])
def test_method5_and_method7_exceed_one_as_in_nltk(method: str) -> None:
    text = [str(number) for number in range(9)]
    for order, largest in ((1, 4 / 3), (4, 1.12)):
        value = bp.sentence_bleu(text, [text], profile="nltk", smoothing=method, max_order=order).value
        smoothing = getattr(bleu_score.SmoothingFunction(), method)
        theirs = bleu_score.sentence_bleu([text], text, (1 / order,) * order, smoothing)
        assert value == pytest.approx(theirs, rel=1e-12)
        assert value == pytest.approx(largest, abs=0.005)
    assert "scores 1.12 with four orders" in " ".join((CARDS / "bleu.md").read_text(encoding="utf-8").split())


def test_meteor_lowercases_before_it_splits() -> None:
    """NLTK splits first: only contractions in mixed case come out differently."""
    assert NLTKWordTokenizer().tokenize("Can'T") == bp.tokenize("Can'T", "nltk") == ["Can'T"]
    assert bp.tokenize("Can'T", "nltk", lowercase=True) == ["ca", "n't"]
    for text in ("Can't stop", "CAN'T STOP", "I'M here", "Dogs and CATS."):
        after = [token.lower() for token in NLTKWordTokenizer().tokenize(text)]
        assert bp.tokenize(text, "nltk", lowercase=True) == after
    assert "Can'T, which NLTK leaves whole" in " ".join((CARDS / "meteor.md").read_text(encoding="utf-8").split())


def test_f_of_bertscore_is_clipped_if_precision_and_recall_have_opposite_signs() -> None:
    def prepared(*vectors: tuple[float, float]) -> Prepared:
        return Prepared(np.array(vectors), np.ones(len(vectors)), False)

    angle = np.arccos([0.5, -0.9])
    first = prepared((1.0, 0.0))
    second = prepared(*((float(np.cos(a)), float(np.sin(a))) for a in (angle[0], angle[1], angle[1])))
    precision, recall, f = shares(first, second)
    assert (precision, recall) == pytest.approx((0.5, (0.5 - 0.9 - 0.9) / 3))
    assert 2 * precision * recall / (precision + recall) < -1
    assert f == -1.0
    assert "F is clipped to [-1, 1]" in " ".join((CARDS / "bertscore.md").read_text(encoding="utf-8").split())


def test_the_tokenizer_intl_removes_whitespace_at_the_end_first() -> None:
    """sacrebleu's BLEU does; its tokenizer alone does not, and neither does its drop-in."""
    theirs: Any = importlib.import_module("sacrebleu.tokenizers.tokenizer_intl").TokenizerV14International()
    ours: Any = importlib.import_module(
        "bleuprint.compat.sacrebleu.tokenizers.tokenizer_intl"
    ).TokenizerV14International()
    assert bp.tokenize("5. ", "intl") == bp.tokenize("5.", "intl") == ["5."]
    for text in ("5. ", "5.", " 5.", "5.\u00a0", "3,\n", "a 5.  ", "5!? ", " ", "", "\t.5", "5. x", "$5 ", "5.\x1f"):
        assert ours(text) == theirs(text), repr(text)
