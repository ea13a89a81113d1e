"""METEOR: words matched one to one by form, stem or meaning, with a penalty for scattered matches.

    P = matches / words of the text      R = matches / words of the reference
    F = P · R / (α · P + (1 − α) · R)     penalty = γ · (chunks / matches)^β      METEOR = F · (1 − penalty)

Matching runs in stages, each on the words the previous one left over: equal words, equal Porter stems, and reference
words among the WordNet synonyms of the text's word. A stage goes through the text from its end and takes the last free
reference word that fits. After the stem stage the remaining words are kept as stems, so synonyms are looked up for
stems. A chunk is a run of matches that are adjacent on both sides. All of this is NLTK's reading of the paper.
With several references the best one counts. A corpus score is the mean over segments.
Lavie and Agarwal (2007): METEOR: An Automatic Metric for MT Evaluation with High Levels of Correlation with Human
Judgments. Proceedings of the Second Workshop on Statistical Machine Translation.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

from bleuprint import checks, signature
from bleuprint.core import tokenizers
from bleuprint.core import wordnet as wordnets
from bleuprint.core.staged_match import staged_match
from bleuprint.errors import OptionError, SignatureError
from bleuprint.metrics.base import CoreRows, Definition, ExactMeans, MeanFormula, MeanScore, Metric
from bleuprint.metrics.base.formulas import Value, named, power, ratio
from bleuprint.metrics.base.options import options_in

STAGES = ("exact", "stem", "synonym")


@dataclass(frozen=True)
class MeteorFormula(MeanFormula):
    """The weighted mean of precision and recall, minus the fragmentation penalty."""

    alpha: float
    beta: float
    gamma: float

    def scores(self, columns: Sequence[Value]) -> dict[str, Value]:
        """The score, precision and recall, their mean F, and the fragmentation penalty."""
        matches, chunks, hypothesis_length, reference_length = columns
        precision = named("P", ratio(matches, hypothesis_length))
        recall = named("R", ratio(matches, reference_length))
        mean = named("F", ratio(precision * recall, self.alpha * precision + (1 - self.alpha) * recall))
        penalty = named("penalty", self.gamma * power(ratio(chunks, matches), self.beta))
        return {
            "meteor": named("METEOR", (1 - penalty) * mean),
            "precision": precision,
            "recall": recall,
            "f_mean": mean,
            "penalty": penalty,
        }


class METEOR(Metric[MeanScore]):
    """METEOR of English texts, equal to NLTK's.

    >>> score = METEOR().sentence("a kid ran", "the child runs")
    >>> round(score.value, 4), round(score["precision"], 4), score["penalty"]
    (0.625, 0.6667, 0.0625)

    - `stages`: one or more of "exact", "stem" and "synonym"
    - `alpha`: weight of recall in F
    - `beta`: exponent of the fragmentation penalty
    - `gamma`: largest fragmentation penalty
    - `wordnet`: the bundled table, or the path of a folder with WordNet's files index.*, data.* and *.exc

    A text without any match scores 0; so does an empty text.
    """

    name = "meteor"
    value_range = (0.0, 1.0)

    def __init__(
        self,
        *,
        tokenizer: str | tokenizers.Tokenize = "nltk",
        lowercase: bool = True,
        stages: str | Sequence[str] = STAGES,
        alpha: float = 0.9,
        beta: float = 3.0,
        gamma: float = 0.5,
        wordnet: str | os.PathLike[str] | None = None,
    ) -> None:
        options = options_in(locals())
        reader = tokenizers.resolve(tokenizer, lowercase)
        stage_names = _stages(stages)
        formula = MeteorFormula(
            checks.number("alpha", alpha, 0, 1), checks.number("beta", beta, 0), checks.number("gamma", gamma, 0, 1)
        )
        table = _table(wordnet, "synonym" in stage_names)
        options |= {"tokenizer": reader.name, "stages": "+".join(stage_names), **vars(formula)}
        options["wordnet"] = None if table is None else table.name
        score = formula.alpha, formula.beta, formula.gamma
        request = staged_match(*reader.reading, stage_names, score, table, lowered=lowercase)
        outside = {} if wordnet in (None, wordnets.SHIPPED) else {"wordnet": wordnet}
        super().__init__(
            Definition(METEOR, options, CoreRows(request, reader), formula, MeanScore, ExactMeans, outside=outside)
        )

    @classmethod
    def from_signature(cls, text: str, **replaced: Any) -> Self:
        """Recreate the metric from its signature; a WordNet folder must be passed again and have the same content."""
        named = signature.parse(text).options.get("wordnet")
        in_folder = isinstance(named, str) and named != wordnets.SHIPPED
        if in_folder and "wordnet" not in replaced:
            raise SignatureError(f"{named} is a WordNet in a folder: pass the folder as wordnet=….")
        metric = super().from_signature(text, **replaced)
        if in_folder and metric.options["wordnet"] != named:
            raise SignatureError(f"the WordNet is {metric.options['wordnet']}, not {named}.")
        return metric


def _stages(value: str | Sequence[str]) -> tuple[str, ...]:
    given = tuple(value.split("+") if isinstance(value, str) else value if isinstance(value, Sequence) else ())
    ordered = tuple(stage for stage in STAGES if stage in given)
    if not given or given != ordered:
        raise OptionError("stages", f"one or more of {', '.join(STAGES)}, in this order", value)
    return ordered


def _table(value: str | os.PathLike[str] | None, used: bool) -> wordnets.Table | None:
    if not used and value is not None:
        raise OptionError.because(f"wordnet={value!r} needs 'synonym' among the stages")
    if value is not None and not isinstance(value, str | os.PathLike):
        raise OptionError("wordnet", f"{wordnets.SHIPPED!r} or the path of a folder with WordNet's files", value)
    return wordnets.load(wordnets.SHIPPED if value is None else value) if used else None
