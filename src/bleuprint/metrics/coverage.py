"""Coverage: the share of an output's words that are copied from its source in fragments.

    coverage = Σ |f| / |S|    over the extractive fragments f of the output S

Fragments are the runs of words that the output shares with the source, taken greedily from left to right, each as long
as possible (`native/rows/fragments.hpp` states the rule). A corpus score is the mean over segments, as are the parts:
density, compression (words of the source per word of the output) and novel_1 … novel_4, the shares of the output's
different n-grams that the source does not contain.
Grusky, Naaman and Artzi (2018): Newsroom: A Dataset of 1.3 Million Summaries with Diverse Extractive Strategies. NAACL.
"""

from __future__ import annotations

from bleuprint.metrics._fragments import FragmentMetric


class Coverage(FragmentMetric):
    """Share of the words of outputs that are copied from their sources.

    >>> source = "the cat sat on the mat while the dog slept"
    >>> print(Coverage(max_order=2).sentence("the cat sat while a dog slept", source=source))
    coverage = 0.8571 (coverage = 0.8571, density = 2.0000, compression = 1.4286, novel_1 = 0.1429, novel_2 = 0.5000)
    """

    name = "coverage"
