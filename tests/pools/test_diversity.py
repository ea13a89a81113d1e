"""All measures of a pool in one table; comparisons of pools; rarefaction."""

from __future__ import annotations

import json
import math
import random
from functools import partial
from importlib import import_module
from itertools import combinations

import numpy as np
import pytest

import bleuprint as bp
from bleuprint.errors import OptionError, PoolError
from bleuprint.metrics import Distinct, SelfBLEU, registry
from bleuprint.statistics.pools import interval_around

WORDS = [f"w{number}" for number in range(60)]


def drawn(seed: int, count: int = 30, words: int = 60) -> list[str]:
    draw = random.Random(seed)
    return [" ".join(draw.choices(WORDS[:words], [1 / (rank + 1) for rank in range(words)], k=9)) for _ in range(count)]


POOL = drawn(1)


class TestDiversity:
    def test_each_measure_is_that_of_its_metric(self) -> None:
        result = bp.diversity(POOL, train=drawn(2), reference=drawn(3), confidence=None)
        orders = bp.self_bleu(POOL, max_order=5).per_order
        assert [result[f"self-bleu-{order}"].value for order in range(2, 6)] == list(orders[1:])
        assert result["distinct-3"].value == bp.distinct(POOL, max_order=5).per_order[2]
        assert result["expected-distinct-1"].value == bp.metrics.ExpectedDistinct(max_order=1).corpus(POOL).value
        assert result["homogenization (bleu)"].value == bp.metrics.Homogenization(measure="bleu").corpus(POOL).value
        assert (
            result["compression-ratio (gzip)"].value == bp.metrics.CompressionRatio(tokenizer="nltk").corpus(POOL).value
        )
        assert result["vendi"].value == bp.metrics.Vendi().corpus(POOL).value
        assert result["train-bleu"].value == bp.cross_bleu(POOL, drawn(2)).value
        assert not result["train-bleu"].higher_is_better
        assert result["forward-bleu"].value == bp.cross_bleu(POOL, drawn(3)).value
        assert result["backward-bleu"].value == bp.cross_bleu(drawn(3), POOL).value
        assert result["ms-jaccard"].value == bp.metrics.MSJaccard().corpus(POOL, drawn(3)).value
        for name in ("zipf", "mattr", "mtld", "loops", "duplicates", "self_repetition", "ngram_diversity"):
            assert result[name.replace("_", "-")].value == registry.resolve(name).corpus(POOL).value
        assert all(measure.low is measure.high is None for measure in result.measures)

    def test_intervals_hold_the_value_and_stay_in_the_range(self) -> None:
        result = bp.diversity(POOL, reference=drawn(3))
        for measure in result.measures:
            if measure.name in {"self-bleu-3", "self-bleu-4", "self-bleu-5", "self-repetition"}:  # little is repeated
                assert measure.low is measure.high is None
                assert f"{measure.name} has no interval: what it counts is too rare" in result.notes
                continue
            assert measure.low is not None
            assert measure.high is not None
            assert measure.low < measure.high
            assert measure.low <= measure.value <= measure.high, measure
            if measure.metric in {"self-bleu", "distinct", "cross-bleu", "homogenization"}:
                assert measure.low >= 0
                assert measure.high <= 1
        assert result.confidence == 0.95

    def test_what_was_not_seen_may_still_be_there(self) -> None:
        """No copy among 60 texts: were 7 % of such texts copies, 60 texts would hardly have none."""
        texts = [" ".join(f"{letter}{number}" for letter in "abcdefgh") for number in range(60)]
        result = bp.diversity(texts)
        assert result["self-bleu-5"].low is None
        for name in ("near-duplicates", "duplicates", "loops"):
            assert (result[name].value, result[name].low) == (0.0, 0.0)
            assert 0.05 < (result[name].high or 0) < 0.2
        for name in ("distinct-4", "distinct-5"):
            assert (result[name].value, result[name].high) == (1.0, 1.0)
            assert 0.8 < (result[name].low or 0) < 0.95
        groups = bp.diversity(texts, by=[number // 3 for number in range(60)])
        assert all((m.high or 0) > 0.05 for m in (*groups.within, *groups.between) if m.name == "near-duplicates")
        (system, _) = (
            bp.compare({"A": texts, "B": texts}, metrics="near-duplicates", resamples=9).metrics[0].result.systems
        )
        assert system.score.high > 0.05

    def test_groups(self) -> None:
        labels = [number % 5 for number in range(30)]
        result = bp.diversity(POOL, by=labels)
        groups = [[text for text, label in zip(POOL, labels, strict=True) if label == group] for group in range(5)]
        within = {measure.name: measure for measure in result.within}
        values = [bp.distinct(group, max_order=5).per_order[1] for group in groups]
        assert within["distinct-2"].value == pytest.approx(sum(values) / 5)
        error = float(np.std(values, ddof=1)) / math.sqrt(5)
        expected = interval_around(sum(values) / 5, error, 0.95, 5, texts=5)
        assert (within["distinct-2"].low, within["distinct-2"].high) == pytest.approx((expected.low, expected.high))
        between = {measure.name: measure for measure in result.between}
        assert set(within) == set(between)
        assert 0 < between["self-bleu-2"].value < within["self-bleu-2"].value + 1
        assert result.groups == 5

    def test_equal_texts_within_groups_and_different_ones_between(self) -> None:
        texts = [f"a{group} b{group} c{group} d{group}" for group in range(6) for _ in range(3)]
        result = bp.diversity(texts, by=[number // 3 for number in range(18)], confidence=None)
        within, between = ({m.name: m.value for m in part} for part in (result.within, result.between))
        assert within["self-bleu-4"] == 1.0
        assert between["self-bleu-4"] == 0.0
        assert within["vendi"] == pytest.approx(1.0)
        assert between["vendi"] == pytest.approx(6.0)

    def test_what_repeats_is_shown(self) -> None:
        texts = ["on and on and on and on", "the cat sat", "the cat sat", "birds sing at dawn"]
        result = bp.diversity(texts, confidence=None)
        assert [(loop.text, loop.phrase) for loop in result.loops] == [(0, ("on", "and"))]
        assert result.duplicates == (("the cat sat", 2),)
        assert result.near_duplicates == (("the cat sat", 2),)
        assert result.tokens == 17

    def test_tables_and_json(self) -> None:
        result = bp.diversity(POOL, by=[number % 3 for number in range(30)], tagger=lambda text: ["X"] * 3)
        assert result["compression-ratio (gzip, tags)"].value > 1
        assert "self-bleu-2" in result.pretty()
        assert result.to_markdown().startswith("| group | measure | more diverse | value |")
        assert "\\toprule" in result.to_latex()
        lines = result.to_csv().splitlines()
        assert lines[0] == "group,measure,more diverse,value,value low,value high"
        assert lines[1].startswith("repetition between texts,self-bleu-2,lower,0.")
        assert lines[2].startswith("repetition between texts,self-bleu-3,")
        assert "nan" not in result.to_csv()
        assert list(result.to_pandas()["measure"])[:2] == ["self-bleu-2", "self-bleu-3"]
        assert json.loads(json.dumps(result.to_dict()))["texts"] == 30
        assert repr(result) == f"<Diversity of 30 texts: {len(result.measures)} measures>"

    def test_csv_leaves_the_field_of_a_missing_interval_empty(self) -> None:
        pool = [*POOL, "a text of its own that no other text has a word of"]
        result = bp.diversity(pool, confidence=None)
        assert result.to_csv().splitlines()[0] == "group,measure,more diverse,value"
        missing = [measure.name for measure in bp.diversity(pool).measures if measure.low is None]
        rows = bp.diversity(pool).to_csv().splitlines()[1:]
        assert [row.split(",")[1] for row in rows if row.endswith(",,")] == missing

    def test_a_size_draws_texts(self) -> None:
        result = bp.diversity(POOL, size=10, confidence=None)
        assert result.texts == 10
        assert result["distinct-1"].value > bp.distinct(POOL, max_order=1).value

    def test_an_encoder_adds_a_measure(self) -> None:
        def encode(texts: list[str]) -> list[object]:
            return [(text.split(), [[len(word), 1.0] for word in text.split()]) for text in texts]

        result = bp.diversity(POOL, encoder=encode)
        assert result["embedding-vendi"].value == bp.metrics.EmbeddingVendi(encoder=encode).corpus(POOL).value

    def test_bad_input(self) -> None:
        with pytest.raises(PoolError):
            bp.diversity(["alone"])
        with pytest.raises(OptionError, match="a label for each of the 30 texts"):
            bp.diversity(POOL, by=[1, 2])
        with pytest.raises(OptionError, match="at least two such labels"):
            bp.diversity(POOL, by=range(30))
        with pytest.raises(OptionError, match="size"):
            bp.diversity(POOL, size=31)
        with pytest.raises(OptionError, match="confidence"):
            bp.diversity(POOL, confidence=95)
        with pytest.raises(OptionError, match=r"one of self-bleu-2, .* got 'self-bleu'"):
            bp.diversity(POOL, confidence=None)["self-bleu"]

    def test_without_zstd_a_note_says_so(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(__import__("sys").modules, "zstandard", None)
        (note,) = bp.diversity(POOL, confidence=None).notes
        assert "bleuprint[zstd]" in note

    def test_a_large_pool_says_that_vendi_is_sampled(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(import_module("bleuprint.pools.diversity"), "Vendi", partial(bp.metrics.Vendi, sample=10))
        result = bp.diversity(POOL)
        assert result["vendi"].low is None
        assert any("vendi is that of 10 texts, with a standard error of" in note for note in result.notes)


class TestRarefaction:
    def test_distinct_by_texts_is_the_mean_over_all_subsets(self) -> None:
        texts = ["a b a", "a b", "c", "b c a d"]
        for size in (1, 2, 3, 4):
            (point,) = bp.rarefaction(texts, [size], metric=Distinct(max_order=1, tokenizer="whitespace"))
            subsets = [" ".join(subset).split() for subset in combinations(texts, size)]
            assert point.value == pytest.approx(sum(len(set(words)) / len(words) for words in subsets) / len(subsets))
            assert point.exact

    def test_distinct_of_texts_of_different_length_is_the_mean_of_the_draws(self) -> None:
        texts = ["a"] * 12 + ["a b c d e f g h"] * 12
        (point,) = bp.rarefaction(texts, [1], metric=Distinct(max_order=1, tokenizer="whitespace"))
        assert (point.value, point.error, point.exact) == (1.0, 0.0, False)  # random ones, which are all equal
        (two,) = bp.rarefaction(texts, [2], metric=Distinct(max_order=1, tokenizer="whitespace"), draws=200)
        expected = (2 * 66 * 0.5 + 144 * 8 / 9) / 276
        assert abs(two.value - expected) < 4 * two.error
        assert not two.exact

    def test_tokens_of_texts_of_equal_length_are_whole_texts(self) -> None:
        texts = ["a b", "b c", "c a", "d e", "a a"]
        metric = Distinct(max_order=1, tokenizer="whitespace")
        (exact,) = bp.rarefaction(texts, [2], metric=metric)
        (point,) = bp.rarefaction(texts, [4], metric=metric, unit="tokens", draws=200)
        assert (exact.exact, point.exact) == (True, False)
        assert abs(point.value - exact.value) < 4 * point.error

    def test_the_whole_pool_has_its_own_value(self) -> None:
        assert bp.rarefaction(POOL, [30])[0].value == pytest.approx(bp.distinct(POOL).value)
        (point,) = bp.rarefaction(POOL, [30], metric="self-bleu")
        assert point == pytest.approx((30, bp.self_bleu(POOL).value, 0.0, True))

    def test_other_metrics_are_means_of_draws_with_their_error(self) -> None:
        points = bp.rarefaction(POOL, metric=SelfBLEU(max_order=2), draws=30)
        assert [point.size for point in points] == [3, 6, 9, 12, 15, 18, 21, 24, 27, 30]
        assert points[0].value < points[4].value < points[-1].value
        assert all(point.error > 0 for point in points[:-1])
        assert points == bp.rarefaction(POOL, metric=SelfBLEU(max_order=2), draws=30)
        (tokens,) = bp.rarefaction(POOL, [90], metric="entropy", unit="tokens")
        assert tokens.value < bp.metrics.Entropy().corpus(POOL).value

    def test_bad_input(self) -> None:
        with pytest.raises(OptionError, match=r"sizes\[1\] must be an integer from 1 to 30"):
            bp.rarefaction(POOL, [3, 31])
        with pytest.raises(OptionError, match="unit"):
            bp.rarefaction(POOL, unit="words")
        with pytest.raises(OptionError, match="metric"):
            bp.rarefaction(POOL, metric="bleu")


class TestComparePools:
    def test_pools_of_one_source_do_not_differ(self) -> None:
        comparison = bp.compare({"A": drawn(7), "B": drawn(8)}, metrics=["self-bleu", "distinct"], resamples=99)
        for entry in comparison.metrics:
            (pair,) = entry.result.pairs
            assert pair.better is None
            assert pair.difference.low <= 0 <= pair.difference.high
            assert 0 < pair.p_value <= pair.corrected_p_value <= 1

    def test_pools_of_different_sources_do(self) -> None:
        comparison = bp.compare({"A": drawn(7), "B": drawn(8, words=12)}, metrics="self-bleu", resamples=99)
        (pair,) = comparison.metric("self-bleu").pairs
        assert (pair.better, pair.p_value) == ("A", 0.01)
        assert comparison.metric("self-bleu").systems[0].score.value == bp.self_bleu(drawn(7)).value
        assert pair.difference.low <= pair.difference.value <= pair.difference.high < 0

    def test_a_larger_pool_is_cut_to_the_size_of_the_smallest(self) -> None:
        result = bp.compare({"A": drawn(7), "B": drawn(8, 50)}, metrics=[Distinct(max_order=1)], resamples=19)
        (entry,) = result.metrics
        assert entry.result.segments == 30
        assert entry.result.notes[0] == "30 texts were drawn from larger pools, so that all have the same size: B (50)"
        (value,) = [system.score.value for system in entry.result.systems if system.name == "B"]
        assert value > bp.distinct(drawn(8, 50), max_order=1).value - 0.1

    def test_several_pools_and_a_baseline(self) -> None:
        pools = {name: drawn(seed, 10) for seed, name in enumerate("ABC")}
        every = bp.compare(pools, metrics="distinct", resamples=19).metric("distinct").pairs
        assert {frozenset((pair.first, pair.second)) for pair in every} == {
            frozenset(pair) for pair in ("AB", "AC", "BC")
        }
        some = bp.compare(pools, metrics="distinct", baseline="C", resamples=19).metric("distinct").pairs
        assert {(pair.first, pair.second) for pair in some} == {("A", "C"), ("B", "C")}

    def test_references_are_a_corpus_of_any_size(self) -> None:
        metrics = [bp.CrossBLEU(max_order=2, tokenizer="whitespace"), bp.metrics.Zipf(tokenizer="whitespace")]
        pools, others = {"A": drawn(7, 10), "B": drawn(8, 10)}, drawn(9)
        comparison = bp.compare(pools, others, metrics=metrics, resamples=19)
        expected = bp.cross_bleu(pools["A"], others, max_order=2, tokenizer="whitespace").value
        values = {system.name: system.score.value for system in comparison.metric("cross-bleu").systems}
        assert values["A"] == expected
        assert "tokenizer:whitespace" in comparison.metrics[1].signature
        result = bp.evaluate(pools, others, metrics=metrics)
        assert result.system("A").score("cross-bleu").value == expected
        stored = bp.results.Result.from_json(result.to_json())
        assert bp.replay(stored).same
        assert stored.segment_references == ()
        assert "cross-bleu" in stored.to_html()

    def test_bad_input(self) -> None:
        with pytest.raises(bp.errors.InputError, match="at least two systems"):
            bp.compare({"A": POOL}, metrics="distinct")
        with pytest.raises(OptionError, match="baseline"):
            bp.compare({"A": POOL, "B": POOL}, metrics="distinct", baseline="C")
        with pytest.raises(PoolError):
            bp.compare({"A": POOL, "B": ["one"]}, metrics="self-bleu")


def test_equal_pools_have_equal_results_and_json_without_scores() -> None:
    import pickle

    texts = ["the cat sat", "the cat ran", "dogs bark"]
    one, other = bp.diversity(texts), bp.diversity(texts)
    assert one == other == pickle.loads(pickle.dumps(one))
    assert one.self_bleu is not None
    assert one.self_bleu.per_order[1] == one["self-bleu-2"].value
    assert "self_bleu" not in one.to_dict()
