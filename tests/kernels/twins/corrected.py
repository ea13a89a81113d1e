"""GEC-GLEU said plainly, after Napoles et al. (2015, 2016): the oracle of the kernel and the metric."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Sequence

from tests.kernels.twins.pool import Text, ngrams


def statistics(hypothesis: Text, reference: Text, source: Text, order: int = 4) -> list[int]:
    """Lengths, then for each order the credited matches, then for each order the n-grams of the hypothesis."""
    credited, totals = [], []
    for n in range(1, order + 1):
        h, r, s = (Counter(ngrams(text, n)) for text in (hypothesis, reference, source))
        only_in_source = Counter({gram: count for gram, count in s.items() if gram not in r})
        credited.append(max(0, (h & r).total() - (h & only_in_source).total()))
        totals.append(max(0, len(hypothesis) + 1 - n))
    return [len(hypothesis), len(reference), *credited, *totals]


def score(row: Sequence[int], *, smooth: bool = False, order: int = 4) -> float:
    if smooth:
        row = [value or 1 for value in row]
    if not all(row):
        return 0.0
    logs = math.fsum(math.log(m / t) for m, t in zip(row[2 : 2 + order], row[2 + order :], strict=True))
    return math.exp(min(0.0, 1 - row[1] / row[0]) + logs / order)


def corpus(
    hypotheses: Sequence[Text], references: Sequence[Sequence[Text]], sources: Sequence[Text], draws: int = 500
) -> float:
    scores = []
    for draw in range(draws):
        random.seed(101 * draw)
        chosen = [refs[random.randint(0, len(refs) - 1)] for refs in references]
        rows = [statistics(h, r, s) for h, r, s in zip(hypotheses, chosen, sources, strict=True)]
        scores.append(score([sum(column) for column in zip(*rows, strict=True)]))
    return math.fsum(scores) / draws
