"""Metric options of commands that score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import click

from bleuprint import signature
from bleuprint.cli import _notes
from bleuprint.cli._command import Decorator, combine
from bleuprint.cli._options import shared_options
from bleuprint.metrics import registry, specs
from bleuprint.metrics._model_metric import ModelMetric
from bleuprint.metrics.base.metric import Metric, Unit
from bleuprint.metrics.base.score import Score
from bleuprint.results import Result

# Options passed on to the metrics; None means "not given".
COMMON_OPTIONS = ("tokenizer", "lowercase", "smoothing", "max_order", "profile")


def metric_options(default: str | None, help_text: str = "", *, multiple: bool = True) -> Decorator:
    """-m with this default, and the options that many metrics take; `help_text` completes the help of -m."""
    repeat = " Repeat for several, or join them by commas." if multiple else ""
    return combine(
        shared_options(
            "metrics",
            default=() if default is None else (default,),
            help="Metric and options, e.g. bleu, bleu:orders (BLEU-1 to BLEU-4), chrf:word_order=2, perplexity:lm=FILE."
            f"{repeat}{help_text} See 'bleuprint list metrics', and 'bleuprint cards NAME' for options.",
        ),
        shared_options(*COMMON_OPTIONS),
    )


def build_metrics(
    texts: Sequence[str], options: Mapping[str, Any], *, unit: Unit | None = None
) -> dict[str, Metric[Score]]:
    """Build the metrics that -m names; options beside them apply to all that take them, and must apply to one.

    A metric is called by its name, or as it was written if there are several of that name. With a `unit`, all have to
    be metrics of segments, or of pools.
    """
    named = specs.parse(texts, unit=unit)
    names = [spec.name for spec in named]
    labelled = {spec.text if names.count(spec.name) > 1 else spec.name: spec for spec in named}
    kinds = {label: registry.find(spec.name) for label, spec in labelled.items()}
    if options.get("percent") and not any(kind.has_percent for kind in kinds.values()):
        raise click.UsageError(f"--percent does not apply to {', '.join(kinds)}, which has its own scale.")
    common = {name: options[name] for name in (*COMMON_OPTIONS, "memory") if options.get(name) is not None}
    for name in common:
        without = [label for label, kind in kinds.items() if not _accepts(kind, name)]
        problem = f"--{name.replace('_', '-')} does not apply to {', '.join(without)}"
        if len(without) == len(kinds):
            raise click.UsageError(f"{problem}.")
        if without:
            _notes.show([problem])
    built = {}
    for label, spec in labelled.items():
        kind, own = kinds[label], specs.values_of(spec)
        needed = registry.model_option(kind)
        if needed is not None and options.get(needed) is not None:  # the subject of the command, such as an index
            own = {needed: options[needed], **own}
        if needed is not None and needed not in own:
            raise click.UsageError(f"{label} needs a model: write -m {label}:{needed}=….")
        given = {name: value for name, value in common.items() if _accepts(kind, name)} | own
        built[label] = kind(**_open_model(kind, given))
    return built


def build_metric(command: str, texts: Sequence[str], options: Mapping[str, Any]) -> Metric[Score]:
    """Build the one metric of segments of a command that takes no more."""
    built = build_metrics(texts, options, unit="segment")
    if len(built) != 1:
        raise click.UsageError(f"{command} takes one metric; got {', '.join(built)}.")
    (metric,) = built.values()
    return metric


def metrics_with_models(result: Result, texts: Sequence[str]) -> dict[str, Metric[Score]]:
    """Return the metrics of a result that got with -m what their signatures only name, by their name in the result."""
    if not result.systems or not texts:
        return {}
    given: dict[str, list[dict[str, Any]]] = {}
    for spec in specs.parse(texts):
        given.setdefault(spec.name, []).append(specs.values_of(spec))
    scores = [(score, signature.parse(score.signature).metric) for score in result.systems[0].scores]
    names = [name for _, name in scores]
    for name, several in given.items():
        if name not in names:
            raise click.UsageError(f"-m {name}: the result has no {name}, only {', '.join(result.metrics)}.")
        if len(several) not in {1, names.count(name)}:
            raise click.UsageError(
                f"-m {name} must be given once, or once for each of {names.count(name)} in the result."
            )
    metrics: dict[str, Metric[Score]] = {}
    for place, (score, name) in enumerate(scores):
        if name in given:
            earlier = names[:place].count(name)
            metric = _rebuild(score.signature, given[name][earlier % len(given[name])])
            metrics |= {} if metric is None else {score.metric: metric}
    return metrics


def _open_model(kind: type[Metric[Score]], options: dict[str, Any]) -> dict[str, Any]:
    """The options of a metric; a language model or an index is opened with the tokenizer that is given beside it."""
    if "tokenizer" not in options or not issubclass(kind, ModelMetric):
        return options
    model = kind.load_model(options[kind.model_option], tokenizer=options["tokenizer"])
    return {name: value for name, value in options.items() if name != "tokenizer"} | {kind.model_option: model}


def _rebuild(text: str, given: Mapping[str, object]) -> Metric[Score] | None:
    """The metric of a signature with what the signature cannot hold; None if nothing of this was given."""
    name = signature.parse(text).metric
    needed = registry.model_option(registry.find(name)) if name in registry.names() else None
    if not given or (needed is not None and needed not in given):
        return None
    return registry.from_signature(text, **given)


def _accepts(kind: type[Metric[Score]], name: str) -> bool:
    return specs.is_open_ended(kind) or name in registry.options_of(kind)
