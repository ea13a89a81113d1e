"""A blend: several metrics in one, weighted so that it predicts ratings.

    blend of a segment = intercept + Σ weight · (score − mean) / scale

over the segment's scores under the components. Means, scales, weights and the intercept come from `Ratings.fit`; a
weight is the change of the predicted rating per standard deviation of the component in the rated texts. A corpus score
is the mean over segments, which is the predicted mean rating.

A file holds the signature of the blend and where its numbers come from. It is read strictly: the components are named
by their signatures, which never make us open another file, and every number must be finite.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from os import PathLike
from pathlib import Path
from typing import Any, Self

from bleuprint import signature
from bleuprint.errors import BleuprintError, ModelFileError, OptionError, SignatureError
from bleuprint.files import write_files
from bleuprint.metrics import registry
from bleuprint.metrics.base import Definition, ExactMeans, MeanFormula, MeanScore, Metric, Score
from bleuprint.metrics.base.formulas import Value, named, within
from bleuprint.metrics.base.rows import WHOLE_TEXTS, SideBySide
from bleuprint.metrics.base.summaries import KeptRows, RealSum

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
    def of_signature(cls, text: str) -> BlendWeights:
        """Restore the numbers from the signature of a blend."""
        parsed = signature.parse(text)
        if parsed.metric != Blend.name or parsed.version != Blend.version:
            raise SignatureError(f"Blend reads signatures of {Blend.name}.{Blend.version}, got {text!r}.")
        options: Mapping[str, Any] = parsed.options
        kinds = {"components": str, "intercept": int | float, "means": tuple, "scales": tuple, "weights": tuple}
        if options.keys() != kinds.keys():
            raise SignatureError(f"{text!r} must have the options {', '.join(kinds)}, got {', '.join(options)}.")
        for name, kind in kinds.items():
            if not isinstance(options[name], kind) or isinstance(options[name], bool):
                raise SignatureError(f"{text!r} has an invalid value of {name}: {options[name]!r}.")
        try:
            intercept = float(options["intercept"])
        except OverflowError:
            intercept = math.inf
        return cls(
            tuple(options["components"].split()), options["means"], options["scales"], options["weights"], intercept
        )

    def save(self, path: str | PathLike[str], *, overwrite: bool = False) -> None:
        """Write the signature, which holds all numbers, and the facts as JSON."""
        import json  # not for every import of the metrics

        document = {
            "signature": signature.write(Blend.name, Blend.version, self.options, {}),
            "facts": dict(self.facts),
        }
        content = json.dumps(document, ensure_ascii=False, indent=1) + "\n"
        write_files({Path(path): content.encode()}, overwrite=overwrite)

    @classmethod
    def load(cls, path: str | PathLike[str]) -> BlendWeights:
        """Read the file that `save` wrote."""
        import json

        try:
            with Path(path).open("rb") as file:
                content = file.read(_LARGEST_FILE + 1)
            if len(content) > _LARGEST_FILE:
                raise ValueError(f"it is larger than {_LARGEST_FILE >> 20} MiB")
            try:
                document = json.loads(content)
            except (ValueError, RecursionError) as error:
                raise ValueError(f"it is not valid JSON ({error})") from None
            match document:
                case {"signature": str(text), "facts": dict(facts), **others} if not others:
                    return replace(cls.of_signature(text), facts=facts)
            raise ValueError("it must hold a signature and facts alone; write it with bleuprint ratings fit")
        except (BleuprintError, OSError, ValueError) as error:  # ValueError: also a NUL in the path
            problem = getattr(error, "strerror", None) or str(error)
            raise ModelFileError(str(path), problem.removesuffix("."), kind="blend") from None


def check_component(name: str, metric: Metric[Score]) -> None:
    """Raise an error unless a segment's score under the metric is a formula of one row of integers."""
    definition = metric.definition
    problem = None
    if metric.unit == "pool":
        problem = "a metric of segments, not of a pool of texts"
    elif not definition.can_stream:
        problem = "fitted: it weights n-grams by a corpus of references, so pass metric.fit(references)"
    elif definition.choices:
        problem = "a metric with a tokenizer, as 'auto' would choose another for other texts"
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
        fit = self.weights
        blend: Value = fit.intercept
        parts = zip(self._named_slices(), self.components, fit.means, fit.scales, fit.weights, strict=True)
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
        weights = BlendWeights.of_signature(text)
        given, metrics = replaced.pop("fit", None), replaced.pop("metrics", ())
        if replaced:
            raise SignatureError(f"a blend takes its options from its fit: it has no option {', '.join(replaced)}.")
        blend = cls.load(weights if given is None else given, metrics=metrics)
        if given is not None and blend.options != weights.options:
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
        parts = {str(number): (each.rows, each.tokenizer.prepare) for number, each in enumerate(components, start=1)}
        # What a signature cannot recreate travels to other processes as it is.
        named_only = tuple(metric for metric in made if metric.definition.recipe()[2:] != ({}, None))
        super().__init__(
            Definition(
                Blend,
                weights.options,
                SideBySide(parts, WHOLE_TEXTS, _SPLIT_DIFFERENTLY),
                BlendFormula(components, weights),
                MeanScore,
                ExactMeans,
                parts=components,
                outside={"metrics": named_only} if named_only else {},
                reads_sources=any(component.needs_sources for component in components),
            )
        )


def _component(text: str) -> Metric[Score]:
    if text.startswith(f"{Blend.name}."):  # before it is read: nested ones would be read again at every level
        raise OptionError(f"component {Blend.name}", "a metric other than a blend", Blend.name)
    try:
        return registry.from_signature(text)
    except SignatureError as error:
        raise SignatureError(f"{error} In a blend, pass this metric to Blend.load, in metrics.") from None
