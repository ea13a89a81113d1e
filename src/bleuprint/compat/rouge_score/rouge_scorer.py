"""RougeScorer: precision, recall and F of ROUGE-N, ROUGE-L and ROUGE-Lsum."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from bleuprint.compat.rouge_score import scoring
from bleuprint.compat.rouge_score.tokenizers import DefaultTokenizer, Tokenizer
from bleuprint.core.counts import Fault
from bleuprint.errors import MissingExtraError
from bleuprint.metrics import ROUGE

__all__ = ["RougeScorer"]

_LINES = "rougeLsum"
_new = tuple.__new__


class RougeScorer(scoring.BaseScorer):
    """Scores a prediction against its target, under the names in `rouge_types`.

    >>> RougeScorer(["rouge1"]).score("the cat sat", "the cat")["rouge1"]
    Score(precision=1.0, recall=0.6666666666666666, fmeasure=0.8)

    - `use_stemmer`: apply the Porter stemmer; for the default tokenizer only
    - `split_summaries`: split texts into sentences for rougeLsum with NLTK's sent_tokenize, which needs NLTK
    - `tokenizer`: an object with a method `tokenize`
    """

    def __init__(
        self,
        rouge_types: Sequence[str],
        use_stemmer: bool = False,
        split_summaries: bool = False,
        tokenizer: Tokenizer | None = None,
    ) -> None:
        self.rouge_types = rouge_types
        self._tokenizer = tokenizer or DefaultTokenizer(use_stemmer)
        self._split_summaries = split_summaries

    def score(self, target: str, prediction: str) -> dict[str, scoring.Score]:
        """The scores against one target."""
        return self.score_multi([target], prediction)

    def score_multi(self, targets: Sequence[str], prediction: str) -> dict[str, scoring.Score]:
        """For each type, the scores against the target with the highest F."""
        types = _checked(tuple(self.rouge_types))
        tokenizer = self._tokenizer
        native = isinstance(tokenizer, DefaultTokenizer)
        by_lines = (_LINES,) if _LINES in types and (self._split_summaries or not native) else ()
        whole = tuple(kind for kind in types if kind not in by_lines) if by_lines else types
        scores: dict[str, scoring.Score] = {}
        if whole and isinstance(tokenizer, DefaultTokenizer):
            scores = _scores(whole, tokenizer.use_stemmer, targets, prediction)
            if not by_lines:
                return scores
        elif whole:
            scores = _scores(whole, False, [self._tokens(target) for target in targets], self._tokens(prediction))
        if by_lines:
            scores |= _scores(by_lines, False, [self._lines(target) for target in targets], self._lines(prediction))
        return {kind: scores[kind] for kind in types}

    def _tokens(self, text: str) -> list[str]:
        return [_no_line_feed(token) for token in self._tokenizer.tokenize(text)]

    def _lines(self, text: str) -> list[str]:
        """The tokens of all sentences, with a line feed after each sentence."""
        sentences = _sentences(text) if self._split_summaries else text.split("\n")
        lines = (self._tokens(sentence) for sentence in sentences if sentence)
        return [token for line in lines for token in (*line, "\n")]


def _no_line_feed(token: str) -> str:
    """Different tokens stay different, and none is a line feed, which would end a line for the core."""
    return f"\n{token}" if isinstance(token, str) and token.startswith("\n") else token


@lru_cache(maxsize=64)
def _metric(types: tuple[str, ...], stemmer: bool) -> ROUGE:
    return ROUGE(types=types, stemmer=stemmer)


@lru_cache(maxsize=64)
def _pair_values(types: tuple[str, ...], stemmer: bool) -> Callable[[str, Any], tuple[float, ...]]:
    """Precision, recall and F of every type for a pair of strings, in one call to the core."""
    scorer = _metric(types, stemmer).definition.pair_scorer
    assert scorer is not None
    return scorer.values


def _scores(types: tuple[str, ...], stemmer: bool, targets: Sequence[Any], prediction: Any) -> dict[str, scoring.Score]:
    try:
        values = _pair_values(types, stemmer)(prediction, targets)
    except Fault:  # token lists, and texts that the metric refuses
        score = _metric(types, stemmer).sentence(prediction, targets)
        names = [name for kind in types for name in (f"{kind}_precision", f"{kind}_recall", kind)]
        values = tuple([score[name] for name in names])
    scores: dict[str, scoring.Score] = {}
    at = 0
    for kind in types:
        # A call of the class would take twice as long, and so would zip().
        scores[kind] = _new(scoring.Score, values[at : at + 3])
        at += 3
    return scores


@lru_cache(maxsize=64)
def _checked(types: tuple[str, ...]) -> tuple[str, ...]:
    for kind in types:
        if kind == "rouge0":
            raise ValueError(f"rougen requires positive n: {kind}")
        if not re.fullmatch(r"rouge([0-9]|L|Lsum)", kind):
            raise ValueError(f"Invalid rouge type: {kind}")
    return tuple(dict.fromkeys(types))


def _sentences(text: str) -> list[str]:
    try:
        from nltk import sent_tokenize
    except ImportError as error:
        raise MissingExtraError("split_summaries=True", ("nltk",), "test") from error
    return list(sent_tokenize(text))
