"""Score parts of a corpus: by length, by rare words, or by any label."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from bleuprint import checks
from bleuprint.core import counts
from bleuprint.core.arrays import Integers, np
from bleuprint.core.columns import Corpus, References, Texts, checked_column
from bleuprint.core.threads import worker_count
from bleuprint.errors import InputError, LengthMismatchError, OptionError
from bleuprint.insight._rows import AnyMetric, again
from bleuprint.metrics import registry

_LENGTHS = (10, 20, 30, 40, 50, 60)
_FREQUENCIES = (1, 2, 5, 10, 100, 1000)
_BLOCK = 1024  # texts whose tokens are held as Python objects at a time
_KINDS = "'length', 'frequency' or a list with one label per segment"


@dataclass(frozen=True, slots=True)
class Bucket:
    """A subset of the segments and its score."""

    label: str
    segments: int
    value: float
    share: float  # of all segments


def buckets(
    metric: str | AnyMetric,
    hypotheses: Texts,
    references: References,
    *,
    by: str | Iterable[Hashable] = "length",
    edges: Sequence[int] | None = None,
    corpus: Texts | None = None,
    sources: Texts | None = None,
    threads: int | None = None,
) -> list[Bucket]:
    """The corpus score of each bucket of segments; each segment is in one bucket, and empty buckets are left out.

    - `by="length"`: by the number of reference tokens, using the metric's tokenizer (with several references, the mean
      rounded down)
    - `by="frequency"`: by how often the rarest reference token occurs in the texts of `corpus`, such as the training
      data; 0 for a word that never occurs. Not the mean, because a single unknown word can break an output
    - `by=labels`: by a list with one label per segment (domain, document, …), in order of first appearance

    `edges` are the lower bounds of all buckets but the first.

    >>> outputs = ["a cat", "a dog sat here", "b"]
    >>> expected = ["a cat", "a dog sat there", "c"]
    >>> for bucket in buckets("gleu", outputs, expected, edges=[2, 4]):
    ...     print(bucket.label, bucket.segments, round(bucket.value, 4))
    <2 1 0.0
    2-3 1 1.0
    ≥4 1 0.6
    >>> [bucket.label for bucket in buckets("bleu", outputs, expected, by=["news", "chat", "news"])]
    ['news', 'chat']
    """
    resolved = registry.resolve(metric, unit="segment")
    hypotheses, references = again(hypotheses), again(references)
    rows = resolved.statistics(hypotheses, references, sources=sources, threads=threads).rows
    if corpus is not None and by != "frequency":
        raise OptionError("by", "'frequency' if a corpus is given", by)
    if isinstance(by, str):
        texts = Corpus.of(hypotheses, references).references
        labels, places = ranges(resolved, texts, by=by, edges=edges, corpus=corpus, threads=threads)
    elif edges is not None:
        raise OptionError("edges", "None if labels are given, because they define the buckets", edges)
    else:
        labels, places = _number_labels(by, len(rows))
    numbers = np.asarray(places, dtype=np.int64)
    order = np.argsort(numbers, kind="stable")
    ends = np.searchsorted(numbers[order], np.arange(len(labels)), side="right")
    members = np.split(order, ends[:-1]) if labels else []
    return [
        Bucket(label, len(segments), resolved.definition.value_of(rows[segments]), len(segments) / len(rows))
        for label, segments in zip(labels, members, strict=True)
        if len(segments)
    ]


def ranges(
    metric: str | AnyMetric,
    references: References,
    *,
    by: str = "length",
    edges: Sequence[int] | None = None,
    corpus: Texts | None = None,
    threads: int | None = None,
) -> tuple[list[str], list[int]]:
    """The names of all ranges that `buckets` uses, and the index of each segment's range.

    >>> ranges("bleu", ["a rare word", "a word"], by="frequency", edges=[1, 2], corpus=["a word", "a word"])
    (['0', '1', '≥2', 'no tokens'], [0, 2])
    """
    resolved = registry.resolve(metric, unit="segment")
    texts = checked_column(references, "references", groups=True, tokenized=False)
    measure = _measure(by, resolved, texts, corpus, worker_count(threads))
    bounds = _check_edges(edges, by)
    inner = [str(low) if low == high - 1 else f"{low}-{high - 1}" for low, high in pairwise(bounds)]
    names = ["0" if bounds[0] == 1 else f"<{bounds[0]}", *inner, f"≥{bounds[-1]}", "no tokens"]
    places = np.searchsorted(np.asarray(bounds), measure, side="right")
    return names, np.where(measure < 0, len(bounds) + 1, places).tolist()


def _measure(by: str, metric: AnyMetric, texts: counts.Column, corpus: Texts | None, threads: int) -> Integers:
    """One number per segment; -1 if it has none."""
    if by not in {"length", "frequency"}:
        raise OptionError("by", _KINDS, by)
    metric = metric.of(metric.definition.chosen_for(Corpus(texts, texts)))
    column = metric.tokenizer.prepare_column(texts, "references")
    sizes = np.asarray(column.sizes(), dtype=np.int64)
    if len(sizes) == 0:
        return sizes
    pool = _pool(metric, column, threads)
    starts = sizes.cumsum() - sizes
    if by == "length":
        return np.asarray(np.add.reduceat(pool.lengths(), starts) // sizes)
    if corpus is None:
        raise InputError(
            "buckets by frequency need a corpus to count tokens in: pass corpus=…, such as the training data."
        )
    counted = checked_column(corpus, "corpus", tokenized=texts.tokenized)
    known: Counter[str | int] = Counter()
    for tokens in _tokens(_pool(metric, metric.tokenizer.prepare_column(counted, "corpus"), threads)):
        known.update(tokens)
    nothing = np.iinfo(np.int64).max
    rarest = np.asarray([min((known[token] for token in tokens), default=nothing) for tokens in _tokens(pool)])
    rarest_per_segment = np.minimum.reduceat(rarest, starts)
    return np.where(rarest_per_segment == nothing, -1, rarest_per_segment)


def _pool(metric: AnyMetric, column: counts.Column, threads: int) -> counts.Pool:
    pool = counts.Pool(*metric.tokenizer.reading)
    pool.add(column.flattened(), threads)
    return pool


def _tokens(pool: counts.Pool) -> Iterable[list[str | int]]:
    for start in range(0, len(pool), _BLOCK):
        yield from pool.tokens(list(range(start, min(start + _BLOCK, len(pool)))))


def _check_edges(edges: Sequence[int] | None, by: str) -> tuple[int, ...]:
    if edges is None:
        return _LENGTHS if by == "length" else _FREQUENCIES
    allowed = "increasing integers above 0"
    if isinstance(edges, str) or not isinstance(edges, Sequence) or not edges:
        raise OptionError("edges", allowed, edges)
    for before, edge in zip((0, *edges), edges, strict=False):
        if not isinstance(edge, int) or isinstance(edge, bool) or edge <= before:
            raise OptionError("edges", allowed, edges)
    return tuple(edges)


def _number_labels(by: Iterable[Hashable], segments: int) -> tuple[list[str], list[int]]:
    """The different labels, and the index of each segment's label."""
    labels = checks.items("by", by.tolist() if hasattr(by, "tolist") else by, _KINDS)
    if len(labels) != segments:
        raise LengthMismatchError("hypotheses", segments, "by", len(labels))
    seen: dict[Hashable, int] = {}
    try:
        places = [seen.setdefault(label, len(seen)) for label in labels]
    except TypeError:
        raise OptionError("by", "a list of hashable labels, such as str or int", by) from None
    return [str(label) for label in seen], places
