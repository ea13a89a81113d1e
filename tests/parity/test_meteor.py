"""METEOR against NLTK's meteor_score, over small WordNets and over WordNet 3.0, bit for bit."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.tokenize import NLTKWordTokenizer
from nltk.translate import meteor_score as theirs

from bleuprint import METEOR
from bleuprint.core import wordnet
from bleuprint.core.staged_match import synonyms
from tests.support.effort import MANY, THOROUGH, part
from tests.support.text_strategies import nasty_text
from tests.support.wmt22 import Wmt22
from tests.support.wordnets import DEBIAN, MISSING, SMALL, SmallWordNet, debian_copy, nltk_reader, nltk_synonyms

SUFFIXES = "s es ses ves xes zes ches shes men ies ed ing er est e y ly".split()  # noqa: SIM905
Tokens = list[str]


class Pair:
    """One WordNet as both read it."""

    def __init__(self, folder: Path, name: str | Path) -> None:
        self.reader = nltk_reader(folder)
        self.name = name
        self.table = wordnet.load(name)

    def expected(self, hypothesis: Tokens, references: Sequence[Tokens], **options: Any) -> float:
        return float(theirs.meteor_score(references, hypothesis, wordnet=self.reader, **options))

    def assert_scores(self, hypotheses: list[Tokens], references: list[list[Tokens]], **options: Any) -> None:
        ours = METEOR(wordnet=self.name, **options).sentences(hypotheses, references).tolist()
        if not options.pop("lowercase", True):
            options["preprocess"] = str
        pairs = zip(hypotheses, references, strict=True)
        assert ours == [self.expected(text, group, **options) for text, group in pairs]

    def assert_synonyms(self, words: set[str]) -> None:
        wrong = [word for word in sorted(words) if set(synonyms(word, self.table)) != self.nltk(word)]
        assert not wrong, f"{len(wrong)} of {len(words)}, e.g. {wrong[:10]}"

    def nltk(self, word: str) -> set[str]:
        return nltk_synonyms(self.reader, word)

    def close(self) -> None:
        for file in self.reader._data_file_map.values():
            file.close()

    def lemmas(self) -> list[str]:
        return list(self.reader._lemma_pos_offset_map)

    def exceptions(self) -> set[str]:
        return {form for forms in self.reader._exception_map.values() for form in forms}


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    folder = SMALL.write(tmp_path_factory.mktemp("wordnets") / "small")
    pair = Pair(folder, folder)
    yield pair
    pair.close()


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    if not (DEBIAN / "data.noun").exists():
        pytest.skip(MISSING)
    pair = Pair(debian_copy(tmp_path_factory.mktemp("wordnets") / "real"), wordnet.SHIPPED)
    yield pair
    pair.close()


def inflected(words: Sequence[str], chance: random.Random, count: int) -> set[str]:
    chosen = chance.choices(words, k=count)
    return {word + chance.choice(SUFFIXES) for word in chosen} | {
        word[:-1] + chance.choice(SUFFIXES) for word in chosen
    }


def test_synonyms_of_every_word_in_a_small_wordnet(small: Pair) -> None:
    words = [*small.lemmas(), *small.exceptions()]
    every = {word + suffix for word in words for suffix in SUFFIXES}
    cut = {word[:-size] + suffix for word in words for size in (1, 2) for suffix in SUFFIXES}
    small.assert_synonyms({*words, *every, *cut})


def test_synonyms_in_wordnet(real: Pair) -> None:
    """Every exception and every lemma if there is time."""
    chance = random.Random(4)
    lemmas = real.lemmas()
    assert len(lemmas) == 147_306
    known = set(lemmas if THOROUGH else chance.sample(lemmas, 15_000 if MANY else 3_000))
    real.assert_synonyms(
        known | {*part(sorted(real.exceptions()), 5)} | inflected(lemmas, chance, 5_000 if MANY else 1_000)
    )


names = st.sampled_from("a b as bs bed bing ber best bees Ab aB a_b a_s b's é".split())  # noqa: SIM905
synsets = st.lists(st.lists(names, min_size=1, max_size=4, unique=True), max_size=5)
forms = st.sampled_from("a b as bs bed bees ab x".split())  # noqa: SIM905
exceptions = st.lists(st.lists(forms, min_size=1, max_size=3), max_size=4)
QUERIES = "a b as bs bed bing ber best bees ab a_b a_s b's é abs abed x aes bes".split()  # noqa: SIM905
parts = ("noun", "verb", "adj", "adv")


@given(
    st.fixed_dictionaries(dict.fromkeys(parts, synsets)),
    st.fixed_dictionaries(dict.fromkeys(parts, exceptions)),
)
def test_synonyms_in_any_wordnet(
    tmp_path_factory: pytest.TempPathFactory, held: dict[str, list[list[str]]], odd: dict[str, list[list[str]]]
) -> None:
    folder = SmallWordNet(held, odd).write(Path(tempfile.mkdtemp(dir=tmp_path_factory.getbasetemp())) / "wordnet")
    pair = Pair(folder, folder)
    pair.assert_synonyms({*QUERIES, *SUFFIXES})
    pair.close()


SMALL_WORDS = """
    dog dogs Hound hound domestic_dog ran running run operates Operate dice die dies big large larger axes axe axis well
    good best fine thin thinner men fireman stokers leaves page İx the a . of
""".split()  # noqa: SIM905
small_texts = st.lists(st.sampled_from(SMALL_WORDS), max_size=16)


@given(
    hypothesis=small_texts,
    references=st.lists(small_texts, min_size=1, max_size=4),
    alpha=st.sampled_from((0.9, 0.0, 1.0, 0.3)),
    beta=st.sampled_from((3.0, 0.0, 0.2, 1)),
    gamma=st.sampled_from((0.5, 0, 1.0)),
    lowercase=st.booleans(),
)
def test_any_text_of_a_small_wordnet(
    small: Pair, hypothesis: Tokens, references: list[Tokens], lowercase: bool, **weights: float
) -> None:
    small.assert_scores([hypothesis], [references], lowercase=lowercase, **weights)


@given(hypothesis=nasty_text(), references=st.lists(nasty_text(), min_size=1, max_size=2))
def test_any_text(small: Pair, hypothesis: str, references: list[str]) -> None:
    small.assert_scores([hypothesis.split()], [[text.split() for text in references]])


def related_texts(pair: Pair, count: int) -> tuple[list[Tokens], list[list[Tokens]]]:
    """Texts whose words are synonyms and inflections of each other."""
    chance = random.Random(7)
    lemmas = [lemma for lemma in pair.lemmas() if "_" not in lemma]

    def varied(word: str) -> str:
        forms = [word, word.title(), word + chance.choice(SUFFIXES), *sorted(pair.nltk(word))]
        return chance.choice(forms)

    hypotheses, references = [], []
    for _ in range(count):
        base = chance.choices(chance.sample(lemmas, 8), k=chance.choice((0, 1, 5, 12, 40)))
        hypotheses.append([varied(word) for word in base])
        shuffled = [chance.sample(base, k=len(base)) for _ in range(chance.choice((1, 2, 4)))]
        references.append([[varied(word) for word in text] for text in shuffled])
    return hypotheses, references


@pytest.mark.parametrize("lowercase", [True, False], ids=["lower", "as-is"])
def test_related_words(real: Pair, lowercase: bool) -> None:
    real.assert_scores(*related_texts(real, 2_000 if THOROUGH else 300 if MANY else 100), lowercase=lowercase)


# NLTK has no option for stages, but a function for each.
BY_STAGES: dict[str, Callable[[list[Any], list[Any], Any], Any]] = {
    "exact": lambda ours, refs, _: theirs._match_enums(ours, refs),
    "stem": lambda ours, refs, _: theirs._enum_stem_match(ours, refs),
    "synonym": lambda ours, refs, reader: theirs._enum_wordnetsyn_match(ours, refs, reader),
}


@pytest.mark.parametrize("stages", ["exact", "stem", "synonym", "exact+synonym", "stem+synonym", "exact+stem"])
def test_stages(real: Pair, stages: str) -> None:
    metric = METEOR(stages=stages)
    for text, (reference, *_) in zip(*related_texts(real, 100), strict=True):
        ours, refs = theirs._generate_enums(text, reference)
        pairs: list[tuple[int, int]] = []
        for stage in stages.split("+"):
            found, ours, refs = BY_STAGES[stage](ours, refs, real.reader)
            pairs += found
        expected = len(pairs), theirs._count_chunks(sorted(pairs)) if pairs else 0
        assert metric.sentence(text, [reference]).columns[:2] == expected


@pytest.mark.parametrize("pair", ["cs-en", "de-en", "ru-en", "zh-en", "en-de", "en-zh"])
def test_wmt22(wmt22_data: Wmt22, real: Pair, pair: str) -> None:
    """Strings, which both take apart by NLTK's word tokenizer; one reference and all of them."""
    split, size = NLTKWordTokenizer().tokenize, 400 if MANY else 100
    hypotheses = wmt22_data.output(pair, wmt22_data.systems(pair)[0])[:size]
    groups = [list(texts) for texts in zip(*wmt22_data.references(pair), strict=True)][:size]
    for references in (groups, [group[:1] for group in groups]):
        ours = METEOR().sentences(hypotheses, references).tolist()
        tokens = [
            (split(text), [split(each) for each in group]) for text, group in zip(hypotheses, references, strict=True)
        ]
        assert ours == [real.expected(*segment) for segment in tokens]
        assert METEOR().corpus(hypotheses, references).value == pytest.approx(sum(ours) / len(ours), rel=1e-12)
