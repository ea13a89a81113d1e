"""SARI: are the right n-grams added, kept and deleted? For simplification and other rewriting of a source.

    SARI = (F_add + F_keep + F_delete) / 3,   each the mean over orders n = 1 … 4 of F1 = 2PR / (P + R)

The counts s of the source and o of the output are multiplied by the number of references k, and r sums the counts of
all references. With ∧ the smaller of two counts, for every n-gram g:

    kept      by the output  k·s ∧ k·o         by the references  k·s ∧ r         by both: the smaller
    deleted   by the output  k·s − k·s ∧ k·o   by the references  k·s − k·s ∧ r   by both: the smaller
    added     distinct n-grams without s: in the output, in any reference, in both

A corpus score first sums these counts over segments (EASSE). An operation that nobody performed has F1 = 0.
The paper's own equations average precision and recall over orders before taking F1 (`averaging="rates"`), and its text
scores deletion by precision alone (`deletion="precision"`). Profile `hf` is Hugging Face evaluate's `sari`: precision
of kept and deleted as a mean over distinct n-grams (`counting="types"`), 0/0 = 1, corpus score = mean over segments.
Xu, Napoles, Pavlick, Chen, Callison-Burch (2016): Optimizing Statistical Machine Translation for Text Simplification.
TACL 4. Alva-Manchego, Martin, Scarton, Specia (2019): EASSE: Easier Automatic Sentence Simplification Evaluation.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bleuprint import checks
from bleuprint.core import counts, tokenizers
from bleuprint.errors import OptionError
from bleuprint.metrics import profiles
from bleuprint.metrics.base import CoreRows, Definition, ExactMeans, MeanFormula, MeanScore, Metric
from bleuprint.metrics.base.formulas import Value, named, ratio, sum_of, where
from bleuprint.metrics.base.summaries import Sum

_SHARE = 2.0**-36  # unit of the sums of shares that the core returns


@dataclass(frozen=True)
class SariFormula(MeanFormula):
    """The mean of the scores for adding, keeping and deleting."""

    max_order: int
    deletion: str
    averaging: str
    by_type: bool

    def scores(self, columns: Sequence[Value]) -> dict[str, Value]:
        """SARI, then its three components."""
        orders = [self._rates(columns[at : at + 9]) for at in range(0, len(columns), 9)]
        operations = zip(("add", "keep", "delete"), zip(*orders, strict=True), strict=True)
        add, keep, delete = (named(f"F_{name}", self._mean(name, rates)) for name, rates in operations)
        return {"sari": named("SARI", (add + keep + delete) / 3), "add": add, "keep": keep, "delete": delete}

    def _rates(self, columns: Sequence[Value]) -> list[tuple[Value, Value]]:
        """Precision and recall of what one order adds, keeps and deletes."""
        if not self.by_type:
            triples = (columns[:3], columns[3:6], columns[6:])
            rates = [(ratio(both, ours), ratio(both, theirs)) for both, ours, theirs in triples]
        else:
            added, ours, theirs, kept, kept_theirs, kept_shares, kept_types, deleted_shares, deleted_types = columns
            deleted = _or_one(deleted_shares * _SHARE, deleted_types)
            rates = [
                (_or_one(added, ours), _or_one(added, theirs)),
                (_or_one(kept_shares * _SHARE, kept_types), _or_one(kept, kept_theirs)),
                (deleted, deleted),
            ]
        return rates

    def _mean(self, name: str, rates: Sequence[tuple[Value, Value]]) -> Value:
        """The score of one operation, from the precision and recall of each order."""
        n = self.max_order
        precisions = named(f"P_{name}", [precision for precision, _ in rates])
        recalls = named(f"R_{name}", [recall for _, recall in rates])
        if name == "delete" and self.deletion == "precision":
            recalls = precisions
        if self.averaging == "scores":
            scores = [_f1(*rate) for rate in zip(precisions, recalls, strict=True)]
            return sum_of(named(f"F_{name}", scores)) / n
        return _f1(named(f"P_{name}", sum_of(precisions) / n), named(f"R_{name}", sum_of(recalls) / n))


def _f1(precision: Value, recall: Value) -> Value:
    return ratio(2 * precision * recall, precision + recall)


def _or_one(numerator: Value, denominator: Value) -> Value:
    return where(denominator == 0, 1.0, ratio(numerator, denominator))


class SARI(Metric[MeanScore]):
    """SARI of outputs against their references and sources, as defined by EASSE.

    - `profile`: "hf" reproduces Hugging Face evaluate
    - `deletion`: score deletion by "f1" or by "precision" alone
    - `averaging`: average the F1 "scores" of the orders, or their precision and recall "rates" before taking F1
    - `counting`: count "tokens" (every occurrence of an n-gram) or "types" (distinct n-grams)

    >>> references = ["About 95 species are currently known .", "About 95 species are now accepted ."]
    >>> source = "About 95 species are currently accepted ."
    >>> print(SARI().sentence("About 95 species are now known .", references, source=source))
    sari = 0.7343 (sari = 0.7343, add = 0.5179, keep = 0.8638, delete = 0.8212)
    """

    name = "sari"
    value_range = (0.0, 1.0)
    needs_sources = True

    def __init__(
        self,
        *,
        profile: str | None = None,
        tokenizer: str | tokenizers.Tokenize = "13a",
        lowercase: bool = True,
        max_order: int = 4,
        deletion: str | None = None,
        averaging: str = "scores",
        counting: str | None = None,
    ) -> None:
        options = profiles.fill(self.name, profile, {"counting": "tokens"}, locals())
        by_type = checks.choice("counting", options["counting"], ("tokens", "types")) == "types"
        default_deletion = "precision" if by_type else "f1"
        formula = SariFormula(
            checks.order("max_order", max_order),
            checks.choice("deletion", default_deletion if deletion is None else deletion, ("f1", "precision")),
            checks.choice("averaging", averaging, ("scores", "rates")),
            by_type,
        )
        if by_type and formula.deletion == "f1":
            raise OptionError("deletion", "'precision' with counting='types', which defines no recall", deletion)
        reader = tokenizers.resolve(tokenizer, lowercase)
        options |= {"tokenizer": reader.name, "deletion": formula.deletion}
        request = counts.changes(*reader.reading, formula.max_order, shares=by_type)
        rows = CoreRows(request, reader, reads_sources=True)
        super().__init__(Definition(SARI, options, rows, formula, MeanScore, ExactMeans if by_type else Sum))
