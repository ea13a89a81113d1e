"""The edits that TER counts, for words that are already split."""

from __future__ import annotations

from collections.abc import Sequence

from bleuprint.core import counts
from bleuprint.core.columns import column

__all__ = ["trace_to_alignment", "translation_edit_rate"]

# Operations of a trace, and whether each takes a word of the hypothesis, takes one of the reference, and is an error.
_OPERATIONS = {" ": (True, True, 0), "s": (True, True, 1), "i": (True, False, 1), "d": (False, True, 1)}


def translation_edit_rate(words_hyp: Sequence[str], words_ref: Sequence[str]) -> tuple[int, int]:
    """The number of edits and the number of reference words.

    >>> translation_edit_rate("on the mat sat the cat".split(), "the cat sat on the mat".split())
    (2, 6)
    """
    texts = column([list(words_hyp)], "words_hyp", tokenized=True)
    references = column([[list(words_ref)]], "words_ref", groups=True, tokenized=True)
    edits = counts.shifts("none", "none", False).rows(texts, references, None, 1)[0, 0]
    return int(edits), len(words_ref)


def trace_to_alignment(trace: str) -> tuple[dict[int, int], list[int], list[int]]:
    """The hypothesis position of each reference word, then 1 for each error among the words of both, reference first.

    A trace has a letter for each operation: s, i, d, or a space for equal words.

    >>> trace_to_alignment(" sid")
    ({0: 0, 1: 1, 2: 2}, [0, 1, 1], [0, 1, 1])
    """
    places: dict[int, int] = {}
    reference_errors: list[int] = []
    hypothesis_errors: list[int] = []
    for operation in trace:
        if operation not in _OPERATIONS:
            raise Exception(f"unknown operation {operation!r}")
        in_hypothesis, in_reference, error = _OPERATIONS[operation]
        if in_hypothesis:
            hypothesis_errors.append(error)
        if in_reference:
            places[len(reference_errors)] = len(hypothesis_errors) - 1
            reference_errors.append(error)
    return places, reference_errors, hypothesis_errors
