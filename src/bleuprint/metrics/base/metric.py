"""The metric classes: a definition, and a summary of the data added since the last reset."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal, Self

from bleuprint import checks, signature
from bleuprint.core.arrays import Floats
from bleuprint.core.columns import Corpus, References, Text, Texts, checked_column
from bleuprint.core.threads import worker_count
from bleuprint.core.tokenizers import Tokenizer, is_sentencepiece
from bleuprint.errors import MergeError, OptionError, SignatureError, StateError, closest
from bleuprint.metrics.base.definition import Definition
from bleuprint.metrics.base.options import check_options
from bleuprint.metrics.base.score import AnyScore, Score
from bleuprint.metrics.base.summaries import Summary
from bleuprint.statistics.rows import Sample, Statistics

if TYPE_CHECKING:
    from bleuprint.runners.verdicts import Item, Verdict

__all__ = ["FittedMetric", "Metric", "Unit"]

Unit = Literal["segment", "pool"]


# What other libraries call the direction of a metric.
_DIRECTION = re.compile("better|maximi|minimi|direction", re.IGNORECASE)


class Metric(Generic[AnyScore]):
    """A metric of texts: scores a corpus at once, or batches added one by one.

    A metric of segments compares each output with its own references, or looks at it alone. A metric of a pool looks
    at all texts together: it compares them with each other, or with another corpus as a whole.

    >>> from bleuprint import BLEU, Metric
    >>> isinstance(BLEU(), Metric), BLEU(max_order=2)
    (True, BLEU(max_order=2))
    """

    name: ClassVar[str]
    unit: ClassVar[Unit] = "segment"
    version: ClassVar[int] = 1  # incremented when the meaning of an option changes
    higher_is_better: ClassVar[bool] = True
    has_percent: ClassVar[bool] = True  # whether scores can be shown as a percentage
    needs_references: ClassVar[bool] = True
    needs_sources: ClassVar[bool] = False
    fewest_texts: ClassVar[int] = 1  # that a pool needs
    needs_corpus: ClassVar[bool] = False  # whether single segments can only be scored after `fit`
    value_range: ClassVar[tuple[float, float]] = (-math.inf, math.inf)  # checked in states of means
    slow: ClassVar[bool] = False  # whether the rows are worth saving to disk while they are computed
    tokenizers_by_script: ClassVar[tuple[str, ...]] = ("zh", "char")  # that `auto` tries after the metric's own
    default_threshold: ClassVar[float] = 0.5  # for metrics without a card

    definition: Definition
    _declared: Definition  # with the tokenizer `auto`, where `definition` has what was chosen for the data
    _summary: Summary
    _threshold: float | None = None

    def __init_subclass__(cls, **arguments: Any) -> None:
        """Refuse a class attribute that looks like one of ours, as `lower_is_better`, and would change nothing.

        The constructor names the option that is meant where Python would only say that there is no such argument.
        """
        super().__init_subclass__(**arguments)
        if "__init__" in vars(cls):
            cls.__init__ = check_options(cls.__init__)  # type: ignore[method-assign]
        settings = [name for name in Metric.__annotations__ if name[0] != "_"]
        for name, value in vars(cls).items():
            if isinstance(getattr(Metric, name, None), bool):
                checks.flag(f"{cls.__name__}.{name}", value)
            if cls.__module__.startswith("bleuprint.") or name[0] == "_" or hasattr(value, "__get__"):
                continue
            meant = "higher_is_better" if _DIRECTION.search(name) else closest(name, settings)
            if meant is not None and name not in (*settings, "names"):
                raise OptionError.because(
                    f"{cls.__name__}.{name} has no effect: did you mean {meant}? A metric has the class attributes "
                    f"{', '.join(settings)}; begin names of your own with an underscore"
                )

    def __init__(self, definition: Definition) -> None:
        """Options that mean the same in all metrics that have them.

        - `tokenizer`: name of a tokenizer, a function that splits a text into tokens, or "auto": the metric's own if it
          can read the script of the references, otherwise "zh" or "char"
        - `lowercase`: ignore case
        - `normalizer`: "squad" (SQuAD's), "whisper-en" or "whisper-basic" (extra `asr`): rules applied to both sides
          first
        - `whitespace`: "keep" it, "strip" the ends, "collapse" (strip, and reduce runs to one space) or "remove" all of
          it
        - `max_order`: length of the longest n-grams
        - `prior`: set by `fit`; part of the signature
        """
        self.definition = self._declared = definition
        self.reset()

    def __repr__(self) -> str:
        """The call that makes this metric: its class, and the options that are not the default."""
        kind: Any = type(self)
        try:
            usual = kind().options
        except Exception:  # a model has no default
            usual = {}
        given = [f"{name}={value!r}" for name, value in self.options.items() if usual.get(name, ...) != value]
        given += [] if self._threshold is None else [f"threshold={self._threshold:g}"]
        return f"{kind.__name__}({', '.join(given)})"

    @classmethod
    def of(cls, definition: Definition) -> Self:
        """A metric with that definition and no data."""
        metric = cls.__new__(cls)
        Metric.__init__(metric, definition)
        return metric

    @classmethod
    def from_signature(cls, text: str, **replaced: Any) -> Self:
        """Recreate the metric from its signature; keyword arguments replace options.

        The signature never makes us open a file that it names: pass a SentencePiece model as `tokenizer="spm:PATH"`, or
        add it with `bleuprint tokenizers add`. Its SHA-256 must be the one in the signature.
        """
        parsed = signature.parse(text)
        if parsed.metric != cls.name or parsed.version != cls.version:
            own = signature.write(cls.name, cls.version, {}, {})
            raise SignatureError(f"{cls.__name__} reads signatures of {own}, got {text!r}.")
        from bleuprint.core import normalizers, stemmers, tokenizers  # the first two are not loaded with the metrics

        # Options that name what may not be installed, and functions that say what is missing.
        pluggable = {"tokenizer": tokenizers.missing, "normalizer": normalizers.missing, "stemmer": stemmers.missing}
        for option, missing in pluggable.items():
            problem = None if option in replaced else missing(parsed.options.get(option))
            if problem is not None:
                raise SignatureError(f"{option} {parsed.options[option]} is {problem}.")
        recorded = parsed.options.get("tokenizer")
        try:
            metric = cls(**{**parsed.options, **replaced})
        except TypeError as error:
            raise SignatureError(f"{text!r} has options that {cls.__name__} does not know: {error}.") from None
        used = metric.options.get("tokenizer")
        if is_sentencepiece(recorded) and is_sentencepiece(used) and used != recorded:
            raise SignatureError(f"the given tokenizer is {used}, not {recorded}.")
        return metric

    @property
    def options(self) -> Mapping[str, signature.Option]:
        """Every option that can change the number."""
        return self.definition.options

    @property
    def signature(self) -> str:
        """The options as one line of text."""
        return self.definition.signature

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the statistics, in the order the formula takes them."""
        return self.definition.columns

    @property
    def tokenizer(self) -> Tokenizer:
        """How texts are split into tokens."""
        return self.definition.rows.tokenizer

    @property
    def can_stream(self) -> bool:
        """Whether batches can be added one by one."""
        return self.definition.can_stream

    @property
    def can_resample(self) -> bool:
        """Whether scores of parts of the data can be computed without reading the texts again, as tests have to."""
        return self.definition.summary.can_resample

    def corpus(
        self,
        hypotheses: Texts,
        references: References | None = None,
        *,
        sources: Texts | None = None,
        threads: int | None = None,
    ) -> AnyScore:
        """The score of a corpus alone.

        For segments, `references[i]` is the reference of `hypotheses[i]`, or a list of references. For a pool,
        `references` is the corpus to compare with, and those added before if none is given.
        """
        corpus = self.definition.read(hypotheses, references, sources)
        score: AnyScore = self._summary.score_beside(corpus, worker_count(threads))  # type: ignore[assignment]
        return score

    def sentence(
        self, hypothesis: Text, references: Text | Sequence[Text | None] | None = None, *, source: Text | None = None
    ) -> AnyScore:
        """The score of one segment; `references` is one text or a list of texts."""
        score: AnyScore = self.definition.sentence_score(hypothesis, references, source)
        return score

    def sentences(
        self,
        hypotheses: Texts,
        references: References | None = None,
        *,
        sources: Texts | None = None,
        threads: int | None = None,
    ) -> Floats:
        """The score of each segment, as an array."""
        corpus = self.definition.read(hypotheses, references, sources)
        return self.definition.segment_scores(corpus, worker_count(threads))

    def statistics(
        self,
        hypotheses: Texts,
        references: References | None = None,
        *,
        sources: Texts | None = None,
        threads: int | None = None,
    ) -> Statistics:
        """The counted rows: one per segment, with the columns named in `columns`."""
        corpus = self.definition.read(hypotheses, references, sources)
        workers = worker_count(threads)
        ready = self.definition.ready_for(corpus, workers)
        statistics = ready.row_summary.statistics(ready, ready.rows.count(corpus, workers), corpus, required=True)
        assert statistics is not None
        return statistics

    def sample(
        self,
        hypotheses: Texts,
        references: References | None = None,
        *,
        sources: Texts | None = None,
        threads: int | None = None,
    ) -> Sample:
        """The segments in the form that resampling, permutation tests and influence use."""
        rows = self.statistics(hypotheses, references, sources=sources, threads=threads).rows
        return self.definition.row_summary.sample(self.definition, rows)

    def update(
        self,
        hypotheses: Texts,
        references: References | None = None,
        *,
        sources: Texts | None = None,
        threads: int | None = None,
    ) -> Self:
        """Add a batch; only its summary is kept."""
        self.definition.require_prior("has none yet, so batches cannot be added")
        corpus = self.definition.read(hypotheses, references, sources)
        if len(corpus) or len(corpus.references):
            self.settle(self.definition.ready_for(corpus, 1))
            self._summary.add_corpus(corpus, worker_count(threads))
        return self

    def settle(self, definition: Definition) -> None:
        """Take the definition with the tokenizer that `auto` chose for the first batch; later ones keep to it."""
        if definition is not self.definition:
            self.definition = definition
            self._summary = definition.summary(definition)

    def add_references(self, references: Texts, *, threads: int | None = None) -> Self:
        """Add texts to the corpus that a pool is compared with; they stay until `reset`."""
        if self.unit != "pool":
            raise OptionError.because(f"{self.name} compares each output with its own references: pass both to update")
        return self.update((), references, threads=threads)

    def merge(self, other: Self) -> Self:
        """Add the data of another metric with the same options; its batches count as the later ones."""
        self.definition.require_prior("has none yet, so states cannot be merged")
        if type(other) is type(self):
            self._settle_like(other.signature)
        if type(other) is not type(self) or other.signature != self.signature:
            raise MergeError(self.signature, other.signature if isinstance(other, Metric) else repr(other))
        self._summary.merge(other._summary)
        return self

    def compute(self, *, threads: int | None = None) -> AnyScore:
        """The score of all data since the last reset; only pools have something left to count in threads."""
        score: AnyScore = self._summary.copy().score(worker_count(threads))  # type: ignore[assignment]
        return score

    def reset(self) -> Self:
        """Forget all data."""
        self.definition = self._declared
        self._summary = self.definition.summary(self.definition)
        return self

    @property
    def summary(self) -> Summary:
        """What is kept of the data since the last reset."""
        return self._summary

    def state(self) -> dict[str, Any]:
        """All data since the last reset as plain values, ready for JSON; see `add_state`.

        >>> from bleuprint import GLEU
        >>> state = GLEU().update(["a b"], ["a c"]).state()
        >>> state["total"], GLEU().add_state(state).compute().value
        ([1, 3, 3, 3], 0.3333333333333333)
        """
        return {"signature": self.signature, **self._summary.copy().state()}

    def add_state(self, state: Mapping[str, Any]) -> Self:
        """Add the `state` of a metric with the same options; its batches count as the later ones.

        Nothing is added if the state is invalid. Keys that this version does not know are ignored.
        """
        if not isinstance(state, Mapping):
            raise StateError(self.name, f"it must be a dict, got a {type(state).__name__}")
        if "signature" not in state:
            raise StateError(
                self.name, f"it has no signature, so add the one of its metric, such as {self.signature!r}"
            )
        self._settle_like(str(state["signature"]))
        if state["signature"] != self.signature:
            raise MergeError(self.signature, str(state["signature"]))
        self._summary.add_state(state)
        return self

    def _settle_like(self, written: str) -> None:
        """Take the tokenizer of data that is to be merged, if `auto` has not chosen one yet."""
        for chosen in self.definition.choices:
            if chosen.signature == written:
                self.settle(chosen)

    def fresh(self) -> Self:
        """A copy of the metric without data."""
        twin = self.of(self._declared)
        twin._threshold = self._threshold
        return twin

    def __reduce__(self) -> tuple[Any, ...]:
        return _with_state, (type(self), self.definition, self.state(), self._threshold)

    def __copy__(self) -> Self:
        twin = self.fresh()
        twin._summary = self._summary.copy()
        return twin

    def __deepcopy__(self, memo: object) -> Self:
        return self.__copy__()

    # Pass or fail: thresholds, bands and cards are handled by the runners.

    @property
    def threshold(self) -> float:
        """The score at which a single output passes: the one set here, or the default on the metric's card."""
        from bleuprint.runners.verdicts import threshold_of

        return threshold_of(self) if self._threshold is None else self._threshold

    @threshold.setter
    def threshold(self, value: float) -> None:
        from bleuprint.runners.verdicts import checked_threshold

        self._threshold = checked_threshold("threshold", (self.name,), value)

    def with_threshold(self, value: float) -> Self:
        """A copy of the metric with another threshold and without data."""
        twin = self.fresh()
        twin.threshold = value
        return twin

    def score(self, item: Item) -> Verdict:
        """Score one item and judge it by its threshold and band.

        >>> from bleuprint.metrics import SentenceBleu
        >>> from bleuprint.dataset import DatasetItem
        >>> item = DatasetItem(actual_output="the cat sat", expected_output="the cat sat down")
        >>> verdict = SentenceBleu().score(item)
        >>> round(verdict.score, 4), verdict.band, verdict.passed
        (0.7165, 'high', True)
        """
        from bleuprint.runners.verdicts import verdict_of

        return verdict_of(self, item)

    async def execute(self, item: Item) -> Verdict:
        """The same as `score`, as a coroutine."""
        return self.score(item)


class FittedMetric(Metric[AnyScore]):
    """A metric that weights n-grams or tokens by a corpus of references, which it has to learn first."""

    def fit(self, references: References, *, tokenized: bool = False, threads: int | None = None) -> Self:
        """Return a new metric that weights by these references; this one does not change.

        `references[i]` holds the references of segment i: one text or several. If `tokenized`, a text is a list of
        tokens.
        """
        column = checked_column(references, "references", groups=True, tokenized=tokenized)
        chosen = self.definition.chosen_for(Corpus(column, column))
        prepared = chosen.tokenizer.prepare_column(column, "references")
        return self.of(chosen.fit(prepared, worker_count(threads)))


def _with_state(
    kind: type[Metric[Score]], definition: Definition, state: dict[str, Any], threshold: float | None
) -> Metric[Score]:
    metric = kind.of(definition)
    metric._summary.add_state(state)
    metric._threshold = threshold
    return metric
