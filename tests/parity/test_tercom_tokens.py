"""The tokens of tercom's rules against sacrebleu's, token by token."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given
from sacrebleu.metrics.ter import TER
from sacrebleu.tokenizers.tokenizer_ter import TercomTokenizer

import bleuprint
from bleuprint import counts
from tests.parity.test_tokenizers import CONTEXTS, GENERATED, Split, assert_same_tokens, in_context
from tests.text_strategies import nasty_text, random_texts
from tests.wmt22 import Wmt22

SCHEMES = [scheme for scheme in counts.SCHEMES if scheme.startswith("tercom")]
each_scheme = pytest.mark.parametrize("scheme", SCHEMES)


def options(scheme: str) -> tuple[bool, bool, bool]:
    """normalized, no_punct, asian_support."""
    return "-normalized" in scheme, "-no-punct" in scheme, "-asian" in scheme


@cache
def peer(scheme: str) -> Split:
    metric = TER(*options(scheme), case_sensitive=True)
    return lambda text: metric._preprocess_segment(text).split()


@cache
def peer_of_references(scheme: str) -> Split:
    """What happens to references: their tokens are joined and taken apart once more."""
    metric = TER(*options(scheme))

    def split(text: str) -> list[str]:
        (group,) = metric._cache_references([[text]])
        words: list[str] = group["ref_words"][0]
        return words

    return split


def test_there_is_a_scheme_for_every_combination() -> None:
    assert len({options(scheme) for scheme in SCHEMES}) == len(SCHEMES) == 8


@each_scheme
def test_generated_strings(scheme: str) -> None:
    number = GENERATED // 3
    assert assert_same_tokens(random_texts(SCHEMES.index(scheme), number), scheme, peer(scheme)) == number


@each_scheme
@given(text=nasty_text())
def test_nasty_text(scheme: str, text: str) -> None:
    assert bleuprint.tokenize(text, scheme) == peer(scheme)(text)


def test_every_code_point_between_others() -> None:
    """Under all rules at once."""
    assert_same_tokens(in_context(CONTEXTS), SCHEMES[-1], peer(SCHEMES[-1]))


@each_scheme
def test_lower_casing_and_references(scheme: str) -> None:
    theirs = TercomTokenizer(*options(scheme))
    changed = 0
    for text in random_texts(50 + SCHEMES.index(scheme), 3_000):
        once = theirs(text.rstrip()).split()
        assert bleuprint.tokenize(text, scheme, lowercase=True) == once
        twice = peer_of_references(scheme)(text)
        assert counts.tokenize(text, f"{scheme}-twice", lowercase=True) == twice
        changed += once != twice
    assert (changed > 0) == scheme.startswith("tercom-normalized")


@each_scheme
def test_real_text_of_every_language(scheme: str, wmt22_data: Wmt22) -> None:
    sample = [line for lines in wmt22_data.texts().values() for line in lines[:: max(1, len(lines) // 200)]]
    assert assert_same_tokens(sample, scheme, peer(scheme)) >= 2_200
