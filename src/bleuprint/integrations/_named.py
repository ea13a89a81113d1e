"""Metrics by name, as other libraries request them, with one way to score texts under any of them."""

from __future__ import annotations

import difflib
import inspect
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from bleuprint.core.columns import References, Texts, checked_column
from bleuprint.errors import InputError, OptionError, UnusedSourcesError
from bleuprint.metrics import registry
from bleuprint.metrics.base.metric import Metric
from bleuprint.metrics.base.pool import PoolMetric, PoolScore
from bleuprint.metrics.base.score import Part, Score

__all__ = ["NamedMetric", "among", "details", "kind_of", "names", "needs"]


def names() -> tuple[str, ...]:
    """Names of this package's metrics, spelled with underscores.

    >>> [name for name in names() if name.startswith("s")]
    ['sari', 'self_bleu', 'self_repetition', 'sentence_bleu', 'squad_f1']
    """
    return tuple(sorted(name.replace("-", "_") for name in registry.metrics()))


class NamedMetric:
    """A metric with options, by its name in either spelling.

    >>> metric = NamedMetric("self_bleu", {"max_order": 2})
    >>> metric.needs_references, metric.score(["the cat sat", "the cat ran", "a dog"]).texts
    (False, 3)
    >>> NamedMetric("self-blue", {})  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    bleuprint.errors.OptionError: metric must be one of bertscore, ... (did you mean self_bleu?), got 'self-blue'.
    """

    def __init__(self, name: str, options: Mapping[str, Any]) -> None:
        kind = kind_of(name)
        _check_options(kind, name, options)
        self.name = name.replace("-", "_")
        self.options = dict(options)
        try:
            self.metric: Metric[Any] | PoolMetric[Any] = kind(**options)
        except TypeError as error:
            raise OptionError(f"the options of {name}", f"those it has ({error})", self.options) from None

        self.needs_references, self.needs_sources = ("references" in needs(name), "sources" in needs(name))

    @property
    def higher_is_better(self) -> bool:
        return self.metric.higher_is_better

    def score(
        self, predictions: Texts, references: References | None = None, sources: Texts | None = None
    ) -> Score | PoolScore:
        """The score of all predictions together; references are ignored if the metric does not use them."""
        if isinstance(self.metric, Metric):
            score: Score = self.metric.corpus(predictions, references, sources=sources)
            return score
        if sources is not None:
            raise UnusedSourcesError(self.name)
        corpus = _flat(references or []) if self.metric.needs_references else None
        pooled: PoolScore = self.metric.corpus(predictions, corpus)
        return pooled

    def per_example(
        self, predictions: Texts, references: References | None = None, sources: Texts | None = None
    ) -> list[float]:
        """The score of each prediction.

        >>> NamedMetric("exact_match", {}).per_example(["a", "b"], ["a", "c"])
        [1.0, 0.0]
        """
        if isinstance(self.metric, Metric):
            return [float(value) for value in self.metric.sentences(predictions, references, sources=sources)]
        scores = getattr(self.score(predictions, references, sources), "per_text", None)
        if scores is None:
            raise InputError(f"{self.name} scores all texts together and has no score for each: omit per_example=True.")
        return [float(value) for value in scores]


def needs(name: str) -> tuple[str, ...]:
    """The columns a metric needs besides the predictions.

    >>> needs("ibleu"), needs("bleu"), needs("perplexity"), needs("self_bleu"), needs("ms_jaccard")
    (('references', 'sources'), ('references',), (), (), ('references',))
    """
    kind = kind_of(name)
    wanted = {"references": kind.needs_references, "sources": kind.needs_sources}
    return tuple(column for column, needed in wanted.items() if needed)


def details(score: Score | PoolScore) -> dict[str, Part | list[float] | str]:
    """The components of a score and its signature, ready for JSON.

    >>> details(NamedMetric("distinct", {"max_order": 2}).score(["a b", "a c"]))["per_order"]
    [0.75, 1.0]
    """
    plain = {key: list(part) if isinstance(part, tuple) else part for key, part in score.parts.items()}
    return {**plain, "signature": score.signature}


def _flat(references: References) -> list[Any]:
    """All references as one corpus."""
    groups = checked_column(references, "references", groups=True, tokenized=False).unpack()
    return [text for group in groups for text in group]


def kind_of(name: str) -> type[Metric[Any]] | type[PoolMetric[Any]]:
    """The metric class with that name, from this package or a plug-in."""
    if not isinstance(name, str):
        raise OptionError("metric", "the name of a metric", name)
    hyphenated = name.replace("_", "-")
    if hyphenated in registry.metrics():
        return registry.metrics()[hyphenated]
    announced = registry.announced()
    for known in (name, hyphenated):
        if known in announced:
            return registry.find(known)
    raise OptionError("metric", among((*names(), *sorted(announced)), hyphenated.replace("-", "_")), name)


def among(allowed: Sequence[str], got: str) -> str:
    """The allowed values, with a suggestion for what may have been meant.

    >>> among(("bleu", "chrf"), "blue")
    'one of bleu, chrf (did you mean bleu?)'
    """
    near = difflib.get_close_matches(got.lower(), allowed, 1)
    return f"one of {', '.join(allowed)}" + "".join(f" (did you mean {name}?)" for name in near)


def _check_options(kind: type[Any], name: str, options: Iterable[str]) -> None:
    """Raise an error for unknown or missing options, unless the metric accepts arbitrary keyword arguments."""
    parameters = inspect.signature(kind).parameters.values()
    if any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters):
        return
    known = [parameter.name for parameter in parameters]
    for option in options:
        if option not in known:
            raise OptionError(f"an option of {name}", among(known, option), option)
    for parameter in parameters:
        if parameter.default is parameter.empty and parameter.name not in options:
            raise OptionError(f"{parameter.name} of {name}", "given, because it has no default", None)
