"""The kernels behind ROUGE equal their plain twins; options, parts and lists of tokens."""

from __future__ import annotations

import random
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import bleuprint as bp
from bleuprint import ROUGE
from bleuprint.core import _native
from bleuprint.errors import OptionError
from tests.kernels.twins import best_match as twin
from tests.laws.strategies import any_token, few_types
from tests.support.text_strategies import CODE_POINTS, nasty_text

TYPES = ("rouge1", "rouge2", "rouge3", "rouge9", "rougeL", "rougeLsum")
Lines = list[list[str | int]]
tokens = st.one_of(any_token, few_types).filter(lambda token: token != "\n")


def texts(token: st.SearchStrategy[str | int], lines: int, longest: int) -> st.SearchStrategy[Lines]:
    return st.lists(st.lists(token, max_size=longest), min_size=1, max_size=lines)


def flat(lines: Lines) -> list[str | int]:
    """The form in which lists of tokens have lines."""
    return [token for line in lines for token in [*line, "\n"]][:-1]


few = texts(few_types, 3, 40)
many = texts(tokens, 4, 6)
segments = st.one_of(
    st.tuples(many, st.lists(many, min_size=1, max_size=3)),
    st.tuples(few, st.lists(few, min_size=1, max_size=2)),
    # A text against its own lines in other places shares long pieces.
    st.tuples(many, st.permutations(range(4))).map(
        lambda drawn: (drawn[0], [[drawn[0][at % len(drawn[0])] for at in drawn[1]]])
    ),
)


@given(segments)
@example(([["a", "a", "b"], ["b"]], [[["a", "b", "a"], ["b", "a"]]]))
@example(([["a", "x"]], [[["a", "a"]], [["x", "a"]]]))
def test_rows_equal_the_definition(segment: tuple[Lines, list[Lines]]) -> None:
    hypothesis, references = segment
    expected = twin.row(TYPES, hypothesis, references)
    metric = ROUGE(types=TYPES)
    rows = metric.statistics([flat(hypothesis)], [[flat(text) for text in references]]).rows
    assert rows.tolist() == [expected]


@given(
    st.integers(1, 4).flatmap(
        lambda kinds: st.tuples(*[st.lists(st.integers(0, kinds), min_size=60, max_size=200)] * 2)
    ),
    st.sampled_from((1, 4, 16, 1 << 20)),
)
def test_the_way_back_is_the_same_in_any_memory(drawn: tuple[list[int], list[int]], stored: int) -> None:
    columns, rows = drawn
    assert _native.common_subsequence(columns, rows, stored) == twin.subsequence(rows, columns)


few_ids = st.lists(st.integers(0, 2), min_size=3, max_size=90)


@given(begin=few_ids, first=few_ids, second=few_ids, end=few_ids)
def test_what_both_texts_begin_and_end_in_is_matched(
    begin: list[int], first: list[int], second: list[int], end: list[int]
) -> None:
    columns, rows = [*begin, *first, *end], [*begin, *second, *end]
    taken = twin.subsequence(rows, columns)
    assert _native.common_subsequence(columns, rows, 1 << 20) == taken
    texts = [" ".join("abc"[number] for number in side) for side in (rows, columns)]
    score = ROUGE(types="rougeL", tokenizer="whitespace").sentence(*texts)
    assert score.columns[0] == len(taken)


def table_by_rows(columns: list[int], rows: list[int]) -> list[int]:
    """The twin's walk over a table that NumPy makes row by row: only where a row gains is kept."""
    wide = np.array(columns)
    before = np.zeros(len(columns) + 1, dtype=np.int32)
    gains = []
    for row in rows:
        after = before.copy()
        np.maximum.accumulate(np.maximum(before[1:], before[:-1] + (wide == row)), out=after[1:])
        gains.append(np.packbits(after > before))
        before = after
    at, column, taken = len(rows), len(columns), []
    while at and column:
        if rows[at - 1] == columns[column - 1]:
            at, column = at - 1, column - 1
            taken.append(at)
        elif gains[at - 1][column // 8] >> (7 - column % 8) & 1:
            column -= 1
        else:
            at -= 1
    return taken[::-1]


@pytest.mark.parametrize("kinds", [2, 100, 3000])
def test_long_sequences(kinds: int) -> None:
    """Rare ids have lists of places, frequent ones rows of bits."""
    chance = random.Random(kinds)
    columns = [min(chance.randrange(kinds), chance.randrange(kinds)) for _ in range(3000)]
    rows = [min(chance.randrange(kinds), chance.randrange(kinds)) for _ in range(2500)]
    expected = table_by_rows(columns, rows)
    assert _native.common_subsequence(columns, rows, 1 << 20) == expected
    assert _native.common_subsequence(columns, rows, 5000) == expected


def assert_words(text: str, scheme: str, split: Callable[[str], list[str]]) -> None:
    assert bp.tokenize(text, scheme) == split(text)


@given(nasty_text())
@example("Kelvin \u212aelvin İstanbul ﬁ ß Ⅷ x²")
@example("0123456789abcdef" * 4)
@example("A" * 63 + " " + "B" * 64 + "-")
def test_words_equal_the_definition(text: str) -> None:
    assert_words(text, "ascii-words", twin.ascii_words)
    assert_words(text, "unicode-words", twin.unicode_words)


@pytest.mark.parametrize("scheme", ["ascii-words", "unicode-words"])
def test_every_code_point(scheme: str) -> None:
    split = twin.ascii_words if scheme == "ascii-words" else twin.unicode_words
    letters = [chr(point) for point in CODE_POINTS if point < 0x32000 or 0xE0000 < point < 0xE0200]
    texts = (f"a{letter}b {letter}漢{letter}1 Σ{letter}" for letter in letters)
    wrong = [text for text in texts if bp.tokenize(text, scheme) != split(text)]
    assert not wrong, [hex(ord(text[1])) for text in wrong[:20]]


@pytest.mark.parametrize("length", [0, 1, 15, 16, 17, 63, 64, 65, 127, 128, 129, 1000])
def test_words_at_the_edges_of_blocks(length: int) -> None:
    chance = random.Random(length)
    for _ in range(50):
        text = "".join(chance.choices("aZ09 -é", k=length))
        assert_words(text, "ascii-words", twin.ascii_words)


def test_other_scripts_count_with_the_unicode_tokenizer() -> None:
    pairs = {
        "ru": ("Кошка СПИТ.", "кошка спит!"),
        "el": ("Ο ΚΌΣΜΟΣ", "ο κόσμος"),
        "ar": ("العالم الجميل", "العالم، الجميل"),
        "hi": ("हिन्दी भाषा", "हिन्दी, भाषा।"),
        "zh": ("我喜欢猫", "我喜欢猫。"),
        "ja": ("猫が好き", "猫が好き。"),
        "th": ("ฉันรักแมว", "ฉันรักแมว!"),
        "ko": ("고양이를 좋아해", "고양이를 좋아해."),
        "fa": ("می\u200cخواهم", "می\u200cخواهم."),
    }
    for text, reference in pairs.values():
        assert bp.sentence_rouge(text, reference).value == 0.0
        assert bp.sentence_rouge(text, reference, tokenizer="unicode").value == 1.0
    assert bp.tokenize("我喜欢 Python3！", "unicode-words") == ["我", "喜", "欢", "python3"]
    assert bp.tokenize("snake_case x² 👩\u200d👧 ١٢", "unicode-words") == ["snake", "case", "x²", "١٢"]


def test_parts_and_value() -> None:
    score = bp.sentence_rouge("the cat sat", "the cat", types=("rougeL", "rouge1"))
    assert list(score.parts) == [
        *("rougeL", "rougeL_precision", "rougeL_recall"),
        *("rouge1", "rouge1_precision", "rouge1_recall"),
    ]
    assert score.value == score["rougeL"] == pytest.approx(0.8)
    assert (score["rouge1_precision"], score["rouge1_recall"]) == (2 / 3, 1.0)
    assert ROUGE(types="rouge2").columns == ("rouge2_matches", "rouge2_hypothesis_total", "rouge2_reference_total")


def test_the_mean_of_a_corpus_is_plain() -> None:
    hypotheses, references = ["a b", "c", ""], [["a", "b c"], ["d"], ["e"]]
    corpus = bp.corpus_rouge(hypotheses, references)
    each = [bp.sentence_rouge(*segment).parts for segment in zip(hypotheses, references, strict=True)]
    for name, value in corpus.parts.items():
        assert value == pytest.approx(np.mean([parts[name] for parts in each]), rel=1e-15)
    assert corpus.columns == ROUGE().statistics(hypotheses, references).total()
    assert corpus.value == bp.corpus_rouge(hypotheses, references).value
    assert corpus.value == pytest.approx(bp.sentence_rouges(hypotheses, references).mean(), rel=1e-15)


def test_a_score_says_what_it_is_of() -> None:
    one, several = bp.sentence_rouge("a b", ["a", "b"]), bp.corpus_rouge(["a b", "c"], [["a", "b"], ["c", "d"]])
    assert [(score.sentence, score.references) for score in (one, several)] == [(True, 2), (False, 2)]
    assert one.signature.split("|bleuprint:")[0] == f"{ROUGE().signature}#references:2"
    assert several.signature == one.signature
    varying = ROUGE().update(["a b"], [["a", "b"]]).update(["c"], ["c"]).compute()
    assert varying.references is None
    assert "#references:varying|" in varying.signature


def test_signature_replays() -> None:
    metric = ROUGE(types=("rougeL", "rouge3"), tokenizer="unicode", stemmer=True)
    assert metric.signature == "rouge.1|stemmer:yes|tokenizer:unicode|types:rougeL+rouge3"
    again = ROUGE.from_signature(metric.signature)
    assert (dict(again.options), again.signature) == (dict(metric.options), metric.signature)


def test_a_custom_tokenizer_reads_lines_in_lower_case() -> None:
    split = ROUGE(types=TYPES, tokenizer=str.split)
    plain = ROUGE(types=TYPES)
    pair = "A b\nc D\n\nb", "a B\nb\nd c"
    assert split.sentence(*pair).columns == plain.sentence(*pair).columns
    assert ROUGE(types=TYPES, tokenizer="whitespace").sentence(*pair).columns == plain.sentence(*pair).columns
    assert ROUGE(types=TYPES, tokenizer="13a").sentence(*pair).columns == plain.sentence(*pair).columns
    assert split.sentence(["Cats"], ["cats"]).value == 0.0  # lists of tokens are taken as they are


def test_lists_are_taken_as_they_are_but_stemmed() -> None:
    assert bp.sentence_rouge(["Cats"], ["cats"]).value == 0.0
    running: list[str | int] = ["running", 0xDEED]
    runs: list[str | int] = ["runs", 0xDEED]
    assert bp.sentence_rouge(running, [runs], stemmer=True).value == 1.0
    # 0xDEED and 0xDEEDED would have the same stem if they were words.
    assert bp.sentence_rouge([0xDEED], [[0xDEEDED]], stemmer=True).value == 0.0


@pytest.mark.parametrize(
    "options",
    [
        *({"types": wrong} for wrong in ("", (), "rouge0", "rouge10", "rougel", ("rouge1", "rouge1"), (1,), 5, None)),
        {"stemmer": 1},
        {"tokenizer": "nothing"},
        {"tokenizer": ["13a"]},
    ],
)
def test_bad_options(options: dict[str, object]) -> None:
    with pytest.raises(OptionError, match=next(iter(options))):
        ROUGE(**options)  # type: ignore[arg-type]


def test_one_is_not_true_even_if_true_was_asked_before() -> None:
    bp.sentence_rouge("a", "a", stemmer=True)
    with pytest.raises(OptionError, match=r"stemmer must be True, False or the name of a language, .* got 1"):
        bp.sentence_rouge("a", "a", stemmer=1)  # type: ignore[arg-type]
