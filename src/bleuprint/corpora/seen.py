"""Which texts a corpus contains, where, and whether that moves a score."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from os import PathLike
from typing import Any, Self, cast

from bleuprint import checks
from bleuprint.core.arrays import Flags, Integers, np
from bleuprint.core.columns import References, Texts, checked_column
from bleuprint.core.threads import worker_count
from bleuprint.errors import LengthMismatchError, OptionError
from bleuprint.insight._rows import AnyMetric
from bleuprint.metrics import registry
from bleuprint.metrics.contamination import Contamination, ContaminationScore
from bleuprint.models.ngram_index import NgramIndex, Span
from bleuprint.results.digits import Digits
from bleuprint.statistics.chance import SEED
from bleuprint.statistics.multiple import holm
from bleuprint.statistics.rows import Sample

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

    def words(self, span: Span) -> tuple[str, ...]:
        """The tokens of a span of this text."""
        return self.tokens[span.begin : span.end]


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

    def row(self, digits: Digits) -> tuple[str, ...]:
        """The cells of a table: system, metric, the scores, their difference and the p-value."""
        scores = map(digits, (self.value, self.clean_value, self.contaminated_value))
        return (self.system, self.metric, *scores, digits.delta(self.difference), f"{self.p_value:.4f}")

    def to_dict(self) -> dict[str, object]:
        """Everything, ready for JSON."""
        return {**asdict(self), "difference": self.difference, "matters": self.matters}

    @property
    def verdict(self) -> str:
        """The effect in words."""
        chance = "more than as many random items would" if self.matters else "no more than random items may"
        return (
            f"{self.system}, {self.metric}: {self.value:.4f} on all items, {self.clean_value:.4f} on the clean ones; "
            f"contaminated items move the score by {self.difference:+.4f}, {chance} (p = {self.p_value:.4f})"
        )


@dataclass(frozen=True, slots=True, repr=False)
class Judged:
    """Base of results that call each text contaminated or not: adds what that does to scores."""

    texts: tuple[Any, ...]

    def with_effects(
        self,
        systems: Mapping[str, Texts],
        references: References | None = None,
        *,
        sources: Texts | None = None,
        metrics: Sequence[str | AnyMetric] | Mapping[str, AnyMetric] = ("bleu",),
        permutations: int = PERMUTATIONS,
        seed: int = SEED,
        threads: int | None = None,
    ) -> Self:
        """Add the scores of outputs for these texts with and without the contaminated ones.

        A permutation test tells whether a score moves more than it would without as many random items.

        - `systems`: the outputs of each system, in the order of the texts
        - `metrics`: names or metrics
        - `permutations`: random sets of items that the contaminated ones are compared with
        """
        if not systems:
            raise OptionError("systems", "the outputs of at least one system", systems)
        checks.trials("permutations", permutations, 100)
        if not isinstance(metrics, Mapping):
            resolved = [registry.resolve(metric, unit="segment") for metric in metrics]
            metrics = {str(getattr(given, "name", given)): one for given, one in zip(metrics, resolved, strict=True)}
        result: Any = self
        contaminated = np.array([text.contaminated for text in self.texts])
        if contaminated.all() or not contaminated.any():
            which = "all" if contaminated.all() else "no"
            notes = [f"{which} items are contaminated, so scores cannot be compared"]
            return cast(Self, replace(result, notes=(*result.notes, *notes)))
        effects = []
        for name, metric in metrics.items():
            given = {"sources": sources} if metric.needs_sources else {}
            for system, outputs in systems.items():
                counted = metric.statistics(outputs, references, **given, threads=threads)
                sample = metric.definition.row_summary.sample(metric.definition, counted.rows)
                if len(sample) != len(self.texts):
                    raise LengthMismatchError("texts", len(self.texts), system, len(sample))
                values = _test(sample, contaminated, permutations, seed)
                effects.append(Effect(name, system, *values, counted.signature))
        corrected = holm([effect.p_value for effect in effects])
        effects = [replace(effect, p_value=p_value) for effect, p_value in zip(effects, corrected, strict=True)]
        notes = [*_changes_of_rank(metrics, effects)]
        return cast(Self, replace(result, effects=tuple(effects), notes=(*result.notes, *notes)))


@dataclass(frozen=True, slots=True, repr=False)
class Seen(Judged):
    """What a corpus contains of texts, by one rule; `with_effects` adds what that does to scores."""

    texts: tuple[SeenText, ...]
    score: ContaminationScore
    curve: tuple[float | None, ...]  # novelty of order 1, 2, … over all texts
    effects: tuple[Effect, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def contaminated(self) -> tuple[SeenText, ...]:
        """The contaminated texts."""
        return tuple(text for text in self.texts if text.contaminated)

    @property
    def by_longest_span(self) -> list[SeenText]:
        """The contaminated texts, those with the longest seen spans first."""
        return sorted(self.contaminated, key=lambda text: -(text.longest.length if text.longest else 0))

    def to_dict(self) -> dict[str, object]:
        """Everything, ready for JSON."""
        return {
            "signature": self.score.signature,
            "contamination": self.score.value,
            "novelty": list(self.curve),
            "notes": list(self.notes),
            "effects": [effect.to_dict() for effect in self.effects],
            "texts": [
                {
                    "number": text.number,
                    "contaminated": text.contaminated,
                    "seen": list(text.shares),
                    "longest": None if text.longest is None else _span(text.longest),
                    "spans": [{**_span(span), "text": " ".join(text.words(span))} for span in text.spans],
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
    rule: str = "gpt3",
    order: int | None = None,
    unit: str | None = None,
    share: float | None = None,
    short: str | None = None,
    threads: int | None = None,
) -> Seen:
    """Find the texts that an indexed corpus contains, and where.

    `rule` is the profile of `Contamination`; `order`, `unit`, `share` and `short` change it.

    >>> index = NgramIndex.build(["the cat sat on the mat all day"], max_order=4, name="corpus.txt")
    >>> result = seen(["he said the cat sat on a chair", "nothing is known"], index, order=4)
    >>> [text.contaminated for text in result.texts]
    [True, False]
    >>> span = result.texts[0].longest
    >>> " ".join(result.texts[0].words(span)), span.place.source, span.place.text
    ('the cat sat on', 'corpus.txt', 1)

    How much do the contaminated texts help a system?

    >>> outputs, references = ["the cat sat on a chair", "not much"], ["the cat sat on a chair", "nothing"]
    >>> (effect,) = result.with_effects({"A": outputs}, references, permutations=100).effects
    >>> round(effect.value, 2), effect.clean_value, effect.matters
    (0.89, 0.0, False)
    """
    corpus = NgramIndex.resolve(index)
    metric = Contamination(corpus, profile=rule, order=order, unit=unit, share=share, short=short)
    column = checked_column(texts, "texts")
    rows = metric.statistics(column, threads=threads).rows
    score = metric.corpus(column, threads=threads)
    prepared = corpus.tokenizer.prepare_column(column, "texts")
    orders = tuple(range(1, corpus.max_order + 1))
    counted = corpus.seen_counts(orders).rows(prepared, prepared, None, worker_count(threads))
    ngrams, shared = counted[:, 1::3], counted[:, 2::3]
    options: Mapping[str, Any] = metric.options
    found = []
    for number, (runs, tokens) in enumerate(corpus.spans_of(prepared)):
        least = min(options["order"], len(tokens)) if options["short"] == "whole" else options["order"]
        spans = tuple(span for span in runs if span.length >= least)
        longest = max(runs, key=lambda span: span.length, default=None)
        shares = _shares(shared[number], ngrams[number])
        found.append(SeenText(number + 1, tuple(tokens), spans, longest, shares, bool(rows[number, 0])))
    curve = (None if part is None else 1 - part for part in _shares(shared.sum(axis=0), ngrams.sum(axis=0)))
    return Seen(tuple(found), score, tuple(curve))


def _shares(parts: Integers, totals: Integers) -> tuple[float | None, ...]:
    """Parts of totals; None where there is no total."""
    pairs = zip(parts.tolist(), totals.tolist(), strict=True)
    return tuple(part / total if total else None for part, total in pairs)


def _changes_of_rank(metrics: Mapping[str, AnyMetric], effects: Sequence[Effect]) -> Iterator[str]:
    for name, metric in metrics.items():
        best = max if metric.higher_is_better else min
        own = [effect for effect in effects if effect.metric == name]
        whole = best(own, key=lambda effect: effect.value).system
        clean = best(own, key=lambda effect: effect.clean_value).system
        if whole != clean:
            yield f"{name}: {whole} is best on all items, but {clean} on the clean ones"


def _test(sample: Sample, contaminated: Flags, permutations: int, seed: int) -> tuple[float, float, float, float]:
    """Scores of all, clean and contaminated items, and how often as many random items matter as much."""
    total, leaked = sample.rows.sum(axis=0), sample.rows[contaminated].sum(axis=0)[None]
    removed = int(contaminated.sum())
    whole = float(sample.score().item())
    clean = float(sample.score(total - leaked)[0])
    random = np.random.default_rng(seed)
    sums = np.stack([sample.rows[random.permutation(len(sample))[:removed]].sum(axis=0) for _ in range(permutations)])
    moves = np.abs(whole - sample.score(total - sums))
    least = abs(whole - clean) * (1 - 1e-12)  # a sum in another order may miss it by a rounding
    p_value = float((1 + (moves >= least).sum()) / (1 + permutations))
    return whole, clean, float(sample.score(leaked)[0]), p_value


def _span(span: Span) -> dict[str, object]:
    return {"begin": span.begin, "length": span.length, "source": span.place.source, "line": span.place.text}
