"""GLEU (Google-BLEU): the smaller of precision and recall over n-grams of all orders together.

    GLEU = min(matches / n-grams of the hypothesis, matches / n-grams of the reference)
         = matches / max(n-grams of the hypothesis, n-grams of the reference)

With several references, the one with the highest GLEU counts (on ties, the first). A corpus score divides the summed
matches by the summed maxima of these references.
Wu et al. (2016): Google's Neural Machine Translation System, arXiv:1609.08144, section 4.3.
This is not the GLEU of grammatical error correction, which is `GecGLEU`.
"""

from __future__ import annotations

from collections.abc import Sequence

from bleuprint import checks
from bleuprint.core import counts, tokenizers
from bleuprint.errors import OptionError
from bleuprint.metrics import profiles
from bleuprint.metrics.base import CoreRows, Definition, Metric, Score
from bleuprint.metrics.base.formulas import Value, named, ratio
from bleuprint.metrics.base.score import column


def formula(columns: Sequence[Value], *, sentence: bool = False) -> Value:
    """Matches over the larger number of n-grams, from summed rows."""
    matches, larger = columns[:2]
    return named("GLEU", ratio(matches, larger))


class GleuScore(Score):
    """A GLEU score with its precision and recall."""

    __slots__ = ()
    matches: int = column(0)

    @property
    def precision(self) -> float:
        return float(ratio(self.columns[0], self.columns[2]))

    @property
    def recall(self) -> float:
        return float(ratio(self.columns[0], self.columns[3]))

    def __str__(self) -> str:
        return f"GLEU = {self.value:.4f} (precision = {self.precision:.4f}, recall = {self.recall:.4f})"


class GLEU(Metric[GleuScore]):
    """GLEU: the smaller of n-gram precision and recall.

    - `profile`: options that reproduce another library: nltk, hf or autometrics
    - `min_order`: length of the shortest n-grams

    >>> print(GLEU().sentence("the cat is on the mat", "there is a cat on the mat"))
    GLEU = 0.3636 (precision = 0.4444, recall = 0.3636)
    """

    name = "gleu"

    def __init__(
        self,
        *,
        profile: str | None = None,
        tokenizer: str | tokenizers.Tokenize | None = None,
        lowercase: bool | None = None,
        min_order: int = 1,
        max_order: int = 4,
    ) -> None:
        options = profiles.fill(self.name, profile, {"tokenizer": "13a", "lowercase": False}, locals())
        lowest, highest = checks.order("min_order", min_order), checks.order("max_order", max_order)
        if lowest > highest:
            raise OptionError("min_order", f"at most max_order ({max_order})", min_order)
        reader = tokenizers.resolve(options["tokenizer"], options["lowercase"])
        request = counts.best_overlap(*reader.reading, lowest, highest)
        options["tokenizer"] = reader.name
        super().__init__(Definition(GLEU, options, CoreRows(request, reader), formula, GleuScore))
