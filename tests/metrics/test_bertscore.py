"""BERTScore over encoders that need no weights: its formula, its laws, its errors."""

from __future__ import annotations

import copy
import math
import re
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from bleuprint import BERTScore, compare, evaluate, replay, signature
from bleuprint.core.columns import Corpus
from bleuprint.errors import (
    FitError,
    MergeError,
    OptionError,
    SignatureError,
)
from bleuprint.models.encoders import CallableEncoder
from bleuprint.runners import one_pass as together
from tests.kernels.twins import bertscore as twin
from tests.support.effort import examples
from tests.support.encoders import assert_texts_are_checked, encoder, framed

texts = st.text("abcdefgh ", max_size=8)
corpora = st.lists(st.tuples(texts, st.lists(texts, min_size=1, max_size=3)), min_size=1, max_size=5)
few_examples = settings(max_examples=examples(60), deadline=None)
HYPOTHESES, REFERENCES = ["abc", "fed", "", "aa"], [["abd", "cba"], ["def"], ["a"], ["aaaa", ""]]


def split(corpus: list[tuple[str, list[str]]]) -> tuple[list[str], list[list[str]]]:
    return [hypothesis for hypothesis, _ in corpus], [group for _, group in corpus]


@few_examples
@given(corpus=corpora, idf=st.booleans())
def test_equal_to_loops_over_tokens(corpus: list[tuple[str, list[str]]], idf: bool) -> None:
    hypotheses, references = split(corpus)
    every = [text for group in references for text in group]
    weights = twin.rarity([tokens for tokens, _ in framed(every)]) if idf else None
    unseen = math.log(len(every) + 1)
    expected = []
    for hypothesis, group in corpus:
        ours, *theirs = framed([hypothesis, *group])
        expected.append(np.max([twin.bertscore(ours, one, "[]", weights, unseen) for one in theirs], axis=0))
    metric = BERTScore(encoder(), idf=idf)
    rows = metric.statistics(hypotheses, references).rows * 2.0**-30
    assert rows == pytest.approx(np.array(expected), abs=1e-6)  # vectors are single precision
    assert metric.sentences(hypotheses, references).tolist() == rows[:, 2].tolist()


@few_examples
@given(corpus=corpora, cut=st.integers(0, 5))
def test_shards_and_streams_are_the_whole(corpus: list[tuple[str, list[str]]], cut: int) -> None:
    hypotheses, references = split(corpus)
    for metric in (BERTScore(encoder()), BERTScore(encoder(), idf=True).fit(references)):
        first = copy.copy(metric).reset().update(hypotheses[:cut], references[:cut])
        second = copy.copy(metric).reset().update(hypotheses[cut:], references[cut:])
        whole = metric.corpus(hypotheses, references)
        merged = first.merge(second).compute()
        assert merged.value == whole.value
        assert merged.parts == whole.parts
        assert float(metric.sentences(hypotheses, references).mean()) == pytest.approx(whole.value)


@few_examples
@given(text=texts, other=texts)
def test_equal_texts_score_one_and_order_of_references_is_free(text: str, other: str) -> None:
    assume(text.strip())
    metric = BERTScore(encoder())
    assert metric.sentence(text, text).value == 1.0
    assert metric.sentence(text, [other, text]).value == metric.sentence(text, [text, other]).value == 1.0
    swapped = metric.sentence(other, text)
    assert swapped["precision"] == metric.sentence(text, other)["recall"]


def test_marks_have_no_weight_but_can_be_matched() -> None:
    def two(found: list[str]) -> list[tuple[list[str], Any]]:
        return [(["[", text], np.array([[1.0, 0.0], [1.0, 0.0] if text == "x" else [0.0, 1.0]])) for text in found]

    kept = BERTScore(CallableEncoder(two, markers="[")).sentence("x", "y")
    assert (kept["precision"], kept["recall"]) == (1.0, 0.0)


def test_long_texts_are_compared_piece_by_piece() -> None:
    long = "abcdefgh" * 400
    metric = BERTScore(encoder())
    assert metric.sentence(long, long).value == 1.0
    score, turned = metric.sentence(long, "hgab" * 300), metric.sentence("hgab" * 300, long)
    assert score["precision"] == pytest.approx(turned["recall"], abs=1e-9)
    ours, theirs = (rows / np.linalg.norm(rows, axis=1)[:, None] for _, rows in framed([long, "hgab" * 300]))
    assert score["precision"] == pytest.approx((ours @ theirs.T).max(axis=1)[1:-1].mean(), abs=1e-6)
    assert score["recall"] == pytest.approx((ours @ theirs.T).max(axis=0)[1:-1].mean(), abs=1e-6)


def test_a_vector_of_zeros_is_near_to_nothing() -> None:
    def zeros(found: list[str]) -> list[tuple[list[str], Any]]:
        return [([text], np.full((1, 3), float(text != "nothing"))) for text in found]

    score = BERTScore(CallableEncoder(zeros)).sentence("nothing", "x")
    assert (score.value, score["precision"], score["recall"]) == (0.0, 0.0, 0.0)


@pytest.mark.parametrize(("cosine", "expected"), [(0.34, -1.0), (0.32, 1.0)])
def test_f_of_opposite_signs_stays_on_the_scale_of_cosines(cosine: float, expected: float) -> None:
    """Precision is (cosine − 1) / 2 and recall the cosine: next to nothing divides their product."""
    places = {"near": (cosine, math.sqrt(1 - cosine**2)), "opposite": (-1.0, 0.0), "reference": (1.0, 0.0)}

    def encode(found: list[str]) -> list[tuple[list[str], Any]]:
        return [(text.split(), np.array([places[word] for word in text.split()])) for text in found]

    score = BERTScore(CallableEncoder(encode)).sentence("near opposite", "reference")
    assert score["precision"] == pytest.approx((cosine - 1) / 2)
    assert score["recall"] == pytest.approx(cosine)
    assert score.value == expected


def test_rescaling() -> None:
    plain = BERTScore(encoder()).sentence("abc", "abd")
    scaled = BERTScore(encoder(), baseline=(0.2, 0.3, 0.25)).sentence("abc", "abd")
    assert scaled.value == pytest.approx((plain.value - 0.25) / 0.75)
    assert scaled["precision"] == pytest.approx((plain["precision"] - 0.2) / 0.8)
    assert scaled["recall"] == pytest.approx((plain["recall"] - 0.3) / 0.7)


@pytest.mark.parametrize(
    "bad",
    [(0.1, 0.2), (0.1, 0.2, 1.0), "no such file", (0.1, "x", 0.2), 3, (0.1, math.nan, 0.2), (0.1, -math.inf, 0.2)],
)
def test_baselines_are_checked(bad: Any) -> None:
    with pytest.raises(OptionError, match="baseline must be"):
        BERTScore(encoder(layer=1), baseline=bad)


@pytest.mark.parametrize("idf", [True, False])
def test_a_prior_is_named_by_a_signature(idf: bool) -> None:
    with pytest.raises(OptionError, match="prior must be None or a prior from a signature"):
        BERTScore(encoder(), idf=idf, prior=5)  # type: ignore[arg-type]


def test_idf_without_references_to_learn_from() -> None:
    metric = BERTScore(encoder(), idf=True)
    assert not metric.can_stream
    with pytest.raises(FitError):
        metric.update(["a"], ["a"])
    fitted = metric.fit(["ab", "ac"])
    assert fitted.sentence("b", "b").value == 1.0
    assert re.search(r"\|prior:2-[0-9a-f]{32}$", fitted.signature)
    score = metric.corpus(HYPOTHESES, REFERENCES)
    assert "prior:6-" in score.signature


def test_signature_replays_with_the_encoder() -> None:
    for metric in (BERTScore(encoder(), baseline=(0.1, 0.2, 0.3)), BERTScore(encoder(), idf=True)):
        score = metric.corpus(HYPOTHESES, REFERENCES)
        again = BERTScore.from_signature(score.signature, encoder=encoder())
        assert again.corpus(HYPOTHESES, REFERENCES).value == score.value
        with pytest.raises(SignatureError, match="encoder=…"):
            BERTScore.from_signature(score.signature)
        with pytest.raises(SignatureError, match=r"the given encoder .*\|encoder:other\|.*, not .*\|encoder:letters\|"):
            BERTScore.from_signature(score.signature, encoder=encoder(name="other"))
    assert signature.parse(score.signature).metric == "bertscore"


def test_bad_input_is_refused() -> None:
    metric = BERTScore(encoder())
    assert_texts_are_checked(metric)
    with pytest.raises(MergeError):
        metric.merge(BERTScore(encoder(), baseline=(0.1, 0.1, 0.1)))


def test_rarities_travel_as_bytes() -> None:
    fitted = BERTScore(encoder(), idf=True).fit(REFERENCES)
    assert fitted.definition.prior is not None
    metric = BERTScore(encoder(), idf=True)
    again = metric.of(metric.definition.fit(fitted.definition.prior.content(), 1))
    assert again.signature == fitted.signature
    assert again.sentences(HYPOTHESES, REFERENCES).tolist() == fitted.sentences(HYPOTHESES, REFERENCES).tolist()
    for content in (b"", b"[]", b"[1, 2]", b'{"a": 1}', b"\xff"):
        with pytest.raises(ValueError, match=r"Expecting value|not enough values|no list of tokens|invalid start byte"):
            metric.definition.fit(content, 1)


def test_in_evaluations_and_comparisons() -> None:
    metric = BERTScore(encoder(), idf=True)
    result = evaluate({"A": HYPOTHESES, "B": HYPOTHESES[::-1]}, REFERENCES, metrics=["bleu", metric])
    found = result.systems[0].score("bertscore")
    assert found.value == metric.corpus(HYPOTHESES, REFERENCES).value
    assert list(found.segments) == metric.sentences(HYPOTHESES, REFERENCES).tolist()
    assert "prior:6-" in found.signature
    plain = BERTScore(encoder())
    together.update({"A": {"bertscore": plain}}, {"A": Corpus.of(HYPOTHESES, REFERENCES)})
    assert plain.compute().value == plain.corpus(HYPOTHESES, REFERENCES).value
    references = [group[0] for group in REFERENCES] * 5
    outcome = compare({"A": references, "B": HYPOTHESES * 5}, references, metrics=[plain])
    assert "bertscore: A is better than B" in str(outcome)


def test_a_stored_result_replays_with_the_encoder() -> None:
    stored = evaluate(HYPOTHESES, REFERENCES, metrics=[BERTScore(encoder(), idf=True)])
    text = stored.systems[0].scores[0].signature
    again = BERTScore.from_signature(text, encoder=encoder())
    assert replay(stored, metrics={"bertscore": again}).same
    with pytest.raises(SignatureError, match="the signature names the prior"):
        again.corpus(HYPOTHESES[:1], REFERENCES[:1])
