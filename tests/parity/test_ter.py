"""TER against sacrebleu: every combination of its options, generated text, WMT22 in several languages."""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence
from typing import NamedTuple

import pytest
import sacrebleu
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics.ter import TERScore

import bleuprint
from bleuprint import TER
from bleuprint.errors import NoSegmentsError, OptionError
from bleuprint.metrics.ter import TerScore
from tests.parity.corpora import Corpus, corpora, random_corpora
from tests.support.effort import MANY, part
from tests.support.wmt22 import Wmt22


class Setting(NamedTuple):
    normalized: bool
    no_punct: bool
    asian_support: bool
    case_sensitive: bool

    def theirs(self) -> sacrebleu.TER:
        return sacrebleu.TER(**self._asdict())

    def ours(self) -> TER:
        return TER(
            normalized=self.normalized,
            no_punct=self.no_punct,
            asian_support=self.asian_support,
            lowercase=not self.case_sensitive,
        )


SETTINGS = [Setting(*flags) for flags in itertools.product([False, True], repeat=4)]


def assert_equal(ours: TerScore, theirs: TERScore) -> None:
    assert ours.edits == theirs.num_edits
    assert ours.reference_length == pytest.approx(theirs.ref_length, rel=1e-14)
    assert ours.percent == pytest.approx(theirs.score, rel=1e-12)


def assert_equal_sentence(hypothesis: str, references: Sequence[str | None], *, normalized: bool = False) -> TerScore:
    ours = bleuprint.sentence_ter(hypothesis, references, normalized=normalized)
    kept = [reference for reference in references if reference is not None]
    assert_equal(ours, sacrebleu.TER(normalized=normalized).sentence_score(hypothesis, kept))
    return ours


def test_every_setting_on_generated_corpora() -> None:
    compared, each = 0, 60 if MANY else 15
    for number, setting in enumerate(SETTINGS):
        ours, theirs = setting.ours(), setting.theirs()
        for corpus in random_corpora(number, each):
            score = ours.corpus(corpus.hypotheses, corpus.references)
            assert_equal(score, theirs.corpus_score(corpus.hypotheses, corpus.streams()))
            assert score.sacrebleu_signature == theirs.get_signature().format()
            compared += 1
    assert compared == (960 if MANY else 240)


@given(corpus=corpora(), setting=st.sampled_from(SETTINGS))
def test_any_setting_on_any_corpus(corpus: Corpus, setting: Setting) -> None:
    score = setting.ours().corpus(corpus.hypotheses, corpus.references)
    assert_equal(score, setting.theirs().corpus_score(corpus.hypotheses, corpus.streams()))


def test_sentences() -> None:
    """One at a time and as a row."""
    for corpus in random_corpora(20, 150 if MANY else 40):
        row = bleuprint.sentence_ters(corpus.hypotheses, corpus.references)
        for text, group, of_row in zip(corpus.hypotheses, corpus.references, row, strict=True):
            assert assert_equal_sentence(text, group).value == of_row


def shuffled_text(chooser: random.Random, kinds: int, length: int) -> tuple[str, str]:
    """A text, and the same with runs of its words in other places and some words replaced."""
    words = [f"w{chooser.randrange(kinds)}" for _ in range(length)]
    changed = list(words)
    for _ in range(chooser.randrange(6)):
        start, place = chooser.randrange(length), chooser.randrange(length)
        run = changed[start : start + chooser.randint(1, 12)]
        changed[start : start + len(run)] = []
        changed[place:place] = run
        changed[chooser.randrange(len(changed))] = f"w{chooser.randrange(kinds)}"
    return " ".join(changed), " ".join(words)


@pytest.mark.parametrize("kinds", [2, 5, 20, 300])
def test_moved_runs(kinds: int) -> None:
    chooser = random.Random(kinds)
    for length in [*range(1, 25), 30, *((40, 55, 70) if MANY else ())]:
        hypothesis, reference = shuffled_text(chooser, kinds, length)
        assert_equal_sentence(hypothesis, [reference])


@pytest.mark.parametrize(("shorter", "longer"), [(1, 49), (1, 50), (1, 51), (1, 120), (2, 99), (2, 101), (3, 150)])
def test_lengths_that_widen_the_beam(shorter: int, longer: int) -> None:
    chooser = random.Random(longer)
    for kinds in (2, 10, 200):
        short, long = (" ".join(f"w{chooser.randrange(kinds)}" for _ in range(n)) for n in (shorter, longer))
        assert_equal_sentence(short, [long])
        assert_equal_sentence(long, [short])


PAIRS = ["cs-en", "en-de", "en-hr", "en-ja", "en-ru", "en-zh", "ru-sah", "uk-cs", "zh-en"]


@pytest.mark.parametrize("pair", part(PAIRS, 2))
def test_real_text(pair: str, wmt22_data: Wmt22) -> None:
    """One and all references, plain and with every rule of the tokenizer."""
    system = wmt22_data.systems(pair)[0]
    streams = wmt22_data.references(pair)
    chosen = random.Random(pair).sample(range(len(streams[0])), 20)
    hypotheses = [wmt22_data.output(pair, system)[i] for i in chosen]
    several = [[stream[i] for i in chosen] for stream in streams]
    for setting, lists in itertools.product((Setting(*[False] * 4), Setting(*[True] * 4)), (several[:1], several)):
        groups = [list(group) for group in zip(*lists, strict=True)]
        score = setting.ours().corpus(hypotheses, groups)
        assert_equal(score, setting.theirs().corpus_score(hypotheses, lists))
        assert score.edits > 0


def test_more_references_than_divide_the_base() -> None:
    chooser = random.Random(3)
    for count in (2, 7, 16, 24, 25, 29, 53, 100):
        assert_equal_sentence(
            "a b c d", [" ".join(chooser.choices("abcde", k=chooser.randrange(9))) for _ in range(count)]
        )


def test_nothing_to_compare() -> None:
    for pair, expected in {("x", ""): 1.0, ("", ""): 0.0, ("", "x y"): 1.0, ("x y z", " "): 1.0}.items():
        assert bleuprint.sentence_ter(*pair).value == expected
        assert sacrebleu.TER().sentence_score(pair[0], [pair[1]]).score == 100 * expected
    with pytest.raises(NoSegmentsError, match="ter has no segments"):
        bleuprint.corpus_ter([], [])


def test_references_are_normalised_twice() -> None:
    """As in sacrebleu, so that a text can differ from itself."""
    assert assert_equal_sentence("it's, well", ["it's, well"], normalized=True).edits == 2


def test_options() -> None:
    assert TER(tokenizer="tercom-normalized-asian").signature == TER(normalized=True, asian_support=True).signature
    assert TER(profile="sacrebleu").signature == TER().signature == "ter.1|lowercase:yes|tokenizer:tercom"
    assert TER(tokenizer="char").sentence("你好", "你们好").sacrebleu_signature is None
    assert TER(tokenizer=str.split).sentence("A b", "a B").value == 0.0
    assert TER(lowercase=False).sentence("A b", "a B").value == 1.0
    with pytest.raises(OptionError, match="normalized must be False if a tokenizer is given"):
        TER(normalized=True, tokenizer="13a")
    with pytest.raises(OptionError, match="no_punct must be True or False"):
        TER(no_punct=1)  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="profile must be one of sacrebleu for ter"):
        TER(profile="nltk")
