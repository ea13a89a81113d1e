"""N-grams that are sought in a stream, against their plain twin."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleuprint.core import _native, counts
from bleuprint.core.columns import checked_column
from bleuprint.core.ngram_matches import NgramMatches, SoughtNgrams, rows_of_matches, seek_ngrams
from bleuprint.models.ngram_index import NgramIndex
from tests.kernels.twins import ngram_matches as twin

words = st.sampled_from(["a", "b", "c", "d", "a longer word of more than sixteen bytes", "é"])
texts = st.lists(st.lists(words, max_size=9), max_size=6)
files = st.lists(texts, max_size=4)
orders = st.integers(1, 5)


def seek(sought: Sequence[Sequence[str]], order: int, *, whole: bool) -> SoughtNgrams:
    return seek_ngrams(checked_column(sought or [[]], "texts"), "whitespace", False, order, whole=whole)


def add(matches: NgramMatches, sought: SoughtNgrams, file: int, listed: Sequence[Sequence[str]], threads: int) -> None:
    if listed:
        matches.add(sought, checked_column(listed, "texts"), file, 0, threads)


@given(texts, files, orders, st.booleans(), st.integers(0, 3), st.integers(1, 2))
def test_a_stream_holds_what_brute_force_finds(
    sought: list[list[str]], corpus: list[list[list[str]]], order: int, whole: bool, most_rare: int, threads: int
) -> None:
    native, matches = seek(sought, order, whole=whole), []
    for file, listed in enumerate(corpus):
        matches.append(NgramMatches(native))
        add(matches[-1], native, file, listed, threads)
    parts = list(enumerate(matches))
    random.Random(order).shuffle(parts)
    merged, at_once = NgramMatches(native), NgramMatches(native)
    for _, part in parts:
        merged.merge(part)
    for file, listed in enumerate(corpus):
        add(at_once, native, file, listed, 1)
    assert merged.content() == at_once.content()
    again = NgramMatches(native)
    again.parse(merged.content(), max(1, len(corpus)))
    assert again.content() == merged.content()
    expected = twin.find(sought, corpus, order, whole=whole)
    rows = rows_of_matches(merged, native).tolist()
    for number, text in enumerate(sought):
        assert rows[number] == twin.row(text, expected, order, whole=whole)
        listed_ngrams = twin.ngrams(text, order, whole=whole)
        rare, longest_rare, found, runs = merged.of_text(native, number, most_rare, 100)
        assert {begin: (records, places) for _, begin, records, places in found} == {
            begin: (expected[ngram].records, expected[ngram].places)
            for begin, ngram in enumerate(listed_ngrams)
            if ngram in expected
        }
        is_rare = [ngram in expected and expected[ngram].records <= most_rare for ngram in listed_ngrams]
        assert rare == sum(is_rare)
        longest = max(map(len, "".join("x" if one else " " for one in is_rare).split()), default=0)
        assert longest_rare == (longest + len(listed_ngrams[0]) - 1 if longest else 0)
        assert [run[:3] for run in runs] == twin.longest_runs(text, expected, order, whole=whole)
        for begin, length, place, shown, before, after in runs:
            assert shown == " ".join(text[begin : begin + length])
            first, last = listed_ngrams[begin], listed_ngrams[begin + length - len(listed_ngrams[begin])]
            assert before == (expected[first].before if expected[first].places[0] == place else "")
            end = (place[0], place[1], place[2] + length - len(last))
            assert after == (expected[last].after if expected[last].places[0] == end else "")


@given(texts, texts, orders, st.booleans(), st.integers(1, 4))
def test_an_index_holds_what_brute_force_finds(
    sought: list[list[str]], corpus: list[list[str]], order: int, whole: bool, parts: int
) -> None:
    native = seek(sought, order, whole=whole)
    index = NgramIndex.build(corpus, max_order=5, tokenizer="whitespace")
    begins = sorted({0, *range(0, len(corpus), parts)})  # files of so many texts, read from the third on
    matches = NgramMatches(native)
    matches.add_index(native, index.native, begins, [2] * len(begins))
    files = [[[], [], *corpus[begin : begin + parts]] for begin in begins]
    expected = twin.find(sought, files, order, whole=whole)
    rows = rows_of_matches(matches, native).tolist()
    for number, text in enumerate(sought):
        assert rows[number] == twin.row(text, expected, order, whole=whole)
        assert native.words(number) == text
        listed_ngrams = twin.ngrams(text, order, whole=whole)
        _, _, found, runs = matches.of_text(native, number, 1, 100)
        assert {begin: (records, places) for _, begin, records, places in found} == {
            begin: (expected[ngram].records, expected[ngram].places)
            for begin, ngram in enumerate(listed_ngrams)
            if ngram in expected
        }
        assert [run[:3] for run in runs] == twin.longest_runs(text, expected, order, whole=whole)
        for begin, length, (file, record, word), _, before, after in runs:
            there, first = files[file][record], listed_ngrams[begin]
            last = listed_ngrams[begin + length - len(first)]
            if expected[first].places[0] == (file, record, word):
                assert before == " ".join(there[max(0, word - twin.SHOWN_WORDS) : word])
            if expected[last].places[0] == (file, record, word + length - len(last)):
                assert after == " ".join(there[word + length : word + length + twin.SHOWN_WORDS])
    with pytest.raises(ValueError, match="the index has no such order"):
        NgramMatches(longer := seek(sought, 6, whole=whole)).add_index(longer, index.native, begins, begins)
    for wrong in ([], [1]):
        with pytest.raises(ValueError, match="these are not the files of the index"):
            matches.add_index(native, NgramIndex.build([["a"]]).native, wrong, wrong)


@pytest.mark.parametrize("cases", [200, pytest.param(10_000, marks=pytest.mark.slow)])
def test_recall_and_precision_are_one(cases: int) -> None:
    """Longer texts, in which few n-grams are found: those that a search which skips words could miss."""
    source = random.Random(7)
    for case in range(cases):
        vocabulary = [f"w{number}" for number in range(source.choice([3, 10, 60]))]
        order = source.choice([3, 5, 8, 11, 13])
        corpus = [[source.choice(vocabulary) for _ in range(source.randint(0, 60))] for _ in range(12)]
        sought = [[source.choice(vocabulary) for _ in range(source.randint(0, 40))] for _ in range(6)]
        for text in sought[:3]:
            donor = source.choice(corpus)
            begin = source.randint(0, len(donor))
            text[source.randint(0, len(text)) :] = donor[begin : begin + source.randint(1, 20)]
        native = seek(sought, order, whole=bool(case % 2))
        matches = NgramMatches(native)
        matches.add(native, checked_column(corpus, "texts"), 0, 0)
        held = {
            tuple(text[at : at + n]) for text in corpus for n in range(1, order + 1) for at in range(len(text) - n + 1)
        }
        for number, text in enumerate(sought):
            expected = [
                begin for begin, ngram in enumerate(twin.ngrams(text, order, whole=bool(case % 2))) if ngram in held
            ]
            assert [found[1] for found in matches.of_text(native, number, 0, 0)[2]] == expected


# What tokenizers join or part around blanks.
_PARTS = "a I don't wanna cannot - 1.5 5- 3 . , ... ' \" ( ) &amp; <skipped> Σ ΑΣ é 你好 'tis more'n U.S. a.b -- % $ İ"
pieces = st.sampled_from([*_PARTS.split(" "), "-\n", "\n", "\t", "\u3000", "\r"])


@pytest.mark.parametrize("scheme", counts.SCHEMES)
@pytest.mark.parametrize("lowercase", [False, True])
@given(st.lists(pieces, max_size=25), st.integers(1, 3))
def test_texts_in_pieces_are_read_as_a_whole(scheme: str, lowercase: bool, parts: list[str], order: int) -> None:
    text = " ".join(parts)
    native = seek_ngrams(checked_column([text], "texts"), scheme, lowercase, order, whole=False)
    found = []
    for piece in (1, 1 << 20):
        matches = NgramMatches(native)
        matches.add(native, checked_column([text], "texts"), 0, 0, 1, piece)
        found.append(matches.of_text(native, 0, 1, 0))
    assert found[0] == found[1]
    assert len(found[0][2]) == max(0, len(counts.tokenize(text, scheme, lowercase)) - order + 1)


@given(texts, texts, orders, st.sets(st.integers(0, 40)))
def test_marked_words_are_those_of_the_wanted_ngrams(
    sought: list[list[str]], corpus: list[list[str]], order: int, chosen: set[int]
) -> None:
    native = seek(sought, order, whole=True)
    numbered = list(dict.fromkeys(ngram for text in sought for ngram in twin.ngrams(text, order, whole=True)))
    assert len(native) == len(numbered)
    wanted = [number for number in chosen if number < len(numbered)]
    marked = native.mark(checked_column(corpus or [[]], "texts"), wanted)
    covered = {(text, word) for text, begin, end, _ in marked for word in range(begin, end)}
    expected = set()
    for number, text in enumerate(corpus):
        for ngram in (numbered[one] for one in wanted):
            for begin in range(len(text) - len(ngram) + 1):
                if tuple(text[begin : begin + len(ngram)]) == ngram:
                    expected |= {(number, begin + place) for place in range(len(ngram))}
    assert covered == expected
    for at, begin, end, found in marked:
        inside = corpus[at][begin:end]
        assert {*found} == {
            number
            for number in wanted
            if any(
                tuple(inside[place : place + len(numbered[number])]) == numbered[number] for place in range(len(inside))
            )
        }
    assert marked == sorted(marked)


def test_texts_of_several_threads_are_those_of_one() -> None:
    source = random.Random(3)
    corpus = [[source.choice("abcdef") for _ in range(30)] for _ in range(2000)]
    native = seek(corpus[::100], 6, whole=True)
    contents = set()
    for threads in (1, 2, 5):
        matches = NgramMatches(native)
        matches.add(native, checked_column(corpus, "texts"), 0, 0, threads)
        contents.add(matches.content())
    assert len(contents) == 1


def test_damaged_bytes_are_refused() -> None:
    native = seek([["a", "b", "c"]], 2, whole=False)
    matches = NgramMatches(native)
    matches.add(native, checked_column([["a", "b", "c"], ["b", "c"]], "texts"), 0, 0)
    matches.finish_file(0, 2, b"stamp")
    content = matches.content()
    for cut in range(1, len(content)):
        with pytest.raises(ValueError, match="the bytes"):
            NgramMatches(native).parse(content[:cut] + b"\xff" * 40, 1)
    with pytest.raises(ValueError, match="a file that is none of them"):
        NgramMatches(native).parse(content, 0)
    with pytest.raises(ValueError, match="an n-gram that cannot follow"):
        NgramMatches(seek([["a", "b"]], 2, whole=False)).parse(content, 1)
    twice = NgramMatches(native)
    twice.parse(content, 1)
    with pytest.raises(ValueError, match="a file was read twice"):
        matches.merge(twice)
    with pytest.raises(ValueError, match="those of other n-grams"):
        matches.rows(seek([["a"]], 1, whole=False))
    assert _native.NgramMatches is NgramMatches
