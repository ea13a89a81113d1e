"""The one table of metrics, made from the files of this folder.

A public module here that defines a metric class is a row of the table, and nothing else has to name it: functions,
exports, command line, integrations, docs and law tests are derived from the table. `tools/make_stubs.py` writes what
type checkers and editors need as files.
"""

from __future__ import annotations

import inspect
import pkgutil
import re
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import Any

from bleuprint import signature
from bleuprint.errors import OptionError, closest
from bleuprint.metrics import profiles
from bleuprint.metrics.base.metric import Metric, Named
from bleuprint.metrics.base.pool import PoolMetric

__all__ = [
    "ENTRY_POINTS",
    "announced",
    "class_names",
    "find",
    "from_signature",
    "functional",
    "made",
    "metrics",
    "model_option",
    "options_of",
    "origin_of",
    "pool_metrics",
    "scored_by_name",
    "segment_metrics",
    "similar",
]

ENTRY_POINTS = "bleuprint.metrics"  # where other packages announce metrics of their own

_DERIVED = {"functions", "registry"}

AnyKind = type[Metric[Any]] | type[PoolMetric[Any]]


@cache
def metrics() -> Mapping[str, AnyKind]:
    """Every metric of this package by its name, in alphabetical order.

    >>> list(metrics())[:4]
    ['bertscore', 'blend', 'bleu', 'cer']
    """
    kinds = {kind.name: kind for module in _modules() for kind in _kinds(module)}
    return MappingProxyType(dict(sorted(kinds.items())))


def _modules() -> list[str]:
    names = (info.name for info in pkgutil.iter_modules([str(Path(__file__).parent)]) if not info.ispkg)
    return [f"bleuprint.metrics.{name}" for name in names if not name.startswith("_") and name not in _DERIVED]


def _kinds(module: str) -> list[AnyKind]:
    """The public metric classes that a module defines itself."""
    names = vars(import_module(module)).items()
    own = (value for name, value in names if isinstance(value, type) and not name.startswith("_"))
    return [kind for kind in own if issubclass(kind, Metric | PoolMetric) and kind.__module__ == module]


@cache
def segment_metrics() -> Mapping[str, type[Metric[Any]]]:
    """The metrics that score segments, mostly against references."""
    return {label: kind for label, kind in metrics().items() if issubclass(kind, Metric)}


@cache
def functional() -> Mapping[str, type[Metric[Any]]]:
    """The segment metrics with functions and frame methods of their own.

    Sentence BLEU has none, because `sentence_bleu` is BLEU of one segment.

    >>> set(segment_metrics()) - set(functional())
    {'sentence-bleu'}
    """
    taken = {f"sentence-{name}" for name in segment_metrics()}
    return {name: kind for name, kind in segment_metrics().items() if name not in taken}


@cache
def pool_metrics() -> Mapping[str, type[PoolMetric[Any]]]:
    """The metrics that score texts against each other, or against another corpus as a whole."""
    return {label: kind for label, kind in metrics().items() if issubclass(kind, PoolMetric)}


@cache
def scored_by_name() -> Mapping[str, type[Metric[Any]]]:
    """The segment metrics that need nothing but their name."""
    return {label: kind for label, kind in segment_metrics().items() if model_option(kind) is None}


def class_names() -> dict[str, AnyKind]:
    """The classes by their own names."""
    return {kind.__name__: kind for kind in metrics().values()}


def options_of(kind: type[Named]) -> Mapping[str, inspect.Parameter]:
    """The options of a metric, as its constructor takes them.

    >>> list(options_of(metrics()["chrf"]))[:3]
    ['profile', 'char_order', 'word_order']
    """
    return _parameters(kind)  # type: ignore[arg-type]  # a class is hashable


@cache
def _parameters(kind: type[Named]) -> Mapping[str, inspect.Parameter]:
    parameters = inspect.signature(kind).parameters.items()
    return MappingProxyType(
        {name: option for name, option in parameters if name != "self" and option.kind is not option.VAR_KEYWORD}
    )


def model_option(kind: type[Named]) -> str | None:
    """The option that has to be given, such as a language model; None where all have defaults.

    >>> model_option(metrics()["perplexity"]), model_option(metrics()["bleu"])
    ('lm', None)
    """
    needed = (name for name, option in options_of(kind).items() if option.default is option.empty)
    return next(needed, None)


def made(kind: type[Metric[Any]], options: Mapping[str, Any]) -> Metric[Any]:
    """A metric with these options."""
    return kind(**options)


def announced() -> dict[str, Any]:
    """The entry points of other packages' metrics, by name; this package's own names cannot be taken."""
    from importlib.metadata import entry_points

    return {point.name: point for point in entry_points(group=ENTRY_POINTS) if point.name not in metrics()}


def origin_of(point: Any) -> str:
    """The package that an entry point belongs to, and what it names there.

    >>> from importlib.metadata import EntryPoint
    >>> origin_of(EntryPoint("words", "package.module:Words", ENTRY_POINTS))
    'package.module:Words'
    """
    package, value = getattr(getattr(point, "dist", None), "name", ""), str(getattr(point, "value", ""))
    return f"{package} ({value})" if package else value


def find(name: str) -> type[Metric[Any]]:
    """The segment metric of that name: of this package, or of another that announces it.

    >>> find("chrf").__name__
    'CHRF'
    """
    known = segment_metrics()
    if name in known:
        option = model_option(known[name])
        if option is None:
            return known[name]
        given = f"{known[name].__name__}({option}=…)"
        raise OptionError("metric", f"{given} or named beside its model, not its name alone: it has no default", name)
    others = announced()
    if name not in others:
        meant = similar(name)
        raise OptionError(
            "metric",
            f"one of {', '.join((*scored_by_name(), *others))}",
            name,
            meant=None if meant is None else _as_code(*meant),
        )
    try:
        kind = others[name].load()
    except Exception as error:  # it is another package's code
        problem = f"{type(error).__name__}: {' '.join(str(error).split())}"
        usable = f"usable, but importing it from the plug-in {origin_of(others[name])} raised {problem}"
        raise OptionError("metric", usable, name) from error
    if not (isinstance(kind, type) and issubclass(kind, Metric)):
        raise OptionError("metric", f"a subclass of bleuprint.metrics.PlainMetric where {name} is announced", kind)
    return kind


def similar(name: str) -> tuple[str, Mapping[str, Any]] | None:
    """The segment metric that an unknown name most likely means, with its options; None if nothing is similar.

    >>> similar("blue"), similar("chrf++"), similar("rouge-l"), similar("BLEU-2")
    (('bleu', {}), ('chrf', {'profile': 'chrf++'}), ('rouge', {'types': 'rougeL'}), ('bleu', {'max_order': 2}))
    """
    if not isinstance(name, str):
        return None
    for metric, kind in segment_metrics().items():
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
    meant = closest(name, (*segment_metrics(), *announced()))
    return None if meant is None else (meant, {})


def _as_code(name: str, options: Mapping[str, Any]) -> str:
    if not options:
        return repr(name)
    given = ", ".join(f"{option}={value!r}" for option, value in options.items())
    return f"bleuprint.{segment_metrics()[name].__name__}({given})"


def from_signature(text: str, **replaced: Any) -> Metric[Any]:
    """The metric that wrote a signature, whichever it is; keyword arguments replace options.

    >>> from_signature("gleu.1|lowercase:no|max_order:2|min_order:1|tokenizer:13a").options["max_order"]
    2
    """
    name = signature.parse(text).metric
    return (segment_metrics().get(name) or find(name)).from_signature(text, **replaced)
