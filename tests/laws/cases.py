"""The metrics of the table under the options whose laws are tested.

A metric joins the laws by being in the table, with its default options. Here stand further options, and which
laws a metric does not keep, each with the reason.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from hypothesis import strategies as st

from bleuprint import LanguageModel, NgramIndex
from bleuprint.metrics import profiles, registry
from bleuprint.metrics.base.metric import FittedMetric, Metric

AnyMetric = Metric[Any]
# The models know the first five letters of the texts; fitted metrics weight by references of them.
TRAINED = ["a b c d e", "a b c", "b c d", "e d c b a", "a a b", "c", ""]


@cache
def model(option: str, order: int) -> LanguageModel | NgramIndex:
    if option == "index":
        return NgramIndex.build(TRAINED, max_order=order, tokenizer="whitespace")
    return LanguageModel.train(TRAINED, order=order, discount_fallback=True)


@dataclass(frozen=True)
class Case:
    """A metric with options, and the laws that do not hold for it; for a model, the options name its order."""

    metric: str
    options: dict[str, Any] = field(default_factory=dict)
    breaks: frozenset[str] = frozenset()

    def outside(self) -> dict[str, Any]:
        """The options that a signature does not bring back."""
        needed = registry.model_option(registry.metrics()[self.metric])
        functions = {name: value for name, value in self.options.items() if callable(value)}
        return functions if needed is None else {needed: model(needed, self.options[needed])}

    def make(self) -> AnyMetric:
        kind: Any = registry.metrics()[self.metric]
        metric: AnyMetric = kind(**{**self.options, **self.outside()})
        return metric.fit(TRAINED) if isinstance(metric, FittedMetric) else metric

    def keeps(self, law: str) -> bool:
        return law not in self.breaks


# A smoothed precision does not scale with the text: half a match stays half a match in twice the corpus.
_SMOOTHED = frozenset({"repetition"})
# NLTK's method5 puts p1 + 1 before the first precision and so exceeds 1; method7 builds on it.
_AVERAGED = _SMOOTHED | {"bounds", "perfect", "perfect corpus", "degradation"}
# method6 divides by the n-grams of one text of the summed length, of which several texts have fewer.
_INTERPOLATED = _SMOOTHED | {"perfect corpus"}
# In NLTK's corpora methods 5 to 7 look at the last segment, so a corpus is not a set of segments.
_LAST_SEGMENT = frozenset({"segment order", "commutative"})
# Something is added to unigrams without a match as well.
_NEVER_ZERO = _SMOOTHED | {"disjoint"}

_PROFILE_BREAKS: dict[str, frozenset[str]] = {
    "sacrebleu": _SMOOTHED,
    "torchmetrics": frozenset({"reference order"}),  # of two equally near lengths the first listed counts
    "axion": _NEVER_ZERO,
}

_BLEU = [
    Case("bleu", {}, _SMOOTHED),
    *(Case("bleu", {"profile": name}, _PROFILE_BREAKS.get(name, frozenset())) for name in profiles.names("bleu")),
    Case("bleu", {"smoothing": "none"}),
    Case("bleu", {"smoothing": "none", "effective_order": True, "lowercase": True, "tokenizer": "intl"}),
    Case("bleu", {"smoothing": "floor(0.5)", "max_order": 2}, _SMOOTHED),
    Case("bleu", {"smoothing": "add-k(2)", "tokenizer": "char", "max_order": 6}, _SMOOTHED),
    Case("bleu", {"smoothing": "add-all", "max_order": 3}, _SMOOTHED),
    Case("bleu", {"smoothing": "method4", "tokenizer": str.split}, _SMOOTHED),
    Case("bleu", {"smoothing": "method5"}, _AVERAGED),
    Case("bleu", {"smoothing": "method6"}, _INTERPOLATED),
    Case("bleu", {"smoothing": "method7", "max_order": 6}, _AVERAGED),
    Case("bleu", {"profile": "nltk", "smoothing": "method5"}, _AVERAGED | _LAST_SEGMENT),
    # The sum of all matches over the n-grams of one segment can exceed 1.
    Case("bleu", {"profile": "nltk", "smoothing": "method6"}, _INTERPOLATED | _LAST_SEGMENT | {"bounds"}),
    Case("bleu", {"max_order": 16, "tokenizer": "none"}, _SMOOTHED),
    Case("bleu", {"max_order": 3, "weights": (0.5, 0.5, 0.0), "reference_length": "shortest"}, _SMOOTHED),
]
# Of two references with an equal share the first counts, and the other may have come to it by other counts.
_FIRST_OF_EQUALS = frozenset({"reference rows"})
# Characters are counted, so tokens are refused. Scores of references are compared in percent, as sacrebleu does, where
# two that are one rounding apart may be equal.
_CHARACTERS = _FIRST_OF_EQUALS | {"tokens", "reference rounding"}
# What divides is the mean length of all references.
_MEAN_LENGTH = frozenset({"one reference twice"})
# Characters are compared, so tokens are refused; and two empty texts are equal.
_STRINGS = frozenset({"tokens", "disjoint"})
# Where all references are empty, the rate is the number of insertions: twice the corpus has twice as many.
_EMPTY_REFERENCES = _FIRST_OF_EQUALS | {"repetition"}
# Even one chunk costs something, the more the shorter a text is: equal texts score 1 only without the penalty.
_METEOR = _FIRST_OF_EQUALS | {"perfect", "perfect corpus"}
# A sum of floats is rounded where the exact sum of a corpus is not.
_ROUNDED = frozenset({"exact sample"})
# Stems and synonyms depend on the letters.
_LETTERS = frozenset({"renaming"})
_CASES = {
    "bleu": _BLEU,
    "chrf": [
        Case("chrf", {}, _CHARACTERS),
        Case("chrf", {"profile": "chrf++", "beta": 3, "lowercase": True}, _CHARACTERS),
        Case("chrf", {"char_order": 0, "word_order": 2, "beta": 0.5}, _CHARACTERS),
        Case("chrf", {"char_order": 16, "beta": 0}, _CHARACTERS),
        # Blanks are characters, which any two texts of several words share.
        Case("chrf", {"whitespace": True, "word_order": 1}, _CHARACTERS | {"blanks", "disjoint"}),
        # An order without any match counts as 10⁻¹⁶.
        Case("chrf", {"eps_smoothing": True, "word_order": 1}, _CHARACTERS | {"disjoint"}),
    ],
    "cer": [
        Case("cer", {}, _EMPTY_REFERENCES | {"tokens", "blanks"}),
        Case("cer", {"whitespace": "keep"}, _EMPTY_REFERENCES | {"tokens", "blanks"}),
        Case("cer", {"whitespace": "collapse", "lowercase": True}, _EMPTY_REFERENCES | {"tokens"}),
        Case("cer", {"whitespace": "remove"}, _EMPTY_REFERENCES | {"tokens"}),
        Case("cer", {"normalizer": "whisper-basic"}, _EMPTY_REFERENCES | {"tokens"}),
    ],
    "contains-match": [
        Case("contains-match", {}, _STRINGS),
        Case("contains-match", {"whitespace": "keep"}, _STRINGS | {"blanks"}),
        Case("contains-match", {"whitespace": "remove", "lowercase": True}, _STRINGS),
    ],
    "exact-match": [
        Case("exact-match", {}, _STRINGS),
        Case("exact-match", {"whitespace": "collapse", "ignore_punctuation": True, "ignore_numbers": True}, _STRINGS),
    ],
    "gleu": [
        Case("gleu", {}, _FIRST_OF_EQUALS),
        Case("gleu", {"min_order": 2, "max_order": 3, "tokenizer": "whitespace"}, _FIRST_OF_EQUALS),
        *(Case("gleu", {"profile": name}, _FIRST_OF_EQUALS) for name in profiles.names("gleu")),
    ],
    "rouge": [
        # Letters that are not ASCII are no words to the original's tokenizer.
        Case("rouge", {}, _FIRST_OF_EQUALS | {"renaming"}),
        Case("rouge", {"tokenizer": "unicode"}, _FIRST_OF_EQUALS),
        Case("rouge", {"types": "rougeLsum+rouge2", "tokenizer": "unicode"}, _FIRST_OF_EQUALS),
        # Stems depend on the letters.
        Case("rouge", {"types": "rougeL", "stemmer": True}, _FIRST_OF_EQUALS | {"renaming"}),
        Case("rouge", {"stemmer": "german", "tokenizer": "unicode"}, _FIRST_OF_EQUALS | {"renaming"}),
        Case("rouge", {"types": "rouge3", "tokenizer": str.split}, _FIRST_OF_EQUALS),
    ],
    "levenshtein-ratio": [
        Case("levenshtein-ratio", {}, _STRINGS | _FIRST_OF_EQUALS | {"blanks"}),
        Case("levenshtein-ratio", {"profile": "rapidfuzz"}, _STRINGS | _FIRST_OF_EQUALS | {"blanks"}),
        Case("levenshtein-ratio", {"whitespace": "collapse", "lowercase": True}, _STRINGS | _FIRST_OF_EQUALS),
    ],
    "meteor": [
        Case("meteor", {}, _METEOR | _LETTERS),
        Case("meteor", {"gamma": 0.0, "alpha": 0.5, "tokenizer": "13a"}, _FIRST_OF_EQUALS | _LETTERS),
        Case("meteor", {"stages": "exact", "lowercase": False}, _METEOR),
        Case("meteor", {"stages": "exact+stem", "beta": 0.5, "gamma": 1.0, "tokenizer": str.split}, _METEOR | _LETTERS),
        Case("meteor", {"stages": "synonym", "alpha": 0.1}, _METEOR | _LETTERS),
    ],
    "mer": [Case("mer", {}, _FIRST_OF_EQUALS), Case("mer", {"tokenizer": "char"}, _FIRST_OF_EQUALS)],
    "item-bleu": [
        Case("item-bleu", {}, frozenset({"disjoint"})),  # add-one smoothing
        Case("item-bleu", {"n_grams": 2, "case_sensitive": True, "smoothing": False}),
    ],
    # Whole texts are normalized, so tokens are refused, and "a" is an article, which is dropped.
    "squad-f1": [
        Case("squad-f1", {"normalizer": None}, _FIRST_OF_EQUALS),
        Case("squad-f1", {}, _FIRST_OF_EQUALS | {"tokens", "renaming"}),
    ],
    "ter": [
        Case("ter", {}, _MEAN_LENGTH),
        Case("ter", {"profile": "sacrebleu", "lowercase": False}, _MEAN_LENGTH),
        Case("ter", {"normalized": True, "no_punct": True, "asian_support": True}, _MEAN_LENGTH),
        Case("ter", {"tokenizer": "char"}, _MEAN_LENGTH),
        Case("ter", {"tokenizer": str.split}, _MEAN_LENGTH),
    ],
    "wer": [
        Case("wer", {}, _EMPTY_REFERENCES),
        Case("wer", {"tokenizer": "13a", "lowercase": True}, _EMPTY_REFERENCES),
        Case("wer", {"tokenizer": str.split}, _EMPTY_REFERENCES),
        Case("wer", {"normalizer": "squad"}, _EMPTY_REFERENCES | {"tokens", "renaming"}),
    ],
    # Two empty texts preserve everything.
    "wip": [
        Case("wip", {}, _FIRST_OF_EQUALS | {"disjoint"}),
        Case("wip", {"lowercase": True}, _FIRST_OF_EQUALS | {"disjoint"}),
    ],
    "wil": [Case("wil", {}, _FIRST_OF_EQUALS), Case("wil", {"lowercase": True}, _FIRST_OF_EQUALS)],
    "ibleu": [
        Case("ibleu", {}, _SMOOTHED),
        Case("ibleu", {"smoothing": "floor", "tokenizer": "whitespace", "alpha": 0.7}, _SMOOTHED),
    ],
    "cider": [
        Case("cider"),
        Case("cider", {"variant": "cider", "max_order": 2}),
        Case("cider", {"tokenizer": str.split, "sigma": 2.0}),
    ],
    "nist": [
        Case("nist", {}, _ROUNDED),
        Case("nist", {"max_order": 2, "lowercase": True}, _ROUNDED),
        Case("nist", {"tokenizer": "char", "max_order": 7}, _ROUNDED),
    ],
    "perplexity": [
        Case("perplexity", {"lm": order, "unknown": rule}) for order in (1, 3) for rule in ("include", "exclude")
    ],
    "novelty": [Case("novelty", {"index": 3, "order": order}) for order in (1, 3)],
    "contamination": [
        Case("contamination", {"index": 3, "order": 2}),
        Case("contamination", {"index": 3, "order": 3, "profile": "palm"}),
        Case("contamination", {"index": 3, "order": 2, "profile": "llama2", "share": 0.5}),
        Case("contamination", {"index": 3, "order": 3, "short": "never", "unit": "tokens"}),
    ],
}


def options_of(metric: str) -> list[dict[str, Any]]:
    return [case.options for case in _CASES[metric]]


def default(metric: str) -> AnyMetric:
    """The metric under the first of its cases."""
    return _CASES.get(metric, [Case(metric)])[0].make()


def keepers(metrics: Sequence[str], law: str) -> list[str]:
    """The metrics that have a case which keeps the law."""
    return [metric for metric in metrics if any(case.keeps(law) for case in _CASES.get(metric, [Case(metric)]))]


def cases(metric: str, law: str = "") -> st.SearchStrategy[Case]:
    """The cases of a metric that keep the law; `law` is empty for the laws that all must keep."""
    return st.sampled_from([case for case in _CASES.get(metric, [Case(metric)]) if case.keeps(law)])
