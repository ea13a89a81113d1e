"""A few segments that all tests here score, and what bleuprint itself says of them."""

from __future__ import annotations

from tests.support.tables import POOL_TABLE, REFERENCE_TABLE

PREDICTIONS = [
    "The cat sat on the mat.",
    "A quick brown fox jumps over the lazy dog",
    "It is raining cats and dogs today, is it not?",
    "the the the",
    "",
    "Zwölf Boxkämpfer jagen Viktor quer über den Sylter Deich",
]
REFERENCES = [
    ["The cat is sitting on the mat.", "A cat sat on the mat."],
    ["A fast brown fox jumps over a lazy dog"],
    ["It rains cats and dogs today, doesn't it?", "It is raining heavily today.", "What a wet day it is today"],
    ["the cat"],
    ["nothing at all"],
    ["Zwölf Boxkämpfer jagten Viktor quer über den großen Sylter Deich"],
]
SOURCES = [
    "The cat sat on a rug.",
    "A quick brown fox leaps over the lazy dog",
    "It is raining today.",
    "the",
    "something",
    "Zwölf Boxer jagen Viktor über den Deich",
]


def own_score(name: str, part: slice = slice(None)) -> float:
    """The corpus score by the metric's own class."""
    predictions, references, sources = PREDICTIONS[part], REFERENCES[part], SOURCES[part]
    if name in POOL_TABLE:
        pool = POOL_TABLE[name]()
        if pool.needs_references:
            pool.add_references([text for group in references for text in group])
        return float(pool.corpus(predictions).value)
    metric = REFERENCE_TABLE[name]()
    return float(metric.corpus(predictions, references, sources=sources if metric.needs_sources else None).value)
