"""Compare systems: is a difference in scores statistically significant?"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from bleuprint import __version__, checks, signature
from bleuprint.core.arrays import Floats, np
from bleuprint.core.columns import References, Text, Texts, checked_column
from bleuprint.core.threads import worker_count
from bleuprint.core.unicode import has_surrogate
from bleuprint.errors import InputError, LengthMismatchError, OptionError, ResultError, SurrogateError
from bleuprint.metrics.base.metric import Metric
from bleuprint.metrics.base.options import options_of
from bleuprint.metrics.base.pool import PooledTexts, PoolFormula
from bleuprint.metrics.base.score import Measured, Score
from bleuprint.results import COLUMN, MetricResult, Result, SystemResult
from bleuprint.results.comparison import Comparison, MetricComparison
from bleuprint.runners import one_pass
from bleuprint.runners.evaluation import Metrics, checked_ids, resolve, versions
from bleuprint.runners.replaying import check_result, measure_result, metrics_of
from bleuprint.statistics.chance import Chance
from bleuprint.statistics.comparison import SampleComparison, compare_samples, pair_count
from bleuprint.statistics.intervals import Interval, bootstrap_intervals
from bleuprint.statistics.pools import ENOUGH, SWAPS, Both, compare_pooled
from bleuprint.statistics.rows import Sample
from bleuprint.statistics.settings import Settings

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
    ids: Iterable[str | int] | None = None,
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
    - `progress`: is called with the name of a metric and the share of its work that is done
    - `clusters`: a label per segment, such as its document. Segments with the same label depend on each other, so they
      are resampled and swapped together.
    - `ids`: the name of each segment, for items that pass with only one of two systems

    A metric of pools, such as Self-BLEU, is tested by swapping the outputs of two systems for random segments; its
    interval comes from leaving groups of segments out. If all metrics are those of pools, systems may have different
    numbers of texts, of which as many are drawn as the smallest has, and references are a corpus of any size.

    The `settings` are:

    - `test`: "auto", "paired-bootstrap", "approximate-randomization" or "exact"
    - `resamples`: number of resamples or swaps of the test, and of bootstrap resamples for the confidence intervals; by
      default 10,000 swaps and 1000 resamples, and more for many pairs
    - `alpha`: significance level
    - `interval`: type of confidence interval, "bca" or "percentile"
    - `seed`: random seed
    - `mode`: "bleuprint", or "sacrebleu" to reproduce sacrebleu's numbers
    - `power`: statistical power of the sample size estimate
    - `detect`: a difference, to estimate how many segments are needed to detect it
    - `margin`: the largest difference that does not matter, to test for equivalence and non-inferiority; as `detect`,
      one number for all metrics, or a dict by metric

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
    counted: Mapping[str, Mapping[str, Measured[Score]]] = {}
    resolved: dict[str, Metric[Score]] = {}
    notes: tuple[str, ...] = ()
    plan = _settings(settings)
    if systems is not None:
        _check_systems(systems, baseline)
        resolved = _resolve(metrics)
        if references is None and any(metric.needs_references for metric in resolved.values()):
            raise InputError("references are missing; pass one text or a list of texts per segment.")
        if columns is None and all(metric.unit == "pool" for metric in resolved.values()):
            systems, notes = equal_pools(systems, seed=plan.seed)
        corpora = one_pass.read_systems(resolved, systems, references, sources)
        one_pass.warn_of_unseen(resolved, corpora.values())
        counted = one_pass.measure(resolved, corpora, threads=worker_count(threads))
    return compare_counted(
        resolved,
        counted,
        columns=columns,
        lower_is_better=lower_is_better,
        clusters=clusters,
        ids=ids,
        baseline=baseline,
        threads=threads,
        progress=progress,
        notes=notes,
        **settings,
    )


def compare_counted(
    metrics: Mapping[str, Metric[Score]],
    counted: Mapping[str, Mapping[str, Measured[Score]]],
    *,
    columns: Columns | None = None,
    lower_is_better: Iterable[str] = (),
    clusters: Iterable[Hashable] | None = None,
    ids: Iterable[str | int] | None = None,
    baseline: str | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
    notes: tuple[str, ...] = (),
    **settings: Any,
) -> Comparison:
    """Compare systems as `compare` does, from what was counted for them, by system and metric."""
    checks.instance("progress", progress, Callable | None, "None or a function of a metric's name and a share")
    checked = _check_columns({} if columns is None else columns, counted or None)
    if not counted and not checked:
        raise InputError("there is nothing to compare; pass systems and references, or columns of scores.")
    names: Mapping[str, object] = counted or next(iter(checked.values()))
    pairs = _check_systems(names, baseline)
    listed = checks.items_of(lower_is_better)
    lower = [lower_is_better] if listed is None else listed
    for name in lower:
        if not isinstance(name, str) or name not in checked:
            raise OptionError("lower_is_better", f"names of columns ({', '.join(checked) or 'there are none'})", name)
    plan, workers = _settings(settings), worker_count(threads)
    samples: dict[str, dict[str, Sample]] = {}
    pools: dict[str, dict[str, PooledTexts]] = {}
    signatures: dict[str, str] = {}
    for label, metric in metrics.items():
        measured = {name: counted[name][label] for name in names}
        signatures[label] = next(iter(measured.values())).score.signature
        if metric.unit == "pool":
            pools[label] = {name: pool_of(label, one) for name, one in measured.items()}
        else:
            samples[label] = {name: sample_of(label, one) for name, one in measured.items()}
    for label, by_system in checked.items():
        if label in signatures:
            raise OptionError("columns", "columns that are not named like a metric", label)
        higher = label not in lower
        samples[label] = {name: Sample.of_scores(by_system[name], higher_is_better=higher) for name in names}
        signatures[label] = _column_signature(label, higher)
    for option in ("detect", "margin"):
        given = getattr(plan, option)
        for name in sorted(set(given) - set(signatures)) if isinstance(given, Mapping) else ():
            raise OptionError(option, f"a number, or a dict by metric ({', '.join(signatures)})", name)
    plans = {
        label: plan.of_metric(label, has_percent=label in metrics and metrics[label].has_percent)
        for label in signatures
    }
    sizes = {len(sample): f"{label} of {name}" for label, entry in samples.items() for name, sample in entry.items()}
    if len(sizes) > 1:
        (first_size, first), (second_size, second), *_ = sizes.items()
        raise LengthMismatchError(first, first_size, second, second_size)
    groups = None if clusters is None else _check_clusters(clusters)
    if groups is not None and pools:
        raise OptionError.because(f"{next(iter(pools))} scores all outputs together, so they cannot be in clusters")
    names_of = None if ids is None or not sizes else checked_ids(ids, next(iter(sizes)))
    comparisons = []
    for label, written in signatures.items():
        tell = None if progress is None else partial(progress, label)
        if label in pools:
            values = {name: float(counted[name][label].score.value) for name in names}
            result = _compare_pools(values, pools[label], plans[label], baseline=baseline, threads=workers, report=tell)
            result = replace(result, notes=(*notes, *result.notes))
        else:
            entry = samples[label]
            result = compare_samples(
                entry, plans[label], baseline=baseline, clusters=groups, ids=names_of, threads=workers, report=tell
            )
        comparisons.append(MetricComparison(label, written, result))
    first_result = comparisons[0].result
    units = "" if first_result.units is None else f"|clusters:{first_result.units}"
    # The signature says how the swaps of pools end, see `compare_pooled`.
    rule = f"|pools:besag-clifford-{ENOUGH}" if pools else ""
    swaps = None if samples else plan.at_least(SWAPS, pairs)
    described = plan.describe(pairs, swaps)
    how = f"compare|segments:{first_result.segments}{units}|{described}{rule}#bleuprint:{__version__}"
    return Comparison(how, tuple(comparisons))


def pool_of(label: str, measured: Measured[Score]) -> PooledTexts:
    """The texts of a pool metric."""
    if not isinstance(measured.pool, PooledTexts):
        raise OptionError.because(f"{label} cannot be compared by a test, which would encode the texts anew many times")
    return measured.pool


def equal_pools(pools: Mapping[str, Texts], *, seed: int = 12345) -> tuple[dict[str, list[Text]], tuple[str, ...]]:
    """Pools of the same size, drawn from the larger ones at random, and a note that names those.

    Pool metrics depend on the number of texts: a larger pool has more chances to repeat itself.

    >>> pools, notes = equal_pools({"A": ["a", "b", "c"], "B": ["d", "e"]})
    >>> len(pools["A"]), notes
    (2, ('2 texts were drawn from larger pools, so that all have the same size: A (3)',))
    """
    texts: dict[str, list[Text]] = {
        name: [group[0] for group in checked_column(pool, name).unpack()] for name, pool in pools.items()
    }
    size = min(map(len, texts.values()))
    larger = {name: pool for name, pool in texts.items() if len(pool) > size}
    for name, pool in larger.items():
        chosen = np.random.default_rng(seed).choice(len(pool), size=size, replace=False)
        texts[name] = [pool[place] for place in np.sort(chosen).tolist()]
    names = ", ".join(f"{name} ({len(pool):,})" for name, pool in larger.items())
    note = f"{size:,} texts were drawn from larger pools, so that all have the same size: {names}"
    return texts, (note,) if larger else ()


def _compare_pools(
    values: Mapping[str, float],
    pools: Mapping[str, PooledTexts],
    settings: Settings,
    *,
    baseline: str | None,
    threads: int,
    report: Callable[[float], None] | None,
) -> SampleComparison:
    """Compare systems by a pool metric."""
    first = next(iter(pools.values()))

    def both(name: str, other: str) -> Both:
        merged = pools[name].copy()
        merged.merge(pools[other])
        ones, others = np.split(merged.texts.duplicates(threads), 2)
        formula: PoolFormula = merged.definition.formula
        return Both(merged.part_scorer(threads), formula.is_quick, np.array_equal(ones, others))

    return compare_pooled(
        values,
        len(first.texts),
        lambda name: pools[name].part_scorer(threads),
        both,
        settings,
        higher_is_better=first.definition.kind.higher_is_better,
        has_percent=first.definition.kind.has_percent,
        baseline=baseline,
        report=report,
    )


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
    comparison = compare_counted(
        resolved,
        measure_result(result, resolved, threads=threads),
        ids=result.ids,
        baseline=baseline,
        threads=threads,
        progress=progress,
        **settings,
    )
    return replace(result, comparison=comparison)


def with_columns(
    result: Result | None, columns: Columns, lower_is_better: Iterable[str] = (), ids: Iterable[str | int] | None = None
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
    resamples: int = 1000,
    seed: int = 12345,
    mode: str = "bleuprint",
    threads: int | None = None,
) -> Interval:
    """A corpus score and its bootstrap confidence interval.

    - `metric`: the name of a metric, or a metric with its options
    - `clusters`: a label per segment, such as its document; segments with the same label are resampled together
    - `level`: how often intervals of other samples would cover the score, such as 0.95
    - `method`: type of confidence interval, "bca" or "percentile"
    - `resamples`: number of bootstrap resamples

    >>> words = "cat dog cow hen pig fox owl bee ant elk".split()
    >>> outputs = [f"the {word} sat on {'the' if len(word) > 2 else 'a'} {word}" for word in words]
    >>> interval = confidence_interval(outputs, [f"the {word} sat on the mat" for word in words])
    >>> f"{interval.value:.3f} in [{interval.low:.3f}, {interval.high:.3f}]"
    '0.760 in [0.525, 0.834]'
    """
    (resolved,) = _resolve((metric,)).values()
    used = worker_count(threads)
    sample = resolved.sample(hypotheses, references, sources=sources, threads=used)
    if clusters is not None:
        sample = sample.by_cluster(_check_clusters(clusters))
    chance = Chance(seed, used, mode)
    return bootstrap_intervals([sample], level=level, method=method, resamples=resamples, chance=chance)[0]


def sample_of(label: str, measured: Measured[Score]) -> Sample:
    """The rows of a metric of segments, to draw from."""
    if measured.statistics is None:
        raise OptionError("metrics", "metrics that have rows to resample with these options", label)
    definition = measured.score.definition
    sample: Sample = definition.row_summary.sample(definition, measured.statistics.rows)
    return sample


def _check_systems(systems: object, baseline: str | None) -> int:
    """Check the names of systems and the baseline; return the number of pairs to compare."""
    if not isinstance(systems, Mapping):
        raise InputError(f"systems must be a dict of outputs by name, got {type(systems).__name__}; write {{'A': …}}.")
    for name in systems:
        if not isinstance(name, str):
            raise InputError(f"the name of a system must be a str, got {name!r}.")
    checks.instance("baseline", baseline, str | None, "None or the name of a system")
    return pair_count(systems, baseline)


def _check_columns(columns: Columns, systems: Mapping[str, object] | None) -> dict[str, dict[str, Floats]]:
    if not isinstance(columns, Mapping):
        raise InputError(f"columns must be a dict of scores by column and system, got {type(columns).__name__}.")
    checked: dict[str, dict[str, Floats]] = {}
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


def _check_scores(scores: Iterable[float], name: str) -> Floats:
    values = checks.items_of(scores)
    if values is None:
        raise InputError(f"{name} must be a list of numbers, got {type(scores).__name__}.")
    for index, value in enumerate(values):
        is_number = isinstance(value, int | float | np.number | np.bool_)
        if not is_number or not math.isfinite(value):
            shown = repr(value) if is_number else type(value).__name__
            raise InputError(
                f"{name}[{index}] must be a finite number, got {shown}; drop the item from every system, or score it."
            )
    return np.asarray(values, dtype=np.float64)


def _check_clusters(clusters: Iterable[Hashable]) -> list[Hashable]:
    labels = checks.items_of(clusters)
    if labels is None:
        raise InputError(f"clusters must be a list with one label per segment, got {type(clusters).__name__}.")
    for index, label in enumerate(labels):
        if not isinstance(label, Hashable) or label is None or label == "" or label != label:
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
            raise OptionError.because(f"a comparison has no setting {name!r}; it has {', '.join(allowed)}")
    return Settings(**given)
