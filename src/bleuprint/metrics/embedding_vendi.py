"""Vendi score with an encoder: the effective number of different texts by meaning. Higher means more diverse.

    VS = exp(− Σ_i λ_i log λ_i),   λ: the eigenvalues of K / |X|,   K(x, y): the cosine of the vectors of x and y

The vector of a text is the mean of its token vectors. K / |X| and the matrix of second moments of the unit vectors have
the same eigenvalues, so the time is linear in the number of texts. Texts without tokens, or whose vector is 0, are
equal to each other and orthogonal to all others: the trace of K / |X| is 1. Vectors are rounded as for the Fréchet
distance, so that shards merge exactly.
Friedman, Dieng (2023): The Vendi Score: A Diversity Evaluation Metric for Machine Learning. TMLR.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bleuprint.core.arrays import Floats, NDArray, np
from bleuprint.metrics.base import Definition
from bleuprint.metrics.base.formulas import Value
from bleuprint.metrics.frechet import Cloud, EmbeddedTexts, EmbeddingFormula, EmbeddingMetric
from bleuprint.metrics.vendi import VendiScore, effective_number, label_eigenvalues
from bleuprint.models import encoders


class UnitVectors(EmbeddedTexts):
    """Count, mean and scatter of the texts' directions; one more dimension is that of texts without a direction."""

    def _point(self, vectors: NDArray[np.float32]) -> Floats:
        point = np.append(super()._point(vectors), 0.0)
        length = np.linalg.norm(point)
        return point / length if length > 0 else self._empty_point(len(point))

    def _empty_point(self, dimensions: int) -> Floats:
        point = np.zeros(dimensions)
        point[-1] = 1.0
        return point


class EmbeddingVendiFormula(EmbeddingFormula):
    """The exponential of the entropy of the eigenvalues of the second moments."""

    def count(self, pool: Cloud, references: Cloud, threads: int) -> dict[str, float]:
        mean = pool.mean()
        spread = pool.covariance() * (pool.count - 1) / pool.count if pool.count > 1 else 0.0
        return label_eigenvalues(spread + np.outer(mean, mean))

    def evaluate(self, counted: Mapping[str, Value]) -> Sequence[Value]:
        return [effective_number(list(counted.values()))]

    def score(self, definition: Definition, pool: Cloud, references: Cloud, threads: int) -> VendiScore:
        (value,) = self.evaluate(self.count(pool, references, threads))
        return VendiScore(definition, len(pool), value, 0.0)


class EmbeddingVendi(EmbeddingMetric[VendiScore]):
    """Vendi score of a pool of texts by the embeddings of an encoder: the effective number of different texts.

    >>> places = {"cat": (1.0, 0.0), "dog": (0.0, 1.0)}
    >>> def encode(texts):
    ...     return [(text.split(), [places[word] for word in text.split()]) for text in texts]
    >>> round(EmbeddingVendi(encode).corpus(["cat", "dog", "cat", "dog"]).value, 4)
    2.0

    - `encoder`: an `Encoder`, a function, a folder with a model, or the name of bundled weights, as for BERTScore
    - `layer`: which layer of the encoder to use, if `encoder` is a folder or a name

    Texts without tokens are equal to each other and share nothing with other texts.
    """

    name = "embedding-vendi"
    needs_references = False

    def __init__(self, encoder: object, *, layer: int | None = None) -> None:
        super().__init__(encoders.resolve(encoder, layer=layer), EmbeddingVendiFormula("mean"), UnitVectors)
