"""Input that cannot be scored gets an error with the place, what is allowed, what came and the repair."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from bleuprint import BLEU, corpus_bleu, sentence_bleu, sentence_bleus, tokenize
from bleuprint.errors import (
    BareStringError,
    InputError,
    InputWarning,
    LengthMismatchError,
    NoReferenceError,
    NotTextError,
    SurrogateError,
    TransposedReferencesError,
)

HYPOTHESES = ["the cat sat on the mat", "a dog ran home"]
REFERENCES = [["the cat sat on a mat", "the cat lay on the mat"], ["the dog ran home"]]


def rows(hypotheses: Any, references: Any) -> list[list[int]]:
    return [list(map(int, row)) for row in BLEU(tokenizer="whitespace").statistics(hypotheses, references).rows]


EXPECTED = rows(HYPOTHESES, REFERENCES)


def corpus_call(hypotheses: Any, references: Any) -> object:
    return corpus_bleu(hypotheses, references)


def row_call(hypotheses: Any, references: Any) -> object:
    return sentence_bleus(hypotheses, references)


def update_call(hypotheses: Any, references: Any) -> object:
    return BLEU().update(hypotheses, references)


def statistics_call(hypotheses: Any, references: Any) -> object:
    return BLEU().statistics(hypotheses, references)


corpus_calls = pytest.mark.parametrize("call", [corpus_call, row_call, update_call, statistics_call])
Call = Callable[[Any, Any], object]

_DROP = "drop the segment from hypotheses and references, or use '' for an empty reference."
_ONE_TEXT_EACH = "references[i] belongs to hypotheses[i], so both must have the same length."

# error, hypotheses, references, message (whole, or the part that matters)
BAD_CORPORA: list[tuple[type[InputError], object, object, str]] = [
    (
        *(LengthMismatchError, ["a", "b"], ["a"]),
        f"hypotheses has 2 segments but references has 1; {_ONE_TEXT_EACH}",
    ),
    (LengthMismatchError, ["a"], ["a", "b", "c"], "hypotheses has 1 segments but references has 3"),
    (LengthMismatchError, ["a"], [], "hypotheses has 1 segments but references has 0"),
    (LengthMismatchError, [], ["a"], "hypotheses has 0 segments but references has 1"),
    # One list of two tokens is no stream of two texts.
    (LengthMismatchError, [["a"], ["b"]], [["a", "b"]], "hypotheses has 2 segments but references has 1"),
    (
        *(TransposedReferencesError, ["a", "b", "c"], [["a", "b", "c"], ["d", "e", "f"]]),
        "references has 2 lists of 3 texts for 3 hypotheses, so it is transposed; references[i] must hold the "
        "references of hypotheses[i]: pass list(zip(*references)).",
    ),
    (
        TransposedReferencesError,
        ["a", "b"],
        (("a", "b"),),
        "references has 1 lists of 2 texts for 2 hypotheses",
    ),
    (TransposedReferencesError, [["a"], ["b"]], [[["a"], ["b"]]], "references has 1 lists of 2 texts for 2"),
    (
        *(BareStringError, "a b", ["a b"]),
        "hypotheses must be a list with one item per segment, got a single string; "
        "for a single segment, pass [hypotheses] or call the sentence-level function.",
    ),
    (BareStringError, ["a b"], "a b", "references must be a list with one item per segment, got a single string"),
    (BareStringError, b"a b", ["a b"], "hypotheses must be a list"),
    (
        *(NotTextError, ["a", None], ["a", "b"]),
        "hypotheses[1] must be a str, got None; use '' for an empty text, or drop the segment.",
    ),
    (
        *(NotTextError, ["a"], [None]),
        "references[0] must be a str or a list of them, got None; use '' for an empty text, or drop the segment.",
    ),
    (
        *(NotTextError, [b"a"], ["a"]),
        "hypotheses[0] must be a str, got bytes; decode it first: item.decode('utf-8').",
    ),
    (NotTextError, ["a"], [["a", b"b"]], "references[0][1] must be a str, got bytes; decode it first"),
    (
        *(NotTextError, ["a", 3.5], ["a", "b"]),
        "hypotheses[1] must be a str, got float; convert it with str() if it is meant to be text.",
    ),
    (
        NotTextError,
        ["a"],
        [7],
        "references[0] must be a str or a list of them, got int; convert it with str()",
    ),
    (NotTextError, ["a"], [["a", "b", 7]], "references[0][2] must be a str, got int"),
    (
        NotTextError,
        ["a"],
        [{"a": 1}],
        "references[0] must be a str or a list of them, got dict; use list(item)",
    ),
    (
        NotTextError,
        ["a", ["b"]],
        ["a", "b"],
        "hypotheses[1] must be a str, got list; use either strings or token lists for all texts.",
    ),
    (
        *(NotTextError, ["a"], [[["a"]]]),
        "references[0][0] must be a str, got list; token lists need hypotheses that are token lists too.",
    ),
    (
        NotTextError,
        {"a": 1},
        ["a"],
        "hypotheses must be a list of texts, got dict; pass a list, as segments",
    ),
    (
        NotTextError,
        ["a"],
        {"a"},
        "references must be a list of texts, got set; pass a list, as segments need an order.",
    ),
    (NotTextError, ["a"], frozenset("a"), "references must be a list of texts, got frozenset"),
    (NotTextError, 5, ["a"], "hypotheses must be a list of texts, got int"),
    (NotTextError, None, ["a"], "hypotheses must be a list of texts, got NoneType"),
    (
        NotTextError,
        np.array("a"),
        ["a"],
        "hypotheses must be a list of texts, got a zero-dimensional ndarray",
    ),
    (
        *(SurrogateError, ["a", "b \ud800"], ["a", "b"]),
        "hypotheses[1] holds a lone surrogate (U+D800..U+DFFF), which cannot be encoded as "
        "UTF-8; decode the original bytes again, or use text.encode('utf-8', 'replace').decode().",
    ),
    (SurrogateError, ["a"], [["a", "\udfff"]], "references[0][1] holds a lone surrogate"),
    (SurrogateError, [["a", "\ud800"]], [["a"]], "hypotheses[0][1] holds a lone surrogate"),
    (SurrogateError, [["a"]], [[["a"], ["b", "c", "\ud800"]]], "references[0][1][2] holds a lone surrogate"),
    (
        *(NoReferenceError, ["a", "b"], ["a", []]),
        "references[1] holds no reference, but every segment needs at least one that is not None; " + _DROP,
    ),
    (NoReferenceError, ["a"], [[None, None]], "references[0] holds no reference"),
    (NoReferenceError, [["a"], ["b"]], [[["a"]], [None]], "references[1] holds no reference"),
    # Token lists
    (
        *(NotTextError, [["a", None]], [["a"]]),
        "hypotheses[0][1] must be a token (str or int), got None; convert every token to str first.",
    ),
    (NotTextError, [["a"]], [["a", 1.5]], "references[0][1] must be a token (str or int), got float"),
    (NotTextError, [["a"]], [[["a"], [True]]], "references[0][1][0] must be a token (str or int), got bool"),
    (NotTextError, [["a", b"b"]], [["a"]], "hypotheses[0][1] must be a token (str or int), got bytes"),
    (
        *(NotTextError, [["a"], "b"], [["a"], ["b"]]),
        "hypotheses[1] must be a list of tokens, got str; tokenize this too, as the hypotheses are token lists.",
    ),
    (NotTextError, [["a"]], ["a"], "references[0] must be a list of tokens or a list of them, got str"),
    (NotTextError, [["a"], ["b"]], [[["a"]], ["b"]], "references[1][0] must be a list of tokens, got str"),
    (
        NotTextError,
        [["a"], ["b"]],
        [["a"], [["b"]]],
        "references[1][0] must be a token (str or int), got list",
    ),
]


@corpus_calls
@pytest.mark.parametrize(("error", "hypotheses", "references", "message"), BAD_CORPORA)
def test_bad_corpora(call: Call, error: type[InputError], hypotheses: object, references: object, message: str) -> None:
    with pytest.raises(error) as caught:
        call(hypotheses, references)
    assert type(caught.value) is error
    text = str(caught.value)
    assert text.startswith(message)
    assert text.endswith(".")


BAD_SENTENCES: list[tuple[type[InputError], object, object, str]] = [
    (
        *(NotTextError, None, ["a"]),
        "hypothesis must be a str, got None; use '' for an empty text, or drop the segment.",
    ),
    (
        NotTextError,
        b"a",
        ["a"],
        "hypothesis must be a str, got bytes; decode it first: item.decode('utf-8').",
    ),
    (NotTextError, 3, ["a"], "hypothesis must be a str, got int"),
    (NotTextError, "a", None, "references must be a str or a list of them, got None"),
    (NotTextError, "a", b"a", "references must be a str or a list of them, got bytes; decode it first"),
    (NotTextError, "a", ["a", 3], "references[1] must be a str, got int"),
    (NotTextError, "a", ["a", ["b"]], "references[1] must be a str, got list; token lists need hypotheses"),
    (
        *(NotTextError, "a", (text for text in ["a"])),
        "references must be a str or a list of them, got generator; "
        "use list(item) for several texts or str(item) for one.",
    ),
    (NotTextError, "a", {"a"}, "references must be a str or a list of them, got set"),
    (NotTextError, ["a"], "a", "references must be a list of tokens or a list of them, got str"),
    (NotTextError, ["a", 1.5], ["a"], "hypothesis[1] must be a token (str or int), got float"),
    (NotTextError, ["a"], [["a"], ["b", None]], "references[1][1] must be a token (str or int), got None"),
    (SurrogateError, "a \ud83d", ["a"], "hypothesis holds a lone surrogate"),
    (SurrogateError, "a", "\ud83d", "references holds a lone surrogate"),
    (SurrogateError, "a", ["a", "\ud83d"], "references[1] holds a lone surrogate"),
    (SurrogateError, ["a"], [["a", "\ud83d"]], "references[0][1] holds a lone surrogate"),
    (NoReferenceError, "a", [], "references holds no reference"),
    (NoReferenceError, "a", [None], "references holds no reference"),
]


@pytest.mark.parametrize(("error", "hypothesis", "references", "message"), BAD_SENTENCES)
def test_bad_sentences(error: type[InputError], hypothesis: Any, references: Any, message: str) -> None:
    with pytest.raises(error) as caught:
        sentence_bleu(hypothesis, references)
    assert type(caught.value) is error
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(
    ("error", "text", "message"),
    [
        (NotTextError, 3, "text must be a str, got int"),
        (NotTextError, None, "text must be a str, got None"),
        (SurrogateError, "\udc80", "text holds a lone surrogate"),
    ],
)
def test_bad_texts_to_tokenize(error: type[InputError], text: Any, message: str) -> None:
    with pytest.raises(error, match=f"^{message}"):
        tokenize(text)


def test_a_failed_update_changes_nothing() -> None:
    metric = BLEU().update(HYPOTHESES, REFERENCES)
    before = metric.compute().columns
    with pytest.raises(NotTextError):
        metric.update(["a", 3], ["a", "b"])  # type: ignore[list-item]
    assert metric.compute().columns == before


class Word(str):
    __slots__ = ()


def generated(items: list[Any]) -> Iterator[Any]:
    yield from items


@pytest.mark.parametrize(
    ("hypotheses", "references"),
    [
        (tuple(HYPOTHESES), tuple(map(tuple, REFERENCES))),
        (generated(HYPOTHESES), generated(REFERENCES)),
        (map(str, HYPOTHESES), filter(None, REFERENCES)),
        (np.array(HYPOTHESES), REFERENCES),
        (np.array(HYPOTHESES, dtype=object), np.array([*REFERENCES, None], dtype=object)[:2]),
        (dict.fromkeys(HYPOTHESES).keys(), REFERENCES),
        ([Word(text) for text in HYPOTHESES], [[Word(text) for text in group] for group in REFERENCES]),
        (HYPOTHESES, [REFERENCES[0], REFERENCES[1][0]]),
        (HYPOTHESES, [[None, *REFERENCES[0], None], [REFERENCES[1][0], None]]),
        ([text.split() for text in HYPOTHESES], [[text.split() for text in group] for group in REFERENCES]),
        (
            [tuple(text.split()) for text in HYPOTHESES],
            [[None, *(text.split() for text in group)] for group in REFERENCES],
        ),
    ],
    ids=[
        *(
            "tuples",
            "generators",
            "iterators",
            "numpy",
            "numpy objects",
            "keys",
            "str subclass",
            "str and list",
        ),
        *("None entries", "token lists", "token tuples"),
    ],
)
def test_shapes_that_are_the_same_corpus(hypotheses: Any, references: Any) -> None:
    assert rows(hypotheses, references) == EXPECTED


def test_numpy_matrix_of_references() -> None:
    references = [["a b", "a c"], ["b c", "b b"]]
    assert rows(np.array(["a b", "b"]), np.array(references)) == rows(["a b", "b"], references)


@pytest.mark.parametrize("references", [[["a", "b"], ["c"]], [[["a", "b"]], [["c"]]]])
def test_token_lists_are_one_reference_or_several(references: Any) -> None:
    assert BLEU(max_order=2).corpus([["a", "b"], ["c"]], references).value == 1.0


def test_token_lists_may_begin_with_empty_ones() -> None:
    assert rows([[], ["a"]], [[], ["a"]]) == rows(["", "a"], ["", "a"])
    assert rows([[], ["a"]], [[[]], [["a"], []]]) == rows(["", "a"], [[""], ["a", ""]])


def test_numbers_are_tokens_of_their_own() -> None:
    metric = BLEU(max_order=1)
    mixed: list[str | int] = ["7", 7, 2**80]
    assert metric.sentence([7, "7", 2**80], mixed).matches == (3,)
    assert metric.sentence([7], [["7"]]).matches == (0,)
    numbers: Any = [np.int64(7), np.uint8(7)]
    assert metric.sentence(numbers, [[7, 7]]).matches == (2,)
    huge = 10**5000  # more digits than the interpreter writes in decimal
    assert metric.sentence([huge, -huge], [huge, huge + 1]).matches == (1,)


class RaisingIndex:
    def __index__(self) -> int:
        raise ZeroDivisionError("no number today")


def test_an_error_inside_a_token_reaches_the_caller() -> None:
    with pytest.raises(ZeroDivisionError, match="no number today"):
        BLEU().corpus([[RaisingIndex()]], [["a"]])  # type: ignore[list-item]


@pytest.mark.parametrize(
    ("hypotheses", "references"),
    [([""], [""]), ([""], ["a"]), (["a"], [""]), ([" \n "], ["\t"]), ([[]], [[]])],
)
def test_empty_texts_are_legal_and_score_zero(hypotheses: Any, references: Any) -> None:
    score = corpus_bleu(hypotheses, references)
    assert score.value == 0.0
    assert sentence_bleus(hypotheses, references).tolist() == [0.0] * len(hypotheses)


def test_an_empty_reference_counts_as_a_reference() -> None:
    score = sentence_bleu("a", ["", "a b c"])
    assert score.reference_length == 0
    assert score.references == 2
    assert sentence_bleu("a", [None, "a b c", None]).references == 1


def test_a_list_changed_by_a_tokenizer_on_the_way() -> None:
    """A plug-in may do anything, the core reads a snapshot."""
    hypotheses = ["a b", "c d", "e f"]

    def clearing(text: str) -> list[str]:
        hypotheses.clear()
        return text.split()

    assert len(BLEU(tokenizer=clearing).statistics(hypotheses, ["a b", "c d", "e f"])) == 3


def test_references_without_a_token_are_warned_of() -> None:
    with pytest.warns(InputWarning, match=r"references: none has a token \(\[\[\]\] is one empty reference\)"):
        assert sentence_bleu(["a", "b"], [[]]).value == 0.0
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        corpus_bleu([["a"], ["b"]], [[[]], [["b"]]])
        corpus_bleu([[0, 0]], [[[0, 0]]])
