"""Compare systems: is a difference in scores statistically significant?"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from bleuprint import __version__, checks, signature
from bleuprint.core.arrays import np
from bleuprint.core.columns import Corpus, References, Texts
from bleuprint.core.threads import worker_count
from bleuprint.core.unicode import has_surrogate
from bleuprint.errors import InputError, LengthMismatchError, OptionError, ResultError, SurrogateError
from bleuprint.metrics.base.metric import Metric
from bleuprint.metrics.base.options import options_of
from bleuprint.metrics.base.pool import PooledTexts
from bleuprint.metrics.base.score import Measured, Score
from bleuprint.results import COLUMN, MetricResult, Result, SystemResult
from bleuprint.results.comparison import Comparison, MetricComparison
from bleuprint.runners import one_pass
from bleuprint.runners.evaluation import Metrics, checked_ids, resolve, versions
from bleuprint.runners.replaying import check_result, measure_result, metrics_of
from bleuprint.statistics.chance import Chance
from bleuprint.statistics.comparison import SampleComparison, compare_samples, pair_count
from bleuprint.statistics.intervals import Interval, bootstrap_interval
from bleuprint.statistics.pools import SWAPS, PooledSystem, compare_pooled
from bleuprint.statistics.rows import Sample
from bleuprint.statistics.settings import Settings

if TYPE_CHECKING:
    from numpy.typing import NDArray

Columns = Mapping[str, Mapping[str, Iterable[float]]]  # scores of segments, by column and system
Progress = Callable[[str, float], None]  # called with the metric and the share of its work that is done


@options_of(Settings)
def compare(
    systems: Mapping[str, Texts] | None = None,
    references: References | None = None,
    *,
    metrics: Metrics = "bleu",
    sources: Texts | None = None,
    columns: Columns | None = None,
    lower_is_better: Iterable[str] = (),
    clusters: Iterable[Hashable] | None = None,
    baseline: str | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
    **settings: Any,
) -> Comparison:
    """Compare systems on the same segments: which is better, and which differences may be due to chance.

    All pairs are tested, or all systems against a `baseline`.

    - `systems`: outputs by the name of their system
    - `references`: `references[i]` belongs to segment i: one text or several
    - `baseline`: the name of a system; only pairs with it are tested
    - `columns`: scores of segments from elsewhere, by name and system, such as
      `{"comet": {"A": [0.81, 0.67], "B": [0.79, 0.7]}}`; their mean is compared. With columns, texts are optional.
    - `lower_is_better`: the columns in which a lower score is better
    - `clusters`: a label per segment, such as its document. Segments with the same label depend on each other, so they
      are resampled and swapped together.

    A metric of pools, such as Self-BLEU, is tested by swapping the outputs of two systems for random segments; its
    interval comes from leaving groups of segments out.

    The `settings` are:

    - `test`: "auto", "paired-bootstrap", "approximate-randomization" or "exact"
    - `samples`: number of samples the test draws
    - `resamples`: number of bootstrap resamples for the confidence intervals
    - `alpha`: significance level
    - `interval`: type of confidence interval, "bca" or "percentile"
    - `seed`: random seed
    - `mode`: "bleuprint", or "sacrebleu" to reproduce sacrebleu's numbers
    - `power`: statistical power of the sample size estimate
    - `detect`: a difference, to estimate how many segments are needed to detect it
    - `margin`: the largest difference that does not matter, to test for equivalence and non-inferiority

    >>> words = "cat dog cow hen pig fox owl bee ant elk".split()
    >>> good = [f"the {word} sat on the mat" for word in words]
    >>> bad = [f"a {word} is on a mat" for word in words]
    >>> result = compare({"good": good, "bad": bad}, good, metrics=["bleu", "ter"])
    >>> pair = result.metric("bleu").pair("good", "bad")
    >>> pair.better, pair.test, pair.p_value
    ('good', 'exact', 0.001953125)
    >>> print(pair.verdict)
    good is better than bad: the difference of 0.9810 is unlikely to be chance (p = 0.0020)
    >>> result.metric("ter").clusters
    (('good',), ('bad',))
    """
    return compare_measured(
        systems,
        references,
        metrics=metrics,
        sources=sources,
        columns=columns,
        lower_is_better=lower_is_better,
        clusters=clusters,
        baseline=baseline,
        threads=threads,
        progress=progress,
        counted=None,
        **settings,
    )


def compare_measured(
    systems: Mapping[str, Texts] | None,
    references: References | None,
    *,
    metrics: Metrics,
    sources: Texts | None,
    counted: Mapping[str, Mapping[str, Measured[Score]]] | None,
    columns: Columns | None = None,
    lower_is_better: Iterable[str] = (),
    clusters: Iterable[Hashable] | None = None,
    baseline: str | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
    **settings: Any,
) -> Comparison:
    """Compare systems as `compare` does, from what was `counted` for them and these metrics before, if it was."""
    if systems is None and not columns:
        raise InputError("there is nothing to compare; pass systems and references, or columns of scores.")
    checks.instance("baseline", baseline, str | None, "None or the name of a system")
    checks.instance("progress", progress, Callable | None, "None or a function of a metric's name and a share")
    checked = _check_columns(columns or {}, systems)
    names = next(iter(checked.values())) if systems is None else systems
    _check_systems(names)
    lower = _check_directions(lower_is_better, checked)
    plan = _settings(settings).for_pairs(pair_count(names, baseline))
    used = worker_count(threads)
    samples: dict[str, dict[str, Sample]] = {}
    pools: dict[str, dict[str, PooledTexts]] = {}
    signatures: dict[str, str] = {}
    if systems is not None:
        resolved = _resolve(metrics)
        if references is None and any(metric.needs_references for metric in resolved.values()):
            raise InputError("references are missing; pass one text or a list of texts per segment.")
        if counted is None:
            counted = one_pass.measure(resolved, Corpus.of_systems(systems, references, sources), threads=used)
        for label, metric in resolved.items():
            measured = {name: counted[name][label] for name in systems}
            signatures[label] = next(iter(measured.values())).score.signature
            if metric.unit == "pool":
                pools[label] = {name: _pool(label, one) for name, one in measured.items()}
            else:
                samples[label] = {name: _sample(label, one) for name, one in measured.items()}
    for label, by_system in checked.items():
        if label in signatures:
            raise OptionError("columns", "columns that are not named like a metric", label)
        higher = label not in lower
        samples[label] = {name: Sample.of_scores(by_system[name], higher_is_better=higher) for name in names}
        signatures[label] = _column_signature(label, higher)
    sizes = {len(sample): f"{label} of {name}" for label, entry in samples.items() for name, sample in entry.items()}
    if len(sizes) > 1:
        (first_size, first), (second_size, second), *_ = sizes.items()
        raise LengthMismatchError(first, first_size, second, second_size)
    groups = None if clusters is None else _check_clusters(clusters)
    if groups is not None and pools:
        raise OptionError.because(f"{next(iter(pools))} scores all outputs together, so they cannot be in clusters")
    comparisons = []
    for label, written in signatures.items():
        tell = None if progress is None else partial(progress, label)
        if label in pools:
            swaps = settings.get("samples") or SWAPS
            result = _compare_pools(pools[label], plan, baseline=baseline, swaps=swaps, threads=used, report=tell)
        else:
            entry = samples[label]
            result = compare_samples(entry, plan, baseline=baseline, clusters=groups, threads=used, report=tell)
        comparisons.append(MetricComparison(label, written, result))
    return Comparison(_signature(comparisons[0].result, plan), tuple(comparisons))


def _signature(result: SampleComparison, settings: Settings) -> str:
    """How the systems were compared."""
    clusters = "" if result.units is None else f"|clusters:{result.units}"
    return f"compare|segments:{result.segments}{clusters}|{settings}#bleuprint:{__version__}"


def _pool(label: str, measured: Measured[Score]) -> PooledTexts:
    if not isinstance(measured.pool, PooledTexts):
        raise OptionError.because(f"{label} cannot be compared by a test, which would encode the texts anew many times")
    return measured.pool


def _compare_pools(
    pools: Mapping[str, PooledTexts],
    settings: Settings,
    *,
    baseline: str | None,
    swaps: int,
    threads: int,
    report: Callable[[float], None] | None,
) -> SampleComparison:
    """Compare systems by a pool metric; outputs of the same segment are swapped."""
    sizes = {len(pool.texts) for pool in pools.values()}
    kind = next(iter(pools.values())).definition.kind
    both = _PairedPools(pools, threads)
    systems = {name: PooledSystem(partial(both.value, name), partial(both.mixed, name), min(sizes)) for name in pools}
    return compare_pooled(
        systems,
        settings,
        higher_is_better=kind.higher_is_better,
        has_percent=kind.has_percent,
        baseline=baseline,
        swaps=swaps,
        report=report,
    )


class _PairedPools:
    """Pools of the same segments, any two of which can exchange texts."""

    def __init__(self, pools: Mapping[str, PooledTexts], threads: int) -> None:
        self._pools, self._threads = pools, threads
        self._pairs: dict[tuple[str, str], PooledTexts] = {}

    def value(self, name: str, kept: NDArray[np.int64]) -> float:
        """The score of some texts of a system."""
        return self._pools[name].part(kept.tolist()).value(self._threads)

    def mixed(self, name: str, other: str, swapped: NDArray[np.bool_]) -> float:
        """The score of a system with these texts taken from the other one."""
        both = self._pairs.get((name, other))
        if both is None:
            both = self._pools[name].copied()
            both.merge(self._pools[other])
            self._pairs = {**dict(list(self._pairs.items())[-1:]), (name, other): both}  # two at a time
        places = np.arange(len(swapped)) + np.where(swapped, len(swapped), 0)
        return both.part(places.tolist()).value(self._threads)


@options_of(Settings)
def compare_result(
    result: Result,
    *,
    baseline: str | None = None,
    metrics: Mapping[str, Metric[Score]] | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
    **settings: Any,
) -> Result:
    """The result with its systems compared under all its metrics, as by `compare`; the result must contain the texts.

    >>> from bleuprint import evaluate
    >>> words = "cat dog cow hen pig fox owl bee ant elk".split()
    >>> good = [f"the {word} sat on the mat" for word in words]
    >>> result = compare_result(evaluate({"good": good, "bad": [f"a {word} is on a mat" for word in words]}, good))
    >>> result.comparison.metric("bleu").pairs[0].verdict
    'good is better than bad: the difference of 0.9810 is unlikely to be chance (p = 0.0020)'
    """
    check_result(result, metrics)
    if not result.has_texts:
        raise ResultError("this result", "it was stored without its texts, which a comparison needs")
    resolved = metrics_of(result, metrics)
    comparison = compare_measured(
        {system.name: system.hypotheses for system in result.systems},
        result.references or None,
        metrics=resolved,
        counted=measure_result(result, resolved, threads=threads),
        sources=result.sources,
        baseline=baseline,
        threads=threads,
        progress=progress,
        **settings,
    )
    return replace(result, comparison=comparison)


def with_columns(
    result: Result | None,
    columns: Columns,
    lower_is_better: Iterable[str] = (),
    ids: Iterable[str | int] | None = None,
) -> Result:
    """The result with columns of scores added to its systems, or a new result without texts but with these ids."""
    checked = _check_columns(columns, None if result is None else {system.name: () for system in result.systems})
    if result is None:
        (first, *_) = checked.values()
        size = len(next(iter(first.values())))
        systems = tuple(SystemResult(name, (), "", ()) for name in first)
        names = None if ids is None else checked_ids(ids, size)
        result = Result(systems, (), None, size=size, digests={}, versions=versions(), ids=names)
    lower = set(lower_is_better)

    def with_scores(system: SystemResult) -> SystemResult:
        added = []
        for label, scores in checked.items():
            written = _column_signature(label, label not in lower)
            values = scores[system.name]
            mean = Sample.of_scores(values).score().item()
            added.append(MetricResult(label, label not in lower, mean, {}, written, tuple(values.tolist()), written))
        return replace(system, scores=(*system.scores, *added))

    return replace(result, systems=tuple(map(with_scores, result.systems)))


def confidence_interval(
    hypotheses: Texts,
    references: References | None = None,
    *,
    metric: str | Metric[Score] = "bleu",
    sources: Texts | None = None,
    clusters: Iterable[Hashable] | None = None,
    level: float = 0.95,
    method: str = "bca",
    samples: int = 1000,
    seed: int = 12345,
    mode: str = "bleuprint",
    threads: int | None = None,
) -> Interval:
    """A corpus score and its bootstrap confidence interval.

    - `metric`: the name of a metric, or a metric with its options
    - `clusters`: a label per segment, such as its document; segments with the same label are resampled together
    - `level`: how often intervals of other samples would cover the score, such as 0.95
    - `method`: type of confidence interval, "bca" or "percentile"
    - `samples`: number of bootstrap resamples

    >>> words = "cat dog cow hen pig fox owl bee ant elk".split()
    >>> outputs = [f"the {word} sat on {'the' if len(word) > 2 else 'a'} {word}" for word in words]
    >>> interval = confidence_interval(outputs, [f"the {word} sat on the mat" for word in words])
    >>> f"{interval.value:.3f} in [{interval.low:.3f}, {interval.high:.3f}]"
    '0.760 in [0.760, 0.760]'
    """
    (resolved,) = _resolve((metric,)).values()
    used = worker_count(threads)
    sample = resolved.sample(hypotheses, references, sources=sources, threads=used)
    if clusters is not None:
        sample = sample.clustered(_check_clusters(clusters))
    return bootstrap_interval(sample, level=level, method=method, samples=samples, chance=Chance(seed, used, mode))


def _sample(label: str, measured: Measured[Score]) -> Sample:
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


def _check_columns(columns: Columns, systems: Mapping[str, object] | None) -> dict[str, dict[str, NDArray[np.float64]]]:
    if not isinstance(columns, Mapping):
        raise InputError(f"columns must be a dict of scores by column and system, got {type(columns).__name__}.")
    checked: dict[str, dict[str, NDArray[np.float64]]] = {}
    for label, by_system in columns.items():
        if not isinstance(label, str) or not label:
            raise InputError(f"the name of a column must be a str that is not empty, got {label!r}.")
        if has_surrogate(label):
            raise SurrogateError(f"the name of column {label!r}")
        if not isinstance(by_system, Mapping):
            got = type(by_system).__name__
            raise InputError(f"the scores of {label} must be a dict of lists by system, got {got}; write {{'A': […]}}.")
        names = set(by_system if systems is None else systems)
        if systems is None:
            systems = by_system
        if set(by_system) != names:
            raise InputError(
                f"column {label} must have scores for the systems {', '.join(sorted(map(repr, names)))}, "
                f"got {', '.join(sorted(map(repr, by_system))) or 'none'}."
            )
        checked[label] = {name: _check_scores(scores, f"{label} of {name}") for name, scores in by_system.items()}
    return checked


def _check_scores(scores: Iterable[float], name: str) -> NDArray[np.float64]:
    if isinstance(scores, str | bytes) or not isinstance(scores, Iterable):
        raise InputError(f"{name} must be a list of numbers, got {type(scores).__name__}.")
    values: list[Any] = list(scores)
    for index, value in enumerate(values):
        is_number = isinstance(value, int | float | np.number | np.bool_)
        if not is_number or not math.isfinite(value):
            shown = repr(value) if is_number else type(value).__name__
            raise InputError(
                f"{name}[{index}] must be a finite number, got {shown}; drop the item from every system, or score it."
            )
    return np.asarray(values, dtype=np.float64)


def _check_directions(lower_is_better: Iterable[str], columns: Mapping[str, object]) -> set[str]:
    lower = {lower_is_better} if isinstance(lower_is_better, str) else set(lower_is_better)
    for name in sorted(lower - set(columns)):
        raise OptionError("lower_is_better", f"names of columns ({', '.join(columns) or 'there are none'})", name)
    return lower


def _check_clusters(clusters: Iterable[Hashable]) -> list[Hashable]:
    if isinstance(clusters, str | bytes) or not isinstance(clusters, Iterable):
        raise InputError(f"clusters must be a list with one label per segment, got {type(clusters).__name__}.")
    labels = list(clusters)
    for index, label in enumerate(labels):
        if label is None or label == "" or label != label or not isinstance(label, Hashable):
            raise InputError(f"clusters[{index}] must be a label, got {label!r}; every segment needs one.")
    return labels


def _column_signature(label: str, higher_is_better: bool) -> str:
    options: dict[str, signature.Option] = {"higher_is_better": higher_is_better, "name": label}
    return signature.write(COLUMN, 1, options, {"bleuprint": __version__})


def _resolve(metrics: Metrics) -> dict[str, Metric[Score]]:
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
