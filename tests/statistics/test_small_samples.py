"""Few items: intervals as wide as their number allows, and no verdict beyond them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.proportion import proportion_confint

import bleuprint as bp
from bleuprint.runners.gates import gate
from bleuprint.statistics.comparison import PairComparison, SystemScore
from bleuprint.statistics.small_samples import fewest_changes, share_ends


def compared(first: Any, second: Any, **settings: Any) -> tuple[SystemScore, PairComparison]:
    columns = {"score": {"A": list(map(float, first)), "B": list(map(float, second))}}
    found = bp.compare(columns=columns, baseline="B", **{"resamples": 199, **settings}).metric("score")
    return found.system("A"), found.pair("A", "B")


@given(st.integers(1, 300), st.data(), st.sampled_from([0.5, 0.9, 0.95, 0.999]))
def test_shares_have_the_exact_interval(trials: int, data: st.DataObject, level: float) -> None:
    hits = data.draw(st.integers(0, trials))
    expected = proportion_confint(hits, trials, 1 - level, method="beta")
    assert share_ends(hits, trials, level) == pytest.approx([0.0 if math.isnan(end) else end for end in expected])


def test_twelve_of_twelve_is_no_certainty() -> None:
    system, pair = compared([1] * 12, [1] * 12, margin=0.05)
    assert system.score.method == "clopper-pearson"
    assert (system.score.low, system.score.high) == pytest.approx((0.025 ** (1 / 12), 1.0))
    assert pair.difference.low == -pair.difference.high == pytest.approx(0.025 ** (1 / 12) - 1)
    assert pair.equivalence is not None
    assert pair.equivalence.verdict == "undecided"


@pytest.mark.parametrize(("items", "verdict"), [(1, "undecided"), (58, "undecided"), (59, "equivalent")])
def test_equivalence_needs_items(items: int, verdict: str) -> None:
    """Where nothing differs, 0.95 ** n < 0.05 shows that less than one item in twenty would."""
    _, pair = compared([1] * items, [1] * items, margin=0.05)
    assert pair.equivalence is not None
    assert pair.equivalence.verdict == verdict
    assert pair.equivalence.p_value == pytest.approx(0.95**items if items > 13 else 1.0, abs=1e-6)


def test_a_score_that_nearly_all_segments_share_could_differ_in_others() -> None:
    system, pair = compared([0.4] * 30, [0.4] * 28 + [0.3, 0.5])
    none, one = 1 - 0.025 ** (1 / 30), share_ends(1, 30, 0.95)[1]
    assert system.score.method == "bound"
    assert (system.score.low, system.score.high) == pytest.approx((0.4 * (1 - none), 0.4 + 0.4 * none))
    assert (pair.difference.low, pair.difference.high) == pytest.approx((-one, one))


def test_few_segments_have_the_interval_of_student() -> None:
    scores = np.random.default_rng(1).random(12)
    system, _ = compared(scores, scores / 2)
    margin = 2.200985160 * scores.std(ddof=1) / math.sqrt(12)
    assert system.score.method == "t"
    assert (system.score.low, system.score.high) == pytest.approx((scores.mean() - margin, scores.mean() + margin))


def test_a_difference_that_is_equal_everywhere_agrees_with_its_test() -> None:
    for items in range(1, 12):
        _, pair = compared([0.5] * items, [0.25] * items)
        significant = items >= fewest_changes(0.05)
        assert (pair.better == "A") == significant == (not pair.difference.low <= 0 <= pair.difference.high)


@given(st.lists(st.tuples(*[st.sampled_from([0.0, 0.5, 1.0])] * 2), min_size=1, max_size=40))
def test_no_interval_is_without_width(scores: list[tuple[float, float]]) -> None:
    system, pair = compared(*zip(*scores, strict=True), margin=0.1)
    for interval in (system.score, pair.difference):
        assert interval.low <= interval.value <= interval.high
        assert interval.low < interval.high
        assert -2 <= interval.low <= interval.high <= 2, "up to twice the largest score"
    if len(scores) < 5:
        assert pair.better is None
        assert pair.equivalence is not None
        assert pair.equivalence.verdict == "undecided"


@given(st.lists(st.tuples(*[st.sampled_from([0.0, 1.0])] * 2), min_size=1, max_size=60), st.floats(0.01, 0.9))
def test_the_interval_and_the_test_of_equivalence_agree(scores: list[tuple[float, float]], margin: float) -> None:
    _, pair = compared(*zip(*scores, strict=True), margin=margin)
    found = pair.equivalence
    assert found is not None
    inside = -margin < found.interval.low and found.interval.high < margin
    assert (found.verdict == "equivalent") == inside == (found.p_value < 0.05)


def test_a_bootstrap_of_few_changes_is_not_significant() -> None:
    _, pair = compared([0.9, 0.8, 0.7], [0.1, 0.2, 0.1], test="paired-bootstrap")
    assert pair.p_value == 0.25
    assert pair.better is None


def test_a_score_with_its_own_scale_has_finite_ends() -> None:
    for scores in ([20.0], [20.0] * 5, [0.0, 0.0], [-3.0], [1e300] * 3):
        system, pair = compared(scores, scores)
        assert math.isfinite(system.score.low)
        assert math.isfinite(system.score.high)
        assert system.score.low < system.score.high or scores == [0.0, 0.0]
        assert pair.better is None


def evaluated(passes: list[int]) -> bp.Result:
    answers = [f"answer {place}" for place in range(len(passes))]
    outputs = [answer if one else "no idea" for answer, one in zip(answers, passes, strict=True)]
    return bp.evaluate(outputs, answers, metrics="exact-match", ids=[f"q-{place}" for place in range(len(passes))])


@pytest.mark.parametrize(("items", "outcome"), [(3, "undecided"), (4, "undecided"), (5, "passed")])
def test_three_passes_do_not_show_that_nothing_is_worse(items: int, outcome: str) -> None:
    found = gate(evaluated([1] * items), evaluated([1] * items), rule="not-worse")
    assert [check.outcome for check in found.checks] == [outcome]


def test_other_outputs_that_pass_as_well_need_more_items() -> None:
    texts = [f"answer {place}" for place in range(100)]
    for items, passed in ((20, False), (100, True)):
        old = bp.evaluate(texts[:items], texts[:items], metrics="exact-match")
        new = bp.evaluate([f"{text} " for text in texts[:items]], texts[:items], metrics="exact-match")
        check = gate(new, old, rule="not-worse", max_drop=0.05).checks[0]
        assert check.passed is passed
        assert passed or check.message.endswith("about 59 segments are needed, this is 20")


def test_items_that_flip_are_named() -> None:
    old, new = evaluated([1, 1, 1, 0, 0, 1]), evaluated([1, 0, 0, 1, 0, 1])
    texts = {"old": old.systems[0].hypotheses, "new": new.systems[0].hypotheses}
    pair = (
        bp.compare(texts, old.references, metrics="exact-match", ids=old.ids).metric("exact-match").pair("old", "new")
    )
    assert pair.flips is not None
    assert (pair.flips.first, pair.flips.second) == (("q-1", "q-2"), ("q-3",))
    said = str(bp.compare(texts, old.references, metrics="exact-match"))
    assert "exact-match: Items that pass: 2 with old alone (2, 3), 1 with new alone (4)." in said


def test_items_that_are_better_when_lower_flip_the_other_way() -> None:
    columns = {"errors": {"A": [0, 1, 1], "B": [1, 1, 0]}}
    pair = bp.compare(columns=columns, lower_is_better="errors").metric("errors").pair("A", "B")
    assert pair.flips is not None
    assert {pair.first: pair.flips.first, pair.second: pair.flips.second} == {"A": ("1",), "B": ("3",)}


def test_a_pass_rate_comes_with_its_interval() -> None:
    found = gate(evaluated([1] * 11 + [0]), min_pass_rate={"exact-match": 0.9})
    assert "11 of 12 items (91.7 %; 95 %: 61.5 … 99.8 %) reach ≥ " in found.checks[0].message
