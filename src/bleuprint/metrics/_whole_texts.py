"""Metrics that look at the characters of texts, which tokens no longer have."""

from __future__ import annotations

from bleuprint.core.columns import Corpus
from bleuprint.errors import NotTextError
from bleuprint.metrics.base.metric import AnyScore, Metric

__all__ = ["WholeTexts"]


class WholeTexts(Metric[AnyScore]):
    """Refuses lists of tokens: what stood between them is lost, and numbers have no characters."""

    def check_corpus(self, corpus: Corpus, *, one: bool = False) -> None:
        if corpus.hypotheses.tokenized:
            name, allowed = ("hypothesis", "a str") if one else ("hypotheses", "a list of str")
            raise NotTextError(name, allowed, "tokens", "characters count, so give the text before it was split")
