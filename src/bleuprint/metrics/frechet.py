"""Fréchet distance of embeddings (with BERT's: FBD): how far apart two corpora lie, seen as two clouds of points.

    d² = |m₁ − m₂|² + trace(C₁ + C₂ − 2 (C₁ C₂)^½)

Every text is one point, the mean of its tokens' vectors or the vector of its first token; m and C are mean and
covariance (over n − 1) of a corpus. Generated texts that are unlike the real ones raise it, and so do generated texts
that are all alike. Publications print d² or d, mostly without saying which; `squared` and `distance` are both here, and
the value is d². Vectors are taken in steps of 2⁻²⁶, in which sums and products are whole numbers: corpora that were
counted in shards give the very number of the whole.
Alihosseini, Montahaei, Soleymani Baghshah (2019): Jointly Measuring Diversity and Quality in Text Generation Models.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from bleuprint import __version__, encoders, signature
from bleuprint.core.columns import Texts, checked_column
from bleuprint.errors import InputError, MergeError, NotTextError, OptionError, PoolError
from bleuprint.metrics import _options
from bleuprint.metrics._encoded import replayable
from bleuprint.metrics.base.definition import Defined
from bleuprint.signature import Option
from bleuprint.statistics.scatter import Scatter

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["FrechetDistance", "FrechetScore"]

_BLOCK = 256  # texts whose vectors are in memory at a time


class FrechetScore:
    """A distance between two corpora, squared and not."""

    def __init__(self, metric: FrechetDistance, mean_part: float, covariance_part: float) -> None:
        self.metric = metric
        self.mean_part = mean_part
        self.covariance_part = covariance_part
        self.texts, self.references = metric.texts, metric.references
        self._options: dict[str, Option] = dict(metric.options)

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
        """d², as the first implementation of FBD gives it."""
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
        """Every option that can move the number; `from_signature` replays it."""
        facts = {"texts": self.texts, "references": self.references, "bleuprint": __version__}
        return signature.write(self.metric.name, self.metric.definition, self._options, facts)

    def __float__(self) -> float:
        return self.value

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.value!r}>"

    def __str__(self) -> str:
        return f"frechet d² = {self.squared:.4f}, d = {self.distance:.4f} ({self.texts} texts, {self.references} real)"


class FrechetDistance(Defined):
    """Fréchet distance of generated texts from real ones, over an encoder: any that BERTScore takes.

    >>> places = {"cat": (1.0, 0.0), "dog": (0.0, 1.0)}
    >>> def encode(texts):
    ...     return [(text.split(), [places[word] for word in text.split()]) for text in texts]
    >>> metric = FrechetDistance(encode).add_references(["cat dog", "dog", "cat"])
    >>> print(metric.update(["cat", "cat", "cat"]).compute())
    frechet d² = 1.0000, d = 1.0000 (3 texts, 3 real)

    The references are given first and stay until `reset`; texts come through `corpus` or `update`. A text without
    tokens lies at the origin.
    """

    name = "frechet"
    higher_is_better = False

    def __init__(self, encoder: Any, *, layer: int | None = None, pooling: str = "mean") -> None:
        self.encoder = encoders.resolve(encoder, layer=layer)
        self.pooling = _options.chosen("pooling", pooling, ("mean", "first"))
        self.options = {**self.encoder.options, "pooling": self.pooling}
        self.reset()

    @classmethod
    def from_signature(cls, text: str, **replaced: Any) -> Self:
        """The metric that wrote this signature; the encoder itself must be given and is compared with it."""
        own, options = replayable(text, replaced)
        return super().from_signature(own, **options)

    @property
    def texts(self) -> int:
        return self._texts.count

    @property
    def references(self) -> int:
        return self._references.count

    def add_references(self, references: Texts) -> Self:
        """Add texts to the corpus that is compared with."""
        self._references.merge(self._counted(references, "references"))
        return self

    def update(self, texts: Texts) -> Self:
        """Add texts to the corpus that is measured."""
        self._texts.merge(self._counted(texts, "texts"))
        return self

    def corpus(self, texts: Texts) -> FrechetScore:
        """The distance of these texts alone from the references."""
        twin = type(self)(self.encoder, pooling=self.pooling)
        twin._references.merge(self._references)
        return twin.update(texts).compute()

    def merge(self, other: Self) -> Self:
        """Add the texts and the references of another metric of the same options: exact, in any order."""
        if type(other) is not type(self) or other.signature != self.signature:
            raise MergeError(self.signature, other.signature if isinstance(other, Defined) else repr(other))
        self._texts.merge(other._texts)
        self._references.merge(other._references)
        return self

    def reset(self) -> Self:
        """Forget all texts and references."""
        self._texts, self._references = Scatter(), Scatter()
        return self

    def compute(self) -> FrechetScore:
        """The distance of all texts from all references since the last reset."""
        for what, corpus in (("texts", self._texts), ("references", self._references)):
            if corpus.count < 2:
                raise PoolError(f"{self.name} ({what})", 2, corpus.count)
        if self._texts.dimensions != self._references.dimensions:
            sizes = f"{self._texts.dimensions} and {self._references.dimensions}"
            raise OptionError("encoder", "one that gives all vectors the same length", sizes)
        return FrechetScore(self, *_distance(self._texts, self._references))

    def _counted(self, texts: Texts, name: str) -> Scatter:
        import numpy as np

        column = checked_column(texts, name)
        if column.tokenized:
            raise NotTextError(name, "a list of str", "tokens", "the encoder splits texts itself, so give whole ones")
        listed = [str(group[0]) for group in column.unpack()]
        found, empty = Scatter(), 0
        for begin in range(0, len(listed), _BLOCK):
            vectors = [item.vectors for item in self.encoder.encode(listed[begin : begin + _BLOCK])]
            found.add(np.array([self._point(item) for item in vectors if len(item)]))
            empty += sum(len(item) == 0 for item in vectors)
        if empty and not found.count:
            raise InputError(f"none of the {empty} {name} has a token, so nobody knows how many dimensions there are.")
        return found.add(np.zeros((empty, found.dimensions)))

    def _point(self, vectors: NDArray[np.float32]) -> NDArray[np.float64]:
        import numpy as np

        point = vectors[0] if self.pooling == "first" else vectors.mean(axis=0, dtype=np.float64)
        return np.asarray(point, dtype=np.float64)


def _distance(first: Scatter, second: Scatter) -> tuple[float, float]:
    """What the means and what the covariances contribute to d²."""
    import numpy as np

    apart = first.mean() - second.mean()
    one, other = first.covariance(), second.covariance()
    values, vectors = np.linalg.eigh(one)
    root = (vectors * np.sqrt(np.maximum(values, 0.0))) @ vectors.T
    # The eigenvalues of C₁C₂ are those of this symmetric matrix, which unlike a product has real, non-negative ones.
    shared = np.sqrt(np.maximum(np.linalg.eigvalsh(root @ other @ root), 0.0)).sum()
    spread = float(np.trace(one) + np.trace(other) - 2 * shared)
    return float(apart @ apart), max(0.0, spread)
