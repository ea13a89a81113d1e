"""The one table of metrics, made from the files of this folder.

A metric called `x-y` stands in the file `x_y.py`, and nothing else has to name it: functions, exports, command line,
integrations, docs and law tests are derived from the table. So one metric can be loaded without the others.
`tools/make_stubs.py` writes what type checkers and editors need as files.
"""

from __future__ import annotations

import inspect
import pkgutil
import re
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from bleuprint import metrics as package
from bleuprint import signature
from bleuprint.errors import OptionError, closest
from bleuprint.metrics import profiles
from bleuprint.metrics.base import Metric, Score
from bleuprint.metrics.base.metric import Unit

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

ENTRY_POINTS = "bleuprint.metrics"  # where other packages announce metrics of their own

_NO_METRICS = {"functions", "mbr", "pairwise", "profiles", "registry", "smoothing", "specs"}

# Evaluation suites call one of ours by a word that everybody else uses for another.
_CLASSES = {"sentencebleu": "item-bleu"}
_TWO_MEANINGS = {
    "sentence-bleu": "'bleu' is what bleuprint.sentence_bleu computes, of each segment and of the corpus; "
    "'item-bleu' is the class SentenceBleu (words between spaces, lowercased, add-one smoothing, mean of all items)"
}

Kind = type[Metric[Score]]


@cache
def names() -> tuple[str, ...]:
    """The names of this package's metrics, in alphabetical order; no metric is loaded.

    >>> names()[:4]
    ('bertscore', 'bleu', 'cer', 'chrf')
    """
    files = (info.name for info in pkgutil.iter_modules(package.__path__) if not info.ispkg)
    return tuple(sorted(file.replace("_", "-") for file in files if file[0] != "_" and file not in _NO_METRICS))


@cache
def _own(name: str) -> Kind:
    """A metric class of this package."""
    module = import_module(f"bleuprint.metrics.{name.replace('-', '_')}")
    return next(
        kind
        for kind in vars(module).values()
        if isinstance(kind, type) and issubclass(kind, Metric) and vars(kind).get("name") == name
    )


@cache
def metrics(unit: Unit | None = None) -> Mapping[str, Kind]:
    """Every metric of this package by its name, in alphabetical order, or those of segments or of pools.

    >>> list(metrics("pool"))[:4]
    ['compression-ratio', 'cross-bleu', 'distinct', 'duplicates']
    """
    kinds = {name: _own(name) for name in names()}
    return MappingProxyType({name: kind for name, kind in kinds.items() if unit in (None, kind.unit)})


@cache
def scored_by_name(unit: Unit | None = None) -> Mapping[str, Kind]:
    """The metrics that need nothing but their name."""
    return {name: kind for name, kind in metrics(unit).items() if model_option(kind) is None}


def find_class(class_name: str) -> Kind | None:
    """The class of that name, which is that of its metric without hyphens, or SentenceBleu; no other is loaded.

    >>> find_class("SelfBLEU").name
    'self-bleu'
    """
    usual = (name for name in names() if name.replace("-", "") == class_name.lower())
    name = _CLASSES.get(class_name.lower()) or next(usual, None)
    kind = None if name is None else _own(name)
    return kind if kind is not None and kind.__name__ == class_name else None


def class_names() -> dict[str, Kind]:
    """The classes by their own names."""
    return {kind.__name__: kind for kind in metrics().values()}


def options_of(kind: Kind) -> Mapping[str, inspect.Parameter]:
    """The options of a metric, as its constructor takes them.

    >>> list(options_of(metrics()["chrf"]))[:3]
    ['profile', 'char_order', 'word_order']
    """
    return _parameters(kind)  # type: ignore[arg-type]  # a class is hashable


@cache
def _parameters(kind: Kind) -> Mapping[str, inspect.Parameter]:
    parameters = inspect.signature(kind).parameters.items()
    return MappingProxyType({name: option for name, option in parameters if option.kind is not option.VAR_KEYWORD})


def model_option(kind: Kind) -> str | None:
    """The option that has to be given, such as a language model; None where all have defaults.

    >>> model_option(metrics()["perplexity"]), model_option(metrics()["bleu"])
    ('lm', None)
    """
    needed = (name for name, option in options_of(kind).items() if option.default is option.empty)
    return next(needed, None)


def plug_ins() -> dict[str, EntryPoint]:
    """The entry points of other packages' metrics, by name; this package's own names cannot be taken."""
    from importlib.metadata import entry_points

    taken = {*names(), *_TWO_MEANINGS}
    return {point.name: point for point in entry_points(group=ENTRY_POINTS) if _spell(point.name) not in taken}


def origin_of(point: EntryPoint) -> str:
    """The package that an entry point belongs to, and what it names there.

    >>> from importlib.metadata import EntryPoint
    >>> origin_of(EntryPoint("words", "package.module:Words", ENTRY_POINTS))
    'package.module:Words'
    """
    package, value = getattr(getattr(point, "dist", None), "name", ""), str(getattr(point, "value", ""))
    return f"{package} ({value})" if package else value


def _spell(name: str) -> str:
    return name.lower().replace("_", "-")


def find_name(name: str) -> str | None:
    """The name of a metric as it is registered; None if there is none.

    Hyphens and underscores are equal, and so are capital and small letters.

    >>> find_name("Self_BLEU"), find_name("self-blue")
    ('self-bleu', None)
    """
    spelled = _spell(name)
    if spelled in _TWO_MEANINGS:
        raise OptionError.because(f"{name} means two metrics: {_TWO_MEANINGS[spelled]}")
    if spelled in names():
        return spelled
    others = plug_ins()
    return name if name in others else next((other for other in others if _spell(other) == spelled), None)


def find(name: str, unit: Unit | None = None) -> Kind:
    """Return the metric class with this name, plug-ins included.

    With a `unit`, the metric has to be one of segments or of pools.

    >>> find("self_bleu").__name__
    'SelfBLEU'
    """
    if not isinstance(name, str):
        raise OptionError("metric", "the name of a metric", name)
    known = find_name(name)
    if known is None:
        meant = similar(name)
        hint = "" if meant is None else f" Did you mean {meant}?"
        raise OptionError.because(f"There is no metric {name!r}.{hint} See 'bleuprint list metrics'")
    kind = _own(known) if known in names() else _load(known, plug_ins()[known])
    if unit not in (None, kind.unit):
        raise OptionError.because(f"{kind.name} is a metric of {kind.unit}s, and this takes metrics of {unit}s")
    return kind


def _load(name: str, point: EntryPoint) -> Kind:
    try:
        kind = point.load()
    except Exception as error:  # it is another package's code
        problem = f"{type(error).__name__}: {' '.join(str(error).split())}"
        raise OptionError.because(
            f"metric {name!r} failed to import from the plug-in {origin_of(point)}: {problem}"
        ) from error
    if not (isinstance(kind, type) and issubclass(kind, Metric)):
        raise OptionError("metric", f"a subclass of bleuprint.metrics.PlainMetric where {name} is announced", kind)
    return kind


def resolve(
    metric: str | Metric[Score],
    options: Mapping[str, object] | None = None,
    *,
    model: object = None,
    unit: Unit | None = None,
) -> Metric[Score]:
    """The metric of that name with these options, or the given one; a `model` is the option that has no default.

    A name may have its options with it, as on the command line.

    >>> resolve("chrf", {"word_order": 2}).signature == resolve("chrf:word_order=2").signature
    True
    >>> resolve("self-blue")
    Traceback (most recent call last):
    bleuprint.errors.OptionError: There is no metric 'self-blue'. Did you mean self-bleu? See 'bleuprint list metrics'.
    """
    if isinstance(metric, Metric):
        if unit not in (None, metric.unit):
            raise OptionError.because(f"{metric.name} is a metric of {metric.unit}s, and this takes metrics of {unit}s")
        return metric
    from bleuprint.metrics import specs

    spec, *others = specs.parse([metric], unit=unit)
    if others:
        raise OptionError("metric", "one metric with its options", metric)
    kind = find(spec.name)
    needed = model_option(kind)
    given: dict[str, Any] = {**specs.values_of(spec), **(options or {})}
    if needed is not None and model is not None:
        given[needed] = model
    if needed is not None and needed not in given:
        raise OptionError.because(
            f"metric {kind.name!r} needs {needed}, which has no default: "
            f"pass {kind.__name__}({needed}=…), or {kind.name} with its model"
        )
    return kind(**given)


def similar(name: str) -> str | None:
    """The metric that an unknown name most likely means; None if nothing is similar.

    >>> similar("blue"), similar("corpus_chrf"), similar("no such thing")
    ('bleu', 'chrf', None)
    """
    function = re.fullmatch(r"(?:corpus|sentence)-(.*?)s?", _spell(name))
    return function[1] if function and function[1] in names() else closest(name, (*metrics(), *plug_ins()))


def alias(name: str) -> tuple[str, Mapping[str, Any]] | None:
    """The metric with its options that a name of another library stands for, such as chrf++.

    >>> alias("chrf++"), alias("rouge-l"), alias("BLEU-2")
    (('chrf', {'profile': 'chrf++'}), ('rouge', {'types': 'rougeL'}), ('bleu', {'max_order': 2}))
    """
    for metric, kind in metrics().items():
        for profile in profiles.names(metric):
            if profile.startswith(metric) and profile == name.lower():
                return metric, {"profile": profile}
        numbered = re.fullmatch(rf"{metric}[-_ ]?([1-9])", name, re.IGNORECASE)
        if numbered and "max_order" in options_of(kind):
            return metric, {"max_order": int(numbered[1])}
        for option, parameter in options_of(kind).items():
            listed = parameter.default if isinstance(parameter.default, tuple) else ()
            for value in listed:
                if value.startswith(metric) and value.lower() == name.lower().replace("-", "").replace("_", ""):
                    return metric, {option: value}
    return None


def from_signature(text: str, **replaced: Any) -> Metric[Score]:
    """The metric that wrote a signature, whichever it is; keyword arguments replace options.

    >>> from_signature("gleu.1|lowercase:no|max_order:2|min_order:1|tokenizer:13a").options["max_order"]
    2
    """
    return find(signature.parse(text).metric).from_signature(text, **replaced)
