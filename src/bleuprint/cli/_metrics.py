"""Metrics and their options, for commands that score."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any

import click

from bleuprint import signature
from bleuprint.cli import _terminal
from bleuprint.core import tokenizers
from bleuprint.encoders import BUNDLES
from bleuprint.metrics import profiles, registry
from bleuprint.metrics.base.metric import Metric
from bleuprint.results import Result

__all__ = ["build_metrics", "metric_options", "model_options", "with_models"]

_NAMES = click.option(
    "-m",
    "--metric",
    "metrics",
    multiple=True,
    default=("bleu",),
    show_default=True,
    metavar="NAME",
    help=f"Metric; can be repeated. {', '.join(registry.segment_metrics())}, and those of other packages.",
)
# Options that are handed to the metrics; None stands for "not given".
_OPTIONS = {
    "tokenizer": click.option("-tok", "--tokenizer", metavar="NAME", help=f"{', '.join(tokenizers.names())}"),
    "lowercase": click.option("-lc", "--lowercase", is_flag=True, default=None, help="Ignore case."),
    "smoothing": click.option("--smoothing", metavar="METHOD", help="none, exp, floor(0.1), add-k(1), …"),
    "max_order": click.option("--max-order", type=int, metavar="N", help="Longest n-grams that count."),
    "profile": click.option(
        "--profile",
        metavar="NAME",
        help=f"Score as another library does: {', '.join(profiles.names('bleu'))}.",
    ),
}


# By what each metric calls its model.
_MODELS = {
    "lm": click.option("--lm", metavar="MODEL", help="Language model of the metric perplexity; see 'bleuprint lm'."),
    "encoder": click.option(
        "--encoder", metavar="NAME", help=f"Encoder of bertscore: a folder, an .onnx file, {', '.join(BUNDLES)}."
    ),
    "model": click.option("--model", metavar="FOLDER", help="transformers model of the metric neural-perplexity."),
}


def metric_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """-m, and the options of metrics."""
    for option in (*reversed(_MODELS.values()), *reversed(_OPTIONS.values()), _NAMES):
        function = option(function)
    return function


def model_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """The models of metrics, for commands that find the metrics in a result."""
    for option in reversed(_MODELS.values()):
        function = option(function)
    return function


def with_models(result: Result, models: Mapping[str, str | None]) -> dict[str, Metric[Any]]:
    """The metrics of a result whose models are given, by the name they have there."""
    scores = result.systems[0].scores if result.systems else ()
    named = {score.metric: (signature.parse(score.signature).metric, score.signature) for score in scores}
    metrics = {}
    for label, (name, text) in named.items():
        kind = registry.segment_metrics().get(name)
        option = None if kind is None else registry.model_option(kind)
        if kind is not None and option is not None and models.get(option) is not None:
            metrics[label] = kind.from_signature(text, **{option: models[option]})
    return metrics


def build_metrics(names: tuple[str, ...], options: dict[str, Any]) -> dict[str, Metric[Any]]:
    """The metrics with the options that were given; one that no metric has is refused."""
    given = {name: options[name] for name in (*_OPTIONS, *_MODELS) if options.get(name) is not None}
    kinds = {name: _kind(name, given) for name in names}
    for name, kind in kinds.items():
        if options.get("percent") and not kind.has_percent:
            raise click.UsageError(f"--percent does not apply to the metric {name}, which has a scale of its own.")
    takes = {name: _accepted(kind, given) for name, kind in kinds.items()}
    for option in given:
        without = [name for name in kinds if option not in takes[name]]
        written = f"--{option.replace('_', '-')}"
        if len(without) == len(kinds):
            raise click.UsageError(f"{written} does not apply to {', '.join(without)}.")
        if without and option not in _MODELS:
            _terminal.note(f"note: {written} does not apply to {', '.join(without)}")
    return {name: kind(**{option: given[option] for option in takes[name]}) for name, kind in kinds.items()}


def _kind(name: str, given: dict[str, Any]) -> type[Metric[Any]]:
    kind = registry.segment_metrics().get(name)
    option = None if kind is None else registry.model_option(kind)
    if kind is None or option is None:
        return registry.find(name)
    if option not in given:
        raise click.UsageError(f"The metric {name} needs a model: give --{option}.")
    return kind


def _accepted(kind: type[Metric[Any]], options: dict[str, Any]) -> list[str]:
    parameters = inspect.signature(kind).parameters.values()
    if any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters):
        return list(options)
    known = {parameter.name for parameter in parameters}
    return [option for option in options if option in known]
