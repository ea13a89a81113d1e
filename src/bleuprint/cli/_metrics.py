"""Metric options of commands that score."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import click

from bleuprint import signature
from bleuprint.cli import _notes, _specs
from bleuprint.core import tokenizers
from bleuprint.metrics import registry
from bleuprint.metrics._blend_files import BlendWeights
from bleuprint.metrics.base.metric import Metric
from bleuprint.metrics.blend import Blend
from bleuprint.models.encoders import BUNDLES
from bleuprint.models.language_model import LanguageModel
from bleuprint.models.ngram_index import NgramIndex
from bleuprint.results import Result

__all__ = [
    "TOKENIZER_HELP",
    "build_metric",
    "build_metrics",
    "metric_options",
    "metrics_option",
    "model_options",
    "shared_options",
    "with_models",
]

TOKENIZER_HELP = "How to split texts into words; see 'bleuprint list tokenizers'."

# Options passed on to the metrics; None means "not given".
_OPTIONS = {
    "tokenizer": click.option(
        "-tok", "--tokenizer", metavar="NAME", help="How to split texts into words; see 'bleuprint list tokenizers'."
    ),
    "lowercase": click.option("-lc", "--lowercase", is_flag=True, default=None, help="Ignore case."),
    "smoothing": click.option(
        "--smoothing", metavar="METHOD", help="Smoothing method: none, exp, floor(0.1), add-k(1), …"
    ),
    "max_order": click.option("--max-order", type=int, metavar="N", help="Maximum n-gram order."),
    "profile": click.option(
        "--profile",
        metavar="NAME",
        help="Match another library's scores; see 'bleuprint list profiles'.",
    ),
}


# Keyed by the name of the metric's model parameter.
_MODELS = {
    "lm": click.option("--lm", metavar="MODEL", help="Language model for perplexity; see 'bleuprint lm'."),
    "encoder": click.option(
        "--encoder", metavar="NAME", help=f"Encoder for bertscore: a folder, an .onnx file, {' or '.join(BUNDLES)}."
    ),
    "index": click.option(
        "--index", metavar="FILE", help="N-gram index for novelty and contamination; see 'bleuprint index'."
    ),
    "model": click.option("--model", metavar="FOLDER", help="transformers model for neural-perplexity."),
    "fit": click.option("--fit", metavar="FILE", help="Weights for blend; see 'bleuprint ratings fit'."),
}
_TOKENIZER_MODEL = click.option(
    "--tokenizer-model",
    metavar="FILE",
    help="SentencePiece model that a saved result, a language model, an index or a blend names by its SHA-256.",
)


def metrics_option(default: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return the option -m with this default."""
    return click.option(
        "-m",
        "--metric",
        "metrics",
        multiple=True,
        default=(default,),
        show_default=True,
        metavar="METRIC",
        help="Metric, with its options if need be: bleu, chrf:word_order=2, ibleu:alpha=0.7; repeatable, or joined by "
        "commas. 'bleuprint list metrics' lists all, 'bleuprint cards NAME' their options.",
    )


def metric_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add -m and the metrics' own options to a command."""
    return metrics_option("bleu")(shared_options(model_options(function)))


def shared_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that many metrics take."""
    for option in reversed(_OPTIONS.values()):
        function = option(function)
    return function


def model_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add only the model options, for commands that take the metrics from a saved result."""
    for option in (_TOKENIZER_MODEL, *reversed(_MODELS.values())):
        function = option(function)
    return function


def with_models(result: Result, models: Mapping[str, str | None]) -> dict[str, Metric[Any]]:
    """Return the metrics of a result that need a model and got one, by their name in the result."""
    scores = result.systems[0].scores if result.systems and any(models.values()) else ()
    metrics = {}
    for score in scores:
        given = _given(score.signature, models)
        recorded = signature.parse(score.signature)
        if registry.metrics("segment").get(recorded.metric) is Blend:
            # Its signature holds its numbers, so the file is only checked; what it lacks are models of components.
            components = _with_models(str(recorded.options.get("components")).split(), models)
            given = {name: value for name, value in given.items() if value is not None} | {"metrics": components}
        if given and None not in given.values():
            metrics[score.metric] = registry.from_signature(score.signature, **given)
    return metrics


def _given(text: str, models: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the metric of a signature needs besides: its model, None without one, and a SentencePiece model."""
    recorded = signature.parse(text)
    kind = registry.metrics("segment").get(recorded.metric)
    option = None if kind is None else registry.model_option(kind)
    given = {} if option is None else {option: models.get(option)}
    file = models.get("tokenizer_model")
    if file is not None and tokenizers.is_sentencepiece(recorded.options.get("tokenizer")):
        given["tokenizer"] = f"spm:{file}"
    return given


def _with_models(signatures: Iterable[str], models: Mapping[str, Any]) -> list[Metric[Any]]:
    """Return the components of a blend that need a model and got one."""
    needs = [(text, _given(text, models)) for text in signatures]
    return [registry.from_signature(text, **given) for text, given in needs if given and None not in given.values()]


def build_metrics(texts: tuple[str, ...], options: dict[str, Any]) -> dict[str, Metric[Any]]:
    """Build the metrics that -m names; options beside them apply to all that take them, and must apply to one.

    A metric is called by its name, or as it was written if there are several of that name.
    """
    shared = {name: options[name] for name in (*_OPTIONS, *_MODELS) if options.get(name) is not None}
    file = options.get("tokenizer_model")
    if file is not None and "lm" in shared:
        shared["lm"] = LanguageModel.load(shared["lm"], tokenizer=f"spm:{file}")
    if file is not None and "index" in shared:
        shared["index"] = NgramIndex.open(shared["index"], tokenizer=f"spm:{file}")
    specs = _specs.parse(texts)
    names = [spec.name for spec in specs]
    kinds = {spec.text if names.count(spec.name) > 1 else spec.name: _specs.kind_of(spec.name) for spec in specs}
    own = dict(zip(kinds, map(_specs.values_of, specs), strict=True))
    accepted = {label: _accepted(kind, shared) for label, kind in kinds.items()}
    components = {}
    for label, kind in kinds.items():
        fit = own[label].get("fit", shared.get("fit")) if kind is Blend else None
        if fit is not None:
            models = {**shared, "tokenizer_model": file}
            components[label] = _with_models(BlendWeights.load(fit).components, models)
            used = [registry.model_option(type(metric)) for metric in components[label]]
            accepted[label] += [option for option in used if option is not None]
    read = [metric.options.get("tokenizer") for made in components.values() for metric in made]
    if file is not None and not {"lm", "index"} & set(shared) and not any(map(tokenizers.is_sentencepiece, read)):
        raise click.UsageError(
            "--tokenizer-model belongs to --lm, --index or --fit if they name a SentencePiece model; "
            "to score with one, pass --tokenizer spm:FILE."
        )
    for label, kind in kinds.items():
        model = registry.model_option(kind)
        if model is not None and model not in {**own[label], **shared}:
            raise click.UsageError(f"{label} needs a model; pass --{model}.")
    if options.get("percent") and not any(kind.has_percent for kind in kinds.values()):
        raise click.UsageError(f"--percent does not apply to {', '.join(kinds)}, which has its own scale.")
    for option in shared:
        without = [label for label in kinds if option not in accepted[label]]
        flag = f"--{option.replace('_', '-')}"
        if len(without) == len(kinds):
            raise click.UsageError(f"{flag} does not apply to {', '.join(without)}.")
        if without and option not in _MODELS:
            _notes.show([f"{flag} does not apply to {', '.join(without)}"])
    built: dict[str, Metric[Any]] = {}
    for label, kind in kinds.items():
        given = {**{option: shared[option] for option in accepted[label]}, **own[label]}
        built[label] = Blend.load(given["fit"], metrics=components[label]) if label in components else kind(**given)
    return built


def build_metric(command: str, texts: tuple[str, ...], options: dict[str, Any]) -> Metric[Any]:
    """Build the one metric of a command that takes no more."""
    built = build_metrics(texts, options)
    if len(built) != 1:
        raise click.UsageError(f"{command} takes one metric; got {', '.join(built)}.")
    (metric,) = built.values()
    return metric


def _accepted(kind: type[Metric[Any]], options: dict[str, Any]) -> list[str]:
    parameters = inspect.signature(kind).parameters.values()
    if any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters):
        return list(options)
    known = {parameter.name for parameter in parameters}
    return [option for option in options if option in known]
