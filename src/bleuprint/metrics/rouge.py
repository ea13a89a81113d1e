"""ROUGE: how much of the reference a text recalls, and how much of the text is in the reference.

    recall = matches / units of the reference      precision = matches / units of the text
    F = 2 · precision · recall / (precision + recall)

The units of ROUGE-N are clipped n-grams. Those of ROUGE-L are the words in a longest common subsequence of the two
texts. ROUGE-Lsum works line by line: a reference line matches the union of its longest common subsequences with every
line of the text, and no word matches more often than it occurs in the text. With several references, the one with the
highest F counts, for each type separately (on ties, the first). A corpus score is the mean over segments.
Lin (2004): ROUGE: A Package for Automatic Evaluation of Summaries. Text Summarization Branches Out, ACL workshop.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from bleuprint.core import counts, stemmers, tokenizers
from bleuprint.errors import OptionError
from bleuprint.metrics.base import CoreRows, Definition, ExactMeans, MeanFormula, MeanScore, Metric
from bleuprint.metrics.base.formulas import Value, named, ratio

USUAL_TYPES = ("rouge1", "rouge2", "rougeL", "rougeLsum")
# The original keeps only ASCII letters and digits, so it scores every text in another script as 0.
_SCHEMES = {"rouge": "ascii-words", "unicode": "unicode-words"}


@dataclass(frozen=True)
class RougeFormula(MeanFormula):
    """Precision, recall and F of each type."""

    types: tuple[str, ...]

    def scores(self, columns: Sequence[Value]) -> dict[str, Value]:
        """For each type: F under the type's own name, then precision and recall."""
        scores: dict[str, Value] = {}
        triples = zip(self._names, columns[::3], columns[1::3], columns[2::3], strict=True)
        for (kind, of_precision, of_recall), matches, hypothesis, reference in triples:
            if isinstance(matches, int):  # the same in plain numbers, in a third of the time
                if matches:
                    precision, recall = matches / hypothesis, matches / reference
                    scores[kind] = 2 * precision * recall / (precision + recall)
                else:
                    precision = recall = scores[kind] = 0.0
            else:
                name = kind.removeprefix("rouge")
                precision = named(f"precision_{name}", ratio(matches, hypothesis))
                recall = named(f"recall_{name}", ratio(matches, reference))
                scores[kind] = named(f"F_{name}", ratio(2 * precision * recall, precision + recall))
            scores[of_precision] = precision
            scores[of_recall] = recall
        return scores

    @cached_property
    def _names(self) -> list[tuple[str, str, str]]:
        return [(kind, f"{kind}_precision", f"{kind}_recall") for kind in self.types]

    def for_rows(self) -> counts.RowFormula:
        """Precision, recall and F of each type, computed by the core from one row."""
        return counts.harmonic_formula(len(self.types))


class ROUGE(Metric[MeanScore]):
    """ROUGE of the given types; the value is the F of the first type.

    >>> score = ROUGE().sentence("the cat sat on the mat", "the cat is on the mat")
    >>> round(score["rouge1"], 4), round(score["rougeL_recall"], 4)
    (0.8333, 0.8333)
    >>> russian = ROUGE(types="rouge1", tokenizer="unicode")
    >>> russian.sentence("кошка спит", "Кошка спит!").value
    1.0

    - `types`: which of rouge1 … rouge9, rougeL and rougeLsum to compute
    - `tokenizer`: "rouge" (the original's: ASCII letters and digits), "unicode" (letters and digits of all scripts),
      "auto" (the first of "rouge", "unicode" and "char" that can read the script of the references), any other
      tokenizer name, or a function that splits a text into tokens
    - `stemmer`: True applies the Porter stemmer to words of four letters or more; the name of a language, such as
      "german", the Snowball stemmer of that language, which needs the extra `stemmers` and most often
      `tokenizer="unicode"`

    Texts are lowercased and read line by line. Token lists are used as they are; a "\\n" token ends a line.
    """

    name = "rouge"
    tokenizers_by_script = ("unicode", "char")
    value_range = (0.0, 1.0)

    def __init__(
        self,
        *,
        types: str | Sequence[str] = USUAL_TYPES,
        tokenizer: str | tokenizers.Tokenize = "rouge",
        stemmer: bool | str = False,
    ) -> None:
        type_names = _types(types)
        own = _SCHEMES.get(tokenizer) if isinstance(tokenizer, str) else None
        words = _resolve(own or tokenizer, lowercase=own is None)
        snowball = None if isinstance(stemmer, bool) else stemmers.resolve(stemmer)
        reader = _by_lines(words) if snowball is None else stemmers.StemmedTokenizer.of(words, snowball)
        options = {
            "types": "+".join(type_names),
            "tokenizer": reader.name if own is None else str(tokenizer),
            "stemmer": stemmer if snowball is None else snowball.name,
        }
        measures = tuple(map(_measure, type_names))
        rows = CoreRows(counts.best_match(*reader.reading, stemmer is True, measures, type_names), reader)
        formula = RougeFormula(type_names)
        super().__init__(Definition(ROUGE, options, rows, formula, MeanScore, ExactMeans, row_formula=formula.for_rows))


def _types(value: str | Sequence[str]) -> tuple[str, ...]:
    allowed = "one or more of rouge1 … rouge9, rougeL, rougeLsum, without repetition"
    given = value.split("+") if isinstance(value, str) else value
    if not isinstance(given, Sequence) or not given or len(set(map(repr, given))) < len(given):
        raise OptionError("types", allowed, value)
    if not all(isinstance(kind, str) and re.fullmatch(r"rouge([1-9]|L|Lsum)", kind) for kind in given):
        raise OptionError("types", allowed, value)
    return tuple(given)


def _measure(kind: str) -> str:
    return {"rougeL": "subsequence", "rougeLsum": "lines"}.get(kind, kind.removeprefix("rouge"))


def _resolve(tokenizer: str | tokenizers.Tokenize, lowercase: bool) -> tokenizers.Tokenizer:
    base = tokenizer.partition("(")[0] if isinstance(tokenizer, str) else ""  # a recorded name has a version
    known = base in tokenizers.names() or tokenizers.is_sentencepiece(tokenizer)
    if not known and not callable(tokenizer):
        allowed = f"a callable or one of {', '.join((*_SCHEMES, *tokenizers.names()))}"
        raise OptionError("tokenizer", allowed, tokenizer)
    return tokenizers.resolve(tokenizer, lowercase)


def _by_lines(tokenizer: tokenizers.Tokenizer) -> tokenizers.Tokenizer:
    """Wrap a custom tokenizer so that it is called per line and its tokens mark the line ends."""
    return tokenizer if tokenizer.plugin is None else replace(tokenizer, lowercase=False, plugin=_Lines(tokenizer))


@dataclass(frozen=True)
class _Lines:
    tokenizer: tokenizers.Tokenizer

    def __call__(self, text: str) -> list[str | int]:
        return tokenizers.split_by_line(text, self.tokenizer.split)
