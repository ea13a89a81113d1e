"""Token lists and corpora that are small enough to collide often."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from hypothesis import settings
from hypothesis import strategies as st

from bleuprint.metrics.base.metric import Metric
from tests.support.effort import examples

Token = str | int
Item = TypeVar("Item")

# Tokens of 1 to 40 bytes are prefixes of one text, or differ from it in one place: how they are told apart
# changes at 4, 8 and 16 bytes.
_LONGEST = "abcdefghABCDEFGHabcdefghABCDEFGHabcdefgh"


def _boundary_token(length: int, changed_at: int | None) -> str:
    token = _LONGEST[:length]
    if changed_at is None or changed_at >= length:
        return token
    return token[:changed_at] + "\0" + token[changed_at + 1 :]


boundary_tokens = st.builds(
    _boundary_token,
    st.one_of(st.integers(1, 40), st.sampled_from((3, 4, 5, 7, 8, 9, 15, 16, 17, 24, 32))),
    st.one_of(st.none(), st.integers(0, 39), st.sampled_from((0, 7, 8, 15, 16))),
)
# "a b" beside "a" and "b", "\0" beside "a\0": neither blanks nor NUL may join or end a token.
awkward_tokens = st.sampled_from(
    ("", " ", "a", "b", "a b", "b a", "\0", "a\0", "a\0b", "é", "e\u0301", "漢", "\U0001f600", "7")
)
# 7 is not "7", and numbers beyond a machine word are tokens like any other.
number_tokens = st.sampled_from((7, "7", -7, "-7", 0, 2**63, 2**64, 2**64 + 1, "0x7", "\ufffd7"))
any_token: st.SearchStrategy[Token] = st.one_of(boundary_tokens, awkward_tokens, number_tokens)
few_types = st.sampled_from(("a", "b"))

LETTERS = "abcdefgh"
# Few words, so that they meet: one letter each, and some that share letters.
_WORDS = dict(zip("abcdefghABCDEFGH", (*LETTERS, "ab", "ba", "abc", "cab", "abab", "hgf", "aaaa", "beef"), strict=True))
words = st.sampled_from(tuple(_WORDS.values()))


class Segment(NamedTuple):
    """A hypothesis with its references."""

    hypothesis: str
    references: tuple[str, ...]


Segments = list[Segment]


def share(at_least: int, among: int) -> settings:
    """Examples for one of several metrics under one law: together they have as many as the profile asks for."""
    return settings(max_examples=max(examples(at_least), -(-settings().max_examples // among)))


def token_lists(tokens: st.SearchStrategy[Item], longest: int = 12) -> st.SearchStrategy[list[Item]]:
    return st.lists(tokens, max_size=longest)


def texts(shortest: int = 0, longest: int = 10) -> st.SearchStrategy[str]:
    # One string with a letter for each word takes a tenth of the time that a list of words takes to draw.
    codes = st.text("".join(_WORDS), min_size=shortest, max_size=longest)
    return codes.map(lambda code: " ".join(_WORDS[letter] for letter in code))


def segments(shortest: int = 0, longest: int = 10, references: int = 3) -> st.SearchStrategy[Segment]:
    """Hypotheses that are often cut out of a reference: independent texts seldom share long n-grams."""
    several = st.lists(texts(shortest, longest), min_size=1, max_size=references).map(tuple)
    places = st.integers(0, longest)
    return st.builds(_segment, st.one_of(texts(shortest, longest), st.tuples(places, places, places)), several)


def _segment(hypothesis: str | tuple[int, int, int], references: tuple[str, ...]) -> Segment:
    if isinstance(hypothesis, str):
        return Segment(hypothesis, references)
    tokens, (end, begin, stop) = references[0].split(), hypothesis
    return Segment(" ".join([*tokens[:end], *tokens[begin:stop]]), references)


def corpora(smallest: int = 1, largest: int = 5, **shape: int) -> st.SearchStrategy[Segments]:
    return st.lists(segments(**shape), min_size=smallest, max_size=largest)


def random_segments(seed: int, count: int) -> Segments:
    """Segments of very different lengths over sixty words, the same for the same seed."""
    chance = random.Random(seed)
    types = ["".join(chance.choices(LETTERS, k=chance.randint(1, 9))) for _ in range(60)]

    def text() -> str:
        return " ".join(chance.choices(types, k=chance.choice((0, 1, 2, 5, 12, 25))))

    return [Segment(text(), tuple(text() for _ in range(chance.randint(1, 3)))) for _ in range(count)]


def hypotheses_of(corpus: Sequence[Segment]) -> list[str]:
    return [segment.hypothesis for segment in corpus]


def references_of(corpus: Sequence[Segment]) -> list[list[str]]:
    return [list(segment.references) for segment in corpus]


def columns_of(metric: Metric[Any], corpus: Sequence[Segment]) -> dict[str, Any]:
    """The texts that a metric reads, by the names of its arguments; the first reference serves as the source."""
    columns: dict[str, Any] = {"hypotheses": hypotheses_of(corpus)}
    if metric.needs_references:
        columns["references"] = references_of(corpus)
    if metric.needs_sources:
        columns["sources"] = [segment.references[0] for segment in corpus]
    return columns


def first_of(columns: Mapping[str, Any]) -> dict[str, Any]:
    """The first segment of columns, by the names of the arguments of `sentence`."""
    names = {"hypothesis": "hypotheses", "references": "references", "source": "sources"}
    return {name: columns[column][0] for name, column in names.items() if column in columns}


def sentence_of(metric: Metric[Any], segment: Segment) -> Any:
    """The score of a segment alone, of what the metric reads."""
    return metric.sentence(**first_of(columns_of(metric, [segment])))
