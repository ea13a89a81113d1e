"""Contains match: the share of outputs that contain one of their references.

    CM = segments whose output contains a reference / segments

Both sides are cleaned first, as for `ExactMatch`. The search is for a substring, so "cat" is found in "concatenate".
Every output contains the empty reference.
"""

from __future__ import annotations

from bleuprint.metrics._equality import EqualityMetric


class ContainsMatch(EqualityMetric):
    """Share of outputs that contain one of their references.

    - `ignore_punctuation`: drop Unicode punctuation and ASCII symbols
    - `ignore_numbers`: drop all digits and other number characters

    >>> ContainsMatch(lowercase=True).sentence("The capital is Paris.", "paris").value
    1.0
    >>> ContainsMatch(normalizer="squad").sentence("It's in Paris, France.", "the Paris").value
    1.0
    >>> ContainsMatch().sentence("Paris", "The capital is Paris.").value
    0.0
    """

    name = "contains-match"
    inside = True
