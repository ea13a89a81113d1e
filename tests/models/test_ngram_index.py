"""The n-gram index: exact against brute force, the same for every division into parts, safe against any bytes."""

from __future__ import annotations

import json
import os
import pickle
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from itertools import accumulate
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleuprint.core import counts
from bleuprint.core.columns import checked_column, column
from bleuprint.corpora import building
from bleuprint.corpora.building import TextSource, build_index, merge_indexes
from bleuprint.errors import IndexFileError, InputError, OptionError, OutputError
from bleuprint.models.ngram_index import NgramIndex
from tests.kernels.twins import ngram_index as twin

LONG = "a-token-that-is-longer-than-sixteen-bytes"
words = st.lists(st.sampled_from(["a", "a", "b", "c", "é", "", LONG]), max_size=9)
corpora = st.lists(words, min_size=1, max_size=8)


def built(texts: list[list[str]], max_order: int = 3) -> NgramIndex:
    return NgramIndex.build(texts, max_order=max_order, tokenizer="whitespace")


def content_of(index: NgramIndex, folder: Path) -> bytes:
    path = folder / "saved.bpi"
    index.save(path, overwrite=True)
    return path.read_bytes()


def blocks(texts: list[str], size: int) -> Iterator[counts.Column]:
    for begin in range(0, len(texts), size):
        yield checked_column(texts[begin : begin + size], "texts")


def build(corpora: list[TextSource], target: Path, part_memory: int = 1 << 62, **options: Any) -> NgramIndex:
    with patch.object(building, "_LARGEST_PART", part_memory):
        return build_index(corpora, target, **options)


def corpus(name: str, texts: list[str], size: int = 3) -> TextSource:
    return TextSource(name, (len(texts),), partial(blocks, texts, size))


@given(corpora, st.integers(1, 4), words)
def test_counts_and_places_equal_brute_force(texts: list[list[str]], max_order: int, other: list[str]) -> None:
    index = built(texts, max_order)
    index.verify()
    ngrams = {tuple(text[i : i + n]) for text in [*texts, other] for n in range(1, max_order + 1) for i in range(9)}
    for ngram in (ngram for ngram in ngrams if ngram):
        expected = twin.places(texts, ngram)
        assert index.count(ngram) == len(expected)
        places = index.find(ngram, limit=3)
        assert [(place.number, place.token) for place in places] == expected[:3]
        assert [place.text for place in places] == [number + 1 for number, _ in expected[:3]]


@given(corpora, words, st.integers(1, 3), st.integers(1, 4))
def test_spans_equal_brute_force(texts: list[list[str]], text: list[str], max_order: int, minimum: int) -> None:
    index = built(texts, max_order)
    spans = index.spans(text, minimum=minimum)
    assert [(span.begin, span.length) for span in spans] == twin.spans(texts, text, minimum)
    for span in spans:
        there = span.place.token
        assert index.words_at(span.place.number, there, there + span.length) == text[span.begin : span.end]


@given(corpora, corpora, st.booleans())
def test_rows_equal_brute_force(texts: list[list[str]], outputs: list[list[str]], whole: bool) -> None:
    column = checked_column(outputs, "texts", tokenized=True)
    rows = built(texts, 4).seen_counts((1, 2, 4), whole=whole).rows(column, column, None, 2)
    assert rows.tolist() == [twin.row(texts, text, (1, 2, 4), whole=whole) for text in outputs]


@given(st.lists(st.text("ab c", max_size=12), min_size=1, max_size=20), st.integers(1, 5), st.integers(1, 4000))
def test_an_index_does_not_depend_on_its_parts(texts: list[str], block: int, memory: int) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        half = len(texts) // 2
        halves = [corpus("one", texts[:half], block), corpus("two", texts[half:], block)]
        options: dict[str, Any] = {"max_order": 3, "tokenizer": "whitespace"}
        whole = build(halves, folder / "whole.bpi", **options)
        parted = build(halves, folder / "parted.bpi", part_memory=memory, **options)
        parted.verify()
        assert (folder / "whole.bpi").read_bytes() == (folder / "parted.bpi").read_bytes()
        assert whole.digest == parted.digest
        assert sorted(path.name for path in folder.iterdir()) == ["parted.bpi", "whole.bpi"]


@given(st.lists(corpora, min_size=1, max_size=4))
def test_merged_indexes_are_the_index_of_all_texts(parts: list[list[list[str]]]) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for number, part in enumerate(parts):
            index = NgramIndex.build(part, max_order=3, tokenizer="whitespace", name=f"part {number}")
            index.save(folder / f"{number}.bpi")
        merged = merge_indexes([folder / f"{number}.bpi" for number in range(len(parts))], folder / "all.bpi")
        merged.verify()
        whole = built([text for part in parts for text in part])
        assert (merged.texts, merged.tokens, merged.words) == (whole.texts, whole.tokens, whole.words)
        for text in (text for part in parts for text in part if text):
            assert merged.spans(text)[0][:2] == whole.spans(text)[0][:2]
            assert merged.count(text[:3]) == whole.count(text[:3])


def test_indexes_that_read_texts_differently_are_not_merged(tmp_path: Path) -> None:
    NgramIndex.build(["a b"], max_order=2).save(tmp_path / "a.bpi")
    NgramIndex.build(["a b"], max_order=3).save(tmp_path / "b.bpi")
    NgramIndex.build(["a b"], max_order=2, lowercase=True).save(tmp_path / "c.bpi")
    with pytest.raises(IndexFileError, match="max_order 3"):
        merge_indexes([tmp_path / "a.bpi", tmp_path / "b.bpi"], tmp_path / "all.bpi")
    with pytest.raises(IndexFileError, match="13a lowercased"):
        merge_indexes([tmp_path / "a.bpi", tmp_path / "c.bpi"], tmp_path / "all.bpi")


def asked_everything(content: bytes) -> object:
    index = NgramIndex(content, "x.bpi")
    index.count("a b")
    index.find("a", limit=99)
    index.spans("a b c a b")
    index.verify()
    return index.digest


@given(st.data())
def test_flipped_bytes_are_refused(data: st.DataObject) -> None:
    content = bytearray(CONTENT)
    place = data.draw(st.integers(0, len(content) - 1))
    content[place] ^= data.draw(st.integers(1, 255))
    with pytest.raises(IndexFileError, match=r"x\.bpi: not a valid n-gram index"):
        asked_everything(bytes(content))


@given(st.integers(0, 10_000))
def test_truncated_files_are_refused(length: int) -> None:
    with pytest.raises(IndexFileError):
        asked_everything(CONTENT[: length % len(CONTENT)])


@given(st.binary(max_size=300))
def test_foreign_files_are_refused(content: bytes) -> None:
    for foreign in (content, CONTENT[:8] + content, CONTENT + content[:1] + b"!"):
        with pytest.raises(IndexFileError):
            asked_everything(foreign)


@given(st.data())
def test_numbers_that_lie_do_no_harm(data: st.DataObject) -> None:
    """What has valid checksums but does not belong together gives an error or an answer, and never a crash."""
    content = mended(data)
    with suppress(IndexFileError):
        asked_everything(content)


def mended(data: st.DataObject) -> bytes:
    """An index with changed bytes whose checksums were computed again."""
    content = bytearray(CONTENT)
    tail = len(content) - 24
    footer = tail - int.from_bytes(content[tail : tail + 8], "little")
    blocks = (footer - 1) // 4104 + 1
    sums = footer - 8 * blocks
    changeable = [*range(8, sums), *range(footer, footer + 40)]
    for _ in range(data.draw(st.integers(1, 3))):
        content[data.draw(st.sampled_from(changeable))] = data.draw(st.integers(0, 255))
    return seal(content)


def seal(content: bytearray) -> bytes:
    """Compute the checksums again."""
    tail = len(content) - 24
    footer = tail - int.from_bytes(content[tail : tail + 8], "little")
    blocks = (footer - 1) // 4104 + 1
    sums = footer - 8 * blocks
    for block in range(blocks):
        part = bytes(content[block * 4096 : min(sums, (block + 1) * 4096)])
        content[sums + 8 * block : sums + 8 * block + 8] = checksum(part, block).to_bytes(8, "little")
    whole = checksum(bytes(content[sums:tail]), tail - footer)
    content[tail + 8 : tail + 16] = whole.to_bytes(8, "little")
    return bytes(content)


def checksum(content: bytes, seed: int) -> int:
    mask = (1 << 64) - 1
    total = (seed * 0x9E3779B97F4A7C15 + len(content)) & mask
    for begin in range(0, len(content) // 8 * 8 + 1, 8):
        word = int.from_bytes(content[begin : begin + 8], "little")
        total = (total ^ word) * 0xBF58476D1CE4E5B9 & mask
        total ^= total >> 29
    return total


def test_the_checksums_are_those_of_the_file() -> None:
    tail = len(CONTENT) - 24
    footer = tail - int.from_bytes(CONTENT[tail : tail + 8], "little")
    sums = footer - 8 * ((footer - 1) // 4104 + 1)
    assert checksum(CONTENT[sums:tail], tail - footer) == int.from_bytes(CONTENT[tail + 8 : tail + 16], "little")


@pytest.fixture(scope="module", autouse=True)
def _content(tmp_path_factory: pytest.TempPathFactory) -> None:
    global CONTENT
    CONTENT = content_of(NgramIndex.build(["a b c", "a b", "b c a b d"] * 40), tmp_path_factory.mktemp("index"))


CONTENT = b""


def test_a_file_that_is_missing_or_empty_is_refused(tmp_path: Path) -> None:
    (tmp_path / "empty.bpi").write_bytes(b"")
    for name in ("none.bpi", "empty.bpi", "with\0nul", "."):
        with pytest.raises(IndexFileError):
            NgramIndex.open(tmp_path / name)


@pytest.mark.parametrize("word", [b"\xe9", b"\xff"])  # Latin-1, and a number without digits
def test_words_that_are_no_text_are_refused(word: bytes) -> None:
    content = bytearray(CONTENT)
    assert content[8:12] == b"abcd"
    content[11:12] = word
    index = NgramIndex(seal(content), "x.bpi")
    with pytest.raises(IndexFileError, match=r"x\.bpi: not a valid n-gram index: it has a word that is no text"):
        index.words_at(2, 0, 9)
    if word == b"\xe9":
        with pytest.raises(IndexFileError, match="no valid UTF-8"):
            index.verify()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="Windows has no named pipes")
def test_a_pipe_is_refused(tmp_path: Path) -> None:
    """Opening it would wait for a writer."""
    os.mkfifo(tmp_path / "pipe.bpi")
    with pytest.raises(IndexFileError, match="no regular file"):
        NgramIndex.open(tmp_path / "pipe.bpi")


@pytest.mark.skipif(os.name == "nt", reason="Windows does not cut files that are mapped")
def test_a_file_that_was_cut_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "a.bpi"
    path.write_bytes(CONTENT)
    index = NgramIndex.open(path)
    assert index.count("a b") == 120
    os.truncate(path, 0)
    for ask in (
        lambda: index.count("a b"),
        lambda: index.find("a b"),
        lambda: index.spans("a b c"),
        lambda: index.words_at(0, 0, 3),
        lambda: index.seen_counts((1, 2)),
        lambda: index.save(tmp_path / "b.bpi"),
        index.verify,
    ):
        with pytest.raises(IndexFileError, match="cut while it was open"):
            ask()


@pytest.mark.parametrize("max_order", [1, 3])
@pytest.mark.parametrize("texts", [1, 40])
def test_repeated_words_are_not_compared_again_and_again(max_order: int, texts: int) -> None:
    """Every word of the corpus costs a few comparisons, however many runs it is in."""

    def comparisons(size: int) -> int:
        lengths = range(size // texts, size + 1, size // texts)
        index = NgramIndex.build([["no"] * length for length in lengths], max_order=max_order, tokenizer="whitespace")
        text = ["no"] * (size * 2)
        assert next(iter(index.spans(text)))[:2] == (0, size)
        found = index.native.span_comparisons(column([text], "text", tokenized=True), *index.tokenizer.reading)
        assert found < 5000 + 8 * len(text) + 3 * sum(lengths)
        return found

    assert comparisons(4000) < 2.1 * comparisons(2000)


@given(
    corpus=st.lists(st.text("ab", min_size=1, max_size=40), min_size=1, max_size=12),
    repeated=st.integers(1, 90),
    text=st.text("abc", max_size=100),
    max_order=st.integers(1, 4),
)
def test_runs_that_stand_in_many_places_equal_the_twin(
    corpus: list[str], repeated: int, text: str, max_order: int
) -> None:
    corpus += ["a" * length for length in range(1, repeated)]
    text += "a" * (2 * repeated) + text
    index = NgramIndex.build([list(line) for line in corpus], max_order=max_order, tokenizer="whitespace")
    begins = [0, *accumulate(len(line) + 1 for line in corpus)]
    found = [(s.begin, s.length, begins[s.place.number] + s.place.token) for s in index.spans(list(text))]
    expected = twin.first_runs(corpus, text)
    assert [run[:2] for run in found] == [run[:2] for run in expected]
    long = [at for at, run in enumerate(expected) if run[1] >= max_order]  # which place a shorter one has is left open
    assert [found[at] for at in long] == [expected[at] for at in long]


def test_an_index_knows_its_tokenizer(tmp_path: Path) -> None:
    NgramIndex.build(["It's HERE, now"], tokenizer="13a", lowercase=True).save(tmp_path / "a.bpi")
    index = NgramIndex.open(tmp_path / "a.bpi")
    assert index.tokenizer.name == "13a"
    assert index.count("Here ,") == 1
    with pytest.raises(OptionError, match="built with"):
        NgramIndex.open(tmp_path / "a.bpi", tokenizer="char")
    own = NgramIndex.build(["a-b"], tokenizer=lambda text: text.split("-"))
    assert own.count("a-b") == 1
    own.save(tmp_path / "own.bpi")
    with pytest.raises(OptionError, match="custom function"):
        NgramIndex.open(tmp_path / "own.bpi")


def test_ngrams_that_cannot_be_counted_are_refused() -> None:
    index = NgramIndex.build(["a b c"], max_order=2)
    for ngrams in (["a", "a b c"], ["a", ""]):
        with pytest.raises(InputError, match=r"ngrams\[1\] must have 1 to 2 tokens"):
            index.counts(ngrams)


@pytest.mark.parametrize("order", [0, 65, True, 2.0])
def test_orders_that_no_index_has_are_refused(order: object) -> None:
    with pytest.raises(OptionError, match="max_order"):
        NgramIndex.build(["a"], max_order=order)  # type: ignore[arg-type]


def test_an_index_is_sent_by_its_path(tmp_path: Path) -> None:
    NgramIndex.build(["a b"]).save(tmp_path / "a.bpi")
    index = NgramIndex.open(tmp_path / "a.bpi")
    assert pickle.loads(pickle.dumps(index)).count("a b") == 1
    sent = pickle.dumps(index)
    NgramIndex.build(["a c"]).save(tmp_path / "a.bpi", overwrite=True)
    with pytest.raises(IndexFileError, match="another index"):
        pickle.loads(sent)
    with pytest.raises(InputError, match="save it"):
        pickle.dumps(NgramIndex.build(["a"]))


def test_an_unfinished_build_goes_on(tmp_path: Path) -> None:
    texts = [f"text number {number}" for number in range(30)]
    read: list[int] = []

    def stopping(stop: int) -> Iterator[counts.Column]:
        for number, block in enumerate(blocks(texts, 3)):
            if number == stop:
                raise KeyboardInterrupt
            read.append(number)
            yield block

    target = tmp_path / "a.bpi"
    for stop in (4, 7):
        with pytest.raises(KeyboardInterrupt):
            build([TextSource("c", (1,), partial(stopping, stop))], target, part_memory=1)
        assert not target.exists()
        assert (tmp_path / "a.bpi.building" / "journal.json").exists()
    with pytest.raises(OutputError, match="other texts or options"):
        build([TextSource("c", (2,), partial(stopping, 99))], target, part_memory=1)
    index = build([TextSource("c", (1,), partial(stopping, 99))], target, part_memory=1)
    assert not (tmp_path / "a.bpi.building").exists()
    build([corpus("c", texts)], tmp_path / "b.bpi")
    assert (tmp_path / "b.bpi").read_bytes() == target.read_bytes()
    assert index.texts == 30


def test_a_damaged_part_is_not_used(tmp_path: Path) -> None:
    def failing() -> Iterator[counts.Column]:
        yield from blocks([f"text {number}" for number in range(9)], 3)
        raise KeyboardInterrupt

    target = tmp_path / "a.bpi"
    with pytest.raises(KeyboardInterrupt):
        build([TextSource("c", (), failing)], target, part_memory=1)
    part = sorted((tmp_path / "a.bpi.building").glob("*.part"))[0]
    content = bytearray(part.read_bytes())
    content[40] ^= 1
    part.write_bytes(content)
    with pytest.raises(IndexFileError):
        build([TextSource("c", (), failing)], target, part_memory=1)
    build([corpus("c", ["a"])], target, restart=True)


def test_words_that_do_not_fit_are_merged_in_rounds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [f"word{number} and more" for number in range(40)]
    build([corpus("c", texts)], tmp_path / "a.bpi")
    monkeypatch.setattr(building, "_MOST_MERGED", 3)
    build([corpus("c", texts)], tmp_path / "b.bpi", part_memory=1)
    assert (tmp_path / "a.bpi").read_bytes() == (tmp_path / "b.bpi").read_bytes()


def test_words_that_do_not_fit_into_memory_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The finished parts stay, so that the build goes on with more memory."""
    texts = [f"word{number} other{number}" for number in range(40)]
    monkeypatch.setattr(building, "_BYTES_PER_WORD", 1 << 30)
    with pytest.raises(OptionError, match=r"memory must be at least .* for so many different tokens"):
        build([corpus("c", texts)], tmp_path / "a.bpi", part_memory=1)
    assert not (tmp_path / "a.bpi").exists()
    monkeypatch.setattr(building, "_BYTES_PER_WORD", 4)
    assert build([corpus("c", texts)], tmp_path / "a.bpi", part_memory=1).texts == 40


def test_memory_that_is_too_small_is_refused(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="memory"):
        build([corpus("c", ["a"])], tmp_path / "a.bpi", memory=1000)


def test_the_note_of_a_file_is_checked(tmp_path: Path) -> None:
    from bleuprint.core.ngram_index import IndexBuilder

    for note in (b"", b"{}", b"[]", json.dumps({"tokenizer": 1, "lowercase": False, "sources": []}).encode()):
        builder = IndexBuilder(2)
        builder.add(checked_column(["a"], "texts"), 0, "none", False, 1 << 40)
        with (tmp_path / "a.bpi").open("wb") as file:
            builder.write(file.fileno(), note, 1)
        with pytest.raises(IndexFileError, match="how its texts were read"):
            NgramIndex.open(tmp_path / "a.bpi")
