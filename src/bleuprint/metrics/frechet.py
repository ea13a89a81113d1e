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

from collections.abc import Mapping, Sequence
from typing import Any, Self

from bleuprint import checks
from bleuprint.core import counts
from bleuprint.core.arrays import Floats, NDArray, np
from bleuprint.errors import InputError, OptionError
from bleuprint.metrics._model_metric import ModelMetric
from bleuprint.metrics.base import Definition
from bleuprint.metrics.base.formulas import Value, where
from bleuprint.metrics.base.pool import CountFormula, NoRows, PoolSummary, ReferencedScore
from bleuprint.metrics.base.rows import MODEL_SPLITS, WHOLE_TEXTS
from bleuprint.metrics.base.score import AnyScore
from bleuprint.models import encoders
from bleuprint.models.encoders import Encoder
from bleuprint.signature import Option
from bleuprint.statistics.scatter import Scatter
from bleuprint.statistics.set_digest import SetDigest

_BLOCK = 256  # texts whose vectors are in memory at a time


class FrechetScore(ReferencedScore):
    """The distance between two corpora, squared and not; the value is d², as in the first implementation of FBD."""

    part_names = ("squared", "distance", "mean_part", "covariance_part")

    def __init__(
        self, definition: Definition, texts: int, references: SetDigest, mean_part: float, covariance_part: float
    ) -> None:
        super().__init__(definition, texts, value=mean_part + covariance_part)
        self.reference_count, self.reference_set = references.count, references.name
        self.mean_part, self.covariance_part = mean_part, covariance_part

    @property
    def squared(self) -> float:
        """d²."""
        return self.value

    @property
    def distance(self) -> float:
        """d."""
        return float(self.squared**0.5)

    def __str__(self) -> str:
        sizes = f"{self.texts} texts, {self.reference_count} real"
        return f"frechet d² = {self.squared:.4f}, d = {self.distance:.4f} ({sizes})"


class Cloud(Scatter):
    """Count, mean and scatter of some texts, and a digest of the texts."""

    def __init__(self) -> None:
        super().__init__()
        self.digest = SetDigest()

    def __len__(self) -> int:
        return self.count

    def state(self) -> dict[str, Any]:
        return {**super().state(), "digest": list(self.digest.state())}

    @classmethod
    def of_state(cls, state: Mapping[str, Any]) -> Self:
        cloud = super().of_state(state)
        cloud.digest = SetDigest.of_state(state["digest"])
        if cloud.digest.count != cloud.count:
            raise ValueError(f"count and digest must be of the same texts, got {cloud.count} and {cloud.digest.count}")
        return cloud

    def merge(self, other: Scatter) -> Cloud:
        super().merge(other)
        if isinstance(other, Cloud):
            self.digest.merge(other.digest)
        return self


class EmbeddedTexts(PoolSummary):
    """What is kept of the texts and of the references."""

    can_resample = False

    def empty(self) -> Cloud:
        return Cloud()

    def collect(self, texts: counts.Column, name: str, threads: int) -> Cloud:
        encoder: Encoder = self.definition.outside["encoder"]
        strings = [str(group[0]) for group in texts.unpack()]
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

    def state(self) -> dict[str, Any]:
        return {
            "texts": self.texts.state() if self.texts else None,
            "references": self.reference_texts.state() if self.reference_texts else None,
        }

    def merge(self, other: Self) -> None:
        # Before anything is added, as texts and references are added one after the other.
        _check_dimensions(self.texts, self.reference_texts, other.texts, other.reference_texts)
        super().merge(other)

    def _restore(self, state: Mapping[str, Any]) -> None:
        self.texts, self.reference_texts = (self._restore_cloud(state, name) for name in ("texts", "references"))

    def _restore_cloud(self, state: Mapping[str, Any], name: str) -> Cloud | tuple[()]:
        if name in state and state[name] is None:
            return ()
        cloud = self._item(state, name, dict)
        try:
            return Cloud.of_state(cloud)
        except KeyError as error:
            raise self._invalid(f"in {name}, {error} is missing") from None
        except (TypeError, ValueError) as error:
            raise self._invalid(f"in {name}, {error}") from None

    def _empty_point(self, dimensions: int) -> Floats:
        """Where a text without tokens is."""
        return np.zeros(dimensions)

    def _point(self, vectors: NDArray[np.float32]) -> Floats:
        formula: EmbeddingFormula = self.definition.formula
        point = vectors[0] if formula.pooling == "first" else vectors.mean(axis=0, dtype=np.float64)
        return np.asarray(point, dtype=np.float64)


def _check_dimensions(*corpora: Cloud | tuple[()]) -> None:
    sizes = {cloud.dimensions: None for cloud in corpora if cloud}
    if len(sizes) > 1:
        got = " and ".join(map(str, sizes))
        raise OptionError("encoder", "one whose vectors all have the same size", got)


class EmbeddingFormula(CountFormula):
    """A formula of clouds; `pooling` says which point a text is."""

    def __init__(self, pooling: str) -> None:
        super().__init__()
        self.pooling = pooling


class FrechetFormula(EmbeddingFormula):
    """The contributions of the means and of the covariances to d², and their sum."""

    def count(self, pool: Cloud, references: Cloud, threads: int) -> dict[str, float]:
        """The squared distance of the means, the traces of both covariances, and that of the root of their product."""
        _check_dimensions(pool, references)
        difference = pool.mean() - references.mean()
        one, other = pool.covariance(), references.covariance()
        values, vectors = np.linalg.eigh(one)
        root = (vectors * np.sqrt(np.maximum(values, 0.0))) @ vectors.T
        # The product C₁C₂ has the same eigenvalues as this symmetric matrix, whose computed ones are real.
        shared = np.sqrt(np.maximum(np.linalg.eigvalsh(root @ other @ root), 0.0)).sum()
        traces = {"T_1": float(np.trace(one)), "T_2": float(np.trace(other))}
        return {"M": float(difference @ difference), **traces, "T_root": float(shared)}

    def evaluate(self, counted: Mapping[str, Value]) -> Sequence[Value]:
        spread = counted["T_1"] + counted["T_2"] - 2 * counted["T_root"]
        covariance_part = where(spread > 0, spread, 0.0)
        return [covariance_part, counted["M"] + covariance_part]

    def score(self, definition: Definition, pool: Cloud, references: Cloud, threads: int) -> FrechetScore:
        counted = self.count(pool, references, threads)
        digest = SetDigest().merge(references.digest)  # a copy, as more may be added
        return FrechetScore(definition, len(pool), digest, counted["M"], self.evaluate(counted)[0])


class EmbeddingMetric(ModelMetric[AnyScore]):
    """A metric of a pool of texts whose vectors an encoder computes."""

    unit = "pool"
    model_option = model_noun = "encoder"
    load_model = staticmethod(encoders.resolve)
    has_percent = False

    def __init__(self, encoder: Encoder, formula: EmbeddingFormula, summary: type[PoolSummary], **own: Option) -> None:
        rows = NoRows(WHOLE_TEXTS, MODEL_SPLITS.replace("model", "encoder"))
        options, outside = {**encoder.options, **own}, {"encoder": encoder}
        super().__init__(Definition(type(self), options, rows, formula, summary=summary, outside=outside))


class Frechet(EmbeddingMetric[FrechetScore]):
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
    fewest_texts = 2
    higher_is_better = False

    def __init__(self, encoder: object, *, layer: int | None = None, pooling: str = "mean") -> None:
        pooled = checks.choice("pooling", pooling, ("mean", "first"))
        model = encoders.resolve(encoder, layer=layer)
        super().__init__(model, FrechetFormula(pooled), EmbeddedTexts, pooling=pooled)
