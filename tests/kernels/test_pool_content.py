"""Pools as bytes: written and read as the twin does, whatever the bytes."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bleuprint.core import counts
from bleuprint.core.counts import Pool
from tests.kernels.twins import pool as twin
from tests.support.effort import examples

tokens = st.one_of(
    st.sampled_from(["a", "b", "the", "", "7", 7, 0, -1, 2**63, "a-token-of-more-than-sixteen-bytes"]),
    st.integers(-(2**70), 2**70),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=4),
)
pools = st.lists(st.lists(tokens, max_size=9), max_size=7)


def pool_of(texts: list[list[Any]]) -> Pool:
    pool = Pool("whitespace", False)
    pool.add(counts.column(list(texts), groups=False, tokenized=True), 1)
    return pool


def all_tokens(pool: Pool) -> list[list[str | int]]:
    return pool.tokens(list(range(len(pool))))


@settings(max_examples=examples(300), deadline=None)
@given(first=pools, second=pools)
def test_content_is_that_of_the_twin_and_gives_the_pool_back(first: Any, second: Any) -> None:
    pool = pool_of(first)
    assert pool.content() == twin.content(first)
    restored = Pool("whitespace", False, pool.content())
    assert all_tokens(restored) == first == twin.texts_of(pool.content())
    restored.merge(Pool("whitespace", False, twin.content(second)))
    assert all_tokens(restored) == [*first, *second]
    assert restored.content() == twin.content([*first, *second])


@settings(max_examples=examples(600), deadline=None)
@given(texts=pools, place=st.integers(0, 80), removed=st.integers(0, 4), added=st.binary(max_size=4))
@example(texts=[], place=0, removed=0, added=b"\x01\x00\x04\xed\xa0\x80")  # a lone surrogate
@example(texts=[], place=0, removed=0, added=b"\x80\x00\x81\x00")
def test_changed_bytes_are_read_as_by_the_twin(texts: Any, place: int, removed: int, added: bytes) -> None:
    content = twin.content(texts)
    content = content[:place] + added + content[place + removed :]
    try:
        expected = twin.texts_of(content)
    except ValueError:
        with pytest.raises(ValueError, match=r"^the bytes "):
            Pool("whitespace", False, content)
        return
    assert all_tokens(Pool("whitespace", False, content)) == expected


def content_of(number: str) -> bytes:
    """A text of one token, which is a number written like that."""
    coded = b"\xff" + number.encode()
    return b"\x01\x00" + bytes([len(coded)]) + coded


@pytest.mark.parametrize("number", ["0x0", "-0x1", "0xff", "0x10"])
def test_numbers_are_read_as_python_writes_them(number: str) -> None:
    assert all_tokens(Pool("whitespace", False, content_of(number))) == [[int(number, 16)]]


@pytest.mark.parametrize("number", ["-0x0", "0x00", "0xFF", "0x", "12", "-", "", "0x1 ", "--0x1", "0x-1", "0x1g"])
def test_other_numbers_are_refused(number: str) -> None:
    with pytest.raises(ValueError, match="neither UTF-8 nor a number"):
        Pool("whitespace", False, content_of(number))


def test_what_claims_to_be_large_takes_no_memory() -> None:
    for content in (b"\xff\xff\xff\xff\xff\xff\xff\xff\x7f", b"\x01\x00\xff\xff\xff\xff\xff\xff\xff\xff\x7f"):
        with pytest.raises(ValueError, match="the bytes end too early"):
            Pool("whitespace", False, content)
