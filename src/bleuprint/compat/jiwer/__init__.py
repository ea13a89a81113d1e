"""jiwer's error rates, alignments and transforms, counted by the core.

>>> from bleuprint.compat import jiwer
>>> jiwer.wer("the cat sat on the mat", "the cat sat on mat")
0.16666666666666666
>>> print(jiwer.visualize_alignment(jiwer.process_words("short one here", "shoe order one"), show_measures=False))
=== SENTENCE 1 ===
<BLANKLINE>
REF: **** short one here
HYP: shoe order one ****
        I     S        D
<BLANKLINE>

As in jiwer, references come before hypotheses, and words are separated by spaces only.
"""

from __future__ import annotations

from bleuprint.compat.jiwer.alignment import collect_error_counts, visualize_alignment, visualize_error_counts
from bleuprint.compat.jiwer.measures import cer, mer, wer, wil, wip
from bleuprint.compat.jiwer.process import (
    AlignmentChunk,
    CharacterOutput,
    WordOutput,
    process_characters,
    process_words,
)
from bleuprint.compat.jiwer.transformations import (
    cer_contiguous,
    cer_default,
    wer_contiguous,
    wer_default,
    wer_standardize,
    wer_standardize_contiguous,
)
from bleuprint.compat.jiwer.transforms import (
    AbstractTransform,
    Compose,
    ExpandCommonEnglishContractions,
    ReduceToListOfListOfChars,
    ReduceToListOfListOfWords,
    ReduceToSingleSentence,
    RemoveEmptyStrings,
    RemoveKaldiNonWords,
    RemoveMultipleSpaces,
    RemovePunctuation,
    RemoveSpecificWords,
    RemoveWhiteSpace,
    Strip,
    SubstituteRegexes,
    SubstituteWords,
    ToLowerCase,
    ToUpperCase,
)

__all__ = [
    "AbstractTransform",
    "AlignmentChunk",
    "CharacterOutput",
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
    "WordOutput",
    "cer",
    "cer_contiguous",
    "cer_default",
    "collect_error_counts",
    "mer",
    "process_characters",
    "process_words",
    "visualize_alignment",
    "visualize_error_counts",
    "wer",
    "wer_contiguous",
    "wer_default",
    "wer_standardize",
    "wer_standardize_contiguous",
    "wil",
    "wip",
]
