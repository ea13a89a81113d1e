"""GEC-GLEU: BLEU for grammatical error correction, which also takes off what should have been corrected.

    p_n = max(0, Σ matches with the reference − Σ matches with the source that the reference does not have) / Σ n-grams
    GLEU = BP · exp(1/N · Σ log p_n)

With several references a corpus score draws one per segment, 500 times (Python's generator, seeds 0, 101, 202 …), and
is the mean; a sentence score is the mean over the references, with every zero count replaced by one.
Napoles, Sakaguchi, Post, Tetreault (2015): Ground Truth for Grammatical Error Correction Metrics. ACL; and
(2016): GLEU Without Tuning, arXiv:1605.02592. Not Google's GLEU: that is `GLEU`.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

from bleuprint.core import counts, tokenizers
from bleuprint.core.columns import Corpus, References, Text, Texts
from bleuprint.errors import InputError, OptionError
from bleuprint.metrics import _options
from bleuprint.metrics.base.metric import Measured, Metric, Score, Value, checked_threads
from bleuprint.metrics.smoothing import brevity_penalty, ratio, weighted_geometric_mean, where
from bleuprint.statistics.rows import Statistics

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["GecGleu"]


class GecGleuScore(Score):
    """A GEC-GLEU score."""

    __slots__ = ()

    def __str__(self) -> str:
        return f"GEC-GLEU = {self.value:.4f}"


class GecGleu(Metric[GecGleuScore]):
    """GEC-GLEU of corrections against references and the uncorrected sources.

    >>> metric = GecGleu()
    >>> score = metric.sentence("he goes home", "he goes home", source="he go home")
    >>> score.value
    1.0
    """

    name = "gec-gleu"
    score_type = GecGleuScore
    needs_sources = True
    _kept: _Drawable

    def __init__(
        self,
        *,
        tokenizer: str | tokenizers.Tokenize = "whitespace",
        lowercase: bool = False,
        max_order: int = 4,
        iterations: int = 500,
    ) -> None:
        if not isinstance(iterations, int) or isinstance(iterations, bool) or iterations < 1:
            raise OptionError("iterations", "an integer of at least 1", iterations)
        self.max_order = _options.order("max_order", max_order)
        self.iterations = iterations
        self._tokenizer = tokenizers.resolve(tokenizer, _options.flag("lowercase", lowercase))
        self.options = {
            "tokenizer": self._tokenizer.name,
            "lowercase": lowercase,
            "max_order": max_order,
            "iterations": iterations,
        }
        self._count = counts.corrected(self._tokenizer.scheme, self._tokenizer.native_lowercase, self.max_order)
        super().__init__()

    def formula(self, columns: Sequence[Value], *, sentence: bool = False) -> Value:
        """The score against one reference."""
        if sentence:
            columns = [where(column == 0, 1, column) for column in columns]
        n = self.max_order
        precisions = [ratio(m, t) for m, t in zip(columns[2 : 2 + n], columns[2 + n :], strict=True)]
        mean = weighted_geometric_mean(precisions, (1 / n,) * n)
        return brevity_penalty(columns[0], columns[1]) * mean

    def statistics(
        self, hypotheses: Texts, references: References, *, sources: Texts | None = None, threads: int | None = None
    ) -> Statistics:
        """The rows, which a segment has only if it has one reference."""
        drawn = self._count_all(hypotheses, references, sources, threads)
        if drawn.several:
            raise InputError(f"rows of {self.name} exist for one reference per segment: choose one of each list.")
        return Statistics(self.signature, self.columns, drawn.rows)

    def corpus(
        self, hypotheses: Texts, references: References, *, sources: Texts | None = None, threads: int | None = None
    ) -> GecGleuScore:
        return self._score(self._count_all(hypotheses, references, sources, threads))

    def sentence(
        self, hypothesis: Text, references: Text | Sequence[Text | None], *, source: Text | None = None
    ) -> GecGleuScore:
        drawn = self._counted(self._read_one(hypothesis, references, source), 1)
        value = float(self._sentence_scores(drawn)[0])
        return GecGleuScore(self, drawn.total(), True, drawn.size(), value)

    def sentences(
        self, hypotheses: Texts, references: References, *, sources: Texts | None = None, threads: int | None = None
    ) -> NDArray[np.float64]:
        return self._sentence_scores(self._count_all(hypotheses, references, sources, threads))

    def update(
        self, hypotheses: Texts, references: References, *, sources: Texts | None = None, threads: int | None = None
    ) -> Self:
        """Add a batch; which reference of a segment counts is drawn at the end, so the rows are kept."""
        self._kept = self._kept + self._count_all(hypotheses, references, sources, threads)
        return self

    def merge(self, other: Self) -> Self:
        super().merge(other)
        self._kept = self._kept + other._kept
        return self

    def state(self) -> dict[str, Any]:
        """All rows: which reference of a segment counts is drawn at the end, by the place of the segment."""
        return {**super().state(), "rows": self._kept.rows.tolist(), "references": self._kept.sizes.tolist()}

    def add_state(self, state: Mapping[str, Any]) -> Self:
        super().add_state(state)
        self._kept = self._kept + _Drawable.of_lists(len(self.columns), state["rows"], state["references"])
        return self

    def compute(self) -> GecGleuScore:
        return self._score(self._kept)

    def reset(self) -> Self:
        super().reset()
        self._kept = _Drawable.nothing(len(self.columns))
        return self

    def _count_all(
        self, hypotheses: Texts, references: References, sources: Texts | None, threads: int | None
    ) -> _Drawable:
        return self._counted(self._read(hypotheses, references, sources), checked_threads(threads))

    def _counted(self, corpus: Corpus, threads: int) -> _Drawable:
        return _drawable(corpus, self._rows(corpus, threads))

    def requests(self, corpus: Corpus) -> list[counts.Request]:
        assert corpus.sources is not None
        texts = corpus.references
        hypotheses, sources = corpus.hypotheses.repeated(texts), corpus.sources.repeated(texts)
        return [(self._count, hypotheses, texts.flattened(), sources)]

    def absorb(self, corpus: Corpus, answers: Sequence[NDArray[np.int64]]) -> Self:
        self._kept = self._kept + _drawable(corpus, answers[0])
        return self

    def measured(self, corpus: Corpus, answers: Sequence[NDArray[np.int64]]) -> Measured[GecGleuScore]:
        drawn = _drawable(corpus, answers[0])
        statistics = None if drawn.several else Statistics(self.signature, self.columns, drawn.rows)
        return Measured(self._score(drawn), self._sentence_scores(drawn), statistics)

    def _sentence_scores(self, drawn: _Drawable) -> NDArray[np.float64]:
        import numpy as np

        scores = np.asarray(self.formula(tuple(drawn.rows.T), sentence=True), dtype=np.float64)
        return np.add.reduceat(scores, drawn.starts) / drawn.sizes

    def _score(self, drawn: _Drawable) -> GecGleuScore:
        import numpy as np

        draws = self.iterations if drawn.several else 1
        values = [self.formula(tuple(drawn.draw(seed).tolist())) for seed in range(0, 101 * draws, 101)]
        return GecGleuScore(self, drawn.total(), False, drawn.size(), float(np.mean(values)))


def _drawable(corpus: Corpus, rows: NDArray[np.int64]) -> _Drawable:
    import numpy as np

    return _Drawable(rows, np.asarray(corpus.references.sizes(), dtype=np.intp))


@dataclass(frozen=True, slots=True)
class _Drawable:
    """A row for each reference of each segment, segment after segment."""

    rows: NDArray[np.int64]
    sizes: NDArray[np.intp]

    @classmethod
    def nothing(cls, columns: int) -> _Drawable:
        import numpy as np

        return cls(np.zeros((0, columns), dtype=np.int64), np.zeros(0, dtype=np.intp))

    @classmethod
    def of_lists(cls, columns: int, rows: Sequence[Sequence[int]], sizes: Sequence[int]) -> _Drawable:
        import numpy as np

        return cls(np.asarray(rows, dtype=np.int64).reshape(len(rows), columns), np.asarray(sizes, dtype=np.intp))

    def __add__(self, other: _Drawable) -> _Drawable:
        import numpy as np

        return _Drawable(np.concatenate([self.rows, other.rows]), np.concatenate([self.sizes, other.sizes]))

    @property
    def several(self) -> bool:
        return bool((self.sizes != 1).any())

    @property
    def starts(self) -> NDArray[np.intp]:
        return (self.sizes.cumsum() - self.sizes).astype("intp")

    def size(self) -> int:
        """References per segment, -1 if it varies."""
        return int(self.sizes[0]) if len(self.sizes) and (self.sizes == self.sizes[0]).all() else -1

    def total(self) -> tuple[int, ...]:
        return tuple(self.rows.sum(axis=0).tolist())

    def draw(self, seed: int) -> NDArray[np.int64]:
        """The sum of the rows with one reference drawn for each segment."""
        generator = random.Random(seed)
        chosen = [start + generator.randint(0, size - 1) for start, size in zip(self.starts, self.sizes, strict=True)]
        sums: NDArray[np.int64] = self.rows[chosen or slice(0)].sum(axis=0)
        return sums
