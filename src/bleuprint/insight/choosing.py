"""Choose the best of several candidates for every source, under any metric of segments."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from bleuprint.core.columns import References, Text, Texts, checked_column, column
from bleuprint.errors import InputError, LengthMismatchError, PoolError
from bleuprint.metrics import registry
from bleuprint.metrics.base.metric import FittedMetric, Metric
from bleuprint.metrics.mbr import as_list, candidate_groups

__all__ = ["Choice", "choose"]


@dataclass(frozen=True, slots=True)
class Choice:
    """The chosen candidate of one group, its index there and its score.

    >>> choose([["no", "yes", "yes"]], ["yes"], metric="exact-match")
    [Choice(index=1, text='yes', value=1.0)]
    """

    index: int
    text: Text
    value: float


def choose(
    candidates: Iterable[Sequence[Text]],
    references: References | None = None,
    *,
    metric: str | Metric[Any] = "bleu",
    sources: Texts | None = None,
    threads: int | None = None,
) -> list[Choice]:
    """Pick the candidate with the best segment score in each group; `references[g]` and `sources[g]` belong to group g.

    `metric` is a name, or an instance with options. Scores are those of `metric.sentences`. On ties the first candidate
    wins, so put the one that you prefer first. A candidate without a score (NaN) is never chosen.

    >>> candidates = [["the quick fox", "a fast fox", "a rapid fox ran"], ["hello", "good day"]]
    >>> best = choose(candidates, ["a fast fox", "good day to you"], sources=["a quick fox", "hello"], metric="ibleu")
    >>> [choice.text for choice in best]
    ['a fast fox', 'good day']

    `mbr_decode` needs no references: it picks the candidate that is most similar to the others.
    """
    measured = registry.resolve(metric, unit="segment")
    groups = candidate_groups(candidates)
    for number, group in enumerate(groups):
        if not group:
            raise PoolError(f"choose, in candidates[{number}],", 1, 0)
    tokenized = bool(groups) and isinstance(groups[0][0], list | tuple)
    column(groups, "candidates", groups=True, tokenized=tokenized)  # an error names the candidate by its own place
    references, sources = as_list(references), as_list(sources)
    expected = _of_groups("references", references, groups, tokenized=tokenized)
    inputs = _of_groups("sources", sources, groups, tokenized=tokenized)
    definition = measured.definition
    if (
        isinstance(measured, FittedMetric)
        and definition.fitting
        and definition.prior is None
        and references is not None
    ):
        measured = measured.fit(references)  # every reference once, however many candidates its group has
    texts = [text for group in groups for text in group]
    scores = measured.sentences(texts, expected, sources=inputs, threads=threads).tolist() if texts else []
    sign = 1 if measured.higher_is_better else -1
    choices, begin = [], 0
    for number, group in enumerate(groups):
        values = scores[begin : begin + len(group)]
        begin += len(group)
        defined = [index for index, value in enumerate(values) if not math.isnan(value)]
        if not defined:
            raise InputError(f"no text in candidates[{number}] has a score under {measured.name}.")
        best = max(defined, key=lambda index: sign * values[index])  # the first of equals
        choices.append(Choice(best, group[best], values[best]))
    return choices


def _of_groups(name: str, items: Any, groups: list[list[Text]], *, tokenized: bool) -> list[Any] | None:
    """What belongs to the groups, once for each of their candidates."""
    if items is None:
        return None
    checked = checked_column(items, name, groups=name == "references", tokenized=tokenized)
    if len(checked) != len(groups):
        raise LengthMismatchError("candidates", len(groups), name, len(checked))
    return [item for item, group in zip(items, groups, strict=True) for _ in group]
