"""Exact match: the share of outputs that equal one of their references.

    EM = segments whose output equals a reference / segments

Both sides are cleaned the same way before they are compared. Equal means equal code points: there is no Unicode
normalization.
Rajpurkar, Zhang, Lopyrev, Liang (2016): SQuAD: 100,000+ Questions for Machine Comprehension of Text. EMNLP.
"""

from __future__ import annotations

from bleuprint.metrics._equality import EqualityMetric


class ExactMatch(EqualityMetric):
    """Share of outputs that equal one of their references.

    - `ignore_punctuation`: drop Unicode punctuation and ASCII symbols
    - `ignore_numbers`: drop all digits and other number characters

    >>> print(ExactMatch().corpus(["Paris", "london "], ["Paris", ["London", "london"]]))
    exact-match = 1.0000 (2 of 2)
    >>> ExactMatch(lowercase=True, ignore_punctuation=True).sentence("Yes!", "yes").value
    1.0
    >>> ExactMatch(normalizer="squad").sentence("the Eiffel Tower.", "Eiffel tower").value
    1.0
    """

    name = "exact-match"
    inside = False
