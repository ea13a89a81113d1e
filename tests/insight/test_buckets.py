"""Buckets: every segment in one, and each scored as a corpus of its own."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bleuprint as bp
from bleuprint import BLEU
from bleuprint.errors import InputError, LengthMismatchError, OptionError
from tests.laws.cases import cases
from tests.laws.strategies import Segments, corpora, hypotheses_of, references_of, texts

fewer_examples = settings(max_examples=settings().max_examples // 4)
metrics = pytest.mark.parametrize("name", ["bleu", "chrf", "rouge", "ter"])


@metrics
@fewer_examples
@given(data=st.data(), corpus=corpora(smallest=0, largest=8))
def test_labels(name: str, data: st.DataObject, corpus: Segments) -> None:
    metric = data.draw(cases(name, "segment order")).make()
    label = st.sampled_from(["news", "chat", 3, None, ("a", 1)])
    labels = data.draw(st.lists(label, min_size=len(corpus), max_size=len(corpus)))
    found = bp.insight.buckets(metric, hypotheses_of(corpus), references_of(corpus), by=labels)
    assert [bucket.label for bucket in found] == [str(label) for label in dict.fromkeys(labels)]
    for bucket, wanted in zip(found, dict.fromkeys(labels), strict=True):
        chosen = [segment for segment, label in zip(corpus, labels, strict=True) if label == wanted]
        assert bucket.segments == len(chosen)
        assert bucket.share == len(chosen) / len(corpus)
        assert bucket.value == metric.corpus(hypotheses_of(chosen), references_of(chosen)).value


@metrics
@fewer_examples
@given(data=st.data(), corpus=corpora(largest=8))
def test_lengths(name: str, data: st.DataObject, corpus: Segments) -> None:
    metric = data.draw(cases(name, "segment order").filter(lambda case: case.options.get("tokenizer") != "char")).make()
    edges = sorted(data.draw(st.sets(st.integers(1, 9), min_size=1, max_size=4)))
    found = bp.insight.buckets(metric, hypotheses_of(corpus), references_of(corpus), edges=edges)
    assert sum(bucket.segments for bucket in found) == len(corpus)
    expected = Counter(
        sum(edge <= sum(map(len, map(str.split, segment.references))) // len(segment.references) for edge in edges)
        for segment in corpus
    )
    assert [bucket.segments for bucket in found] == [expected[place] for place in sorted(expected)]


@fewer_examples
@given(corpus=corpora(largest=6), training=st.lists(texts(), max_size=6))
def test_frequency_of_the_rarest_token(corpus: Segments, training: list[str]) -> None:
    metric = BLEU(tokenizer="whitespace")
    known = Counter(token for text in training for token in text.split())

    def bucket(segment: Any) -> int:
        words = [word for text in segment.references for word in text.split()]
        rarest = min((known[word] for word in words), default=None)
        return 4 if rarest is None else sum(edge <= rarest for edge in (1, 2, 5))

    found = bp.insight.buckets(
        metric, hypotheses_of(corpus), references_of(corpus), by="frequency", corpus=training, edges=[1, 2, 5]
    )
    names = ["0", "1", "2-4", "≥5", "no tokens"]
    places = sorted(set(map(bucket, corpus)))
    assert [entry.label for entry in found] == [names[place] for place in places]
    for entry, place in zip(found, places, strict=True):
        chosen = [segment for segment in corpus if bucket(segment) == place]
        assert entry.value == metric.corpus(hypotheses_of(chosen), references_of(chosen)).value


def test_the_usual_edges() -> None:
    references = [" ".join("a" * length) for length in (0, 9, 10, 19, 35, 60, 200)]
    assert [(bucket.label, bucket.segments) for bucket in bp.insight.buckets("bleu", references, references)] == [
        ("<10", 2),
        ("10-19", 2),
        ("30-39", 1),
        ("≥60", 2),
    ]
    training = ["a " * 3, "b " * 100, "c"]
    labels = [
        bucket.label
        for bucket in bp.insight.buckets("bleu", ["x"] * 5, ["a", "b", "c", "d a", ""], by="frequency", corpus=training)
    ]
    assert labels == ["0", "1", "2-4", "100-999", "no tokens"]


def test_other_kinds_of_columns() -> None:
    found = bp.insight.buckets("bleu", ["a b", "c d"], iter(["a b", "c e"]), by=np.array([1, 2]))
    assert [bucket.label for bucket in found] == ["1", "2"]
    several: list[list[str | int]] = [["a", 7], ["b"]]
    tokens = bp.insight.buckets("bleu", [["a", 7]], [several], by="length", edges=[1, 2])
    assert [bucket.label for bucket in tokens] == ["1"]
    rare = bp.insight.buckets("bleu", [["a", 7]], [several], by="frequency", corpus=[["a", 7, "b", 7], ["a", "b"]])
    assert [bucket.label for bucket in rare] == ["2-4"]
    plugin = BLEU(tokenizer=lambda text: text.split("|"))
    assert bp.insight.buckets(plugin, ["a b|c"], ["a b|c"], edges=[2, 3])[0].label == "2"


def test_nothing() -> None:
    assert bp.insight.buckets("bleu", [], []) == []
    assert bp.insight.buckets("bleu", [], [], by=[]) == []
    assert bp.insight.buckets("bleu", [], [], by="frequency", corpus=[]) == []


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"by": "colour"}, OptionError, "by must be 'length', 'frequency' or a list"),
        ({"by": 3}, OptionError, "by must be"),
        ({"by": ["a"]}, LengthMismatchError, "by has 1"),
        ({"by": [["a"], ["b"]]}, OptionError, "a list of hashable labels"),
        ({"by": ["a", "b"], "edges": [3]}, OptionError, "edges must be None if labels are given"),
        ({"by": "frequency"}, InputError, "need a corpus to count tokens in"),
        ({"by": "length", "corpus": ["a"]}, OptionError, "'frequency' if a corpus is given"),
        ({"by": "frequency", "corpus": "a text"}, InputError, "corpus must be a list"),
        ({"by": "frequency", "corpus": [["a"]]}, InputError, r"corpus\[0\] must be a str, got list"),
        ({"by": "frequency", "corpus": [None]}, InputError, r"corpus\[0\]"),
        ({"edges": []}, OptionError, "edges must be increasing integers above 0"),
        ({"edges": [0, 1]}, OptionError, "edges must be increasing integers above 0"),
        ({"edges": [2, 2]}, OptionError, "edges must be increasing integers above 0"),
        ({"edges": ["2"]}, OptionError, "edges must be increasing integers above 0"),
        ({"edges": 3}, OptionError, "edges must be increasing integers above 0"),
    ],
)
def test_what_is_refused(options: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        bp.insight.buckets("bleu", ["a", "b"], ["a", "b"], **options)
