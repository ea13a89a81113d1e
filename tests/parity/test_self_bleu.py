"""Self-BLEU and cross BLEU against NLTK by brute force; the other pool metrics against their definitions."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from nltk.translate.bleu_score import SmoothingFunction, sentence_bleu

import bleuprint as bp
from bleuprint.errors import OptionError, PoolError
from bleuprint.metrics import CrossBLEU, MSJaccard, SelfBLEU
from bleuprint.statistics.exact_mean import ExactMean
from tests.kernels.twins import pool as twin
from tests.support.effort import MANY
from tests.support.wmt22 import Wmt22

Texts = list[list[str]]
few = st.sampled_from(["a", "b", "c", "the"])
pools = st.one_of(
    st.lists(st.lists(few, max_size=9), min_size=2, max_size=9),
    st.lists(st.lists(st.one_of(few, st.text(min_size=1, max_size=3)), max_size=12), min_size=2, max_size=6),
    st.builds(lambda text, copies: [text] * copies, st.lists(few, max_size=9), st.integers(2, 5)),
)
METHODS = ["method1", "method2", "method3", "method4", "method5", "method7"]


def brute_force(texts: Texts, pool: Texts | None, order: int, method: str) -> list[float]:
    weights = (1 / order,) * order
    smooth = getattr(SmoothingFunction(), method)
    scores = []
    for index, text in enumerate(texts):
        references = twin.others(texts, index) if pool is None else pool
        # NLTK divides by zero for an empty text under method4 and 5; an empty text scores 0 everywhere else.
        scores.append(float(sentence_bleu(references, text, weights, smooth)) if text else 0.0)
    return scores


@given(pools, st.integers(1, 5), st.sampled_from(METHODS))
@example([[], []], 4, "method1")
@example([["a"], ["a"] * 3, ["a"] * 5], 2, "method1")
@example([["a", "b"], ["a b"]], 2, "method1")
def test_law_25_linear_time_equals_leaving_one_out(texts: Texts, order: int, method: str) -> None:
    score = SelfBLEU(max_order=order, smoothing=method).corpus(texts)
    expected = brute_force(texts, None, order, method)
    assert score.per_text.tolist() == pytest.approx(expected, rel=1e-12, abs=1e-300)
    assert score.value == pytest.approx(math.fsum(expected) / len(expected), rel=1e-12, abs=1e-300)


def test_smoothing_none_scores_zero_if_an_order_has_no_match() -> None:
    """As the table of smoothing methods says; NLTK's method0 gives next to nothing there."""
    texts = ["the cat sat on the mat", "the cat ran to the mat", "dogs bark at night"]
    for scored in (bp.self_bleu(texts, smoothing="none"), bp.cross_bleu(texts, texts[1:] * 2, smoothing="none")):
        unsmoothed = scored.per_text.tolist()
        assert unsmoothed[0] == 0
    smallest = bp.self_bleu(texts, smoothing="method0").per_text.tolist()
    assert bp.self_bleu(texts, smoothing="none").per_text.tolist() == pytest.approx(smallest, abs=1e-9)
    assert bp.self_bleu(texts, smoothing="none", max_order=2).per_text.tolist() == pytest.approx(
        brute_force([text.split() for text in texts], None, 2, "method0"), rel=1e-12
    )
    bleu = bp.sentence_bleu(texts[0], texts[1:], profile="nltk", smoothing="none", max_order=5)
    assert bleu.value == 0
    skipping = bp.BLEU(profile="nltk", smoothing="none", zero_precision="skip", max_order=5)
    assert skipping.sentence(texts[0], texts[1:]).value > 0.5


def test_a_seed_given_with_a_profile_is_used() -> None:
    texts = [f"text number {number} of {number // 9}" for number in range(520)]
    seeded, first = bp.SelfBLEU(profile="texygen", seed=7), bp.SelfBLEU(profile="texygen")
    assert seeded.corpus(texts).value == bp.self_bleu(texts, max_order=3, sample=500, seed=7).value
    assert first.corpus(texts).value == bp.self_bleu(texts[:500], max_order=3).value != seeded.corpus(texts).value
    default = bp.SelfBLEU(profile="texygen", seed=12345)
    assert default.signature == bp.SelfBLEU(max_order=3, sample=500).signature != first.signature
    assert bp.SelfBLEU.from_signature(first.signature).signature == first.signature


@given(pools, pools)
def test_cross_equals_brute_force(texts: Texts, references: Texts) -> None:
    score = CrossBLEU(max_order=4).corpus(texts, references)
    assert score.per_text.tolist() == pytest.approx(brute_force(texts, references, 4, "method1"), rel=1e-12)


def test_real_lines(wmt22_data: Wmt22) -> None:
    lines = english_lines(wmt22_data)[: 150 if MANY else 70]
    score = bp.self_bleu(lines, max_order=5, tokenizer="whitespace")
    texts = [line.split() for line in lines]
    assert score.per_text.tolist() == pytest.approx(brute_force(texts, None, 5, "method1"), rel=1e-12)
    for order in (2, 3, 4):
        expected = brute_force(texts, None, order, "method1")
        assert score.per_order[order - 1] == pytest.approx(math.fsum(expected) / len(expected), rel=1e-12)


def english_lines(data: Wmt22) -> list[str]:
    return [line for pair in ("de-en", "zh-en") for line in data.references(pair, "A")[0]]


def test_a_sample_is_the_pool_of_its_texts() -> None:
    texts = [f"w{i % 7} w{i % 5} w{i % 3} end" for i in range(60)]
    first = bp.self_bleu(texts, sample=20, seed=None, max_order=3)
    assert first.value == bp.self_bleu(texts[:20], max_order=3).value
    assert first.value == bp.self_bleu(texts, profile="texygen", sample=20).value
    drawn = bp.self_bleu(texts, sample=20, seed=1, max_order=3)
    assert drawn.texts == 20
    assert drawn.value == bp.self_bleu(texts, sample=20, seed=1, max_order=3).value
    chosen = sorted(random.Random(1).sample(range(60), 20))
    assert drawn.value == bp.self_bleu([texts[place] for place in chosen], max_order=3).value
    assert SelfBLEU.from_signature(drawn.signature).corpus(texts).value == drawn.value
    usual = SelfBLEU(sample=2).options
    assert (usual["sample"], usual["seed"]) == (2, 12345)


@given(pools)
def test_scores_by_order(texts: Texts) -> None:
    """Each order is what a Self-BLEU up to that order would be."""
    expected = SelfBLEU(max_order=3).corpus(texts)
    orders = [SelfBLEU(max_order=order).corpus(texts).per_text for order in (1, 2, 3)]
    *per_order, value = (ExactMean().add(scores).sum / len(texts) for scores in (*orders, expected.per_text))
    assert (value, tuple(per_order)) == (expected.value, expected.per_order)


def test_what_is_behind_a_high_score() -> None:
    score = bp.self_bleu(["a b c", "x y z", "a b c", "a b d", "x y z", "a b c"], max_order=2, tokenizer="whitespace")
    assert score.duplicates() == [[0, 2, 5], [1, 4]]
    assert score.shared_ngrams(2, 2) == score.shared_ngrams()[:2] == [(("a", "b"), 4), (("b", "c"), 3)]
    assert score.shared_ngrams(1, 3) == [(("a",), 4), (("b",), 4), (("c",), 3)]
    assert len(bp.self_bleu(["a b c d e f g h i j k l"] * 2).shared_ngrams(1)) == 10
    for wrong in (0, 17, 10**9, True):
        with pytest.raises(OptionError, match="order must be an integer from 1 to 16, got"):
            score.shared_ngrams(wrong)
    assert score._pool.most_shared(10**9, 10, 1) == []  # the core stops where nothing is shared any more


def test_one_text_against_one_other() -> None:
    assert bp.cross_bleu(["a b c"], ["a b c"], max_order=2).value == 1.0


def test_cross_bleu_goes_by_its_own_name_and_names_its_references() -> None:
    texts, references = ["a b c", "b"], ["a b", "B c", "a b"]
    score = bp.cross_bleu(texts, references)
    assert str(score).startswith("cross-bleu = ")
    assert score.signature.startswith("cross-bleu.1|lowercase:no|max_order:5|")
    assert f"#texts:2|references:{score.reference_set}|" in score.signature
    assert score.reference_set.startswith("3-")
    assert bp.cross_bleu(texts, references[::-1]).signature == score.signature, "the order of the set does not matter"
    for others in (["a b", "B c"], ["a b", "B c", "B c"], ["a b", "b c", "a b"], ["a", "b B c", "a b"]):
        assert bp.cross_bleu(texts, others).reference_set != score.reference_set
    assert bp.cross_bleu(texts, ["a b", "b c", "A b"], lowercase=True).reference_set == (
        bp.cross_bleu(texts, references, lowercase=True).reference_set
    ), "texts that the metric reads alike"


@pytest.mark.parametrize("kind", [CrossBLEU, MSJaccard])
def test_a_score_stays_that_of_the_references_it_was_computed_with(kind: type[CrossBLEU | MSJaccard]) -> None:
    texts, references = ["a b c", "b"], ["a b", "B c", "a b"]
    score = kind().corpus(texts, references)
    assert f"#texts:2|references:{bp.cross_bleu(texts, references).reference_set}|" in score.signature
    assert kind().corpus(texts, references[::-1]).signature == score.signature
    assert kind().corpus(texts, references[:2]).signature != score.signature
    metric = kind().add_references(references)
    first = metric.corpus(texts)
    metric.add_references(["more"])
    assert first.signature == score.signature


def test_within_one_output() -> None:
    output = ["the cat sat", "the cat sat down", "dogs bark"]
    value = bp.self_bleu(output, profile="autometrics", tokenizer="whitespace").value
    expected = brute_force([sentence.split() for sentence in output], None, 3, "method1")
    assert value == pytest.approx(sum(expected) / 3, rel=1e-12)


@pytest.mark.parametrize("texts", [[], ["alone"]])
def test_fewer_than_two_texts(texts: list[str]) -> None:
    with pytest.raises(PoolError, match=f"at least 2 of them, got {len(texts)}"):
        bp.self_bleu(texts)


@pytest.mark.parametrize(
    "options", [{"max_order": 0}, {"sample": 1}, {"sample": 2.5}, {"seed": "x", "sample": 2}, {"smoothing": "more"}]
)
def test_bad_options(options: dict[str, Any]) -> None:
    with pytest.raises(OptionError):
        SelfBLEU(**options)


def test_ms_jaccard_of_its_authors() -> None:
    """The example in the README of IAmS4n/TextGenerationEvaluationMetrics, values to six digits by running it."""
    references = [
        "It is a guide to action that ensures that the military will forever heed Party commands",
        "It is the guiding principle which guarantees the military forces always being under the command of the Party",
        "It is the practical guide for the army always to heed the directions of the party",
    ]
    texts = [
        "It is a guide to action which ensures that the military always obeys the commands of the party",
        "he read the book because he was interested in world history",
    ]
    score = bp.metrics.MSJaccard(max_order=5, tokenizer="whitespace").corpus(texts, references)
    assert [round(value, 6) for value in score.per_order] == [0.345324, 0.228589, 0.169962, 0.128736, 0.095964]


@given(pools, pools)
def test_ms_jaccard_by_definition(texts: Texts, references: Texts) -> None:
    score = MSJaccard(max_order=3).add_references(references).corpus(texts)
    product = 1.0
    for order, value in enumerate(score.per_order, start=1):
        first, second = twin.counts(texts, order), twin.counts(references, order)
        left = {gram: count / len(texts) for gram, count in first.items()}
        right = {gram: count / len(references) for gram, count in second.items()}
        grams = left.keys() | right.keys()
        low = math.fsum(min(left.get(gram, 0), right.get(gram, 0)) for gram in grams)
        high = math.fsum(max(left.get(gram, 0), right.get(gram, 0)) for gram in grams)
        product *= low / high if high else 0.0
        assert value == pytest.approx(product ** (1 / order), rel=1e-9, abs=1e-12)


@given(pools)
def test_diversity_by_definition(texts: Texts) -> None:
    for order in (1, 2, 4):
        table = twin.counts(texts, order)
        total = table.total()
        distinct = bp.distinct(texts, max_order=order)
        assert distinct.value == (len(table) / total if total else 0.0)
        assert distinct.per_text is not None
        assert distinct.per_text.tolist() == [_share(text, order) for text in texts]
        entropy = -math.fsum(count / total * math.log(count / total) for count in table.values())
        assert bp.metrics.Entropy(max_order=order).corpus(texts).value == pytest.approx(entropy, rel=1e-12, abs=1e-12)
        assert bp.metrics.UniqueNgrams(max_order=order).corpus(texts).value == len(table) / len(texts)
        repeated = sum(count > 1 for count in table.values())
        rate = bp.metrics.RepetitionRate(max_order=order).corpus(texts)
        assert rate.per_order[-1] == (repeated / len(table) if table else 0.0)
        assert rate.value == pytest.approx(math.prod(rate.per_order) ** (1 / order), rel=1e-12)
        assert rate.per_text is not None
        assert rate.per_text.tolist() == pytest.approx([_repeated(text, order) for text in texts], rel=1e-12)


def _share(text: Sequence[str], order: int) -> float:
    grams = twin.ngrams(text, order)
    return len(set(grams)) / len(grams) if grams else 0.0


def _repeated(text: Sequence[str], order: int) -> float:
    return 1 - _share(text, order) if twin.ngrams(text, order) else 0.0


def test_empty_texts_and_references() -> None:
    with pytest.raises(PoolError):
        bp.metrics.MSJaccard().corpus(["a"], [])
    assert np.isfinite(bp.self_bleu(["", ""]).value)
