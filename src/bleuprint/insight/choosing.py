"""Choose the best of several candidates for every source, under any metric of segments, with or without references."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from bleuprint import checks, errors
from bleuprint.core.columns import References, Text, Texts, checked_column, column
from bleuprint.metrics import registry
from bleuprint.metrics.base.metric import FittedMetric, Metric
from bleuprint.metrics.base.score import Score
from bleuprint.metrics.mbr import decode


@dataclass(frozen=True, slots=True)
class Choice:
    """The chosen candidate of one group, its index there and its score.

    >>> choose([["no", "yes", "yes"]], ["yes"], metric="exact-match")
    [Choice(index=1, text='yes', value=1.0)]

    Without references, the score is the mean over the pseudo-references.

    >>> choose([["no", "yes", "yes"]])
    [Choice(index=1, text='yes', value=0.6666666666666666)]
    """

    index: int
    text: Text
    value: float
    aggregated: float | None = field(default=None, repr=False)  # the score against the mean reference, if that decided

    @property
    def error(self) -> float | None:
        """How far the score against the mean reference is from the exact one; None if it was not used."""
        return None if self.aggregated is None else self.aggregated - self.value


def choose(
    candidates: Iterable[Sequence[Text]],
    references: References | None = None,
    *,
    metric: str | Metric[Score] = "bleu",
    sources: Texts | None = None,
    pseudo_references: References | None = None,
    weights: Iterable[Sequence[float]] | None = None,
    include_self: bool = True,
    aggregate: bool = False,
    threads: int | None = None,
) -> list[Choice]:
    """Pick the candidate with the best segment score in each group; `references[g]` and `sources[g]` belong to group g.

    `metric` is a name, or an instance with options. On ties the first candidate wins, so put the one that you prefer
    first. A candidate without a score (NaN) is never chosen.

    >>> candidates = [["the quick fox", "a fast fox", "a rapid fox ran"], ["hello", "good day"]]
    >>> best = choose(candidates, ["a fast fox", "good day to you"], sources=["a quick fox", "hello"], metric="ibleu")
    >>> [choice.text for choice in best]
    ['a fast fox', 'good day']

    Without references, a metric that needs them scores every candidate against the others, and the best mean wins
    (minimum Bayes risk decoding):

    >>> choose([["a cat sat", "the cat sat", "the cat sat down"]])[0].text
    'the cat sat'

    - `pseudo_references`: `pseudo_references[g]` holds the texts to compare the candidates of group g with, one at a
      time, instead of the candidates themselves
    - `weights`: `weights[g]` are the weights of the pseudo-references of group g
    - `include_self`: compare each candidate with itself too. Without weights, this changes the scores but not the
      winners, as long as every candidate is perfect against itself; under BLEU an empty text scores 0.
    - `aggregate`: compare each candidate once, with the mean of the pseudo-references' n-gram counts, so the time is
      linear in the size of the group. It is approximate, so another candidate may win. The winner's `value` is still
      exact, and its `error` says how far the approximation was from it.
    """
    measured = registry.resolve(metric, unit="segment")
    groups = _candidate_groups(candidates)
    if references is None and measured.needs_references:
        if sources is not None and not measured.needs_sources:
            raise errors.UnusedSourcesError(measured.name)
        decoded = decode(
            groups,
            measured,
            pseudo_references=pseudo_references,
            weights=weights,
            include_self=include_self,
            aggregate=aggregate,
            threads=threads,
        )
        return [
            Choice(index, group[index], value, aggregated)
            for group, (index, value, aggregated) in zip(groups, decoded, strict=True)
        ]
    if pseudo_references is not None or weights is not None or include_self is not True or aggregate is not False:
        raise errors.OptionError.because(
            "pseudo_references, weights, include_self and aggregate are for choosing without references, "
            "under a metric that needs them"
        )
    return list(_best_scored(measured, groups, references, sources, threads))


def _best_scored(
    metric: Metric[Score], groups: list[list[Text]], references: Any, sources: Any, threads: int | None
) -> Iterator[Choice]:
    """The candidate with the best score of its own in each group."""
    tokenized = bool(groups) and isinstance(groups[0][0], list | tuple)
    column(groups, "candidates", groups=True, tokenized=tokenized)  # an error names the candidate by its own place
    references, sources = _as_list(references), _as_list(sources)
    expected = _repeat("references", references, groups, tokenized=tokenized)
    inputs = _repeat("sources", sources, groups, tokenized=tokenized)
    definition = metric.definition
    if isinstance(metric, FittedMetric) and definition.fitting and definition.prior is None and references is not None:
        metric = metric.fit(references)  # every reference once, however many candidates its group has
    texts = [text for group in groups for text in group]
    scores = metric.sentences(texts, expected, sources=inputs, threads=threads).tolist() if texts else []
    sign = 1 if metric.higher_is_better else -1
    begin = 0
    for number, group in enumerate(groups):
        values = scores[begin : begin + len(group)]
        begin += len(group)
        defined = [index for index, value in enumerate(values) if not math.isnan(value)]
        if not defined:
            raise errors.InputError(f"no text in candidates[{number}] has a score under {metric.name}.")
        best = max(defined, key=lambda index: sign * values[index])  # the first of equals
        yield Choice(best, group[best], values[best])


def _as_list(values: object) -> Any:
    """A column of pyarrow, polars, NumPy or pandas, or an iterator, as a list; anything else as it is."""
    for convert in ("to_pylist", "to_list", "tolist"):
        if hasattr(values, convert):
            return getattr(values, convert)()
    return list(values) if isinstance(values, Iterator) else values


def _candidate_groups(candidates: object) -> list[list[Text]]:
    """The candidates as lists of texts, one for each group, none of them empty."""
    name, repair = "candidates", "a single group is [candidates]"
    if isinstance(candidates, str | bytes):
        raise errors.BareStringError(name)
    candidates = _as_list(candidates)
    listed = None if isinstance(candidates, dict | set | frozenset) else checks.items_of(candidates)
    if listed is None:
        raise errors.NotTextError(name, "a list of lists of texts", type(candidates).__name__, repair)
    groups = []
    for number, group in enumerate(listed):
        texts = None if isinstance(group, dict | set | frozenset) else checks.items_of(group)
        if texts is None:
            got = "None" if group is None else type(group).__name__
            raise errors.NotTextError(f"{name}[{number}]", "a list of texts", got, repair)
        groups.append(texts)
        if not groups[-1]:
            raise errors.PoolError(f"choose, in candidates[{number}],", 1, 0)
        for position, text in enumerate(groups[-1]):
            if text is None:
                raise errors.NotTextError(f"{name}[{number}][{position}]", "a text", "None", "drop the candidate")
    return groups


def _repeat(name: str, items: Any, groups: list[list[Text]], *, tokenized: bool) -> list[Any] | None:
    """What belongs to the groups, once for each of their candidates."""
    if items is None:
        return None
    checked = checked_column(items, name, groups=name == "references", tokenized=tokenized)
    if len(checked) != len(groups):
        raise errors.LengthMismatchError("candidates", len(groups), name, len(checked))
    return [item for item, group in zip(items, groups, strict=True) for _ in group]
