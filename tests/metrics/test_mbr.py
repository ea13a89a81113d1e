"""Minimum Bayes risk decoding chooses what a plain double loop chooses, with sacrebleu's scores and with ours."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from typing import Any

import pyarrow as pa
import pytest
import sacrebleu
from hypothesis import given
from hypothesis import strategies as st

import bleuprint
from bleuprint import errors
from bleuprint.metrics import mbr, pairwise
from tests.support import wmt22

CLOSE = 1e-12

candidate = st.lists(st.sampled_from(["a", "b", "c", "d", "e"]), max_size=8).map(" ".join)
groups_of_texts = st.lists(st.lists(candidate, min_size=1, max_size=6), min_size=1, max_size=4)


def generated(groups: int, seed: int = 1, most: int = 12) -> list[list[str]]:
    chooser = random.Random(seed)
    words = ["the", "a", "cat", "dog", "sat", "lay", "on", "under", "mat", ".", ",", "quickly"]
    return [
        [" ".join(chooser.choices(words, k=chooser.randint(0, 12))) for _ in range(chooser.randint(1, most))]
        for _ in range(groups)
    ]


def expected_utilities(
    candidates: Sequence[str],
    references: Sequence[str],
    weights: Sequence[float] | None = None,
    *,
    include_self: bool = True,
    **options: Any,
) -> list[float]:
    """The definition, exactly rounded sums and all."""
    bleu = bleuprint.BLEU(**options)
    utilities = []
    for i, hypothesis in enumerate(candidates):
        kept = [j for j in range(len(references)) if include_self or j != i]
        used = [1.0 if weights is None else weights[j] for j in kept]
        scores = [bleu.sentence(hypothesis, references[j]).value for j in kept]
        utilities.append(math.fsum(w * s for w, s in zip(used, scores, strict=True)) / math.fsum(used))
    return utilities


def check(choice: bleuprint.Choice, candidates: Sequence[str], utilities: Sequence[float]) -> None:
    """The choice is the best, and the first of those that are the same text."""
    assert choice.text == candidates[choice.index]
    assert choice.index == candidates.index(str(choice.text))
    assert choice.value == pytest.approx(utilities[choice.index], rel=CLOSE)
    assert utilities[choice.index] >= max(utilities) - CLOSE
    clear = [i for i, utility in enumerate(utilities) if utility > max(utilities) - 1e-9]
    if len({candidates[i] for i in clear}) == 1:
        assert choice.index == clear[0]


@given(groups_of_texts, st.booleans(), st.sampled_from([{}, {"max_order": 2}, {"smoothing": "add-k"}]))
def test_choices_are_those_of_the_definition(
    groups: list[list[str]], include_self: bool, options: dict[str, Any]
) -> None:
    groups = [group if include_self else [*group, group[0]] for group in groups]
    choices = bleuprint.choose(groups, metric=bleuprint.BLEU(**options), include_self=include_self)
    assert len(choices) == len(groups)
    for choice, group in zip(choices, groups, strict=True):
        check(choice, group, expected_utilities(group, group, include_self=include_self, **options))


@given(st.data())
def test_references_and_weights_of_their_own(data: st.DataObject) -> None:
    groups = data.draw(groups_of_texts)
    references = [data.draw(st.lists(candidate, min_size=1, max_size=5)) for _ in groups]
    weight = st.floats(1e-3, 1e3)
    weights = [data.draw(st.lists(weight, min_size=len(row), max_size=len(row))) for row in references]
    choices = bleuprint.choose(groups, pseudo_references=references, weights=weights)
    for choice, group, row, weighed in zip(choices, groups, references, weights, strict=True):
        check(choice, group, expected_utilities(group, row, weighed))


def sacrebleu_winners(groups: Sequence[Sequence[str]]) -> list[list[float]]:
    return [
        [sum(sacrebleu.sentence_bleu(text, [other]).score for other in group) / 100 / len(group) for text in group]
        for group in groups
    ]


def check_against_sacrebleu(groups: list[list[str]]) -> None:
    choices = bleuprint.choose(groups)
    for choice, group, utilities in zip(choices, groups, sacrebleu_winners(groups), strict=True):
        check(choice, group, utilities)


def test_winners_are_those_of_a_sacrebleu_double_loop() -> None:
    check_against_sacrebleu(generated(60))


def test_winners_among_the_systems_of_wmt22(wmt22_data: wmt22.Wmt22) -> None:
    outputs = [wmt22_data.output("de-en", system) for system in wmt22_data.systems("de-en")]
    assert len(outputs) >= 8
    check_against_sacrebleu([list(texts) for texts in zip(*outputs, strict=True)][:100])


@pytest.mark.parametrize("threads", [1, 2, 5])
@pytest.mark.parametrize("pairs", [1, 300, pairwise.PAIRS_AT_A_TIME])
def test_threads_and_parts_change_nothing(monkeypatch: pytest.MonkeyPatch, threads: int, pairs: int) -> None:
    groups = generated(120)
    whole = bleuprint.choose(groups, threads=1)
    monkeypatch.setattr(mbr, "PAIRS_AT_A_TIME", pairs)
    assert bleuprint.choose(groups, threads=threads) == whole
    assert [bleuprint.choose([group])[0] for group in groups] == whole


def test_the_first_of_equals_wins_wherever_it_stands() -> None:
    chooser = random.Random(5)
    for group in generated(40, seed=7):
        shuffled = chooser.sample(group, len(group)) + group
        for include_self in (True, False):
            (choice,) = bleuprint.choose([shuffled], include_self=include_self)
            assert choice.index == shuffled.index(str(choice.text))


def test_comparing_with_itself_is_an_option() -> None:
    group = ["a b c d", "a b c e", "x y z w"]
    assert bleuprint.choose([group])[0].value > bleuprint.choose([group], include_self=False)[0].value
    assert bleuprint.choose([["x", "y"]])[0].value == 0.5
    assert bleuprint.choose([["x", "y"]], include_self=False)[0].value == 0.0


def test_perfect_agreement_is_exactly_one() -> None:
    weights = [[0.1, 0.2, 0.7, 0.3, 0.11, 0.13, 0.17]]
    group = ["a b c d"] * 7
    for options in ({}, {"weights": weights}, {"include_self": False, "weights": weights}):
        assert bleuprint.choose([group], **options) == [bleuprint.Choice(0, "a b c d", 1.0)]


def test_token_lists_and_plug_in_tokenizers() -> None:
    groups = generated(20)
    whole = bleuprint.choose(groups, metric=bleuprint.BLEU(tokenizer="whitespace"))
    assert bleuprint.choose(groups, metric=bleuprint.BLEU(tokenizer=str.split)) == whole
    tokens = bleuprint.choose([[text.split() for text in group] for group in groups])
    assert [(choice.index, choice.value) for choice in tokens] == [(choice.index, choice.value) for choice in whole]
    assert [choice.text for choice in tokens] == [str(choice.text).split() for choice in whole]


def test_nothing_to_decode() -> None:
    assert bleuprint.choose([]) == []
    assert bleuprint.choose([], pseudo_references=[]) == []


def test_columns_of_other_libraries() -> None:
    import polars as pl  # ends a process with ThreadSanitizer in it

    groups = generated(10)
    whole = bleuprint.choose(groups, pseudo_references=groups)
    assert bleuprint.choose(pa.array(groups), pseudo_references=pa.array(groups)) == whole
    assert bleuprint.choose(pl.Series(groups), pseudo_references=pl.Series(groups)) == whole
    assert bleuprint.choose(tuple(group) for group in groups) == whole


BAD_TEXTS: list[tuple[Any, Any, type[Exception], str]] = [
    ("a", None, errors.BareStringError, "candidates must be a list"),
    (["a", "b"], None, errors.NotTextError, r"candidates\[0\] must be a list of texts, got str; .*\[candidates\]"),
    (3, None, errors.NotTextError, "candidates must be a list of lists of texts, got int"),
    ([["a"], None], None, errors.NotTextError, r"candidates\[1\] must be a list of texts, got None;"),
    ([["a"], ["b", None]], None, errors.NotTextError, r"candidates\[1\]\[1\] must be a text, got None"),
    ([["a"], ["b", 3]], None, errors.NotTextError, r"candidates\[1\]\[1\] must be a str, got int"),
    ([["a", ["b"]]], None, errors.NotTextError, r"candidates\[0\]\[1\] must be a str, got list"),
    ([["a", "\ud800"]], None, errors.SurrogateError, r"candidates\[0\]\[1\] holds"),
    ([["a"], []], None, errors.PoolError, r"candidates\[1\], .* at least 1 of them, got 0"),
    ([["a"]], ["a", "b"], errors.LengthMismatchError, "candidates has 1 segments but pseudo_references has 2"),
    ([["a"]], [[]], errors.NoReferenceError, r"pseudo_references\[0\] holds no reference"),
    ([["a"]], "a", errors.BareStringError, "pseudo_references must be a list"),
]


@pytest.mark.parametrize(("candidates", "references", "error", "message"), BAD_TEXTS)
def test_bad_texts_have_their_own_errors(
    candidates: Any, references: Any, error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        bleuprint.choose(candidates, pseudo_references=references)


def test_without_itself_a_candidate_needs_company() -> None:
    with pytest.raises(errors.PoolError, match=r"candidates\[1\], .* at least 2 of them, got 1"):
        bleuprint.choose([["a", "b"], ["a"]], include_self=False)


BAD_WEIGHTS: list[Any] = [
    *([[1]], [[1, 2, 3]], [[0, 0]], [[1, -1]], [[1, math.nan]], [[1, math.inf]], [["1", "2"]], [3]),
    [[1e308, 1e308]],  # their sum is not finite
]


@pytest.mark.parametrize("weights", BAD_WEIGHTS, ids=str)
def test_bad_weights_are_refused(weights: Any) -> None:
    with pytest.raises(errors.OptionError, match=r"weights\[0\] must be 2 finite numbers"):
        bleuprint.choose([["a", "b"]], weights=weights)


def test_a_weight_may_be_zero() -> None:
    assert bleuprint.choose([["a", "b"]], weights=[[0, 1]]) == [bleuprint.Choice(1, "b", 1.0)]


def test_weights_that_leave_a_candidate_without_company_are_refused() -> None:
    with pytest.raises(errors.OptionError, match="at least 2 of them above 0"):
        bleuprint.choose([["a", "b"]], weights=[[1, 0]], include_self=False)
    with pytest.raises(errors.LengthMismatchError, match="weights has 2"):
        bleuprint.choose([["a", "b"]], weights=[[1, 1], [1, 1]])
    with pytest.raises(errors.OptionError, match="weights must be None or one list"):
        bleuprint.choose([["a", "b"]], weights=0.5)  # type: ignore[arg-type]


@pytest.mark.parametrize("options", [{"threads": 0}, {"include_self": 1}, {"metric": "?"}])
def test_bad_options_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(errors.OptionError):
        bleuprint.choose([["a"]], **options)


def test_include_self_means_nothing_beside_references() -> None:
    with pytest.raises(errors.OptionError, match="include_self=False has no meaning with pseudo_references"):
        bleuprint.choose([["a"]], pseudo_references=[["a"]], include_self=False)
