"""Every pair's score is the one that BLEU gives the pair alone, bit for bit, however the pairs are counted."""

from __future__ import annotations

import math
import random
from typing import Any, Literal

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bleuprint
from bleuprint import errors
from bleuprint.metrics import pairwise
from tests.support.interrupts import assert_interrupted
from tests.support.text_strategies import nasty_text

Texts = list[str] | list[list[str | int]]

OPTIONS: list[dict[str, Any]] = [
    {},
    *({"tokenizer": name} for name in ("13a", "char", "intl", "nltk", "none", "zh", "zh-corrected")),
    {"tokenizer": "whitespace", "lowercase": True},
    {"tokenizer": str.split},
    {"tokenizer": list, "lowercase": True},
    *({"max_order": order} for order in (1, 2, 3, 7, 16)),
    {"weights": (0.1, 0.2, 0.3, 0.4)},
    {"max_order": 2, "weights": (0.0, 1.0)},
    *({"smoothing": name} for name in ("none", "floor", "floor(0)", "add-k", "add-k(2)", "add-all", "exp", "method0")),
    *({"smoothing": name} for name in ("method4", "method5", "method6", "method7")),
    {"smoothing": "method5", "max_order": 2},
    {"effective_order": False},
    {"effective_order": True, "smoothing": "add-k"},
    *({"profile": name} for name in ("sacrebleu", "nltk", "hf", "torchmetrics", "axion", "moses")),
    {"profile": "nltk", "smoothing": "method7"},
]

few_words = st.lists(st.sampled_from(["a", "b", "A", "the", "a-word-of-over-16-bytes", "a-word-of-over-16-bites"]))
text = few_words.map(" ".join) | nasty_text()
texts = st.lists(text, max_size=6)


def double_loop(first: Texts, second: Texts, **options: Any) -> list[list[float]]:
    bleu = bleuprint.BLEU(**options)
    return [[bleu.sentence(hypothesis, [reference]).value for reference in second] for hypothesis in first]


def generated(count: int, seed: int = 1, most_words: int = 12) -> list[str]:
    chooser = random.Random(seed)
    words = ["the", "a", "cat", "dog", "sat", "on", "mat", ".", "The", "internationalisation-of-texts"]
    return [" ".join(chooser.choices(words, k=chooser.randint(0, most_words))) for _ in range(count)]


def pairwise_bleu(
    first: Any,
    second: Any = None,
    *,
    rows: int | Literal["auto"] | None = None,
    threads: int | None = None,
    **options: Any,
) -> Any:
    return bleuprint.pairwise(first, second, metric=bleuprint.BLEU(**options), rows=rows, threads=threads)


@given(texts, texts, st.sampled_from(OPTIONS))
def test_pairs_score_as_they_do_alone(first: list[str], second: list[str], options: dict[str, Any]) -> None:
    matrix = pairwise_bleu(first, second, **options)
    assert matrix.shape == (len(first), len(second))
    assert matrix.dtype == np.float64
    assert matrix.tolist() == double_loop(first, second, **options)


@given(texts, st.sampled_from(OPTIONS))
def test_texts_among_themselves(first: list[str], options: dict[str, Any]) -> None:
    first = first + first[:2]
    assert pairwise_bleu(first, **options).tolist() == double_loop(first, first, **options)


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_every_option_set_on_many_texts(options: dict[str, Any]) -> None:
    first, second = generated(30), generated(25, seed=2)
    assert pairwise_bleu(first, second, **options).tolist() == double_loop(first, second, **options)


@pytest.mark.parametrize("threads", [1, 2, 5])
@pytest.mark.parametrize("block", [1, 7, 150, 1000, "auto"])
@pytest.mark.parametrize("pairs", [1, 1000, pairwise.PAIRS_AT_A_TIME])
def test_threads_and_blocks_change_nothing(
    monkeypatch: pytest.MonkeyPatch, threads: int, block: int | Literal["auto"], pairs: int
) -> None:
    many = generated(150)
    whole = pairwise_bleu(many, threads=1)
    monkeypatch.setattr(pairwise, "PAIRS_AT_A_TIME", pairs)
    assert (pairwise_bleu(many, threads=threads) == whole).all()
    starts, parts = zip(*pairwise_bleu(many, rows=block, threads=threads), strict=True)
    assert list(starts) == list(range(0, len(many), len(many) if block == "auto" else block))
    assert (np.concatenate(parts) == whole).all()


def test_real_length_texts_on_threads() -> None:
    """More text than a small job has, so that the work really is shared out."""
    first, second = generated(220, seed=3, most_words=120), generated(190, seed=4, most_words=120)
    bleu = bleuprint.BLEU()
    matrix = pairwise_bleu(first, second, threads=3)
    for row, hypothesis in zip(matrix, first, strict=True):
        assert (row == bleu.sentences([hypothesis] * len(second), second)).all()


TOKEN_LISTS: list[list[list[str | int]]] = [
    [["a b", "c"], ["a", "b c"]],
    [["a"], ["a\0"], ["a\0\0"], ["\0"], [""], []],
    [[7, 8, 9, 10], ["7", "8", "9", "10"], [7, "8", 9, 10]],
    [["x" * 16, "y"], ["x" * 17, "y"], ["x" * 16 + "z", "y"], ["x" * 40, "y"], ["x" * 41, "y"]],
]


@pytest.mark.parametrize("lists", TOKEN_LISTS, ids=range(len(TOKEN_LISTS)))
def test_tokens_are_compared_exactly(lists: list[list[str | int]]) -> None:
    matrix = pairwise_bleu(lists, effective_order=True)
    assert matrix.tolist() == double_loop(lists, lists, effective_order=True)
    off_diagonal = matrix[~np.eye(len(lists), dtype=bool)]
    assert (off_diagonal < 1).all()


def test_counts_are_clipped_both_ways() -> None:
    matrix = pairwise_bleu(["a a a a", "a a", "a"], max_order=1, smoothing="none")
    twice, fourfold = math.exp(1 - 2), math.exp(1 - 4)  # brevity penalties of a reference that much longer
    assert matrix.tolist() == [[1.0, 0.5, 0.25], [twice, 1.0, 0.5], [fourfold, twice, 1.0]]


@pytest.mark.parametrize(("first", "second"), [([], []), ([], ["a"]), (["a", "b"], []), ([], [["a"]])])
def test_no_texts_make_an_empty_matrix(first: list[str], second: list[str]) -> None:
    shape = len(first), len(second)
    assert pairwise_bleu(first, second).shape == shape
    assert pairwise_bleu(first, second, tokenizer=str.split).shape == shape
    assert sum(len(rows) for _, rows in pairwise_bleu(first, second, rows="auto")) == len(first)


def test_columns_of_other_libraries() -> None:
    import polars as pl  # ends a process with ThreadSanitizer in it

    lines = generated(20)
    whole = pairwise_bleu(lines)
    for column in (pa.array(lines), pa.chunked_array([lines[:7], lines[7:]]), pl.Series(lines)):
        assert (pairwise_bleu(column) == whole).all()
    for column in (np.array(lines), pd.Series(lines), (line for line in lines)):
        assert (pairwise_bleu(column, lines) == whole).all()


def test_arguments_stay_as_they_were() -> None:
    first, second = generated(5), generated(4, seed=2)
    pairwise_bleu(first, second)
    assert (first, second) == (generated(5), generated(4, seed=2))


@pytest.mark.parametrize(
    ("first", "second", "error", "message"),
    [
        ("a b", None, errors.BareStringError, "first must be a list"),
        (["a"], "a b", errors.BareStringError, "second must be a list"),
        (["a", None], None, errors.NotTextError, r"first\[1\] must be a str, got None"),
        (["a"], ["b", 3], errors.NotTextError, r"second\[1\] must be a str, got int"),
        (["a"], [["b"]], errors.NotTextError, r"second\[0\] must be a str, got list"),
        ([["a"]], ["b"], errors.NotTextError, r"second\[0\] must be a list of tokens, got str"),
        (["a", "\ud800"], None, errors.SurrogateError, r"first\[1\] holds a lone surrogate"),
        ({"a", "b"}, None, errors.NotTextError, "first must be a list of texts, got set"),
    ],
)
def test_bad_texts_have_their_own_errors(first: Any, second: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        pairwise_bleu(first, second)
    with pytest.raises(error, match=message):
        bleuprint.pairwise(first, second, rows="auto")  # already here, not at the first row


def test_token_lists_against_a_column_of_strings() -> None:
    with pytest.raises(errors.NotTextError, match="second must be a list of token lists"):
        pairwise_bleu([["a"]], pa.array(["a"]))


@pytest.mark.parametrize(
    "options", [{"max_order": 0}, {"threads": 0}, {"tokenizer": "no such"}, {"smoothing": "no such"}, {"weights": (1,)}]
)
def test_bad_options_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(errors.OptionError):
        pairwise_bleu(["a"], **options)


@pytest.mark.parametrize("block", [0, -1, True, 2.0, "2"])
def test_bad_blocks_are_refused(block: Any) -> None:
    with pytest.raises(errors.OptionError, match="rows must be an integer of at least 1"):
        bleuprint.pairwise(["a"], rows=block)


# Each call is one job of the core and would take about a minute: one that answers a signal only at its end is killed.
LONG_CALLS = {
    "rows": "pairwise.PAIRS_AT_A_TIME = 1 << 40; bleuprint.pairwise(texts)",
    "group": "bleuprint.choose([texts])",
    "groups": "bleuprint.choose([texts[:100]] * 2500)",
}
SETTING = """
import bleuprint
from bleuprint.metrics import mbr, pairwise
texts = ["a b " * 500] * 5000
mbr.PAIRS_AT_A_TIME = 1 << 40
"""


@pytest.mark.parametrize("call", LONG_CALLS.values(), ids=LONG_CALLS.keys())
def test_an_interrupt_ends_a_long_call(call: str) -> None:
    assert_interrupted(call, SETTING)
