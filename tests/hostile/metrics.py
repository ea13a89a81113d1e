"""Every metric of the tables under the same hostile inputs.

What is right needs no second implementation of thirty metrics: a character that is renamed wherever it stands must not
move a score, a text against itself is perfect, and what cannot be scored is refused in the same words by all.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from bleuprint import BLEU, LanguageModel, NgramIndex, choose, pairwise
from bleuprint.errors import (
    BareStringError,
    InputError,
    LengthMismatchError,
    NoReferenceError,
    NotTextError,
    SurrogateError,
    TransposedReferencesError,
)
from bleuprint.metrics import (
    BERTScore,
    Contamination,
    Coverage,
    Density,
    Frechet,
    NeuralPerplexity,
    Novelty,
    Perplexity,
)
from tests.hostile.case import Case, Clear, Right
from tests.support.encoders import encoder, letters_model
from tests.support.tables import FITTED_TABLE, MODEL_TABLE, POOL_TABLE, REFERENCE_TABLE

H = ["the quick cat sat on a qqq mat", "a dog barked at the old quay", "yes quite"]
R = ["the quick cat lay on the qq mat", "the dog barked at an old quay", "quite so"]
# One code point each, none of them a blank: the q of the texts becomes it.
CHARACTERS = {
    "nul": "\0",
    "escape": "\x1b",
    "combining-mark": "\u0301",
    "right-to-left": "\u05e9",
    "override": "\u202e",
    "joiner": "\u200d",
    "byte-order-mark": "\ufeff",
    "emoji": "\U0001f469",
    "noncharacter": "\uffff",
    "last": "\U0010ffff",
    "formula": "\uff1d",
}
Texts = list[Any]
Scorer = Callable[[Texts, Any], float]


@dataclass(frozen=True)
class Subject:
    """A metric as a function of hypotheses and references."""

    score: Scorer
    references: bool = True  # whether they are looked at and checked
    renames: bool = True  # whether the names of characters are nothing to it
    perfect: float | None = 1.0  # what a text scores against itself; None where that depends on the text
    aligns: bool = False  # a vector for every letter, and all against all


def options_of(name: str) -> dict[str, Any]:
    """Words between blanks, and none of the options that look at letters."""
    match name:
        case "squad-f1":
            return {"normalizer": None}
        case "chrf" | "cer" | "exact-match" | "contains-match" | "levenshtein-ratio" | "item-bleu":
            return {}
        case "meteor":
            return {"stages": "exact", "gamma": 0.0, "tokenizer": "whitespace", "lowercase": False}
        case "rouge":
            return {"tokenizer": str.split}
        case _:
            return {"tokenizer": "whitespace"}


def of_references(name: str) -> Subject:
    kind = REFERENCE_TABLE[name]

    def score(hypotheses: Texts, references: Any) -> float:
        metric = kind(**options_of(name))
        sources = hypotheses if metric.needs_sources else None
        return float(metric.corpus(hypotheses, references, sources=sources))

    best = 1.0 if kind.higher_is_better else 0.0
    special = name in FITTED_TABLE or kind.needs_sources
    return Subject(score, renames=name != "item-bleu", perfect=None if special else best)


def of_pool(name: str) -> Subject:
    kind: Any = POOL_TABLE[name]

    def score(hypotheses: Texts, references: Any) -> float:
        metric = kind(tokenizer="whitespace")
        if metric.needs_references:
            metric.add_references(references)
        return float(metric.corpus(hypotheses))

    # Bytes are compressed, of which other letters have more.
    return Subject(score, references=False, renames=name != "compression-ratio", perfect=None)


@cache
def small_model() -> LanguageModel:
    return LanguageModel.train([*H, *R], order=3, discount_fallback=True)


@cache
def small_index() -> NgramIndex:
    return NgramIndex.build([*H, *R], max_order=4, tokenizer="whitespace")


def of_texts(metric: Callable[[], Any], *, sources: bool = False) -> Subject:
    """A metric that looks at no references, but at letters or at a model of them."""

    def score(hypotheses: Texts, references: Any) -> float:
        return float(metric().corpus(hypotheses, **({"sources": hypotheses} if sources else {})))

    return Subject(score, references=False, renames=False, perfect=None)


def others() -> dict[str, Subject]:
    """What runs a model, here one of letters, and functions of their own."""
    return {
        "perplexity": of_texts(lambda: Perplexity(lm=small_model())),
        "novelty": of_texts(lambda: Novelty(small_index(), order=2)),
        "contamination": of_texts(lambda: Contamination(small_index(), order=3)),
        "coverage": of_texts(Coverage, sources=True),
        "density": of_texts(Density, sources=True),
        "neural-perplexity": of_texts(lambda: NeuralPerplexity(model=letters_model())),
        "bertscore": Subject(lambda h, r: float(BERTScore(encoder=encoder()).corpus(h, r)), renames=False, aligns=True),
        "pairwise-bleu": Subject(
            lambda h, r: float(pairwise(h, metric=BLEU(tokenizer="whitespace")).sum()), references=False, perfect=None
        ),
        "mbr": Subject(lambda h, r: float(choose([h])[0].index), references=False, perfect=None),
        "frechet": Subject(
            lambda h, r: float(Frechet(encoder=encoder()).corpus(h, r)), references=False, renames=False, perfect=None
        ),
        "language-model": Subject(
            lambda h, r: float(LanguageModel.train(h, order=2, discount_fallback=True).perplexity(h[0])),
            references=False,
            perfect=None,
        ),
    }


SUBJECTS: Mapping[str, Subject] = {
    **{name: of_references(name) for name in REFERENCE_TABLE},
    **{name: of_pool(name) for name in POOL_TABLE},
    **others(),
}
assert set(MODEL_TABLE) <= set(SUBJECTS)


def refused(name: str, subject: Subject) -> list[Case]:
    """What no metric takes."""

    def case(input_name: str, h: Any, r: Any, error: type[Exception] | tuple[type[Exception], ...], *says: str) -> Case:
        return Case(f"{name}/{input_name}", lambda: subject.score(h, r), Clear(error, says))

    cases = [
        case("none-inside", [H[0], None, H[2]], R, NotTextError, "[1]", "None"),
        case("bytes", [H[0], b"a", H[2]], R, NotTextError, "[1]", "bytes"),
        case("number", [H[0], 3.5, H[2]], R, NotTextError, "[1]", "float"),
        case("surrogate", [H[0], H[1], "a \udc80"], R, SurrogateError, "[2]"),
        case("one-string", H[0], R, (BareStringError, NotTextError)),
    ]
    if subject.references:
        cases += [
            case("mismatched", H, R[:2], LengthMismatchError, "3", "2"),
            case("transposed", H, [R], TransposedReferencesError, "zip(*references)"),
            case("no-references", H, [R[0], [], R[2]], NoReferenceError, "references[1]"),
            case("none-reference", H, [R[0], None, R[2]], InputError, "references[1]"),
            case("bytes-reference", H, [R[0], [b"a"], R[2]], NotTextError, "references[1][0]", "bytes"),
            case("surrogate-reference", H, [R[0], "\ud800", R[2]], SurrogateError, "references[1]"),
        ]
    return cases


def finite(subject: Subject, h: Texts, r: Texts) -> Callable[[], object]:
    return lambda: math.isfinite(subject.score(h, r))


def blank(name: str, subject: Subject) -> list[Case]:
    """Nothing to speak of: a number, or an error that says what is missing."""
    inputs: dict[str, tuple[Texts, Texts]] = {
        "empty-lists": ([], []),
        "empty-texts": (["", "", ""], ["", "", ""]),
        "empty-hypotheses": (["", "", ""], R),
        "empty-references": (H, ["", "", ""]),
        "blanks": ([" \t", "\u3000", "\x1c\x85"], ["\u2028", " ", "\xa0"]),
    }
    return [
        Case(f"{name}/{input_name}", finite(subject, h, r), Right(lambda: True), Clear(InputError))
        for input_name, (h, r) in inputs.items()
    ]


def renamed(texts: Texts, character: str) -> Texts:
    return [text.replace("q", character) for text in texts]


def renaming(name: str, subject: Subject) -> list[Case]:
    """Every q becomes something else, and the score stays."""

    def case(label: str, character: str) -> Case:
        h, r = renamed(H, character), renamed(R, character)
        if not subject.renames:
            return Case(f"{name}/{label}", finite(subject, h, r), Right(lambda: True))
        return Case(f"{name}/{label}", lambda: subject.score(h, r), Right(lambda: subject.score(H, R)))

    return [case(label, character) for label, character in CHARACTERS.items()]


def large(name: str, subject: Subject) -> list[Case]:
    """A text against itself: perfect, or at least a number, however long it is."""
    copies = 1 if subject.references and name not in FITTED_TABLE else 2

    def case(label: str, text: Callable[[], str]) -> Case:
        def call() -> object:
            texts = [text()] * copies
            value = subject.score(texts, texts)
            return value if subject.perfect is not None else math.isfinite(value)

        return Case(f"{name}/{label}", call, Right(lambda: True if subject.perfect is None else subject.perfect))

    if name not in {**REFERENCE_TABLE, **POOL_TABLE}:  # a model of letters in Python, or all pairs
        return [case("line-of-100-kb", lambda: "word " * 20_000), case("word-of-100-kb", lambda: "x" * 100_000)]
    return [
        case("line-of-10-mb", lambda: "word " * 2_000_000),
        case("word-of-10-mb", lambda: f"{'x' * 10_000_000} a b c d"),
        case("100000-words", lambda: " ".join(f"w{number}" for number in range(100_000))),
        case("100000-letters", lambda: "a " * 100_000),
    ]


GROUPS: dict[str, list[Case]] = {
    "metrics: refused": [case for name, subject in SUBJECTS.items() for case in refused(name, subject)],
    "metrics: blank": [case for name, subject in SUBJECTS.items() for case in blank(name, subject)],
    "metrics: renamed": [case for name, subject in SUBJECTS.items() for case in renaming(name, subject)],
    "metrics: large": [
        case for name, subject in SUBJECTS.items() if not subject.aligns for case in large(name, subject)
    ],
}
