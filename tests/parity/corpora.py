"""Generated corpora that have something in common with their references, and some oddities."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import NamedTuple, cast

from hypothesis import strategies as st

from tests.support.text_strategies import random_text

WORDS = "a b c d The the cat. cat, 1.5 don't x-y 你好 “q” &amp; Σ".split()  # noqa: SIM905


class Corpus(NamedTuple):
    """references[i] belongs to hypotheses[i]; None marks a reference that a segment has not got."""

    hypotheses: list[str]
    references: list[list[str | None]]

    def streams(self) -> list[list[str]]:
        """The references the way sacrebleu takes them: one list per translator, which may hold None."""
        most = max(map(len, self.references))
        lists = [[texts[k] if k < len(texts) else None for texts in self.references] for k in range(most)]
        return cast("list[list[str]]", lists)  # sacrebleu's annotations forget None


class Tokens(NamedTuple):
    hypotheses: list[list[str]]
    references: list[list[list[str]]]


def random_sentence(chooser: random.Random) -> str:
    """Mostly a few common words, sometimes nothing, sometimes very odd."""
    if chooser.random() < 0.1:
        return random_text(chooser)
    return " ".join(chooser.choices(WORDS, k=chooser.choice([0, 1, 2, 3, 4, 6, 9, 15])))


def altered(chooser: random.Random, sentence: str) -> str:
    """The sentence with words replaced, dropped or repeated, so that long n-grams survive."""
    words = sentence.split(" ")
    for _ in range(chooser.choice([0, 0, 1, 2, 4])):
        at = chooser.randrange(len(words) + 1)
        words[at : at + chooser.randrange(3)] = chooser.choices(WORDS, k=chooser.randrange(3))
    return " ".join(words)


def random_corpus(chooser: random.Random) -> Corpus:
    hypotheses, references = [], []
    for _ in range(chooser.choice([1, 1, 2, 3, 6])):
        sentence = random_sentence(chooser)
        texts: list[str | None] = [
            altered(chooser, sentence) if chooser.random() < 0.8 else random_sentence(chooser)
            for _ in range(chooser.choice([1, 1, 2, 3, 4]))
        ]
        for _ in range(chooser.choice([0, 0, 0, 1])):
            texts.insert(chooser.randrange(len(texts) + 1), None)
        hypotheses.append(sentence)
        references.append(texts)
    return Corpus(hypotheses, references)


def random_corpora(seed: int, count: int) -> Iterator[Corpus]:
    chooser = random.Random(seed)
    return (random_corpus(chooser) for _ in range(count))


def random_tokens(chooser: random.Random) -> Tokens:
    """A corpus of token lists; tokens may hold blanks or nothing."""
    hypotheses, references = [], []
    for _ in range(chooser.choice([1, 1, 2, 4])):
        length = chooser.choice([0, 1, 2, 3, 4, 5, 6, 8, 12, 20])
        vocabulary = ["a", "b", "c", "d e", "", "\0", "ü", "f"][: chooser.choice([2, 4, 8])]
        tokens = chooser.choices(vocabulary, k=length)
        changed = [
            [token if chooser.random() < 0.85 else chooser.choice(vocabulary) for token in tokens][
                chooser.choice([0, 0, 0, 1]) :
            ]
            + chooser.choices(vocabulary, k=chooser.choice([0, 0, 1, 3]))
            for _ in range(chooser.choice([1, 1, 2, 3, 4]))
        ]
        hypotheses.append(tokens)
        references.append(changed)
    return Tokens(hypotheses, references)


def sentences() -> st.SearchStrategy[str]:
    return st.lists(st.sampled_from(WORDS), max_size=9).map(" ".join)


@st.composite
def corpora(draw: st.DrawFn) -> Corpus:
    count = draw(st.integers(1, 3))
    hypotheses = draw(st.lists(sentences(), min_size=count, max_size=count))
    others = st.lists(st.one_of(sentences(), st.none(), st.sampled_from(hypotheses)), max_size=3)
    references = [[draw(sentences()), *draw(others)] for _ in range(count)]
    return Corpus(hypotheses, references)


@st.composite
def token_corpora(draw: st.DrawFn) -> Tokens:
    tokens = st.lists(st.sampled_from(["a", "b", "c d", ""]), max_size=9)
    count = draw(st.integers(1, 3))
    hypotheses = draw(st.lists(tokens, min_size=count, max_size=count))
    groups = st.lists(st.one_of(tokens, st.sampled_from(hypotheses)), min_size=1, max_size=4)
    return Tokens(hypotheses, [draw(groups) for _ in range(count)])
