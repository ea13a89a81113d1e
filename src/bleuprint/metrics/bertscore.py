"""BERTScore: each token is matched with the most similar token of the other text, by encoder embeddings.

    P = Σ w(x) · max_y cos(x, y) / Σ w(x)    x: tokens of the text, y: tokens of the reference
    R = Σ w(y) · max_x cos(x, y) / Σ w(y)    F = 2 · P · R / (P + R)

w is 1. With `idf` it is the token's rarity among the references: log((N + 1) / (n + 1)) for a token in n of N
references. Special tokens such as [CLS] and [SEP] have no weight, but other tokens may match them. With several
references, P, R and F are each the best over the references. A text without tokens scores 0. With a baseline b, the
score of unrelated texts, x becomes (x − b) / (1 − b). A corpus score is the mean over segments.
All of this is bert_score's reading of the paper; results are equal if the encoder is.
Zhang, Kishore, Wu, Weinberger and Artzi (2020): BERTScore: Evaluating Text Generation with BERT. ICLR.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bleuprint import checks
from bleuprint.core import counts
from bleuprint.core.arrays import Integers, np
from bleuprint.metrics._model_metric import ModelMetric
from bleuprint.metrics._token_matching import Prepared, Rarity, checked_baseline, shares
from bleuprint.metrics.base import Definition, ExactMeans, MeanFormula, MeanScore
from bleuprint.metrics.base.fitting import Fitting
from bleuprint.metrics.base.formulas import Value, named
from bleuprint.metrics.base.metric import FittedMetric
from bleuprint.metrics.base.rows import MODEL_SPLITS, ModelRows, Unfitted
from bleuprint.models import encoders
from bleuprint.models.encoders import Encoder, Encoding

_COLUMNS = ("precision", "recall", "f1")
_UNIT = 2.0**-30  # unit of the shares in rows


@dataclass(frozen=True)
class BertScoreFormula(MeanFormula):
    """F, precision and recall, rescaled if there is a baseline."""

    baseline: tuple[float, ...] | None

    def scores(self, columns: Sequence[Value]) -> dict[str, Value]:
        values = [column * _UNIT for column in columns]
        if self.baseline is not None:
            values = [(share - lowest) / (1 - lowest) for share, lowest in zip(values, self.baseline, strict=True)]
        precision, recall, f1 = (named(name, value) for name, value in zip("PRF", values, strict=True))
        return {"f1": f1, "precision": precision, "recall": recall}


@dataclass(frozen=True)
class TokenMatcher:
    """Turns texts into rows, using token embeddings and the token weights of a corpus."""

    encoder: Encoder
    rarity: Rarity | None = None

    def rows(self, hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> Integers:
        """Precision, recall and F of each text, each the best over its references, in units of 2⁻³⁰."""
        texts = list(dict.fromkeys([*hypotheses, *(text for group in references for text in group)]))
        prepared = dict(zip(texts, map(self._prepare, self.encoder.encode(texts)), strict=True))
        best = [
            np.max([shares(prepared[hypothesis], prepared[text]) for text in group], axis=0)
            for hypothesis, group in zip(hypotheses, references, strict=True)
        ]
        return np.rint(np.array(best) / _UNIT).astype(np.int64)

    def _prepare(self, encoding: Encoding) -> Prepared:
        # In float64 the cosine of a vector with itself is 1.0, so equal texts score exactly 1.
        vectors = encoding.vectors.astype(np.float64)
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        weights = [self._weight(token) for token in encoding.tokens]
        empty = all(token in self.encoder.markers for token in encoding.tokens)
        return Prepared(vectors / np.where(lengths > 0, lengths, 1.0), np.array(weights, dtype=np.float64), empty)

    def _weight(self, token: str) -> float:
        if token in self.encoder.markers:
            return 0.0
        return 1.0 if self.rarity is None else self.rarity.weights.get(token, self.rarity.unseen)


class BERTScore(ModelMetric[MeanScore], FittedMetric[MeanScore]):
    """BERTScore of texts against references, by the embeddings of an encoder.

    >>> import numpy as np
    >>> places = {"cat": (1, 0, 0), "kitten": (0.8, 0.6, 0), "ran": (0, 0, 1), "sat": (0, 0.6, 0.8)}
    >>> def encode(texts):
    ...     return [(text.split(), [places[word] for word in text.split()]) for text in texts]
    >>> score = BERTScore(encode).sentence("kitten ran", "cat sat")
    >>> round(score.value, 4), round(score["recall"], 4)
    (0.8, 0.8)

    - `encoder`: an `Encoder`, a function, a folder with a model, or the name of bundled weights
    - `layer`: which layer of the encoder to use, if `encoder` is a folder or a name
    - `idf`: weight tokens by rarity; a corpus uses its own references, single segments and streams need `fit` first
    - `baseline`: three numbers for P, R and F, as in the line of the layer in a baseline file of bert_score
    """

    name = "bertscore"
    model_option = model_noun = "encoder"
    load_model = staticmethod(encoders.resolve)
    slow = True

    def __init__(
        self,
        encoder: object,
        *,
        layer: int | None = None,
        idf: bool = False,
        baseline: Sequence[float] | None = None,
        prior: str | None = None,
    ) -> None:
        model = encoders.resolve(encoder, layer=layer)
        formula = BertScoreFormula(None if baseline is None else checked_baseline(baseline))
        named = checks.prior(prior)
        options = {**model.options, "idf": checks.flag("idf", idf), "baseline": formula.baseline, "prior": named}

        def learn(references: counts.Column | bytes, threads: int) -> Rarity:
            if isinstance(references, bytes):
                return Rarity.of_content(references)
            return Rarity.of(model.tokens([str(text) for group in references.unpack() for text in group]))

        def rows(rarity: Rarity | None) -> ModelRows:
            return ModelRows(_COLUMNS, TokenMatcher(model, rarity).rows)

        super().__init__(
            Definition(
                BERTScore,
                options,
                Unfitted(self.name, _COLUMNS, strings_only=MODEL_SPLITS) if idf else rows(None),
                formula,
                MeanScore,
                ExactMeans,
                outside={"encoder": model},
                fitting=Fitting(learn, rows, named=named) if idf else None,
            )
        )
