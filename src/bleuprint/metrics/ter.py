"""TER: the number of edits that turn a translation into its reference, per reference word.

    TER = edits / mean length of the references

An edit inserts, deletes or replaces a word, or moves a run of words to another place, whatever its length and distance.
With several references, the one that needs the fewest edits counts. A corpus score divides the summed edits by the
summed mean lengths. It is 0 if nothing needs editing and has no upper bound. Without any reference words it is 1, or 0
if there is nothing to edit.

Finding the fewest edits with moves takes exponential time, so the search is part of the definition; this one is
tercom's as run by sacrebleu 2.6. At each step it considers runs of at most 10 words that equal reference words at most
50 words away, both in error, and makes the move that lowers the edit distance most (on ties: the longest run, then the
first, then the first target). It stops when no move helps, or after trying 1000 moves for a reference. The distance
only looks at cells up to 25 words off the diagonal.
Snover, Dorr, Schwartz, Micciulla and Makhoul (2006): A Study of Translation Edit Rate with Targeted Human Annotation.
AMTA.
"""

from __future__ import annotations

from collections.abc import Sequence

from bleuprint import checks
from bleuprint.core import counts, tokenizers
from bleuprint.core.arrays import Floats, Integers, np
from bleuprint.errors import OptionError
from bleuprint.metrics import profiles
from bleuprint.metrics.base import CoreRows, Definition, Metric, Score
from bleuprint.metrics.base.formulas import Symbolic, Value, named, ratio, where
from bleuprint.metrics.base.score import column
from bleuprint.metrics.bleu import sacrebleu_signature

_NORMALIZED = "tercom-normalized"
_EXACT = 2**53  # floats hold all integers below it


def formula(columns: Sequence[Value], *, sentence: bool = False) -> Value:
    """Edits over the mean length of the references."""
    return (_rate if isinstance(columns[0], int | Symbolic) else _rates)(*columns)


def _rate(edits: Value, words: Value, first: Value, second: Value) -> Value:
    # Integers are divided and rounded once, so that equal ratios give equal scores whatever their digits.
    if first or second:
        return named("TER", edits * counts.LENGTH_BASE**2 / named("length", _scale(words, first, second)))
    return named("TER", where(words == 0, where(edits > 0, 1.0, 0.0), ratio(edits, words)))


def _scale(words: Value, first: Value, second: Value) -> Value:
    """The mean length times the square of the base of its digits."""
    return (words * counts.LENGTH_BASE + first) * counts.LENGTH_BASE + second


def _rates(edits: Integers, words: Integers, first: Integers, second: Integers) -> Floats:
    """The same for columns; where doubles do not hold every number exactly, row by row in Python's integers."""
    rates: Floats = where(words == 0, where(edits > 0, 1.0, 0.0), ratio(edits, words))
    large = (first != 0) | (second != 0) | (np.maximum(edits, words) >= _EXACT)
    rows = (column[large].tolist() for column in (edits, words, first, second))
    rates[large] = [_rate(*row) for row in zip(*rows, strict=True)]
    return rates


class TerScore(Score):
    """A TER score and its components."""

    __slots__ = ()
    part_names = ("edits", "reference_length")
    edits: int = column(0)

    @property
    def reference_length(self) -> float:
        """Sum of the mean reference lengths, in words."""
        return float(_scale(*self.columns[1:]) / counts.LENGTH_BASE**2)

    @property
    def sacrebleu_signature(self) -> str | None:
        """The signature sacrebleu prints for these options, or None if sacrebleu does not support them."""
        tokenizer = str(self.definition.options["tokenizer"])
        if tokenizer not in counts.SCHEMES or not tokenizer.startswith("tercom"):
            return None
        return sacrebleu_signature(
            self.references,
            case="lc" if self.definition.options["lowercase"] else "mixed",
            tok="tercom",
            norm="yes" if "-normalized" in tokenizer else "no",
            punct="no" if "-no-punct" in tokenizer else "yes",
            asian="yes" if "-asian" in tokenizer else "no",
        )

    def __str__(self) -> str:
        return f"TER = {self.value:.4f} (edits = {self.edits}, reference length = {self.reference_length:g})"


class TER(Metric[TerScore]):
    """TER: edits per reference word, so lower is better.

    - `profile`: "sacrebleu", which is also the default
    - `normalized`: separate punctuation from words
    - `no_punct`: remove punctuation
    - `asian_support`: apply both rules to Chinese characters and full-width punctuation too
    - `lowercase`: ignore case; sacrebleu's `case_sensitive=True` is `lowercase=False`
    - `tokenizer`: any other tokenizer, in place of the three rules above

    >>> print(TER().sentence("on the mat sat the cat", "the cat sat on the mat"))
    TER = 0.3333 (edits = 2, reference length = 6)
    """

    name = "ter"
    higher_is_better = False

    def __init__(
        self,
        *,
        profile: str | None = None,
        normalized: bool = False,
        no_punct: bool = False,
        asian_support: bool = False,
        lowercase: bool = True,
        tokenizer: str | tokenizers.Tokenize | None = None,
    ) -> None:
        profiles.find(self.name, profile)
        rules = {"normalized": normalized, "no_punct": no_punct, "asian_support": asian_support}
        rules_on = [name for name, value in rules.items() if checks.flag(name, value)]
        if tokenizer is None:
            parts = (name.removesuffix("_support").replace("_", "-") for name in rules_on)
            tokenizer = "-".join(("tercom", *parts))
        elif rules_on:
            raise OptionError(rules_on[0], "False if a tokenizer is given, because it has its own rules", True)
        reader = tokenizers.resolve(tokenizer, lowercase)
        # sacrebleu normalizes references twice, which splits more than once does: "it's," gives it's , and then it 's ,
        twice = "-twice" if reader.scheme.startswith(_NORMALIZED) else ""
        request = counts.shifts(reader.scheme, reader.scheme + twice, reader.native_lowercase)
        options = {"tokenizer": reader.name, "lowercase": reader.lowercase}
        super().__init__(Definition(TER, options, CoreRows(request, reader), formula, TerScore))
