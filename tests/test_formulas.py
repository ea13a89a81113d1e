"""Formulas at their edges, by hand: what a sign, a bound or a place that is off by one would change."""

from __future__ import annotations

import pytest

from bleuprint import CHRF


class TestChrf:
    def test_totals_are_those_of_their_own_side(self) -> None:
        score = CHRF(char_order=2).sentence("abc", "abcde")
        assert score.parts["matches"] == (3, 2)
        assert score.parts["hypothesis_totals"] == (3, 2)
        assert score.parts["reference_totals"] == (5, 4)
        precision, recall = (3 / 3 + 2 / 2) / 2, (3 / 5 + 2 / 4) / 2
        assert (score.precision, score.recall) == (precision, recall)
        assert score.value == 5 * precision * recall / (4 * precision + recall)

    @pytest.mark.parametrize("beta", [0, 0.5, 1, 1000])
    def test_beta_from_end_to_end(self, beta: float) -> None:
        score = CHRF(char_order=1, beta=beta).sentence("ab", "abcd")
        assert score.value == pytest.approx((1 + beta**2) * 1.0 * 0.5 / (beta**2 * 1.0 + 0.5), rel=1e-15)

    def test_as_many_words_as_characters(self) -> None:
        assert CHRF(char_order=2, word_order=2).sentence("a b c", "a b c").value == 1.0

    def test_the_best_reference_is_best_under_beta(self) -> None:
        """With β² = 9 the second has the higher F, with 6 it would be the first."""
        metric, text = CHRF(char_order=1, beta=3), "a" * 18 + "b" * 2
        first, second = "a" * 18 + "z" * 18, "a" * 8 + "b" * 2 + "y" * 9
        assert metric.sentence(text, [first, second]).value == metric.sentence(text, second).value
        assert metric.sentence(text, second).value > metric.sentence(text, first).value

    def test_an_order_that_only_one_side_has(self) -> None:
        metric = CHRF(char_order=2)
        for hypothesis, reference, precision, recall in (("ab", "a", 0.5, 1.0), ("a", "ab", 1.0, 0.5)):
            value = 5 * precision * recall / (4 * precision + recall)
            assert metric.sentence(hypothesis, reference).value == value
            assert metric.sentences([hypothesis], [reference]).tolist() == [value]

    def test_an_order_that_only_one_side_has_with_epsilons(self) -> None:
        metric = CHRF(char_order=2, eps_smoothing=True)
        # Order 1 has no match, which is ε. Order 2 is ε where no side has it, 0 where the reference alone has it; that
        # of a text whose reference is too short for it is not counted.
        for hypothesis, reference, value in (("xy", "a", 1e-16), ("x", "ab", 1e-16 / 2)):
            assert metric.sentence(hypothesis, reference).value == value
            assert metric.sentences([hypothesis], [reference]).tolist() == [value]

    def test_nothing_has_no_precision(self) -> None:
        score = CHRF().sentence("", "a")
        assert (score.precision, score.recall, score.value) == (0.0, 0.0, 0.0)
