"""Self-BLEU's laws: what the definition says of each text, whatever way it is computed."""

from __future__ import annotations

from hypothesis import assume, given
from hypothesis import strategies as st

import bleuprint as bp

words = st.sampled_from(["a", "b", "c", "the", "mat", "é"])
texts_of_words = st.lists(words, max_size=30).map(" ".join)
pools = st.lists(texts_of_words, min_size=2, max_size=10)
orders = st.integers(1, 5)


def per_text(texts: list[str], order: int) -> list[float]:
    found: list[float] = bp.self_bleu(texts, max_order=order, tokenizer="whitespace").per_text.tolist()
    return found


@given(texts=pools, order=orders, data=st.data())
def test_law_26_scores_move_with_their_texts(texts: list[str], order: int, data: st.DataObject) -> None:
    places = data.draw(st.permutations(range(len(texts))))
    scores = per_text(texts, order)
    assert per_text([texts[place] for place in places], order) == [scores[place] for place in places]


@given(texts=pools, order=orders, data=st.data())
def test_law_27_a_text_that_occurs_twice_scores_one(texts: list[str], order: int, data: st.DataObject) -> None:
    copied = data.draw(st.sampled_from(texts))
    assume(len(copied.split()) >= order)
    scores = per_text([*texts, copied], order)
    assert {score for text, score in zip([*texts, copied], scores, strict=True) if text == copied} == {1.0}
