"""Base classes of sacrebleu's scores, signatures and metrics."""

from __future__ import annotations

import logging
import statistics
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from functools import reduce
from operator import add, index
from typing import Any, Generic, TypeVar

from bleuprint import checks
from bleuprint.compat._tokens import warn_of_scripts
from bleuprint.core import counts
from bleuprint.core.arrays import Floats, Integers
from bleuprint.core.columns import checked_column, column
from bleuprint.core.threads import worker_count
from bleuprint.errors import BareStringError, LengthMismatchError, NotTextError
from bleuprint.metrics.bleu import SACREBLEU_VERSION as VERSION

__all__ = ["VERSION", "Metric", "Score", "Signature"]

logger = logging.getLogger("sacrebleu")
_MANY_TOKENIZED = 100  # number of such lines that triggers a warning

Streams = Sequence[Sequence[str]]
Pairs = Mapping[str, tuple[str, object]]  # of a signature: the abbreviation of the key, and the value
Stats = Sequence[float]  # of a segment or a sum: integers, except for the lengths of TER


class Score:
    """A metric's name and value; `format` prints them.

    >>> Score("BLEU", 12.345).format(width=1)
    'BLEU = 12.3'
    """

    def __init__(self, name: str, score: float) -> None:
        self.name = name
        self.score = score
        self._mean = -1.0
        self._ci = -1.0
        self._verbose = ""  # details of the score

    def format(self, width: int = 2, score_only: bool = False, signature: str = "") -> str:
        """The score as text; with `score_only`, just the number."""
        shown = f"{self.score:.{width}f}"
        if self._mean > 0:
            shown += f" (μ = {self._mean:.{width}f} ± {self._ci:.{width}f})"
        if score_only:
            return shown
        title = f"{self.name}|{signature}" if signature else self.name
        return f"{title} = {shown} {self._verbose}" if self._verbose else f"{title} = {shown}"

    def estimate_ci(self, scores: Sequence[Score]) -> None:
        """Store the mean of resampled scores and half the width of their central 95%."""
        values = sorted(score.score for score in scores)
        cut = len(values) // 40
        self._ci = 0.5 * (values[len(values) - cut - 1] - values[cut])
        self._mean = statistics.mean(values)

    def __repr__(self) -> str:
        return self.format()


class Signature:
    """What makes a score reproducible, as key:value pairs in `info`."""

    def __init__(self, args: Mapping[str, Any], own: Pairs) -> None:
        if "num_refs" not in args:
            raise ValueError("Number of references unknown, please evaluate the metric first.")
        pairs: Pairs = {
            "version": ("v", VERSION),
            "nrefs": ("#", "var" if args["num_refs"] == -1 else args["num_refs"]),
            "bs": ("bs", args["n_bootstrap"]),
            "ar": ("ar", None),
            "seed": ("rs", args["seed"]),
            "test": ("t", None),
            "lang": ("l", None),
            "origlang": ("o", None),
            "subset": ("S", None),
            **own,
        }
        self._abbr = {key: short for key, (short, _) in pairs.items()}
        self.info = {key: value for key, (_, value) in pairs.items()}

    def format(self, short: bool = False) -> str:
        """All pairs that have a value, with the version last; `short` abbreviates the keys."""
        names = [name for name in self.info if name != "version"] + ["version"]
        words = {True: "yes", False: "no"}
        return "|".join(
            f"{self._abbr[name] if short else name}:{words[value] if isinstance(value, bool) else value}"
            for name in names
            if (value := self.info[name]) is not None
        )

    def update(self, key: str, value: object) -> None:
        self.info[key] = value

    def __repr__(self) -> str:
        return self.format()


AnyScore = TypeVar("AnyScore", bound=Score, covariant=True)


class Metric(ABC, Generic[AnyScore]):
    """Base class of the metrics: checks arguments, converts streams to segments, and resamples."""

    def __init__(self, references: Streams | None = None) -> None:
        self._force = True
        self.n_bootstrap: int | None = None
        self.seed: str | None = None
        self.num_refs: int
        self._ref_cache = None if references is None else self._cache_references(references)

    @abstractmethod
    def _counts(self) -> counts.Counts:
        """The core's counts for this metric."""

    @abstractmethod
    def _pairs(self) -> Pairs:
        """The pairs of the signature that only this metric has."""

    @abstractmethod
    def _compute_score_from_stats(self, stats: Stats) -> AnyScore:
        """The score of summed statistics."""

    def _prepare(self, texts: counts.Column, name: str) -> counts.Column:
        """The texts in the form the core needs."""
        return texts

    def _stats_of(self, row: Sequence[int]) -> Stats:
        """The statistics from a row of the core, or from a sum of rows."""
        return row

    def _total(self, rows: Integers) -> Stats:
        """The statistics of all segments."""
        fractions = self._fractions(rows)
        if fractions is None:
            return self._stats_of(rows.sum(axis=0).tolist())
        # One after another, because since Python 3.12 sum() rounds floats differently.
        return [reduce(add, column) for column in zip(*fractions.tolist(), strict=True)]

    def _fractions(self, rows: Integers) -> Floats | None:
        """The statistics of each segment if adding them rounds, so that the order matters; otherwise None."""
        return None

    def _cache_references(self, references: Streams) -> counts.Column:
        streams = []
        for number, stream in enumerate(checks.items("references", references, "a list of lists of texts")):
            texts = checks.items_of(stream)
            if texts is None:
                repair = "with one reference for each hypothesis, pass [references]"
                raise NotTextError(f"references[{number}]", "a list of texts", type(stream).__name__, repair)
            streams.append(texts)
        groups = list(zip(*streams, strict=False))
        first, other = min(streams, key=len, default=[]), max(streams, key=len, default=[])
        if len(first) < len(other):
            raise LengthMismatchError("a reference stream", len(first), "another", len(other))
        reference_column = column(groups, "references", groups=True)
        self.num_refs = reference_column.group_size
        return self._prepare(reference_column, "references")

    def _rows(self, hypotheses: Sequence[str], references: Streams | None) -> Integers:
        """The core's rows, one per segment."""
        self._look_at(hypotheses)
        column_of_texts = checked_column(hypotheses, "hypotheses", tokenized=False)
        cache = self._cache_references(references) if references else self._ref_cache
        if cache is None or len(cache) == 0:
            raise RuntimeError("No references provided and the cache is empty.")
        if len(hypotheses) != len(cache):
            raise LengthMismatchError("hypotheses", len(hypotheses), "each reference stream", len(cache))
        if not self._force and sum(hypothesis.endswith(" .") for hypothesis in hypotheses) >= _MANY_TOKENIZED:
            logger.warning("That's 100 lines that end in a tokenized period ('.')")
            logger.warning("It looks like you forgot to detokenize your test data, which may hurt your score.")
            logger.warning(
                "If you insist your data is detokenized, or don't care, "
                "you can suppress this message with the `force` parameter."
            )
        texts = self._prepare(column_of_texts, "hypotheses")
        return self._counts().rows(texts, cache, None, worker_count(None))

    def _extract_corpus_statistics(self, hypotheses: Sequence[str], references: Streams | None) -> list[Stats]:
        return [self._stats_of(row) for row in self._rows(hypotheses, references).tolist()]

    def sentence_score(self, hypothesis: str, references: Sequence[str]) -> AnyScore:
        """The score of one segment against its references."""
        if isinstance(references, str):
            raise BareStringError("references")
        return self._compute_score_from_stats(self._stats_of(self._row(hypothesis, references)))

    def _look_at(self, texts: object) -> None:
        """Warn if the tokenizer cannot read the texts; chrF has none."""
        warn_of_scripts(type(self).__name__.lower(), getattr(getattr(self, "tokenizer", None), "scheme", None), texts)

    def _row(self, hypothesis: str, references: Sequence[str]) -> Sequence[int]:
        """The core's row of one segment."""
        self._look_at(hypothesis)
        try:
            row = self._counts().pair(hypothesis, references if isinstance(references, list) else list(references))
        except counts.Fault:  # repeat in the way that reports which text is wrong
            row = tuple(self._rows([hypothesis], [[reference] for reference in references])[0].tolist())
        self.num_refs = len(references) - references.count(None)
        return row

    def corpus_score(self, hypotheses: Sequence[str], references: Streams | None, n_bootstrap: int = 1) -> AnyScore:
        """The score of a corpus. If `references` is None, uses those given to the metric. With more than one bootstrap
        sample, the score has a confidence interval."""
        rows = self._rows(hypotheses, references)
        score = self._compute_score_from_stats(self._total(rows))
        if n_bootstrap > 1:
            from bleuprint.compat.sacrebleu.significance import environment_seed, resample

            seed = environment_seed()
            self.n_bootstrap, self.seed = checks.trials("n_bootstrap", index(n_bootstrap)), str(seed).lower()
            score.estimate_ci(resample(rows, self, n_bootstrap, seed))
        return score

    def __getstate__(self) -> dict[str, Any]:
        cache = self._ref_cache
        return {**self.__dict__, "_ref_cache": None if cache is None else (cache.unpack(), cache.tokenized)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        if state["_ref_cache"] is not None:
            groups, tokenized = state["_ref_cache"]
            self._ref_cache = column(groups, "references", groups=True, tokenized=tokenized)

    def get_signature(self) -> Signature:
        """The signature of the last score; it includes the number of references."""
        return Signature(vars(self), self._pairs())
