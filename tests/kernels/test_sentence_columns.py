"""A segment scores the same alone and in a column, bit for bit."""

from __future__ import annotations

import pytest

import bleuprint

HYPOTHESES = ["a b c d e f g h i", "a b c x e f", "a", "", "b a b a b a b a b a b a b a b a b"]
REFERENCES = ["a b c d f g h i", "a b", "a b c", "c", "a b a b a b x a b a b a b a b"]


@pytest.mark.parametrize("effective_order", [True, False])
@pytest.mark.parametrize("max_order", range(1, 17))
def test_orders_whose_weights_do_not_sum_to_one_exactly(max_order: int, effective_order: bool) -> None:
    bleu = bleuprint.BLEU(max_order=max_order, effective_order=effective_order)
    alone = [bleu.sentence(*pair).value for pair in zip(HYPOTHESES, REFERENCES, strict=True)]
    assert bleu.sentences(HYPOTHESES, REFERENCES).tolist() == alone
