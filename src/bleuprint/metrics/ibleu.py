"""iBLEU: close to the references, far from the input.

    iBLEU(O, R, I) = α · BLEU(O, R) − (1 − α) · BLEU(O, I)

for outputs O, references R and inputs (sources) I; it lies in [−(1−α), α].
Sun and Zhou (2012): Joint Learning of a Dual SMT System for Paraphrase Generation. ACL.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from bleuprint.core import counts
from bleuprint.core.columns import Corpus
from bleuprint.errors import OptionError
from bleuprint.metrics import profiles
from bleuprint.metrics._bleu_score import BleuScore
from bleuprint.metrics.base.metric import Metric, Score, Value
from bleuprint.metrics.bleu import BLEU
from bleuprint.signature import Option

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["IBLEU", "IbleuScore"]


class IbleuScore(Score):
    """An iBLEU score with its two terms."""

    __slots__ = ()
    metric: IBLEU

    @property
    def adequacy(self) -> BleuScore:
        """BLEU against the references."""
        half = len(self.columns) // 2
        return BleuScore(self.metric.bleu, self.columns[:half], self.sentence, self.references)

    @property
    def similarity(self) -> BleuScore:
        """BLEU against the input, which is what is taken off."""
        half = len(self.columns) // 2
        return BleuScore(self.metric.bleu, self.columns[half:], self.sentence, 1)

    def __str__(self) -> str:
        alpha = self.metric.alpha
        return (
            f"iBLEU = {self.value:.4f} "
            f"({alpha:g} · {self.adequacy.value:.4f} − {1 - alpha:g} · {self.similarity.value:.4f})"
        )


class IBLEU(Metric[IbleuScore]):
    """iBLEU over any BLEU: options other than `alpha` are those of `BLEU`; profiles: editeval, autometrics.

    >>> ibleu = IBLEU(alpha=0.9)
    >>> print(ibleu.sentence("a quick brown fox", "a fast brown fox", source="a quick brown fox"))
    iBLEU = 0.2182 (0.9 · 0.3536 − 0.1 · 1.0000)
    """

    name = "ibleu"
    score_type = IbleuScore
    needs_sources = True

    def __init__(self, *, alpha: float | None = None, profile: str | None = None, **options: Any) -> None:
        rules = profiles.find(self.name, profile)
        usual = rules.pop("alpha", 0.9)
        alpha = usual if alpha is None else alpha
        if isinstance(alpha, bool) or not isinstance(alpha, int | float) or not 0 <= alpha <= 1:
            raise OptionError("alpha", "a number from 0 to 1", alpha)
        self.alpha = float(alpha)
        self.bleu = BLEU(**{**rules, **options})
        self._tokenizer = self.bleu._tokenizer
        self._count = self.bleu._count
        self.options = {**self.bleu.options, "alpha": self.alpha}
        super().__init__()

    @property
    def columns(self) -> tuple[str, ...]:
        names = self.bleu.columns
        return (*(f"reference_{name}" for name in names), *(f"source_{name}" for name in names))

    def resolved_options(self, *, sentence: bool) -> dict[str, Option]:
        return {**self.bleu.resolved_options(sentence=sentence), "alpha": self.alpha}

    def formula(self, columns: Sequence[Value], *, sentence: bool = False) -> Value:
        half = len(columns) // 2
        adequacy = self.bleu.formula(columns[:half], sentence=sentence)
        similarity = self.bleu.formula(columns[half:], sentence=sentence)
        return self.alpha * adequacy - (1 - self.alpha) * similarity

    def _sum(self, corpus: Corpus, threads: int) -> tuple[int, ...]:
        reference, source = _halves(corpus)
        return self.bleu._sum(reference, threads) + self.bleu._sum(source, threads)

    def requests(self, corpus: Corpus) -> list[counts.Request]:
        return [request for half in _halves(corpus) for request in self.bleu.requests(half)]

    def _joined(self, answers: Sequence[NDArray[np.int64]]) -> NDArray[np.int64]:
        import numpy as np

        return np.hstack(answers)


def _halves(corpus: Corpus) -> tuple[Corpus, Corpus]:
    assert corpus.sources is not None
    return Corpus(corpus.hypotheses, corpus.references), Corpus(corpus.hypotheses, corpus.sources)
