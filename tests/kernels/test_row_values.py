"""What the core computes from one row, against the formulas in Python, which serve numbers and whole columns."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bleuprint as bp
from bleuprint.errors import BleuprintError
from bleuprint.metrics import smoothing
from tests.support.effort import examples

METHODS = [*smoothing.METHODS, "floor(0)", "floor(0.01)", "add-k(0.5)", "add-all(0)"]
sentences = st.lists(st.sampled_from("abcd"), max_size=9).map(" ".join)


@st.composite
def definitions(draw: st.DrawFn) -> bp.BLEU:
    method = draw(st.sampled_from(METHODS))
    order = draw(st.integers(smoothing.Smoothing.parse(method).rules.least_order, 5))
    parts = draw(st.none() | st.lists(st.integers(0, 4), min_size=order, max_size=order).filter(any))
    return bp.BLEU(
        tokenizer="whitespace",
        max_order=order,
        weights=None if parts is None else [part / sum(parts) for part in parts],
        smoothing=method,
        effective_order=draw(st.sampled_from([None, True, False])),
        absent_order=draw(st.sampled_from(["undefined", "one", "zero"])),
        zero_when=draw(st.sampled_from(["no-match", "any-order-without-match", "never"])),
        zero_precision=draw(st.sampled_from(["zero", "skip"])),
    )


@settings(max_examples=examples(2000), deadline=None)
@given(metric=definitions(), hypothesis=sentences, references=st.lists(sentences, min_size=1, max_size=3))
def test_bleu_of_one_pair_has_the_bits_of_the_formula_and_of_the_column(
    metric: bp.BLEU, hypothesis: str, references: list[str]
) -> None:
    score = metric.sentence(hypothesis, references)
    formula = metric.definition.formula
    assert score.value.hex() == float(formula(score.columns, sentence=True)).hex()
    assert score.value.hex() == float(metric.sentences([hypothesis], [references])[0]).hex()
    assert score.references == len(references)


@pytest.mark.parametrize("method", METHODS)
@settings(max_examples=examples(200), deadline=None)
@given(hypothesis=sentences, reference=sentences, order=st.integers(3, 5))
def test_every_smoothing_method_is_the_same_in_the_core(
    method: str, hypothesis: str, reference: str, order: int
) -> None:
    metric = bp.BLEU(tokenizer="whitespace", max_order=order, smoothing=method)
    formula = metric.definition.formula
    assert (formula.for_rows() is not None) == smoothing.Smoothing.parse(method).rules.in_core
    score = metric.sentence(hypothesis, reference)
    assert score.value == formula(score.columns, sentence=True)
    assert score.value == metric.sentences([hypothesis], [reference])[0]


@settings(max_examples=examples(400), deadline=None)
@given(hypothesis=sentences, references=st.lists(sentences, min_size=1, max_size=3), kind=st.sampled_from("12L"))
def test_rouge_of_one_pair_has_the_bits_of_the_formula_and_of_the_column(
    hypothesis: str, references: list[str], kind: str
) -> None:
    metric = bp.ROUGE(types=(f"rouge{kind}", "rougeLsum"))
    score = metric.sentence(hypothesis, references)
    scores = metric.definition.formula.scores(score.columns)
    assert score.parts == scores
    assert score.value.hex() == float(scores[f"rouge{kind}"]).hex()
    assert score.value.hex() == float(metric.sentences([hypothesis], [references])[0]).hex()


@settings(max_examples=examples(400), deadline=None)
@given(
    hypothesis=sentences,
    references=st.lists(sentences, min_size=1, max_size=3),
    options=st.fixed_dictionaries(
        {
            "char_order": st.integers(0, 6),
            "word_order": st.integers(1, 2),
            "beta": st.sampled_from([0, 1, 1.5, 2, 3]),
            "eps_smoothing": st.booleans(),
        }
    ),
)
def test_chrf_of_one_pair_has_the_bits_of_the_formula_and_of_the_column(
    hypothesis: str, references: list[str], options: dict[str, Any]
) -> None:
    metric = bp.CHRF(**options)
    score = metric.sentence(hypothesis, references)
    assert score.value.hex() == float(metric.definition.formula(score.columns, sentence=True)).hex()
    assert score.value.hex() == float(metric.sentences([hypothesis], [references])[0]).hex()


@pytest.mark.parametrize("effective_order", [True, False])
@pytest.mark.parametrize("max_order", range(1, 17))
def test_orders_whose_weights_do_not_sum_to_one_exactly(max_order: int, effective_order: bool) -> None:
    hypotheses = ["a b c d e f g h i", "a b c x e f", "a", "", "b a b a b a b a b a b a b a b a b"]
    references = ["a b c d f g h i", "a b", "a b c", "c", "a b a b a b x a b a b a b a b"]
    metric = bp.BLEU(max_order=max_order, effective_order=effective_order)
    alone = [metric.sentence(*pair).value for pair in zip(hypotheses, references, strict=True)]
    assert metric.sentences(hypotheses, references).tolist() == alone


def test_large_counts_round_like_python() -> None:
    words = " ".join(str(number % 977) for number in range(30_000))
    others = " ".join(str(number % 983) for number in range(31_000))
    score = bp.sentence_bleu(words, others)
    assert 0 < score.value < 1
    assert score.value == score.definition.formula(score.columns, sentence=True)


def test_pairs_after_long_short_and_refused_ones_score_as_in_a_column() -> None:
    """The counter of a pair is kept for the next pair, unless the text is long or refused."""
    texts: list[Any] = ["a b c", "", "a " * 5000, "b c d e", "\ud800", 7, None, "x", "a b c d e f " * 200, "a b"]
    metrics: list[Any] = [bp.BLEU(), bp.ROUGE(), bp.CHRF(), bp.TER(), bp.WER(), bp.GLEU(), bp.METEOR(), bp.CER()]
    for metric in metrics:
        for hypothesis in texts:
            for reference in texts:
                try:
                    value = metric.sentence(hypothesis, [reference, "a b"]).value
                except BleuprintError:
                    continue
                assert value == metric.sentences([hypothesis], [[reference, "a b"]])[0]


def test_threads_that_share_a_definition_do_not_mix_their_pairs() -> None:
    pairs = [(" ".join("abcdefgh"[: 1 + i % 8]), " ".join("hgfedcba"[i % 5 :])) for i in range(400)]
    expected = bp.sentence_bleus([h for h, _ in pairs], [r for _, r in pairs]).tolist()
    with ThreadPoolExecutor(4) as pool:
        for _ in range(5):
            found = list(pool.map(lambda pair: bp.sentence_bleu(*pair).value, pairs))
            assert found == expected


def test_records_hold_all_numbers_under_their_names() -> None:
    class Triple(NamedTuple):
        precision: float
        recall: float
        f: float

    metric = bp.ROUGE(types=("rouge1", "rougeL"))
    scorer = metric.definition.pair_scorer
    assert scorer is not None
    texts = "the cat sat on the mat", ["on the mat", "a cat sat"]
    score = metric.sentence(*texts)
    expected = {
        kind: (score[f"{kind}_precision"], score[f"{kind}_recall"], score[kind]) for kind in ("rouge1", "rougeL")
    }
    beyond: list[str] = []
    records = scorer.records(("rouge1", "rougeL"), Triple, beyond.append, *texts)
    assert records is not None
    assert list(records.items()) == list(expected.items())
    assert all(type(record) is Triple for record in records.values())
    with pytest.raises(TypeError):
        scorer.records(("rouge1",), list, beyond.append, *texts)  # type: ignore[type-var]
    for names in ((), tuple(map(str, range(7)))):
        with pytest.raises(ValueError, match="numbers"):
            scorer.records(names, tuple, beyond.append, *texts)
    assert scorer.records(("rouge1", "rougeL"), Triple, beyond.append, ["the", "cat"], texts[1]) is None
    assert not beyond
    scorer.records(("rouge1", "rougeL"), Triple, beyond.append, "the caf\u00e9", texts[1])
    assert beyond == ["the caf\u00e9"]
