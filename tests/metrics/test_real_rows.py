"""Custom metrics whose rows are real numbers, such as one neural score per segment: exact in any order and split."""

from __future__ import annotations

import json
import pickle
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bleuprint as bp
from bleuprint.errors import OptionError, StateError
from bleuprint.metrics import PlainMetric, registry
from bleuprint.report import render
from bleuprint.results import Result
from tests.support.effort import examples

NUMBERS = st.one_of(
    st.floats(-1e18, 1e18), st.floats(-2, 2), st.integers(-(2**53), 2**53), st.sampled_from([0.1, -0.1, 5e-324, 1e16])
)


class Judged(PlainMetric):
    """The mean of the numbers that the outputs are."""

    name = "judged"
    names = ("scores", "segments")

    def row(self, hypothesis: str, references: list[str], source: str | None) -> Sequence[float]:
        return json.loads(hypothesis), 1

    def formula(self, columns: Any, *, sentence: bool = False) -> Any:
        return columns[0] / columns[1]


def texts_of(numbers: Sequence[float]) -> list[str]:
    return [json.dumps(number) for number in numbers]


def score(numbers: Sequence[float]) -> float:
    return Judged().corpus(texts_of(numbers), texts_of(numbers)).value


@settings(max_examples=examples(60))
@given(st.lists(NUMBERS, min_size=1, max_size=30), st.randoms(use_true_random=False))
def test_sums_are_exact_in_any_order_and_split(numbers: list[float], random: Any) -> None:
    exact = sum(map(Fraction, numbers))
    # Rounded once to a double, and divided like any sum.
    expected = (exact.numerator if exact.denominator == 1 else float(exact)) / len(numbers)
    assert score(numbers) == expected
    shuffled = random.sample(numbers, len(numbers))
    assert score(shuffled) == expected
    cut = random.randrange(len(numbers) + 1)
    first, second = (Judged().update(texts_of(part), texts_of(part)) for part in (numbers[:cut], numbers[cut:]))
    restored = Judged().add_state(json.loads(json.dumps(second.state())))
    assert restored.state() == second.state()
    assert pickle.loads(pickle.dumps(first)).state() == first.state()
    assert first.merge(restored).compute().value == expected


def test_integers_are_kept_as_before() -> None:
    metric = Judged().update(["1", "2"], ["", ""])
    assert metric.state()["total"] == [3, 2]
    assert Judged().statistics(["1", "2"], ["", ""]).rows.dtype == np.int64
    assert Judged().statistics(["1", "0.5"], ["", ""]).total() == (1.5, 2)
    assert Judged().update(["0.1"], [""]).state()["total"] == [[3602879701896397, 36028797018963968], 1]


def test_a_custom_metric_without_options_needs_none() -> None:
    assert registry.model_option(Judged) is None
    assert list(registry.options_of(Judged)) == []


def test_threads_add_the_same_sum() -> None:
    numbers = [0.1 * place for place in range(200)]
    shared = Judged()
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda number: shared.update(texts_of([number]), [""]), numbers))
    assert shared.compute().value == score(numbers)


@pytest.mark.parametrize(
    "row", [(float("nan"), 1), (float("inf"), 1), (1.0,), (2**53 + 1, 1), (10**400, 1), (2**63, 1), ("1", 1), (None, 1)]
)
def test_rows_that_cannot_be_summed_are_refused(row: Any) -> None:
    class Wrong(Judged):
        def row(self, hypothesis: str, references: list[str], source: str | None) -> Any:
            return row if hypothesis else (1, 1)

    with pytest.raises(OptionError, match=r"the row of judged for segment 2 must be 2 finite numbers"):
        Wrong().corpus(["", "x"], ["", ""])


@pytest.mark.parametrize(
    "total",
    [
        [1.5, 1],
        [[1, 3], 1],
        [[1, 0], 1],
        [[1, 2, 3], 1],
        [[1.0, 2], 1],
        [True, 1],
        [[1, 2]],
        "1",
        [10**60, 1],
        [[1, 1 << 1080], 1],
        [[1, -2], 1],
    ],
)
def test_broken_states_are_refused(total: Any) -> None:
    metric = Judged()
    state = {**metric.update(["0.5"], [""]).state(), "total": total}
    before = metric.state()
    with pytest.raises(StateError, match="total"):
        metric.add_state(state)
    assert metric.state() == before


WORDS = "cat dog cow hen pig fox owl bee ant elk".split()  # noqa: SIM905
GOOD = texts_of([0.1 * (place + 3) for place in range(10)])
BAD = texts_of([0.1 * (place + 1) - 0.05 for place in range(10)])


def test_every_tool_takes_real_rows(tmp_path: Path) -> None:
    metric = Judged()
    both = bp.evaluate({"good": GOOD, "bad": BAD}, WORDS, metrics=[metric])
    good, bad = (system.scores[0] for system in both.systems)
    assert good.value == score([float(text) for text in GOOD])
    assert good.segments == tuple(map(float, GOOD))
    path = tmp_path / "both.json"
    both.write_json(path)
    assert Result.read_json(path, metrics={"judged": metric}) == both
    pair = bp.compare({"good": GOOD, "bad": BAD}, WORDS, metrics=[metric]).metric("judged").pair("good", "bad")
    assert (pair.better, pair.difference.value) == ("good", good.value - bad.value)
    columns = (
        bp.compare(columns={"score": {"good": map(float, GOOD), "bad": map(float, BAD)}})
        .metric("score")
        .pair("good", "bad")
    )
    assert columns.p_value == pair.p_value
    assert columns.difference.value == pytest.approx(pair.difference.value, rel=1e-15)
    new, old = (bp.evaluate(texts, WORDS, metrics=[metric]) for texts in (BAD, GOOD))
    report = bp.gate(new, old, metrics={"judged": metric})
    assert [check.outcome for check in report.checks] == ["failed"]
    assert bp.gate(old, new, rule="not-worse", metrics={"judged": metric}).passed
    assert "The segments that cost most" in render(both, metrics={"judged": metric})
    assert bp.replay(both, metrics={"judged": metric}).same
    for bucket in bp.insight.buckets(metric, GOOD, WORDS, by=["a", "b"] * 5):
        assert bucket.value == score([float(text) for text in GOOD["ab".index(bucket.label) :: 2]])
    interval = bp.confidence_interval(GOOD, WORDS, metric=metric, resamples=50)
    assert interval.low < interval.value == good.value < interval.high


@settings(max_examples=examples(30))
@given(st.lists(NUMBERS, min_size=2, max_size=12))
def test_influence_equals_rescoring(numbers: list[float]) -> None:
    effects = bp.insight.influence(Judged(), texts_of(numbers), texts_of(numbers))
    whole = score(numbers)
    for place, effect in enumerate(effects.tolist()):
        assert effect == whole - score([*numbers[:place], *numbers[place + 1 :]])


def test_contributions_sum_to_the_difference() -> None:
    parts = bp.insight.contributions(Judged(), GOOD, BAD, WORDS)
    difference = score([float(text) for text in GOOD]) - score([float(text) for text in BAD])
    assert parts.sum() == pytest.approx(difference, abs=1e-9)
    assert parts.tolist() == pytest.approx([(float(a) - float(b)) / 10 for a, b in zip(GOOD, BAD, strict=True)])
    negated = bp.insight.contributions(Judged(), BAD, GOOD, WORDS)
    assert negated.tolist() == (-parts).tolist()


def test_slow_metrics_with_real_rows_resume(tmp_path: Path) -> None:
    class Slow(Judged):
        slow = True
        calls = 0

        def row(self, hypothesis: str, references: list[str], source: str | None) -> Sequence[float]:
            Slow.calls += 1
            return super().row(hypothesis, references, source)

    for _ in range(2):
        result = bp.evaluate(GOOD, WORDS, metrics=[Slow()], store=tmp_path)
        assert result.systems[0].scores[0].value == score([float(text) for text in GOOD])
    assert Slow.calls == len(GOOD)
