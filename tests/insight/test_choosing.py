"""The best candidate of every group is what a plain loop over the metric's own sentence scores finds."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bleuprint as bp
from bleuprint import errors
from bleuprint.metrics import registry

CANDIDATES = [
    ["the cat sat on a mat", "a cat sat on the mat", "the cat sat on the mat", "cat"],
    ["good day", "hello to you"],
    ["", "one two three four five", "one two three"],
]
REFERENCES = [["the cat sat on the mat", "a cat was sitting on the mat"], ["hello to you all"], ["one two three four"]]
SOURCES = ["the cat lay on the mat", "good day to you all", "one two"]

word = st.sampled_from(["a", "b", "c", "d"])
text = st.lists(word, max_size=6).map(" ".join)
problem = st.lists(st.tuples(st.lists(text, min_size=1, max_size=5), text, text), min_size=1, max_size=4)


def brute_force(metric: Any, group: list[str], references: Any, source: str | None) -> tuple[int, float]:
    """One candidate after the other; the first of equals."""
    best, best_value = -1, math.nan
    for index, candidate in enumerate(group):
        sources = None if source is None else [source]
        (value,) = metric.sentences([candidate], None if references is None else [references], sources=sources).tolist()
        better = value > best_value if metric.higher_is_better else value < best_value
        if not math.isnan(value) and (best < 0 or better):
            best, best_value = index, value
    return best, best_value


@pytest.mark.parametrize("name", sorted(registry.scored_by_name("segment")))
def test_every_metric_chooses_as_a_plain_loop_does(name: str) -> None:
    kind: Any = registry.find(name)
    metric = kind()
    references = REFERENCES if metric.needs_references else None
    sources = SOURCES if metric.needs_sources else None
    choices = bp.choose(CANDIDATES, references, metric=name, sources=sources)
    used = metric.fit(REFERENCES) if hasattr(metric, "fit") else metric
    for place, (choice, group) in enumerate(zip(choices, CANDIDATES, strict=True)):
        expected = brute_force(used, group, references and references[place], sources[place] if sources else None)
        assert (choice.index, choice.value) == expected
        assert choice.text == group[choice.index]


@given(groups=problem, alpha=st.floats(0, 1))
def test_ibleu_chooses_as_a_plain_loop_does(groups: list[tuple[list[str], str, str]], alpha: float) -> None:
    candidates, references, sources = ([group[place] for group in groups] for place in range(3))
    metric = bp.IBLEU(alpha=alpha)
    choices = bp.choose(candidates, references, sources=sources, metric=metric)
    for choice, (group, reference, source) in zip(choices, groups, strict=True):
        assert (choice.index, choice.value) == brute_force(metric, group, reference, source)


def test_the_first_of_equals_wins_under_both_directions() -> None:
    for metric in ("bleu", "ter"):
        assert bp.choose([["x", "a b", "a b"]], ["a b"], metric=metric)[0].index == 1
        assert bp.choose([["x", "y"]], ["a b"], metric=metric)[0].index == 0


def test_a_metric_without_references() -> None:
    model = bp.LanguageModel.train(["the cat sat", "the dog sat"], order=2, discount_fallback=True)
    metric = bp.Perplexity(model)
    choice = bp.choose([["sat the cat", "the cat sat"]], metric=metric)[0]
    assert choice.text == "the cat sat"
    assert choice.value == metric.sentence("the cat sat").value


def test_columns_and_tokens() -> None:
    expected = bp.choose(CANDIDATES, REFERENCES)
    assert bp.choose(pa.array(CANDIDATES), pa.array(REFERENCES)) == expected
    assert bp.choose(iter(CANDIDATES), iter(REFERENCES)) == expected
    tokens = [[candidate.split() for candidate in group] for group in CANDIDATES]
    references = [[reference.split() for reference in group] for group in REFERENCES]
    assert [choice.index for choice in bp.choose(tokens, references, metric=bp.BLEU(tokenizer="whitespace"))] == [
        choice.index for choice in expected
    ]
    assert bp.choose([], []) == []


def test_a_candidate_without_a_score_is_never_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    metric = bp.BLEU()
    monkeypatch.setattr(type(metric), "sentences", lambda *_, **__: np.array([math.nan, 0.5, 0.7]))
    assert bp.choose([["a", "b", "c"]], ["x"], metric=metric)[0].index == 2
    monkeypatch.setattr(type(metric), "sentences", lambda *_, **__: np.array([math.nan]))
    with pytest.raises(errors.InputError, match=r"no text in candidates\[0\] has a score under bleu"):
        bp.choose([["a"]], ["x"], metric=metric)


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ({"candidates": ["a", "b"]}, errors.NotTextError, r"candidates\[0\]"),
        ({"candidates": "a"}, errors.BareStringError, "candidates"),
        ({"candidates": [["a"], []], "references": ["a", "b"]}, errors.PoolError, r"candidates\[1\]"),
        ({"candidates": [["a", None]]}, errors.NotTextError, r"candidates\[0\]\[1\]"),
        ({"candidates": [["a"], ["b"]]}, errors.LengthMismatchError, "references"),
        ({"references": [None]}, errors.BleuprintError, r"references\[0\]"),
        ({"references": "a"}, errors.BareStringError, "references"),
        ({"metric": "ibleu", "sources": ["a", "b"]}, errors.LengthMismatchError, "sources"),
        ({"metric": "ibleu"}, errors.MissingSourcesError, "sources"),
        ({"sources": ["a"]}, errors.UnusedSourcesError, "sources"),
        ({"metric": "blue"}, errors.OptionError, "There is no metric 'blue'"),
        ({"metric": 3}, errors.OptionError, "metric must be"),
        ({"metric": "perplexity"}, errors.OptionError, "Perplexity"),
    ],
)
def test_refusals(arguments: dict[str, Any], error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        bp.choose(**{"candidates": [["a", "b"]], "references": ["a"], **arguments})
