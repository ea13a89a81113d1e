"""The definition of a metric: frozen, and composed of a row source, a formula and a summary type.

A definition holds no state. It can be cached, compared, and sent to a worker, where it is recreated from its signature.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from bleuprint import __version__, signature
from bleuprint.core import counts, scripts
from bleuprint.core.arrays import Floats, Integers
from bleuprint.core.columns import Corpus, References, Text, Texts, checked_column, raise_fault, warn
from bleuprint.core.tokenizers import AUTO, Tokenizer
from bleuprint.core.unicode import has_surrogate
from bleuprint.errors import (
    FitError,
    InputError,
    MissingSourcesError,
    NotTextError,
    OptionError,
    TokenizerWarning,
    UnusedSourcesError,
)
from bleuprint.metrics.base.fitting import Fitting, Prior
from bleuprint.metrics.base.rows import NORMALIZER_SPLITS, CoreRows, RowSource
from bleuprint.metrics.base.score import Measured, Score
from bleuprint.metrics.base.summaries import RowSummary, Sum, Summary

if TYPE_CHECKING:
    from bleuprint.metrics.base.metric import Metric

Options = Mapping[str, Any]  # values that a signature can record


class Recipe(NamedTuple):
    """A definition in transit to another process."""

    kind: type[Metric[Any]]
    fitted_signature: str
    outside: Mapping[str, Any]
    prior: bytes | None

    def definition(self) -> Definition:
        """Recreate the definition."""
        definition = self.kind.from_signature(self.fitted_signature, **self.outside).definition
        return definition if self.prior is None else definition.fit(self.prior, 1)


@dataclass(frozen=True, eq=False)
class Definition:
    """Everything that determines a score, without any of the data.

    >>> from bleuprint import BLEU
    >>> BLEU(max_order=2).definition == BLEU(max_order=2).definition
    True
    """

    kind: type[Metric[Any]]  # its `from_signature` recreates the definition
    options: Options
    rows: RowSource
    formula: Any  # what it is called with depends on the summary
    score_type: Callable[..., Score] = Score
    summary: type[Summary] = Sum
    level_options: Callable[[bool], Options] = lambda sentence: {}  # options that differ between sentences and corpora
    fitting: Fitting | None = None
    prior: Prior | None = None
    row_formula: Callable[[], counts.RowFormula | None] | None = None  # the core's equal of `formula` for a sentence
    outside: Mapping[str, Any] = field(default_factory=dict, kw_only=True)  # arguments that a signature only names

    def __post_init__(self) -> None:
        object.__setattr__(self, "options", MappingProxyType(dict(self.options)))

    @property
    def name(self) -> str:
        return self.kind.name

    @cached_property
    def signature(self) -> str:
        """Every option that can change the number."""
        return self.write(self.options, {})

    def write(self, options: Options, facts: Mapping[str, object]) -> str:
        """Write a signature with these options, followed by facts about a score."""
        return signature.write(self.name, self.kind.version, dict(options), dict(facts))

    @cached_property
    def _key(self) -> tuple[object, ...]:
        return self.kind, self.signature, self.tokenizer

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Definition) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    def recipe(self) -> Recipe:
        """What another process needs to recreate the definition; the core's own objects cannot leave this one."""
        argument = self.tokenizer.argument
        own = {} if argument is None else {"tokenizer": argument}
        prior = None if self.prior is None else self.prior.content()
        return Recipe(self.kind, self.signature, {**own, **self.outside}, prior)

    def __reduce__(self) -> tuple[Any, ...]:
        return Recipe.definition, (self.recipe(),)

    @property
    def tokenizer(self) -> Tokenizer:
        return self.rows.tokenizer

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the statistics, in the order the formula takes them."""
        return self.rows.columns

    def resolved_options(self, *, sentence: bool) -> dict[str, Any]:
        """The options as they apply to sentence or corpus scores."""
        return {**self.options, **self.level_options(sentence)}

    def signature_of(self, *, sentence: bool, references: int | None) -> str:
        """The signature of a score; `references` is the number per segment, None if it varies."""
        if not self.kind.needs_references:
            references = 0
        facts = {"references": "varying" if references is None else references, "bleuprint": __version__}
        return self.write(self.resolved_options(sentence=sentence), facts)

    def metric(self) -> Metric[Score]:
        """A new metric with this definition and no data."""
        return self.kind.of(self)

    # Reading

    def read(self, hypotheses: Texts, references: References | None, sources: Texts | None) -> Corpus:
        """Check and align texts, and tokenize them unless the core does."""
        self.check_sources(sources)
        if self.kind.unit == "pool":
            return self._read_pool(hypotheses, references)
        if references is None:
            self.check_references(references)
            corpus = Corpus.alone(hypotheses, sources)
        else:
            corpus = Corpus.of(hypotheses, references, sources)
        self.rows.check(corpus)
        return self.prepare(corpus)

    def prepare(self, corpus: Corpus, name: str = "hypotheses") -> Corpus:
        """Tokenize checked texts unless the core does, and warn if the tokenizer cannot read them."""
        definition = self.chosen_for(corpus)
        definition.warn_of_unseen(corpus.references, corpus.hypotheses)
        prepared = definition.tokenizer.prepare(corpus, name)
        return prepared if definition is self else replace(prepared, tokenizer=str(definition.options["tokenizer"]))

    def _read_pool(self, texts: Texts, references: References | None) -> Corpus:
        """Texts, and the corpus they are compared with as a whole: empty unless it is given."""
        if references is not None and not self.kind.needs_references:
            raise OptionError.because(f"{self.name} only looks at the texts, so leave references out")
        pool = checked_column(texts, "texts")
        if references is not None and len(pool) and not pool.tokenized:
            others = checked_column(references, "references", groups=True, tokenized=False).flattened()
        else:
            others = checked_column(() if references is None else references, "references")
        for name, column in (("texts", pool), ("references", others)):
            if self.rows.strings_only and column.tokenized:
                raise NotTextError(name, "a list of str", "tokens", self.rows.strings_only)
        return self.prepare(Corpus(pool, others), "texts")

    def read_one(self, hypothesis: Text, references: object, source: Text | None) -> Corpus:
        """The same for one segment."""
        self.check_sources(source)
        self.check_references(references, one=True)
        corpus = Corpus.of_one(hypothesis, hypothesis if references is None else references, source)
        self.rows.check(corpus, one=True)
        return self.prepare(corpus)

    def check_sources(self, sources: object) -> None:
        """Raise an error if sources are missing, or given but not used."""
        if self.kind.needs_sources and sources is None:
            raise MissingSourcesError(self.name)
        if not self.kind.needs_sources and sources is not None:
            raise UnusedSourcesError(self.name)

    def check_references(self, references: object, *, one: bool = False) -> None:
        """Raise an error if references are missing, unless the metric only looks at the outputs."""
        if references is None and self.kind.needs_references:
            allowed = "a str or a list of them" if one else "a list with one entry per hypothesis"
            raise NotTextError("references", allowed, "None", f"{self.name} compares with references")

    # Tokenizers that fit the texts

    def unseen(self, *texts: counts.Column | str) -> str | None:
        """Why the tokenizer cannot read most of these texts, and what to do; None if it can."""
        reads_words = self.rows.strings_only in ("", NORMALIZER_SPLITS) and not self._is_auto
        for each in texts if reads_words else ():
            letters = scripts.look_at(each)
            if letters is not None and scripts.are_missed(letters, missed := scripts.missed_by(self.tokenizer)):
                name = self.options.get("tokenizer", self.tokenizer.name)
                repair = "use a metric that compares characters"
                if "tokenizer" in self.options:
                    chosen = self._with_tokenizer_for(letters).options["tokenizer"]
                    repair = f"use bleuprint's tokenizer='auto', which takes {chosen} here (command line: -tok auto)"
                return f"the tokenizer {name} {scripts.describe(letters, missed)}; {repair}"
        return None

    def warn_of_unseen(self, *texts: counts.Column | str) -> None:
        """Warn if the tokenizer cannot read most of these texts."""
        problem = self.unseen(*texts)
        if problem is not None:
            warn(TokenizerWarning(f"{self.name}: {problem}"))

    @cached_property
    def _is_auto(self) -> bool:
        return self.options.get("tokenizer") == AUTO

    def chosen_for(self, corpus: Corpus, together: Iterable[Corpus] = ()) -> Definition:
        """The definition with the tokenizer that fits these texts: itself, unless the tokenizer is `auto`.

        The scripts of all references decide or, where there are none, those of the hypotheses of all corpora that are
        scored together.
        """
        if not self._is_auto:
            return self
        alone = corpus.references is corpus.hypotheses or not len(corpus.references)
        texts = [each.hypotheses for each in tuple(together) or (corpus,)] if alone else [corpus.references]
        return self._with_tokenizer_for(scripts.letters_of(*texts))

    def _with_tokenizer_for(self, letters: scripts.Letters) -> Definition:
        """The definition with the first tokenizer that can read these letters: the metric's own, if it can."""
        for each in self._with_tokenizers if letters else ():
            if not scripts.are_missed(letters, scripts.missed_by(each.tokenizer), scripts.SOME):
                return each
        return self._with_tokenizers[0]

    @property
    def choices(self) -> list[Definition]:
        """What `chosen_for` chooses from; nothing, unless the tokenizer is `auto`."""
        return self._with_tokenizers if self._is_auto else []

    @cached_property
    def _with_tokenizers(self) -> list[Definition]:
        """The definition with the metric's own tokenizer, and with those for scripts that it cannot read."""
        options = {name: value for name, value in self.options.items() if name != "tokenizer"} | dict(self.outside)
        others = [{**options, "tokenizer": name} for name in self.kind.tokenizers_by_script]
        return [self.kind(**given).definition for given in (options, *others)]

    # Scoring

    def corpus_score(self, corpus: Corpus, threads: int) -> Any:
        """The score of a prepared corpus."""
        ready = self.ready_for(corpus, threads)
        return ready.summary.corpus_score(ready, corpus, threads)

    @property
    def row_summary(self) -> type[RowSummary]:
        """The summary of a metric of segments; pools have no rows."""
        if not issubclass(self.summary, RowSummary):
            raise InputError(
                f"{self.name} scores all texts together, so a single one has no row and no score of its own; "
                "call corpus with all of them."
            )
        return self.summary

    def sentence_score(self, hypothesis: Text, references: Any, source: Text | None) -> Any:
        """The score of one segment."""
        score_pair = self._score_pair
        if score_pair is None or source is not None or references is None or not isinstance(hypothesis, str):
            corpus = self.read_one(hypothesis, references, source)
            ready = self.ready_for(corpus, 1)
            return ready.row_summary.sentence(ready, corpus)
        try:
            columns, size, value = score_pair(hypothesis, references)
            if not hypothesis.isascii() and scripts.look_at(hypothesis) is not None:
                self.warn_of_unseen(hypothesis)
        except counts.Fault as fault:
            in_hypothesis = has_surrogate(hypothesis)
            name = "hypothesis" if in_hypothesis else "references"
            raise_fault(fault, name, groups=not in_hypothesis, tokenized=False, index=False)
        return self.score_type(self, columns, True, size, value)

    @cached_property
    def pair_scorer(self) -> counts.PairScorer | None:
        """What scores a pair of strings in one call to the core, if the core counts everything."""
        rows = self.rows
        if not isinstance(rows, CoreRows) or rows.reads_sources or not rows.tokenizer.native:
            return None
        formula = None if self.row_formula is None else self.row_formula()
        return rows.request.pair_scorer(formula) if self.kind.needs_references else None

    @cached_property
    def _score_pair(self) -> Callable[[str, Any], tuple[tuple[int, ...], int, float | None]] | None:
        return None if self.pair_scorer is None else self.pair_scorer.score

    def segment_scores(self, corpus: Corpus, threads: int) -> Floats:
        """The score of each segment of a prepared corpus."""
        ready = self.ready_for(corpus, threads)
        return ready.summary.segments(ready, ready.rows.count(corpus, threads), corpus)

    def segment_score(self, row: tuple[int, ...], references: int) -> Score:
        """The score of a segment whose row has been counted."""
        return self.score_type(self, row, True, references if references >= 0 else None)

    def measure(self, corpus: Corpus, answers: Sequence[Integers], threads: int = 1) -> Measured[Score]:
        """The scores of a prepared corpus, from the core's answers."""
        return self.summary.measure(self, self.rows.assemble(corpus, answers), corpus, threads)

    def value_of(self, rows: Integers) -> float:
        """The corpus score of segments that were counted before; equals `corpus` on their texts."""
        return float(self.row_summary.of(self, rows, None).score().value)

    # Fitting

    @property
    def can_stream(self) -> bool:
        """Whether batches can be added one by one."""
        return self.fitting is None or self.prior is not None

    def ready_for(self, corpus: Corpus, threads: int) -> Definition:
        """The definition that scores a prepared corpus: itself, unless it first has to learn from the references."""
        ready = self
        if self._is_auto:
            ready = next(each for each in self.choices if each.options["tokenizer"] == corpus.tokenizer)
        return ready if ready.can_stream else ready.fit(corpus.references, threads)

    def fit(self, references: counts.Column | bytes, threads: int) -> Definition:
        """The definition with weights learned from these references or restored from a prior's bytes."""
        if self.fitting is None:
            raise FitError(self.name, "has nothing to learn with these options")
        return self.fitting.fit(self, references, threads)

    def require_prior(self, problem: str) -> None:
        """Raise an error unless `fit` was called."""
        if not self.can_stream:
            raise FitError(self.name, problem)
