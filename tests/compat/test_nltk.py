"""NLTK 3.10 and what stands in for it: one table of calls, made of both, answered alike."""

from __future__ import annotations

import importlib
import random
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleuprint.compat import nltk as flat
from bleuprint.errors import NoReferenceError, OptionError
from tests.compat.sides import Call, Sides, outcome, parameters
from tests.parity.corpora import Tokens, random_tokens, token_corpora
from tests.support.wmt22 import Wmt22

MODULES = ("bleu_score", "gleu_score", "chrf_score", "nist_score")


class Library:
    """The modules of one side by name."""

    def __init__(self, package: str) -> None:
        for name in (*MODULES, "meteor_score"):
            setattr(self, name, importlib.import_module(f"{package}.{name}"))

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(name)


BOTH = Sides(Library("bleuprint.compat.nltk"), Library("nltk.translate"))
OURS, THEIRS = BOTH


def words(text: str) -> list[str]:
    return text.split()


ONE = words("It is a guide to action which ensures that the military always obeys the commands of the party")
TWO = words("he read the book because he was interested in world history")
GUIDE = words("It is a guide to action that ensures that the military will forever heed Party commands")
ARMY = words("It is the practical guide for the army always to heed the directions of the party")
BOOK = words("he was interested in world history because he read the book")
GROUPS, TEXTS = [[GUIDE, ARMY], [BOOK]], [ONE, TWO]
LINES = ["a bird behind the stone .", "a bird is on the rock ."]
WEIGHTS: list[Any] = [
    (0.25, 0.25, 0.25, 0.25),
    (1.0,),
    (0.5, 0.5),
    (0.1, 0.3, 0.5, 0.1),
    (0.2,) * 5,
    [0.25] * 4,
    [(0.5, 0.5), (0.25,) * 4],
    (0.05,) * 20,
]


def halved(p_n: Sequence[Any], references: Any, hypothesis: Any, hyp_len: int, **_: Any) -> list[float]:
    """A smoothing function as users write them."""
    return [(p.numerator + 0.5 * len(references)) / (p.denominator + hyp_len + len(hypothesis)) for p in p_n]


def methods(library: Any) -> list[Callable[..., Any] | None]:
    usual, other = library.bleu_score.SmoothingFunction(), library.bleu_score.SmoothingFunction(0.3, 2, 3)
    numbered = [getattr(smoothing, f"method{number}") for smoothing in (usual, other) for number in range(8)]
    return [None, *numbered, halved]


def smoothed(texts: list[list[Any]], groups: list[list[list[Any]]]) -> Call:
    def score(library: Any, weights: Any, method: Any, reweigh: bool) -> str:
        return str(outcome(lambda n: n.bleu_score.corpus_bleu(groups, texts, weights, method, reweigh), library))

    return lambda library: [
        score(library, weights, method, reweigh)
        for weights in WEIGHTS
        for method in methods(library)
        for reweigh in (False, True)
    ]


TABLE: dict[str, Call] = {
    "every method, weights": smoothed(TEXTS, GROUPS),
    "every method, short texts": smoothed([["a"], ["b", "c"]], [[["a"]], [["c", "b"], ["c"]]]),
    "every method, the last is short": smoothed([ONE, ["the"]], [[GUIDE], [["the", "party"]]]),
    "every method, nothing matches": smoothed([["a", "b"]], [[["c"]]]),
    "every method, no words": smoothed([[]], [[["c"]]]),
    "sentence_bleu": lambda n: n.bleu_score.sentence_bleu([GUIDE, ARMY], ONE),
    "sentence_bleu of strings": lambda n: n.bleu_score.sentence_bleu(["the cat", "a cat"], "the cats"),
    "sentence_bleu of tuples": lambda n: n.bleu_score.sentence_bleu((tuple(GUIDE),), tuple(ONE)),
    "sentence_bleu of numbers": lambda n: n.bleu_score.sentence_bleu([[1, 2.0, True, None]], [True, 2, 1.0, None]),
    "sentence_bleu of lists": lambda n: n.bleu_score.sentence_bleu([[["a"]]], [["a"]]),
    "modified_precision": lambda n: [
        repr(getattr(n.bleu_score.modified_precision([GUIDE, ARMY], ONE, order), part))
        for order in (1, 2, 3, 4, 5, 16, 17, 255)
        for part in ("numerator", "denominator")
    ],
    "float of a precision": lambda n: float(n.bleu_score.modified_precision([GUIDE], ONE, 2)),
    "closest_ref_length": lambda n: n.bleu_score.closest_ref_length([["a"] * 3, ["a"] * 5], 4),
    "no length": lambda n: n.bleu_score.closest_ref_length([], 4),
    "brevity_penalty": lambda n: [n.bleu_score.brevity_penalty(r, c) for r in range(4) for c in range(4)],
    "unequal lengths": lambda n: n.bleu_score.corpus_bleu(GROUPS, TEXTS[:1]),
    "no hypotheses": lambda n: n.bleu_score.corpus_bleu([], []),
    "sentence_gleu": lambda n: n.gleu_score.sentence_gleu([GUIDE, ARMY], ONE),
    "corpus_gleu": lambda n: [n.gleu_score.corpus_gleu(GROUPS, TEXTS, low, 4) for low in (1, 2, 4)],
    "gleu of nothing": lambda n: [n.gleu_score.corpus_gleu([[]], [[]]), n.gleu_score.sentence_gleu([[]], [])],
    "gleu, unequal lengths": lambda n: n.gleu_score.corpus_gleu([], TEXTS),
    "sentence_chrf": lambda n: n.chrf_score.sentence_chrf(GUIDE, ONE),
    "sentence_chrf of strings": lambda n: n.chrf_score.sentence_chrf("the cat sat", "a cat sat", 1, 6, 3.0, False),
    "corpus_chrf": lambda n: n.chrf_score.corpus_chrf([GUIDE, BOOK], TEXTS, min_len=2, max_len=3, beta=1.0),
    "chrf of nothing": lambda n: n.chrf_score.sentence_chrf("", ""),
    "chrf without hypotheses": lambda n: n.chrf_score.corpus_chrf([], []),
    "chrf, unequal lengths": lambda n: n.chrf_score.corpus_chrf([], TEXTS),
    "nist, unequal lengths": lambda n: n.nist_score.corpus_nist([], TEXTS),
    "meteor of a str": lambda n: n.meteor_score.meteor_score([ONE], "a b"),
    "meteor against a str": lambda n: n.meteor_score.meteor_score(["a b"], ONE),
}


@pytest.mark.parametrize("name", TABLE)
def test_the_table(name: str) -> None:
    BOTH.same(TABLE[name])


@pytest.mark.parametrize("module", MODULES)
def test_functions_take_the_same(module: str) -> None:
    ours, theirs = (getattr(side, module) for side in BOTH)
    Sides(ours, theirs).same_parameters(*({*ours.__all__} - {"Fraction", "SmoothingFunction"}))


def test_meteor_takes_the_same() -> None:
    """But for the defaults, which are None here: what NLTK loads, this package has."""
    for name in OURS.meteor_score.__all__:
        ours, theirs = (parameters(getattr(side.meteor_score, name)) for side in (OURS, THEIRS))
        assert [entry[:2] for entry in ours] == [entry[:2] for entry in theirs]
        differing = {o[0] for o, t in zip(ours, theirs, strict=True) if o[2] != t[2]}
        assert differing == {"stemmer", "wordnet"} & {entry[0] for entry in ours}


def test_flat_names() -> None:
    assert flat.bleu is flat.sentence_bleu is OURS.bleu_score.sentence_bleu
    assert flat.meteor is OURS.meteor_score.meteor_score
    assert flat.gleu is flat.sentence_gleu


@pytest.mark.parametrize(
    "call",
    [
        lambda: flat.sentence_bleu([["a", "b", "c"]], ["a", "b", "c"]),
        lambda: flat.corpus_bleu([[["a", "b", "c"]]], [["a", "b", "c"]]),
    ],
)
def test_warnings_point_at_the_caller(call: Callable[[], Any]) -> None:
    with pytest.warns(UserWarning, match="0 counts of 4-gram overlaps") as caught:
        call()
    assert [item.filename for item in caught] == [__file__]


@given(corpus=token_corpora(), weights=st.sampled_from(WEIGHTS), number=st.integers(0, 17))
def test_any_corpus(corpus: Tokens, weights: Any, number: int) -> None:
    groups, texts = corpus.references, corpus.hypotheses
    BOTH.same(lambda n: n.bleu_score.corpus_bleu(groups, texts, weights, methods(n)[number]))


def test_odd_corpora() -> None:
    chooser = random.Random(5)
    for _ in range(1000):
        texts, groups = random_tokens(chooser)
        weights, number = chooser.choice(WEIGHTS[:-1]), chooser.randrange(18)  # method6 squares: 20 orders take long
        BOTH.same(
            lambda n: n.bleu_score.corpus_bleu(groups, texts, weights, methods(n)[number]),  # noqa: B023
            lambda n: n.gleu_score.corpus_gleu(groups, texts),  # noqa: B023
        )


def test_chrf_of_odd_corpora() -> None:
    chooser = random.Random(9)
    for _ in range(60):  # NLTK takes 20 ms for each
        texts, groups = random_tokens(chooser)
        first, whole = [group[0] for group in groups], chooser.random() < 0.5
        BOTH.same(lambda n: n.chrf_score.corpus_chrf(first, texts, 1, 6, 3.0, whole))  # noqa: B023


def test_chrf_keeps_the_separators_that_are_not_white_space_in_unicode() -> None:
    """NLTK 3.10 does not remove U+001C to U+001F; str.isspace() includes them."""
    odd = "a\x1cb\x1d c\x1e\x1fd"
    for hypothesis, whole in ((odd, True), (odd, False), ("ab cd", True), ("a\u00a0b\u0085c\u3000d", True)):
        BOTH.same(lambda n: n.chrf_score.sentence_chrf("ab cd", hypothesis, 1, 6, 3.0, whole))  # noqa: B023
    assert OURS.chrf_score.sentence_chrf("ab cd", "ab\x1ccd") < 1


@given(texts=st.lists(st.text(st.sampled_from("ab \x1c\x1f\u2028\u00a0"), max_size=8), min_size=2, max_size=2))
def test_chrf_of_odd_characters(texts: list[str]) -> None:
    BOTH.same(lambda n: n.chrf_score.sentence_chrf(*texts))


def test_nist() -> None:
    """To 9 digits, as the core keeps information in units of 2⁻⁴⁰; of several references NLTK takes the one that float
    rounding favours, so here is one."""
    chooser = random.Random(6)
    compared = 0
    for _ in range(300):
        (texts, several), order = random_tokens(chooser), chooser.choice([1, 2, 5])
        groups = [group[:1] for group in several]
        ours, theirs = BOTH.outcomes(lambda n: n.nist_score.corpus_nist(groups, texts, order))  # noqa: B023
        if theirs.error:
            assert ours.error is not None
            assert ours.error[0] == theirs.error[0] == "ZeroDivisionError"
        else:
            assert ours.value == pytest.approx(theirs.value, rel=1e-9, abs=1e-9)
            compared += 1
    assert compared > 150


@pytest.mark.parametrize("references", [[[[]]], [[[], []]], [[[]], [[]]], [[[], ["a"]]], [[[]], [["a"]]]])
def test_nist_with_empty_references(references: list[list[list[str]]]) -> None:
    texts = [["a", "b", "c", "d", "e"]] * len(references)
    ours, theirs = BOTH.outcomes(lambda n: n.nist_score.corpus_nist(references, texts))
    assert ours.value == theirs.value
    assert (ours.error and ours.error[0]) == (theirs.error and theirs.error[0])


@pytest.mark.parametrize("name", ["stemmer", "wordnet"])
def test_meteor_has_the_stemmer_and_the_wordnet_of_nltk(name: str) -> None:
    assert flat.meteor([["the", "child"]], ["the", "kid"]) == pytest.approx(0.9375)
    with pytest.raises(OptionError, match=f"^{name} must be None here"):
        flat.meteor([["the", "child"]], ["the", "kid"], **dict[str, Any]({name: object()}))


def test_a_segment_without_references_is_refused() -> None:
    """NLTK fails there too, with a KeyError of its own."""
    with pytest.raises(NoReferenceError, match=r"references\[1\]"):
        flat.corpus_bleu([[["a"]], []], [["a"], ["b"]])


@pytest.mark.parametrize("orders", [(0, 4), (3, 2)])
def test_orders_that_there_are_not(orders: tuple[int, int]) -> None:
    with pytest.raises(OptionError, match="_len must be"):
        flat.sentence_gleu([["a"]], ["a"], *orders)
    with pytest.raises(OptionError, match="_len must be"):
        flat.sentence_chrf("a", "a", *orders)


def test_wmt22(wmt22_data: Wmt22) -> None:
    texts = [line.split() for line in wmt22_data.output("en-de", wmt22_data.systems("en-de")[0])[:400]]
    groups = [[line.split() for line in group] for group in zip(*wmt22_data.references("en-de"), strict=True)][:400]

    def scores(library: Any) -> object:
        smooth = library.bleu_score.SmoothingFunction()
        return [
            library.bleu_score.corpus_bleu(groups, texts),
            *(
                library.bleu_score.sentence_bleu(group, text, smoothing_function=smooth.method1)
                for group, text in zip(groups, texts, strict=True)
            ),
            library.gleu_score.corpus_gleu(groups, texts),
            library.chrf_score.corpus_chrf([group[0] for group in groups], texts),
        ]

    BOTH.same(scores)


@pytest.mark.parametrize("orders", [17, 255])
def test_orders_up_to_what_the_core_counts(orders: int) -> None:
    text = [f"word{number % 7}" for number in range(2 * orders)]
    others = [[*text[:30], "other", *text[31:]], text[5:]]
    arguments = [others, [*text[3:], "end"]]
    weights = (1 / orders,) * orders
    theirs = THEIRS.bleu_score.sentence_bleu(*arguments, weights=weights)
    assert OURS.bleu_score.sentence_bleu(*arguments, weights=weights) == pytest.approx(theirs, rel=1e-12)
    assert 0 < theirs < 1


@pytest.mark.parametrize("order", [0, 256])
def test_orders_that_the_core_does_not_count(order: int) -> None:
    with pytest.raises(OptionError, match="n must be an integer from 1 to 255"):
        OURS.bleu_score.modified_precision([["a"]], ["a"], order)
    if order:
        with pytest.raises(OptionError, match="n must be an integer from 1 to 255"):
            OURS.bleu_score.sentence_bleu([["a"]], ["a"], weights=(1 / order,) * order)
