"""RougeScorer: precision, recall and F of ROUGE-N, ROUGE-L and ROUGE-Lsum."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache, partial

from bleuprint.compat.rouge_score import scoring
from bleuprint.compat.rouge_score.tokenizers import DefaultTokenizer, Tokenizer
from bleuprint.core.columns import Text
from bleuprint.errors import ExtraImport
from bleuprint.metrics import ROUGE

__all__ = ["RougeScorer"]

_LINES = "rougeLsum"
_metric = lru_cache(maxsize=64)(ROUGE)


class RougeScorer:
    """Scores a prediction against its target, under the names in `rouge_types`.

    >>> RougeScorer(["rouge1"]).score("the cat sat", "the cat")["rouge1"]
    Score(precision=1.0, recall=0.6666666666666666, fmeasure=0.8)
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
        self._stems = self._tokenizer.use_stemmer if isinstance(self._tokenizer, DefaultTokenizer) else None
        self._split_summaries = split_summaries
        self._known_types: list[str] | None = None  # those that `_native` scores

    def __getstate__(self) -> dict[str, object]:
        return vars(self) | {"_known_types": None, "_native": None}  # functions of the core stay in their process

    def score(self, target: str, prediction: str) -> dict[str, scoring.Score]:
        """The scores against one target."""
        return self.score_multi(target if isinstance(target, str) else [target], prediction)

    def score_multi(self, targets: str | Sequence[str], prediction: str) -> dict[str, scoring.Score]:
        """For each type, the scores against the target with the highest F."""
        if self.rouge_types != self._known_types:  # a list that may have changed
            self._native = _native(tuple(self.rouge_types), self._stems, self._split_summaries)
            self._known_types = list(self.rouge_types)
        return (self._native and self._native(prediction, targets)) or self._score_tokens(targets, prediction)

    def _score_tokens(self, targets: str | Sequence[str], prediction: str) -> dict[str, scoring.Score]:
        """The scores of what the core does not take apart: token lists, sentences, texts that the metric refuses."""
        targets = [targets] if isinstance(targets, str) else targets
        types = _check_types(tuple(self.rouge_types))
        by_lines = (_LINES,) if _LINES in types and (self._split_summaries or self._stems is None) else ()
        whole = tuple(kind for kind in types if kind not in by_lines)
        scores = {}
        if whole and self._stems is not None:
            scores = _scores(whole, self._stems, targets, prediction)
        elif whole:
            scores = _scores(whole, False, [self._tokens(target) for target in targets], self._tokens(prediction))
        if by_lines:
            scores |= _scores(by_lines, False, [self._lines(target) for target in targets], self._lines(prediction))
        return {kind: scores[kind] for kind in types}

    def _tokens(self, text: str) -> list[str]:
        """Different tokens stay different, and none is a line feed, which would end a line for the core."""
        tokens = self._tokenizer.tokenize(text)
        return [f"\n{token}" if isinstance(token, str) and token.startswith("\n") else token for token in tokens]

    def _lines(self, text: str) -> list[str]:
        """The tokens of all sentences, with a line feed after each sentence."""
        sentences = text.split("\n")
        if self._split_summaries:
            with ExtraImport("split_summaries=True", ("nltk",), "test"):
                import nltk
            sentences = nltk.sent_tokenize(text)
        lines = (self._tokens(sentence) for sentence in sentences if sentence)
        return [token for line in lines for token in (*line, "\n")]


@lru_cache(maxsize=64)
def _native(
    types: tuple[str, ...], stems: bool | None, split_summaries: bool
) -> Callable[[str, object], dict[str, scoring.Score] | None] | None:
    """Precision, recall and F of every type by one call to the core; None if it cannot compute all of them."""
    names = _check_types(types)
    if not names or stems is None or (split_summaries and _LINES in names):
        return None
    scorer = _metric(types=names, stemmer=stems).definition.pair_scorer
    warn = _metric(types=names, stemmer=False).definition.warn_of_unseen
    return None if scorer is None else partial(scorer.records, names, scoring.Score, warn)


def _scores(
    types: tuple[str, ...], stemmer: bool, targets: Sequence[Text], prediction: Text
) -> dict[str, scoring.Score]:
    score = _metric(types=types, stemmer=stemmer).sentence(prediction, targets)
    return {kind: scoring.Score(score[f"{kind}_precision"], score[f"{kind}_recall"], score[kind]) for kind in types}


@lru_cache(maxsize=64)
def _check_types(types: tuple[str, ...]) -> tuple[str, ...]:
    for kind in types:
        if kind == "rouge0":
            raise ValueError(f"rougen requires positive n: {kind}")
        if not re.fullmatch(r"rouge([0-9]|L|Lsum)", kind):
            raise ValueError(f"Invalid rouge type: {kind}")
    return tuple(dict.fromkeys(types))
