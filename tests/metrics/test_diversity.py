"""Diversity metrics: recorded numbers of other packages, and plain versions under generated input."""

from __future__ import annotations

import gzip
import lzma
import math
import random
from collections import Counter
from itertools import combinations, permutations
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from rouge_score import rouge_scorer

import bleuprint as bp
from bleuprint.errors import InputError, MissingExtraError, OptionError, PoolError
from bleuprint.metrics import near_duplicates
from tests.kernels.twins import pool as twin
from tests.kernels.twins.similar_sets import similar_sets
from tests.support.effort import examples

TEXTS = [
    "the cat sat on the mat",
    "the cat sat on the log",
    "a dog barked at the cat on the mat",
    "the cat sat on the mat",
    "birds sing in the early morning",
    "the dog sat on the mat and the dog barked at the birds",
]
words = st.lists(st.sampled_from(["a", "b", "c", "the", "mat", "é"]), max_size=9)
pools = st.lists(words, min_size=2, max_size=7)
few = settings(max_examples=examples(40))


class TestRecordedNumbers:
    """What other packages gave for these texts, on 2026-11-17."""

    def test_self_repetition_of_diversity_0_3_1(self) -> None:
        assert bp.metrics.SelfRepetition(tokenizer="whitespace").corpus(TEXTS).value == pytest.approx(
            1.2634499587040937, rel=1e-14
        )
        two = bp.metrics.SelfRepetition(order=2, tokenizer="whitespace").corpus(TEXTS).value
        assert two == pytest.approx(2.231373576861936, rel=1e-14)

    def test_ngram_diversity_of_diversity_0_3_1_for_single_texts(self) -> None:
        recorded = [3.833, 3.833, 3.889, 3.833, 4.0, 3.609]
        assert [round(bp.metrics.NgramDiversity().corpus([text]).value, 3) for text in TEXTS] == recorded
        # Of all texts it gives 2.353, because it counts n-grams that cross from one text to the next.
        joined = bp.metrics.NgramDiversity().corpus([" ".join(TEXTS)]).value
        assert round(joined, 3) == 2.353
        assert bp.metrics.NgramDiversity().corpus(TEXTS).value != joined

    def test_compression_ratio_of_diversity_0_3_1(self) -> None:
        assert round(bp.metrics.CompressionRatio(algorithm="xz").corpus(TEXTS * 20).value, 3) == 22.203
        # With gzip it gives 24.799, because it compresses twice.
        text = " ".join(TEXTS * 20).encode()
        assert bp.metrics.CompressionRatio().corpus(TEXTS * 20).value == len(text) / len(gzip.compress(text))

    def test_homogenization_of_diversity_0_3_1(self) -> None:
        assert round(bp.metrics.Homogenization().corpus(TEXTS).value, 3) == 0.474
        # It gives 1.0 for texts without a common word.
        assert bp.metrics.Homogenization().corpus(["red apples", "green pears"]).value == 0.0

    def test_vendi_score_0_0_3(self) -> None:
        recorded = [2.517344209815268, 3.1101443309845953, 3.4365951971642668]
        found = [bp.metrics.Vendi(max_order=order, tokenizer="whitespace").corpus(TEXTS).value for order in (1, 2, 3)]
        assert found == pytest.approx(recorded, rel=1e-12)

    def test_sentences_inside_a_text_keep_their_periods_unlike_in_vendi_score(self) -> None:
        words = bp.metrics.Vendi(max_order=1).corpus(["It ended. He left.", "It ended . He left ."])
        assert words.value > 1
        last = bp.metrics.Vendi(max_order=1).corpus(["He left.", "He left ."])
        assert last.value == pytest.approx(1)

    def test_lexicalrichness_0_5_1(self) -> None:
        for texts, mtld, lower in (
            (TEXTS, 12.147350993377483, 16.473684210526315),
            (TEXTS * 3, 12.262359550561797, 17.80255255255255),
            (["the cat sat"], 3.0, 3.0),
        ):
            assert bp.metrics.MTLD(tokenizer="whitespace").corpus(texts).value == pytest.approx(mtld, rel=1e-14)
            assert bp.metrics.MTLD(threshold=0.6, tokenizer="whitespace").corpus(texts).value == pytest.approx(
                lower, rel=1e-14
            )
        recorded = [1.0, 0.9848484848484849, 0.7594594594594595, 0.5181818181818182]
        found = [
            bp.metrics.MATTR(window=window, tokenizer="whitespace").corpus(TEXTS).value for window in (2, 3, 10, 25)
        ]
        assert found == pytest.approx(recorded, rel=1e-14)


class TestExpectedDistinct:
    @given(texts=pools, vocabulary=st.integers(1, 50))
    def test_is_the_formula_of_the_paper_for_words(self, texts: list[list[str]], vocabulary: int) -> None:
        ((different, total),) = twin.distinct(texts, 1)
        expected = vocabulary * (1 - ((vocabulary - 1) / vocabulary) ** total)
        value = bp.metrics.ExpectedDistinct(max_order=1, vocabulary=vocabulary).corpus(texts).value
        assert value == pytest.approx(different / expected if total else 0.0)

    def test_the_denominator_is_an_expectation(self) -> None:
        draw, vocabulary, tokens = random.Random(3), 20, 30
        mean = sum(len({draw.randrange(vocabulary) for _ in range(tokens)}) for _ in range(4000)) / 4000
        value = bp.metrics.ExpectedDistinct(max_order=1, vocabulary=vocabulary).corpus([["a"] * tokens]).value
        assert 1 / value == pytest.approx(mean, rel=0.01)

    def test_a_vocabulary_of_none_is_refused(self) -> None:
        with pytest.raises(OptionError, match="vocabulary"):
            bp.metrics.ExpectedDistinct(vocabulary=0)


class TestSelfRepetition:
    @few
    @given(texts=pools, order=st.integers(1, 3))
    def test_is_its_definition(self, texts: list[list[str]], order: int) -> None:
        sets = [set(twin.ngrams(text, order)) for text in texts]
        table = Counter(ngram for ngrams in sets for ngram in ngrams)
        expected = [math.log1p(sum(table[ngram] - 1 for ngram in ngrams)) for ngrams in sets]
        score = bp.metrics.SelfRepetition(order=order).corpus(texts)
        assert score.per_text is not None
        assert score.per_text.tolist() == pytest.approx(expected)
        assert score.value == pytest.approx(sum(expected) / len(texts))


class TestCompressionRatio:
    def test_gzip_xz_and_zstd_compress_the_joined_texts(self) -> None:
        import zstandard

        text = " ".join(TEXTS).encode()
        sizes = {
            "gzip": len(gzip.compress(text)),
            "xz": len(lzma.compress(text)),
            "zstd": len(zstandard.ZstdCompressor(level=3).compressobj().compress(text)),
        }
        for algorithm in ("gzip", "xz"):
            score = bp.metrics.CompressionRatio(algorithm=algorithm).corpus(TEXTS)
            assert (score.original, score.compressed) == (len(text), sizes[algorithm])
        zstd = bp.metrics.CompressionRatio(algorithm="zstd").corpus(TEXTS * 50)
        assert zstd.value > 50
        assert "library:zstd-" in zstd.signature

    def test_blocks_are_one_stream(self) -> None:
        texts = [f"text number {number}" for number in range(5000)]
        text = " ".join(texts).encode()
        score = bp.metrics.CompressionRatio().corpus(texts)
        assert (score.original, score.compressed) == (len(text), len(gzip.compress(text)))

    def test_tags_are_compressed_if_the_tokenizer_tags(self) -> None:
        score = bp.metrics.CompressionRatio(tokenizer=lambda text: ["DET", "NOUN"]).corpus(["the cat", "a dog"])
        assert score.original == len("DET NOUN DET NOUN")

    def test_zstd_says_how_to_install_it(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(__import__("sys").modules, "zstandard", None)
        with pytest.raises(MissingExtraError, match=r"bleuprint\[zstd\]"):
            bp.metrics.CompressionRatio(algorithm="zstd").corpus(TEXTS)

    def test_an_unknown_algorithm_is_refused(self) -> None:
        with pytest.raises(OptionError, match="one of gzip, xz, zstd"):
            bp.metrics.CompressionRatio(algorithm="zip")


class TestHomogenization:
    def test_rouge_l_is_that_of_rouge_score(self) -> None:
        scorer = rouge_scorer.RougeScorer(["rougeL"])
        pairs = [scorer.score(one, other)["rougeL"].fmeasure for one, other in combinations(TEXTS, 2)]
        assert bp.metrics.Homogenization().corpus(TEXTS).value == pytest.approx(sum(pairs) / len(pairs))

    def test_bleu_is_that_of_all_ordered_pairs(self) -> None:
        texts = [text.split() for text in TEXTS]
        pairs = [bp.sentence_bleu(one, [other], tokenizer="whitespace").value for one, other in permutations(texts, 2)]
        value = bp.metrics.Homogenization(measure="bleu").corpus(texts).value
        assert value == pytest.approx(sum(pairs) / len(pairs))
        matrix = bp.pairwise(texts, metric=bp.BLEU(tokenizer="whitespace"))
        assert value == pytest.approx((matrix.sum() - matrix.trace()) / (len(texts) * (len(texts) - 1)))

    def test_a_sample_of_pairs_is_near_the_mean_of_all(self) -> None:
        draw = random.Random(2)
        texts = [" ".join(draw.choices("abcdefgh", k=8)) for _ in range(200)]
        exact, sampled = bp.metrics.Homogenization().corpus(texts), bp.metrics.Homogenization(pairs=2000).corpus(texts)
        assert (exact.error, exact.pairs, sampled.pairs) == (0.0, 19900, 2000)
        assert 0 < sampled.error < 0.01
        assert abs(sampled.value - exact.value) < 4 * sampled.error

    def test_the_stated_error_is_that_of_the_estimates(self) -> None:
        draw = random.Random(2)
        texts = [" ".join(draw.choices("abcdefgh", k=8)) for _ in range(100)]
        exact = bp.metrics.Homogenization().corpus(texts).value
        estimates = [bp.metrics.Homogenization(pairs=300, seed=seed).corpus(texts) for seed in range(40)]
        spread = float(np.std([score.value - exact for score in estimates]))
        assert spread == pytest.approx(estimates[0].error, rel=0.35)

    def test_one_text_has_no_pair(self) -> None:
        with pytest.raises(PoolError):
            bp.metrics.Homogenization().corpus(["alone"])


def cosine(one: Counter[Any], other: Counter[Any]) -> float:
    product = sum(one[ngram] * other[ngram] for ngram in one)
    return product / math.sqrt(sum(c * c for c in one.values()) * sum(c * c for c in other.values()))


def plain_vendi(texts: list[list[str]], max_order: int) -> float:
    kernels = []
    for order in range(1, max_order + 1):
        tables = [Counter(twin.ngrams(text, order)) or Counter({tuple(text): 1}) for text in texts]
        kernels.append([[cosine(one, other) for other in tables] for one in tables])
    values = np.linalg.eigvalsh(np.mean(kernels, axis=0) / len(texts))
    return math.exp(-sum(value * math.log(value) for value in values if value > 1e-15))


class TestVendi:
    @few
    @given(texts=pools, order=st.integers(1, 3))
    def test_is_its_definition(self, texts: list[list[str]], order: int) -> None:
        assert bp.metrics.Vendi(max_order=order).corpus(texts).value == pytest.approx(
            plain_vendi(texts, order), rel=1e-9
        )

    def test_a_large_pool_has_the_score_of_its_samples(self) -> None:
        draw = random.Random(4)
        common = [f"w{number}" for number in range(200)]
        texts = [" ".join(draw.choices(common, [1 / (r + 1) for r in range(200)], k=12)) for _ in range(400)]
        exact = bp.metrics.Vendi(sample=None).corpus(texts)
        assert (exact.error, exact.value) == (0.0, bp.metrics.Vendi(sample=400).corpus(texts).value)
        parts = [bp.metrics.Vendi().corpus(draw.sample(texts, 50)).value for _ in range(200)]
        estimates = [bp.metrics.Vendi(sample=50, seed=seed).corpus(texts) for seed in range(20)]
        misses = [abs(score.value - np.mean(parts)) / score.error for score in estimates]
        assert np.median(misses) < 1
        assert max(misses) < 4

    def test_samples_of_equal_or_different_texts_are_alike(self) -> None:
        for texts, expected in ((["the cat sat"] * 600, 1), ([f"a{n} b{n} c{n}" for n in range(600)], 500)):
            score = bp.metrics.Vendi().corpus(texts)
            assert score.value == pytest.approx(expected, rel=1e-9)
            assert score.error < 1e-9 * expected

    def test_copies_count_once_and_texts_without_overlap_each(self) -> None:
        assert bp.metrics.Vendi().corpus(["the cat sat"] * 9).value == pytest.approx(1.0)
        assert bp.metrics.Vendi().corpus([f"w{number} x{number}" for number in range(30)]).value == pytest.approx(30.0)
        assert bp.metrics.Vendi().corpus(["", ""]).value == pytest.approx(1.0)

    def test_with_an_encoder_it_is_the_score_of_the_cosines(self) -> None:
        generator = np.random.default_rng(1)
        vectors = generator.normal(size=(12, 4))

        def encode(texts: list[str]) -> list[Any]:
            return [([text], [vectors[int(text)]]) for text in texts]

        unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
        values = np.linalg.eigvalsh(unit @ unit.T / 12)
        expected = math.exp(-sum(value * math.log(value) for value in values if value > 1e-12))
        names = [str(number) for number in range(12)]
        assert bp.metrics.EmbeddingVendi(encoder=encode).corpus(names).value == pytest.approx(expected, rel=1e-5)
        halves = [
            bp.metrics.EmbeddingVendi(encode).update(names[:5]),
            bp.metrics.EmbeddingVendi(encode).update(names[5:]),
        ]
        assert (
            halves[0].merge(halves[1]).compute().value == bp.metrics.EmbeddingVendi(encoder=encode).corpus(names).value
        )

    @few
    @given(texts=st.lists(st.sampled_from(["", "cat", "dog", "cat dog", "nowhere"]), min_size=1, max_size=12))
    def test_by_embeddings_texts_without_a_direction_are_like_each_other_only(self, texts: list[str]) -> None:
        places = {"cat": (1.0, 0.0), "dog": (0.6, 0.8), "nowhere": (0.0, 0.0)}

        def encode(batch: list[str]) -> list[tuple[list[str], list[tuple[float, float]]]]:
            return [(text.split(), [places[word] for word in text.split()]) for text in batch]

        directions = np.zeros((len(texts), 3))
        for row, text in zip(directions, texts, strict=True):
            row[:2] = np.sum([places[word] for word in text.split()] or [(0.0, 0.0)], axis=0)
            row[2] = not row.any()
            row /= np.linalg.norm(row)
        values = np.linalg.eigvalsh(directions @ directions.T / len(texts))  # their sum, the trace, is 1
        expected = math.exp(-sum(value * math.log(value) for value in values if value > 1e-12))
        if not any(texts):
            with pytest.raises(InputError, match="embedding size is unknown"):
                bp.metrics.EmbeddingVendi(encoder=encode).corpus(texts)
            return
        assert bp.metrics.EmbeddingVendi(encoder=encode).corpus(texts).value == pytest.approx(expected, rel=1e-6)


class TestZipf:
    def test_is_the_regression_of_scipy(self) -> None:
        from scipy import stats

        counts = sorted(Counter(" ".join(TEXTS).split()).values(), reverse=True)
        for ranks in (5, 5000):
            kept = counts[:ranks]
            slope = stats.linregress(np.log(np.arange(1, len(kept) + 1)), np.log(kept)).slope
            assert bp.metrics.Zipf(ranks=ranks).corpus(TEXTS).value == pytest.approx(-slope)

    def test_even_words_and_no_words_have_no_slope(self) -> None:
        assert bp.metrics.Zipf().corpus(["a b c d"]).value == bp.metrics.Zipf().corpus([""]).value == 0.0


class TestMattrAndMtld:
    @few
    @given(texts=pools, window=st.integers(1, 12))
    def test_mattr_is_its_definition(self, texts: list[list[str]], window: int) -> None:
        stream = [word for text in texts for word in text]
        size = min(window, len(stream))
        windows = [stream[begin : begin + size] for begin in range(len(stream) - size + 1)] if stream else []
        expected = sum(len(set(part)) for part in windows) / (size * len(windows)) if windows else 0.0
        assert bp.metrics.MATTR(window=window).corpus(texts).value == pytest.approx(expected)

    @few
    @given(texts=pools, threshold=st.sampled_from([0.5, 0.72, 0.9]))
    def test_mtld_is_its_definition(self, texts: list[list[str]], threshold: float) -> None:
        stream = [word for text in texts for word in text]

        def length(tokens: list[str]) -> float:
            factors, seen, size = 0.0, set[str](), 0
            for token in tokens:
                seen.add(token)
                size += 1
                if len(seen) / size <= threshold:
                    factors, seen, size = factors + 1, set(), 0
            if size:
                factors += (1 - len(seen) / size) / (1 - threshold)
            return len(tokens) / (factors or 1)

        expected = (length(stream) + length(stream[::-1])) / 2
        assert bp.metrics.MTLD(threshold=threshold).corpus(texts).value == pytest.approx(expected)

    def test_a_threshold_of_one_is_refused(self) -> None:
        with pytest.raises(OptionError, match="between 0 and 1"):
            bp.metrics.MTLD(threshold=1.0)


class TestLoops:
    @few
    @given(texts=pools, period=st.integers(1, 4), times=st.integers(2, 3))
    def test_tokens_in_loops_are_those_of_brute_force(self, texts: list[list[str]], period: int, times: int) -> None:
        expected = []
        for text in texts:
            inside: set[int] = set()
            for size in range(1, period + 1):
                for begin in range(len(text) - times * size + 1):
                    part = text[begin : begin + times * size]
                    if part == part[:size] * times:
                        inside |= set(range(begin, begin + times * size))
            expected.append(len(inside) / len(text) if text else 0.0)
        score = bp.metrics.Loops(max_period=period, times=times).corpus(texts)
        assert score.per_text.tolist() == pytest.approx(expected)
        for loop in score.spans():
            span = texts[loop.text][loop.begin : loop.end]
            repeated = list(loop.phrase) * (len(span) // loop.period + 1)
            assert span == repeated[: len(span)]
            assert len(span) >= times * loop.period

    def test_a_loop_does_not_cross_texts(self) -> None:
        assert bp.metrics.Loops().corpus(["no no", "no no"]).value == 0.0

    def test_the_shortest_period_stands_for_the_longer_ones(self) -> None:
        assert [loop.period for loop in bp.metrics.Loops().corpus(["no " * 12]).spans()] == [1]

    @few
    @given(texts=pools, period=st.integers(1, 6), times=st.integers(2, 3))
    def test_spans_are_those_that_no_shorter_period_contains(
        self, texts: list[list[str]], period: int, times: int
    ) -> None:
        score = bp.metrics.Loops(max_period=period, times=times).corpus(texts)
        kept: list[list[int]] = []
        for place in score._places.tolist():  # the shortest periods of a text first
            if not any(place[0] == one[0] and one[1] <= place[1] and place[2] <= one[2] for one in kept):
                kept.append(place)
        assert [list(loop[:4]) for loop in score.spans()] == sorted(kept)
        for limit in (1, 2, 5):
            assert score.spans(limit) == score.spans()[:limit]


class TestNearDuplicates:
    def test_a_long_chain_is_linked_in_few_rounds(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """A chain in random order took hundreds of rounds: as many as it has texts between two that are the least."""
        from bleuprint.metrics import _ngram_pool

        rounds: list[int] = []

        def link(*given: Any) -> None:
            rounds.append(1)
            np.minimum.at(*given)

        counting = SimpleNamespace(minimum=SimpleNamespace(at=link), array_equal=np.array_equal)
        monkeypatch.setattr(_ngram_pool, "np", counting)
        order = np.random.default_rng(1).permutation(4000)
        leaders = _ngram_pool.link_texts(np.arange(4000), np.stack([order[:-1], order[1:]], axis=1))
        assert (leaders == 0).all()
        assert len(rounds) < 16

    @few
    @given(texts=pools, threshold=st.sampled_from([0.2, 0.5, 0.8, 1.0]), order=st.integers(1, 3))
    def test_pairs_are_those_of_brute_force(self, texts: list[list[str]], threshold: float, order: int) -> None:
        first = {tuple(text): place for place, text in reversed(list(enumerate(texts)))}
        places = sorted(first.values())
        sets = [frozenset(twin.ngrams(texts[place], order)) for place in places]
        expected = [(places[one], places[other]) for one, other, _ in similar_sets(sets, threshold)]
        score = bp.near_duplicates(texts, threshold=threshold, order=order)
        assert [(pair.first, pair.second) for pair in score.pairs()] == expected
        for pair in score.pairs():
            one, other = (set(twin.ngrams(texts[place], order)) for place in (pair.first, pair.second))
            assert pair.similarity == len(one & other) / len(one | other)
        self._check_groups(score, texts, expected)

    def _check_groups(self, score: Any, texts: list[list[str]], pairs: list[tuple[int, int]]) -> None:
        group = {place: {place} for place in range(len(texts))}
        links = [*pairs, *((a, b) for a, b in combinations(range(len(texts)), 2) if texts[a] == texts[b])]
        for one, other in links:
            joined = group[one] | group[other]
            for place in joined:
                group[place] = joined
        expected = {tuple(sorted(members)) for members in group.values() if len(members) > 1}
        assert {tuple(members) for members in score.groups()} == expected
        assert score.kept() == sorted({min(members) for members in group.values()})
        assert score.value == (len(texts) - len(score.kept())) / len(texts)

    @few
    @given(texts=pools, threshold=st.sampled_from([0.3, 0.5, 0.8, 1.0]))
    @example(texts=[["a", "a"], ["a", "a", "a"]], threshold=0.8)
    def test_rouge_l_pairs_are_those_of_brute_force(self, texts: list[list[str]], threshold: float) -> None:
        different = [list(text) for text in dict.fromkeys(map(tuple, texts))]
        metric = bp.ROUGE(types="rougeL", tokenizer="whitespace")
        expected = [
            (one, other)
            for one, other in combinations(range(len(different)), 2)
            if different[one] and metric.sentence(different[one], [different[other]]).value >= threshold
        ]
        score = bp.near_duplicates(different, measure="rouge-l", threshold=threshold)
        assert [(pair.first, pair.second) for pair in score.pairs()] == expected

    def test_too_many_pairs_are_refused(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(near_duplicates, "_MOST_PAIRS", 5)
        with pytest.raises(OptionError, match="more than 5 pairs of texts reach threshold"):
            bp.near_duplicates([f"the same long text {number}" for number in range(9)], threshold=0.1, order=1)
