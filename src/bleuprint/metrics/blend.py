"""A blend: several metrics in one, weighted so that it predicts ratings.

    blend of a segment = intercept + Σ weight · (score − mean) / scale

over the segment's scores under the components. Means, scales, weights and the intercept come from `Ratings.fit`; a
weight is the change of the predicted rating per standard deviation of the component in the rated texts. A corpus score
is the mean over segments, which is the predicted mean rating.

A file is read strictly: it names metrics by their signatures, which never make us open another file, and every number
must be finite.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, TypeVar

from bleuprint import signature
from bleuprint.core import counts
from bleuprint.core.arrays import np
from bleuprint.core.columns import Corpus
from bleuprint.errors import BleuprintError, ModelFileError, OptionError, SignatureError
from bleuprint.files import write_files
from bleuprint.metrics import registry
from bleuprint.metrics.base import Definition, ExactMeans, MeanFormula, MeanScore, Metric, Score
from bleuprint.metrics.base.formulas import Value, named, within
from bleuprint.metrics.base.rows import WHOLE_TEXTS, RowSource
from bleuprint.metrics.base.summaries import KeptRows, RealSum

if TYPE_CHECKING:
    from numpy.typing import NDArray

Kind = TypeVar("Kind")

FORMAT = "bleuprint-blend"
VERSION = 1

_MOST_COMPONENTS = 100
_LARGEST_FILE = 1 << 20  # a hundred components with long signatures take a tenth of that
_LARGEST = 1e150  # far beyond any score or rating, and products of two stay finite
_SMALLEST_SCALE = 1e-150
_SPLIT_DIFFERENTLY = "the components split texts in different ways, so pass whole texts"


@dataclass(frozen=True, slots=True)
class BlendWeights:
    """The signatures of the components, and for each the mean and scale of its scores and its weight."""

    components: tuple[str, ...]
    means: tuple[float, ...]
    scales: tuple[float, ...]
    weights: tuple[float, ...]
    intercept: float
    facts: Mapping[str, object] = field(default_factory=dict, compare=False)  # where the numbers come from

    def __post_init__(self) -> None:
        problem = self._problem()
        if problem:
            raise SignatureError(f"this is not a blend: {problem}.")

    def _problem(self) -> str:
        count = len(self.components)
        if not 1 <= count <= _MOST_COMPONENTS:
            return f"it must have 1 to {_MOST_COMPONENTS} components, got {count}"
        if len(set(self.components)) < count:
            return "a component appears twice"
        for name in ("means", "scales", "weights"):
            if len(getattr(self, name)) != count:
                return f"{name} must hold {count} numbers, one per component, got {len(getattr(self, name))}"
        for number in (*self.means, *self.scales, *self.weights, self.intercept):
            if not abs(number) <= _LARGEST:
                return f"its numbers must be finite and at most {_LARGEST:g}, got {number}"
        if min(self.scales) < _SMALLEST_SCALE:
            return f"scales must be positive, got {min(self.scales)}"
        return ""

    @property
    def numbers(self) -> tuple[tuple[float, ...], tuple[float, ...], tuple[float, ...]]:
        """Means, scales and weights."""
        return self.means, self.scales, self.weights

    @property
    def options(self) -> dict[str, signature.Option]:
        """All of it as options of a signature; a space separates the components, whose signatures hold none."""
        return {
            "components": " ".join(self.components),
            "means": self.means,
            "scales": self.scales,
            "weights": self.weights,
            "intercept": self.intercept,
        }

    @classmethod
    def of_options(cls, options: Mapping[str, Any], text: str) -> BlendWeights:
        """Restore the numbers from the options in a signature."""
        names = ("components", "intercept", "means", "scales", "weights")
        if sorted(options) != list(names):
            raise SignatureError(f"{text!r} must have the options {', '.join(names)}, got {', '.join(options)}.")
        for name, kind in zip(names, (str, int | float, tuple, tuple, tuple), strict=True):
            if not isinstance(options[name], kind) or isinstance(options[name], bool):
                raise SignatureError(f"{text!r} has an invalid value of {name}: {options[name]!r}.")
        components = tuple(options["components"].split())
        return cls(components, options["means"], options["scales"], options["weights"], _float(options["intercept"]))

    def save(self, path: str | PathLike[str], *, overwrite: bool = False) -> None:
        """Write the numbers as JSON."""
        listed = [
            {"signature": component, "mean": mean, "scale": scale, "weight": weight}
            for component, mean, scale, weight in zip(self.components, *self.numbers, strict=True)
        ]
        document = {
            "format": FORMAT,
            "version": VERSION,
            "intercept": self.intercept,
            "components": listed,
            "facts": dict(self.facts),
        }
        import json  # not for every import of the metrics

        content = json.dumps(document, ensure_ascii=False, indent=1, allow_nan=False) + "\n"
        write_files({Path(path): content.encode()}, overwrite=overwrite)

    @classmethod
    def load(cls, path: str | PathLike[str]) -> BlendWeights:
        """Read the file that `save` wrote."""
        import json

        name = str(path)
        try:
            with Path(path).open("rb") as file:
                content = file.read(_LARGEST_FILE + 1)
        except (OSError, ValueError) as error:  # ValueError: a NUL in the path
            raise _fault(name, getattr(error, "strerror", None) or str(error)) from None
        if len(content) > _LARGEST_FILE:
            raise _fault(name, f"it is larger than {_LARGEST_FILE >> 20} MiB")
        try:
            document = json.loads(content, parse_constant=_refuse_constant)
        except (ValueError, RecursionError) as error:
            raise _fault(name, f"it is not valid JSON ({error})") from None
        try:
            return cls._of_document(document)
        except (BleuprintError, ValueError) as error:
            raise _fault(name, str(error).removesuffix(".")) from None

    @classmethod
    def _of_document(cls, document: object) -> BlendWeights:
        fields = _fields(document, "the document", ("components", "facts", "format", "intercept", "version"))
        if fields["format"] != FORMAT or fields["version"] != VERSION:
            raise ValueError(
                f"its format must be {FORMAT!r} and its version {VERSION}, got {fields['format']!r:.60} and "
                f"{fields['version']!r:.60}; write it with bleuprint ratings fit"
            )
        listed = _check_type(fields["components"], list, "components")
        facts = _check_type(fields["facts"], dict, "facts")
        if len(listed) > _MOST_COMPONENTS:
            raise ValueError(f"it must have 1 to {_MOST_COMPONENTS} components, got {len(listed)}")
        components, numbers = [], []
        for place, value in enumerate(listed):
            where = f"components[{place}]"
            component = _fields(value, where, ("mean", "scale", "signature", "weight"))
            written = _check_type(component["signature"], str, f"{where}.signature")
            if written != "".join(written.split()):
                raise ValueError(f"{where}.signature must not contain white space, got {written!r:.80}")
            components.append(written)
            numbers.append([_number(component[name], f"{where}.{name}") for name in ("mean", "scale", "weight")])
        means, scales, weights = (tuple(row[column] for row in numbers) for column in range(3))
        return cls(tuple(components), means, scales, weights, _number(fields["intercept"], "intercept"), facts)


def _fault(name: str, problem: str) -> ModelFileError:
    return ModelFileError(name, problem, kind="blend")


def _refuse_constant(name: str) -> float:
    raise ValueError(f"{name} is not a number")


def _check_type(value: object, kind: type[Kind], where: str) -> Kind:
    if not isinstance(value, kind):
        raise ValueError(f"{where} must be a {kind.__name__}, got {type(value).__name__}")
    return value


def _fields(value: object, where: str, names: Sequence[str]) -> dict[str, object]:
    fields = _check_type(value, dict, where)
    if sorted(fields) != list(names):
        raise ValueError(f"{where} must have the fields {', '.join(names)}, got {', '.join(fields)[:200]}")
    return fields


def _number(value: object, where: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError(f"{where} must be a number, got {type(value).__name__}")
    number = _float(value)
    if not math.isfinite(number):
        raise ValueError(f"{where} must be a finite number, got {value!r:.60}")
    return number


def _float(value: int | float) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.inf


def check_component(name: str, metric: Metric[Score]) -> None:
    """Raise an error unless a segment's score under the metric is a formula of one row of integers."""
    definition = metric.definition
    problem = None
    if metric.unit == "pool":
        problem = "a metric of segments, not of a pool of texts"
    elif not definition.can_stream:
        problem = "fitted: it weights n-grams by a corpus of references, so pass metric.fit(references)"
    elif isinstance(metric, Blend):
        problem = "a metric other than a blend"
    elif issubclass(definition.summary, KeptRows | RealSum):
        problem = "a metric with one row of integers per segment, which custom metrics and GEC-GLEU do not have"
    if problem is not None:
        raise OptionError(f"component {name}", problem, metric.name)


@dataclass(frozen=True)
class BlendFormula(MeanFormula):
    """The blend, followed by the scores of its components."""

    components: tuple[Definition, ...]
    weights: BlendWeights

    def scores(self, columns: Sequence[Value]) -> dict[str, Value]:
        scores: dict[str, Value] = {}
        blend: Value = self.weights.intercept
        parts = zip(self._named_slices(), self.components, *self.weights.numbers, strict=True)
        for number, ((name, place), component, mean, scale, weight) in enumerate(parts, start=1):
            score = named(name, component.formula(within(str(number), columns[place]), sentence=True))
            scores[name] = score
            blend = blend + weight * ((score - mean) / scale)
        return {"blend": blend, **scores}

    def _named_slices(self) -> Iterable[tuple[str, slice]]:
        """The name of each component and the columns of its rows; metrics of the same name are numbered."""
        end, seen = 0, dict[str, int]()
        for component in self.components:
            begin, end = end, end + len(component.columns)
            number = seen[component.name] = seen.get(component.name, 0) + 1
            yield component.name if number == 1 else f"{component.name}_{number}", slice(begin, end)


class ComponentRows(RowSource):
    """The rows of all components, side by side."""

    def __init__(self, components: tuple[Definition, ...]) -> None:
        names = tuple(
            f"{place}_{name}" for place, component in enumerate(components, start=1) for name in component.columns
        )
        super().__init__(names, WHOLE_TEXTS, _SPLIT_DIFFERENTLY)
        self._sources = tuple(component.rows for component in components)

    def requests(self, corpus: Corpus) -> list[counts.Request]:
        return [request for source in self._sources for request in source.requests(source.tokenizer.prepare(corpus))]

    def assemble(self, corpus: Corpus, answers: Sequence[NDArray[np.int64]]) -> NDArray[np.int64]:
        rest, rows = list(answers), []
        for source in self._sources:
            count = len(source.requests(corpus))
            # What the core has counted needs no texts any more, so they are not split again.
            rows.append(source.assemble(corpus if count else source.tokenizer.prepare(corpus), rest[:count]))
            rest = rest[count:]
        return np.hstack(rows)

    def fault(self, total: Sequence[int]) -> str | None:
        begin = 0
        for source in self._sources:
            problem = source.fault(total[begin : begin + len(source.columns)])
            if problem is not None:
                return problem
            begin += len(source.columns)
        return None


class Blend(Metric[MeanScore]):
    """Several metrics in one, weighted to predict ratings; `Ratings.fit` computes the weights.

    - `fit`: the file that `Fit.save` or `Blend.save` wrote

    >>> text = (
    ...     "blend.1|components:bleu.1%7Cmax_order%3A2%20ter.1%7Clowercase%3Ano|intercept:3.5"
    ...     "|means:0.25,0.5,|scales:0.125,0.25,|weights:0.5,-0.25,"
    ... )
    >>> blend = Blend.from_signature(text)
    >>> blend.sentence("the cat sat", "the cat sat")
    <MeanScore 7.0>
    >>> print(blend.sentence("the cat ran", "the cat sat"))
    blend = 4.9761 (blend = 4.9761, bleu = 0.5774, ter = 0.3333)

    The signature holds everything: the signatures of the components and the exact numbers. Scores of a blend can be
    replayed without its file.
    """

    name = "blend"
    has_percent = False
    default_threshold = 0.0  # no value fits all ratings; `Ratings.threshold` finds one

    def __init__(self, fit: BlendWeights | str | PathLike[str]) -> None:
        self._build(fit, ())

    @classmethod
    def load(cls, fit: BlendWeights | str | PathLike[str], *, metrics: Iterable[Metric[Score]] = ()) -> Self:
        """Load a blend some of whose components use a model or a custom tokenizer, which its file only names.

        Pass these components in `metrics`; they are found by their signatures.
        """
        blend = cls.__new__(cls)
        blend._build(fit, metrics)
        return blend

    def save(self, path: str | PathLike[str], *, overwrite: bool = False) -> None:
        """Write the blend as JSON, for `Blend(path)` and `-m blend:fit=path`."""
        self.definition.formula.weights.save(path, overwrite=overwrite)

    @classmethod
    def from_signature(cls, text: str, **replaced: Any) -> Self:
        """Recreate the blend from its signature; pass components that use a model in a list, as `metrics`.

        If `fit` is given, its file must hold the same blend.
        """
        parsed = signature.parse(text)
        if parsed.metric != cls.name or parsed.version != cls.version:
            raise SignatureError(f"{cls.__name__} reads signatures of {cls.name}.{cls.version}, got {text!r}.")
        given, metrics = replaced.pop("fit", None), replaced.pop("metrics", ())
        if replaced:
            raise SignatureError(f"a blend takes its options from its fit: it has no option {', '.join(replaced)}.")
        blend = cls.__new__(cls)
        blend._build(BlendWeights.of_options(parsed.options, text) if given is None else given, metrics)
        if given is not None and blend.options != parsed.options:
            raise SignatureError(f"the given fit has the signature {blend.signature!r}, not {text!r}.")
        return blend

    def _build(self, fit: BlendWeights | str | PathLike[str], metrics: Iterable[Metric[Score]]) -> None:
        if not isinstance(fit, BlendWeights | str | PathLike):
            raise OptionError("fit", "the path of a file that Fit.save wrote", fit)
        weights = fit if isinstance(fit, BlendWeights) else BlendWeights.load(fit)
        given = {metric.signature: metric for metric in metrics}
        try:
            made = [given.get(text) or _component(text) for text in weights.components]
            for metric in made:
                check_component(metric.name, metric)
            weights = replace(weights, components=tuple(metric.signature for metric in made))
        except BleuprintError as error:
            if isinstance(fit, BlendWeights):
                raise
            raise ModelFileError(str(fit), str(error).removesuffix("."), kind="blend") from None
        components = tuple(metric.definition for metric in made)
        # What a signature cannot recreate travels to other processes as it is.
        named_only = tuple(metric for metric in made if metric.definition.recipe()[2:] != ({}, None))
        super().__init__(
            Definition(
                Blend,
                weights.options,
                ComponentRows(components),
                BlendFormula(components, weights),
                MeanScore,
                ExactMeans,
                outside={"metrics": named_only} if named_only else {},
                reads_sources=any(component.needs_sources for component in components),
            )
        )


def _component(text: str) -> Metric[Score]:
    try:
        return registry.from_signature(text)
    except SignatureError as error:
        raise SignatureError(f"{error} In a blend, pass this metric to Blend.load, in metrics.") from None
