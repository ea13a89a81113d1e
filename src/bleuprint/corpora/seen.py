"""Which texts a corpus contains, where, and whether that moves a score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from os import PathLike
from typing import TYPE_CHECKING, Any

from bleuprint import checks
from bleuprint.core.arrays import np
from bleuprint.core.columns import References, Texts, checked_column
from bleuprint.core.threads import worker_count
from bleuprint.errors import LengthMismatchError
from bleuprint.insight._rows import AnyMetric
from bleuprint.metrics import registry
from bleuprint.metrics._indexed import opened
from bleuprint.metrics.contamination import Contamination, ContaminationScore
from bleuprint.models.ngram_index import NgramIndex, Span
from bleuprint.statistics.chance import SEED
from bleuprint.statistics.multiple import holm
from bleuprint.statistics.rows import Sample

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Effect", "Seen", "SeenText", "seen"]

PERMUTATIONS = 2000
_ALPHA = 0.05


@dataclass(frozen=True, slots=True)
class SeenText:
    """What the corpus contains of one text."""

    number: int  # from 1
    tokens: tuple[str, ...]
    spans: tuple[Span, ...]  # seen runs of at least `order` tokens, none inside another
    longest: Span | None
    shares: tuple[float | None, ...]  # of the n-grams of order 1, 2, … that were seen; None where there are none
    contaminated: bool


@dataclass(frozen=True, slots=True)
class Effect:
    """The score of a system on all items and on the clean ones."""

    metric: str
    system: str
    value: float
    clean_value: float
    contaminated_value: float
    p_value: float  # of a permutation test, corrected for all effects (Holm)
    signature: str

    @property
    def difference(self) -> float:
        """How much the contaminated items add to the score."""
        return self.value - self.clean_value

    @property
    def matters(self) -> bool:
        """Whether leaving out as many random items would rarely change the score as much."""
        return self.p_value < _ALPHA

    @property
    def verdict(self) -> str:
        """The effect in words."""
        chance = "more than as many random items would" if self.matters else "no more than random items may"
        return (
            f"{self.system}, {self.metric}: {self.value:.4f} on all items, {self.clean_value:.4f} on the clean ones; "
            f"contaminated items move the score by {self.difference:+.4f}, {chance} (p = {self.p_value:.4f})"
        )


@dataclass(frozen=True, slots=True, repr=False)
class Seen:
    """What a corpus contains of texts, by one rule, and what that does to scores."""

    texts: tuple[SeenText, ...]
    score: ContaminationScore
    curve: tuple[float | None, ...]  # novelty of order 1, 2, … over all texts
    effects: tuple[Effect, ...]
    notes: tuple[str, ...]

    @property
    def contaminated(self) -> tuple[SeenText, ...]:
        """The contaminated texts."""
        return tuple(text for text in self.texts if text.contaminated)

    def to_dict(self) -> dict[str, Any]:
        """Everything, ready for JSON."""
        return {
            "signature": self.score.signature,
            "contamination": self.score.value,
            "novelty": list(self.curve),
            "notes": list(self.notes),
            "effects": [
                {**asdict(effect), "difference": effect.difference, "matters": effect.matters}
                for effect in self.effects
            ],
            "texts": [
                {
                    "number": text.number,
                    "contaminated": text.contaminated,
                    "seen": list(text.shares),
                    "longest": None if text.longest is None else _span(text.longest),
                    "spans": [{**_span(span), "text": " ".join(_words(text, span))} for span in text.spans],
                }
                for text in self.texts
            ],
        }

    def __repr__(self) -> str:
        return f"<Seen {len(self.contaminated):,} of {len(self.texts):,} texts are contaminated>"


def seen(
    texts: Texts,
    index: NgramIndex | str | PathLike[str],
    *,
    profile: str = "gpt3",
    order: int | None = None,
    unit: str | None = None,
    share: float | None = None,
    short: str | None = None,
    systems: Mapping[str, Texts] | None = None,
    references: References | None = None,
    sources: Texts | None = None,
    metrics: Sequence[str | AnyMetric] | Mapping[str, AnyMetric] = ("bleu",),
    permutations: int = PERMUTATIONS,
    seed: int = SEED,
    threads: int | None = None,
) -> Seen:
    """Find the texts that an indexed corpus contains, and where.

    `profile`, `order`, `unit`, `share` and `short` are the rule of `Contamination`. With `systems`, outputs for these
    texts in the same order, every metric is also computed without the contaminated items. A permutation test tells
    whether the score moves more than it would without as many random items.

    >>> index = NgramIndex.build(["the cat sat on the mat all day"], max_order=4, name="corpus.txt")
    >>> result = seen(["he said the cat sat on a chair", "nothing is known"], index, order=4)
    >>> [text.contaminated for text in result.texts]
    [True, False]
    >>> span = result.texts[0].longest
    >>> " ".join(result.texts[0].tokens[span.begin : span.end]), span.place.source, span.place.text
    ('the cat sat on', 'corpus.txt', 1)
    """
    corpus = opened(index)
    metric = Contamination(corpus, profile=profile, order=order, unit=unit, share=share, short=short)
    column = checked_column(texts, "texts")
    rows = metric.statistics(column, threads=threads).rows
    score = metric.corpus(column, threads=threads)
    found, curve = _texts(corpus, column, rows[:, 0] == 1, metric.options, worker_count(threads))
    notes: list[str] = []
    effects: tuple[Effect, ...] = ()
    if systems:
        labels = np.array([text.contaminated for text in found])
        effects = _effects(labels, systems, references, sources, metrics, permutations, seed, threads, notes)
    return Seen(found, score, curve, effects, tuple(notes))


def _texts(
    index: NgramIndex, column: Any, contaminated: NDArray[np.bool_], rule: Mapping[str, Any], threads: int
) -> tuple[tuple[SeenText, ...], tuple[float | None, ...]]:
    prepared = index.tokenizer.prepare_column(column, "texts")
    counted = index.seen_counts(tuple(range(1, index.max_order + 1))).rows(prepared, prepared, None, threads)
    ngrams, shared = counted[:, 1::3], counted[:, 2::3]
    texts = []
    for number, (whole, tokens) in enumerate(index.spans_of(prepared)):
        own = tuple(
            part / total if total else None
            for part, total in zip(shared[number].tolist(), ngrams[number].tolist(), strict=True)
        )
        least = min(rule["order"], len(tokens)) if rule["short"] == "whole" else rule["order"]
        spans = tuple(span for span in whole if span.length >= least)
        longest = max(whole, key=lambda span: span.length, default=None)
        texts.append(SeenText(number + 1, tuple(tokens), spans, longest, own, bool(contaminated[number])))
    totals, parts = ngrams.sum(axis=0).tolist(), shared.sum(axis=0).tolist()
    curve = tuple(1 - part / total if total else None for part, total in zip(parts, totals, strict=True))
    return tuple(texts), curve


def _effects(
    labels: NDArray[np.bool_],
    systems: Mapping[str, Texts],
    references: References | None,
    sources: Texts | None,
    metrics: Sequence[str | AnyMetric] | Mapping[str, AnyMetric],
    permutations: int,
    seed: int,
    threads: int | None,
    notes: list[str],
) -> tuple[Effect, ...]:
    checks.order("permutations", permutations, smallest=100, largest=1_000_000)
    named = (
        metrics
        if isinstance(metrics, Mapping)
        else {_name(metric): registry.resolve(metric, unit="segment") for metric in metrics}
    )
    if labels.all() or not labels.any():
        notes.append(f"{'all' if labels.all() else 'no'} items are contaminated, so scores cannot be compared")
        return ()
    drawn: list[tuple[str, str, tuple[float, float, float], float, str]] = []
    for name, metric in named.items():
        for system, outputs in systems.items():
            given: dict[str, Any] = {"sources": sources} if metric.needs_sources else {}
            read = metric.statistics(outputs, references, **given, threads=threads)
            sample = metric.definition.summary.sample(metric.definition, read.rows)
            if len(sample) != len(labels):
                raise LengthMismatchError("texts", len(labels), system, len(sample))
            values, chance = _tested(sample, labels, permutations, seed)
            drawn.append((name, system, values, chance, read.signature))
    corrected = holm([chance for *_, chance, _ in drawn])
    effects = tuple(
        Effect(name, system, *values, p_value, signature)
        for (name, system, values, _, signature), p_value in zip(drawn, corrected, strict=True)
    )
    for name, metric in named.items():
        best = max if metric.higher_is_better else min
        listed = [effect for effect in effects if effect.metric == name]
        whole = best(listed, key=lambda effect: effect.value).system
        clean = best(listed, key=lambda effect: effect.clean_value).system
        if whole != clean:
            notes.append(f"{name}: {whole} is best on all items, but {clean} on the clean ones")
    return effects


def _name(metric: str | AnyMetric) -> str:
    return metric if isinstance(metric, str) else metric.name


def _tested(
    sample: Sample, labels: NDArray[np.bool_], permutations: int, seed: int
) -> tuple[tuple[float, float, float], float]:
    """Scores of all, clean and contaminated items, and how often as many random items matter as much."""
    total = sample.rows.sum(axis=0)
    removed = int(labels.sum())

    def without(chosen: NDArray[Any]) -> NDArray[np.float64]:
        return sample.score(total - chosen)

    whole = float(sample.score().item())
    clean = float(without(sample.rows[labels].sum(axis=0)[None])[0])
    contaminated = float(sample.score(sample.rows[labels].sum(axis=0)[None])[0])
    random = np.random.default_rng(seed)
    sums = np.stack([sample.rows[random.permutation(len(sample))[:removed]].sum(axis=0) for _ in range(permutations)])
    moves = np.abs(whole - without(sums))
    least = abs(whole - clean) * (1 - 1e-12)  # a sum in another order may miss it by a rounding
    return (whole, clean, contaminated), float((1 + (moves >= least).sum()) / (1 + permutations))


def _span(span: Span) -> dict[str, object]:
    return {"begin": span.begin, "length": span.length, "source": span.place.source, "line": span.place.text}


def _words(text: SeenText, span: Span) -> tuple[str, ...]:
    return text.tokens[span.begin : span.end]
