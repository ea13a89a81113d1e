"""The search for edits with moves against its twin, and rows that stay exact however they are added up."""

from __future__ import annotations

import random
from array import array
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bleuprint import TER
from bleuprint.core import _native, counts
from bleuprint.core.edit_paths import apply_shift, shift_path
from tests.kernels.twins import shifts
from tests.support.effort import MANY, examples
from tests.support.interrupts import assert_interrupted

METRIC = TER(tokenizer="whitespace", lowercase=False)
few_words = st.lists(st.sampled_from("abc"), max_size=12)
more_words = st.lists(st.sampled_from("abcdefghij"), max_size=16)


def assert_equals_twin(hypothesis: list[str], reference: list[str]) -> int:
    """Moves, steps and edits; these are returned."""
    moves, steps = shift_path(reference, hypothesis)
    assert (moves, steps) == shifts.path(reference, hypothesis)
    # Taken apart, the path says what the words after all moves are.
    words = tuple(hypothesis)
    for move in moves:
        words = apply_shift(words, move)
    ours, theirs = iter(words), iter(reference)
    for step in steps:
        pair = None if step == "d" else next(ours), None if step == "i" else next(theirs)
        assert (pair[0] == pair[1]) == (step == "=")
    assert next(ours, None) is next(theirs, None) is None
    edits = METRIC.sentence(hypothesis, reference).edits
    assert edits == len(moves) + len(steps) - steps.count("=")
    return edits


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
def test_any_words_equal_the_twin(hypothesis: list[str], reference: list[str]) -> None:
    assert_equals_twin(hypothesis, reference)


@given(st.permutations(range(14)), st.integers(0, 14))
def test_permutations_equal_the_twin(order: list[int], cut: int) -> None:
    assert_equals_twin([str(number) for number in order[cut:]], [str(number) for number in range(14)])


def test_ids_of_a_path_beyond_their_kinds_are_refused() -> None:
    with pytest.raises(ValueError, match="below the number of kinds"):
        _native.shift_path(array("I", [0, 1]), array("I", [2]), 2)


# Lengths around the edges of a beam of 25, of a machine word of 64 bits, of runs of 10 and of distances of 50; below
# the ratios around 50, where the beam widens.
@pytest.mark.parametrize("length", [9, 10, 11, 24, 25, 26, 49, 50, 51, 63, 64, 65, 76, 129])
@pytest.mark.parametrize("kinds", [3, 400])
def test_long_texts_equal_the_twin(length: int, kinds: int) -> None:
    chooser = random.Random(length)
    for round_number in range(2 if MANY or length < 70 else 1):
        reference = [str(chooser.randrange(kinds)) for _ in range(length)]
        hypothesis = moved_about(chooser, reference, 2 + round_number)
        hypothesis = hypothesis[chooser.choice([0, 0, 30]) :]
        assert_equals_twin(hypothesis, reference)


@pytest.mark.parametrize("ratio", [12, 49, 50, 51, 52, 99, 100, 150])
@pytest.mark.parametrize("shorter", [1, 2, 3, 5])
def test_very_different_lengths_equal_the_twin(ratio: int, shorter: int) -> None:
    chooser = random.Random(ratio)
    for difference in (-1, 0, 1):
        for kinds in (2, 9, 200):
            long = [str(chooser.randrange(kinds)) for _ in range(ratio * shorter + difference)]
            short = [str(chooser.randrange(kinds)) for _ in range(shorter)]
            assert_equals_twin(short, long)
            if len(long) < 100:
                assert_equals_twin(long, short)


@pytest.mark.parametrize(
    ("hypothesis", "reference", "candidates", "expected"),
    [
        ("aagbcfbcbbbbbgbababababc", "ababababcaagbcfbcbbbbbgb", 999, 1),
        ("zbbbbbbaddacbaaaaaabbabgbb", "abbabgbbabbbbbbaddacbaaaaa", 1000, 16),
    ],
)
def test_a_move_found_among_too_many_is_not_made(
    hypothesis: str, reference: str, candidates: int, expected: int
) -> None:
    """In both one move gains 15 edits; at the limit of 1000 candidates the search ends without it."""
    text, other = list(hypothesis), list(reference)
    alignment = shifts.align(text, other)
    assert len(list(shifts.moves_of(text, other, alignment))) == candidates
    assert alignment.distance in (15, 16)
    assert assert_equals_twin(text, other) == expected


@pytest.mark.parametrize("extra", [20, 40, 60, 80])
@pytest.mark.parametrize("at_the_end", [False, True])
def test_paths_along_the_edges_of_the_beam_equal_the_twin(extra: int, at_the_end: bool) -> None:
    """Words that only one side has, all at one end, drive the cheapest path off the diagonal."""
    common = [str(number // 2) if number % 2 else "x" for number in range(50)]
    for step in (1, 3) if MANY else (3,):
        foreign = [f"f{number}" for number in range(extra)]
        foreign[::step] = common[: len(foreign[::step])]
        longer = common + foreign if at_the_end else foreign + common
        for hypothesis, reference in ((longer, common), (common, longer)):
            matrix = shifts.distances(hypothesis, reference)
            assert assert_equals_twin(hypothesis, reference) <= matrix[-1][-1]


def test_distances_in_a_beam_equal_the_twin() -> None:
    """So few different words that there are too many moves to try, and what is left is the distance."""
    chooser = random.Random(6)
    for _ in range(12):
        hypothesis, reference = (chooser.choices("ab", k=chooser.randint(60, 130)) for _ in range(2))
        assert_equals_twin(hypothesis, reference)


@pytest.mark.parametrize(("rows", "columns"), [(200, 100), (150, 90), (300, 110), (400, 60)])
def test_no_path_enters_the_beam_from_the_left(rows: int, columns: int) -> None:
    """Words of the first column of the beam tempt a path along its left end to match across the cell outside."""
    reference = [f"r{column}" for column in range(columns)]
    first = [shifts.columns_of(row, rows, columns).start for row in range(rows + 1)]
    half = rows // 2
    hypothesis = [
        reference[first[row] - 1] if first[row] == first[row - 1] > 0 else f"h{row}" for row in range(1, half + 1)
    ]
    hypothesis += reference[first[half] :]
    hypothesis += [f"h{row}" for row in range(len(hypothesis), rows)]
    assert_equals_twin(hypothesis[:rows], reference)


@given(more_words, st.lists(more_words, min_size=1, max_size=40))
@settings(max_examples=examples(50))
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
    assert METRIC.sentence(hypothesis, reference).edits == 4
    chooser.shuffle(hypothesis)
    assert METRIC.sentence(hypothesis, reference).edits > 2000


# One segment that takes some minutes: each of some hundred moves is tried along all of a long line.
SETTING = """
import bleuprint
import bleuprint.core.edit_paths
line = " ".join(map(str, range(500_000)))
text = " ".join(str(block + 39 - i) for block in range(0, 400, 40) for i in range(40))
"""


@pytest.mark.parametrize(
    "call",
    [
        "bleuprint.sentence_ter(text, [line] * 200)",
        "bleuprint.corpus_ter([text], [[line] * 200], threads=2)",
        "bleuprint.core.edit_paths.shift_path(line.split() * 40, text.split())",
    ],
)
def test_an_interrupt_ends_one_long_segment(call: str) -> None:
    assert_interrupted(call, SETTING)
