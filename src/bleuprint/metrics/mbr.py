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
from itertools import groupby

from bleuprint import checks
from bleuprint.core import counts
from bleuprint.core.arrays import Floats, NDArray, np
from bleuprint.core.columns import References, Text, checked_column, column
from bleuprint.core.threads import worker_count
from bleuprint.errors import LengthMismatchError, OptionError, PoolError
from bleuprint.metrics.base import Metric, Score
from bleuprint.metrics.pairwise import PAIRS_AT_A_TIME, PairScores


def decode(
    groups: list[list[Text]],
    metric: str | Metric[Score],
    *,
    pseudo_references: References | None,
    weights: Iterable[Sequence[float]] | None,
    include_self: bool,
    aggregate: bool,
    threads: int | None,
) -> Iterator[tuple[int, float, float | None]]:
    """For each group, the index of the best candidate, its expected score, and that against the mean reference.

    The latter is None unless `aggregate` is set. See `bleuprint.choose` for the options.
    """
    scores = PairScores.of(metric)
    threads = worker_count(threads)
    checks.flag("include_self", include_self)
    if pseudo_references is not None and not include_self:
        raise OptionError.because("include_self=False has no meaning with pseudo_references, which hold no candidate")
    checks.flag("aggregate", aggregate)
    if aggregate and (scores.form is None or weights is not None or not include_self):
        raise OptionError.because(
            "aggregate=True needs BLEU, GLEU or chrF without word order, no weights, and include_self=True"
        )
    texts, others = _columns(scores, groups, pseudo_references)
    for number, group in enumerate(groups):
        if len(group) < 2 and not include_self:
            raise PoolError(f"choose with include_self=False, in candidates[{number}],", 2, len(group))
    checked = None if weights is None else _weights(weights, others.sizes(), include_self)
    if aggregate:
        return _decode_against_mean(scores, groups, texts, others, threads)
    return _decode_exactly(scores, texts, others, checked, include_self, threads)


def _decode_exactly(
    scores: PairScores,
    texts: counts.Column,
    others: counts.Column,
    weights: list[list[float]] | None,
    include_self: bool,
    threads: int,
) -> Iterator[tuple[int, float, None]]:
    higher_is_better = scores.definition.kind.higher_is_better
    for (begin, end), matrices in _matrices(scores, texts, others, threads):
        expected = _expected_scores(matrices, None if weights is None else np.array(weights[begin:end]), include_self)
        best = expected.argmax(axis=1) if higher_is_better else expected.argmin(axis=1)
        for index, row in zip(best.tolist(), expected, strict=True):
            yield index, float(row[index]), None


def _decode_against_mean(
    scores: PairScores, groups: list[list[Text]], texts: counts.Column, others: counts.Column, threads: int
) -> Iterator[tuple[int, float, float]]:
    """The winners against the mean reference, each with its exact expected score."""
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
    for number, (index, start, size) in enumerate(zip(best, other_starts, other_sizes, strict=True)):
        yield index, float(_sum(exact[None, start : start + size])[0] / size), float(approximate[winners[number]])


def _columns(
    scores: PairScores, groups: list[list[Text]], references: References | None
) -> tuple[counts.Column, counts.Column]:
    tokenized = bool(groups) and isinstance(groups[0][0], list | tuple)
    candidates = column(groups, "candidates", groups=True, tokenized=tokenized)
    scores.fit_to(candidates)
    texts = scores.read(candidates, "candidates")
    if references is None:
        return texts, texts
    others = checked_column(references, "pseudo_references", groups=True, tokenized=tokenized)
    if len(others) != len(groups):
        raise LengthMismatchError("candidates", len(groups), "pseudo_references", len(others))
    return texts, scores.read(others, "pseudo_references")


def _weights(given: object, sizes: list[int], include_self: bool) -> list[list[float]]:
    rows = checks.items("weights", given, "None or one list of numbers per group")
    if len(rows) != len(sizes):
        raise LengthMismatchError("candidates", len(sizes), "weights", len(rows))
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
            raise OptionError(f"weights[{number}]", allowed, row)
        checked.append(numbers)
    return checked


def _matrices(
    pair_scores: PairScores, texts: counts.Column, others: counts.Column, threads: int
) -> Iterator[tuple[tuple[int, int], Floats]]:
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


def _expected_scores(matrices: Floats, weights: Floats | None, include_self: bool) -> Floats:
    """Weighted row means; rows with the same values in another order have bit-equal means."""
    shape = matrices.shape
    if weights is None and include_self:
        return np.asarray(_sum(matrices) / shape[2])
    weighting = np.ones(shape) if weights is None else np.broadcast_to(weights[:, None, :], shape).copy()
    if not include_self:
        diagonal = np.arange(shape[1])
        weighting[:, diagonal, diagonal] = 0.0
    return np.asarray(_sum(matrices * weighting) / _sum(weighting))


def _sum(values: Floats) -> Floats:
    """Sum along the last axis, independent of the order of the values."""
    return np.asarray(np.sort(values, axis=-1).sum(axis=-1))
