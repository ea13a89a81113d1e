"""Whatever is given to the public functions: an answer within its bounds, or an error of errors.py."""

from __future__ import annotations

import copy
import inspect
import math
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import bleuprint as bp
from bleuprint.errors import BleuprintError
from bleuprint.metrics import registry
from bleuprint.metrics.functions import THREE
from tests.support.effort import examples
from tests.support.processes import run_python
from tests.support.tables import TABLE

FUNCTIONS = [form.format(name) for name in THREE for form in ("corpus_{}", "sentence_{}", "sentence_{}s")]
# Functions, and methods of metrics with their default options.
ALIGNED = [
    *(*FUNCTIONS, "exact_match", "pairwise", "cross_bleu", "ms-jaccard.corpus"),
    *(
        f"{name}.{method}"
        for name, kind in TABLE.items()
        if not kind.needs_sources
        for method in ("corpus", "sentence")
    ),
]
POOLED = ["self_bleu", "distinct", "entropy.corpus", "repetition-rate.corpus", "unique-ngrams.corpus", "pairwise"]
SOURCED = ["sari", "sari.sentences", "sari.sentence", "ibleu"]


def find(name: str) -> Callable[..., Any]:
    if "." not in name:
        function: Callable[..., Any] = getattr(bp, name)
        return function
    metric, _, method = name.partition(".")
    kind: Any = registry.metrics()[metric]
    bound: Callable[..., Any] = getattr(kind(), method)
    return bound


texts = st.one_of(
    st.sampled_from(["", " ", "the cat sat", "the cat sat on the mat .", "a a a a", "\x00", "é́", "猫 が", "\n"]),
    st.text(st.characters(exclude_categories=[]), max_size=12),
)
oddities: st.SearchStrategy[Any] = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 3),
    st.integers(),
    st.floats(),
    st.binary(max_size=4),
    st.just(object()),
    st.just(np.array(["a", "b"])),
    st.just(np.zeros(2)),
    st.just(map(str, ())),
    st.just({"a": 1}),
    st.just(range(3)),
)
graphs: st.SearchStrategy[Any] = st.one_of(
    st.lists(texts, max_size=4),
    st.lists(st.lists(texts, max_size=3), max_size=4),
    st.recursive(
        st.one_of(texts, oddities),
        lambda inner: st.one_of(st.lists(inner, max_size=3), st.tuples(inner, inner), st.dictionaries(texts, inner)),
        max_leaves=6,
    ),
)
NAMES = "tokenizer lowercase max_order smoothing weights threads order beta alpha profile banana".split()  # noqa: SIM905
options = st.dictionaries(
    st.sampled_from(NAMES),
    st.one_of(
        st.sampled_from(["13a", "intl", "char", "none", "exp", "floor", "add-k", "method3", "sacrebleu", "nltk", ""]),
        st.integers(-1, 9),
        st.sampled_from([2**31, 2**63, 2**64, -(2**63), 1e308, math.nan, math.inf]),
        st.lists(st.floats(), max_size=4),
        oddities,
    ),
    max_size=2,
)


def unknown_option(function: Callable[..., Any], names: dict[str, Any]) -> bool:
    """Whether Python itself refuses a keyword, which it does with a TypeError of its own."""
    parameters = inspect.signature(function).parameters
    if any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters.values()):
        return "banana" in names
    return not set(names) <= set(parameters)


def check(function: Callable[..., Any], arguments: tuple[Any, ...], names: dict[str, Any]) -> None:
    try:
        answer = function(*arguments, **names)
    except BleuprintError:
        return
    except TypeError as error:
        refused = "unexpected keyword" in str(error) or "multiple values" in str(error)
        if refused or unknown_option(function, names):
            return
        raise
    value = getattr(answer, "value", answer)
    if isinstance(value, float):
        assert not math.isnan(value)
        assert value >= 0 or function.__name__ == "ibleu"


mild = settings(deadline=None, max_examples=examples(60), suppress_health_check=list(HealthCheck))


@mild
@given(name=st.sampled_from(ALIGNED), hypotheses=graphs, references=graphs, names=options)
def test_two_sides(name: str, hypotheses: Any, references: Any, names: dict[str, Any]) -> None:
    check(find(name), (hypotheses, references), names)


@mild
@given(name=st.sampled_from(ALIGNED), column=st.lists(texts, min_size=1, max_size=4), names=options)
def test_options(name: str, column: list[str], names: dict[str, Any]) -> None:
    check(find(name), (column, column), names)


@mild
@given(name=st.sampled_from(POOLED), pool=graphs, names=options)
def test_pools(name: str, pool: Any, names: dict[str, Any]) -> None:
    check(find(name), (pool,), names)


@mild
@given(name=st.sampled_from(SOURCED), sources=graphs, hypotheses=graphs, references=graphs, names=options)
def test_three_sides(name: str, sources: Any, hypotheses: Any, references: Any, names: dict[str, Any]) -> None:
    side = "source" if name == "sari.sentence" else "sources"
    check(find(name), (hypotheses, references), {side: sources, **names})


@mild
@given(text=st.one_of(graphs, oddities), names=options)
def test_tokenize(text: Any, names: dict[str, Any]) -> None:
    check(bp.tokenize, (text,), names)


SECOND = """
import bleuprint.core._native, sys
del sys.modules["bleuprint.core._native"], bleuprint.core._native
try:
    import bleuprint.core._native
except ImportError as error:
    print(error)
"""


def test_a_second_load_of_the_core_says_why_it_fails() -> None:
    """As in a subinterpreter: the classes belong to the first."""
    assert "it can be loaded only once" in run_python("-c", SECOND)


@pytest.mark.parametrize(
    "ids", [[[1, 2, 0], [3, 4, 5]], [[[1, 2], [3, 0]], [[5, 6], [7, 8]]], [[0, 0], [0, 0]], [[-5, 2**62]]]
)
def test_columns_of_ids_are_pickled(ids: Any) -> None:
    texts = bp.token_ids(ids, pad=0)
    for copied in (pickle.loads(pickle.dumps(texts)), copy.deepcopy(texts)):
        assert copied.unpack() == texts.unpack()
        assert (copied.sizes(), copied.tokenized) == (texts.sizes(), True)
