"""The native counting kernel equals its plain twin, row by row."""

from __future__ import annotations

import random
from typing import Literal

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bleuprint import BLEU
from tests.kernels.twins import clipped as ngrams
from tests.laws.strategies import any_token, few_types, texts, token_lists

Rule = Literal["closest", "closest-first", "shortest"]
Tokens = list[str | int]
TokenCorpus = list[tuple[Tokens, list[Tokens]]]

rules = st.sampled_from(("closest", "closest-first", "shortest"))
orders = st.one_of(st.integers(1, 5), st.integers(6, 16))


def token_corpora(tokens: st.SearchStrategy[str | int], longest: int) -> st.SearchStrategy[TokenCorpus]:
    several = st.lists(token_lists(tokens, longest), min_size=1, max_size=4)
    return st.lists(st.tuples(token_lists(tokens, longest), several), min_size=1, max_size=4)


def split(corpus: TokenCorpus) -> tuple[list[Tokens], list[list[Tokens]]]:
    return [hypothesis for hypothesis, _ in corpus], [references for _, references in corpus]


def lower(tokens: Tokens) -> Tokens:
    return [token.lower() if isinstance(token, str) else token for token in tokens]


def assert_rows_of_the_twin(
    corpus: TokenCorpus, max_order: int, rule: Rule = "closest", *, one_total: bool = False, lowercase: bool = False
) -> None:
    absent: Literal["one"] | None = "one" if one_total else None
    metric = BLEU(max_order=max_order, reference_length=rule, absent_order=absent, lowercase=lowercase)
    found = metric.statistics(*split(corpus)).rows.tolist()
    if lowercase:
        corpus = [(lower(hypothesis), [lower(text) for text in references]) for hypothesis, references in corpus]
    assert found == [ngrams.row(*segment, max_order, rule, int(one_total)) for segment in corpus]


@settings(max_examples=4 * settings().max_examples)
@given(
    st.one_of(token_corpora(any_token, 10), token_corpora(few_types, 120)), orders, rules, st.booleans(), st.booleans()
)
@example([(["a b", "c"], [["a", "b c"]])], 4, "closest", False, False)
@example([([7], [["7"]]), (["7"], [[7]]), ([7], [[7]])], 1, "closest", False, False)
@example([([2**64], [[0]]), ([-1], [[2**64 - 1]])], 1, "closest", False, False)
@example([(["a" * 16 + "b"], [["a" * 16 + "c"]]), (["a" * 33], [["a" * 32]])], 1, "closest", False, False)
def test_rows_of_token_lists(corpus: TokenCorpus, max_order: int, rule: Rule, one_total: bool, lowercase: bool) -> None:
    assert_rows_of_the_twin(corpus, max_order, rule, one_total=one_total, lowercase=lowercase)


@pytest.mark.parametrize("length", [63, 64, 65])
@pytest.mark.parametrize("max_order", [1, 2, 3, 4, 5, 16])
def test_rows_at_the_edge_of_a_machine_word(length: int, max_order: int) -> None:
    """Up to 64 tokens are bits of a word; the last of them, repeated tokens and several references included."""
    draw = random.Random(length)
    hypothesis: Tokens = [draw.choice("abc") for _ in range(length)]
    references: list[Tokens] = [[draw.choice("abcd") for _ in range(size)] for size in (200, length, 3, 0)]
    corpus: TokenCorpus = [(hypothesis, [*references, hypothesis]), (hypothesis, references), (hypothesis, [[]])]
    assert_rows_of_the_twin(corpus, max_order)


@given(
    st.lists(st.tuples(texts(), st.lists(texts(), min_size=1, max_size=4)), min_size=1, max_size=4),
    orders,
    rules,
)
def test_rows_of_strings(corpus: list[tuple[str, list[str]]], max_order: int, rule: Rule) -> None:
    metric = BLEU(max_order=max_order, reference_length=rule, tokenizer="whitespace")
    hypotheses, references = [text for text, _ in corpus], [group for _, group in corpus]
    twin = [ngrams.row(text.split(), [other.split() for other in group], max_order, rule) for text, group in corpus]
    assert metric.statistics(hypotheses, references).rows.tolist() == twin
    # One segment alone takes a shorter way through the core.
    assert [list(metric.sentence(*segment).columns) for segment in corpus] == twin


@given(token_lists(any_token), st.lists(token_lists(any_token), min_size=1, max_size=3), orders)
def test_rows_of_one_segment_of_tokens(hypothesis: Tokens, references: list[Tokens], max_order: int) -> None:
    columns = BLEU(max_order=max_order).sentence(hypothesis, references).columns
    assert list(columns) == ngrams.row(hypothesis, references, max_order)


@pytest.fixture(scope="module")
def many_segments() -> TokenCorpus:
    """Eleven blocks of 256 segments and a bit: enough bytes that threads are used."""
    chance = random.Random(11)
    types = [f"token{number}" for number in range(30)]

    def text() -> Tokens:
        return [*chance.choices(types, k=chance.choice((0, 1, 3, 8, 20)))]

    return [(text(), [text() for _ in range(chance.randint(1, 3))]) for _ in range(11 * 256 + 7)]


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_rows_of_many_segments_with_threads(many_segments: TokenCorpus, threads: int) -> None:
    metric = BLEU()
    twin = [ngrams.row(*segment, 4) for segment in many_segments]
    assert metric.statistics(*split(many_segments), threads=threads).rows.tolist() == twin
    total = metric.corpus(*split(many_segments), threads=threads).columns
    assert list(total) == [sum(column) for column in zip(*twin, strict=True)]


def test_ten_thousand_references_of_one_segment() -> None:
    chance = random.Random(12)
    references = [chance.choices("abcdefgh", k=6) for _ in range(10_000)]
    hypothesis = chance.choices("abcdefgh", k=12)
    columns = BLEU().sentence(hypothesis, references).columns
    assert list(columns) == ngrams.row(hypothesis, references, 4)


def test_counts_beyond_sixteen_bits() -> None:
    length = 70_000
    columns = BLEU(max_order=2).sentence(["a"] * length, ["a"] * (length + 1)).columns
    assert columns == (length, length + 1, length, length - 1, length, length - 1)
