"""Compare systems: is a difference in scores statistically significant?"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from bleuprint import __version__
from bleuprint.core.columns import Corpus, References, Texts
from bleuprint.errors import InputError, OptionError, ResultError
from bleuprint.metrics.base.definition import checked_threads
from bleuprint.metrics.base.metric import Metric
from bleuprint.metrics.base.score import Measured
from bleuprint.results import Result
from bleuprint.results.escaping import visible
from bleuprint.runners import one_pass
from bleuprint.runners.evaluation import Metrics, resolve
from bleuprint.runners.replaying import metrics_of
from bleuprint.significance import (
    Chance,
    Interval,
    SampleComparison,
    Settings,
    bootstrap_interval,
    compare_samples,
    pair_count,
)
from bleuprint.statistics.rows import Sample

__all__ = ["Comparison", "MetricComparison", "compare", "compared", "confidence_interval", "with_comparison"]

Progress = Callable[[str, float], None]  # called with the metric and the share of its work that is done


@dataclass(frozen=True, slots=True)
class MetricComparison:
    """The comparison of all systems under one metric."""

    metric: str
    signature: str
    result: SampleComparison

    def to_dict(self) -> dict[str, Any]:
        """The comparison as plain numbers, strings and lists, ready for JSON."""
        return {"metric": self.metric, "signature": self.signature, **self.result.to_dict()}

    def __str__(self) -> str:
        lines = [f"{self.metric}: {pair.verdict}." for pair in self.result.pairs]
        for rank, cluster in enumerate(self.result.clusters, start=1):
            lines.append(f"{self.metric}: rank {rank}: {', '.join(cluster)}")
        lines += [f"{self.metric}: note: {note}" for note in self.result.notes]
        return "\n".join(map(visible, lines))


@dataclass(frozen=True, slots=True)
class Comparison:
    """Systems compared under one or more metrics; print it to read the verdicts.

    >>> texts = [f"the {word} sat on the mat" for word in "cat dog cow hen pig".split()]
    >>> print(compare({"A": texts, "B": texts}, texts))
    bleu: A and B cannot be told apart: a difference of 0.00 points may well be chance (p = 1.0000).
    bleu: rank 1: A, B
    """

    segments: int
    settings: Settings
    metrics: tuple[MetricComparison, ...]

    @property
    def signature(self) -> str:
        """How the systems were compared; each metric has a signature of its own."""
        return f"compare|segments:{self.segments}|{self.settings}#bleuprint:{__version__}"

    def metric(self, name: str) -> SampleComparison:
        """The comparison under one metric."""
        return next(entry.result for entry in self.metrics if entry.metric == name)

    def to_dict(self) -> dict[str, Any]:
        """The comparison as plain numbers, strings and lists, ready for JSON."""
        return {"signature": self.signature, "metrics": [entry.to_dict() for entry in self.metrics]}

    def to_json(self) -> str:
        """The comparison as JSON text."""
        return json.dumps(self.to_dict(), ensure_ascii=False, allow_nan=False, indent=1) + "\n"

    def __str__(self) -> str:
        return "\n".join(map(str, self.metrics))


def compare(
    systems: Mapping[str, Texts],
    references: References,
    *,
    metrics: Metrics = "bleu",
    sources: Texts | None = None,
    baseline: str | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
    **settings: Any,
) -> Comparison:
    """Compare systems on the same segments: which is better, and which differences may be due to chance.

    All pairs are tested, or all systems against a `baseline`. The `settings` are:

    - `test`: "auto", "paired-bootstrap", "approximate-randomization" or "exact"
    - `samples`: number of samples the test draws
    - `resamples`: number of bootstrap resamples for the confidence intervals
    - `alpha`: significance level
    - `interval`: type of confidence interval, "bca" or "percentile"
    - `seed`: random seed
    - `mode`: "bleuprint", or "sacrebleu" to reproduce sacrebleu's numbers
    - `power`: statistical power of the sample size estimate
    - `detect`: a difference, to estimate how many segments are needed to detect it

    >>> words = "cat dog cow hen pig fox owl bee ant elk".split()
    >>> good = [f"the {word} sat on the mat" for word in words]
    >>> bad = [f"a {word} is on a mat" for word in words]
    >>> result = compare({"good": good, "bad": bad}, good, metrics=["bleu", "ter"])
    >>> pair = result.metric("bleu").pair("good", "bad")
    >>> pair.better, pair.test, pair.p_value
    ('good', 'exact', 0.001953125)
    >>> print(pair.verdict)
    good is better than bad: the difference of 98.10 points is unlikely to be chance (p = 0.0020)
    >>> result.metric("ter").clusters
    (('good',), ('bad',))
    """
    _check_systems(systems)
    resolved = _resolved(metrics)
    plan = _settings(settings).for_pairs(pair_count(systems, baseline))
    used = checked_threads(threads)
    measured = one_pass.measure(resolved, Corpus.of_systems(systems, references, sources), threads=used)
    first_system = next(iter(measured.values()))
    comparisons = []
    for label in resolved:
        samples = {name: _sample(label, measured[name][label]) for name in systems}
        tell = None if progress is None else _named(progress, label)
        result = compare_samples(samples, plan, baseline=baseline, threads=used, report=tell)
        comparisons.append(MetricComparison(label, first_system[label].score.signature, result))
    return Comparison(comparisons[0].result.segments, plan, tuple(comparisons))


def compared(
    result: Result,
    *,
    baseline: str | None = None,
    metrics: Mapping[str, Metric[Any]] | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
    **settings: Any,
) -> Result:
    """The result with its systems compared under all its metrics, as by `compare`; the result must contain the texts.

    >>> from bleuprint import evaluate
    >>> words = "cat dog cow hen pig fox owl bee ant elk".split()
    >>> good = [f"the {word} sat on the mat" for word in words]
    >>> result = compared(evaluate({"good": good, "bad": [f"a {word} is on a mat" for word in words]}, good))
    >>> result.comparison["metrics"][0]["pairs"][0]["verdict"]
    'good is better than bad: the difference of 98.10 points is unlikely to be chance (p = 0.0020)'
    """
    if not result.has_texts:
        raise ResultError("this result", "it was stored without its texts, which a comparison needs")
    comparison = compare(
        {system.name: system.hypotheses for system in result.systems},
        result.references,
        metrics=metrics_of(result, metrics),
        sources=result.sources,
        baseline=baseline,
        threads=threads,
        progress=progress,
        **settings,
    )
    return with_comparison(result, comparison)


def with_comparison(result: Result, comparison: Comparison) -> Result:
    """The result with a comparison of its systems added."""
    # Round-trip through JSON, so that the stored comparison equals the one that is read back.
    return replace(result, comparison=json.loads(comparison.to_json()))


def confidence_interval(
    hypotheses: Texts,
    references: References,
    *,
    metric: str | Metric[Any] = "bleu",
    sources: Texts | None = None,
    level: float = 0.95,
    method: str = "bca",
    samples: int = 1000,
    seed: int = 12345,
    mode: str = "bleuprint",
    threads: int | None = None,
) -> Interval:
    """A corpus score and its bootstrap confidence interval; `method` is "bca" or "percentile".

    >>> words = "cat dog cow hen pig fox owl bee ant elk".split()
    >>> outputs = [f"the {word} sat on {'the' if len(word) > 2 else 'a'} {word}" for word in words]
    >>> interval = confidence_interval(outputs, [f"the {word} sat on the mat" for word in words])
    >>> f"{interval.value:.3f} in [{interval.low:.3f}, {interval.high:.3f}]"
    '0.760 in [0.760, 0.760]'
    """
    (resolved,) = _resolved((metric,)).values()
    used = checked_threads(threads)
    sample = resolved.sample(hypotheses, references, sources=sources, threads=used)
    return bootstrap_interval(sample, level=level, method=method, samples=samples, chance=Chance(seed, used, mode))


def _sample(label: str, measured: Measured[Any]) -> Sample:
    if measured.statistics is None:
        raise OptionError("metrics", "metrics that have rows to resample with these options", label)
    definition = measured.score.definition
    sample: Sample = definition.summary.sample(definition, measured.statistics.rows)
    return sample


def _check_systems(systems: object) -> None:
    if not isinstance(systems, Mapping):
        raise InputError(f"systems must be a dict of outputs by name, got {type(systems).__name__}; write {{'A': …}}.")
    for name in systems:
        if not isinstance(name, str):
            raise InputError(f"the name of a system must be a str, got {name!r}.")


def _resolved(metrics: Metrics) -> dict[str, Metric[Any]]:
    resolved = resolve(metrics)
    if not resolved:
        raise OptionError("metrics", "at least one metric", metrics)
    return resolved


def _settings(given: dict[str, Any]) -> Settings:
    allowed = Settings.__dataclass_fields__
    for name in given:
        if name not in allowed:
            raise OptionError(
                name, f"left out, because the settings of a comparison are {', '.join(allowed)}", given[name]
            )
    return Settings(**given)


def _named(progress: Progress, label: str) -> Callable[[float], None]:
    return lambda share: progress(label, share)
