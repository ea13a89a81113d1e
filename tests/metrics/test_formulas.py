"""Formulas at their edges, by hand: what a sign, a bound or a place that is off by one would change."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleuprint import BLEU, CHRF, NIST, ROUGE, TER
from bleuprint.core import counts
from bleuprint.errors import OptionError
from bleuprint.metrics.base import formulas


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


class TestBleu:
    def test_columns_hold_the_orders_and_the_one_beyond(self) -> None:
        assert len(BLEU().columns) == 2 + 2 * 4
        assert len(BLEU(max_order=2, smoothing="method5").columns) == 2 + 2 * 5
        assert len(BLEU(max_order=6, smoothing="method7").columns) == 2 + 2 * 6

    def test_weights_are_part_of_the_definition(self) -> None:
        assert BLEU(max_order=2, weights=(0.75, 0.25)).options["weights"] == (0.75, 0.25)

    @pytest.mark.parametrize(
        "options",
        [{"smoothing": "method5"}, {"context": "last-segment"}, {"smoothing": "method5", "context": "corpus"}],
    )
    def test_segments_can_be_drawn_unless_the_last_one_counts(self, options: dict[str, Any]) -> None:
        assert len(BLEU(**options).sample(["a b"], ["a b"]).rows) == 1
        with pytest.raises(OptionError, match="'corpus' for resampling"):
            BLEU(smoothing="method5", context="last-segment").sample(["a b"], ["a b"])

    def test_the_last_segment_is_the_last_of_what_is_merged(self) -> None:
        def seen(*segments: tuple[str, str]) -> BLEU:
            hypotheses, references = [list(column) for column in zip(*segments, strict=True)] or ([], [])
            return BLEU(profile="nltk", smoothing="method5").update(hypotheses, references)

        first, second = ("a b c d e f", "a b c d e x"), ("a b c", "a b d")
        whole, turned = seen(first, second).compute(), seen(second, first).compute()
        assert whole.value != turned.value
        assert seen(first).merge(seen(second)).merge(seen()).compute().value == whole.value
        assert seen().merge(seen(second)).merge(seen(first)).compute().value == turned.value

    def test_a_sum_of_rows_is_a_corpus_unless_it_is_said_otherwise(self) -> None:
        metric, row = BLEU(smoothing="none"), (2, 2, 2, 1, 0, 0, 2, 1, 0, 0)
        assert (metric.definition.formula(row), metric.definition.formula(row, sentence=True)) == (0.0, 1.0)

    def test_method5_reads_order_5_beside_the_last(self) -> None:
        score = BLEU(max_order=2, smoothing="method5").sentence("a b c d e f", "a b c d e g")
        first = (5 / 6 + 1 + 5 / 6 + 4 / 5) / 3
        assert score.precisions == (first, (first + 4 / 5 + 1 / 2) / 3)

    def test_method6_is_nothing_without_a_trigram(self) -> None:
        metric = BLEU(smoothing="method6", weights=(0.5, 0.5, 0.0, 0.0))
        assert metric.sentence("a b x y", "a b c d").value == 0.0
        assert metric.sentence("a b c x", "a b c d").value > 0.0
        assert metric.sentences(["a b x y"], ["a b c d"]).tolist() == [0.0]

    def test_weights_of_the_orders_that_exist_are_scaled(self) -> None:
        metric = BLEU(weights=(0.4, 0.3, 0.2, 0.1), smoothing="floor(0.5)", effective_order=True)
        logarithms = 0.4 * math.log(2 / 3) + 0.3 * math.log(1 / 2) + 0.2 * math.log(0.5)
        value = math.exp(logarithms / 0.9)
        assert metric.sentence("a b x", "a b c").value == pytest.approx(value, rel=1e-14)
        assert metric.sentences(["a b x"], ["a b c"])[0] == metric.sentence("a b x", "a b c").value

    def test_weights_of_all_orders_stay_as_they_are(self) -> None:
        """Seven sevenths sum to less than 1 in floating point, and a text of seven words has every order."""
        metric = BLEU(max_order=7)
        for reference in ("a b c d e f x", "a b c d x f g", "x b c y e f g", "a b x d e y g"):
            assert (
                metric.sentences(["a b c d e f g"], [reference])[0] == metric.sentence("a b c d e f g", reference).value
            )

    def test_the_number_of_references_varies(self) -> None:
        signature = BLEU().corpus(["a", "b"], [["a"], ["a", "b"]]).sacrebleu_signature
        assert signature is not None
        assert signature.startswith("nrefs:var|")


class TestTer:
    @given(
        st.lists(
            st.tuples(
                st.integers(0, 40) | st.sampled_from([2**53 - 1, 2**53 + 1, 2**60 + 1]),
                st.integers(0, 40) | st.sampled_from([2**53 - 1, 2**53 + 1, 2**60 + 3]),
                st.sampled_from([0, 0, 1, counts.LENGTH_BASE // 3]),
                st.sampled_from([0, 0, 1]),
            ),
            min_size=1,
        )
    )
    def test_a_column_has_the_bits_of_its_rows(self, rows: list[tuple[int, int, int, int]]) -> None:
        """With mean lengths that are whole and that are not, and with numbers that no float holds."""
        formula = TER().definition.formula
        columns = tuple(np.array(column, dtype=np.int64) for column in zip(*rows, strict=True))
        assert formula(columns).tolist() == [formula(row) for row in rows]

    @pytest.mark.parametrize(
        ("options", "fields"),
        [
            ({}, "nrefs:1|case:lc|tok:tercom|norm:no|punct:yes|asian:no|"),
            (
                {"lowercase": False, "normalized": True, "no_punct": True, "asian_support": True},
                "nrefs:1|case:mixed|tok:tercom|norm:yes|punct:no|asian:yes|",
            ),
        ],
    )
    def test_the_line_sacrebleu_prints(self, options: dict[str, Any], fields: str) -> None:
        signature = TER(**options).sentence("a b", "a c").sacrebleu_signature
        assert signature is not None
        assert signature.startswith(fields)

    def test_where_sacrebleu_has_no_line(self) -> None:
        assert TER(tokenizer="char").sentence("a b", "a c").sacrebleu_signature is None
        varying = TER().corpus(["a", "b"], [["a"], ["a", "b"]]).sacrebleu_signature
        assert varying is not None
        assert varying.startswith("nrefs:var|")


class TestRouge:
    def test_a_tokenizer_of_ones_own_is_named(self) -> None:
        assert str(ROUGE(tokenizer=str.split).options["tokenizer"]).startswith("custom(")
        assert ROUGE(tokenizer="13a").options["tokenizer"] == "13a"

    def test_every_type_must_be_one(self) -> None:
        with pytest.raises(OptionError, match="types must be one or more of"):
            ROUGE(types="rouge1+rogue2")
        with pytest.raises(OptionError, match="tokenizer must be a callable or one of rouge, unicode"):
            ROUGE(tokenizer="words")


def test_a_sum_of_floats_is_the_same_on_every_python() -> None:
    """Since Python 3.12, the built-in sum() of ten times 0.1 is 1.0, and that of arrays is not."""
    assert formulas.sum_of([0.1] * 10) == formulas.sum_of([np.array([0.1])] * 10)[0] == 0.9999999999999999
    assert formulas.sum_of([]) == 0


def test_nist_of_seven_orders_is_the_same_alone_and_in_a_row() -> None:
    """Found on Python 3.14, where the score alone was one unit in the last place below the score in a row."""
    metric = NIST(tokenizer="char", max_order=7).fit([["abab"], ["ab ab"]])
    alone = metric.sentence("ab abc ba", ["ab abc ba"]).value
    assert alone == metric.sentences(["ab abc ba"], [["ab abc ba"]])[0] == float.fromhex("0x1.915f15f15f160p+1")
