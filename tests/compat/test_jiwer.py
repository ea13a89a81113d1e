"""jiwer 4 and its drop-in: the same calls, answered alike."""

from __future__ import annotations

import copy
import dataclasses
import pickle
import random
from typing import Any

import jiwer
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleuprint.compat import jiwer as ours
from bleuprint.compat.jiwer import process
from tests.compat.sides import Call, Sides, parameters
from tests.support.text_strategies import nasty_text
from tests.support.wmt22 import Wmt22

BOTH = Sides(ours, jiwer)
MODULES = ("measures", "process", "alignment", "transforms", "transformations")
RATES = ("wer", "mer", "wil", "wip", "cer")
COMPOSITIONS = jiwer.transformations.__all__
REFERENCES = ["short one here", "quite a bit of longer sentence", "the same", ""]
HYPOTHESES = ["shoe order one", "quite bit of an even longest sentence here", "the same", "more words"]

spaced = st.text(st.sampled_from("ab  '\t\u00a0<>[].T"), max_size=14)
texts = st.one_of(spaced, nasty_text())
pairs_of_texts = st.lists(st.tuples(texts, texts), max_size=4).map(
    lambda pairs: ([pair[0] for pair in pairs], [pair[1] for pair in pairs])
)


def shown(output: Any) -> dict[str, Any]:
    return dataclasses.asdict(output)


@pytest.mark.parametrize("module", MODULES)
def test_every_name_is_there(module: str) -> None:
    own, theirs = BOTH.module(module)
    assert sorted(own.__all__) == sorted(theirs.__all__)
    assert set(theirs.__all__) <= set(ours.__all__)
    for name in theirs.__all__:
        one, two = getattr(own, name), getattr(theirs, name)
        if module not in {"transforms", "transformations"}:
            signatures = [[entry[:2] for entry in parameters(function)] for function in (one, two)]
            assert signatures[0] == signatures[1]


@given(pairs=pairs_of_texts)
def test_any_texts(pairs: tuple[list[str], list[str]]) -> None:
    BOTH.same(lambda library: shown(library.process_words(*pairs)))
    BOTH.same(lambda library: shown(library.process_characters(*pairs)))
    for rate in RATES:
        BOTH.same(lambda library, rate=rate: repr(getattr(library, rate)(*pairs)))  # type: ignore[misc]


@pytest.mark.parametrize("function", ["process_words", "process_characters"])
@given(pairs=pairs_of_texts, width=st.sampled_from([None, 1, 12, 40]), all_texts=st.booleans(), measures=st.booleans())
def test_alignments_as_text(
    function: str, pairs: tuple[list[str], list[str]], width: int | None, all_texts: bool, measures: bool
) -> None:
    def drawn(library: Any) -> object:
        output = getattr(library, function)(*pairs)
        return [
            library.visualize_alignment(output, measures, not all_texts, width),
            *map(dict, library.collect_error_counts(output)),
            *(library.visualize_error_counts(output, top_k=top) for top in (None, 0, 1, 2)),
            library.visualize_error_counts(output, not all_texts, measures, all_texts),
        ]

    BOTH.same(drawn)


@given(pairs=pairs_of_texts, composition=st.sampled_from(COMPOSITIONS))
def test_compositions(pairs: tuple[list[str], list[str]], composition: str) -> None:
    def rates(library: Any) -> object:
        transform = getattr(library, composition)
        output = library.process_words(*pairs, transform, transform)
        return shown(output), library.wer(pairs[0][:1], pairs[1], transform, transform)

    BOTH.same(rates)


TRANSFORMS: dict[str, Call] = {
    **{
        name: lambda library, name=name: getattr(library, name)()  # type: ignore[misc]
        for name in jiwer.transforms.__all__
        if name not in {"Compose", "SubstituteRegexes", "SubstituteWords", "RemoveSpecificWords"}
    },
    "Compose": lambda library: library.Compose([library.ToLowerCase(), library.Strip()]),
    "SubstituteRegexes": lambda library: library.SubstituteRegexes({r"\b(\w+)b\b": r"\1", "a": "c"}),
    "SubstituteWords": lambda library: library.SubstituteWords({"a": "b", "'b": r" \g<0>", ".": "?"}),
    "RemoveSpecificWords": lambda library: library.RemoveSpecificWords(["a", "ab"]),
    "RemoveWhiteSpace by space": lambda library: library.RemoveWhiteSpace(replace_by_space=True),
    "ReduceToListOfListOfWords by a": lambda library: library.ReduceToListOfListOfWords("a"),
    "ReduceToSingleSentence by a": lambda library: library.ReduceToSingleSentence(word_delimiter="a"),
}


@pytest.mark.parametrize("name", TRANSFORMS)
@given(inputs=st.one_of(texts, st.lists(texts, max_size=3), st.sampled_from([None, ("a",), 3])))
def test_transforms(name: str, inputs: Any) -> None:
    BOTH.same(lambda library: TRANSFORMS[name](library)(inputs))  # type: ignore[operator]


CONTRACTIONS = "I won't, can't, let's, don't, you're, it's, he'd, we'll, 't, they've, I'm [laugh] <unk> “quoted” – a…b"


@pytest.mark.parametrize("name", TRANSFORMS)
def test_transforms_of_one_sentence(name: str) -> None:
    BOTH.same(lambda library: TRANSFORMS[name](library)([CONTRACTIONS, CONTRACTIONS.upper()]))  # type: ignore[operator]


REFUSED: dict[str, Call] = {
    "no texts": lambda library: library.wer(),
    "nothing to compare with": lambda library: library.wer("a"),
    "tuples": lambda library: library.wer(("a",), ("b",)),
    "a number among the texts": lambda library: library.cer(["a", 3], ["a", "b"]),
    "unequal lengths": lambda library: library.wer(["a", "b"], ["a"]),
    "unequal lengths of characters": lambda library: library.cer(["a", "b"], "a"),
    "a transform that leaves strings": lambda library: library.wer("a", "b", library.Strip(), library.Strip()),
    "a transform of the hypothesis alone": lambda library: library.wer("a", "b", hypothesis_transform=str.split),
    "a transform into numbers": lambda library: library.wer("a", "b", lambda _: [[1]], lambda _: [[1]]),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refusals(name: str) -> None:
    BOTH.same(REFUSED[name])


def test_the_example_of_jiwer() -> None:
    def drawn(library: Any) -> object:
        output = library.process_words(REFERENCES, HYPOTHESES)
        return (
            repr(output),
            library.visualize_alignment(output),
            library.visualize_error_counts(output),
            library.visualize_alignment(library.process_characters(REFERENCES, HYPOTHESES), line_width=20),
        )

    BOTH.same(drawn)


def long_pair(chance: random.Random, kinds: int, lengths: tuple[int, int]) -> list[str]:
    return [" ".join(str(chance.randrange(kinds)) for _ in range(length)) for length in lengths]


@pytest.mark.parametrize("lengths", [(2048, 2047), (2048, 2048), (2600, 3000), (64, 66000), (65, 65000)])
def test_texts_that_rapidfuzz_divides(lengths: tuple[int, int]) -> None:
    """Those whose table of distances takes a mebibyte: divided, they have another of the shortest alignments."""
    pair = long_pair(random.Random(4), 40, lengths)
    BOTH.same(lambda library: shown(library.process_words(*pair)))
    BOTH.same(lambda library: [getattr(library, rate)(*pair) for rate in RATES[:4]])


def test_texts_that_are_divided_twice() -> None:
    chance = random.Random(5)
    words = long_pair(chance, 300, (6000, 0))[0].split()
    noisy = " ".join(word if chance.random() > 0.3 else chance.choice(["", "q", f"{word} z"]) for word in words)
    BOTH.same(lambda library: shown(library.process_words(" ".join(words), noisy)))


def test_texts_that_the_core_splits_by_itself() -> None:
    """Words between spaces are counted without a list of words; all else goes through the transforms."""
    usual = ours.wer_default, ours.wer_default
    assert process.operations_of_strings(["a b"], ["a c"], *usual) == (1, 1, 0, 0)
    assert process.operations_of_strings("a b", "a c", ours.cer_default, ours.cer_default) == (2, 1, 0, 0)
    for reference, hypothesis in (([], []), (["a"], []), (("a",), ("a",)), ([None], ["a"]), (["a\u00a0b"], ["a"])):
        assert process.operations_of_strings(reference, hypothesis, *usual) is None
    dashes = ours.Compose([*ours.wer_default.transforms[:2], ours.ReduceToListOfListOfWords("-")])
    for transform in (ours.wer_contiguous, dashes):
        assert process.operations_of_strings("a b", "a b", transform, transform) is None


def test_alignments_are_found_when_they_are_read() -> None:
    output = ours.process_words(REFERENCES, HYPOTHESES)
    assert "alignments" not in vars(output)
    restored = pickle.loads(pickle.dumps(output))
    assert restored == copy.deepcopy(output) == output
    assert "alignments" in vars(output)
    assert shown(dataclasses.replace(output, wer=0.5))["alignments"] == shown(output)["alignments"]
    with pytest.raises(AttributeError, match="'WordOutput' object has no attribute 'cer'"):
        _ = output.cer


def test_wmt22(wmt22_data: Wmt22) -> None:
    hypotheses = wmt22_data.output("de-en", "Lan-Bridge")[:400]
    references = list(wmt22_data.references("de-en")[0][:400])
    BOTH.same(
        lambda library: shown(library.process_words(references, hypotheses)),
        lambda library: shown(library.process_characters(references, hypotheses)),
        lambda library: [getattr(library, rate)(references, hypotheses) for rate in RATES],
    )
