"""Cross BLEU: how much of each text of one set also occurs in another set.

    cross BLEU(X, Y) = 1/|X| · Σ_i BLEU(x_i, Y)

Each text is scored with all texts of the other set as its references. Generated against real texts is forward BLEU
(quality); real against generated texts is backward BLEU (coverage).
Shi, Chen, Qiu, Huang (2018): Toward Diverse Text Generation with Inverse Reinforcement Learning. IJCAI.
"""

from __future__ import annotations

from collections.abc import Sequence

from bleuprint.core import counts
from bleuprint.core.arrays import Floats, Members, np
from bleuprint.core.pool import PartScorer, each_part
from bleuprint.core.tokenizers import Tokenize
from bleuprint.metrics._ngram_pool import TokenPool
from bleuprint.metrics.base.definition import Definition
from bleuprint.metrics.base.pool import ReferencedScore
from bleuprint.metrics.self_bleu import PoolBleuFormula, TextBleuScore, text_bleu
from bleuprint.metrics.smoothing import Smoothing


class CrossBleuFormula(PoolBleuFormula):
    """BLEU of each text against another pool."""

    is_quick = True

    def score(self, definition: Definition, pool: counts.Pool, references: counts.Pool, threads: int) -> CrossBleuScore:
        rows = pool.cross(references, self.bleu.counted_orders, threads)
        return CrossBleuScore(definition, [rows], len(pool)).against(references)

    def part_scorer(self, pool: counts.Pool, references: counts.Pool, threads: int) -> PartScorer:
        rows = pool.cross(references, self.bleu.counted_orders, threads)

        def score(members: Members) -> Floats:
            sums = ((self.score_rows([rows[kept]], len(kept))[1], len(kept)) for kept in each_part(members))
            return np.array([[total.sum / texts for total in totals] for totals, texts in sums])

        return score


class CrossBleuScore(ReferencedScore, TextBleuScore):
    """A cross BLEU score: per text and per order, and the set of references it belongs to."""


class CrossBLEU(TokenPool[CrossBleuScore]):
    """BLEU of each text against all texts of another set.

    >>> metric = CrossBLEU(max_order=2, tokenizer="whitespace").add_references(["the cat sat", "a dog barked"])
    >>> score = metric.corpus(["the cat sat", "the cat barked"])
    >>> score.per_text.round(4).tolist()
    [1.0, 0.7071]
    >>> score.reference_set
    '2-103fa256bb35e2d9539678c563b30ce5'

    - `weights`: one weight per order, summing to 1; uniform by default
    - `smoothing`: what to do about orders without a match, as for `BLEU`

    Scores follow NLTK's sentence_bleu, as those of `SelfBLEU` do. Add the references first; they stay until `reset`.
    Then pass texts to `corpus` or `update`. The signature of a score names the set of references by a digest.
    """

    name = "cross-bleu"
    needs_references = True

    def __init__(
        self,
        *,
        max_order: int = 5,
        weights: Sequence[float] | None = None,
        smoothing: str | Smoothing = "method1",
        tokenizer: str | Tokenize = "nltk",
        lowercase: bool = False,
    ) -> None:
        bleu, options = text_bleu(max_order, weights, smoothing, tokenizer, lowercase)
        super().__init__(CrossBleuFormula(bleu.formula), tokenizer, lowercase, **options)
