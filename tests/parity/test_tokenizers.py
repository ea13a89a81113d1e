"""Every tokenizer against the package it must equal, token by token."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from pathlib import Path

import pytest
import sacrebleu
import sentencepiece
from hypothesis import given
from nltk.tokenize.destructive import NLTKWordTokenizer
from sacrebleu.metrics.ter import TER
from sacrebleu.tokenizers.tokenizer_ter import TercomTokenizer

import bleuprint
from bleuprint.core import counts
from tests.support import sentencepiece_models
from tests.support.effort import MANY, THOROUGH, part
from tests.support.text_strategies import CODE_POINTS, nasty_text, random_texts
from tests.support.wmt22 import Wmt22

Split = Callable[[str], list[str]]

SCHEMES = ["13a", "intl", "zh", "char", "none", "whitespace", "nltk"]
TERCOM = [scheme for scheme in counts.SCHEMES if scheme.startswith("tercom")]
GENERATED = 200_000 if THOROUGH else 15_000 if MANY else 3_000

# What surrounds every code point: digits, a full stop, a hyphen, letters, blanks. Private and unassigned code
# points, six in seven of all, differ in nothing but their number and get the short context.
CONTEXTS = ("1{0}2 a{0}. {0}-b .{0} ", "1{0}. ")
SIGMA_CONTEXTS = ("A{0}Σ Σ{0}A {0}Σ{0} AΣ{0} A{0}Σ{0}a {0} ", "A{0}Σ{0}a ")


@cache
def peer(scheme: str) -> Split:
    """The other package's tokenizer, called as its own scoring calls it."""
    if scheme == "whitespace":
        return str.split
    if scheme == "nltk":
        tokenizer = NLTKWordTokenizer()
        return lambda text: list(tokenizer.tokenize(text))
    tercom = scheme.startswith("tercom")
    metric = TER(*options(scheme), case_sensitive=True) if tercom else sacrebleu.BLEU(tokenize=scheme)
    return lambda text: metric._preprocess_segment(text).split()


def options(scheme: str) -> tuple[bool, bool, bool]:
    """normalized, no_punct and asian_support of tercom's rules."""
    return "-normalized" in scheme, "-no-punct" in scheme, "-asian" in scheme


def assert_same_tokens(texts: Iterable[str], scheme: str, theirs: Split) -> int:
    """Compare text by text; reports how many differ and the shortest that does."""
    count, differing = 0, []
    for text in texts:
        count += 1
        if bleuprint.tokenize(text, scheme) != theirs(text):
            differing.append(text)
    if differing:
        text = min(differing, key=len)
        ours = bleuprint.tokenize(text, scheme)
        where = difference(ours, theirs(text))
        pytest.fail(f"{len(differing)} of {count} differ, e.g. {text[:80]!a}: {where}")
    return count


def difference(ours: list[str], theirs: list[str]) -> str:
    """The tokens around the first place where the lists part."""
    pairs = enumerate(zip(ours, theirs, strict=False))
    at = next((index for index, (a, b) in pairs if a != b), min(len(ours), len(theirs)))
    near = slice(max(0, at - 2), at + 3)
    return f"{ours[near]!a} instead of {theirs[near]!a}"


def assert_lower_cased(texts: Iterable[str]) -> None:
    for text in texts:
        ours, theirs = bleuprint.tokenize(text, "whitespace", lowercase=True), text.lower().split()
        assert ours == theirs, difference(ours, theirs)


@cache
def code_points() -> Sequence[int]:
    """Every code point; in `make test` a sample of those of which there are many alike: ideographs, unassigned ones."""
    if MANY:
        return CODE_POINTS
    alike = {"Cn", "Co", "Lo"}
    return [point for point in CODE_POINTS if point % 32 == 0 or unicodedata.category(chr(point)) not in alike]


def in_context(contexts: tuple[str, str], batch: int = 2048) -> Iterable[str]:
    """The code points in the context, many to a text."""
    usual, short = contexts
    points = code_points()
    for start in range(0, len(points), batch):
        characters = map(chr, points[start : start + batch])
        yield "".join((short if is_unassigned(each) else usual).format(each) for each in characters)


def is_unassigned(character: str) -> bool:
    return unicodedata.category(character) in {"Cn", "Co"}


@pytest.mark.parametrize("scheme", [*SCHEMES, *TERCOM])
def test_generated_strings(scheme: str) -> None:
    number = GENERATED // 3 if scheme in TERCOM else GENERATED
    texts = random_texts([*SCHEMES, *TERCOM].index(scheme), number)
    assert assert_same_tokens(texts, scheme, peer(scheme)) == number


@pytest.mark.parametrize("scheme", [*SCHEMES, *TERCOM])
@given(text=nasty_text())
def test_nasty_text(scheme: str, text: str) -> None:
    assert bleuprint.tokenize(text, scheme) == peer(scheme)(text)


@pytest.mark.parametrize("scheme", [*SCHEMES, TERCOM[-1]])
def test_every_code_point_between_others(scheme: str) -> None:
    """Under all rules of tercom at once."""
    assert_same_tokens(in_context(CONTEXTS), scheme, peer(scheme))


@pytest.mark.parametrize("scheme", SCHEMES)
def test_edges_of_a_text(scheme: str) -> None:
    """The ends of a text have rules of their own: it is trimmed, and intl and zh do not pad it."""
    special = [chr(point) for point in CODE_POINTS if unicodedata.category(chr(point))[0] in "NPSZ"]
    special += [chr(point) for point in [*range(0x100), *CODE_POINTS[:: len(CODE_POINTS) // 1000]]]
    contexts = ("{}", "{}.", ".{}", "{0}-5-{0}")
    texts = (context.format(character) for character in part(special, 5) for context in contexts)
    assert_same_tokens(texts, scheme, peer(scheme))


@pytest.mark.parametrize("scheme", [*SCHEMES, *TERCOM])
def test_real_text_of_every_language(scheme: str, wmt22_data: Wmt22) -> None:
    languages = wmt22_data.texts()
    assert len(languages) == 11
    sample = [line for lines in languages.values() for line in lines[:: max(1, len(lines) // 500)]]
    assert assert_same_tokens(sample, scheme, peer(scheme)) >= (5_500 if wmt22_data.is_whole else 4_000)


def test_lower_casing_every_code_point() -> None:
    assert_lower_cased(in_context(SIGMA_CONTEXTS))


def test_lower_casing_generated_strings() -> None:
    assert_lower_cased(random_texts(100, GENERATED))


@given(text=nasty_text())
def test_lower_casing_nasty_text(text: str) -> None:
    assert_lower_cased([text])


@pytest.mark.parametrize("scheme", ["13a", "intl", "zh", "char", "nltk"])
def test_lower_casing_comes_before_the_rules(scheme: str) -> None:
    """Lower-cased, &AMP; is an escape; as it stands it is not."""
    for text in random_texts(101, GENERATED // 10):
        assert bleuprint.tokenize(text, scheme, lowercase=True) == peer(scheme)(text.lower()), ascii(text)


def test_there_is_a_scheme_for_every_combination_of_tercoms_rules() -> None:
    assert len({options(scheme) for scheme in TERCOM}) == len(TERCOM) == 8


@pytest.mark.parametrize("scheme", TERCOM)
def test_tercoms_lower_casing_and_references(scheme: str) -> None:
    """The tokens of references are joined and taken apart once more."""
    theirs, metric = TercomTokenizer(*options(scheme)), TER(*options(scheme))
    changed = 0
    for text in random_texts(50 + TERCOM.index(scheme), 3_000):
        once = theirs(text.rstrip()).split()
        assert bleuprint.tokenize(text, scheme, lowercase=True) == once
        twice = metric._cache_references([[text]])[0]["ref_words"][0]
        assert counts.tokenize(text, f"{scheme}-twice", lowercase=True) == twice
        changed += once != twice
    assert (changed > 0) == scheme.startswith("tercom-normalized")


def mecab_texts(data: Wmt22 | None, language: str) -> list[str]:
    # MeCab reads its input as a C string: what follows a NUL is lost in both packages.
    made = list(random_texts(102, 5_000 if MANY else 1_000))
    return made + (data.texts()[language][:1000] if data else [])


def test_japanese(wmt22_data: Wmt22) -> None:
    assert_same_tokens(mecab_texts(wmt22_data, "ja"), "ja-mecab", peer("ja-mecab"))


def test_korean() -> None:
    korean = ["아버지가 방에 들어가신다.", "한국어 형태소 분석기, 2.5배!", "안녕하세요 😀\u3000세계"]
    assert_same_tokens([*mecab_texts(None, ""), *korean], "ko-mecab", peer("ko-mecab"))


@pytest.fixture(scope="module")
def sentencepiece_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return sentencepiece_models.trained(tmp_path_factory.mktemp("sentencepiece"))


def test_sentencepiece(sentencepiece_model: Path) -> None:
    """As sacrebleu's `spm` scheme does with the model it downloads: pieces joined with blanks, then split."""
    processor = sentencepiece.SentencePieceProcessor(model_file=str(sentencepiece_model))

    def theirs(text: str) -> list[str]:
        return " ".join(processor.encode(text.rstrip(), out_type=str)).split()

    assert_same_tokens(random_texts(103, 10_000 if MANY else 2_000), f"spm:{sentencepiece_model}", theirs)
    assert bleuprint.tokenize("the cat sat", f"spm:{sentencepiece_model}")[0].startswith("▁")


class TestCorrectedChinese:
    """Differs from `zh` only where sacrebleu's table of ranges is misread (mjpost/sacrebleu#298)."""

    def test_quotes_and_dashes_stay_in_words(self) -> None:
        assert bleuprint.tokenize("a“b”c—d", "zh") == ["a", "“", "b", "”", "c", "—", "d"]
        assert bleuprint.tokenize("a“b”c—d", "zh-corrected") == ["a“b”c—d"]

    def test_rare_ideographs_are_split(self) -> None:
        text = "a\U00020000\U0002f800b"
        assert bleuprint.tokenize(text, "zh") == [text]
        assert bleuprint.tokenize(text, "zh-corrected") == list(text)

    def test_differs_nowhere_else(self) -> None:
        candidates = [*range(0xD800), *range(0xE000, 0x10000), *range(0x1FF00, 0x30000), 0xE0001, 0x10FFFF]
        differing = {point for point in candidates if self.differs(f"a{chr(point)}b")}
        kept = {*range(0x2600, 0x27C0), *(point for point in range(0x2001, 0x2A6E) if chr(point).isspace())}
        misread = {*range(0x2001, 0x2A6E)} - kept
        assert differing == misread | {*range(0x20000, 0x2A6D7), *range(0x2F800, 0x2FA1E)}

    def differs(self, text: str) -> bool:
        return bleuprint.tokenize(text, "zh") != bleuprint.tokenize(text, "zh-corrected")
