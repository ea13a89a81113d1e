"""Law: a formula that runs on terms gives the bits of the score, and its derivation computes the value again."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bleuprint as bp
from bleuprint.errors import OptionError, PoolError
from bleuprint.insight.worked import pool_names, work
from bleuprint.insight.worked.equations import Equation
from bleuprint.metrics import registry
from bleuprint.metrics.base.formulas import (
    exp,
    log,
    named,
    power,
    ratio,
    sum_of,
    weighted_geometric_mean,
    where,
    within,
)
from bleuprint.metrics.base.metric import FittedMetric, Metric
from bleuprint.metrics.base.summaries import ExactMeans
from bleuprint.metrics.base.terms import Condition, Term, derivation, lift
from bleuprint.metrics.base.terms import symbol as column
from bleuprint.metrics.smoothing import METHODS, Orders, Smoothing
from tests.laws.cases import cases
from tests.laws.strategies import share
from tests.support.cli import lines, references
from tests.support.every import models_of
from tests.support.processes import run_python
from tests.support.tables import FITTED_TABLE, MODEL_TABLE, POOL_TABLE, SOURCE_TABLE, TABLE, small_orders

AnyMetric = Metric[Any]
KINDS: dict[str, Any] = dict(registry.metrics("segment"))  # each has options of its own
FUNCTIONS = {"exp": math.exp, "log": math.log, "max": max, "min": min, "sum": lambda *terms: math.fsum(terms)}


@cache
def model_metrics() -> dict[str, AnyMetric]:
    """A metric of each kind that needs a model."""
    options: dict[str, dict[str, Any]] = {
        "bertscore": {"baseline": (0.25, 0.3, 0.125)},
        "contamination": {"order": 2},
        "novelty": {"order": 2},
    }
    return {name: kind(**models_of(name), **options.get(name, {})) for name, kind in MODEL_TABLE.items()}


def run(metric: AnyMetric, columns: Sequence[float], *, sentence: bool) -> Term:
    """The formula on terms, one for each column."""
    terms = [column(f"column_{place}", value) for place, value in enumerate(columns)]
    return lift(metric.definition.formula(terms, sentence=sentence)).name("value")


def recompute(value: Term) -> float:
    """Compute every equation of a derivation again from the ones before."""
    known: dict[str, Any] = {}
    for term in derivation(value):
        equation = Equation.of(term)
        known[term.label] = eval(equation.expression, {"__builtins__": {}, **FUNCTIONS}, known)
        assert known[term.label] == term.value, equation
        assert str(equation)
        assert equation.latex
    return float(known[value.label])


def check(metric: AnyMetric, hypotheses: list[str], groups: Any, sources: list[str]) -> None:
    """Compare the terms of all segments, and of the corpus, with their scores."""
    definition = metric.definition
    if metric.name == "gec-gleu":  # of several references it draws one at random, or takes the mean
        groups = [group[:1] for group in groups]
    groups = groups if metric.needs_references else None
    texts: dict[str, Any] = {"sources": sources} if metric.needs_sources else {}
    corpus = metric.corpus(hypotheses, groups, **texts)
    segments = metric.sentences(hypotheses, groups, **texts)
    fitted = metric.fit(groups) if isinstance(metric, FittedMetric) and definition.fitting is not None else metric
    for place, hypothesis in enumerate(hypotheses):
        source = {"source": sources[place]} if texts else {}
        score = fitted.sentence(hypothesis, None if groups is None else groups[place], **source)
        value = run(metric, score.columns, sentence=True)
        assert value.value == score.value == segments[place]
        assert recompute(value) == score.value
    # The score of such a corpus is a mean over segments, each of which has its own equations.
    if not issubclass(definition.summary, ExactMeans):
        whole = run(metric, corpus.columns, sentence=False)
        assert whole.value == corpus.value
        assert recompute(whole) == corpus.value


words = st.lists(st.sampled_from(["a", "b", "c", "ab", "The", "the", "cats", "cat."]), max_size=7).map(" ".join)
segments = st.tuples(words, st.lists(words, min_size=1, max_size=3), words)


@pytest.mark.parametrize("name", [*TABLE, *FITTED_TABLE, *SOURCE_TABLE])
@share(60, len(TABLE))
@given(data=st.data(), corpus=st.lists(segments, min_size=2, max_size=4))
def test_generated_text(name: str, data: st.DataObject, corpus: list[tuple[str, list[str], str]]) -> None:
    metric = data.draw(cases(name)).make() if name in TABLE else KINDS[name]()
    check(metric, *(list(part) for part in zip(*corpus, strict=True)))


@pytest.mark.parametrize("name", list(MODEL_TABLE))
@share(20, len(MODEL_TABLE))
@given(corpus=st.lists(segments, min_size=2, max_size=3))
def test_generated_text_under_models(name: str, corpus: list[tuple[str, list[str], str]]) -> None:
    check(model_metrics()[name], *(list(part) for part in zip(*corpus, strict=True)))


@pytest.mark.parametrize("name", list(KINDS))
def test_real_text(name: str) -> None:
    metric = model_metrics()[name] if name in MODEL_TABLE else KINDS[name]()
    check(metric, lines("system-a")[:25], [list(group) for group in references()[:25]], lines("system-b")[:25])


MEANS_OF_TEXTS = {"cross-bleu", "self-bleu"}  # they show the equations of one text
ENCODED = ("embedding-vendi", "frechet")


def test_every_pool_shows_its_equations() -> None:
    assert {*pool_names(), *ENCODED, *MEANS_OF_TEXTS} == {*registry.metrics("pool")}


@pytest.mark.parametrize("name", [*pool_names(), *ENCODED])
@share(60, len(POOL_TABLE))
@given(texts=st.lists(words, min_size=2, max_size=6), others=st.lists(words, min_size=2, max_size=4))
def test_pools_of_generated_text(name: str, texts: list[str], others: list[str]) -> None:
    kind: Any = registry.metrics()[name]
    if name in ENCODED:
        metric = kind(**models_of(name))
        texts, others = [*texts, "a cat"], [*others, "the cats"]  # at least one has a vector
    else:
        metric = kind(tokenizer="whitespace", **small_orders(name))
    references = others if metric.needs_references else None
    expected = metric.corpus(texts, references)
    shown = work(texts, references, metric)
    assert (shown.value, shown.signature) == (expected.value, expected.signature)
    pooled = metric.fresh().update(texts, references).summary
    formula = metric.definition.formula
    counted = formula.count(pooled.texts, pooled.reference_texts or pooled.empty(), 1)
    value = lift(formula.evaluate({label: column(label, number) for label, number in counted.items()})[-1])
    assert value.value == expected.value
    assert recompute(value.name("value")) == expected.value


def test_work_of_a_pool() -> None:
    shown = work(["a b a b", "a b"], None, bp.Distinct(max_order=2, tokenizer="whitespace"))
    assert str(shown.equation("distinct")) == "distinct = d_2 / t_2 = 2 / 4 = 0.5000"
    assert [(text.role, text.tokens) for text in shown.texts] == [
        ("text 1", ("a", "b", "a", "b")),
        ("text 2", ("a", "b")),
    ]
    assert shown.pretty()
    assert shown.to_html()
    with pytest.raises(PoolError):
        work([], None, "distinct")
    slope = work(["a a b", "a c"], None, bp.metrics.Zipf(tokenizer="whitespace"))
    assert str(slope.equation("zipf")).startswith("zipf = −sum(x_3 · 1.099, x_1 · 0) / S = ")


@pytest.mark.parametrize("method", METHODS)
@given(
    counts=st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=5, max_size=5),
    length=st.integers(0, 12),
)
def test_smoothing_of_numbers_columns_and_terms(method: str, counts: list[tuple[int, int]], length: int) -> None:
    """Every method gives the same bits in all three readings."""
    matches, totals = zip(*map(sorted, counts), strict=True)
    smoothing = Smoothing.parse(method)
    plain = smoothing.precisions(Orders(matches, totals, length, 0.25, length))
    columns = [[np.array([number]) for number in part] for part in (matches, totals)]
    orders = Orders(columns[0], columns[1], np.array([length]))
    orders.beyond, orders.last_length = np.array([0.25]), np.array([length])
    arrays = smoothing.precisions(orders)
    terms = smoothing.precisions(
        Orders(
            [column(f"m{order}", number) for order, number in enumerate(matches)],
            [column(f"t{order}", number) for order, number in enumerate(totals)],
            column("c", length),
            0.25,
            column("l", length),
        )
    )
    assert [float(value) for value in plain] == [float(value[0]) for value in arrays]
    assert [float(value) for value in plain] == [float(lift(value)) for value in terms]


def test_functions_of_formulas_take_terms() -> None:
    """A pool's formula is one like any other, such as the mean of the texts' scores."""
    scores = named("s", [ratio(column("a", 3), column("b", 4)), ratio(column("c", 1), column("d", 0))])
    mean = named("mean", sum_of(scores) / len(scores))
    assert [str(Equation.of(term)) for term in derivation(mean) if not term.is_given] == [
        "s_1 = a / b = 3 / 4 = 0.7500",
        "s_2 = 0",
        "mean = (s_1 + s_2) / 2 = (0.7500 + 0.0000) / 2 = 0.3750",
    ]
    x = column("x", 2.5)
    assert (log(x).value, exp(x).value, power(x, 3.0).value) == (math.log(2.5), math.exp(2.5), 2.5**3.0)
    assert weighted_geometric_mean([x, x], [0.5, 0.5]).value == weighted_geometric_mean([2.5, 2.5], [0.5, 0.5])


def test_conditions_remember_what_decided() -> None:
    a, b = column("a", 2), column("b", 5)
    both = (a < b) & (b > 4)
    assert isinstance(both, Condition)
    assert Equation.of(where(both, a, b).name("x")).note == "a < b, b > 4"
    assert Equation.of(where((a > b) & (b > 4), a, b).name("x")).note == "a < b"
    assert Equation.of(where((a > b) | (b > 4), a, b).name("x")).note == "b > 4"
    assert Equation.of(where(~(a == b), a, b).name("x")).note == "a < b"
    assert Equation.of(where(a > 0, a, b).name("x")).note == ""  # goes without saying


def test_names_are_unique_within_a_formula() -> None:
    first, second = (within(scope, [column(f"m_{scope}", 3)]) for scope in "RI")
    apart = named("F", first[0] + 1) - named("F", second[0] + 2)
    assert [term.label for term in derivation(apart)] == ["m_R", "m_I", "F_R", "F_I"]
    with pytest.raises(OptionError, match="the formula gives two values the name 'F'"):
        named("F", column("a", 1) + 1) + named("F", column("b", 1) + 2)


def test_scoring_does_not_load_terms() -> None:
    code = (
        "import sys, bleuprint as bp; bp.sentence_bleu('a b', 'a c'); bp.corpus_bleu(['a b'], ['a c']);"
        "bp.corpus_chrf(['a'], ['b']); bp.corpus_ter(['a'], ['b']); bp.sentence_meteor('a', 'b');"
        "assert not [name for name in sys.modules if name.endswith('base.terms')]"
    )
    run_python("-c", code)
