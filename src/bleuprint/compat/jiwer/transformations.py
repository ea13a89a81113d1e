"""jiwer.transformations: the compositions that process_words and process_characters apply."""

from __future__ import annotations

from bleuprint.compat.jiwer import transforms as steps
from bleuprint.compat.jiwer.transforms import Compose, Strip

__all__ = [
    "cer_contiguous",
    "cer_default",
    "wer_contiguous",
    "wer_default",
    "wer_standardize",
    "wer_standardize_contiguous",
]

_STANDARDIZE = (
    steps.ToLowerCase(),
    steps.ExpandCommonEnglishContractions(),
    steps.RemoveKaldiNonWords(),
    steps.RemoveWhiteSpace(replace_by_space=True),
)
_TRIM = steps.RemoveMultipleSpaces(), Strip()
_WORDS, _CHARACTERS = steps.ReduceToListOfListOfWords(), steps.ReduceToListOfListOfChars()
_JOIN = steps.ReduceToSingleSentence()

wer_default = Compose([*_TRIM, _WORDS])
wer_contiguous = Compose([*_TRIM, _JOIN, _WORDS])  # all texts as one, if there are not as many on both sides
wer_standardize = Compose([*_STANDARDIZE, *_TRIM, _WORDS])
wer_standardize_contiguous = Compose([*_STANDARDIZE, *_TRIM, _JOIN, _WORDS])
cer_default = Compose([Strip(), _CHARACTERS])
cer_contiguous = Compose([Strip(), _JOIN, _CHARACTERS])
