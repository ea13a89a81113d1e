"""Named counting requests to the native core.

Nothing here knows a metric. A request says which n-grams to count and how; the result is int64.
"""

from __future__ import annotations

import atexit
import os
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from bleuprint.core import _native
from bleuprint.core import language_model as models
from bleuprint.core._native import Column as Column
from bleuprint.core._native import Fault as Fault
from bleuprint.core._native import IntegerRows as IntegerRows
from bleuprint.core._native import PairIndex as PairIndex
from bleuprint.core._native import PairScorer as PairScorer
from bleuprint.core._native import RealRows as RealRows
from bleuprint.core._native import RowFormula as RowFormula
from bleuprint.core._native import bounded as bounded
from bleuprint.core._native import column_from_ids as column_from_ids
from bleuprint.core._native import column_strings as column_strings
from bleuprint.core._native import columns_side_by_side as columns_side_by_side
from bleuprint.core._native import geometric_formula as geometric_formula
from bleuprint.core._native import harmonic_formula as harmonic_formula
from bleuprint.core._native import invalid_utf8 as invalid_utf8
from bleuprint.core._native import judge_swaps as judge_swaps
from bleuprint.core._native import line_column as line_column
from bleuprint.core._native import mean_f_formula as mean_f_formula
from bleuprint.core._native import part_of_column as part_of_column
from bleuprint.core._native import pick as pick
from bleuprint.core._native import script_letters as script_letters
from bleuprint.core._native import script_letters_of_text as script_letters_of_text
from bleuprint.core.arrays import Floats, Integers, NDArray, Numbers, np
from bleuprint.core.pool import NgramHolders as NgramHolders
from bleuprint.core.pool import Pool as Pool
from bleuprint.core.pool import each_part as each_part
from bleuprint.core.pool import texts_of_part as texts_of_part
from bleuprint.core.pool import words_of_parts as words_of_parts
from bleuprint.core.prior import Prior as Prior
from bleuprint.core.unicode import adopt_unicode as adopt_unicode
from bleuprint.core.unicode import prepare

if TYPE_CHECKING:
    # The distinct rows among many pairs, and the row number of each pair, so that a formula runs once per distinct row.
    Pairs = tuple[Integers, NDArray[np.uint32]]


SCHEMES = _native.SCHEMES  # the tokenizers of the core
stem = _native.porter_stem  # of a lowercase word, by Porter's rules with NLTK's extensions


atexit.register(_native.prepare_exit)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_native.after_fork)


def column(items: list[object] | tuple[object, ...], *, groups: bool, tokenized: bool) -> Column:
    """Return a column from a list: one text per segment or, with `groups`, one or several."""
    return _native.column_from_sequence(items, groups, tokenized)


def arrow_column(items: Any, *, groups: bool) -> Column:
    """Return a column from any object with the Arrow PyCapsule interface, without copying the texts."""
    items = _validate(items)
    if hasattr(items, "__arrow_c_stream__"):
        return _native.column_from_arrow_stream(items.__arrow_c_stream__(), groups)
    schema, array = items.__arrow_c_array__()
    return _native.column_from_arrow_array(schema, array, groups)


def _validate(items: Any) -> Any:
    """Have pyarrow compare its columns with the sizes of their buffers, which the interface does not carry.

    The core checks every position against what the interface tells. This finds the rest in constant time: too few
    offsets, or a last offset behind the end of the texts, as in an Arrow file that nobody validated.
    """
    if library_of(items) == "pandas" and hasattr(items.array, "__arrow_array__"):
        items = items.array.__arrow_array__()
    if library_of(items) == "pyarrow" and hasattr(items, "validate"):
        try:
            items.validate()
        except ValueError as error:  # pyarrow.ArrowInvalid
            raise Fault("damaged", 0, -1, -1, str(error).partition("\n")[0]) from None
    return items


def library_of(items: object) -> str:
    """The package that an object comes from."""
    return type(items).__module__.partition(".")[0]


class Counts:
    """A request for named statistics, one row per segment.

    No column is negative unless listed in `negative`, where no column is positive. `at_most` lists pairs of columns of
    which the first never exceeds the second. Sums of rows keep these rules.
    """

    def __init__(
        self,
        plan: _native.Plan,
        names: tuple[str, ...],
        at_most: Iterable[tuple[str, str]] = (),
        negative: tuple[str, ...] = (),
        *,
        reading: tuple[str, bool] | None = None,
        lowercased: Counts | None = None,
        pairwise: PairwiseForm | None = None,
    ) -> None:
        self._plan = plan
        self.names = names
        self.reading = reading  # scheme and lowercase, if only the tokens of texts matter
        self.lowercased = lowercased  # the same request for texts in lowercase, if that makes a difference
        self.pairwise = pairwise
        self._at_most = tuple(at_most)
        self._negative = negative
        self.pair = plan.pair

    def total(self, hypotheses: Column, references: Column, sources: Column | None, threads: int) -> tuple[int, ...]:
        """Return the sum of all rows."""
        return self._plan.total(hypotheses, references, sources, threads)

    def rows(self, hypotheses: Column, references: Column, sources: Column | None, threads: int) -> Integers:
        """Return one row per segment."""
        rows = np.zeros((len(hypotheses), len(self.names)), dtype=np.int64)
        if len(hypotheses):
            self._plan.rows(hypotheses, references, sources, threads, rows)
        return rows

    def sums_without_each(self, hypotheses: Column, references: Column, threads: int) -> Integers:
        """Return for each segment the sum of the other rows, weighted by the other references alone."""
        sums = np.zeros((len(hypotheses), len(self.names)), dtype=np.int64)
        self._plan.sums_without_each(hypotheses, references, threads, sums)
        return sums

    def pair_scorer(self, formula: RowFormula | None) -> PairScorer:
        """Return what counts a hypothesis and its references in one call, and computes a formula from their row."""
        return PairScorer(self._plan, formula)

    def fault(self, total: Sequence[int]) -> str | None:
        """Return the rule that a sum of rows breaks."""
        return broken_rule(self.names, total, self._at_most, self._negative)

    def wider(self, *, several_references: bool) -> Counts:
        """Return a request whose columns include these, so that one result serves several requests."""
        return self


def broken_rule(
    names: Sequence[str], total: Sequence[int], at_most: Iterable[tuple[str, str]], negative: Sequence[str] = ()
) -> str | None:
    """Return the rule that a sum of rows breaks: the sign of a column, or which column never exceeds which."""
    columns = dict(zip(names, total, strict=True))
    for name, number in columns.items():
        if (number > 0) if name in negative else (number < 0):
            return f"{name} must be {'at most' if name in negative else 'at least'} 0, got {number}"
    for smaller, larger in at_most:
        if columns[smaller] > columns[larger]:
            return f"{smaller} must be at most {larger}, got {columns[smaller]} and {columns[larger]}"
    return None


class ClippedColumns(NamedTuple):
    """Columns of clipped rows, and the n-grams of the references; divided, if they stand for a mean of references."""

    rows: Numbers
    reference_totals: Sequence[Numbers]  # by order

    @property
    def matches(self) -> Numbers:
        return self.rows[2 : 2 + len(self.reference_totals)]

    @property
    def totals(self) -> Numbers:
        return self.rows[2 + len(self.reference_totals) :]


class PairwiseForm(NamedTuple):
    """How the rows of pairs, a text and one reference, follow from clipped matches, which count all pairs at once."""

    clipped: ClippedCounts
    columns: Callable[[ClippedColumns], list[Numbers]]  # the request's


# What to count, and the hypotheses, references, and sources to count it on.
Request = tuple[Counts, Column, Column, Column | None]


def rows_together(requests: list[Request], threads: int) -> list[Integers]:
    """Return the rows of several requests, with one pass over all requests that have the same number of segments.

    A text that several requests tokenize in the same way is tokenized once, and duplicate requests are computed once.
    """
    answers: dict[tuple[int, ...], Integers] = {}
    passes: dict[int, list[tuple[_native.Plan, Column, Column, Column | None, Integers]]] = {}
    keys = [tuple(map(id, request)) for request in requests]
    for key, (counts, hypotheses, references, sources) in zip(keys, requests, strict=True):
        if key not in answers:
            answers[key] = np.zeros((len(hypotheses), len(counts.names)), dtype=np.int64)
            item = (counts._plan, hypotheses, references, sources, answers[key])
            passes.setdefault(len(hypotheses), []).append(item)
    for items in passes.values():
        _native.rows_together(items, threads)
    return [answers[key] for key in keys]


_USUAL_ORDERS = 5  # the highest order in common metric definitions


class ClippedCounts(Counts):
    """Clipped matches, also for every pair of texts from two columns."""

    def __init__(self, scheme: str, lowercase: bool, max_order: int, length_rule: str, minimum_total: int) -> None:
        plan = _native.clipped_plan(scheme, lowercase, max_order, length_rule, minimum_total)
        pairwise = PairwiseForm(self, lambda columns: list(columns.rows))
        super().__init__(plan, _names(max_order), _matches_at_most_totals(max_order), pairwise=pairwise)
        self._reading = (scheme, lowercase, max_order, minimum_total)
        self._length_rule = length_rule

    def wider(self, *, several_references: bool) -> Counts:
        scheme, lowercase, max_order, minimum_total = self._reading
        # With one reference, every rule returns its length.
        rule = self._length_rule if several_references else "closest"
        return clipped_counts(scheme, lowercase, max(_USUAL_ORDERS, max_order), rule, minimum_total)

    def index(self, references: Column) -> PairIndex:
        """Return an index of these texts for `pairs`."""
        return PairIndex(references, *self._reading)

    def columns(self, rows: Integers) -> ClippedColumns:
        """Return the columns of pairs with the n-grams of their references."""
        *_, max_order, minimum_total = self._reading
        return ClippedColumns(rows, [np.maximum(rows[1] - n, minimum_total) for n in range(max_order)])

    def columns_against_mean(
        self, hypotheses: Column, references: Column, begin: int, end: int, texts: Numbers, threads: int
    ) -> ClippedColumns:
        """Compare each hypothesis of segments begin … end - 1 with the mean of the references there.

        `texts` has the number of references for each of these hypotheses.
        """
        *_, max_order, _ = self._reading
        rows = np.empty((len(texts), 2 + 3 * max_order), dtype=np.int64)
        _native.rows_against_mean(hypotheses, references, *self._reading, begin, end, threads, rows)
        shares = (rows / texts[:, None]).T
        return ClippedColumns(shares[: 2 + 2 * max_order], list(shares[2 + 2 * max_order :]))

    def pairs(self, hypotheses: Column, begin: int, end: int, index: PairIndex, threads: int) -> Pairs:
        """Compare hypotheses begin … end - 1 with each text of the index separately."""
        numbers = np.empty((end - begin) * len(index), dtype=np.uint32)
        return index.rows(hypotheses, begin, end, threads, numbers), numbers

    def group_pairs(
        self, hypotheses: Column, references: Column, begin: int, end: int, pairs: int, threads: int
    ) -> Pairs:
        """Compare each hypothesis with each reference within segments begin … end - 1; `pairs` is their number."""
        numbers = np.empty(pairs, dtype=np.uint32)
        return _native.group_pairs(hypotheses, references, *self._reading, begin, end, threads, numbers), numbers


@lru_cache(maxsize=64)
def clipped_counts(scheme: str, lowercase: bool, max_order: int, length_rule: str, minimum_total: int) -> ClippedCounts:
    """Lengths, clipped n-gram matches, and n-gram totals against all references."""
    prepare(scheme, lowercase)
    return ClippedCounts(scheme, lowercase, max_order, length_rule, minimum_total)


@lru_cache(maxsize=64)
def best_overlap(scheme: str, lowercase: bool, min_order: int, max_order: int) -> Counts:
    """N-grams of all orders shared with the reference that has the largest overlap."""
    prepare(scheme, lowercase)
    plan = _native.best_overlap_plan(scheme, lowercase, min_order, max_order)
    names = ("matches", "larger_total", "hypothesis_total", "reference_total")

    def columns(counted: ClippedColumns) -> list[Numbers]:
        sides = (counted.matches, counted.totals, counted.reference_totals)
        matches, hypothesis, reference = (np.sum(side[min_order - 1 :], axis=0) for side in sides)
        return [matches, np.maximum(hypothesis, reference), hypothesis, reference]

    form = PairwiseForm(clipped_counts(scheme, lowercase, max_order, "closest", 0), columns)
    return Counts(plan, names, [("matches", name) for name in names[1:]], pairwise=form)


@lru_cache(maxsize=64)
def corrections(scheme: str, lowercase: bool, max_order: int) -> Counts:
    """Matches with a reference, minus n-grams shared with the source that the reference does not contain."""
    prepare(scheme, lowercase)
    plan = _native.corrected_plan(scheme, lowercase, max_order)
    return Counts(plan, _names(max_order), _matches_at_most_totals(max_order))


@lru_cache(maxsize=64)
def characters(
    character_order: int,
    word_order: int,
    *,
    lowercase: bool,
    keep_space: bool,
    recall_factor: float,
    mean_of_scores: bool,
) -> Counts:
    """Per character order, then per word order: n-grams of the hypothesis, of its best reference, and matches."""
    prepare("", lowercase)
    plan = _native.characters_plan(character_order, word_order, lowercase, keep_space, recall_factor, mean_of_scores)
    orders = [f"character_{n}" for n in range(1, character_order + 1)] + [f"word_{n}" for n in range(1, word_order + 1)]
    kinds = ("hypothesis", "reference", "matches")
    at_most = ((f"matches_{order}", f"{text}_{order}") for order in orders for text in kinds[:2])
    form = None
    if word_order == 0 and not keep_space and not mean_of_scores:
        # The n-grams of the characters that are no white space, which is what this scheme takes apart.
        form = PairwiseForm(clipped_counts("char", lowercase, character_order, "closest", 0), _by_order)
    names = tuple(f"{kind}_{order}" for order in orders for kind in kinds)
    return Counts(plan, names, at_most, pairwise=form)


def _by_order(counted: ClippedColumns) -> list[Numbers]:
    orders = zip(counted.totals, counted.reference_totals, counted.matches, strict=True)
    return [column for order in orders for column in order]


@lru_cache(maxsize=64)
def best_match(scheme: str, lowercase: bool, stem: bool, measures: tuple[str, ...], labels: tuple[str, ...]) -> Counts:
    """Matches with the best reference, by measure: "1" … "16" for n-grams of that order, "subsequence" for the longest
    common subsequence, "lines" for the union of those of all lines. `labels` name the columns."""
    prepare(scheme, lowercase)
    plan = _native.best_match_plan(scheme, lowercase, stem, list(measures))
    parts = ("matches", "hypothesis_total", "reference_total")
    at_most = ((f"{label}_matches", f"{label}_{total}") for label in labels for total in parts[1:])
    names = tuple(f"{label}_{part}" for label in labels for part in parts)
    if not scheme.endswith("-words") or "lines" in measures:  # these read line by line
        return Counts(plan, names, at_most)
    lowercased = best_match(scheme, False, stem, measures, labels) if lowercase else None
    return Counts(plan, names, at_most, reading=(scheme, lowercase), lowercased=lowercased)


_EDITS = ("hits", "substitutions", "deletions", "insertions")


@lru_cache(maxsize=64)
def token_edits(scheme: str, lowercase: bool, nearest: str, *, divides: bool = False) -> Counts:
    """Token edits that turn the nearest reference into the hypothesis; `divides` as for `edit_path`."""
    prepare(scheme, lowercase)
    plan = _native.token_edits_plan(scheme, lowercase, nearest, divides)
    lowercased = token_edits(scheme, False, nearest, divides=divides) if lowercase else None
    return Counts(plan, _EDITS, reading=(scheme, lowercase), lowercased=lowercased)


@lru_cache(maxsize=64)
def character_edits(lowercase: bool, space: str, nearest: str, *, divides: bool = False) -> Counts:
    """Code point edits that turn the nearest reference into the hypothesis; `divides` as for `edit_path`."""
    prepare("", lowercase)
    return Counts(_native.character_edits_plan(lowercase, space, nearest, divides), _EDITS)


@lru_cache(maxsize=64)
def distance(lowercase: bool, space: str, *, substitutions: bool) -> Counts:
    """The edit distance in code points, and its largest possible value."""
    prepare("", lowercase)
    names = ("distance", "length")
    return Counts(_native.distance_plan(lowercase, space, substitutions), names, [names])


@lru_cache(maxsize=64)
def equal(lowercase: bool, no_punctuation: bool, no_numbers: bool, space: str, *, inside: bool) -> Counts:
    """Whether a reference equals the hypothesis or, if `inside`, is contained in it."""
    prepare("", lowercase)
    plan = _native.equal_plan(lowercase, no_punctuation, no_numbers, space, inside)
    return Counts(plan, ("matches", "segments"), [("matches", "segments")])


@lru_cache(maxsize=64)
def changes(scheme: str, lowercase: bool, max_order: int, *, shares: bool) -> Counts:
    """N-grams that the hypothesis and the references add to, keep from, and delete from the source."""
    prepare(scheme, lowercase)
    kept = ("both", "references", "shares", "types") if shares else ("both", "hypothesis", "references")
    deleted = ("shares", "types") if shares else kept
    kinds = [("added", ("both", "hypothesis", "references")), ("kept", kept), ("deleted", deleted)]
    names = [f"{kind}_{who}_{n}" for n in range(1, max_order + 1) for kind, whose in kinds for who in whose]
    at_most = [
        (f"{kind}_both_{n}", f"{kind}_{who}_{n}")
        for n in range(1, max_order + 1)
        for kind, whose in kinds
        for who in ("hypothesis", "references")
        if {"both", who} <= set(whose)
    ]
    return Counts(_native.changes_plan(scheme, lowercase, max_order, shares), tuple(names), at_most)


@lru_cache(maxsize=64)
def fragments(scheme: str, lowercase: bool, max_order: int) -> Counts:
    """Runs of words that the hypothesis copies from its source, and its different n-grams that the source lacks."""
    prepare(scheme, lowercase)
    orders = range(1, max_order + 1)
    by_order = (f"{kind}_{order}" for order in orders for kind in ("ngrams", "novel"))
    names = ("hypothesis_length", "source_length", "fragments", "copied", "squares", *by_order)
    at_most = [("fragments", "copied"), ("copied", "hypothesis_length"), ("copied", "squares")]
    at_most += [(f"novel_{order}", f"ngrams_{order}") for order in orders]
    return Counts(_native.fragments_plan(scheme, lowercase, max_order), names, at_most)


def information(prior: Prior) -> Counts:
    """Information of the matches by order, for the reference with the most; each sum is two columns, in units of 2^-20
    and 2^-40."""
    return Counts(prior.native.informed_plan(), information_columns(prior.orders))


def information_columns(orders: Iterable[int]) -> tuple[str, ...]:
    """The columns of `information`."""
    parts = ("information", "information_rest", "totals")
    return ("hypothesis_length", "reference_lengths", *(f"{part}_{order}" for order in orders for part in parts))


def cosine(prior: Prior, *, clipped: bool, sigma: float) -> Counts:
    """Mean cosine similarity to the references by order, in units of 2^-36."""
    plan = prior.native.cosine_plan(clipped, sigma)
    return Counts(plan, tuple(f"cosine_{order}" for order in prior.orders))


# Rows store mean reference lengths in this base: the integer part and two fractional digits.
LENGTH_BASE = _native.LENGTH_BASE


@lru_cache(maxsize=64)
def shifts(scheme: str, reference_scheme: str, lowercase: bool) -> Counts:
    """Edits, including shifts of word runs, to the closest reference, and the mean reference length."""
    prepare(scheme, lowercase)
    plan = _native.shifts_plan(scheme, reference_scheme, lowercase)
    names = ("edits", "reference_length", "reference_length_digit_1", "reference_length_digit_2")
    if scheme != reference_scheme:
        return Counts(plan, names)
    lowercased = shifts(scheme, scheme, False) if lowercase else None
    return Counts(plan, names, reading=(scheme, lowercase), lowercased=lowercased)


def model_words(model: models.LanguageModel, scheme: str, lowercase: bool) -> Counts:
    """Log-probabilities of the hypotheses under a model, each text ending in </s>; references are ignored."""
    prepare(scheme, lowercase)
    logarithms = tuple(name for name in models.MODEL_COLUMNS if name.endswith("log_probability"))
    return Counts(model.plan(scheme, lowercase), models.MODEL_COLUMNS, [("unknown_words", "tokens")], logarithms)


def _names(max_order: int) -> tuple[str, ...]:
    orders = range(1, max_order + 1)
    return (
        "hypothesis_length",
        "reference_length",
        *(f"matches_{order}" for order in orders),
        *(f"totals_{order}" for order in orders),
    )


def _matches_at_most_totals(max_order: int) -> list[tuple[str, str]]:
    return [(f"matches_{order}", f"totals_{order}") for order in range(1, max_order + 1)]


def tokenize(text: str, scheme: str, lowercase: bool = False) -> list[str]:
    """Return the tokens of one text."""
    prepare(scheme, lowercase)
    return _native.tokenize(text, scheme, lowercase)


def log_of(values: Floats) -> Floats:
    """Return natural logarithms, bit-identical to math.log; -inf for 0."""
    return _apply(_native.log_in_place, values)


def exp_of(values: Floats) -> Floats:
    """Return exponentials, bit-identical to math.exp."""
    return _apply(_native.exp_in_place, values)


def power_of(values: Floats, exponent: float) -> Floats:
    """Return powers, bit-identical to `**` on two floats."""
    return _apply(_native.power_in_place, values, exponent)


def _apply(in_place: Callable[..., None], values: Floats, *arguments: float) -> Floats:
    copy = values.astype("float64", order="C")
    in_place(copy.reshape(-1), *arguments)
    return copy
