"""Smoothing of n-gram precisions, and the brevity penalty.

`METHODS` lists the methods: everything that depends on the method, from the signature to the report, reads it there.
Names are sacrebleu's where it has the method; `alias` is another name, such as that of NLTK (Chen and Cherry 2014).
`add-all` is what tensorflow/nmt and axion do. Methods 5 and 7 can exceed 1.
"""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from bleuprint.errors import OptionError
from bleuprint.metrics.base.formulas import Value, exp, log, named, ratio, where


def brevity_penalty(hypothesis_length: Value, reference_length: Value) -> Value:
    """1 if the hypothesis is at least as long as the reference, exp(1 - r/c) if shorter, 0 if empty."""
    c, r = hypothesis_length, reference_length
    if isinstance(c, int):
        return (1.0 if c >= r else math.exp(1 - r / c)) if c else 0.0
    return named("BP", where(c > 0, where(c >= r, 1.0, exp(1 - ratio(r, c))), 0.0))


@dataclass(slots=True)
class Orders:
    """Matches and totals of orders 1 to N, and the other values that some methods need."""

    matches: Sequence[Value]
    totals: Sequence[Value]
    length: Value  # of the hypothesis
    beyond: Value = 0.0  # precision of order 5, which method5 uses as the neighbor of the last order
    last_length: Value = 0  # hypothesis length that method6 derives its n-gram counts from


_Precisions = Callable[[Orders, float | None], list[Value]]


@dataclass(frozen=True, slots=True)
class Method:
    """A smoothing method: what it computes, what it says of itself, and what BLEU has to know of it."""

    name: str
    precisions: _Precisions
    summary: str  # in one sentence, the docstring of its function; {value} is the value of its parameter
    default: float | None = None  # value of its parameter; None if it has none
    alias: str = ""
    for_zeros: bool = False  # changes only orders without matches
    last_order: int = 0  # looks at the matches up to this order, whatever the longest n-grams are
    least_order: int = 1  # undefined for shorter n-grams
    contextual: bool = False  # looks beyond the summed counts
    fills_absent: bool = False  # adds to orders that a text is too short for: they count as k of k, as in sacrebleu
    in_core: bool = False  # native/rows/row_values.cpp repeats it, for speed
    in_sacrebleu: bool = False

    @property
    def usual_text(self) -> str:
        """The method with its default value, which sacrebleu's signatures spell out and others leave out."""
        return f"{self.name}({self.default:g})" if self.in_sacrebleu and self.default is not None else self.name


METHODS: dict[str, Method] = {}


def _method(name: str, **traits: Any) -> Callable[[_Precisions], _Precisions]:
    """Enter a function into `METHODS`."""

    def enter(precisions: _Precisions) -> _Precisions:
        METHODS[name] = Method(name, precisions, precisions.__doc__ or "", **traits)
        return precisions

    return enter


@_method("none", for_zeros=True, in_core=True, in_sacrebleu=True)
def _none(orders: Orders, _: float | None) -> list[Value]:
    """There is none."""
    return [ratio(m, t) for m, t in zip(orders.matches, orders.totals, strict=True)]


@_method("floor", default=0.1, alias="method1", for_zeros=True, in_core=True, in_sacrebleu=True)
def _floor(orders: Orders, epsilon: float | None) -> list[Value]:
    """An order without a match counts as {value} of a match."""
    return [ratio(where(m > 0, m, epsilon), t) for m, t in zip(orders.matches, orders.totals, strict=True)]


@_method("add-k", default=1.0, alias="method2", fills_absent=True, in_core=True, in_sacrebleu=True)
def _add_k(orders: Orders, k: float | None) -> list[Value]:
    """{value} is added to the matches and totals from order 2 on."""
    higher = Orders(orders.matches[1:], orders.totals[1:], orders.length)
    return [ratio(orders.matches[0], orders.totals[0]), *_add_all(higher, k)]


@_method("add-all", default=1.0, alias="add-one", in_core=True)
def _add_all(orders: Orders, k: float | None) -> list[Value]:
    """{value} is added to the matches and totals of every order."""
    assert k is not None
    return [ratio(m + k, t + k) for m, t in zip(orders.matches, orders.totals, strict=True)]


@_method("exp", alias="method3", for_zeros=True, in_core=True, in_sacrebleu=True)
def _exp(orders: Orders, _: float | None) -> list[Value]:
    """Successive orders without a match count as 1/2, 1/4, 1/8, … of a match."""
    precisions, added = [], 1.0
    for m, t in zip(orders.matches, orders.totals, strict=True):
        if isinstance(m, int) and m:  # as below, in half the time
            precisions.append(m / t)
            continue
        added = where((m == 0) & (t > 0), added / 2, added)
        precisions.append(ratio(where(m > 0, m, added), t))
    return precisions


@_method("method0", for_zeros=True)
def _method0(orders: Orders, _: float | None) -> list[Value]:
    """A precision of 0 becomes the smallest floating-point number."""
    return [where(p > 0, p, sys.float_info.min) for p in _none(orders, None)]


@_method("method4", default=5.0, for_zeros=True)
def _method4(orders: Orders, k: float | None) -> list[Value]:
    """Like exp, but divided by {value} / log(c), so shorter texts get less."""
    precisions, scale = [], 1.0
    longer = orders.length > 1
    logarithm = log(where(longer, orders.length, 2))
    for m, t in zip(orders.matches, orders.totals, strict=True):
        smoothed = (m == 0) & longer
        scale = where(smoothed, scale * 2, scale)
        precisions.append(where(smoothed, ratio(1.0 / (scale * k / logarithm), t), ratio(m, t)))
    return precisions


@_method("method5", last_order=5, contextual=True)
def _method5(orders: Orders, _: float | None) -> list[Value]:
    """Each precision is averaged with its neighbors; before q_1 stands q_1 + 1, beyond the last b, that of order 5."""
    return _average(_none(orders, None), orders.beyond)


def _average(precisions: list[Value], beyond: Value) -> list[Value]:
    """Average each precision with its neighbors; before the first stands p1 + 1, as in NLTK and the paper."""
    precisions = named("q", precisions)
    averages, before = [], precisions[0] + 1
    for order, after in enumerate([*precisions[1:], beyond], start=1):
        before = named(f"a_{order}", (before + precisions[order - 1] + after) / 3)
        averages.append(before)
    return averages


@_method("method6", default=5.0, least_order=3, contextual=True)
def _method6(orders: Orders, alpha: float | None) -> list[Value]:
    """From order 3 on, precisions are interpolated with the trend of the two orders before."""
    plain = _none(orders, None)
    precisions: list[Value] = named("p", plain[:2])
    for n in range(2, len(plain)):
        before, earlier = precisions[n - 1], precisions[n - 2]
        trend = ratio(before * before, earlier)
        grams = where(orders.last_length > n, orders.last_length - n, 0)
        smoothed = where(plain[2] > 0, ratio(orders.matches[n] + alpha * trend, grams + alpha), 0.0)
        precisions.append(named(f"p_{n + 1}", smoothed))
    return precisions


@_method("method7", default=5.0, last_order=5, contextual=True)
def _method7(orders: Orders, k: float | None) -> list[Value]:
    """Method4 first, then each precision is averaged with its neighbors as in method5."""
    return _average(_method4(orders, k), orders.beyond)


_PATTERN = re.compile(r"(?P<method>[a-z]+(?:-[a-z]+)?[0-9]?)(?:\((?P<value>[^)]*)\))?")
_ALIASES = {method.alias: method.name for method in METHODS.values() if method.alias}
_NAMES = [*METHODS, *sorted(_ALIASES, key=lambda alias: not alias.startswith("method"))]  # NLTK's first
_ALLOWED = f"one of {', '.join(_NAMES)}, optionally with a value such as floor(0.1)"


@dataclass(frozen=True, slots=True)
class Smoothing:
    """A smoothing method and its value.

    >>> Smoothing.parse("method1")
    Smoothing(method='floor', value=0.1)
    >>> str(Smoothing.parse("add-k(2)"))
    'add-k(2.0)'
    """

    method: str
    value: float | None = None

    @classmethod
    def parse(cls, text: str | Smoothing) -> Smoothing:
        if isinstance(text, Smoothing):
            return text
        if not isinstance(text, str):
            raise OptionError("smoothing", _ALLOWED, text)
        return _parse(text)

    def __str__(self) -> str:
        return self.method if self.value is None else f"{self.method}({self.value!r})"

    @property
    def rules(self) -> Method:
        """What `METHODS` says of the method."""
        return METHODS[self.method]

    def precisions(self, orders: Orders) -> list[Value]:
        """Smoothed precisions of orders 1 to N."""
        return METHODS[self.method].precisions(orders, self.value)


@lru_cache
def _parse(text: str) -> Smoothing:
    match = _PATTERN.fullmatch(text)
    method = _ALIASES.get(match["method"], match["method"]) if match else ""
    if match is None or method not in METHODS or (match["value"] and METHODS[method].default is None):
        raise OptionError("smoothing", _ALLOWED, text)
    try:
        value = float(match["value"]) if match["value"] else METHODS[method].default
    except ValueError:
        value = math.nan
    if value is not None and not 0 <= value < math.inf:
        raise OptionError("smoothing", "a method with a finite value of at least 0, such as floor(0.1)", text)
    if value is not None and value > 1 and method == "floor":
        raise OptionError("smoothing", "floor with a value of at most 1, so that the score cannot exceed 1", text)
    if value == 0 and method in {"method4", "method7"}:
        raise OptionError("smoothing", f"{method} with a value above 0, because it divides by it", text)
    return Smoothing(method, value)
