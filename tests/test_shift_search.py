"""The search for edits with moves against its twin, and rows that stay exact however they are added up."""

from __future__ import annotations

import random
import subprocess
import sys
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bleuprint import TER, counts
from tests.twins import shifts

METRIC = TER(tokenizer="whitespace", lowercase=False)
few_words = st.lists(st.sampled_from("abc"), max_size=12)
more_words = st.lists(st.sampled_from("abcdefghij"), max_size=16)


def edits(hypothesis: list[str], reference: list[str]) -> int:
    return METRIC.sentence(hypothesis, reference).edits


def moved_about(chooser: random.Random, words: list[str], times: int) -> list[str]:
    """Runs of up to 14 words in other places, and some words replaced."""
    words = list(words)
    for _ in range(times):
        start, place = chooser.randrange(len(words) + 1), chooser.randrange(len(words) + 1)
        run = words[start : start + chooser.randint(1, 14)]
        del words[start : start + len(run)]
        words[place:place] = run
        if chooser.random() < 0.5 and words:
            words[chooser.randrange(len(words))] = "other"
    return words


@given(st.one_of(few_words, more_words), st.one_of(few_words, more_words))
def test_edits_equal_the_twin(hypothesis: list[str], reference: list[str]) -> None:
    assert edits(hypothesis, reference) == shifts.edits(hypothesis, reference)


@given(st.permutations(range(14)), st.integers(0, 14))
def test_permutations_equal_the_twin(order: list[int], cut: int) -> None:
    reference = [str(number) for number in range(14)]
    hypothesis = [str(number) for number in order[cut:]]
    assert edits(hypothesis, reference) == shifts.edits(hypothesis, reference)


# Lengths around the edges of a beam of 25, of a machine word of 64 bits, of runs of 10 and of distances of 50; below
# the ratios around 50, where the beam widens.
@pytest.mark.parametrize("length", [9, 10, 11, 24, 25, 26, 49, 50, 51, 63, 64, 65, 76, 129])
@pytest.mark.parametrize("kinds", [3, 400])
def test_long_texts_equal_the_twin(length: int, kinds: int) -> None:
    chooser = random.Random(length)
    for round_number in range(2):
        reference = [str(chooser.randrange(kinds)) for _ in range(length)]
        hypothesis = moved_about(chooser, reference, 2 + round_number)
        hypothesis = hypothesis[chooser.choice([0, 0, 30]) :]
        assert edits(hypothesis, reference) == shifts.edits(hypothesis, reference)


@pytest.mark.parametrize("ratio", [12, 49, 50, 51, 52, 99, 100, 150])
@pytest.mark.parametrize("shorter", [1, 2, 3, 5])
def test_very_different_lengths_equal_the_twin(ratio: int, shorter: int) -> None:
    chooser = random.Random(ratio)
    for difference in (-1, 0, 1):
        for kinds in (2, 9, 200):
            long = [str(chooser.randrange(kinds)) for _ in range(ratio * shorter + difference)]
            short = [str(chooser.randrange(kinds)) for _ in range(shorter)]
            assert edits(short, long) == shifts.edits(short, long)
            if len(long) < 100:
                assert edits(long, short) == shifts.edits(long, short)


def test_a_move_found_among_too_many_is_not_made() -> None:
    """The twin's count of candidates, at its limit of 1000, decides whether the last move counts."""
    reference = ["the"] * 12 + ["x", "y"]
    sizes = range(9, 16)
    outcomes = []
    for size in sizes:
        hypothesis = ["x", "y", "z"] + ["the"] * size
        outcomes.append(edits(hypothesis, reference))
        assert outcomes[-1] == shifts.edits(hypothesis, reference)
    assert len(set(outcomes)) > 1


@given(more_words, st.lists(more_words, min_size=1, max_size=40))
@settings(max_examples=50)
def test_a_row_holds_the_fewest_edits_and_the_mean_length(hypothesis: list[str], references: list[list[str]]) -> None:
    score = METRIC.sentence(hypothesis, references)
    assert score.edits == min(shifts.edits(hypothesis, reference) for reference in references)
    mean = Fraction(sum(map(len, references)), len(references))
    _, words, first, second = score.columns
    stored = words + Fraction(first, counts.LENGTH_BASE) + Fraction(second, counts.LENGTH_BASE**2)
    assert abs(stored - mean) <= Fraction(1, 2 * counts.LENGTH_BASE**2)
    assert stored == mean or len(references) > 24
    assert score.reference_length == float(mean)
    assert score.value == (float(score.edits / mean) if mean else float(score.edits > 0))


@given(st.lists(st.tuples(few_words, st.integers(1, 30)), min_size=2, max_size=5), st.randoms())
def test_any_mix_of_reference_counts_merges_exactly(parts: list[tuple[list[str], int]], chance: random.Random) -> None:
    groups = [[chance.choices("abc", k=chance.randrange(7)) for _ in range(count)] for _, count in parts]
    hypotheses = [words for words, _ in parts]
    whole = METRIC.corpus(hypotheses, groups)
    merged = TER(tokenizer="whitespace", lowercase=False)
    for words, group in zip(hypotheses, groups, strict=True):
        merged.merge(TER(tokenizer="whitespace", lowercase=False).update([words], [group]))
    assert merged.compute().columns == whole.columns
    assert merged.compute().value == whole.value


def test_words_beyond_a_table_of_bits_equal_the_twin() -> None:
    """With many different words the columns of a word are looked up in a list of its places."""
    chooser = random.Random(4)
    reference = [str(number) for number in range(2100)]
    hypothesis = list(reference)
    for start in (100, 900, 2000):
        hypothesis[start : start + 20] = hypothesis[start + 3 : start + 20] + hypothesis[start : start + 3]
    hypothesis[50:50] = ["other"]
    assert edits(hypothesis, reference) == 4
    chooser.shuffle(hypothesis)
    assert edits(hypothesis, reference) > 2000


# One segment that takes some minutes: each of some hundred moves is tried along all of a long line.
INTERRUPT = """
import os, signal, threading
import bleuprint
line = " ".join(map(str, range(500_000)))
text = " ".join(str(block + 39 - i) for block in range(0, 400, 40) for i in range(40))
threading.Timer(2, os.kill, (os.getpid(), signal.SIGINT)).start()
try:
    CALL
except KeyboardInterrupt:
    print("interrupted")
"""


@pytest.mark.parametrize(
    "call",
    ["bleuprint.sentence_ter(text, [line] * 200)", "bleuprint.corpus_ter([text], [[line] * 200], threads=2)"],
)
def test_an_interrupt_ends_one_long_segment(call: str) -> None:
    script = INTERRUPT.replace("CALL", call)
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=30, check=False)
    assert done.stdout == "interrupted\n", done.stderr
