"""SARI said plainly, n-gram by n-gram: EASSE's pooled counts, and Hugging Face's means over n-grams."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from tests.kernels.twins.clipped import grams

Text = Sequence[str]
ORDERS = (1, 2, 3, 4)


class Parts(NamedTuple):
    add: float
    keep: float
    delete: float

    @property
    def sari(self) -> float:
        return sum(self) / 3


def times(counted: Counter[tuple[str | int, ...]], factor: int) -> Counter[tuple[str | int, ...]]:
    return Counter({gram: factor * count for gram, count in counted.items()})


def operations(source: Text, output: Text, references: Sequence[Text], order: int) -> list[tuple[int, int, int]]:
    """Added, kept, deleted: each by both, by the output, by the references."""
    k = len(references)
    s, o = times(grams(source, order), k), times(grams(output, order), k)
    r = sum((grams(reference, order) for reference in references), Counter[tuple[str | int, ...]]())
    new, wanted = set(o) - set(s), set(r) - set(s)
    kept, kept_there, gone, gone_there = s & o, s & r, s - o, s - r
    return [
        (len(new & wanted), len(new), len(wanted)),
        ((kept & kept_there).total(), kept.total(), kept_there.total()),
        ((gone & gone_there).total(), gone.total(), gone_there.total()),
    ]


def f1(precision: float, recall: float) -> float:
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def share(part: float, whole: float, otherwise: float = 0.0) -> float:
    return part / whole if whole else otherwise


def corpus(
    sources: Sequence[Text],
    outputs: Sequence[Text],
    references: Sequence[Sequence[Text]],
    deletion: str = "f1",
    averaging: str = "scores",
) -> Parts:
    rates = []
    for order in ORDERS:
        rows = [operations(*segment, order) for segment in zip(sources, outputs, references, strict=True)]
        sums = [tuple(map(sum, zip(*column, strict=True))) for column in zip(*rows, strict=True)]
        found = [(share(both, ours), share(both, theirs)) for both, ours, theirs in sums]
        if deletion == "precision":
            found[2] = (found[2][0], found[2][0])
        rates.append(found)
    kinds = list(zip(*rates, strict=True))
    if averaging == "scores":
        return Parts(*(sum(f1(*rate) for rate in kind) / len(ORDERS) for kind in kinds))
    return Parts(*(f1(*(sum(side) / len(ORDERS) for side in zip(*kind, strict=True))) for kind in kinds))


def by_type(source: Text, output: Text, references: Sequence[Text]) -> Parts:
    """Hugging Face evaluate's `sari` of one segment; a text without tokens has one that is empty."""
    texts = [list(text) or [""] for text in (source, output, *references)]
    found = [_by_type(texts[0], texts[1], texts[2:], order) for order in ORDERS]
    return Parts(*(sum(kind) / len(ORDERS) for kind in zip(*found, strict=True)))


def _by_type(source: Text, output: Text, references: Sequence[Text], order: int) -> tuple[float, float, float]:
    k = len(references)
    s, o = times(grams(source, order), k), times(grams(output, order), k)
    r = sum((grams(reference, order) for reference in references), Counter[tuple[str | int, ...]]())
    kept, gone = s & o, s - o
    precision = share(float(sum(Fraction(min(n, r[g]), n) for g, n in kept.items())), len(kept), 1.0)
    keep = f1(precision, share((kept & r).total(), (s & r).total(), 1.0))
    delete = share(float(sum(Fraction(max(0, n - r[g]), n) for g, n in gone.items())), len(gone), 1.0)
    new, wanted = set(o) - set(s), set(r) - set(s)
    add = f1(share(len(new & wanted), len(new), 1.0), share(len(new & wanted), len(wanted), 1.0))
    return add, keep, delete
