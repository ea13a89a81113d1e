"""Metric options of commands that score."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import click

from bleuprint import signature
from bleuprint.cli import _notes, _specs
from bleuprint.cli._command import Decorator, combine
from bleuprint.cli._options import shared_options
from bleuprint.core import tokenizers
from bleuprint.metrics import registry
from bleuprint.metrics.base.metric import Metric, Unit
from bleuprint.metrics.base.score import Score
from bleuprint.metrics.blend import Blend, BlendWeights
from bleuprint.models.language_model import LanguageModel
from bleuprint.models.ngram_index import NgramIndex
from bleuprint.results import Result

# Options passed on to the metrics; None means "not given".
COMMON_OPTIONS = ("tokenizer", "lowercase", "smoothing", "max_order", "profile")


def metrics_option(default: str | None, help_text: str = "", *, multiple: bool = True) -> Decorator:
    """-m with this default; `help_text` completes its help."""
    repeat = " Repeat for several, or join them by commas." if multiple else ""
    return shared_options(
        "metrics",
        default=() if default is None else (default,),
        help=f"Metric and options, e.g. bleu, chrf:word_order=2, perplexity:lm=FILE.{repeat}{help_text} "
        "See 'bleuprint list metrics', and 'bleuprint cards NAME' for options.",
    )


def metric_options(default: str | None, help_text: str = "", *, multiple: bool = True) -> Decorator:
    """-m, the options that many metrics take, and --tokenizer-model."""
    return combine(
        metrics_option(default, help_text, multiple=multiple), shared_options(*COMMON_OPTIONS, "tokenizer_model")
    )


def build_metrics(
    texts: Sequence[str], options: Mapping[str, Any], *, unit: Unit | None = None
) -> dict[str, Metric[Score]]:
    """Build the metrics that -m names; options beside them apply to all that take them, and must apply to one.

    A metric is called by its name, or as it was written if there are several of that name. With a `unit`, all have to
    be metrics of segments, or of pools.
    """
    specs = _specs.parse(texts, unit=unit)
    names = [spec.name for spec in specs]
    labelled = {spec.text if names.count(spec.name) > 1 else spec.name: spec for spec in specs}
    kinds = {label: _specs.kind_of(spec.name) for label, spec in labelled.items()}
    if options.get("percent") and not any(kind.has_percent for kind in kinds.values()):
        raise click.UsageError(f"--percent does not apply to {', '.join(kinds)}, which has its own scale.")
    common = {name: options[name] for name in COMMON_OPTIONS if options.get(name) is not None}
    for name in common:
        without = [label for label, kind in kinds.items() if not _accepts(kind, name)]
        problem = f"--{name.replace('_', '-')} does not apply to {', '.join(without)}"
        if len(without) == len(kinds):
            raise click.UsageError(f"{problem}.")
        if without:
            _notes.show([problem])
    models = _Models(options.get("tokenizer_model"))
    built = {}
    for label, spec in labelled.items():
        kind, own = kinds[label], _specs.values_of(spec)
        needed = registry.model_option(kind)
        if needed is not None and options.get(needed) is not None:  # the subject of the command, such as an index
            own = {needed: options[needed], **own}
        if needed is not None and needed not in own:
            raise click.UsageError(f"{label} needs a model: write -m {label}:{needed}=….")
        given = {name: value for name, value in common.items() if _accepts(kind, name)} | own
        built[label] = models.blend(**given) if kind is Blend else kind(**models.open(given))
    models.check_used()
    return built


def build_metric(command: str, texts: Sequence[str], options: Mapping[str, Any]) -> Metric[Score]:
    """Build the one metric of segments of a command that takes no more."""
    built = build_metrics(texts, options, unit="segment")
    if len(built) != 1:
        raise click.UsageError(f"{command} takes one metric; got {', '.join(built)}.")
    (metric,) = built.values()
    return metric


def metrics_with_models(result: Result, texts: Sequence[str], tokenizer_model: str | None) -> dict[str, Metric[Score]]:
    """Return the metrics of a result that need a model and got one with -m, by their name in the result."""
    if not result.systems or not (texts or tokenizer_model):
        return {}
    given: dict[str, list[dict[str, Any]]] = {}
    for spec in _specs.parse(texts):
        given.setdefault(spec.name, []).append(_specs.values_of(spec))
    scores = [(score, signature.parse(score.signature).metric) for score in result.systems[0].scores]
    names = [name for _, name in scores]
    for name, several in given.items():
        if name not in names:
            raise click.UsageError(f"-m {name}: the result has no {name}, only {', '.join(result.metrics)}.")
        if len(several) not in {1, names.count(name)}:
            raise click.UsageError(
                f"-m {name} must be given once, or once for each of {names.count(name)} in the result."
            )
    models, metrics = _Models(tokenizer_model), {}
    for place, (score, name) in enumerate(scores):
        several = given.get(name, [{}])
        values = several[names[:place].count(name)] if len(several) > 1 else several[0]
        metric = models.rebuild(score.signature, values)
        if metric is not None:
            metrics[score.metric] = metric
    return metrics


class _Models:
    """Loads models; those that name a SentencePiece model get the file of --tokenizer-model."""

    def __init__(self, tokenizer_model: str | None) -> None:
        self._tokenizer = None if tokenizer_model is None else f"spm:{tokenizer_model}"
        self._used = False

    def check_used(self) -> None:
        if self._tokenizer is not None and not self._used:
            raise click.UsageError(
                "--tokenizer-model is for a language model, an index or a blend that names a SentencePiece model; "
                "to score with one, pass --tokenizer spm:FILE."
            )

    def open(self, options: dict[str, Any]) -> dict[str, Any]:
        """The options of a metric, with its language model or index opened if it needs a tokenizer model."""
        openers: dict[str, Callable[..., object]] = {"lm": LanguageModel.load, "index": NgramIndex.open}
        if self._tokenizer is None:
            return options
        opened = {
            name: open_(options[name], tokenizer=self._tokenizer) for name, open_ in openers.items() if name in options
        }
        self._used = self._used or bool(opened)
        return {**options, **opened}

    def blend(self, fit: str, **models: str) -> Blend:
        """The blend of a file, whose components get these models."""
        components = self._components(BlendWeights.load(fit).components, models)
        used = {registry.model_option(type(metric)) for metric in components}
        for name in models.keys() - used:
            raise click.UsageError(f"-m blend:fit={fit}: no metric of the blend takes {name}.")
        return Blend.load(fit, metrics=components)

    def rebuild(self, text: str, given: Mapping[str, object]) -> Metric[Score] | None:
        """The metric of a signature with what the signature cannot hold; None if nothing of this was given."""
        recorded = signature.parse(text)
        if recorded.metric == Blend.name:
            # Its signature holds its numbers, so the file is only checked; what it lacks are models of components.
            components = self._components(str(recorded.options.get("components")).split(), given)
            fit = {"fit": given["fit"]} if "fit" in given else {}
            return registry.from_signature(text, metrics=components, **fit) if fit or components else None
        if not given.keys() >= _model_options(recorded.metric):
            return None
        options = dict(given)
        if self._tokenizer is not None and tokenizers.is_sentencepiece(recorded.options.get("tokenizer")):
            self._used = True
            options["tokenizer"] = self._tokenizer
        return registry.from_signature(text, **options) if options else None

    def _components(self, signatures: Iterable[str], models: Mapping[str, object]) -> list[Metric[Score]]:
        """The components of a blend that need a model and got one."""
        rebuilt = []
        for text in signatures:
            needed = _model_options(signature.parse(text).metric)
            rebuilt.append(self.rebuild(text, {name: models[name] for name in needed if name in models}))
        return [metric for metric in rebuilt if metric is not None]


def _model_options(name: str) -> set[str]:
    """The option that a metric of this package needs for its model; empty if it needs none."""
    option = registry.model_option(registry.find(name)) if name in registry.names() else None
    return set() if option is None else {option}


def _accepts(kind: type[Metric[Score]], name: str) -> bool:
    return _specs.is_open_ended(kind) or name in registry.options_of(kind)
