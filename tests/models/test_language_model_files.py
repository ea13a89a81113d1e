"""Files of language models: ARPA both ways, our own format, and what is no model."""

from __future__ import annotations

import gzip
import json
import locale
import lzma
import math
import random
import struct
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bleuprint import LanguageModel
from bleuprint.core import _native
from bleuprint.errors import BleuprintError, ModelFileError, OptionError, OutputError
from tests.support.cli import assert_one_line, invoke
from tests.support.effort import examples
from tests.support.language_models import FALLBACK, SMALL, arpa_entries, corpora, prunings, sentences

# What SRILM and others write: a header, no <unk>, -99 for <s>, back-offs left out, blanks for tabs.
FOREIGN = """
some words before

\\data\\
ngram 1=4
ngram 2=3
ngram 3=1

\\1-grams:
-99\t<s>\t-0.3
-0.5\t</s>
-0.4 a -0.25
-0.9\tb

\\2-grams:
-0.1\t<s> a\t-0.2
-0.2\ta b
-0.3 b </s> 0

\\3-grams:
-0.05\t<s> a b

\\end\\
"""


def written(folder: Path, content: str | bytes, name: str = "model.arpa") -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def logs(model: LanguageModel, text: str) -> list[float]:
    return [round(token.log_probability, 5) for token in model.score(text).tokens]


@pytest.mark.parametrize("order", [1, 2, 3, 6])
def test_both_formats_bring_the_same_model_back(order: int, tmp_path: Path) -> None:
    model = LanguageModel.train(SMALL, order=order, lowercase=True, tokenizer="13a", discount_fallback=True)
    model.save(tmp_path / "model.blm")
    model.save(tmp_path / "model.arpa")
    model.save(tmp_path / "model.arpa.gz")
    loaded = LanguageModel.load(tmp_path / "model.blm")
    assert (loaded.tokenizer.name, loaded.tokenizer.lowercase) == ("13a", True)
    read = [
        LanguageModel.load(tmp_path / name, tokenizer="13a", lowercase=True) for name in ("model.arpa", "model.arpa.gz")
    ]
    for other in (loaded, *read):
        assert other.digest == model.digest
        assert other.ngram_counts == model.ngram_counts
        assert other.score("The cat sat on a log, unseen.") == model.score("The cat sat on a log, unseen.")
    plain = LanguageModel.load(tmp_path / "model.arpa")
    assert (plain.tokenizer.name, plain.tokenizer.lowercase) == ("whitespace", False)


@settings(max_examples=examples(50))
@given(corpus=corpora, order=st.integers(1, 6), prune=prunings, text=sentences)
def test_round_trips_of_generated_models(
    corpus: list[list[str]], order: int, prune: list[int], text: list[str]
) -> None:
    model = LanguageModel.train(corpus, order=order, prune=prune[:order], discount_fallback=FALLBACK)
    packed = model._native.pack(b"note")
    unpacked, note = _native.unpack_model(packed)
    assert note == b"note"
    assert unpacked.pack(b"note") == packed
    assert _native.read_arpa(model.to_arpa()).pack(b"note") == packed


def test_arpa_files_of_others(tmp_path: Path) -> None:
    model = LanguageModel.load(written(tmp_path, FOREIGN.replace("\n", "\r\n")))
    assert model.ngram_counts == (5, 3, 1)
    assert logs(model, "a b") == [-0.1, -0.05, -0.3]
    # After "a a" the context is "a" alone; "b a" is not there, and back-offs that are not given are 0.
    assert logs(model, "a a b a") == [-0.1, round(-0.2 - 0.25 - 0.4, 5), -0.2, -0.4, -0.75]
    # <unk> is not there: KenLM gives it 10⁻¹⁰⁰.
    assert logs(model, "z") == [-100.3, -0.5]


def test_a_context_that_is_no_ngram_itself_still_leads_on(tmp_path: Path) -> None:
    """Programs that prune by other rules may list "a b c" without "a b"."""
    text = "\\data\\\nngram 1=5\nngram 2=1\nngram 3=1\n\n\\1-grams:\n-9\t<s>\t-0.5\n-1\t</s>\n"
    text += "-0.5\ta\t-0.3\n-0.6\tb\t-0.1\n-0.7\tc\n\n"
    text += "\\2-grams:\n-0.2\tb c\t-0.15\n\n\\3-grams:\n-0.01\ta b c\n\n\\end\\\n"
    model = LanguageModel.load(written(tmp_path, text))
    assert model.ngram_counts == (6, 1, 1)
    # "b" after "a" is no 2-gram: 1-gram with the back-off of "a"; "c" after it is the 3-gram.
    assert logs(model, "a b c")[:3] == [-1.0, -0.9, -0.01]
    assert arpa_entries(model.to_arpa())["a b c"] == (-0.01, 0.0)
    unpacked, _ = _native.unpack_model(model._native.pack(b""))
    assert unpacked.counts == [6, 1, 1]


@pytest.mark.parametrize(
    ("before", "after", "line", "problem"),
    [
        ("\\data\\", "\\date\\", 23, r"the file ends where \\data\\ is expected"),
        ("ngram 2=3", "ngram 3=3", 6, "expected 'ngram 2=' and a number, got 'ngram 3=3'"),
        ("ngram 2=3", "ngram 2=x", 6, "expected 'ngram 2=' and a number"),
        ("ngram 2=3", "ngram 2=-3", 6, "expected 'ngram 2=' and a number"),
        ("ngram 2=3", "ngram 2=1e999", 6, "expected 'ngram 2=' and a number"),
        ("ngram 2=3", "ngram 2=4", 19, r"there are 3 2-grams where \\data\\ announces 4"),
        ("ngram 2=3", "ngram 2=2", 18, r"there are more 2-grams than the 2 that \\data\\ announces"),
        ("\\2-grams:", "\\3-grams:", 15, r"expected \\2-grams:, got '\\3-grams:'"),
        ("-0.4 a -0.25", "-0.4x a -0.25", 12, "'-0.4x' is no number"),
        ("-0.4 a -0.25", "-0.4 a nan", 12, "'nan' is no number"),
        ("-0.4 a -0.25", "0.4 a -0.25", 12, "a log10 probability is at most 0, got '0.4'"),
        ("-0.4 a -0.25", "-400 a -0.25", 12, "log10 values lie between -100 and 100"),
        ("-0.4 a -0.25", "-0.4", 12, "expected a log10 probability, 1 word and perhaps a back-off, got '-0.4'"),
        ("-0.4 a -0.25", "-0.4 a b c", 12, "expected a log10 probability, 1 word"),
        ("-0.9\tb", "-0.9\ta", 13, "the 1-gram 'a' is there twice"),
        ("-0.2\ta b", "-0.2\ta z", 17, "'z' is not among the 1-grams"),
        ("-0.2\ta b", "-0.2\t<s> a", 17, "this 2-gram is there twice"),
        ("-0.05\t<s> a b", "-0.05\t<s> a b\t-0.5", 21, "an n-gram of the highest order has no back-off"),
        ("\\end\\", "\\ende\\", 23, r"\\end\\ must follow the last section"),
        ("\\end\\", "", 23, r"the file ends where \\end\\ is expected"),
        ("\\end\\", "\\end\\\nmore", 24, r"nothing may follow \\end\\, got 'more'"),
    ],
)
def test_a_malformed_arpa_file_is_named_with_line_and_problem(
    before: str, after: str, line: int, problem: str, tmp_path: Path
) -> None:
    assert before in FOREIGN
    path = written(tmp_path, FOREIGN.replace(before, after))
    with pytest.raises(ModelFileError, match=problem) as caught:
        LanguageModel.load(path)
    assert f"model.arpa, line {line}: " in str(caught.value)


def test_an_arpa_file_without_sentence_marks(tmp_path: Path) -> None:
    path = written(tmp_path, "\\data\\\nngram 1=1\n\n\\1-grams:\n-1\ta\n\n\\end\\\n")
    with pytest.raises(ModelFileError, match="there is no 1-gram <s>"):
        LanguageModel.load(path)


def test_bytes_that_are_no_text_in_an_arpa_file(tmp_path: Path) -> None:
    path = written(tmp_path, FOREIGN.encode().replace(b"-0.9\tb", b"-0.9\t\xe9t\xe9"))
    with pytest.raises(ModelFileError, match=r"line 13: .*a word is not valid UTF-8; convert the file"):
        LanguageModel.load(path)


def test_an_order_that_is_too_high(tmp_path: Path) -> None:
    counts = "".join(f"ngram {n}=1\n" for n in range(1, 8))
    with pytest.raises(ModelFileError, match="models of order 1 to 6 can be read"):
        LanguageModel.load(written(tmp_path, f"\\data\\\n{counts}"))


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", "the file ends where"),
        (b"mmap lm http://kheafield.com/code format version 5\n\x00", "KenLM binary file; pass the ARPA file"),
        (gzip.compress(b"\\data\\", mtime=0)[:-3], "it cannot be decompressed"),
        (b"\x1f\x8bnonsense", "it cannot be decompressed"),
        (lzma.compress(b"x")[:-5], "it cannot be decompressed"),
        (b"bleulm\r", "it ends too early"),
        (b"bleulm\r\x02" + bytes(20), "a version of the format that this program does not know"),
        (b"bleulm\r\x01" + bytes(20), "its checksum is wrong"),
    ],
)
def test_what_is_no_model(content: bytes, problem: str, tmp_path: Path) -> None:
    with pytest.raises(ModelFileError, match=problem):
        LanguageModel.load(written(tmp_path, content, "some.model"))


@pytest.mark.parametrize("compress", [gzip.compress, lzma.compress])
def test_a_file_that_decompresses_to_far_more(compress: Callable[[bytes], bytes], tmp_path: Path) -> None:
    with pytest.raises(ModelFileError, match="it decompresses to more than 100 times its size"):
        LanguageModel.load(written(tmp_path, compress(bytes(1 << 25)), "some.model"))


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "absent", "a\x00b"):
        with pytest.raises(ModelFileError):
            LanguageModel.load(path)


def checksum(body: bytes) -> bytes:
    total = 0xCBF29CE484222325
    for byte in body:
        total = ((total ^ byte) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
    return struct.pack("<Q", total)


def small_packed(order: int = 3) -> bytes:
    model = LanguageModel.train(SMALL[:5], order=order, discount_fallback=True)
    return model._native.pack(json.dumps({"tokenizer": "whitespace", "lowercase": False}).encode())


@pytest.mark.parametrize("order", [1, 3])
def test_every_damaged_byte_and_every_cut_is_noticed(order: int) -> None:
    packed = small_packed(order)
    for place in range(len(packed)):
        for changed in (packed[place] ^ 0x01, packed[place] ^ 0xFF):
            with pytest.raises(_native.ModelFault):
                _native.unpack_model(packed[:place] + bytes([changed]) + packed[place + 1 :])
        with pytest.raises(_native.ModelFault):
            _native.unpack_model(packed[:place])
    with pytest.raises(_native.ModelFault):
        _native.unpack_model(packed + b"\x00")


@pytest.mark.parametrize("word", ["-0x", "0xg1", "1xx2", "0x0a", "x123", "7f7f", "ABCD", "-0x-", "--0x"])
def test_a_word_that_is_neither_text_nor_a_number(word: str, tmp_path: Path) -> None:
    """Numbers are words too, after a byte that is in no text."""
    model = LanguageModel.train([["before", 0xABC], ["before"]], order=1, discount_fallback=True)
    body = model.to_bytes()[:-8]
    number = b"\xff0xabc"
    assert body.count(number) == 1
    assert 0xABC in LanguageModel.load(written(tmp_path, body + checksum(body), "fine.blm")).vocabulary
    hostile = body.replace(b"\x06" + number, bytes([1 + len(word)]) + b"\xff" + word.encode())
    assert hostile != body
    with pytest.raises(ModelFileError, match="a word in it is no text"):
        LanguageModel.load(written(tmp_path, hostile + checksum(hostile), "model.blm"))
    shown = invoke("lm", "info", str(tmp_path / "model.blm"))
    assert shown.exit_code == 2
    assert_one_line(shown.stderr, "a word in it is no text")


@pytest.mark.parametrize("order", [1, 3])
def test_damage_with_a_checksum_that_fits_is_refused_or_harmless(order: int) -> None:
    """A hostile file can have any checksum: then it is refused, or it is a model like any other."""
    body = small_packed(order)[:-8]
    drawn = random.Random(7)
    survived = 0
    for place in range(8, len(body)):
        for changed in {body[place] ^ 1, body[place] ^ 0x80, 0, 0xFF, drawn.randrange(256)}:
            hostile = body[:place] + bytes([changed]) + body[place + 1 :]
            try:
                native, _ = _native.unpack_model(hostile + checksum(hostile))
            except _native.ModelFault:
                continue
            survived += 1
            column = _native.column_from_sequence(["the cat sat on the mat . unseen"], False, False)
            steps = native.steps(column, "whitespace", False, True, True)
            assert all(math.isfinite(log) for _, log, _, _ in steps)
            assert native.pack(b"") == _native.unpack_model(native.pack(b""))[0].pack(b"")
    assert survived > 0, "some bytes are floats, which may be others"
    for end in range(8, len(body)):
        with pytest.raises(_native.ModelFault):
            _native.unpack_model(body[:end] + checksum(body[:end]))


@given(noise=st.binary(max_size=200))
def test_noise_is_never_a_crash(noise: bytes) -> None:
    framed = b"bleulm\r\x01" + noise
    for content in (framed, framed + checksum(framed)):
        with pytest.raises(_native.ModelFault):
            _native.unpack_model(content)
    with pytest.raises(_native.ModelFault):
        _native.read_arpa(noise)


@settings(max_examples=examples(200))
@given(data=st.data())
def test_arpa_text_with_changed_bytes_is_refused_or_a_model(data: st.DataObject) -> None:
    content = bytearray(FOREIGN.encode())
    for _ in range(data.draw(st.integers(1, 4))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.sampled_from(b"\x00 \t\n\\-.0129ae<>s\xff"))
    try:
        native = _native.read_arpa(bytes(content))
    except _native.ModelFault:
        return
    column = _native.column_from_sequence(["a b a"], False, False)
    assert len(native.steps(column, "whitespace", False, True, True)) == 4


@pytest.mark.parametrize("note", [b"", b"[]", b"{}", b'{"tokenizer": 3, "lowercase": false}', b"\xff", b"[" * 100_000])
def test_a_model_that_does_not_say_how_texts_are_read(note: bytes, tmp_path: Path) -> None:
    packed = LanguageModel.train(SMALL, order=2)._native.pack(note)
    with pytest.raises(ModelFileError, match="has no valid tokenizer settings"):
        LanguageModel.load(written(tmp_path, packed, "model.blm"))


def test_a_model_of_a_function_needs_the_function_again(tmp_path: Path) -> None:
    LanguageModel.train(SMALL, order=2, tokenizer=str.split).save(tmp_path / "model.blm")
    with pytest.raises(OptionError, match=r"custom\(.*split\), is a custom function: pass it"):
        LanguageModel.load(tmp_path / "model.blm")
    assert LanguageModel.load(tmp_path / "model.blm", tokenizer=str.split).perplexity("the cat") > 1


@pytest.mark.parametrize("word", ["a b", "", "a\tb", "a\x00b", "<UNK>", 7])
def test_words_that_cannot_stand_in_an_arpa_file(word: str | int, tmp_path: Path) -> None:
    model = LanguageModel.train([["x", word], ["x"]], order=2, discount_fallback=True)
    with pytest.raises(OutputError, match=r"cannot write an ARPA file: the word .* cannot be written"):
        model.save(tmp_path / "model.arpa")
    assert not list(tmp_path.iterdir())
    model.save(tmp_path / "model.blm")
    assert LanguageModel.load(tmp_path / "model.blm").vocabulary == model.vocabulary


def test_a_file_that_exists_is_not_replaced_unasked(tmp_path: Path) -> None:
    path = written(tmp_path, "precious")
    model = LanguageModel.train(SMALL, order=2)
    with pytest.raises(OutputError, match="already exists"):
        model.save(path)
    assert path.read_text() == "precious"
    model.save(path, overwrite=True)
    model.save(path)
    assert LanguageModel.load(path).digest == model.digest


def test_a_locale_with_commas_changes_nothing(tmp_path: Path) -> None:
    before = locale.setlocale(locale.LC_NUMERIC)
    model = LanguageModel.train(SMALL, order=2)
    expected = model.to_arpa()
    for name in ("de_DE.UTF-8", "fr_FR.UTF-8"):
        try:
            locale.setlocale(locale.LC_NUMERIC, name)
        except locale.Error:
            continue
        try:
            assert model.to_arpa() == expected
            assert _native.read_arpa(expected).pack(b"") == model._native.pack(b"")
        finally:
            locale.setlocale(locale.LC_NUMERIC, before)
    assert b"," not in expected


def test_every_error_is_one_of_ours() -> None:
    assert issubclass(ModelFileError, BleuprintError)
    assert issubclass(ModelFileError, ValueError)
