"""Density: the mean length of the fragment that a word of an output is copied in.

    density = Σ |f|² / |S|    over the extractive fragments f of the output S

Words that are not copied count as 0. Fragments are those of `coverage`, and so are the parts. A corpus score is the
mean over segments.
Grusky, Naaman and Artzi (2018): Newsroom: A Dataset of 1.3 Million Summaries with Diverse Extractive Strategies. NAACL.
"""

from __future__ import annotations

from bleuprint.metrics._fragments import FragmentMetric


class Density(FragmentMetric):
    """Mean length of the run, copied from the source, that a word of an output belongs to.

    >>> source = "the cat sat on the mat while the dog slept"
    >>> Density().sentence("the cat sat while a dog slept", source=source).value
    2.0
    """

    name = "density"
    has_percent = False
    default_threshold = 1.0
