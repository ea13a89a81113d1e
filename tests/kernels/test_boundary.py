"""Whatever is given to the public functions: an answer within its bounds, or an error of errors.py."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from typing import Any

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import bleuprint as bp
from bleuprint.errors import BleuprintError
from tests.support.effort import examples

ALIGNED = [
    "corpus_bleu",
    "corpus_cer",
    "corpus_chrf",
    "metrics.ContainsMatch.corpus",
    "exact_match",
    "corpus_gleu",
    "metrics.LevenshteinRatio.corpus",
    "metrics.MER.corpus",
    "corpus_meteor",
    "corpus_nist",
    "corpus_rouge",
    "corpus_ter",
    "corpus_wer",
    "metrics.WIL.corpus",
    "sentence_bleus",
    "sentence_cers",
    "sentence_chrfs",
    "sentence_gleus",
    "sentence_meteors",
    "sentence_rouges",
    "sentence_ters",
    "sentence_bleu",
    "sentence_cer",
    "sentence_chrf",
    "metrics.ContainsMatch.sentence",
    "sentence_gleu",
    "sentence_meteor",
    "sentence_nist",
    "sentence_rouge",
    "sentence_ter",
    "metrics.WIL.sentence",
    "pairwise",
    "metrics.MSJaccard.corpus",
    "cross_bleu",
]
POOLED = [
    "self_bleu",
    "distinct",
    "metrics.Entropy.corpus",
    "metrics.RepetitionRate.corpus",
    "metrics.UniqueNgrams.corpus",
    "pairwise",
]
SOURCED = ["sari", "metrics.SARI.sentences", "metrics.SARI.sentence", "ibleu"]


def find(name: str) -> Callable[..., Any]:
    """The function of that name, or the method of a metric with its default options."""
    if "." not in name:
        function: Callable[..., Any] = getattr(bp, name)
        return function
    _, kind, method = name.split(".")
    bound: Callable[..., Any] = getattr(getattr(bp.metrics, kind)(), method)
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
options = st.dictionaries(
    st.sampled_from(
        [
            "tokenizer",
            "lowercase",
            "max_order",
            "smoothing",
            "weights",
            "threads",
            "order",
            "beta",
            "alpha",
            "profile",
            "banana",
        ]
    ),
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
    side = "source" if name == "metrics.SARI.sentence" else "sources"
    check(find(name), (hypotheses, references), {side: sources, **names})


@mild
@given(text=st.one_of(graphs, oddities), names=options)
def test_tokenize(text: Any, names: dict[str, Any]) -> None:
    check(bp.tokenize, (text,), names)
