"""Cases of shape, type, alphabet and parameters: a call each, over strings and over tokens."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

from bleuprint import IBLEU, self_bleu
from bleuprint.errors import (
    BareStringError,
    InputError,
    LengthMismatchError,
    NoReferenceError,
    NoSegmentsError,
    NotTextError,
    OptionError,
    PoolError,
    SurrogateError,
    TransposedReferencesError,
)
from tests.hostile.apis import APIS, Api, Made, both, clear, expected_bleu, right
from tests.hostile.case import Case, Right
from tests.kernels.twins import bleu, pool

H = ["the cat sat on the mat", "a dog barked at the old tree"]
R = [["the cat sat on a mat"], ["a dog barked at that old tree", "the dog barked at the tree"]]
ONE = [["the cat sat on a mat"], ["a dog barked at that old tree"]]
TOKENS = APIS[1]


class Text(str):
    """A str that is more than one."""


def scored(hypotheses: Callable[[Api], Any], references: Callable[[Api], Any] | None = None) -> Callable[[Api], Made]:
    """The corpus of R in another shape, which must not change its score."""
    return lambda api: (
        lambda: api.bleu(hypotheses(api), references(api) if references else api.references(R)),
        Right(lambda: expected_bleu(H, R)),
    )


def refused(
    hypotheses: Callable[[Api], Any], error: type[Exception] | tuple[type[Exception], ...], *says: str
) -> Callable[[Api], Made]:
    return clear(lambda api: api.bleu(hypotheses(api), api.references(R)), error, *says)


def references_refused(
    references: Callable[[Api], Any], error: type[Exception] | tuple[type[Exception], ...], *says: str
) -> Callable[[Api], Made]:
    return clear(lambda api: api.bleu(api.texts(H), references(api)), error, *says)


CONTROL = both(
    {
        "perfect": right(H, [[text] for text in H]),
        "partial": right(H, ONE),
        "disjoint": right(["x y z w v", "u"], R),
        "several-references": right(H, R),
    }
)

SHAPE = both(
    {
        "empty-lists": clear(lambda api: api.bleu([], []), NoSegmentsError, "no segments"),
        "empty-hypothesis": right(["", H[1]], R),
        "empty-reference": right(H, [[""], ["a dog"]]),
        "empty-pair": right(["", ""], [[""], [""]]),
        "blanks-only": right([" \t\u3000 ", H[1]], R),
        # An empty list of tokens is an empty text, so there the absent reference is None.
        "no-refs": references_refused(
            lambda api: [[None] if api.tokenized else []] * 2, NoReferenceError, "references[0]"
        ),
        "no-refs-second": references_refused(lambda api: [api.texts(R[0]), []], NoReferenceError, "references[1]"),
        "fewer-references": references_refused(
            lambda api: [api.texts(R[0])], LengthMismatchError, "hypotheses has 2", "references has 1"
        ),
        "more-references": references_refused(
            lambda api: api.references([*R, R[0]]), LengthMismatchError, "references has 3"
        ),
        "transposed-references": references_refused(
            lambda api: [api.texts(H), api.texts(H), api.texts(H)], TransposedReferencesError, "list(zip(*references))"
        ),
        "flat-references": lambda api: (
            lambda: api.bleu(api.texts(H), api.texts([group[0] for group in ONE])),
            Right(lambda: expected_bleu(H, ONE)),
        ),
        "none-hypothesis": refused(lambda api: [api.text(H[0]), None], NotTextError, "hypotheses[1]", "None"),
        "none-references": references_refused(lambda api: [api.texts(R[0]), None], InputError, "references[1]", "None"),
        "none-among-references": scored(
            lambda api: api.texts(H), lambda api: [[*api.texts(group), None] for group in R]
        ),
        "one-string": clear(lambda api: api.bleu(H[0], api.references(R)), BareStringError, "hypotheses"),
    }
)

NO_TEXT = (NotTextError,)
TYPES = [
    *both(
        {
            "bytes-segment": refused(lambda api: [api.text(H[0]), b"a dog"], NO_TEXT, "hypotheses[1]", "bytes"),
            "bytes-reference": references_refused(
                lambda api: [api.texts(R[0]), [b"a dog"]], NO_TEXT, "references[1][0]", "bytes"
            ),
            "int-segment": refused(lambda api: [api.text(H[0]), 7], NO_TEXT, "hypotheses[1]", "int"),
            "nan-segment": refused(lambda api: [api.text(H[0]), math.nan], NO_TEXT, "hypotheses[1]", "NaN"),
            "bool-segment": refused(lambda api: [api.text(H[0]), True], NO_TEXT, "hypotheses[1]", "bool"),
            "generators": scored(lambda api: iter(api.texts(H)), lambda api: iter(api.references(R))),
            "tuples": scored(
                lambda api: tuple(api.text(text) if not api.tokenized else tuple(text.split()) for text in H),
                lambda api: tuple(tuple(api.texts(group)) for group in R),
            ),
            "numpy-strings": scored(
                lambda api: np.array(H) if not api.tokenized else [np.array(text.split()).tolist() for text in H]
            ),
            "numpy-objects": scored(
                lambda api: (
                    np.array(H, dtype=object)
                    if not api.tokenized
                    else np.array([*map(str.split, H), 0], dtype=object)[:2]
                )
            ),
            "pandas-series": scored(lambda api: pd.Series(api.texts(H)), lambda api: pd.Series(api.references(R))),
            "str-subclass": scored(
                lambda api: [Text(text) if not api.tokenized else [*map(Text, text.split())] for text in H]
            ),
            "set-input": refused(lambda api: set(H), NO_TEXT, "hypotheses", "set", "order"),
            "dict-input": refused(lambda api: dict.fromkeys(H, 1), NO_TEXT, "hypotheses", "dict", "order"),
            "mixed-kinds": refused(
                lambda api: [api.text(H[0]), H[1] if api.tokenized else H[1].split()], NO_TEXT, "hypotheses[1]"
            ),
            "any-object": refused(lambda api: [api.text(H[0]), object()], NO_TEXT, "hypotheses[1]", "object"),
        }
    ),
    *both(
        {
            "str-for-tokens": clear(
                lambda api: api.bleu(api.texts(H), [group[0] for group in R]),
                NO_TEXT,
                "references[0]",
                "tokenize this too",
            ),
            "int-tokens": lambda api: (
                lambda: api.bleu([[7, 8, 9, 2**70, 5]], [[[7, 8, 9, 2**70, 5]]]),
                Right(lambda: expected_bleu(["7 8 9 big 5"], [["7 8 9 big 5"]])),
            ),
            "none-token": clear(lambda api: api.bleu([["a", None]], [[["a"]]]), NO_TEXT, "hypotheses[0][1]", "None"),
            "bytes-token": clear(lambda api: api.bleu([["a"]], [[["a", b"b"]]]), NO_TEXT, "references[0][0][1]"),
        },
        [TOKENS],
    ),
]


def alike(text: str, other: str) -> Callable[[Api], Made]:
    """Both, in both orders, against two references that hold both."""
    return right([text, f"{other} x {text}", text], [[text], [text, other], [other]])


UNICODE = both(
    {
        "surrogate-hypothesis": refused(lambda api: api.texts([H[0], "a \ud800"]), SurrogateError, "hypotheses[1]"),
        "surrogate-reference": references_refused(
            lambda api: api.references([R[0], ["a", "\udfff"]]), SurrogateError, "references[1][1]"
        ),
        "nul": alike("a\0b c\0 \0d e f", "a\0c c d e f"),
        "line-separators": alike("a\u2028b c\x85d e\x0bf\x0c g", "a b c d e f g"),
        "no-break-spaces": alike("a\xa0b c\u202fd e\u2007f", "a b c d e f"),
        "zero-width": alike("a\u200bb c\u200d d\ufeff e f", "ab c d e f"),
        "combining-marks": alike("e" + "\u0301" * 5000 + " a b c d", "e\u0301 a b c d"),
        "composed-and-decomposed": alike("\u00e9 caf\u00e9 a b c", "e\u0301 cafe\u0301 a b c"),
        "right-to-left": alike("مرحبا بالعالم \u202eabc\u202c שלום עולם", "שלום עולם مرحبا بالعالم"),
        "emoji-sequences": alike("👩‍👩‍👧 🏳️‍🌈 👍🏽 🇩🇪🇫🇷 ok", "👩 🏳️ 👍 🇩🇪 ok"),
        "astral-scripts": alike("𐐨𐐩 𞤢𞤣 𝒳𝒴 𠀀𠀁 x", "𐐨𐐪 𞤢𞤣 𝒳𝒵 𠀀𠀂 x"),
        "control-characters": alike("\x01a \x1b[31mb \x7fc \x9bd e", "a b c d e"),
        "noncharacters": alike("\uffff \U0010ffff \ufffe \ufdd0 a", "\ufffd \U0010fffe a b c"),
        "storage-widths": right(
            ["a b c d é", "a b c d 漢", "a b c d 😀"], [["a b c d é"], ["a b c d 漢", "a"], ["a b c d 😀"]]
        ),
    }
)


def option(**options: Any) -> Callable[[Api], object]:
    return lambda api: api.bleu(api.texts(H), api.references(R), **options)


def refused_option(name: str, value: object, *, says: str = "") -> Callable[[Api], Made]:
    return clear(option(**{name: value}), OptionError, f"{name} must be", says or repr(value))


def with_alpha(alpha: float) -> Callable[[Api], Made]:
    return clear(
        lambda api: IBLEU(alpha=alpha).corpus(api.texts(H), api.references(R), sources=api.texts(H)),
        OptionError,
        "alpha must be a number from 0 to 1",
    )


PARAMETERS = both(
    {
        **{
            f"order-{name}": refused_option("max_order", value)
            for name, value in {"0": 0, "neg": -1, "2.5": 2.5, "1000": 1000, "1e9": 10**9, "true": True}.items()
        },
        "weights-nan": refused_option("weights", (math.nan, 0.5, 0.25, 0.25)),
        "weights-neg": refused_option("weights", (-0.5, 0.5, 0.5, 0.5)),
        "weights-sum-2": refused_option("weights", (0.5,) * 4),
        "weights-short": refused_option("weights", (0.5, 0.5)),
        "weights-int": lambda api: (
            lambda: api.bleu(api.texts(H), api.references(ONE), max_order=2, weights=(1, 0)),
            Right(lambda: weighted_on_words(H, ONE)),
        ),
        **{f"{name}-unknown": refused_option(name, "banana") for name in ("smoothing", "tokenizer", "profile")},
        "threads-0": refused_option("threads", 0),
        "alpha-neg": with_alpha(-0.1),
        "alpha-gt1": with_alpha(1.1),
        "alpha-nan": with_alpha(math.nan),
    }
)


def weighted_on_words(hypotheses: list[str], references: list[list[str]]) -> tuple[tuple[int, ...], float]:
    """All weight on the words and none on the pairs."""
    columns, _ = expected_bleu(hypotheses, references, 2)
    sums = bleu.Sums(columns[0], columns[1], columns[2:4], columns[4:])
    return columns, bleu.bleu(sums, bleu.Rules(method="none", weights=[1.0, 0.0]))


def expected_self_bleu(texts: list[str], order: int) -> list[float]:
    """Every text against all others, one after the other."""
    tokens = [text.split() for text in texts]
    matches = pool.leave_one_out(tokens, order)
    lengths = pool.leave_one_out_lengths(tokens)
    rules = bleu.Rules(method="floor", value=0.1, weights=[1 / order] * order)
    scores = []
    for text, found, length in zip(tokens, matches, lengths, strict=True):
        totals = [max(1, len(text) - n) for n in range(order)]  # an order that a text is too short for is 0 of 1
        scores.append(bleu.bleu(bleu.Sums(len(text), length, found, totals), rules))
    return scores


def self_bleu_of(texts: list[str], order: int = 3) -> Callable[[Api], Made]:
    return lambda api: (
        lambda: self_bleu(api.texts(texts), max_order=order, tokenizer="whitespace").per_text.tolist(),
        Right(lambda: expected_self_bleu(texts, order)),
    )


def too_few(texts: list[str]) -> Callable[[Api], Made]:
    return clear(lambda api: self_bleu(api.texts(texts)), PoolError, "at least 2", f"got {len(texts)}")


MIXED = ["a b c d e f g h", "a", "a b", "c d e", "a b c d e f g h i j k l m n o p", "x y z", "b c d"]
SELF_BLEU = both(
    {
        "selfbleu-mixed-lengths": self_bleu_of(MIXED),
        "selfbleu-two": self_bleu_of(MIXED[:2]),
        "selfbleu-one": too_few(["a b c"]),
        "selfbleu-zero": too_few([]),
        "selfbleu-duplicates": self_bleu_of([*MIXED, *MIXED[:3], MIXED[0]]),
        "selfbleu-empty-texts": self_bleu_of(["", "a b c", "", "a b c d", " "]),
    }
)

GROUPS: dict[str, list[Case]] = {
    "control": CONTROL,
    "shape": SHAPE,
    "types": TYPES,
    "unicode": UNICODE,
    "parameters": PARAMETERS,
    "Self-BLEU": SELF_BLEU,
}
