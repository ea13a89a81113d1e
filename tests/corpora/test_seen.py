"""Seen before: planted leaks are found, none are invented, and their effect on scores is judged."""

from __future__ import annotations

import random

import pytest

import bleuprint as bp
from bleuprint import seen
from bleuprint.errors import LengthMismatchError, OptionError
from tests.kernels.twins import ngram_index as twin
from tests.support.cli import lines

WORDS = [f"w{number}" for number in range(400)]


def made(count: int, seed: int, length: int = 30) -> list[list[str]]:
    """Random texts, which share no long n-grams by chance."""
    source = random.Random(seed)
    return [[source.choice(WORDS) for _ in range(length)] for _ in range(count)]


def test_planted_leaks_are_all_found_and_none_invented() -> None:
    corpus, items = made(200, seed=1), made(60, seed=2)
    source = random.Random(3)
    planted = {}
    for number in source.sample(range(len(items)), 20):
        text, length = source.randrange(len(corpus)), source.randint(8, 25)
        begin, to = source.randrange(30 - length), source.randrange(30 - length)
        items[number][to : to + length] = corpus[text][begin : begin + length]
        planted[number] = (text, begin, to, length)
    index = bp.NgramIndex.build(corpus, tokenizer="whitespace")
    result = seen(items, index, rule="gpt3", order=8, short="never")
    assert {item.number - 1 for item in result.texts if item.text.by_rule} == set(planted)
    for number, (text, begin, to, length) in planted.items():
        evidence = result.texts[number].text
        longest = evidence.spans[0]
        # A word beside the copy may be the right one by chance.
        assert longest.begin <= to
        assert longest.begin + longest.length >= to + length
        assert (longest.record - 1, longest.token) == (text, begin - (to - longest.begin))
        words = index.words_at(text, longest.token, longest.token + longest.length)
        assert words == items[number][longest.begin : longest.begin + longest.length] == longest.text.split()
        assert list(evidence.words) == items[number]


def test_the_sample_equals_brute_force() -> None:
    corpus, items = lines("system-a"), lines("ref-1")
    index = bp.NgramIndex.build(corpus, tokenizer="whitespace")
    result = seen(items, index, order=5, short="never")
    split = [text.split() for text in corpus]
    for text, item in zip(result.texts, items, strict=True):
        tokens, evidence = item.split(), text.text
        inside = {at for begin, length in twin.spans(split, tokens, 5) for at in range(begin, begin + length)}
        assert [at for at, is_seen in enumerate(evidence.seen) if is_seen] == sorted(inside)
        assert evidence.by_rule == bool(inside)


def test_a_leak_that_helps_matters_and_a_random_one_does_not() -> None:
    items, others = made(80, seed=4), made(80, seed=5)
    leaked = range(20)
    index = bp.NgramIndex.build([items[number] for number in leaked], tokenizer="whitespace")
    helped = [items[number] if number in leaked else others[number] for number in range(80)]
    helped = [text if number % 4 else items[number] for number, text in enumerate(helped)]
    metric = bp.GLEU(tokenizer="whitespace")
    result = seen(items, index)
    (effect,) = result.with_effects({"A": helped}, items, metrics=[metric], permutations=500).effects
    assert effect.matters
    assert effect.value == metric.corpus(helped, items).value
    assert effect.clean_value == metric.corpus(helped[20:], items[20:]).value
    assert effect.contaminated_value == 1.0
    assert "more than as many random items would" in effect.verdict
    even = [items[number] if number % 2 else others[number] for number in range(80)]
    (effect,) = result.with_effects({"A": even}, items, metrics=[metric], permutations=500).effects
    assert not effect.matters


def test_nothing_and_everything_seen() -> None:
    items = made(5, seed=6)
    index = bp.NgramIndex.build(items, tokenizer="whitespace")
    whole = seen(items, index).with_effects({"A": items}, items)
    assert whole.verdicts["contaminated"] == whole.by_rule == 5
    assert whole.effects == ()
    assert whole.notes == ("all items are contaminated, so scores cannot be compared",)
    none = seen(made(5, seed=7), index).with_effects({"A": items}, items)
    assert none.verdicts["clean"] == 5
    assert none.notes == ("no items are contaminated, so scores cannot be compared",)


def test_bad_input_is_refused() -> None:
    index = bp.NgramIndex.build(["a b c", "d"], max_order=3)
    with pytest.raises(OptionError, match=r"max_order=13"):
        seen(["a"], index)
    with pytest.raises(OptionError, match="index must be"):
        seen(["a"], 3)  # type: ignore[arg-type]
    result = seen(["a b c", "x"], index, order=2)
    with pytest.raises(LengthMismatchError):
        result.with_effects({"A": ["a"]}, ["a"])
    with pytest.raises(OptionError, match="permutations"):
        result.with_effects({"A": ["a", "b"]}, ["a", "b"], permutations=1)
    with pytest.raises(OptionError, match="systems must be the outputs of at least one system"):
        result.with_effects({})
