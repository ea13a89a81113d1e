"""iBLEU's laws, and what metrics that read sources share."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bleuprint as bp
from bleuprint import BLEU, IBLEU
from bleuprint.errors import LengthMismatchError, MissingSourcesError, OptionError, UnusedSourcesError

words = st.lists(st.sampled_from(["a", "b", "c", "the", "mat"]), max_size=9).map(" ".join)
triples = st.lists(st.tuples(words, st.lists(words, min_size=1, max_size=3), words), min_size=1, max_size=5)
Triples = list[tuple[str, list[str], str]]


def columns(corpus: Triples) -> tuple[list[str], list[list[str]], list[str]]:
    return [h for h, _, _ in corpus], [r for _, r, _ in corpus], [s for _, _, s in corpus]


@given(triples, st.floats(0, 1))
def test_law_24_ibleu_is_linear_in_alpha(corpus: Triples, alpha: float) -> None:
    hypotheses, references, sources = columns(corpus)
    against = BLEU().corpus(hypotheses, references), BLEU().corpus(hypotheses, sources)
    adequacy, similarity = (score.value for score in against)
    score = IBLEU(alpha=alpha).corpus(hypotheses, references, sources=sources)
    assert score.value == alpha * adequacy - (1 - alpha) * similarity
    for part, whole in zip((score.adequacy, score.similarity), against, strict=True):
        assert (part.value, part.columns, part.signature) == (whole.value, whole.columns, whole.signature)
    assert -(1 - alpha) <= score.value <= alpha
    assert IBLEU(alpha=1).corpus(hypotheses, references, sources=sources).value == adequacy
    assert IBLEU(alpha=0).corpus(hypotheses, references, sources=sources).value == -similarity


def test_profiles() -> None:
    """EditEval's own test: output, reference and input alike give α − (1 − α) = 0.8."""
    text = ["the quick brown fox jumps over the lazy dog ."]
    assert bp.ibleu(text, text, sources=text, profile="editeval").value == pytest.approx(0.8, abs=1e-15)
    assert bp.ibleu(text, text, sources=text, profile="autometrics").value == pytest.approx(0.8, abs=1e-15)
    short = ["yes"]
    assert bp.ibleu(short, short, sources=short, profile="autometrics").value == 0.0  # no effective order there
    assert IBLEU(profile="editeval", alpha=0.5).options["alpha"] == 0.5


@pytest.mark.parametrize("alpha", [-0.1, 1.1, float("nan"), "0.9", True])
def test_alpha_outside_its_range(alpha: float) -> None:
    with pytest.raises(OptionError, match="alpha must be a number from 0 to 1"):
        IBLEU(alpha=alpha)


def test_sources_are_asked_for_and_refused() -> None:
    with pytest.raises(MissingSourcesError):
        IBLEU().corpus(["a"], ["a"])
    with pytest.raises(UnusedSourcesError, match="bleu does not use sources"):
        BLEU().corpus(["a"], ["a"], sources=["a"])
    with pytest.raises(LengthMismatchError, match="hypotheses has 1 segments but sources has 2"):
        IBLEU().corpus(["a"], ["a"], sources=["a", "b"])
