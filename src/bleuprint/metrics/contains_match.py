"""Contains match: the share of outputs in which one of their references stands.

    CM = segments whose output holds a reference / segments

Both sides are cleaned alike before, as for `ExactMatch`. A string is looked for as a string, so that "cat" stands in
"concatenate". An empty reference stands in every output.
"""

from __future__ import annotations

from bleuprint.metrics._equality import EqualityScore, equality
from bleuprint.metrics.base.metric import Metric

__all__ = ["ContainsMatch"]


class ContainsMatch(Metric[EqualityScore]):
    """Contains match; options as for `ExactMatch`.

    >>> ContainsMatch(lowercase=True).sentence("The capital is Paris.", "paris").value
    1.0
    >>> ContainsMatch().sentence("Paris", "The capital is Paris.").value
    0.0
    """

    name = "contains-match"

    def __init__(
        self,
        *,
        lowercase: bool = False,
        ignore_punctuation: bool = False,
        ignore_numbers: bool = False,
        whitespace: str = "strip",
    ) -> None:
        super().__init__(
            equality(ContainsMatch, lowercase, ignore_punctuation, ignore_numbers, whitespace, inside=True)
        )
