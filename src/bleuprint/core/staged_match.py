"""Word matching in stages (exact, stem, synonym), and synonym lookup."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import TypeVar

from bleuprint.core import _native, wordnet
from bleuprint.core.counts import Counts, adopt_unicode


@lru_cache(maxsize=4)
def _synonyms(table: wordnet.Table) -> _native.Synonyms:
    return _native.make_synonyms(table.text)


def synonyms(word: str, table: wordnet.Table) -> list[str]:
    """Return the synonyms of a lowercase word, including the word itself if the table contains it."""
    return _synonyms(table).of(word)


Word = TypeVar("Word", str, str | int)


def match_words(
    own: dict[int, Word], other: dict[int, Word], names: Callable[[Word], Iterable[Word]]
) -> list[tuple[int, int]]:
    """From the end, match each word with the last free word of the other side that equals one of its names.

    Words are given by their places, of which the result has pairs. Those that are matched are removed.

    >>> match_words({0: "the", 1: "cat"}, {0: "cat", 1: "the", 2: "the"}, lambda word: (word,))
    [(1, 0), (0, 2)]
    """
    places: defaultdict[Word, list[int]] = defaultdict(list)
    for place, word in other.items():
        places[word].append(place)
    pairs = []
    for place in reversed(own):
        free = (name for name in names(own[place]) if places.get(name))
        best = max(free, key=lambda name: places[name][-1], default=None)
        if best is not None:
            pairs.append((place, places[best].pop()))
    for mine, theirs in pairs:
        del own[mine], other[theirs]
    return pairs


@lru_cache(maxsize=64)
def staged_match(
    scheme: str,
    lowercase: bool,
    stages: tuple[str, ...],
    score: tuple[float, float, float],
    table: wordnet.Table | None,
    *,
    lowered: bool,
) -> Counts:
    """One-to-one word matches with the best-scoring reference, in the stages "exact", "stem", and "synonym" (needs a
    table), and the chunks they form. `lowered` says that the words are already lowercase.

    The score (w, e, c) is P · R / (w · P + (1 - w) · R), reduced by the chunk penalty c · (chunks / matches) ^ e."""
    adopt_unicode()
    loaded = _synonyms(table) if table is not None and "synonym" in stages else None
    exact_and_stem = "exact" in stages, "stem" in stages
    plan = _native.staged_match_plan(scheme, lowercase, lowered or lowercase, *exact_and_stem, loaded, *score)
    return Counts(plan, ("matches", "chunks", "hypothesis_length", "reference_length"))
