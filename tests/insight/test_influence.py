"""Influence, contributions and n-gram changes against brute force, for every metric that has rows."""

from __future__ import annotations

import math
import random
from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bleuprint as bp
from bleuprint import BLEU, NIST, ROUGE, SARI, CIDEr
from bleuprint.core import counts
from bleuprint.errors import InputError, LengthMismatchError, NoSegmentsError, OptionError
from bleuprint.insight.effects import prices
from bleuprint.metrics import registry
from tests.kernels.twins.clipped import Token, grams
from tests.laws.cases import AnyMetric, cases
from tests.laws.strategies import Segments, corpora, hypotheses_of, references_of, texts
from tests.support.tables import TABLE
from tests.support.wmt22 import Wmt22

for_every_metric = pytest.mark.parametrize("name", sorted(TABLE))
fewer_examples = settings(max_examples=settings().max_examples // 8)
Given = dict[str, Any]


def metric_and_texts(data: st.DataObject, name: str, corpus: Segments) -> tuple[AnyMetric, Given]:
    """A metric under options that do not depend on the order of segments, and what it is given beside hypotheses."""
    metric = data.draw(cases(name, "segment order")).make()
    references: list[Any] = references_of(corpus)
    if name == "gec-gleu":  # has rows for one reference only
        references = [texts[0] for texts in references]
    given: Given = {"references": references}
    if metric.needs_sources:
        given["sources"] = data.draw(st.lists(texts(), min_size=len(corpus), max_size=len(corpus)))
    return metric, given


def without(given: Given, place: int) -> Given:
    return {name: [*column[:place], *column[place + 1 :]] for name, column in given.items()}


def scored_again(metric: AnyMetric, everything: Given) -> list[float]:
    score, places = metric.corpus(**everything).value, range(len(everything["hypotheses"]))
    return [score - metric.corpus(**without(everything, place)).value for place in places]


@for_every_metric
@fewer_examples
@given(data=st.data(), corpus=corpora(2, 4))
def test_influence_is_scoring_again_without_the_segment(name: str, data: st.DataObject, corpus: Segments) -> None:
    metric, rest = metric_and_texts(data, name, corpus)
    everything: Given = {"hypotheses": hypotheses_of(corpus), **rest}
    assert bp.insight.influence(metric, **everything).tolist() == scored_again(metric, everything)


@pytest.mark.parametrize(
    "metric",
    [NIST(), NIST(max_order=2), CIDEr(), "nist", "cider"],
    ids=lambda metric: metric if isinstance(metric, str) else metric.signature,
)
def test_influence_of_metrics_that_learn_from_the_references_they_score(metric: str | AnyMetric) -> None:
    """Without a segment, its references are not learned from either."""
    chooser = random.Random(3)
    texts = [" ".join(chooser.choices("abcdefgh", k=9)) for _ in range(14)]
    everything: Given = {"hypotheses": texts[:7], "references": texts[7:]}
    made = registry.resolve(metric) if isinstance(metric, str) else metric
    found = bp.insight.influence(metric, iter(texts[:7]), iter(texts[7:])).tolist()
    assert found == scored_again(made, everything)
    fitted = made.fit(texts[7:])  # type: ignore[union-attr]
    kept = bp.insight.influence(fitted, **everything).tolist()
    assert kept == scored_again(fitted, everything)
    assert kept != found


@pytest.mark.parametrize("most_references", [1, 3])
def test_influence_where_other_weights_choose_another_reference(most_references: int) -> None:
    """Few words, so that a segment changes many weights; many references, of which some tell equally much."""
    chooser = random.Random(most_references)

    def text(words: str, longest: int) -> str:
        return " ".join(chooser.choices(words, k=chooser.randint(0, longest)))

    for trial in range(40):
        words, longest = "abcdefghijklmnop"[: chooser.choice((2, 3, 6, 16))], 90 if trial % 10 == 0 else 12
        count = chooser.randint(3, 20)
        given: Given = {
            "hypotheses": [text(words, longest) for _ in range(count)],
            "references": [
                [text(words, longest) for _ in range(chooser.randint(1, most_references))] for _ in range(count)
            ],
        }
        order = chooser.choice((1, 2, 4))
        for metric in (NIST(max_order=order), CIDEr(max_order=order), CIDEr(max_order=3, variant="cider")):
            found = bp.insight.influence(metric, **given, threads=1 + trial % 2).tolist()
            assert found == scored_again(metric, given)


def test_sums_without_each_segment_belong_to_the_prior_of_its_references() -> None:
    texts, two, three = (counts.column(["a b c"] * size, groups=False, tokenized=False) for size in (1, 2, 3))
    for request in (
        counts.information(counts.Prior(two, "whitespace", False, 2, by_segment=False, threads=1)),
        counts.cosine(counts.Prior(two, "whitespace", False, 2, by_segment=True, threads=1), clipped=True, sigma=6.0),
    ):
        assert request.sums_without_each(two, two, 1).shape == (2, len(request.names))
        for hypotheses, references in ((three, three), (texts, texts), (two, three)):
            with pytest.raises(ValueError, match=r"segments|columns"):
                request.sums_without_each(hypotheses, references, 1)
    with pytest.raises(ValueError, match="cannot be counted"):
        counts.best_overlap("whitespace", False, 1, 2).sums_without_each(two, two, 1)


@pytest.mark.parametrize("metric", [BLEU(), ROUGE(), SARI(), SARI(counting="types")], ids=lambda metric: metric.name)
def test_influence_on_sums_and_on_means(metric: AnyMetric) -> None:
    everything: Given = {
        "hypotheses": ["the cat sat on the mat", "a dog ran off", "it rains"],
        "references": ["the cat lay on the mat", ["a dog ran away", "the dog ran"], "it is raining"],
    }
    if metric.needs_sources:
        everything["sources"] = ["the cat sat down on the mat", "a dog fled", "it rains cats and dogs"]
    found = bp.insight.influence(metric, **everything).tolist()
    assert found == scored_again(metric, everything)
    assert len(set(found)) == 3


@for_every_metric
@fewer_examples
@given(data=st.data(), corpus=corpora(largest=4))
def test_rows_counted_before_give_the_corpus_score(name: str, data: st.DataObject, corpus: Segments) -> None:
    metric, rest = metric_and_texts(data, name, corpus)
    statistics = metric.statistics(hypotheses_of(corpus), **rest)
    score = metric.corpus(hypotheses_of(corpus), **rest).value
    assert metric.definition.value_of(statistics.rows) == score
    sample = metric.definition.row_summary.sample(metric.definition, statistics.rows)
    assert sample.score().tolist() == pytest.approx([score], rel=1e-12, abs=1e-15)


def test_rows_of_a_corpus_that_looks_at_its_last_segment() -> None:
    metric = BLEU(profile="nltk", smoothing="method5")
    hypotheses, references = ["a b c d", "a b"], ["a b c e", "a b d"]
    rows = metric.statistics(hypotheses, references).rows
    assert metric.definition.value_of(rows) == metric.corpus(hypotheses, references).value
    with pytest.raises(OptionError, match="context must be 'corpus'"):
        bp.insight.influence(metric, hypotheses, references)
    with pytest.raises(OptionError, match="context must be 'corpus'"):
        bp.insight.contributions(metric, hypotheses, references, references)


def test_the_sample_of_a_pooled_score_is_pooled() -> None:
    """SARI sums counts before it divides; its sample was the mean of its segments once."""
    given: Given = {"references": ["a b d", "d f"], "sources": ["a c c", "d e f g"]}
    for counting in ("tokens", "types"):
        metric = SARI(counting=counting)
        score = metric.corpus(["a b c", "d e"], **given).value
        assert metric.sample(["a b c", "d e"], **given).score().item() == pytest.approx(score, rel=1e-15)


@for_every_metric
@fewer_examples
@given(data=st.data(), corpus=corpora(largest=4))
def test_contributions(name: str, data: st.DataObject, corpus: Segments) -> None:
    metric, rest = metric_and_texts(data, name, corpus)
    count = len(corpus)
    first = hypotheses_of(corpus)
    other = st.one_of(texts(), st.sampled_from(first))
    second = data.draw(st.lists(other, min_size=count, max_size=count))
    parts = bp.insight.contributions(metric, first, second, **rest)
    difference = metric.corpus(first, **rest).value - metric.corpus(second, **rest).value
    assert math.fsum(parts) == pytest.approx(difference, abs=1e-9)
    assert (bp.insight.contributions(metric, second, first, **rest) == -parts).all()
    assert not any(part for part, mine, theirs in zip(parts, first, second, strict=True) if mine == theirs)

    order = data.draw(st.permutations(range(count)))
    shuffled: Given = {column: [values[place] for place in order] for column, values in rest.items()}
    moved = bp.insight.contributions(
        metric, [first[place] for place in order], [second[place] for place in order], **shuffled
    )
    assert moved.tolist() == parts[list(order)].tolist()


def test_contributions_of_a_mean_are_the_segments_own_differences() -> None:
    rouge = ROUGE(types="rougeL")
    first, second, references = ["a b c", "d"], ["a b", "d"], ["a b c", "d e"]
    expected = (rouge.sentences(first, references) - rouge.sentences(second, references)) / 2
    assert bp.insight.contributions(rouge, first, second, references).tolist() == expected.tolist()


def test_empty_corpora() -> None:
    for name in ("bleu", "rouge"):
        with pytest.raises(NoSegmentsError, match=f"{name} has no segments"):
            bp.insight.influence(name, [], [])
    assert bp.insight.contributions("bleu", [], [], []).tolist() == []
    assert bp.insight.ngram_changes("bleu", [], [], []) == bp.insight.NgramChanges((), ())


def test_one_segment_is_the_whole_score() -> None:
    for name in ("bleu", "rouge", "ter"):
        metric = TABLE[name]()
        expected = metric.corpus(["a b c d e"], ["a b c d f"]).value  # without it, nothing is left: 0
        assert bp.insight.influence(metric, ["a b c d e"], ["a b c d f"]).tolist() == [expected]


def test_iterators_are_read_once() -> None:
    first, second, references = ["a b", "c"], ["a", "c"], ["a b", "c d"]
    parts = bp.insight.contributions("gleu", iter(first), iter(second), iter(references))
    assert parts.tolist() == bp.insight.contributions("gleu", first, second, references).tolist()
    changes = bp.insight.ngram_changes("bleu", iter(first), iter(second), iter(references))
    assert [change.ngram for change in changes.gained] == [("b",), ("a", "b")]


@pytest.mark.parametrize(
    ("function", "arguments", "error", "message"),
    [
        ("influence", ("blue", ["a"], ["a"]), OptionError, "There is no metric 'blue'. Did you mean bleu"),
        ("influence", (None, ["a"], ["a"]), OptionError, "got None"),
        ("influence", ("nist", "ab", ["a", "b"]), InputError, "one item per segment"),
        ("influence", ("nist", ["a"], ["a", "b"]), LengthMismatchError, "1 segments but references has 2"),
        ("influence", ("self-bleu", ["a"], ["a"]), OptionError, "a metric of pools, and this takes metrics of segm"),
        ("influence", ("bleu", ["a"], ["a", "b"]), LengthMismatchError, "1 segments but references has 2"),
        ("influence", ("ibleu", ["a"], ["a"]), InputError, "sources"),
        ("influence", ("bleu", ["\ud800"], ["a"]), InputError, "lone surrogate"),
        ("contributions", ("bleu", ["a"], ["a", "b"], ["a"]), LengthMismatchError, "2 segments"),
        ("contributions", ("bleu", "a", ["a"], ["a"]), InputError, "one item per segment"),
        ("ngram_changes", ("chrf", ["a"], ["a"], ["a"]), OptionError, "must be BLEU, .* got 'chrf'"),
        ("ngram_changes", ("bleu", ["a"], [None], ["a"]), InputError, "None"),
    ],
)
def test_what_is_refused(function: str, arguments: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        getattr(bp.insight, function)(*arguments)


def counted(corpus: list[list[Token]], references: list[list[list[Token]]], order: int) -> Counter[tuple[Token, ...]]:
    """How often each n-gram matches, clipped segment by segment."""
    found: Counter[tuple[Token, ...]] = Counter()
    for words, several in zip(corpus, references, strict=True):
        limits: Counter[tuple[Token, ...]] = Counter()
        for reference in several:
            limits |= grams(reference, order)
        found.update(grams(words, order) & limits)
    return found


tokens: st.SearchStrategy[Token] = st.sampled_from(("a", "b", "c d", "", 7, "7"))
token_texts = st.lists(tokens, max_size=9)


@settings(max_examples=settings().max_examples // 2)
@given(data=st.data(), count=st.integers(1, 5), order=st.integers(1, 5))
def test_every_ngram_gained_and_lost(data: st.DataObject, count: int, order: int) -> None:
    columns = st.lists(token_texts, min_size=count, max_size=count)
    first, second = data.draw(columns), data.draw(columns)
    several = st.lists(token_texts, min_size=1, max_size=3)
    references = data.draw(st.lists(several, min_size=count, max_size=count))
    metric = BLEU(max_order=order, smoothing="none")
    changes = bp.insight.ngram_changes(metric, first, second, references, top=1_000)
    found = {change.ngram: change.matches for change in (*changes.gained, *changes.lost)}
    expected: Counter[tuple[Token, ...]] = Counter()
    for n in range(1, order + 1):
        expected.update(counted(first, references, n))
        expected.subtract(counted(second, references, n))
    assert found == {ngram: matches for ngram, matches in expected.items() if matches}
    assert all(change.matches > 0 for change in changes.gained)
    assert all(change.matches < 0 for change in changes.lost)
    for side in (changes.gained, changes.lost):
        worths = [abs(change.worth) for change in side]
        assert worths == sorted(worths, reverse=True)


def test_ngrams_are_read_as_the_metric_reads_them() -> None:
    first, second, references = ["The Cat's here!"], ["nothing"], [["the cat's here !", "x"]]
    metric = BLEU(max_order=1, lowercase=True, tokenizer="nltk")
    gained = bp.insight.ngram_changes(metric, first, second, references).gained
    assert [change.ngram for change in gained] == [("the",), ("cat",), ("'s",), ("here",), ("!",)]
    split = BLEU(max_order=1, tokenizer=lambda text: text.split("'"))
    assert [change.ngram for change in bp.insight.ngram_changes(split, ["a'b c"], [""], ["b c'd"]).gained] == [("b c",)]


def test_top_is_the_head_of_all() -> None:
    chooser = random.Random(4)
    first, second, references = ([" ".join(chooser.choices("abcde", k=9)) for _ in range(20)] for _ in range(3))
    whole = bp.insight.ngram_changes("bleu", first, second, references, top=10_000)
    head = bp.insight.ngram_changes("bleu", first, second, references, top=7)
    assert head.gained == whole.gained[:7]
    assert head.lost == whole.lost[:7]
    assert len(whole.gained) > 7
    with pytest.raises(OptionError, match="top must be"):
        bp.insight.ngram_changes("bleu", first, second, references, top=0)


def test_on_wmt22(wmt22_data: Wmt22) -> None:
    """Influence on real text; what the line between two systems misses there is next to nothing."""
    names = wmt22_data.systems("en-de")
    first, second = wmt22_data.output("en-de", names[1])[:300], wmt22_data.output("en-de", names[2])[:300]
    references = [list(texts) for texts in zip(*wmt22_data.references("en-de"), strict=True)][:300]
    for name in ("bleu", "chrf", "ter", "rouge", "gleu"):
        metric = TABLE[name]()
        effects = bp.insight.influence(metric, first, references)
        score = metric.corpus(first, references).value
        for place in range(0, 300, 37):
            rest = [texts for other, texts in enumerate(first) if other != place]
            pairs = [texts for other, texts in enumerate(references) if other != place]
            assert effects[place] == score - metric.corpus(rest, pairs).value
        parts = bp.insight.contributions(metric, first, second, references)
        difference = score - metric.corpus(second, references).value
        assert math.fsum(parts) == pytest.approx(difference, abs=1e-9)
    mine, theirs = (BLEU().statistics(texts, references).rows for texts in (first, second))
    rates = prices(BLEU().definition, mine.sum(axis=0), theirs.sum(axis=0))
    line = float(np.asarray(mine - theirs).sum(axis=0) @ rates)
    difference = BLEU().definition.value_of(mine) - BLEU().definition.value_of(theirs)
    assert line == pytest.approx(difference, abs=1e-9)
