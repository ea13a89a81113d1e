"""Pairwise scores and MBR decoding under any metric, against the sentence score of every pair."""

from __future__ import annotations

from collections import Counter
from typing import Any

import fastchrf
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bleuprint as bp
from bleuprint.core import counts
from bleuprint.errors import NotTextError, OptionError
from tests.kernels.twins import clipped
from tests.support.effort import examples

METRICS: dict[str, Any] = {
    "bleu": lambda: bp.BLEU(),
    "bleu floor": lambda: bp.BLEU(smoothing="floor", max_order=2, tokenizer="char"),
    "gleu": lambda: bp.GLEU(),
    "gleu orders": lambda: bp.GLEU(min_order=2, max_order=3, lowercase=True),
    "chrf": lambda: bp.CHRF(),
    "chrf lowercase": lambda: bp.CHRF(char_order=3, lowercase=True, beta=1),
    "chrf eps": lambda: bp.CHRF(eps_smoothing=True),
    "chrf++": lambda: bp.CHRF(word_order=2),
    "chrf whitespace": lambda: bp.CHRF(whitespace=True),
    "rouge": lambda: bp.ROUGE(types=("rougeL", "rouge1")),
    "rouge lines": lambda: bp.ROUGE(types="rougeLsum", stemmer=True),
    "ter": lambda: bp.TER(),
    "ter with case": lambda: bp.TER(lowercase=False),
    "ter normalized": lambda: bp.TER(normalized=True),
    "wer": lambda: bp.WER(),
    "wer lowercase": lambda: bp.WER(lowercase=True),
    "cer": lambda: bp.CER(),
    "levenshtein-ratio": lambda: bp.metrics.LevenshteinRatio(),
    "exact-match": lambda: bp.ExactMatch(),
    "meteor": lambda: bp.METEOR(),
    "custom tokenizer": lambda: bp.BLEU(tokenizer=str.split),
}
for_every_metric = pytest.mark.parametrize("name", METRICS)
words = st.sampled_from(["the", "cat", "Cat", "sat.", "on,", "a\u00a0mat", "été", "猫", "\n", "\u3000", "I'm", "\x1c"])
texts = st.lists(words, max_size=6).map(" ".join)


def looped(metric: Any, first: list[Any], second: list[Any]) -> list[list[float]]:
    return [[float(metric.sentence(text, [other])) for other in second] for text in first]


@for_every_metric
@settings(max_examples=examples(40), deadline=None)
@given(first=st.lists(texts, max_size=4), second=st.lists(texts, min_size=1, max_size=4))
def test_pairs_have_the_bits_of_the_sentence_scores(name: str, first: list[str], second: list[str]) -> None:
    metric = METRICS[name]()
    assert bp.pairwise(first, second, metric=metric).tolist() == looped(metric, first, second)
    assert bp.pairwise(second, metric=metric, threads=2).tolist() == looped(metric, second, second)


@pytest.mark.parametrize(
    "name", ["bleu", "gleu", "gleu orders", "rouge", "ter", "ter with case", "wer", "wer lowercase", "meteor"]
)
@given(first=st.lists(st.lists(st.sampled_from(["a", "A", "b", "İ", 1, 2]), max_size=5), min_size=1, max_size=4))
def test_pairs_of_token_lists(name: str, first: list[Any]) -> None:
    metric = METRICS[name]()
    assert bp.pairwise(first, metric=metric).tolist() == looped(metric, first, first)


@for_every_metric
def test_more_pairs_than_are_counted_at_a_time(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [f"the {('cat', 'dog', 'owl')[i % 3]} {('sat', 'ran')[i % 2]} {i % 5}" for i in range(12)]
    expected = bp.pairwise(lines, metric=METRICS[name]())
    monkeypatch.setattr("bleuprint.metrics.pairwise._COUNTED_AT_A_TIME", 7)
    monkeypatch.setattr("bleuprint.metrics.pairwise.PAIRS_AT_A_TIME", 30)
    assert bp.pairwise(lines, metric=METRICS[name]()).tobytes() == expected.tobytes()


def best_of_loop(metric: Any, group: list[str], references: list[str]) -> tuple[int, float]:
    matrix = np.array(looped(metric, group, references))
    means = np.sort(matrix, axis=1).sum(axis=1) / len(references)
    best = int(means.argmax() if metric.higher_is_better else means.argmin())
    return best, float(means[best])


@for_every_metric
@settings(max_examples=examples(20), deadline=None)
@given(groups=st.lists(st.lists(texts, min_size=1, max_size=4), min_size=1, max_size=4), data=st.data())
def test_decoding_finds_the_winners_of_a_double_loop(name: str, groups: list[list[str]], data: st.DataObject) -> None:
    metric = METRICS[name]()
    found = bp.choose(groups, metric=metric)
    assert [(choice.index, choice.value) for choice in found] == [best_of_loop(metric, g, g) for g in groups]
    others = [data.draw(st.lists(texts, min_size=1, max_size=3)) for _ in groups]
    found = bp.choose(groups, metric=metric, pseudo_references=others)
    expected = [best_of_loop(metric, group, other) for group, other in zip(groups, others, strict=True)]
    assert [(choice.index, choice.value) for choice in found] == expected


def test_a_metric_by_name() -> None:
    lines = ["a cat sat", "the cat sat", "A cat"]
    assert bp.pairwise(lines, metric="chrf").tolist() == bp.pairwise(lines, metric=bp.CHRF()).tolist()
    assert bp.choose([lines], metric="ter") == bp.choose([lines], metric=bp.TER())
    assert bp.pairwise(lines).tolist() == bp.pairwise(lines, metric="bleu").tolist()


@pytest.mark.parametrize(
    ("metric", "named"),
    [
        ("blue", "Did you mean bleu?"),
        (7, "name of a metric"),
        ("sari", "against one reference"),
        ("cider", "against one reference"),
    ],
)
def test_metrics_that_are_refused(metric: Any, named: str) -> None:
    with pytest.raises(OptionError) as raised:
        bp.pairwise(["a"], metric=metric)
    assert named in str(raised.value)
    with pytest.raises(OptionError):
        bp.choose([["a"]], metric=metric)


def test_metrics_of_characters_refuse_tokens() -> None:
    with pytest.raises(NotTextError):
        bp.pairwise([["a", "b"]], metric="chrf")


def against_mean(texts: list[list[str]], references: list[list[str]], order: int) -> list[list[float]]:
    """For each text: both lengths, matches and totals by order, and the references' totals, with plain counters."""
    rows = []
    count = len(references)
    for text in texts:
        row: list[float] = [len(text), sum(map(len, references)) / count]
        grams = [clipped.grams(text, n) for n in range(1, order + 1)]
        others = [sum((clipped.grams(other, n) for other in references), Counter()) for n in range(1, order + 1)]
        row += [sum(min(k, o[g] / count) for g, k in h.items()) for h, o in zip(grams, others, strict=True)]
        row += [max(0, len(text) - n) for n in range(order)]
        row += [sum(max(0, len(other) - n) for other in references) / count for n in range(order)]
        rows.append(row)
    return rows


token_groups = st.lists(st.lists(st.sampled_from("abc"), max_size=7), min_size=1, max_size=4)


@settings(max_examples=examples(200), deadline=None)
@given(data=st.data(), candidates=st.lists(token_groups, min_size=1, max_size=3), order=st.integers(1, 4))
def test_counts_against_the_mean_equal_plain_counters(
    data: st.DataObject, candidates: list[list[list[str]]], order: int
) -> None:
    references = [data.draw(token_groups) for _ in candidates]
    request = counts.clipped_counts("none", False, order, "closest", 0)
    texts, others = (counts.column(list[Any](side), groups=True, tokenized=True) for side in (candidates, references))
    sizes = np.repeat([len(group) for group in references], [len(group) for group in candidates])
    found = request.columns_against_mean(texts, others, 0, len(candidates), sizes, 2)
    expected = np.array(
        [row for pair in zip(candidates, references, strict=True) for row in against_mean(*pair, order)]
    )
    np.testing.assert_allclose(np.vstack([found.rows, *found.reference_totals]).T, expected, rtol=1e-12)


def test_aggregated_chrf_equals_fastchrf() -> None:
    groups = [["the cat sat on the mat", "a cat sat on a mat", "the dog", ""], ["so it goes", "so it went", "it"]]
    scores = fastchrf.aggregate_chrf(groups, groups)
    for choice, row in zip(bp.choose(groups, metric="chrf", aggregate=True), scores, strict=True):
        assert choice.index == row.index(max(row))
        assert choice.aggregated == pytest.approx(max(row) / 100, rel=1e-5)


@pytest.mark.parametrize("utility", ["bleu", "gleu", "chrf"])
@settings(max_examples=examples(60), deadline=None)
@given(groups=st.lists(st.lists(texts, min_size=1, max_size=4), max_size=4))
def test_aggregated_winners_have_their_exact_utility(utility: str, groups: list[list[str]]) -> None:
    for group, choice in zip(groups, bp.choose(groups, metric=utility, aggregate=True), strict=True):
        scores = bp.pairwise([choice.text], group, metric=utility)[0]
        assert choice.value == np.sort(scores).sum() / len(group)
        assert choice.aggregated == pytest.approx(choice.value + (choice.error or 0.0))
        if len(group) == 1:
            assert choice.error == pytest.approx(0)
    assert all(choice.error is None for choice in bp.choose(groups, metric=utility))


@pytest.mark.parametrize(
    "options",
    [
        {"metric": "ter"},
        {"include_self": False},
        {"weights": [[1, 1]]},
        {"metric": bp.CHRF(word_order=2)},
    ],
)
def test_aggregation_that_is_refused(options: dict[str, Any]) -> None:
    with pytest.raises(OptionError, match="aggregate"):
        bp.choose([["a", "b"]], aggregate=True, **options)
