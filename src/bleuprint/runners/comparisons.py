"""Compare systems: is a difference in scores statistically significant?"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

from bleuprint import __version__, checks, signature
from bleuprint.core.arrays import np
from bleuprint.core.columns import Corpus, References, Texts
from bleuprint.core.threads import worker_count
from bleuprint.core.unicode import has_surrogate
from bleuprint.errors import InputError, LengthMismatchError, OptionError, ResultError, SurrogateError
from bleuprint.metrics.base.metric import Metric
from bleuprint.metrics.base.options import options_of
from bleuprint.metrics.base.pool import PooledTexts
from bleuprint.metrics.base.score import Measured
from bleuprint.results import COLUMN, MetricResult, Result, SystemResult
from bleuprint.results.display import Displayed, DisplayTable
from bleuprint.results.escaping import visible
from bleuprint.results.score_tables import comparison_tables
from bleuprint.runners import one_pass
from bleuprint.runners.evaluation import Metrics, checked_ids, resolve, versions
from bleuprint.runners.replaying import check_result, metrics_of
from bleuprint.statistics.chance import Chance
from bleuprint.statistics.comparison import SampleComparison, compare_samples, pair_count
from bleuprint.statistics.intervals import Interval, bootstrap_interval
from bleuprint.statistics.pools import SWAPS, PooledSystem, compare_pooled
from bleuprint.statistics.rows import Sample
from bleuprint.statistics.settings import Settings

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = [
    "Columns",
    "Comparison",
    "MetricComparison",
    "Progress",
    "compare",
    "compare_scores",
    "compared",
    "confidence_interval",
    "with_columns",
    "with_comparison",
]

Columns = Mapping[str, Mapping[str, Iterable[float]]]  # scores of segments, by column and system
Progress = Callable[[str, float], None]  # called with the metric and the share of its work that is done


@dataclass(frozen=True, slots=True, repr=False)
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
        lines += [f"{self.metric}: {pair.equivalence_verdict}." for pair in self.result.pairs if pair.equivalence]
        for system in self.result.systems:
            if system.wins is not None:
                others = len(self.result.systems) - 1
                lines.append(f"{self.metric}: {system.name}: rank {system.rank}, better than {system.wins} of {others}")
        lines += [f"{self.metric}: note: {note}" for note in self.result.notes]
        return "\n".join(map(visible, lines))

    def __repr__(self) -> str:
        return f"<MetricComparison {self.metric}: {self.result!r}>"


@dataclass(frozen=True, slots=True, repr=False)
class Comparison(Displayed):
    """Systems compared under one or more metrics; print it to read the verdicts, or show it as tables.

    >>> texts = [f"the {word} sat on the mat" for word in "cat dog cow hen pig".split()]
    >>> print(compare({"A": texts, "B": texts}, texts))
    bleu: A and B cannot be told apart: a difference of 0.0000 may well be chance (p = 1.0000).
    bleu: A: rank 1-2, better than 0 of 1
    bleu: B: rank 1-2, better than 0 of 1
    """

    segments: int
    settings: Settings
    metrics: tuple[MetricComparison, ...]

    @property
    def signature(self) -> str:
        """How the systems were compared; each metric has a signature of its own."""
        units = self.metrics[0].result.units
        clusters = "" if units is None else f"|clusters:{units}"
        return f"compare|segments:{self.segments}{clusters}|{self.settings}#bleuprint:{__version__}"

    def metric(self, name: str) -> SampleComparison:
        """The comparison under one metric."""
        return next(entry.result for entry in self.metrics if entry.metric == name)

    def to_dict(self) -> dict[str, Any]:
        """The comparison as plain numbers, strings and lists, ready for JSON."""
        return {"signature": self.signature, "metrics": [entry.to_dict() for entry in self.metrics]}

    def to_json(self) -> str:
        """The comparison as JSON text."""
        return json.dumps(self.to_dict(), ensure_ascii=False, allow_nan=False, indent=1) + "\n"

    def display(
        self,
        *,
        percent: bool = False,
        level: Literal["systems", "pairs", "matrix"] = "systems",
        intervals: bool = False,
    ) -> tuple[DisplayTable, ...]:
        """The tables that `pretty`, `to_markdown`, `to_latex`, `to_csv` and `to_pandas` draw.

        - `level`: "systems" is the scores with significance marks, then the pairs as a matrix per metric; "pairs" is
          one row per pair; "matrix" is the matrices alone
        - `intervals`: show confidence intervals beside the scores

        >>> words = "cat dog cow hen pig fox owl bee ant elk".split()
        >>> good = [f"the {word} sat on the mat" for word in words]
        >>> comparison = compare({"good": good, "bad": [f"a {word} is on a mat" for word in words]}, good)
        >>> print(comparison.to_markdown().partition("`")[0].rstrip())
        | system | bleu | rank |
        |---|---:|---:|
        | good | **1.0000** | 1 |
        | bad | 0.0190† | 2 |
        <BLANKLINE>
        †: significantly worse than the best (p \\< 0.05, exact paired permutation test).
        """
        checks.choice("level", level, ("systems", "pairs", "matrix"))
        return comparison_tables(self.to_dict(), self.segments, percent=percent, level=level, intervals=intervals)

    def methods_text(self, form: Literal["text", "markdown", "latex"] = "text", *, bibtex: bool = True) -> str:
        """A paragraph for a paper that says how the systems were scored and compared; see `Result.methods_text`."""
        from bleuprint.results.methods import methods_text

        signatures = {entry.metric: entry.signature for entry in self.metrics}
        systems = len(self.metrics[0].result.systems)
        return methods_text(signatures, systems, self.segments, self.to_dict(), form, bibtex=bibtex)

    def __repr__(self) -> str:
        systems = len(self.metrics[0].result.systems)
        metrics = ", ".join(entry.metric for entry in self.metrics)
        return f"<Comparison of {systems} systems on {self.segments:,} segments: {metrics}>"

    def __str__(self) -> str:
        return "\n".join(map(str, self.metrics))


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
    return _compare(
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


def _compare(
    systems: Mapping[str, Texts] | None,
    references: References | None,
    *,
    metrics: Metrics,
    sources: Texts | None,
    baseline: str | None,
    threads: int | None,
    progress: Progress | None,
    counted: Mapping[str, Mapping[str, Measured[Any]]] | None,
    columns: Columns | None = None,
    lower_is_better: Iterable[str] = (),
    clusters: Iterable[Hashable] | None = None,
    **settings: Any,
) -> Comparison:
    """The same, from what was `counted` for these systems and metrics before, if it was."""
    if systems is None and not columns:
        raise InputError("there is nothing to compare; pass systems and references, or columns of scores.")
    checks.typed("baseline", baseline, str | None, "None or the name of a system")
    checks.typed("progress", progress, Callable | None, "None or a function of a metric's name and a share")
    checked = _checked_columns(columns or {}, systems)
    names = next(iter(checked.values())) if systems is None else systems
    _check_systems(names)
    lower = _checked_directions(lower_is_better, checked)
    plan = _settings(settings).for_pairs(pair_count(names, baseline))
    used = worker_count(threads)
    samples: dict[str, dict[str, Sample]] = {}
    pools: dict[str, dict[str, PooledTexts]] = {}
    signatures: dict[str, str] = {}
    if systems is not None:
        resolved = _resolved(metrics)
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
    groups = None if clusters is None else _checked_clusters(clusters)
    if groups is not None and pools:
        raise OptionError.because(f"{next(iter(pools))} scores all outputs together, so they cannot be in clusters")
    comparisons = []
    for label, written in signatures.items():
        tell = None if progress is None else _named(progress, label)
        if label in pools:
            swaps = settings.get("samples") or SWAPS
            result = _compare_pools(pools[label], plan, baseline=baseline, swaps=swaps, threads=used, report=tell)
        else:
            entry = samples[label]
            result = compare_samples(entry, plan, baseline=baseline, clusters=groups, threads=used, report=tell)
        comparisons.append(MetricComparison(label, written, result))
    return Comparison(comparisons[0].result.segments, plan, tuple(comparisons))


def _pool(label: str, measured: Measured[Any]) -> PooledTexts:
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
def compare_scores(
    scores: Mapping[str, Iterable[float]],
    *,
    name: str = "score",
    higher_is_better: bool = True,
    clusters: Iterable[Hashable] | None = None,
    baseline: str | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
    **settings: Any,
) -> Comparison:
    """Compare the means of scores from anywhere, such as COMET, human ratings, or accuracy: one number per item.

    `scores[system][i]` belongs to item i; `clusters` and the `settings` are those of `compare`.

    >>> new = [1, 1, 1, 0, 1, 1, 1, 1, 1, 1]
    >>> old = [0, 1, 0, 0, 0, 1, 0, 0, 1, 0]
    >>> print(compare_scores({"new": new, "old": old}, name="accuracy"))
    accuracy: new is better than old: the difference of 0.6000 is unlikely to be chance (p = 0.0312).
    accuracy: new: rank 1, better than 1 of 1
    accuracy: old: rank 2, better than 0 of 1
    """
    return compare(
        columns={name: scores},
        lower_is_better=() if higher_is_better else (name,),
        clusters=clusters,
        baseline=baseline,
        threads=threads,
        progress=progress,
        **settings,
    )


@options_of(Settings)
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
    'good is better than bad: the difference of 0.9810 is unlikely to be chance (p = 0.0020)'
    """
    check_result(result, metrics)
    if not result.has_texts:
        raise ResultError("this result", "it was stored without its texts, which a comparison needs")
    resolved = metrics_of(result, metrics)
    comparison = _compare(
        {system.name: system.hypotheses for system in result.systems},
        result.references or None,
        metrics=resolved,
        counted=_kept(result, resolved),
        sources=result.sources,
        baseline=baseline,
        threads=threads,
        progress=progress,
        **settings,
    )
    return with_comparison(result, comparison)


def _kept(result: Result, metrics: Mapping[str, Metric[Any]]) -> dict[str, dict[str, Measured[Any]]] | None:
    """What the result still holds of its counts, if that is all that these metrics need."""
    kept: dict[str, dict[str, Measured[Any]]] = {}
    for system in result.systems:
        kept[system.name] = {}
        for label, metric in metrics.items():
            measured = result.counted_for(system.name, metric, label)
            if measured is None:
                return None
            kept[system.name][label] = measured
    return kept


def with_comparison(result: Result, comparison: Comparison) -> Result:
    """The result with a comparison of its systems added."""
    # Round-trip through JSON, so that the stored comparison equals the one that is read back.
    return replace(result, comparison=json.loads(comparison.to_json()))


def with_columns(
    result: Result | None,
    columns: Columns,
    lower_is_better: Iterable[str] = (),
    ids: Iterable[str | int] | None = None,
) -> Result:
    """The result with columns of scores added to its systems, or a new result without texts but with these ids."""
    checked = _checked_columns(columns, None if result is None else {system.name: () for system in result.systems})
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
    references: References,
    *,
    metric: str | Metric[Any] = "bleu",
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
    (resolved,) = _resolved((metric,)).values()
    used = worker_count(threads)
    sample = resolved.sample(hypotheses, references, sources=sources, threads=used)
    if clusters is not None:
        sample = sample.clustered(_checked_clusters(clusters))
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


def _checked_columns(
    columns: Columns, systems: Mapping[str, object] | None
) -> dict[str, dict[str, NDArray[np.float64]]]:
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
        checked[label] = {name: _checked_scores(scores, f"{label} of {name}") for name, scores in by_system.items()}
    return checked


def _checked_scores(scores: Iterable[float], name: str) -> NDArray[np.float64]:
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


def _checked_directions(lower_is_better: Iterable[str], columns: Mapping[str, object]) -> set[str]:
    lower = {lower_is_better} if isinstance(lower_is_better, str) else set(lower_is_better)
    for name in sorted(lower - set(columns)):
        raise OptionError("lower_is_better", f"names of columns ({', '.join(columns) or 'there are none'})", name)
    return lower


def _checked_clusters(clusters: Iterable[Hashable]) -> list[Hashable]:
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
