"""A method for every metric of the tables, for the namespaces on data frames and columns.

`Methods` says to type checkers and editors what there is; `add_methods` makes it, out of the tables.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any, Generic, TypeVar

from bleuprint.core.columns import Texts
from bleuprint.errors import OptionError
from bleuprint.metrics import MODEL_TABLE, POOL_TABLE, REFERENCE_TABLE
from bleuprint.metrics.base.definition import Defined
from bleuprint.metrics.base.metric import Metric
from bleuprint.metrics.base.pool import PoolMetric, PoolScore

__all__ = ["POOLED", "SCORED", "PoolMethods", "ScoreMethods", "add_methods", "check_references", "made", "pool_score"]


def _by_method(table: Mapping[str, type[Any]]) -> dict[str, type[Any]]:
    return {name.replace("-", "_"): table[name] for name in sorted(table)}


SCORED: dict[str, type[Metric[Any]]] = _by_method({**REFERENCE_TABLE, **MODEL_TABLE})
del SCORED["sentence_bleu"]  # the name is that of BLEU row by row; `metrics=["sentence-bleu"]` has the metric
POOLED: dict[str, type[PoolMetric[Any]]] = _by_method(POOL_TABLE)

Whole = TypeVar("Whole")
Rows = TypeVar("Rows")


class ScoreMethods(Generic[Whole, Rows]):
    """Metrics of texts with their references: one score of all rows, and a score of every row."""

    bertscore: Whole
    bleu: Whole
    cer: Whole
    chrf: Whole
    cider: Whole
    contains_match: Whole
    exact_match: Whole
    gec_gleu: Whole
    gleu: Whole
    ibleu: Whole
    levenshtein_ratio: Whole
    mer: Whole
    meteor: Whole
    neural_perplexity: Whole
    nist: Whole
    perplexity: Whole
    rouge: Whole
    sari: Whole
    ter: Whole
    wer: Whole
    wil: Whole
    sentence_bertscore: Rows
    sentence_bleu: Rows
    sentence_cer: Rows
    sentence_chrf: Rows
    sentence_cider: Rows
    sentence_contains_match: Rows
    sentence_exact_match: Rows
    sentence_gec_gleu: Rows
    sentence_gleu: Rows
    sentence_ibleu: Rows
    sentence_levenshtein_ratio: Rows
    sentence_mer: Rows
    sentence_meteor: Rows
    sentence_neural_perplexity: Rows
    sentence_nist: Rows
    sentence_perplexity: Rows
    sentence_rouge: Rows
    sentence_sari: Rows
    sentence_ter: Rows
    sentence_wer: Rows
    sentence_wil: Rows


class PoolMethods(Generic[Whole]):
    """Metrics of texts among each other: one score of all rows."""

    distinct: Whole
    entropy: Whole
    ms_jaccard: Whole
    repetition_rate: Whole
    self_bleu: Whole
    unique_ngrams: Whole


def add_methods(
    namespace: type[Any], table: Mapping[str, type[Any]], work: Callable[..., Any], *, prefix: str = ""
) -> None:
    """Give the class a method for every metric: what `work` does, with the metric's class before its arguments."""
    for name, kind in table.items():
        setattr(namespace, prefix + name, _method(namespace, prefix + name, kind, work))


def _method(namespace: type[Any], name: str, kind: type[Defined], work: Callable[..., Any]) -> Callable[..., Any]:
    def method(self: Any, *args: Any, **options: Any) -> Any:
        return work(self, kind, *args, **options)

    signature = inspect.signature(work)
    parameters = [parameter for parameter in signature.parameters.values() if parameter.name != "kind"]
    method.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    method.__name__, method.__qualname__ = name, f"{namespace.__qualname__}.{name}"
    method.__module__ = namespace.__module__
    method.__doc__ = f"{inspect.getdoc(work)} The metric is {kind.name}; options are those of `{kind.__name__}`."
    return method


def made(kind: type[Metric[Any]], references: object, sources: object, options: Mapping[str, Any]) -> Metric[Any]:
    """The metric with these options, refused without the columns that it reads."""
    metric = kind(**options)
    metric.check_sources(sources)
    check_references(references, {kind.name: metric})
    return metric


def check_references(references: object, metrics: Mapping[str, Metric[Any]]) -> None:
    """Refuse metrics that compare with references where there are none."""
    for name, metric in metrics.items():
        if references is None and metric.needs_references:
            raise OptionError("references", f"a column or several: {name} compares with them", None)


def pool_score(
    kind: type[PoolMetric[Any]], texts: Texts, references: Texts | None, threads: int | None, options: Mapping[str, Any]
) -> PoolScore:
    """The score of texts among each other, or against a second corpus where the metric takes one."""
    metric = kind(**options)
    if references is not None:
        add = getattr(metric, "add_references", None)
        if add is None:
            raise OptionError("references", f"left out: {kind.name} looks at the texts alone", references)
        add(references, threads=threads)
    score: PoolScore = metric.corpus(texts, threads=threads)
    return score
