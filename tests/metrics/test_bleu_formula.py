"""BLEU's formula equals its exact twin, and is the same for one row as for a column of rows."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bleuprint import BLEU
from bleuprint.metrics.smoothing import Smoothing
from tests.kernels.twins import bleu as twin

SMOOTHINGS = (
    *("none", "floor", "floor(0.01)", "floor(0)", "add-k", "add-k(0.5)", "add-all", "add-all(2)", "exp"),
    *("method0", "method4", "method4(1)", "method5", "method6", "method6(2)", "method7", "method7(3)"),
)
Row = tuple[int, ...]

# There is a test per smoothing, so a quarter of the usual examples each.
fewer_examples = settings(max_examples=settings().max_examples // 4)


@st.composite
def rows(draw: st.DrawFn, orders: int) -> Row:
    """Lengths, matches and totals a text could have: both fall by order, and matches stay below totals."""
    scale = draw(st.sampled_from((3, 40, 10**6, 10**12)))
    totals = sorted(draw(st.lists(st.integers(0, scale), min_size=orders, max_size=orders)), reverse=True)
    matches: list[int] = []
    for total in totals:
        most = min([total, *matches[-1:]])
        matches.append(draw(st.one_of(st.just(0), st.integers(0, most), st.just(most))))
    return (totals[0], draw(st.integers(0, 2 * scale)), *matches, *totals)


@st.composite
def weight_lists(draw: st.DrawFn, orders: int) -> tuple[float, ...] | None:
    raw = draw(st.one_of(st.none(), st.lists(st.integers(0, 4), min_size=orders, max_size=orders).filter(any)))
    return None if raw is None else tuple(number / sum(raw) for number in raw)


@st.composite
def metrics(draw: st.DrawFn, smoothing: str) -> BLEU:
    orders = draw(st.integers(3 if smoothing.startswith("method6") else 1, 6))
    return BLEU(
        max_order=orders,
        weights=draw(weight_lists(orders)),
        smoothing=smoothing,
        effective_order=draw(st.booleans()),
        absent_order=draw(st.sampled_from(("undefined", "zero"))),
        zero_when=draw(st.sampled_from(("no-match", "any-order-without-match", "never"))),
        zero_precision=draw(st.sampled_from(("zero", "skip"))),
    )


def by_the_twin(metric: BLEU, row: Row, last: Row) -> float:
    counted, orders = metric.definition.formula.counted_orders, metric.definition.formula.max_order
    sums = twin.Sums(
        hypothesis_length=row[0],
        reference_length=row[1],
        matches=row[2 : 2 + orders],
        totals=row[2 + counted : 2 + counted + orders],
        fifth=(last[6], last[6 + counted]) if counted >= 5 else (0, 0),
        last_length=last[0],
    )
    rules = twin.Rules(
        method=metric.definition.formula.smoothing.method,
        value=metric.definition.formula.smoothing.value or 0.0,
        weights=metric.definition.formula.weights,
        effective=bool(metric.options["effective_order"]),
        absent_is_zero=metric.options["absent_order"] == "zero",
        zero_when=str(metric.options["zero_when"]),
        skip_zero=metric.options["zero_precision"] == "skip",
    )
    return twin.bleu(sums, rules)


def check_both(metric: BLEU, several: Sequence[Row], lasts: Sequence[Row]) -> None:
    """Each row alone against the twin, then all rows at once against each alone, bit for bit."""
    alone = [metric.definition.formula(row + last) for row, last in zip(several, lasts, strict=True)]
    for row, last, value in zip(several, lasts, alone, strict=True):
        assert math.isclose(value, by_the_twin(metric, row, last or row), rel_tol=1e-12, abs_tol=0.0)
    columns = np.array([row + last for row, last in zip(several, lasts, strict=True)], dtype=np.int64).T
    together = np.asarray(metric.definition.formula(tuple(columns)), dtype=np.float64)
    assert together.tobytes() == np.array(alone, dtype=np.float64).tobytes()


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("smoothing", SMOOTHINGS)
@fewer_examples
@given(data=st.data())
def test_formula_equals_its_twin(smoothing: str, data: st.DataObject) -> None:
    metric = data.draw(metrics(smoothing))
    several = data.draw(st.lists(rows(metric.definition.formula.counted_orders), min_size=1, max_size=4))
    check_both(metric, several, [()] * len(several))


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("smoothing", ["method5", "method6", "method7"])
@fewer_examples
@given(data=st.data())
def test_formula_with_a_last_segment(smoothing: str, data: st.DataObject) -> None:
    """In NLTK's corpora methods 5 to 7 look at the last segment: its row follows the sums."""
    metric = data.draw(metrics(smoothing))
    pairs = st.tuples(rows(metric.definition.formula.counted_orders), rows(metric.definition.formula.counted_orders))
    several = data.draw(st.lists(pairs, min_size=1, max_size=4))
    check_both(metric, [row for row, _ in several], [last for _, last in several])


@pytest.mark.parametrize(
    ("name", "same"),
    [("method1", "floor(0.1)"), ("method2", "add-k(1)"), ("method3", "exp"), ("add-one", "add-all(1)")],
)
def test_names_of_the_same_thing(name: str, same: str) -> None:
    assert Smoothing.parse(name) == Smoothing.parse(same)


def test_weight_only_on_orders_that_do_not_exist() -> None:
    """With effective order nothing is left to average: that is no perfect score."""
    assert BLEU(weights=(0, 0, 0, 1)).sentence("a x", "a b").value == 0.0
