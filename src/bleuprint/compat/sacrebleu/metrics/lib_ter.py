"""The edits that TER counts, for words that are already split."""

from __future__ import annotations

from collections.abc import Sequence

from bleuprint.compat._tokens import total
from bleuprint.core import counts

__all__ = ["translation_edit_rate"]


def translation_edit_rate(words_hyp: Sequence[str], words_ref: Sequence[str]) -> tuple[int, int]:
    """The number of edits and the number of reference words.

    >>> translation_edit_rate("on the mat sat the cat".split(), "the cat sat on the mat".split())
    (2, 6)
    """
    return total(counts.shifts("none", "none", False), [[words_ref]], [words_hyp])[0], len(words_ref)
