"""Counting together gives what counting one by one gives, with ==."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bleuprint.core.columns import Corpus
from bleuprint.errors import MissingSourcesError, NoSegmentsError, NotTextError
from bleuprint.metrics import BLEU, CHRF, GLEU, IBLEU, NIST, ROUGE, SARI, WER
from bleuprint.metrics.base.metric import Metric
from bleuprint.runners import one_pass as together
from tests.laws.strategies import Segments, corpora, hypotheses_of, references_of
from tests.support.effort import examples
from tests.support.tables import TABLE


def assert_same(
    metrics: dict[str, Metric[Any]],
    texts: dict[str, list[str]],
    references: list[Any],
    sources: list[str],
    threads: int,
) -> None:
    found = together.measure(metrics, Corpus.of_systems(texts, references, sources), threads=threads)
    for system, hypotheses in texts.items():
        for label, metric in metrics.items():
            given_sources = sources if metric.needs_sources else None
            expected = metric.corpus(hypotheses, references, sources=given_sources)
            measured = found[system][label]
            assert measured.score.value == expected.value
            assert measured.score.parts == expected.parts
            assert measured.score.signature == expected.signature
            segments = metric.sentences(hypotheses, references, sources=given_sources)
            assert measured.segments.tolist() == segments.tolist()
            if measured.statistics is not None:
                counted = metric.statistics(hypotheses, references, sources=given_sources)
                assert measured.statistics.rows.tolist() == counted.rows.tolist()
                assert measured.statistics.names == counted.names
                assert measured.statistics.signature == counted.signature


@settings(max_examples=examples(40), deadline=None)
@given(corpora(largest=6), st.permutations(sorted(TABLE)), st.sampled_from([1, 3]))
def test_all_metrics_at_once(corpus: Segments, names: list[str], threads: int) -> None:
    hypotheses, references = hypotheses_of(corpus), references_of(corpus)
    systems = {"one": hypotheses, "two": [texts[0] for texts in references], "three": hypotheses[::-1]}
    metrics: dict[str, Metric[Any]] = {name: TABLE[name]() for name in names}
    assert_same(metrics, systems, references, hypotheses[::-1], threads)


def split_letters(text: str) -> list[str]:
    return list(text)


@settings(max_examples=examples(40), deadline=None)
@given(corpora(largest=6))
def test_readings_are_not_confused(corpus: Segments) -> None:
    metrics: dict[str, Metric[Any]] = {
        f"{kind.__name__} {tokenizer} {lowercase}": kind(tokenizer=tokenizer, lowercase=lowercase)
        for kind in (BLEU, GLEU, WER)
        for tokenizer in ("13a", "char", "whitespace", split_letters)
        for lowercase in (False, True)
    }
    hypotheses, references = hypotheses_of(corpus), references_of(corpus)
    assert_same(metrics, {"one": hypotheses, "same": list(hypotheses)}, references, hypotheses, 2)


def test_sources_priors_and_tokenizers_of_ones_own() -> None:
    metrics: dict[str, Metric[Any]] = {
        "bleu": BLEU(tokenizer=split_letters),
        "ibleu": IBLEU(tokenizer=split_letters),
        "sari": SARI(),
        "nist": NIST(),
        "last segment": BLEU(profile="nltk", smoothing="method5"),
    }
    systems = {"one": ["the cat sat", "a dog"], "two": ["a cat sat down", "the dog ran"]}
    references = [["the cat sat down", "a cat lay"], "the dog"]
    assert_same(metrics, systems, references, ["le chat", "un chien"], 2)


def test_a_batch_of_nothing_changes_nothing() -> None:
    """Nor what the signature says of the references, nor which segment was the last."""
    metrics: dict[str, Metric[Any]] = {
        "bleu": BLEU(),
        "rouge": ROUGE(),
        "last segment": BLEU(profile="nltk", smoothing="method5"),
    }
    together.update({"A": metrics}, {"A": Corpus.of(["the cat sat"], [["the cat lay", "a cat"]])})
    before = {label: metric.compute() for label, metric in metrics.items()}
    together.update({"A": metrics}, {"A": Corpus.of([], [])})
    for label, metric in metrics.items():
        after = metric.update([], []).compute()
        assert (after.value, after.signature) == (before[label].value, before[label].signature)


def test_a_custom_tokenizer_reads_each_text_once() -> None:
    seen: list[str] = []

    def split(text: str) -> list[str]:
        seen.append(text)
        return text.split()

    metrics: dict[str, Metric[Any]] = {"bleu": BLEU(tokenizer=split), "gleu": GLEU(tokenizer=split)}
    together.measure(metrics, Corpus.of_systems({"A": ["a"], "B": ["b"]}, ["c"]))
    assert sorted(seen) == ["a", "b", "c"]


def test_what_a_metric_cannot_count_is_refused() -> None:
    with pytest.raises(MissingSourcesError):
        together.measure({"ibleu": TABLE["ibleu"]()}, {"A": Corpus.of(["a"], ["a"])})
    with pytest.raises(NotTextError, match="characters are compared"):
        together.measure({"chrf": CHRF()}, {"A": Corpus.of([["a"]], [["a"]])})


def test_nothing_to_measure() -> None:
    assert together.measure({}, {"A": Corpus.of(["a"], ["a"])}) == {"A": {}}
    with pytest.raises(NoSegmentsError, match="bleu has no segments to score"):
        together.measure({"bleu": BLEU()}, {"A": Corpus.of([], [])})
