"""GEC-GLEU: BLEU for grammatical error correction, with a penalty for errors left uncorrected.

    p_n = max(0, Σ matches with the reference − Σ matches with the source that are not in the reference) / Σ n-grams
    GLEU = BP · exp(1/N · Σ log p_n)

With several references, a corpus score draws one per segment, 500 times (Python's random, seeds 0, 101, 202 …), and
averages. A sentence score is the mean over the references, with every zero count replaced by one. These are the rules
of the authors' script.
Napoles, Sakaguchi, Post, Tetreault (2015): Ground Truth for Grammatical Error Correction Metrics. ACL; and
(2016): GLEU Without Tuning, arXiv:1605.02592. This is not Google's GLEU, which is `GLEU`.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from bleuprint import checks
from bleuprint.core import counts, tokenizers
from bleuprint.core.arrays import Integers, Places, np
from bleuprint.metrics.base import Definition, Metric, Score
from bleuprint.metrics.base.formulas import Value, named, ratio, weighted_geometric_mean, where
from bleuprint.metrics.base.options import options_in
from bleuprint.metrics.base.rows import RowPerReference
from bleuprint.metrics.base.summaries import KeptRows
from bleuprint.metrics.smoothing import brevity_penalty


@dataclass(frozen=True)
class GecGleuFormula:
    """The score against one reference per segment, and its mean over random draws of references."""

    max_order: int
    iterations: int

    def __call__(self, columns: Sequence[Value], *, sentence: bool = False) -> Value:
        if sentence:
            columns = [where(column == 0, 1, column) for column in columns]
        n = self.max_order
        precisions = named("p", [ratio(m, t) for m, t in zip(columns[2 : 2 + n], columns[2 + n :], strict=True)])
        mean = weighted_geometric_mean(precisions, (1 / n,) * n)
        return named("GLEU", brevity_penalty(columns[0], columns[1]) * mean)

    def mean_over_draws(self, rows: Integers, references: Places) -> float:
        """Mean over draws of one reference per segment; `references` holds the number of rows of each segment."""
        starts = references.cumsum() - references
        draws = self.iterations if (references != 1).any() else 1
        values = []
        for seed in range(0, 101 * draws, 101):
            generator = random.Random(seed)
            draw = [start + generator.randint(0, size - 1) for start, size in zip(starts, references, strict=True)]
            values.append(self(tuple(rows[draw or slice(0)].sum(axis=0).tolist())))
        return float(np.mean(values))


class GecGLEU(Metric[Score]):
    """GEC-GLEU of corrections against references and the uncorrected sources.

    - `iterations`: how many times to draw one reference per segment

    >>> metric = GecGLEU()
    >>> score = metric.sentence("he goes home", "he goes home", source="he go home")
    >>> score.value
    1.0
    """

    name = "gec-gleu"
    needs_sources = True

    def __init__(
        self,
        *,
        tokenizer: str | tokenizers.Tokenize = "whitespace",
        lowercase: bool = False,
        max_order: int = 4,
        iterations: int = 500,
    ) -> None:
        options = options_in(locals())
        checks.trials("iterations", iterations)
        order = checks.order("max_order", max_order)
        reader = tokenizers.resolve(tokenizer, lowercase)
        options["tokenizer"] = reader.name
        request = counts.corrections(*reader.reading, order)
        rows, formula = RowPerReference(request, reader), GecGleuFormula(order, iterations)
        super().__init__(Definition(GecGLEU, options, rows, formula, summary=KeptRows))
