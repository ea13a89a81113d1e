"""The alignment kernel against its plain twin: short, long, alike and unlike, across every edge of a word."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bleuprint import CER, WER
from bleuprint.metrics import MER, WIL, LevenshteinRatio
from tests.kernels.twins import edits

LENGTHS = (0, 1, 2, 31, 63, 64, 65, 127, 128, 129, 200, 320)
ALPHABETS = ("ab", "abcd ", "aé漢😀", "".join(map(chr, range(0x4E00, 0x4E00 + 400))))

tokens = st.lists(st.sampled_from(["a", "b", "c", "the", "é", "a token of more than sixteen bytes"]), max_size=9)
Tokens = list[str]


def changed(chance: random.Random, items: Sequence[str], edits_made: int, alphabet: Sequence[str]) -> list[str]:
    found = list(items)
    for _ in range(edits_made):
        at = chance.randrange(len(found) + 1)
        found[at : at + chance.randrange(3)] = chance.choices(alphabet, k=chance.randrange(3))
    return found


@given(seed=st.integers(0, 2**32), length=st.sampled_from(LENGTHS), alphabet=st.sampled_from(ALPHABETS))
def test_characters_equal_the_twin(seed: int, length: int, alphabet: str) -> None:
    chance = random.Random(seed)
    reference = "".join(chance.choices(alphabet, k=length))
    if chance.random() < 0.7:
        hypothesis = "".join(changed(chance, reference, chance.choice((0, 1, 3, 20)), alphabet))
    else:
        hypothesis = "".join(chance.choices(alphabet, k=chance.choice(LENGTHS)))
    expected = edits.operations(reference, hypothesis)
    assert CER(whitespace="keep").sentence(hypothesis, reference).columns == expected
    ratio = LevenshteinRatio().sentence(hypothesis, reference)
    assert ratio.columns == (sum(expected[1:]), max(len(hypothesis), len(reference)))
    indel = LevenshteinRatio(definition="indel").sentence(hypothesis, reference)
    assert indel.columns == (edits.indel_distance(reference, hypothesis), len(hypothesis) + len(reference))


@pytest.mark.parametrize("length", range(1, 36))
def test_indel_of_text_with_one_character_beyond_ascii(length: int) -> None:
    """Wherever it stands, the text is compared by code points."""
    for place in range(length):
        text = "a" * place + "é" + "b" * (length - place - 1)
        found = LevenshteinRatio(definition="indel").sentence(text, "b" * length)
        assert found.columns == (2 * (place + 1), 2 * length)


@pytest.mark.parametrize("words", [1, 4, 8, 9])
def test_indel_across_words_of_the_state_and_beyond_ascii(words: int) -> None:
    """Up to eight words stay in registers; a reference beyond ASCII does not spoil the ASCII ones beside it."""
    chance = random.Random(words)
    hypothesis = "".join(chance.choices("abcd ", k=64 * words - 1))
    near = "".join(changed(chance, hypothesis, 30, "abcd "))
    references = [
        "é" + near,
        "x" + near[:-1] + "y",
        near.replace("a", "ä"),
        "".join(chance.choices("abc", k=64 * words)),
    ]
    for order in (references, references[::-1]):
        for text, others in ((hypothesis, order), (hypothesis.replace("b", "ß"), order)):
            found = LevenshteinRatio(definition="indel").sentence(text, others)
            shares = [(edits.indel_distance(other, text), len(text) + len(other)) for other in others]
            assert found.columns == min(shares, key=lambda share: share[0] / share[1])


@pytest.mark.parametrize(
    ("metric", "rate"),
    [(WER, edits.word_error_rate), (MER, edits.match_error_rate), (WIL, edits.information_lost)],
)
@given(segments=st.lists(st.tuples(tokens, st.lists(tokens, min_size=1, max_size=4)), min_size=1, max_size=5))
def test_tokens_equal_the_twin(metric: Any, rate: object, segments: list[tuple[Tokens, list[Tokens]]]) -> None:
    assert callable(rate)
    hypotheses, references = [h for h, _ in segments], [r for _, r in segments]
    found = [edits.nearest(groups, hypothesis, rate) for hypothesis, groups in segments]
    rows = metric().statistics(hypotheses, references).rows
    assert rows.tolist() == [list(row) for row in found]
    assert metric().sentences(hypotheses, references).tolist() == [rate(row) for row in found]
    pooled = edits.Operations(*map(sum, zip(*found, strict=True)))
    assert metric().corpus(hypotheses, references).value == rate(pooled)


def pieces(chance: random.Random, count: int, between: int) -> tuple[list[str], list[str], edits.Operations]:
    """Two long texts of short unlike pieces with long equal ones between them, and the operations of the pieces.

    What lies between is too long to give up for a hit elsewhere, so the pieces are aligned each by itself.
    """
    reference, hypothesis, total = [], [], edits.Operations(0, 0, 0, 0)
    for piece in range(count):
        words = chance.choices("abcd", k=chance.randint(0, 8))
        first = [f"r{piece}", *words, f"s{piece}"]
        second = [f"h{piece}", *changed(chance, words, 2, "abcd"), f"g{piece}"]
        same = [f"{piece}.{at}" for at in range(between)] if piece + 1 < count else []
        found = edits.operations(first, second)
        total = edits.Operations(*map(sum, zip(total, found, (len(same), 0, 0, 0), strict=True)))
        reference += first + same
        hypothesis += second + same
    return reference, hypothesis, total


@pytest.mark.parametrize(("count", "between"), [(3, 60), (40, 40), (700, 60)])
@settings(max_examples=3)
@given(seed=st.integers(0, 2**32))
def test_long_texts_are_aligned_piece_by_piece(count: int, between: int, seed: int) -> None:
    """The longest is computed in several stretches, each from a state that was kept."""
    reference, hypothesis, expected = pieces(random.Random(seed), count, between)
    assert WER().sentence(hypothesis, reference).columns == expected
    assert WER().sentence(" ".join(hypothesis), " ".join(reference)).columns == expected


def test_a_text_against_one_of_another_length() -> None:
    """The band is as wide as the lengths differ, and one side may be thousands of times the other."""
    long = ["x", *map(str, range(300_000)), "y"]
    known = set(long)
    for short in (["a"], ["a", "7", "b"], [str(at * 3000) for at in range(100)]):
        hits = sum(word in known for word in short)
        substitutions = len(short) - hits
        found = WER().sentence(long, short)
        assert (found.deletions, found.insertions) == (0, len(long) - len(short))
        assert (found.hits, found.substitutions) == (hits, substitutions)
        assert WER().sentence(short, long).deletions == len(long) - len(short)


@settings(max_examples=4)
@given(seed=st.integers(0, 2**32), alphabet=st.sampled_from(ALPHABETS))
def test_stripes_equal_the_twin(seed: int, alphabet: str) -> None:
    """More than 1,024 columns are computed in stripes, whose bands are widened as the texts need it."""
    chance = random.Random(seed)
    reference = "".join(chance.choices(alphabet, k=chance.choice((1023, 1024, 1025, 1100))))
    start = reference[: chance.choice((0, 500, 1000))]
    hypothesis = "".join(changed(chance, start, 20, alphabet)) + "".join(chance.choices(alphabet, k=700))
    for first, second in ((reference, hypothesis), (hypothesis, reference)):
        expected = edits.operations(first, second)
        assert CER(whitespace="keep").sentence(second, first).columns == expected
        assert LevenshteinRatio().sentence(second, first).columns[0] == sum(expected[1:])


@pytest.mark.parametrize(("ours", "theirs"), [(20_000, 20_000), (9_000, 20_000), (20_000, 70), (1100, 1000)])
def test_long_texts_without_a_common_word_but_one(ours: int, theirs: int) -> None:
    hypothesis, reference = [f"h{at}" for at in range(ours)], [f"r{at}" for at in range(theirs)]
    paired, alone = min(ours, theirs), max(ours, theirs) - min(ours, theirs)
    rest = (max(0, theirs - ours), max(0, ours - theirs))
    assert WER().sentence(hypothesis, reference).columns == (0, paired, *rest)
    middle = paired // 2
    hypothesis[middle] = reference[middle + alone // 2 * (theirs > ours)] = "both"
    assert WER().sentence(hypothesis, reference).columns == (1, paired - 1, *rest)


def test_long_texts_with_a_word_at_both_ends_of_a_detour() -> None:
    """The shortest way leaves the diagonal as far as so many edits allow."""
    words = [f"w{at}" for at in range(6000)]
    for moved in (100, 1000, 2900):
        found = WER().sentence(words[moved:] + words[:moved], words)
        assert found.columns == (6000 - moved, 0, moved, moved)
