"""Contamination: the share of texts that a corpus contains, by the rule of a paper.

    contamination = contaminated texts / texts

A text is contaminated if the share of its n-grams that occur in the corpus, or of its tokens inside such n-grams, is
above 0 and at least `share`. Profiles name the rules of papers:

| profile | n | counted | share | shorter texts |
|---|---|---|---|---|
| gpt3 | 13 | n-grams | any | contaminated if the corpus contains them whole |
| palm | 8 | n-grams | 0.7 | never |
| llama2 | 11 | tokens | 0.8 | never |

Brown et al. (2020): Language Models are Few-Shot Learners. NeurIPS; appendix C. Chowdhery et al. (2023): PaLM: Scaling
Language Modeling with Pathways. JMLR 24; section 8. Touvron et al. (2023): Llama 2: Open Foundation and Fine-Tuned Chat
Models. arXiv 2307.09288; appendix A.6.
"""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from typing import Any

from bleuprint import checks
from bleuprint.core import counts
from bleuprint.core.arrays import Integers, np
from bleuprint.core.columns import Corpus
from bleuprint.errors import OptionError
from bleuprint.metrics import profiles
from bleuprint.metrics._model_metric import ModelMetric
from bleuprint.metrics.base import Definition, Score
from bleuprint.metrics.base.formulas import Value, ratio
from bleuprint.metrics.base.rows import RowSource
from bleuprint.metrics.base.score import column
from bleuprint.models.ngram_index import NgramIndex

_COLUMNS = ("contaminated", "texts", "seen", "ngrams", "inside", "tokens")
_AT_MOST = (("contaminated", "texts"), ("seen", "ngrams"), ("inside", "tokens"))


class ContaminatedRows(RowSource):
    """Whether each text is contaminated, and the counts that decide it."""

    def __init__(self, index: NgramIndex, order: int, unit: str, share: float, *, whole: bool) -> None:
        super().__init__(_COLUMNS, index.tokenizer)
        self._request = index.seen_counts((order,), whole=whole)
        self._unit, self._share = unit, share

    def requests(self, corpus: Corpus) -> list[counts.Request]:
        return [(self._request, corpus.hypotheses, corpus.references, None)]

    def assemble(self, corpus: Corpus, answers: Sequence[Integers]) -> Integers:
        tokens, ngrams, seen, inside = answers[0].T
        contaminated = by_rule(answers[0], self._unit, self._share)
        return np.stack([contaminated, np.ones_like(tokens), seen, ngrams, inside, tokens], axis=1)

    def fault(self, total: Sequence[int]) -> str | None:
        return counts.broken_rule(_COLUMNS, total, _AT_MOST)


def by_rule(rows: Integers, unit: str, share: float) -> Integers:
    """Whether texts are contaminated, by their tokens, n-grams, seen n-grams and the tokens inside of these."""
    tokens, ngrams, seen, inside = rows.T
    part, whole = (seen, ngrams) if unit == "ngrams" else (inside, tokens)
    return np.asarray((part > 0) & checks.reaches(part / np.maximum(whole, 1), share), dtype=np.int64)


def check_rule(profile: str, longest: int, **given: object) -> dict[str, Any]:
    """The options of a profile, and in their place those that are given."""
    rules = profiles.fill(Contamination.name, profile, {}, given)
    checks.order("order", rules["order"], largest=longest)
    checks.choice("unit", rules["unit"], ("ngrams", "tokens"))
    checks.choice("short", rules["short"], ("whole", "never"))
    return {**rules, "share": checks.number("share", rules["share"], 0, 1)}


def formula(columns: Sequence[Value], *, sentence: bool = False) -> Value:
    """The share of contaminated texts."""
    return ratio(columns[0], columns[1])


class ContaminationScore(Score):
    """The share of contaminated texts, with the counts of all texts together."""

    __slots__ = ()
    contaminated: int = column(0, "The number of contaminated texts.")
    texts: int = column(1, "The number of texts.")

    def __str__(self) -> str:
        _, _, seen, ngrams, inside, tokens = self.columns
        return (
            f"contamination = {self.value:.4f} ({self.contaminated} of {self.texts} texts; "
            f"{seen} of {ngrams} n-grams seen, {inside} of {tokens} tokens inside of them)"
        )


class Contamination(ModelMetric[ContaminationScore]):
    """Share of texts that an indexed corpus contains, wholly or in part.

    >>> from bleuprint import NgramIndex
    >>> index = NgramIndex.build(["one two three four five six seven eight nine ten"], tokenizer="whitespace")
    >>> texts = ["one two three four five six seven eight nine", "one two three four five six seven ate nine"]
    >>> print(Contamination(index, profile="palm").corpus(texts))
    contamination = 0.5000 (1 of 2 texts; 2 of 4 n-grams seen, 9 of 18 tokens inside of them)

    - `index`: an `NgramIndex` or the path of its file
    - `profile`: the rule of a paper: gpt3, palm or llama2; other options change it
    - `order`: length of the n-grams
    - `unit`: take the share of "ngrams" that are seen, or of "tokens" inside of them
    - `share`: the least share of a contaminated text; 0 for any
    - `short`: a text shorter than `order` is contaminated if the corpus contains it "whole", or "never"
    """

    name = "contamination"
    model_option = model_noun = "index"
    load_model = NgramIndex.resolve
    higher_is_better = False
    needs_references = False
    value_range = (0.0, 1.0)

    def __init__(
        self,
        index: NgramIndex | str | PathLike[str],
        *,
        profile: str = "gpt3",
        order: int | None = None,
        unit: str | None = None,
        share: float | None = None,
        short: str | None = None,
    ) -> None:
        corpus = NgramIndex.resolve(index)
        usual, longest = profiles.find(self.name, profile).get("order"), corpus.max_order
        if order is None and isinstance(usual, int) and usual > longest:
            allowed = f"one with n-grams of {usual} tokens, as profile {profile!r} needs"
            raise OptionError("index", f"{allowed} (build it with max_order={usual})", f"max_order={longest}")
        rules = check_rule(profile, longest, order=order, unit=unit, share=share, short=short)
        whole = rules["short"] == "whole"
        rows = ContaminatedRows(corpus, rules["order"], rules["unit"], rules["share"], whole=whole)
        options = {**corpus.options, **rules}
        super().__init__(
            Definition(Contamination, options, rows, formula, ContaminationScore, outside={"index": corpus})
        )
