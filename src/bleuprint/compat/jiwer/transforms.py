"""jiwer.transforms: steps that turn texts into lists of words or characters, as jiwer documents them."""

from __future__ import annotations

import re
import string
import sys
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

__all__ = [
    "AbstractTransform",
    "Compose",
    "ExpandCommonEnglishContractions",
    "ReduceToListOfListOfChars",
    "ReduceToListOfListOfWords",
    "ReduceToSingleSentence",
    "RemoveEmptyStrings",
    "RemoveKaldiNonWords",
    "RemoveMultipleSpaces",
    "RemovePunctuation",
    "RemoveSpecificWords",
    "RemoveWhiteSpace",
    "Strip",
    "SubstituteRegexes",
    "SubstituteWords",
    "ToLowerCase",
    "ToUpperCase",
]

Transform = Callable[[Any], Any]

# In jiwer's order: "won't" goes before "n't".
_CONTRACTIONS = {
    "won't": "will not",
    "can't": "can not",
    "let's": "let us",
    "n't": " not",
    "'re": " are",
    "'s": " is",
    "'d": " would",
    "'ll": " will",
    "'t": " not",
    "'ve": " have",
    "'m": " am",
}


class AbstractTransform:
    """Base class of transforms: define `process_string`, or `process_list` if texts depend on each other."""

    def __call__(self, sentences: str | list[str]) -> Any:
        if isinstance(sentences, str):
            return self.process_string(sentences)
        if isinstance(sentences, list):
            return self.process_list(sentences)
        raise ValueError(f"input {sentences} was expected to be a string or list of strings")

    def process_string(self, s: str) -> object:
        raise NotImplementedError

    def process_list(self, inp: list[str]) -> object:
        return [self.process_string(text) for text in inp]


class Compose:
    """Applies transforms one after the other."""

    def __init__(self, transforms: Sequence[Transform]) -> None:
        self.transforms = transforms

    def __call__(self, text: Any) -> Any:
        for transform in self.transforms:
            text = transform(text)
        return text


class BaseRemoveTransform(AbstractTransform):
    """Replaces each of several strings by another."""

    def __init__(self, tokens_to_remove: Iterable[str], replace_token: str = "") -> None:
        self.tokens_to_remove = tokens_to_remove
        self.replace_token = replace_token

    def process_string(self, s: str) -> str:
        for token in self.tokens_to_remove:
            s = s.replace(token, self.replace_token)
        return s


class _Reduce(AbstractTransform):
    """A list of tokens for each text; without a text, one empty list."""

    def process_string(self, s: str) -> object:
        return self.process_list([s])


class ReduceToListOfListOfWords(_Reduce):
    """Splits texts into words."""

    def __init__(self, word_delimiter: str = " ") -> None:
        self.word_delimiter = word_delimiter

    def process_list(self, inp: list[str]) -> list[list[str]]:
        return [[word for word in text.split(self.word_delimiter) if word] for text in inp] or [[]]


class ReduceToListOfListOfChars(_Reduce):
    """Splits texts into characters."""

    def process_list(self, inp: list[str]) -> list[list[str]]:
        return [list(text) for text in inp] or [[]]


class ReduceToSingleSentence(AbstractTransform):
    """Joins all texts that are not empty."""

    def __init__(self, word_delimiter: str = " ") -> None:
        self.word_delimiter = word_delimiter

    def process_string(self, s: str) -> str:
        return s

    def process_list(self, inp: list[str]) -> list[str]:
        joined = str(self.word_delimiter).join(text for text in inp if len(text))
        return [joined] if joined else []


class SubstituteRegexes(AbstractTransform):
    """Replaces what matches regular expressions."""

    def __init__(self, substitutions: Mapping[str, str]) -> None:
        self.substitutions = substitutions

    def process_string(self, s: str) -> str:
        for found, replacement in self.substitutions.items():
            s = re.sub(self._pattern(found), replacement, s)
        return s

    def _pattern(self, found: str) -> str:
        return found


class SubstituteWords(SubstituteRegexes):
    """Replaces whole words."""

    def _pattern(self, found: str) -> str:
        return rf"\b{re.escape(found)}\b"


class RemoveSpecificWords(SubstituteWords):
    """Replaces whole words by a space."""

    def __init__(self, words_to_remove: Iterable[str]) -> None:
        super().__init__(dict.fromkeys(words_to_remove, " "))


class RemoveWhiteSpace(BaseRemoveTransform):
    """Removes ASCII whitespace, or replaces each character of it by a space."""

    def __init__(self, replace_by_space: bool = False) -> None:
        super().__init__(list(string.whitespace), " " if replace_by_space else "")


@lru_cache(maxsize=1)
def _punctuation() -> frozenset[str]:
    characters = map(chr, range(sys.maxunicode + 1))
    return frozenset(character for character in characters if unicodedata.category(character).startswith("P"))


class RemovePunctuation(BaseRemoveTransform):
    """Removes Unicode punctuation."""

    def __init__(self) -> None:
        super().__init__(_punctuation())
        self._table = dict.fromkeys(map(ord, _punctuation()))

    def process_string(self, s: str) -> str:
        return s.translate(self._table)  # one pass in place of one for each of 800 characters


class RemoveMultipleSpaces(AbstractTransform):
    """Replaces two or more whitespace characters by a space."""

    def process_string(self, s: str) -> str:
        return re.sub(r"\s\s+", " ", s)


class Strip(AbstractTransform):
    """Removes whitespace at both ends."""

    def process_string(self, s: str) -> str:
        return s.strip()


class RemoveEmptyStrings(AbstractTransform):
    """Drops texts without anything but whitespace; strips a single text."""

    def process_string(self, s: str) -> str:
        return s.strip()

    def process_list(self, inp: list[str]) -> list[str]:
        return [text for text in inp if self.process_string(text) != ""]


class ExpandCommonEnglishContractions(AbstractTransform):
    """Writes contractions out."""

    def process_string(self, s: str) -> str:
        for contraction, words in _CONTRACTIONS.items():
            s = s.replace(contraction, words)
        return s


class ToLowerCase(AbstractTransform):
    """Lowercases texts."""

    def process_string(self, s: str) -> str:
        return s.lower()


class ToUpperCase(AbstractTransform):
    """Uppercases texts."""

    def process_string(self, s: str) -> str:
        return s.upper()


class RemoveKaldiNonWords(AbstractTransform):
    """Removes what stands in square or angle brackets, such as `[laugh]` and `<unk>`."""

    def process_string(self, s: str) -> str:
        return re.sub(r"[<\[][^>\]]*[>\]]", "", s)
