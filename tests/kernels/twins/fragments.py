"""Extractive fragments as Grusky et al. (2018), figure 3, define them, and novel n-grams."""

from __future__ import annotations

from collections.abc import Sequence

from tests.kernels.twins.clipped import grams

Text = Sequence[str]


def fragments(article: Text, summary: Text) -> list[int]:
    """The lengths of the fragments F(A, S), step by step as the figure has them."""
    found = []
    i = 0
    while i < len(summary):
        longest = 0
        j = 0
        while j < len(article):
            if summary[i] == article[j]:
                k, m = i, j
                while k < len(summary) and m < len(article) and summary[k] == article[m]:
                    k, m = k + 1, m + 1
                longest = max(longest, k - i)
                j = m
            else:
                j += 1
        if longest:
            found.append(longest)
        i += max(longest, 1)
    return found


def row(article: Text, summary: Text, max_order: int) -> list[int]:
    lengths = fragments(article, summary)
    numbers = [len(summary), len(article), len(lengths), sum(lengths), sum(length**2 for length in lengths)]
    for order in range(1, max_order + 1):
        own = set(grams(summary, order))
        numbers += [len(own), len(own - set(grams(article, order)))]
    return numbers
