"""The settings that someone may have used, from the usual to the unlikely."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations, product
from typing import Any

from bleuprint.errors import OptionError
from bleuprint.insight._rows import AnyMetric
from bleuprint.metrics import profiles, registry
from bleuprint.metrics.smoothing import METHODS

_CASE = {"lowercase": (False, True)}
_WORDS = {**_CASE, "tokenizer": ("whitespace", "13a", "nltk", "char")}


def characters(text: str) -> list[str]:
    """Split a text into characters, spaces included: what NLTK does to a string that should be a list of tokens."""
    return list(text)


# What people vary, by metric. Every value is tried with every profile, with at most three departures at a time.
SPACES: dict[str, dict[str, tuple[Any, ...]]] = {
    "bleu": {
        **_CASE,
        "tokenizer": ("13a", "intl", "whitespace", "nltk", "char", "zh", characters),
        "smoothing": tuple(method.usual_text for method in METHODS.values()),
        "max_order": (4, 1, 2, 3),
        "effective_order": (False, True),
        "reference_length": ("closest", "shortest"),
    },
    "chrf": {
        **_CASE,
        "word_order": (0, 1, 2),
        "beta": (2.0, 1.0, 3.0),
        "char_order": (6, 5, 4),
        "whitespace": (False, True),
        "eps_smoothing": (False, True),
    },
    "ter": {**_CASE, "normalized": (False, True), "no_punct": (False, True), "asian_support": (False, True)},
    "rouge": {"tokenizer": ("rouge", "unicode", "whitespace"), "stemmer": (False, True)},
    "gleu": {**_CASE, "tokenizer": ("13a", "nltk", "whitespace", "intl", "char"), "max_order": (4, 1, 2, 3)},
    "wer": _WORDS,
    "mer": _WORDS,
    "wil": _WORDS,
    "wip": _WORDS,
    "cer": {**_CASE, "whitespace": ("strip", "keep", "collapse", "remove")},
}
MOST_DEPARTURES = 3


@dataclass(frozen=True, slots=True)
class Candidate:
    """A profile (None: the metric's defaults) and the options that differ from it."""

    metric: AnyMetric
    profile: str | None
    departures: tuple[tuple[str, Any], ...]

    @property
    def cost(self) -> int:
        """One per departure, two for a mistake."""
        return len(self.departures) + sum(value is characters for _, value in self.departures)


def candidates(name: str) -> Iterator[Candidate]:
    """All distinct definitions of the metric in the space, those with the fewest departures first."""
    if not isinstance(name, str) or name not in SPACES:
        raise OptionError("metric", f"one of {', '.join(SPACES)}, any", name)
    space, seen, kind = SPACES[name], set(), registry.metrics("segment")[name]
    for count in range(MOST_DEPARTURES + 1):
        for profile in profiles.names(name) or (None,):
            base: dict[str, Any] = {} if profile is None else {"profile": profile}
            defaults = kind(**base).options
            for departures in _departures(space, count):
                options: dict[str, Any] = dict(departures)
                if options.get("tokenizer") is characters and profile != "nltk":
                    continue
                if any(option in defaults and defaults[option] == value for option, value in departures):
                    continue  # not a departure
                try:
                    metric = kind(**base, **options)
                except OptionError:  # incompatible options
                    continue
                key = tuple(metric.options.values())  # in the order in which the metric lists them
                if key not in seen:
                    seen.add(key)
                    yield Candidate(metric, profile, departures)


def _departures(space: Mapping[str, tuple[Any, ...]], count: int) -> Iterator[tuple[tuple[str, Any], ...]]:
    for options in combinations(space, count):
        for values in product(*(space[option] for option in options)):
            yield tuple(zip(options, values, strict=True))
