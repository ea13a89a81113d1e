"""TER: the edits that turn a translation into its reference, per word of the reference.

    TER = edits / mean length of the references

An edit inserts, deletes or replaces a word, or moves a run of words to another place, whatever its length and way. Of
several references the one that needs fewest edits counts. A corpus score divides the summed edits by the summed mean
lengths. It is 0 where nothing needs editing and has no upper end; without any reference word it is 1, or 0 if there is
nothing to edit.

To find the fewest edits with moves takes exponential time, so the search is part of the definition; here it is that of
tercom as sacrebleu 2.6 runs it. Move by move, it takes the run of at most 10 words, equal to words of the reference at
most 50 words away, both in error, whose move lowers the edit distance most (the longest run of equals, then the first,
then the first target), until none does or 1000 moves have been tried for a reference. The distance looks only at cells
up to 25 words off the diagonal.
Snover, Dorr, Schwartz, Micciulla and Makhoul (2006): A Study of Translation Edit Rate with Targeted Human Annotation.
AMTA.
"""

from __future__ import annotations

from collections.abc import Sequence

from bleuprint.core import counts, tokenizers
from bleuprint.errors import OptionError
from bleuprint.metrics import profiles
from bleuprint.metrics.base import checks
from bleuprint.metrics.base.definition import Definition
from bleuprint.metrics.base.formulas import Value
from bleuprint.metrics.base.metric import Metric
from bleuprint.metrics.base.rows import CoreRows
from bleuprint.metrics.base.score import Part, Score
from bleuprint.metrics.bleu import SACREBLEU_VERSION

__all__ = ["TER", "TerScore"]

_NORMALIZED = "tercom-normalized"


def formula(columns: Sequence[Value], *, sentence: bool = False) -> Value:
    """Edits over the mean length of the references."""
    if isinstance(columns[0], int):
        return _rate(*columns)
    import numpy as np

    return np.asarray(np.frompyfunc(_rate, len(columns), 1)(*columns), dtype=np.float64)


def _scaled(words: int, first: int, second: int) -> int:
    """The mean length times the square of the base its digits are in."""
    return (words * counts.LENGTH_BASE + first) * counts.LENGTH_BASE + second


def _rate(edits: int, words: int, first: int, second: int) -> float:
    """Rounded once, from integers: equal ratios give equal scores, however the digits came about."""
    if length := _scaled(words, first, second):
        return edits * counts.LENGTH_BASE**2 / length
    return 1.0 if edits else 0.0


class TerScore(Score):
    """A TER score with what it was made from."""

    __slots__ = ()

    @property
    def edits(self) -> int:
        return self.columns[0]

    @property
    def reference_length(self) -> float:
        """Summed mean lengths of the references, in words."""
        return _scaled(*self.columns[1:]) / counts.LENGTH_BASE**2

    @property
    def parts(self) -> dict[str, Part]:
        return {"edits": self.edits, "reference_length": self.reference_length}

    @property
    def sacrebleu_signature(self) -> str | None:
        """The line sacrebleu prints for these options, or None where it has not got them."""
        tokenizer = str(self.definition.options["tokenizer"])
        if tokenizer not in counts.SCHEMES or not tokenizer.startswith("tercom"):
            return None
        fields = {
            "nrefs": "var" if self.references is None else self.references,
            "case": "lc" if self.definition.options["lowercase"] else "mixed",
            "tok": "tercom",
            "norm": "yes" if "-normalized" in tokenizer else "no",
            "punct": "no" if "-no-punct" in tokenizer else "yes",
            "asian": "yes" if "-asian" in tokenizer else "no",
            "version": SACREBLEU_VERSION,
        }
        return "|".join(f"{key}:{value}" for key, value in fields.items())

    def __str__(self) -> str:
        return f"TER = {self.value:.4f} (edits = {self.edits}, reference length = {self.reference_length:g})"


class TER(Metric[TerScore]):
    """TER, lower is better; profile: sacrebleu, which the defaults are.

    `normalized` parts punctuation from words, `no_punct` drops it, `asian_support` has both treat Chinese characters
    and full-width punctuation too. sacrebleu's `case_sensitive=True` is `lowercase=False`. Any other tokenizer can be
    given in place of these rules.

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
            raise OptionError(rules_on[0], "False beside a tokenizer, which has its own rules", True)
        reader = tokenizers.resolve(tokenizer, checks.flag("lowercase", lowercase))
        # sacrebleu normalises references twice, which parts what once does not: "it's," gives it's , and then it 's ,
        twice = "-twice" if reader.scheme.startswith(_NORMALIZED) else ""
        request = counts.shifts(reader.scheme, reader.scheme + twice, reader.native_lowercase)
        options = {"tokenizer": reader.name, "lowercase": reader.lowercase}
        super().__init__(Definition(TER, options, CoreRows(request, reader), formula, TerScore))
