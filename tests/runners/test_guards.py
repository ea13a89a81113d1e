"""Notes about texts and scores that usually come from a mistake."""

from __future__ import annotations

import warnings
from typing import Any

import pytest

import bleuprint as bp
from bleuprint.errors import NotTextError
from bleuprint.metrics.base.metric import Metric
from bleuprint.runners.guards import TextGuard, notes_on_scores, notes_on_texts
from tests.support.cli import lines

CHINESE = ["我们明天早上一起去公园散步吧。", "他昨天在图书馆里看了一整天的书。", "这家餐厅的菜非常好吃,价格也不贵。"]
JAPANESE = ["明日の朝、一緒に公園へ散歩に行きましょう。", "彼は昨日一日中図書館で本を読んでいました。"]
THAI = ["พรุ่งนี้เช้าเราไปเดินเล่นที่สวนสาธารณะด้วยกันนะ", "เมื่อวานเขาอ่านหนังสือที่ห้องสมุดทั้งวัน"]


@pytest.mark.parametrize(
    ("texts", "tokenizer", "language", "advice"),
    [
        (CHINESE, "13a", "Chinese", "-tok zh"),
        (CHINESE, "intl", "Chinese", "-tok zh"),
        (JAPANESE, "13a", "Japanese", "-tok ja-mecab"),
        (THAI, "13a", "Thai", "-tok char"),
        (CHINESE, "ascii-words", "Chinese", "-tok zh"),  # which drops the text
    ],
)
def test_text_that_is_not_split_into_words(texts: list[str], tokenizer: str, language: str, advice: str) -> None:
    metrics: dict[str, Metric[Any]] = {"bleu": bp.BLEU(tokenizer=tokenizer), "chrf": bp.CHRF()}
    (note,) = notes_on_texts({"A": texts}, [(text,) for text in texts], None, metrics)
    assert language in note
    assert advice in note
    assert "(bleu)" in note


@pytest.mark.parametrize(
    ("texts", "tokenizer"),
    [
        (CHINESE, "zh"),
        (CHINESE, "char"),
        (JAPANESE, "ja-mecab"),
        (THAI, "char"),
        (["Er sagte 你好 zu mir und ging nach Hause."], "13a"),
        (["오늘은 날씨가 아주 좋아서 공원에 갔습니다."], "13a"),  # Korean has spaces
        (["", "12 34"], "13a"),
    ],
)
def test_text_that_is(texts: list[str], tokenizer: str) -> None:
    references = [(text,) for text in texts]
    assert notes_on_texts({"A": texts}, references, None, {"bleu": bp.BLEU(tokenizer=tokenizer)}) == []


def test_identical_systems_and_references_that_are_sources() -> None:
    outputs, references = lines("system-a"), [(text,) for text in lines("ref-1")]
    systems = {"A": outputs, "B": lines("system-b"), "C": outputs}
    assert notes_on_texts(systems, references, lines("source"), {}) == [
        "A and C are identical in every segment; is one of them the wrong file?"
    ]
    (note,) = notes_on_texts({"A": outputs}, references, lines("ref-1"), {})
    assert note.startswith("48 of 48 references are equal to their source")


def test_blocks_are_taken_together() -> None:
    guard = TextGuard({})
    guard.look({"A": ["a"], "B": ["a"]}, [("x",)], ["x"])
    assert len(guard.notes()) == 2
    guard.look({"A": ["a", "b"], "B": ["a", "c"]}, [("y",), ("z",)], ["", ""])
    assert guard.notes() == []


def test_unknown_words() -> None:
    model = bp.LanguageModel.train(lines("ref-1"), order=2, discount_fallback=True)
    result = bp.evaluate({"A": ["zyx wvu"], "B": ["the"]}, ["a"], metrics=[bp.Perplexity(model)])
    (note,) = notes_on_scores(result)
    assert note.startswith("A: the language model does not know 67 % of the tokens")
    assert notes_on_scores(bp.evaluate(["a"], ["a"])) == []


def test_a_text_in_brackets_is_not_silently_one_token() -> None:
    with pytest.warns(UserWarning, match="each is one token with spaces in it; pass a str") as caught:
        assert bp.sentence_bleu(["the cat sat on a mat"], ["the cat sat on the mat"]).value == 0.0
    assert caught[0].filename == __file__
    with pytest.warns(UserWarning, match="hypotheses: "):
        bp.corpus_bleu([["the cat sat"], ["a dog"]], [["the cat sat"], ["a dog"]])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        bp.sentence_bleu(["New York", "is", "large"], ["New York", "is", "big"])
        bp.corpus_bleu([["New York"], ["large"]], [["New York"], ["big"]])
        bp.sentence_bleu("a b", ["a b"])


def test_a_missing_text_of_pandas() -> None:
    with pytest.raises(NotTextError, match=r"got NaN; it stands for a missing text: use '' or drop the segment"):
        bp.corpus_bleu(["a", float("nan")], ["a", "b"])  # type: ignore[list-item]
    with pytest.raises(NotTextError, match=r"references\[1\].*got NaN.*fillna"):
        bp.corpus_bleu(["a", "b"], ["a", float("nan")])  # type: ignore[list-item]
    with pytest.raises(NotTextError, match="got float; convert it with str"):
        bp.corpus_bleu(["a", 3.5], ["a", "b"])  # type: ignore[list-item]
