"""METEOR's alignment in Python, which alone can call a custom stemmer or WordNet and show what did not match."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bleuprint.core import counts
from bleuprint.core.staged_match import match_words, synonyms
from bleuprint.core.wordnet import SHIPPED, load

if TYPE_CHECKING:
    from bleuprint.compat.nltk.meteor_score import Stemmer, WordNet

__all__ = ["Pairs", "Words", "aligned", "matched_stems", "matched_synonyms", "matched_words"]

Words = dict[int, str]  # by position; matched words are removed
Pairs = list[tuple[int, int]]  # of positions in the hypothesis and in the reference


def aligned(own: Words, other: Words, stemmer: Stemmer | None, wordnet: WordNet | None) -> Pairs:
    """Pairs sorted by hypothesis: equal words, then equal stems, then stems that are synonyms."""
    return sorted(
        matched_words(own, other) + matched_stems(own, other, stemmer) + matched_synonyms(own, other, wordnet)
    )


def matched_words(own: Words, other: Words) -> Pairs:
    return match_words(own, other, lambda word: (word,))


def matched_stems(own: Words, other: Words, stemmer: Stemmer | None) -> Pairs:
    """Pairs of equal stems; words that do not match are replaced by their stems."""
    stem = (lambda word: counts.stem(word.lower())) if stemmer is None else stemmer.stem
    for words in (own, other):
        words.update({place: stem(word) for place, word in words.items()})
    return matched_words(own, other)


def matched_synonyms(own: Words, other: Words, wordnet: WordNet | None) -> Pairs:
    return match_words(own, other, lambda word: _synonyms(word, wordnet))


def _synonyms(word: str, wordnet: WordNet | None) -> set[str]:
    """The single-word lemmas in the synsets of a word, and the word itself."""
    if wordnet is None:
        return {word, *synonyms(word.lower(), load(SHIPPED))}
    names = (lemma.name() for synset in wordnet.synsets(word) for lemma in synset.lemmas())
    return {word, *(name for name in names if "_" not in name)}
