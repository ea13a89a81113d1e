"""The native counting of characters equals its plain twin, row by row."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bleuprint import CHRF
from tests.kernels.twins.characters import Twin
from tests.support.effort import MANY
from tests.support.text_strategies import WHITE_SPACE, nasty_text

Segments = list[tuple[str, list[str]]]

options = st.fixed_dictionaries(
    {
        "char_order": st.one_of(st.integers(1, 8), st.integers(9, 16)),
        "word_order": st.integers(0, 4),
        "beta": st.sampled_from((2, 1, 3, 0, 0.5, 1000)),
        "lowercase": st.booleans(),
        "whitespace": st.booleans(),
        "eps_smoothing": st.booleans(),
    }
)
# Few characters, so that the same n-grams come often; NUL and the codes that stand for the ends of texts among them.
few_characters = st.text("ab", max_size=400)
some_characters = st.text("abc .A\0\x7f\x80\x81\x82é漢\U0001f600", max_size=40)


def segments(texts: st.SearchStrategy[str]) -> st.SearchStrategy[Segments]:
    return st.lists(st.tuples(texts, st.lists(texts, min_size=1, max_size=4)), min_size=1, max_size=3)


def assert_equals_twin(corpus: Segments, chosen: dict[str, Any]) -> None:
    metric, twin = CHRF(**chosen), Twin(**chosen)
    expected = [twin.row(*segment) for segment in corpus]
    hypotheses, references = [text for text, _ in corpus], [group for _, group in corpus]
    assert metric.statistics(hypotheses, references).rows.tolist() == expected
    assert [list(metric.sentence(*segment).columns) for segment in corpus] == expected
    values = metric.sentences(hypotheses, references)
    assert (100 * values).tolist() == pytest.approx([twin.percent(row) for row in expected], rel=1e-14, abs=0)


@settings(max_examples=3 * settings().max_examples)
@given(st.one_of(segments(some_characters), segments(nasty_text()), segments(few_characters)), options)
@example([("", ["", "a"]), ("a", ["", "b"]), ("", [""])], {})
@example([("ab", ["a", "b", "ba"])], {"whitespace": True})
@example([("a b", ["ab", " ab", "a  b"])], {"whitespace": True, "word_order": 2})
@example([("!!!!!!!!", ["", "&&quot;;"])], {"char_order": 14, "word_order": 4, "beta": 1000, "eps_smoothing": True})
@example([("(hi) .hi! !! ! é. .é é", ["( hi) .hi !", "!! . é"])], {"word_order": 3})
@example([("ΑΣ ΣΑ", ["ας σα"])], {"lowercase": True, "word_order": 1})
def test_rows(corpus: Segments, chosen: dict[str, Any]) -> None:
    assert_equals_twin(corpus, chosen)


def altered(chance: random.Random, text: str, alphabet: str) -> str:
    return "".join(chance.choice(alphabet) if chance.random() < 0.1 else character for character in text)


# 126 characters beyond ASCII fit the short way through the kernel, and texts of 4096 bytes.
@pytest.mark.parametrize("characters", [1, 2, 30, 125, 126, 127, 200, 1000])
@pytest.mark.parametrize("length", [254, 255, 256, 257, 510, 511, 512, 1366, 2049])
def test_rows_at_the_limits(characters: int, length: int) -> None:
    chance = random.Random(length * characters)
    alphabet = "".join(chr(0x4E00 + number) for number in range(characters))
    text = "".join((alphabet * length)[:length])
    shuffled = "".join(chance.choices(alphabet, k=length))
    references = [altered(chance, text, alphabet + "a"), shuffled, text[: length // 2] * 3]
    for order in (1, 2, 6, 8, 9) if MANY else (8 + length % 2,):
        assert_equals_twin([(text, references), (shuffled, references)], {"char_order": order})


@pytest.mark.parametrize("length", [4095, 4096, 4097, 20_000])
def test_rows_of_long_texts(length: int) -> None:
    chance = random.Random(length)
    letters = "etaoinshrdlucmfwypvbgkqjxz    ,."
    text = "".join(chance.choices(letters, k=length))
    assert_equals_twin([(text, [altered(chance, text, letters), text[:300]]), (text[:300], [text])], {"word_order": 2})
    # The same pair at every place: its list of places is as long as the text.
    repeated = "ab" * (length // 2)
    assert_equals_twin([(repeated, [repeated[1:], text]), (repeated[:1000], [repeated])], {})


def test_counts_beyond_sixteen_bits() -> None:
    length = 70_000
    columns = CHRF(char_order=2).sentence("a" * length, "a" * (length + 1)).columns
    assert columns == (length, length + 1, length, length - 1, length, length - 1)
    columns = CHRF(char_order=2).sentence("a" * 10, "a" * length).columns
    assert columns == (10, length, 10, 9, length - 1, 9)


def test_every_white_space_is_dropped() -> None:
    text = "a" + "b".join(WHITE_SPACE) + "c"
    assert CHRF().statistics([text], ["".join(text.split())]).rows[0][1] == len(WHITE_SPACE) + 1
    assert CHRF(whitespace=True).sentence(text, text).columns[0] == len(text)


def test_one_counter_keeps_nothing_of_earlier_segments() -> None:
    """Short and long texts, few and many characters, one after another in the same memory."""
    chance = random.Random(3)
    kinds = ["ab", "ab é漢", "".join(chr(0x400 + number) for number in range(200))]
    texts = ["".join(chance.choices(chance.choice(kinds), k=chance.choice((0, 1, 2, 7, 60, 5000)))) for _ in range(60)]
    corpus = [(chance.choice(texts), chance.choices(texts, k=chance.choice((1, 1, 2, 3)))) for _ in range(150)]
    assert_equals_twin(corpus, {"word_order": 1})
