"""Metrics that look at the characters of texts, which tokens no longer have."""

from __future__ import annotations

from bleuprint.corpus import Corpus, References, Text, Texts
from bleuprint.errors import NotTextError
from bleuprint.metric import AnyScore, Metric

__all__ = ["WholeTexts"]


class WholeTexts(Metric[AnyScore]):
    """Refuses lists of tokens: what stood between them is lost, and numbers have no characters."""

    def _read(self, hypotheses: Texts, references: References, sources: Texts | None) -> Corpus:
        return _checked(super()._read(hypotheses, references, sources), "hypotheses", "a list of str")

    def _read_one(self, hypothesis: Text, references: object, source: Text | None) -> Corpus:
        return _checked(super()._read_one(hypothesis, references, source), "hypothesis", "a str")


def _checked(corpus: Corpus, name: str, allowed: str) -> Corpus:
    if corpus.hypotheses.tokenized:
        raise NotTextError(name, allowed, "tokens", "characters are compared, so give the text before it was split")
    return corpus
