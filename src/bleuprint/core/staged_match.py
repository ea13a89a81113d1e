"""Words that are matched in stages, and the synonyms of a table."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from bleuprint.core import _native, wordnet
from bleuprint.core.counts import Counts, adopt_unicode

__all__ = ["MatchScore", "staged_match", "synonyms"]


@lru_cache(maxsize=4)
def _synonyms(table: wordnet.Table) -> _native.Synonyms:
    return _native.make_synonyms(table.text)


def synonyms(word: str, table: wordnet.Table) -> list[str]:
    """The synonyms that a word in lower case has by this table, its own name among them if it is there."""
    return _synonyms(table).of(word)


class MatchScore(NamedTuple):
    """P · R / (w · P + (1 - w) · R), where w is the weight of recall, less the share that is lost for chunks:
    chunk_weight · (chunks / matches) ^ exponent."""

    recall_weight: float
    exponent: float
    chunk_weight: float


@lru_cache(maxsize=64)
def staged_match(
    scheme: str,
    lowercase: bool,
    stages: tuple[str, ...],
    score: MatchScore,
    table: wordnet.Table | None,
    *,
    lowered: bool,
) -> Counts:
    """Words matched one to one with those of the reference that scores highest, in the stages "exact", "stem" and
    "synonym" (with a table), and the chunks they make; `lowered` tells that words come in lower case already."""
    adopt_unicode()
    loaded = _synonyms(table) if table is not None and "synonym" in stages else None
    found = "exact" in stages, "stem" in stages
    plan = _native.staged_match_plan(scheme, lowercase, lowered or lowercase, *found, loaded, *score)
    return Counts(plan, ("matches", "chunks", "hypothesis_length", "reference_length"))
