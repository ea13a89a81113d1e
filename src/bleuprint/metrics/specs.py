"""Metrics as text, in Python and after -m: NAME, or NAME:option=value,option=value; several are joined by commas.

Names, options and the types of their values come from the registry and from the signatures of the metric classes.
"""

from __future__ import annotations

import inspect
import types
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from inspect import Parameter
from os import PathLike
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from bleuprint.core import normalizers, tokenizers
from bleuprint.errors import OptionError, closest
from bleuprint.metrics import profiles, registry
from bleuprint.metrics.base.metric import Metric, Unit
from bleuprint.metrics.base.score import Score

_BOOLEANS = {"yes": True, "true": True, "no": False, "false": False}
_AUTO = "auto"  # how a signature writes None
_ORDERS = "orders"  # NAME:orders is the metric up to each order


@dataclass(slots=True)
class Spec:
    """One metric as it was written: its name, and the text of each option."""

    name: str
    options: dict[str, str] = field(default_factory=dict)
    order: int | None = None  # as one of NAME:orders

    @property
    def text(self) -> str:
        options = ",".join(f"{option}={value}" for option, value in self.options.items())
        name = self.name if self.order is None else f"{self.name}-{self.order}"
        return f"{name}:{options}" if options else name


def parse(texts: Iterable[str], *, unit: Unit | None = None) -> list[Spec]:
    """Return the metrics that the texts name, in their order and each once; a `unit` allows no others.

    Names that other libraries use, such as chrf++ and rougeL, stand for a metric with options.

    >>> [spec.text for spec in parse(["BLEU, chrf:word_order=2", "rouge:types=rouge1,rougeL", "chrf++"])]
    ['bleu', 'chrf:word_order=2', 'rouge:types=rouge1,rougeL', 'chrf:profile=chrf++']
    >>> [spec.text for spec in parse(["bleu:orders"])]
    ['bleu-1', 'bleu-2', 'bleu-3', 'bleu-4']
    """
    specs: list[Spec] = []
    for text in texts:
        if not isinstance(text, str):
            raise OptionError("metric", "a metric object or the name of a metric", text)
        current: Spec | None = None
        option = ""
        for piece in map(str.strip, text.rstrip(", ").split(",")):
            name, colon, rest = piece.partition(":")
            key, equals, _ = piece.partition("=")
            # A comma separates metrics, options of one metric, and items of an option that is a list.
            if current is not None and option and registry.find_name(name) is None:
                if equals and ":" not in key:
                    option = _assign(current, piece, text)
                    continue
                kind = registry.find(current.name)
                # A list, or the path of a model, may contain commas.
                is_path = option == registry.model_option(kind) and not looks_like_metric(piece)
                if is_path or any(map(_is_sequence, _kinds(kind, option))):
                    current.options[option] += f",{piece}"
                    continue
            known = registry.find_name(name)
            meant = (known, {}) if known is not None else registry.alias(name) or (name, {})
            current, option = Spec(meant[0], {key: str(value) for key, value in meant[1].items()}), ""
            specs.append(current)
            if colon:
                option = _assign(current, rest, text)
    for spec in specs:
        registry.find(spec.name, unit)
    return list({one.text: one for spec in specs for one in _by_order(spec)}.values())


def _by_order(spec: Spec) -> list[Spec]:
    """The metric, or that of each order up to its max_order if it was written NAME:orders."""
    options = {option: value for option, value in spec.options.items() if option != _ORDERS}
    if len(options) == len(spec.options):
        return [spec]
    most = registry.find(spec.name)(**values_of(Spec(spec.name, options))).options.get("max_order")
    if not isinstance(most, int):
        raise OptionError.because(f"{spec.name}:{_ORDERS}: {spec.name} has no max_order")
    options.pop("max_order", None)
    return [Spec(spec.name, options, order) for order in range(1, most + 1)]


def _assign(spec: Spec, piece: str, text: str) -> str:
    option, equals, value = piece.partition("=")
    if (not equals and option != _ORDERS) or not option:
        raise OptionError.because(f"{text}: options have the form {spec.name}:option=value, got {piece!r}")
    if option in spec.options:
        raise OptionError.because(f"{text}: {option} is given twice")
    spec.options[option] = value
    return option


def looks_like_metric(text: str) -> bool:
    """Whether a word after the value of -m is meant as another metric: it is one, or nearly."""
    name = text.partition(":")[0].partition(",")[0]
    if registry.find_name(name) is not None or registry.alias(name) is not None:
        return True
    return "." not in name and "/" not in name and registry.similar(name) is not None


def _is_sequence(kind: object) -> bool:
    origin = get_origin(kind)
    return isinstance(origin, type) and issubclass(origin, Sequence)


def values_of(spec: Spec) -> dict[str, Any]:
    """Return the options of a metric with the types that its constructor takes."""
    kind = registry.find(spec.name)
    known = [*registry.options_of(kind), *_reading_options(kind)]
    values: dict[str, Any] = {} if spec.order is None else {"max_order": spec.order}
    for option, text in spec.options.items():
        if option not in known and not is_open_ended(kind):
            similar = closest(option, known)
            hint = "" if similar is None else f" Did you mean {similar}?"
            raise OptionError.because(
                f"{spec.text}: {spec.name} has no option {option!r}.{hint} It has {', '.join(known)}"
            )
        kinds = _kinds(kind, option)
        words, read = _reader(kinds)
        try:
            values[option] = None if text == _AUTO and types.NoneType in kinds else read(text)
        except (ValueError, KeyError):
            raise OptionError.because(f"{spec.text}: {option} must be {words}, got {text!r}") from None
    return values


def is_open_ended(kind: type[Metric[Score]]) -> bool:
    """Whether a metric, such as that of a plug-in, takes options that its constructor does not name."""
    return any(option.kind is Parameter.VAR_KEYWORD for option in inspect.signature(kind).parameters.values())


def _reading_options(kind: type[Metric[Score]]) -> list[str]:
    """Options for reading a model that only names others: its tokenizer."""
    return ["tokenizer"] if registry.model_option(kind) in {"lm", "index"} else []


def _kinds(kind: type[Metric[Score]], option: str) -> tuple[object, ...]:
    """Return the types that an option takes, with unions taken apart."""
    try:
        hint = get_type_hints(kind.__init__).get(option)
    except NameError:  # a plug-in's annotation that only its type checker can resolve
        hint = None
    if hint is None:  # a plug-in without annotations
        default = registry.options_of(kind)[option].default if option in registry.options_of(kind) else None
        return (type(default),) if isinstance(default, bool | int | float) else (str,)
    return get_args(hint) if get_origin(hint) in {Union, types.UnionType} else (hint,)


def _reader(kinds: tuple[object, ...]) -> tuple[str, Callable[[str], object]]:
    """What an option of these types takes, in words, and the function that reads it; it fails on anything else."""
    choices = _choices(kinds)
    item = next((get_args(kind)[0] for kind in kinds if _is_sequence(kind)), None)
    if bool in kinds:
        if str in kinds:
            return "yes, no or a name", lambda text: _BOOLEANS.get(text.lower(), text)
        return "yes or no", lambda text: _BOOLEANS[text.lower()]
    if int in kinds and str not in kinds:
        return " or ".join(("an integer", *choices)), lambda text: text if text in choices else int(text)
    if choices:
        return f"one of {', '.join(choices)}", lambda text: choices[choices.index(text)]
    if float in kinds:
        return "a number", float
    if item is not None:
        words = f"{'numbers' if item is float else 'names'} joined by commas"
        return words, lambda text: text if str in kinds and "," not in text else tuple(map(item, text.split(",")))
    return "a path" if any(get_origin(kind) is PathLike for kind in kinds) else "text", str


def _choices(kinds: Iterable[object]) -> tuple[str, ...]:
    return tuple(str(value) for kind in kinds if get_origin(kind) is Literal for value in get_args(kind))


def _listed_names(metric: str, option: str) -> tuple[str, ...]:
    """The names that an option takes, if there is a list of them."""
    if option == "tokenizer":
        return tuple(value for value in tokenizers.names() if "PATH" not in value)
    if option == "profile":
        return profiles.names(metric)
    return normalizers.NAMES if option == "normalizer" else ()


def suggestions(name: str, option: str) -> tuple[str, ...]:
    """Return the values that a shell can offer for an option of a metric."""
    kind = registry.find(name)
    kinds, default = _kinds(kind, option), registry.options_of(kind)[option].default
    if bool in kinds:
        return ("yes", "no")
    defaults = tuple(map(str, default)) if isinstance(default, tuple) else ()
    return _listed_names(name, option) or _choices(kinds) or defaults


def describe_options(kind: type[Metric[Score]]) -> list[tuple[str, str, str]]:
    """Return the options of a metric with what they take and their defaults, for `bleuprint cards`."""
    options = registry.options_of(kind).items()
    named = [(name, option.default) for name, option in options if option.kind is not Parameter.VAR_KEYWORD]
    return [(name, _accepted_values(kind, name), _format_default(default)) for name, default in named]


def _accepted_values(kind: type[Metric[Score]], option: str) -> str:
    if option == "tokenizer":
        return "a name from 'bleuprint list tokenizers'"
    names = _listed_names(kind.name, option)
    return f"one of {', '.join(names)}" if names else _reader(_kinds(kind, option))[0]


def _format_default(default: object) -> str:
    if default is Parameter.empty:
        return "required"
    if isinstance(default, bool):
        return "yes" if default else "no"
    if isinstance(default, tuple):
        return ",".join(map(str, default))
    return _AUTO if default is None else str(default)
