"""What a metric does where nothing is said: a default that changes moves everybody's scores, so it stands here too."""

from __future__ import annotations

from typing import Any

import pytest

from bleuprint.metrics.base.metric import Metric
from tests.support.tables import POOL_TABLE, REFERENCE_TABLE

# By name: the signature without options, and how the metric departs from most: higher is better, of an additive
# score between 0 and 1, without sources, batch by batch.
DEFAULTS: dict[str, tuple[str, set[str]]] = {
    "bleu": (
        "bleu.1|"
        "absent_order:undefined|context:corpus|effective_order:auto|lowercase:no|max_order:4|"
        "reference_length:closest|smoothing:exp|tokenizer:13a|weights:auto|zero_precision:zero|"
        "zero_when:no-match",
        set(),
    ),
    "chrf": (
        "chrf.1|beta:2.0|char_order:6|eps_smoothing:no|lowercase:no|whitespace:no|word_order:0",
        set(),
    ),
    "gec-gleu": (
        "gec-gleu.1|iterations:500|lowercase:no|max_order:4|tokenizer:whitespace",
        {"reads sources"},
    ),
    "gleu": (
        "gleu.1|lowercase:no|max_order:4|min_order:1|tokenizer:13a",
        set(),
    ),
    "ibleu": (
        "ibleu.1|"
        "absent_order:undefined|alpha:0.9|context:corpus|effective_order:auto|lowercase:no|"
        "max_order:4|reference_length:closest|smoothing:exp|tokenizer:13a|weights:auto|"
        "zero_precision:zero|zero_when:no-match",
        {"reads sources"},
    ),
    "rouge": (
        "rouge.1|stemmer:no|tokenizer:rouge|types:rouge1+rouge2+rougeL+rougeLsum",
        {"mean of segments"},
    ),
    "cer": (
        "cer.1|lowercase:no|whitespace:strip",
        {"lower is better"},
    ),
    "contains-match": (
        "contains-match.1|ignore_numbers:no|ignore_punctuation:no|lowercase:no|whitespace:strip",
        set(),
    ),
    "exact-match": (
        "exact-match.1|ignore_numbers:no|ignore_punctuation:no|lowercase:no|whitespace:strip",
        set(),
    ),
    "levenshtein-ratio": (
        "levenshtein-ratio.1|definition:levenshtein|lowercase:no|whitespace:keep",
        {"mean of segments"},
    ),
    "mer": (
        "mer.1|lowercase:no|tokenizer:whitespace",
        {"lower is better"},
    ),
    "meteor": (
        "meteor.1|"
        "alpha:0.9|beta:3.0|gamma:0.5|lowercase:yes|stages:exact+stem+synonym|tokenizer:nltk|"
        "wordnet:wordnet-3.0",
        {"mean of segments"},
    ),
    "sari": (
        "sari.1|averaging:scores|counting:tokens|deletion:f1|lowercase:yes|max_order:4|tokenizer:13a",
        {"reads sources"},
    ),
    "item-bleu": ("sentence-bleu.1|case_sensitive:no|n_grams:4|smoothing:yes", {"mean of segments"}),
    "squad-f1": ("squad-f1.1|normalizer:squad", {"mean of segments"}),
    "ter": (
        "ter.1|lowercase:yes|tokenizer:tercom",
        {"lower is better"},
    ),
    "wer": (
        "wer.1|lowercase:no|tokenizer:whitespace",
        {"lower is better"},
    ),
    "wil": (
        "wil.1|lowercase:no|tokenizer:whitespace",
        {"lower is better"},
    ),
    "wip": ("wip.1|lowercase:no|tokenizer:whitespace", set()),
    "cider": (
        "cider.1|lowercase:yes|max_order:4|prior:auto|sigma:6.0|tokenizer:unicode-words|variant:cider-d",
        {"no percent", "mean of segments", "no stream"},
    ),
    "nist": (
        "nist.1|lowercase:no|max_order:5|prior:auto|tokenizer:13a",
        {"no percent", "no stream"},
    ),
    "cross-bleu": (
        "cross-bleu.1|lowercase:no|max_order:5|smoothing:floor(0.1)|tokenizer:nltk|weights:auto",
        set(),
    ),
    "distinct": (
        "distinct.1|lowercase:no|max_order:4|tokenizer:nltk",
        set(),
    ),
    "entropy": (
        "entropy.1|lowercase:no|max_order:4|tokenizer:nltk",
        set(),
    ),
    "ms-jaccard": (
        "ms-jaccard.1|lowercase:no|max_order:4|tokenizer:nltk",
        set(),
    ),
    "repetition-rate": (
        "repetition-rate.1|lowercase:no|max_order:4|tokenizer:nltk",
        {"lower is better"},
    ),
    "self-bleu": (
        "self-bleu.1|lowercase:no|max_order:5|sample:auto|seed:auto|smoothing:floor(0.1)|tokenizer:nltk|weights:auto",
        {"lower is better", "two texts"},
    ),
    "unique-ngrams": (
        "unique-ngrams.1|lowercase:no|max_order:4|tokenizer:nltk",
        set(),
    ),
}
EVERY: dict[str, Any] = {**REFERENCE_TABLE, **POOL_TABLE}


def departures(metric: Metric[Any]) -> set[str]:
    said = {"lower is better": not metric.higher_is_better}
    if metric.unit == "segment":
        said |= {"no percent": not metric.has_percent, "mean of segments": not metric.definition.summary.additive}
        said |= {"reads sources": metric.needs_sources, "no stream": not metric.can_stream, "slow": metric.slow}
    else:
        said["two texts"] = metric.fewest_texts == 2
    return {name for name, holds in said.items() if holds}


def test_no_metric_is_gone() -> None:
    """The signature of one that comes is on its card, which tests/metrics/test_cards.py compares."""
    assert set(DEFAULTS) <= set(EVERY)


@pytest.mark.parametrize("name", DEFAULTS)
def test_defaults(name: str) -> None:
    metric = EVERY[name]()
    assert (metric.signature, departures(metric)) == DEFAULTS[name]
