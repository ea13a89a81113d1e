"""METEOR's alignment with a custom stemmer or WordNet, which only Python can call."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from bleuprint.core import counts
from bleuprint.core.staged_match import synonyms
from bleuprint.core.wordnet import SHIPPED, load

if TYPE_CHECKING:
    from bleuprint.compat.nltk.meteor_score import Stemmer, WordNet

__all__ = ["aligned"]

Words = dict[int, str]  # by position; matched words are removed


def aligned(
    hypothesis: list[str], reference: list[str], stemmer: Stemmer | None, wordnet: WordNet | None
) -> list[tuple[int, int]]:
    """Pairs of positions, sorted by hypothesis: equal words, then equal stems, then stems that are synonyms."""
    own, other = dict(enumerate(hypothesis)), dict(enumerate(reference))
    stem = (lambda word: counts.stem(word.lower())) if stemmer is None else stemmer.stem
    pairs = _matched(own, other, lambda word: (word,))
    own, other = ({place: stem(word) for place, word in words.items()} for words in (own, other))
    pairs += _matched(own, other, lambda word: (word,))
    pairs += _matched(own, other, lambda word: _synonyms(word, wordnet))
    return sorted(pairs)


def _matched(own: Words, other: Words, names: Callable[[str], Iterable[str]]) -> list[tuple[int, int]]:
    """From the end, match each word with the last free reference word that equals one of its names."""
    places = defaultdict(list)
    for place, word in other.items():
        places[word].append(place)
    pairs = []
    for place in reversed(own):
        best = max(
            (name for name in names(own[place]) if places.get(name)), key=lambda name: places[name][-1], default=None
        )
        if best is not None:
            pairs.append((place, places[best].pop()))
    for mine, theirs in pairs:
        del own[mine], other[theirs]
    return pairs


def _synonyms(word: str, wordnet: WordNet | None) -> set[str]:
    """The single-word lemmas in the synsets of a word, and the word itself."""
    if wordnet is None:
        return {word, *synonyms(word.lower(), load(SHIPPED))}
    names = (lemma.name() for synset in wordnet.synsets(word) for lemma in synset.lemmas())
    return {word, *(name for name in names if "_" not in name)}
