"""Smoothing of n-gram precisions, and the brevity penalty.

The same methods have several names in the literature:

| here | sacrebleu | NLTK (Chen & Cherry 2014) | |
|---|---|---|---|
| ``none`` | ``none`` | | a zero precision makes the score zero |
| ``floor(0.1)`` | ``floor`` | ``method1`` | ε matches if there are none |
| ``add-k(1)`` | ``add-k`` | ``method2`` | adds k to matches and totals from order 2 on |
| ``add-all(1)`` | | | the same for every order, including unigrams (tensorflow/nmt, axion) |
| ``exp`` | ``exp`` | ``method3`` | 1/2, 1/4, 1/8 … matches for successive orders without any |
| ``method0`` | | ``method0`` | the smallest float if there is no match |
| ``method4`` … ``method7`` | | ``method4`` … ``method7`` | see the functions below; 5 and 7 can exceed 1 |
"""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from bleuprint.errors import OptionError
from bleuprint.metrics.base.formulas import Value, exp, log, ratio, where

__all__ = ["Orders", "Smoothing", "brevity_penalty"]


def brevity_penalty(hypothesis_length: Value, reference_length: Value) -> Value:
    """1 if the hypothesis is at least as long as the reference, exp(1 - r/c) if shorter, 0 if empty."""
    c, r = hypothesis_length, reference_length
    if isinstance(c, int):
        return (1.0 if c >= r else math.exp(1 - r / c)) if c else 0.0
    return where(c > 0, where(c >= r, 1.0, exp(1 - ratio(r, c))), 0.0)


@dataclass(slots=True)
class Orders:
    """Matches and totals of orders 1 to N, and the other values that some methods need."""

    matches: Sequence[Value]
    totals: Sequence[Value]
    length: Value  # of the hypothesis
    beyond: Value = 0.0  # precision of order 5, which method5 uses as the neighbor of the last order
    last_length: Value = 0  # hypothesis length that method6 derives its n-gram counts from


_PATTERN = re.compile(r"(?P<method>[a-z]+(?:-[a-z]+)?[0-9]?)(?:\((?P<value>[^)]*)\))?")
_DEFAULTS = {"floor": 0.1, "add-k": 1.0, "add-all": 1.0, "method4": 5.0, "method6": 5.0, "method7": 5.0}
_ALIASES = {"method1": "floor", "method2": "add-k", "method3": "exp", "add-one": "add-all"}
_FOR_ZEROS = {"none", "floor", "exp", "method0", "method4"}
_METHODS = ("none", "floor", "add-k", "add-all", "exp", "method0", "method4", "method5", "method6", "method7")
_ALLOWED = f"one of {', '.join([*_METHODS, *_ALIASES])}, optionally with a value such as floor(0.1)"


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
        return _parsed(text)

    def __str__(self) -> str:
        return self.method if self.value is None else f"{self.method}({self.value!r})"

    @property
    def for_zeros(self) -> bool:
        """Whether the method only changes orders without matches."""
        return self.method in _FOR_ZEROS

    def precisions(self, orders: Orders) -> list[Value]:
        """Smoothed precisions of orders 1 to N."""
        return _FUNCTIONS[self.method](orders, self.value)


@lru_cache
def _parsed(text: str) -> Smoothing:
    match = _PATTERN.fullmatch(text)
    method = _ALIASES.get(match["method"], match["method"]) if match else ""
    if match is None or method not in _METHODS or (match["value"] and method not in _DEFAULTS):
        raise OptionError("smoothing", _ALLOWED, text)
    try:
        value = float(match["value"]) if match["value"] else _DEFAULTS.get(method)
    except ValueError:
        value = math.nan
    if value is not None and not 0 <= value < math.inf:
        raise OptionError("smoothing", "a method with a finite value of at least 0, such as floor(0.1)", text)
    if value is not None and value > 1 and method == "floor":
        raise OptionError("smoothing", "floor with a value of at most 1, so that the score cannot exceed 1", text)
    if value == 0 and method in {"method4", "method7"}:
        raise OptionError("smoothing", f"{method} with a value above 0, because it divides by it", text)
    return Smoothing(method, value)


def _none(orders: Orders, _: float | None) -> list[Value]:
    return [ratio(m, t) for m, t in zip(orders.matches, orders.totals, strict=True)]


def _floor(orders: Orders, epsilon: float | None) -> list[Value]:
    return [ratio(where(m > 0, m, epsilon), t) for m, t in zip(orders.matches, orders.totals, strict=True)]


def _add_k(orders: Orders, k: float | None) -> list[Value]:
    higher = Orders(orders.matches[1:], orders.totals[1:], orders.length)
    return [ratio(orders.matches[0], orders.totals[0]), *_add_all(higher, k)]


def _add_all(orders: Orders, k: float | None) -> list[Value]:
    assert k is not None
    return [ratio(m + k, t + k) for m, t in zip(orders.matches, orders.totals, strict=True)]


def _exp(orders: Orders, _: float | None) -> list[Value]:
    precisions, scale = [], 1.0
    if isinstance(orders.totals[0], int):  # the same in plain numbers: a third of a sentence score's time
        for m, t in zip(orders.matches, orders.totals, strict=True):
            scale = scale if m or not t else scale * 2
            precisions.append(m / t if m else 1.0 / (scale * t) if t else 0.0)
        return precisions
    for m, t in zip(orders.matches, orders.totals, strict=True):
        scale = where((m == 0) & (t > 0), scale * 2, scale)
        precisions.append(where(m > 0, ratio(m, t), ratio(1.0, scale * t)))
    return precisions


def _method0(orders: Orders, _: float | None) -> list[Value]:
    return [where(p > 0, p, sys.float_info.min) for p in _none(orders, None)]


def _method4(orders: Orders, k: float | None) -> list[Value]:
    """Like exp, but the added matches are scaled by log(length)/K, so shorter texts get less."""
    precisions, scale = [], 1.0
    longer = orders.length > 1
    logarithm = log(where(longer, orders.length, 2))
    for m, t in zip(orders.matches, orders.totals, strict=True):
        smoothed = (m == 0) & longer
        scale = where(smoothed, scale * 2, scale)
        precisions.append(where(smoothed, ratio(1.0 / (scale * k / logarithm), t), ratio(m, t)))
    return precisions


def _method5(orders: Orders, _: float | None) -> list[Value]:
    """Average each precision with its neighbors; the neighbor beyond the last order is always order 5.

    The neighbor before the first order is p1 + 1, as in NLTK and the paper, so scores can exceed 1.
    """
    return _average(_none(orders, None), orders.beyond)


def _average(precisions: list[Value], beyond: Value) -> list[Value]:
    averaged, before = [], precisions[0] + 1
    for precision, after in zip(precisions, [*precisions[1:], beyond], strict=True):
        before = (before + precision + after) / 3
        averaged.append(before)
    return averaged


def _method6(orders: Orders, alpha: float | None) -> list[Value]:
    """From order 3 on, interpolate with the trend of the two previous orders; zero if no trigram matches."""
    precisions = _none(orders, None)
    trigrams = precisions[2]
    for n in range(2, len(precisions)):
        before, earlier = precisions[n - 1], precisions[n - 2]
        trend = ratio(before * before, earlier)
        grams = where(orders.last_length > n, orders.last_length - n, 0)
        precisions[n] = where(trigrams > 0, ratio(orders.matches[n] + alpha * trend, grams + alpha), 0.0)
    return precisions


def _method7(orders: Orders, k: float | None) -> list[Value]:
    return _average(_method4(orders, k), orders.beyond)


_FUNCTIONS = {
    "none": _none,
    "floor": _floor,
    "add-k": _add_k,
    "add-all": _add_all,
    "exp": _exp,
    "method0": _method0,
    "method4": _method4,
    "method5": _method5,
    "method6": _method6,
    "method7": _method7,
}
