"""Laws of metrics that count clipped matches: of their columns, and of BLEU's own options."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from bleuprint import BLEU
from bleuprint.metrics.smoothing import brevity_penalty
from tests.kernels.twins import clipped as ngrams
from tests.laws.cases import AnyMetric, cases
from tests.laws.strategies import (
    Segment,
    Segments,
    corpora,
    hypotheses_of,
    references_of,
    segments,
    texts,
    words,
)
from tests.support.tables import TABLE

COUNTING = [
    name for name, metric in sorted(TABLE.items()) if "matches_1" in metric().columns and not metric.needs_sources
]
for_every_counting_metric = pytest.mark.parametrize("name", COUNTING)


def column(metric: AnyMetric, row: Sequence[int], prefix: str) -> list[int]:
    return [row[at] for at, name in enumerate(metric.columns) if name.startswith(prefix)]


def row_of(metric: AnyMetric, segment: Segment) -> list[int]:
    return list(metric.sentence(*segment).columns)


def test_some_metric_counts_matches() -> None:
    assert COUNTING


@for_every_counting_metric
@given(data=st.data(), segment=segments())
def test_law_5_matches_never_exceed_totals(name: str, data: st.DataObject, segment: Segment) -> None:
    metric = data.draw(cases(name)).make()
    row = row_of(metric, segment)
    length, least = row[0], 1 if metric.options.get("absent_order") == "one" else 0
    matches, totals = column(metric, row, "matches_"), column(metric, row, "totals_")
    assert all(0 <= m <= t for m, t in zip(matches, totals, strict=True))
    assert totals == [max(least, length - n) for n in range(len(totals))]


@for_every_counting_metric
@given(data=st.data(), segment=segments())
def test_law_6_matches_never_exceed_what_references_hold(name: str, data: st.DataObject, segment: Segment) -> None:
    metric = data.draw(cases(name)).make()
    assume(metric.tokenizer.name != "char")
    for order, matches in enumerate(column(metric, row_of(metric, segment), "matches_"), start=1):
        counted = [ngrams.grams(reference.split(), order) for reference in segment.references]
        largest = counted[0].copy()
        for other in counted[1:]:
            largest |= other
        assert matches <= largest.total()


@given(hypothesis=st.integers(0, 50), reference=st.integers(0, 50))
def test_law_7_brevity_penalty(hypothesis: int, reference: int) -> None:
    penalty = brevity_penalty(hypothesis, reference)
    assert (penalty == 1.0) == (hypothesis >= reference and hypothesis > 0)
    assert 0.0 <= penalty <= brevity_penalty(hypothesis + 1, reference)


@for_every_counting_metric
@given(data=st.data(), segment=segments(), further=texts())
def test_law_16_a_further_reference_never_lowers_matches(
    name: str, data: st.DataObject, segment: Segment, further: str
) -> None:
    metric = data.draw(cases(name)).make()
    more = Segment(segment.hypothesis, (*segment.references, further))
    before = column(metric, row_of(metric, segment), "matches_")
    after = column(metric, row_of(metric, more), "matches_")
    assert all(a >= b for a, b in zip(after, before, strict=True))


@given(references=texts(1), hypothesis=st.lists(words, min_size=1, max_size=8), at=st.integers(0, 7))
def test_law_17_mending_a_word_never_lowers_unigram_matches(references: str, hypothesis: list[str], at: int) -> None:
    """A word that matches nothing becomes a word of the reference that is still unmatched."""
    metric = BLEU(tokenizer="whitespace")
    wrong = [*hypothesis[:at], "zzz", *hypothesis[at:]]
    unmatched = ngrams.grams(references.split(), 1) - ngrams.grams(wrong, 1)
    assume(unmatched)
    right = [str(next(iter(unmatched))[0]) if word == "zzz" else word for word in wrong]
    before, after = (metric.sentence(" ".join(text), references).matches[0] for text in (wrong, right))
    assert after == before + 1


@given(
    corpus=corpora(),
    smoothing=st.sampled_from(("floor", "floor(0.01)", "add-k", "add-k(3)", "exp")),
    effective=st.booleans(),
)
def test_law_18_smoothing_never_lowers_a_score(corpus: Segments, smoothing: str, effective: bool) -> None:
    plain, smoothed = (
        BLEU(smoothing=method, effective_order=effective).corpus(hypotheses_of(corpus), references_of(corpus))
        for method in ("none", smoothing)
    )
    # add-k changes every precision, so that equal ones may differ in the last place.
    assert smoothed.value >= plain.value * (1 - 1e-15)
    if all(plain.matches) and not smoothing.startswith("add-k"):
        assert smoothed.value == plain.value


def test_law_18_is_not_a_law_of_every_method() -> None:
    corpus = ["b c", "c b a b c b"], ["c", "b c c a b c b b"]
    plain, added, sixth = (BLEU(smoothing=name).corpus(*corpus) for name in ("none", "add-k", "method6"))
    assert all(plain.matches)
    assert sixth.value < plain.value < added.value


@given(
    segment=segments(),
    order=st.integers(1, 4),
    smoothing=st.sampled_from(("none", "floor", "exp", "add-all")),
)
def test_law_23_weight_on_one_order_gives_its_precision(segment: Segment, order: int, smoothing: str) -> None:
    weights = tuple(float(n == order) for n in range(1, 5))
    score = BLEU(weights=weights, smoothing=smoothing, zero_when="never", effective_order=False).sentence(*segment)
    expected = score.brevity_penalty * score.precisions[order - 1]
    assert score.value == pytest.approx(expected, rel=1e-15, abs=0.0)


@given(corpus=corpora(), max_order=st.integers(1, 6))
def test_all_orders_come_from_one_counting(corpus: Segments, max_order: int) -> None:
    """BLEU-1 … BLEU-N of one score are the scores of N metrics."""
    texts_and_references = hypotheses_of(corpus), references_of(corpus)
    together = BLEU(max_order=max_order).corpus(*texts_and_references).orders
    alone = [BLEU(max_order=n).corpus(*texts_and_references).value for n in range(1, max_order + 1)]
    assert list(together) == alone
