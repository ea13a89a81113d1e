"""ROUGE against rouge_score 0.1.2, and its stemmer against NLTK's PorterStemmer."""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Iterator, Sequence

import numpy as np
import pytest
from fast_rouge import score_batch_flat
from hypothesis import given
from hypothesis import strategies as st
from nltk.stem import PorterStemmer
from rouge_score.rouge_scorer import RougeScorer

from bleuprint import ROUGE
from bleuprint.core import counts
from tests.support.effort import MANY, THOROUGH, part
from tests.support.text_strategies import nasty_text, random_text
from tests.support.wmt22 import Wmt22

GENERATED = 5000 if THOROUGH else 400 if MANY else 100
TYPES = ("rouge1", "rouge2", "rouge4", "rouge9", "rougeL", "rougeLsum")
# The stemmed pairs meet only there; the Kelvin sign and the dotted I turn into ASCII letters.
WORDS = "the cat cats Running runs run İx \u212a12 café 1990s don't a b c d".split()  # noqa: SIM905

with_and_without_stemmer = pytest.mark.parametrize("stemmer", [False, True], ids=["plain", "stemmed"])


def generated(chance: random.Random) -> str:
    if chance.random() < 0.1:
        return random_text(chance)
    words = WORDS[-chance.choice((2, 5, len(WORDS))) :]
    length = chance.choice((0, 1, 3, 8, 20, 90, 200))
    return "".join(chance.choice(words) + chance.choice("     \n-") for _ in range(length))


def segments(seed: int, count: int) -> Iterator[tuple[str, list[str]]]:
    chance = random.Random(seed)
    for _ in range(count):
        yield generated(chance), [generated(chance) for _ in range(chance.choice((1, 1, 2, 4)))]


def assert_equal(hypotheses: Sequence[str], references: Sequence[Sequence[str]], stemmer: bool) -> None:
    """Every segment's precision, recall and F of every type."""
    metric, theirs = ROUGE(types=TYPES, stemmer=stemmer), RougeScorer(list(TYPES), use_stemmer=stemmer)
    found = metric.definition.formula.scores(
        tuple(metric.statistics(list(hypotheses), [list(refs) for refs in references]).rows.T)
    )
    expected = [theirs.score_multi(refs, text) for text, refs in zip(hypotheses, references, strict=True)]
    for kind in TYPES:
        ours = np.stack([found[f"{kind}_precision"], found[f"{kind}_recall"], found[kind]], axis=1)
        assert np.abs(ours - [scores[kind] for scores in expected]).max() <= 1e-12, kind


@with_and_without_stemmer
def test_generated_text(stemmer: bool) -> None:
    hypotheses, references = zip(*segments(1, GENERATED), strict=True)
    assert_equal(hypotheses, references, stemmer)


texts = st.one_of(
    nasty_text(), st.lists(st.sampled_from([*WORDS, "\n", "\n"]), max_size=30).map(" ".join), st.text("ab \n")
)


@with_and_without_stemmer
@given(hypothesis=texts, references=st.lists(texts, min_size=1, max_size=3))
def test_any_text(stemmer: bool, hypothesis: str, references: list[str]) -> None:
    assert_equal([hypothesis], [references], stemmer)


@pytest.mark.parametrize("pair", part(["cs-en", "en-cs", "en-zh", "en-de", "de-fr", "en-ru"], 2))
@with_and_without_stemmer
def test_wmt22(wmt22_data: Wmt22, pair: str, stemmer: bool) -> None:
    """Lines in threes, so that there are texts of several lines; one reference and all."""
    streams = [in_threes(lines) for lines in wmt22_data.references(pair)]
    # The last reference stands for a system's output, or a rotated one where there is but one.
    hypotheses = streams[-1] if len(streams) > 1 else [*streams[0][1:], streams[0][0]]
    size = 150 if MANY else 40
    assert_equal(hypotheses[:size], [[text] for text in streams[0][:size]], stemmer)
    everybody = [list(texts) for texts in zip(*streams, strict=True)]
    assert_equal([*hypotheses[5:], *hypotheses[:5]][:size], everybody[:size], stemmer)


def in_threes(lines: Sequence[str]) -> list[str]:
    return ["\n".join(lines[at : at + 3]) for at in range(0, len(lines), 3)]


def test_wmt22_single_lines(wmt22_data: Wmt22) -> None:
    hypotheses = wmt22_data.output("de-en", "Lan-Bridge")
    references = [list(texts) for texts in zip(*wmt22_data.references("de-en"), strict=True)]
    assert_equal(hypotheses, references, stemmer=False)


def test_the_rust_package_agrees(wmt22_data: Wmt22) -> None:
    hypotheses, references = wmt22_data.output("de-en", "Lan-Bridge"), wmt22_data.references("de-en")[0]
    theirs = score_batch_flat(references, hypotheses)
    metric = ROUGE()
    found = metric.definition.formula.scores(tuple(metric.statistics(hypotheses, references).rows.T))
    for kind in ("rouge1", "rouge2", "rougeL"):
        for ours, name in ((kind, "fmeasure"), (f"{kind}_precision", "precision"), (f"{kind}_recall", "recall")):
            assert np.abs(found[ours] - getattr(theirs, f"{kind}_{name}")).max() <= 1e-12


SUFFIXES = """
    ational tional enci anci izer bli abli alli entli eli ousli ization ation ator alism iveness fulness ousness aliti
    iviti biliti fulli logi icate ative alize iciti ical ful ness al ance ence er ic able ible ant ement ment ent sion
    tion ion ou ism ate iti ous ive ize sses ies ss s ied eed ed ing y e ll at bl iz *d
""".split()  # noqa: SIM905
IRREGULAR = (
    "sky skies dying lying tying news innings inning outings outing cannings canning howe proceed exceed succeed"
)


def assert_stems(words: set[str]) -> None:
    stemmer = PorterStemmer()
    wrong = sorted(word for word in words if counts.stem(word) != stemmer.stem(word))
    assert not wrong, f"{len(wrong)} of {len(words)}, e.g. {wrong[:10]}"


def test_stems_of_generated_words() -> None:
    chance = random.Random(3)
    words = {*IRREGULAR, *(word + "s" for word in IRREGULAR), "", "a", "is"}
    for _ in range(40_000):
        stem = "".join(chance.choices("abeilostyyzxw1é", k=chance.randrange(6)))
        words.add(stem + "".join(chance.choices(SUFFIXES, k=chance.randrange(4))))
    assert_stems(words)


def test_stems_of_all_short_words() -> None:
    assert_stems({"".join(letters) for size in range(1, 7) for letters in itertools.product("aesyd", repeat=size)})


def test_stems_of_words_in_wmt22(wmt22_data: Wmt22) -> None:
    """Every word of the English references, sources and outputs."""
    lines = [*wmt22_data.texts()["en"]]
    for path in (wmt22_data.folder / "txt" / "system-outputs").glob("*-en.hyp.*.en"):
        lines += path.read_text(encoding="utf-8").split("\n")
    words = {word for line in lines for word in re.findall(r"\w+", line.lower())}
    assert len(words) > (20_000 if wmt22_data.is_whole else 10_000)
    assert_stems(words)


@given(st.text("abcdefghijklmnopqrstuvwxyz'*-é", max_size=12))
def test_stems_of_any_word(word: str) -> None:
    assert counts.stem(word) == PorterStemmer().stem(word)
