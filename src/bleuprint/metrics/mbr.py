"""Minimum Bayes risk decoding: pick the candidate that is most similar to the other plausible outputs.

    choice = argmax_i  Σ_j w_j · utility(candidate i against pseudo-reference j) / Σ_j w_j

The utility is BLEU, or any other metric that scores a text against one reference.

The pseudo-references are samples from the model. By default they are the candidates themselves.
Kumar, Byrne (2004): Minimum Bayes-Risk Decoding for Statistical Machine Translation. NAACL.
Eikema, Aziz (2020): Is MAP Decoding All You Need?, arXiv:2005.10283, which uses samples as pseudo-references.
Vamvas, Sennrich (2024): Linear-time Minimum Bayes Risk Decoding with Reference Aggregation, arXiv:2402.04251.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING, Any

from bleuprint import checks
from bleuprint.core import counts
from bleuprint.core.arrays import np
from bleuprint.core.columns import References, Text, checked_column, column
from bleuprint.core.threads import worker_count
from bleuprint.errors import BareStringError, LengthMismatchError, NotTextError, OptionError, PoolError
from bleuprint.metrics.base.metric import Metric
from bleuprint.metrics.pairwise import PAIRS_AT_A_TIME, PairScores

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["MbrChoice", "as_list", "candidate_groups", "mbr_decode"]


@dataclass(frozen=True, slots=True)
class MbrChoice:
    """The chosen candidate of one group, its index there and its expected utility: its mean score.

    >>> mbr_decode([["no", "yes", "yes"]])
    [MbrChoice(index=1, text='yes', utility=0.6666666666666666)]
    """

    index: int
    text: Text
    utility: float
    aggregated: float | None = field(default=None, repr=False)  # the score against the mean reference, if that decided

    @property
    def error(self) -> float | None:
        """How far the score against the mean reference is from the expected utility; None if it was not used."""
        return None if self.aggregated is None else self.aggregated - self.utility


def mbr_decode(
    candidates: Iterable[Sequence[Text]],
    *,
    utility: str | Metric[Any] = "bleu",
    references: References | None = None,
    reference_weights: Iterable[Sequence[float]] | None = None,
    include_self: bool = True,
    aggregate: bool = False,
    threads: int | None = None,
) -> list[MbrChoice]:
    """Pick the candidate with the best expected sentence score in each group.

    >>> mbr_decode([["a cat sat", "the cat sat", "the cat sat down"], ["yes"]])[0].text
    'the cat sat'
    >>> mbr_decode([["a cat sat", "the cat sat", "the cat sat down"]], utility="chrf")[0].text
    'the cat sat down'

    `utility` is the name of a metric, or a metric with its options, such as `BLEU(max_order=2)`. Under an error
    rate the lowest mean wins.

    `references[g]` holds the pseudo-references of group g. Without it they are the group's own candidates, and each
    candidate is also compared with itself unless `include_self=False`. Without weights, this changes the utilities but
    not the winners, as long as every candidate is perfect against itself; under BLEU an empty text scores 0. On ties
    the first candidate wins.
    `reference_weights[g]` are the weights of the pseudo-references of group g.

    `aggregate=True` compares each candidate once, with the mean of the references' n-gram counts, so the time is linear
    in the group instead of quadratic. It is an approximation, for BLEU, GLEU and chrF: another candidate may win. The
    winner's `utility` is still exact, and its `error` says how far the approximation was from it.
    """
    scores = PairScores.of("utility", utility)
    threads = worker_count(threads)
    checks.flag("include_self", include_self)
    if references is not None and not include_self:
        raise OptionError("include_self", "True if references are given, which contain no candidate", include_self)
    checks.flag("aggregate", aggregate)
    if aggregate and (scores.form is None or reference_weights is not None or not include_self):
        allowed = "False, unless the utility is BLEU, GLEU or chrF without word order, with no weights and include_self"
        raise OptionError("aggregate", allowed, aggregate)
    groups = candidate_groups(candidates)
    texts, others = _columns(scores, groups, references)
    _check_sizes(groups, include_self)
    weights = None if reference_weights is None else _weights(reference_weights, others.sizes(), include_self)
    if aggregate:
        return list(_aggregated(scores, groups, texts, others, threads))
    choices: list[MbrChoice] = []
    higher_is_better = scores.definition.kind.higher_is_better
    for (begin, end), matrices in _matrices(scores, texts, others, threads):
        utilities = _expected(matrices, None if weights is None else np.array(weights[begin:end]), include_self)
        best = utilities.argmax(axis=1) if higher_is_better else utilities.argmin(axis=1)
        for group, index, row in zip(groups[begin:end], best.tolist(), utilities, strict=True):
            choices.append(MbrChoice(index, group[index], float(row[index])))
    return choices


def _aggregated(
    scores: PairScores, groups: list[list[Text]], texts: counts.Column, others: counts.Column, threads: int
) -> Iterator[MbrChoice]:
    """The winners against the mean reference, each with its exact expected utility."""
    assert scores.form is not None
    sizes, other_sizes = texts.sizes(), others.sizes()
    per_text = np.repeat(np.array(other_sizes, dtype=np.int64), np.array(sizes, dtype=np.int64))
    columns = scores.form.clipped.columns_against_mean(texts, others, 0, len(groups), per_text, threads)
    approximate = scores.of_columns(columns)
    starts, other_starts = (np.cumsum([0, *numbers])[:-1].tolist() for numbers in (sizes, other_sizes))
    best = [int(approximate[start : start + size].argmax()) for start, size in zip(starts, sizes, strict=True)]
    winners = np.array([start + index for start, index in zip(starts, best, strict=True)], dtype=np.uint32)
    pairs = np.repeat(winners, other_sizes), np.arange(sum(other_sizes), dtype=np.uint32)
    exact = scores.of_texts(texts, others, pairs, threads)
    for number, (group, index, start, size) in enumerate(zip(groups, best, other_starts, other_sizes, strict=True)):
        utility = float(_sum(exact[None, start : start + size])[0] / size)
        yield MbrChoice(index, group[index], utility, float(approximate[winners[number]]))


def as_list(values: object) -> Any:
    """A column of pyarrow, polars, NumPy or pandas, or an iterator, as a list; anything else as it is."""
    for convert in ("to_pylist", "to_list", "tolist"):
        if hasattr(values, convert):
            return getattr(values, convert)()
    return list(values) if isinstance(values, Iterator) else values


def candidate_groups(candidates: object) -> list[list[Text]]:
    """The candidates as lists of texts, one for each group."""
    name, repair = "candidates", "a single group is [candidates]"
    if isinstance(candidates, str | bytes):
        raise BareStringError(name)
    candidates = as_list(candidates)
    if isinstance(candidates, dict | set | frozenset) or not isinstance(candidates, Iterable):
        raise NotTextError(name, "a list of lists of texts", type(candidates).__name__, repair)
    groups = []
    for number, group in enumerate(candidates):
        if isinstance(group, str | bytes | dict | set | frozenset) or not isinstance(group, Iterable):
            got = "None" if group is None else type(group).__name__
            raise NotTextError(f"{name}[{number}]", "a list of texts", got, repair)
        groups.append(list(group))
        for position, text in enumerate(groups[-1]):
            if text is None:
                raise NotTextError(f"{name}[{number}][{position}]", "a text", "None", "drop the candidate")
    return groups


def _columns(
    scores: PairScores, groups: list[list[Text]], references: References | None
) -> tuple[counts.Column, counts.Column]:
    for number, group in enumerate(groups):
        if not group:
            raise PoolError(f"mbr_decode, in candidates[{number}],", 1, 0)
    tokenized = bool(groups) and isinstance(groups[0][0], list | tuple)
    texts = scores.read(column(groups, "candidates", groups=True, tokenized=tokenized), "candidates")
    if references is None:
        return texts, texts
    others = checked_column(references, "references", groups=True, tokenized=tokenized)
    if len(others) != len(groups):
        raise LengthMismatchError("candidates", len(groups), "references", len(others))
    return texts, scores.read(others, "references")


def _check_sizes(groups: list[list[Text]], include_self: bool) -> None:
    for number, group in enumerate(groups):
        if len(group) < 2 and not include_self:
            raise PoolError(f"mbr_decode with include_self=False, in candidates[{number}],", 2, len(group))


def _weights(given: object, sizes: list[int], include_self: bool) -> list[list[float]]:
    if not isinstance(given, Iterable):
        raise OptionError("reference_weights", "None or one list of numbers per group", given)
    rows = list(given)
    if len(rows) != len(sizes):
        raise LengthMismatchError("candidates", len(sizes), "reference_weights", len(rows))
    needed = 1 if include_self else 2
    checked = []
    for number, (row, size) in enumerate(zip(rows, sizes, strict=True)):
        try:
            numbers = [float(weight) for weight in row if not isinstance(weight, str | bytes)]
        except (TypeError, ValueError, OverflowError):
            numbers = []
        finite = all(0 <= weight < math.inf for weight in numbers) and sum(numbers) < math.inf
        if len(numbers) != size or not finite or sum(weight > 0 for weight in numbers) < needed:
            allowed = f"{size} finite numbers of at least 0, at least {needed} of them above 0"
            raise OptionError(f"reference_weights[{number}]", allowed, row)
        checked.append(numbers)
    return checked


def _matrices(
    pair_scores: PairScores, texts: counts.Column, others: counts.Column, threads: int
) -> Iterator[tuple[tuple[int, int], NDArray[np.float64]]]:
    """Score matrices, one per group; adjacent groups of the same shape are stacked."""
    shapes = list(zip(texts.sizes(), others.sizes(), strict=True))
    for begin, end in _parts([rows * columns for rows, columns in shapes]):
        if pair_scores.form is None:
            numbers = _numbers_of_pairs(shapes[begin:end], [sum(sizes[:begin]) for sizes in zip(*shapes, strict=True)])
            scores = pair_scores.of_texts(texts, others, numbers, threads)
        else:
            pairs = sum(rows * columns for rows, columns in shapes[begin:end])
            counted, rows_of_pairs = pair_scores.form.clipped.group_pairs(texts, others, begin, end, pairs, threads)
            scores = np.empty(pairs)
            counts.pick(pair_scores.of_rows(counted), rows_of_pairs, scores)
        group, at = begin, 0
        for (rows, columns), run in groupby(shapes[begin:end]):
            count = len(list(run))
            size = count * rows * columns
            yield (group, group + count), scores[at : at + size].reshape(count, rows, columns)
            group, at = group + count, at + size


def _numbers_of_pairs(
    shapes: Sequence[tuple[int, int]], starts: Sequence[int]
) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
    """For the pairs of adjacent groups, the numbers of their texts, which count on from `starts`."""
    first, second = starts
    texts, others = [], []
    for rows, columns in shapes:
        texts.append(np.arange(first, first + rows, dtype=np.uint32).repeat(columns))
        others.append(np.tile(np.arange(second, second + columns, dtype=np.uint32), rows))
        first, second = first + rows, second + columns
    return np.concatenate(texts), np.concatenate(others)


def _parts(pairs: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Ranges of groups with about as many pairs as the core counts at a time."""
    begin, held = 0, 0
    for group, count in enumerate(pairs):
        held += count
        if held >= PAIRS_AT_A_TIME:
            yield begin, group + 1
            begin, held = group + 1, 0
    if begin < len(pairs):
        yield begin, len(pairs)


def _expected(
    matrices: NDArray[np.float64], weights: NDArray[np.float64] | None, include_self: bool
) -> NDArray[np.float64]:
    """Weighted row means; rows with the same values in another order have bit-equal means."""
    shape = matrices.shape
    if weights is None and include_self:
        return np.asarray(_sum(matrices) / shape[2])
    weighting = np.ones(shape) if weights is None else np.broadcast_to(weights[:, None, :], shape).copy()
    if not include_self:
        diagonal = np.arange(shape[1])
        weighting[:, diagonal, diagonal] = 0.0
    return np.asarray(_sum(matrices * weighting) / _sum(weighting))


def _sum(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Sum along the last axis, independent of the order of the values."""
    return np.asarray(np.sort(values, axis=-1).sum(axis=-1))
