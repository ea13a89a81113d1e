"""Fréchet distance between embeddings (FBD with BERT's): how far apart two corpora are as clouds of points.

    d² = |m₁ − m₂|² + trace(C₁ + C₂ − 2 (C₁ C₂)^½)

Each text is one point: the mean of its token vectors, or the vector of its first token. m and C are the mean and
covariance (over n − 1) of a corpus. Generated texts that differ from the real ones raise the distance, and so do
generated texts that are all alike. Publications report d² or d, mostly without saying which; `squared` and `distance`
give both, and the value is d². Vectors are rounded to multiples of 2⁻²⁶, so that sums and products are integers and
corpora counted in shards give exactly the same number as the whole.
Alihosseini, Montahaei, Soleymani Baghshah (2019): Jointly Measuring Diversity and Quality in Text Generation Models.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from bleuprint import __version__, checks
from bleuprint.core.arrays import np
from bleuprint.core.columns import Texts, checked_column
from bleuprint.errors import InputError, NotTextError, OptionError, PoolError
from bleuprint.metrics._encoded import replayable
from bleuprint.metrics.base.pool import PoolDefinition, PoolMetric, PoolSummary
from bleuprint.metrics.base.rows import MODEL_SPLITS, WHOLE_TEXTS
from bleuprint.models import encoders
from bleuprint.models.encoders import Encoder
from bleuprint.statistics.scatter import Scatter
from bleuprint.statistics.set_digest import SetDigest

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Frechet", "FrechetScore"]

_BLOCK = 256  # texts whose vectors are in memory at a time


class FrechetScore:
    """The distance between two corpora, squared and not."""

    def __init__(
        self,
        definition: PoolDefinition[str],
        texts: int,
        references: SetDigest,
        mean_part: float,
        covariance_part: float,
    ) -> None:
        self.definition = definition
        self.texts, self.references = texts, references.count
        self._references = references.name
        self.mean_part = mean_part
        self.covariance_part = covariance_part

    @property
    def metric(self) -> Frechet:
        """A new metric with the same definition."""
        return Frechet.of(self.definition)

    @property
    def squared(self) -> float:
        """d²."""
        return self.mean_part + self.covariance_part

    @property
    def distance(self) -> float:
        """d."""
        return float(self.squared**0.5)

    @property
    def value(self) -> float:
        """d², as in the first implementation of FBD."""
        return self.squared

    @property
    def parts(self) -> dict[str, float]:
        return {
            "squared": self.squared,
            "distance": self.distance,
            "mean_part": self.mean_part,
            "covariance_part": self.covariance_part,
        }

    @property
    def signature(self) -> str:
        """Every option that can change the number; `from_signature` recreates the metric from it."""
        facts = {"texts": self.texts, "references": self._references, "bleuprint": __version__}
        return self.definition.write(self.definition.options, facts)

    def __float__(self) -> float:
        return self.value

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.value!r}>"

    def __str__(self) -> str:
        return f"frechet d² = {self.squared:.4f}, d = {self.distance:.4f} ({self.texts} texts, {self.references} real)"


class Cloud(Scatter):
    """Count, mean and scatter of some texts, and a digest of the texts."""

    def __init__(self) -> None:
        super().__init__()
        self.digest = SetDigest()

    def __len__(self) -> int:
        return self.count

    def merge(self, other: Scatter) -> Cloud:
        super().merge(other)
        if isinstance(other, Cloud):
            self.digest.merge(other.digest)
        return self


class EmbeddedTexts(PoolSummary):
    """What is kept of the texts and of the references."""

    texts: Cloud
    references: Cloud

    def _empty(self) -> Cloud:
        return Cloud()

    def score(self, threads: int) -> FrechetScore:
        """The distance between all texts and all references."""
        for what, corpus in (("texts", self.texts), ("references", self.references)):
            if corpus.count < 2:
                raise PoolError(f"{self._definition.name} ({what})", 2, corpus.count)
        if self.texts.dimensions != self.references.dimensions:
            sizes = f"{self.texts.dimensions} and {self.references.dimensions}"
            raise OptionError("encoder", "one whose vectors all have the same size", sizes)
        parts = _distance(self.texts, self.references)
        references = SetDigest().merge(self.references.digest)  # a copy, as more may be added
        return FrechetScore(self._definition, self.texts.count, references, *parts)

    def _filled(self, texts: Texts, threads: int, name: str) -> Cloud:
        column = checked_column(texts, name)
        if column.tokenized:
            raise NotTextError(name, "a list of str", "tokens", MODEL_SPLITS.replace("model", "encoder"))
        encoder: Encoder = self._definition.outside["encoder"]
        strings = [str(group[0]) for group in column.unpack()]
        cloud, empty = Cloud(), 0
        cloud.digest.add(text.encode() for text in strings)
        for begin in range(0, len(strings), _BLOCK):
            vectors = [item.vectors for item in encoder.encode(strings[begin : begin + _BLOCK])]
            cloud.add(np.array([self._point(item) for item in vectors if len(item)]))
            empty += sum(len(item) == 0 for item in vectors)
        if empty and not cloud.count:
            raise InputError(f"all {empty} {name} are empty, so the embedding size is unknown.")
        cloud.add(np.tile(self._empty_point(cloud.dimensions), (empty, 1)))
        return cloud

    def _empty_point(self, dimensions: int) -> NDArray[np.float64]:
        """Where a text without tokens is."""
        return np.zeros(dimensions)

    def _point(self, vectors: NDArray[np.float32]) -> NDArray[np.float64]:
        pooling = self._definition.formula
        point = vectors[0] if pooling == "first" else vectors.mean(axis=0, dtype=np.float64)
        return np.asarray(point, dtype=np.float64)


def _distance(first: Scatter, second: Scatter) -> tuple[float, float]:
    """The contributions of the means and of the covariances to d²."""
    mean_difference = first.mean() - second.mean()
    one, other = first.covariance(), second.covariance()
    values, vectors = np.linalg.eigh(one)
    root = (vectors * np.sqrt(np.maximum(values, 0.0))) @ vectors.T
    # The product C₁C₂ has the same eigenvalues as this symmetric matrix, whose computed ones are real.
    shared = np.sqrt(np.maximum(np.linalg.eigvalsh(root @ other @ root), 0.0)).sum()
    spread = float(np.trace(one) + np.trace(other) - 2 * shared)
    return float(mean_difference @ mean_difference), max(0.0, spread)


class Frechet(PoolMetric[FrechetScore]):
    """Fréchet distance between generated and real texts, by the embeddings of an encoder.

    >>> places = {"cat": (1.0, 0.0), "dog": (0.0, 1.0)}
    >>> def encode(texts):
    ...     return [(text.split(), [places[word] for word in text.split()]) for text in texts]
    >>> metric = Frechet(encode).add_references(["cat dog", "dog", "cat"])
    >>> print(metric.update(["cat", "cat", "cat"]).compute())
    frechet d² = 1.0000, d = 1.0000 (3 texts, 3 real)

    - `encoder`: an `Encoder`, a function, a folder with a model, or the name of bundled weights, as for BERTScore
    - `layer`: which layer of the encoder to use, if `encoder` is a folder or a name
    - `pooling`: the point of a text is the "mean" of its token vectors, or the "first" one

    Add the references first; they stay until `reset`. Then pass texts to `corpus` or `update`. A text without tokens
    is at the origin. The signature of a score names the set of references by a digest of their texts.
    """

    name = "frechet"
    higher_is_better = False
    has_percent = False
    needs_references = True

    def __init__(self, encoder: Any, *, layer: int | None = None, pooling: str = "mean") -> None:
        model = encoders.resolve(encoder, layer=layer)
        pooled = checks.choice("pooling", pooling, ("mean", "first"))
        options = {**model.options, "pooling": pooled}
        definition = PoolDefinition(Frechet, options, WHOLE_TEXTS, pooled, EmbeddedTexts, outside={"encoder": model})
        super().__init__(definition)

    @classmethod
    def from_signature(cls, text: str, **replaced: Any) -> Self:
        """Recreate the metric from its signature; pass the encoder itself, which is checked against the signature."""
        own, options = replayable(text, replaced)
        return super().from_signature(own, **options)

    @property
    def texts(self) -> int:
        """Number of texts added."""
        return self._clouds.texts.count

    @property
    def references(self) -> int:
        """Number of references added."""
        return self._clouds.references.count

    @property
    def _clouds(self) -> EmbeddedTexts:
        clouds: Any = self._summary
        return clouds  # type: ignore[no-any-return]
