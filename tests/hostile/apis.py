"""The two ways in, strings and lists of tokens, with BLEU as its definition reads beside them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bleuprint import corpus_bleu
from tests.hostile.case import Case, Clear, Expectation, Right
from tests.kernels.twins import bleu
from tests.kernels.twins import clipped as ngrams

PLAIN = {"tokenizer": "whitespace", "smoothing": "none"}


@dataclass(frozen=True)
class Api:
    """How texts are handed over."""

    name: str
    tokenized: bool

    def text(self, text: str) -> Any:
        return text.split() if self.tokenized else text

    def texts(self, texts: Sequence[str]) -> list[Any]:
        return [self.text(text) for text in texts]

    def references(self, groups: Sequence[Sequence[str]]) -> list[Any]:
        return [self.texts(group) for group in groups]

    def bleu(self, hypotheses: Any, references: Any, **options: Any) -> tuple[tuple[int, ...], float]:
        """What was counted, and the score of it."""
        score = corpus_bleu(hypotheses, references, **{**PLAIN, **options})
        return tuple(score.columns), score.value


APIS = (Api("string", tokenized=False), Api("token", tokenized=True))
Made = tuple[Callable[[], object], Expectation]


def expected_bleu(
    hypotheses: Sequence[str], references: Sequence[Sequence[str]], max_order: int = 4
) -> tuple[tuple[int, ...], float]:
    """The same by counting runs of words, in exact fractions up to the geometric mean."""
    rows = [
        ngrams.row(hypothesis.split(), [reference.split() for reference in group], max_order)
        for hypothesis, group in zip(hypotheses, references, strict=True)
    ]
    columns = tuple(map(sum, zip(*rows, strict=True))) if rows else (0,) * (2 + 2 * max_order)
    sums = bleu.Sums(columns[0], columns[1], columns[2 : 2 + max_order], columns[2 + max_order :])
    return columns, bleu.bleu(sums, bleu.Rules(method="none", weights=[1 / max_order] * max_order))


def both(cases: Mapping[str, Callable[[Api], Made]], apis: Sequence[Api] = APIS) -> list[Case]:
    """Every case for strings and for tokens."""
    return [Case(f"{api.name}/{name}", *make(api)) for name, make in cases.items() for api in apis]


def right(hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> Callable[[Api], Made]:
    """These texts score as the definition says."""
    return lambda api: (
        lambda: api.bleu(api.texts(hypotheses), api.references(references)),
        Right(lambda: expected_bleu(hypotheses, references)),
    )


def clear(
    call: Callable[[Api], object], error: type[Exception] | tuple[type[Exception], ...], *says: str
) -> Callable[[Api], Made]:
    """The call is refused, in these words."""
    return lambda api: (lambda: call(api), Clear(error, says))
