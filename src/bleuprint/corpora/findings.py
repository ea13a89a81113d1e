"""Which texts a corpus contains, where, and whether that moves a score."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace

from bleuprint import checks
from bleuprint.core.arrays import Flags, np
from bleuprint.core.columns import References, Texts
from bleuprint.errors import LengthMismatchError, OptionError
from bleuprint.insight._rows import AnyMetric
from bleuprint.metrics import registry
from bleuprint.results.digits import Digits
from bleuprint.statistics.chance import SEED
from bleuprint.statistics.multiple import holm
from bleuprint.statistics.rows import Sample

CONTAMINATED, UNCLEAR, CLEAN = VERDICTS = ("contaminated", "unclear", "clean")
PERMUTATIONS = 2000
_ALPHA = 0.05


@dataclass(frozen=True, slots=True)
class SeenSpan:
    """Tokens of a text that stand in the corpus in this order, and the words around them there."""

    begin: int
    length: int
    file: str
    record: int  # from 1
    token: int  # of the record, from 0
    text: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a corpus contains of a text.

    The text is contaminated if half of its n-grams are found and rare, or if a run of 50 tokens is. It is unclear if an
    n-gram is rare, or if half of them are found. A text shorter than the n-grams may occur by chance: it is unclear at
    most.
    """

    verdict: str
    summary: str  # the evidence in words
    by_rule: bool  # whether the rule calls the text contaminated
    tokens: int
    words: tuple[str, ...]  # these tokens; none where nothing was found
    ngrams: int
    rare: int  # n-grams found in few records
    matches: tuple[tuple[int, int, int, list[tuple[int, int, int]]], ...]
    """For each n-gram that was found: its number, its first token, in how many records of the corpus it occurs, and its
    place in the first of them: the number of the file, of the record, and of the token."""
    spans: tuple[SeenSpan, ...]  # the longest first

    @property
    def seen(self) -> list[bool]:
        """For each token, whether it is in an n-gram that was found."""
        marked, length = [False] * self.tokens, self.tokens - self.ngrams + 1
        for _, begin, _, _ in self.matches:
            marked[begin : begin + length] = [True] * length
        return marked


@dataclass(frozen=True, slots=True)
class SeenItem:
    """What a corpus contains of an item: of its text, and of its answer if it has one."""

    number: int  # from 1
    verdict: str  # that of the text, or of an answer that is no shorter than the n-grams, whichever is worse
    text: Evidence
    answer: Evidence | None

    @property
    def contaminated(self) -> bool:
        """Whether that is the verdict."""
        return self.verdict == CONTAMINATED

    @property
    def fields(self) -> list[Evidence]:
        """The evidence of the text, and of the answer if there is one."""
        return [self.text] if self.answer is None else [self.text, self.answer]

    @property
    def summary(self) -> str:
        """The evidence in words."""
        return "; answer: ".join(field.summary for field in self.fields)


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
class Seen:
    """What a corpus contains of items; `with_effects` adds what that does to scores."""

    texts: tuple[SeenItem, ...]
    signature: str
    files: tuple[str, ...]  # of the whole corpus
    records: int  # of the corpus
    novelty: tuple[float | None, ...] = ()
    """The share of n-grams of order 1, 2, … that an index does not contain; None where there are none."""
    effects: tuple[Effect, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def verdicts(self) -> dict[str, int]:
        """How many items have each verdict."""
        return {verdict: sum(item.verdict == verdict for item in self.texts) for verdict in VERDICTS}

    @property
    def by_rule(self) -> int:
        """How many items the rule calls contaminated, by their texts."""
        return sum(item.text.by_rule for item in self.texts)

    @property
    def found(self) -> list[SeenItem]:
        """The items of which something was found, contaminated ones and long spans first."""
        some = [item for item in self.texts if any(field.matches for field in item.fields)]
        longest = {item.number: max((span.length for span in item.text.spans), default=0) for item in some}
        return sorted(some, key=lambda item: (VERDICTS.index(item.verdict), -longest[item.number]))

    def to_dict(self) -> dict[str, object]:
        """Everything, ready for JSON."""
        effects = [effect.to_dict() for effect in self.effects]
        return {"verdicts": self.verdicts, "by_rule": self.by_rule, **asdict(self), "effects": effects}

    def __repr__(self) -> str:
        return f"<Seen {self.verdicts[CONTAMINATED]:,} of {len(self.texts):,} items are contaminated>"

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
    ) -> Seen:
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
        contaminated = np.array([text.contaminated for text in self.texts])
        if contaminated.all() or not contaminated.any():
            which = "all" if contaminated.all() else "no"
            notes = [f"{which} items are contaminated, so scores cannot be compared"]
            return replace(self, notes=(*self.notes, *notes))
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
        return replace(self, effects=tuple(effects), notes=(*self.notes, *notes))


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
