"""Terms: numbers that remember how they were computed, as the third kind of value that formulas take.

A formula of terms gives a term whose value has the bits of the score. Its derivation lists the values that the formula
names, each with its expression, and the facts that decided which of several expressions applies:

>>> from bleuprint.metrics.smoothing import brevity_penalty
>>> penalty = brevity_penalty(symbol("c", 6), symbol("r", 7))
>>> for term in derivation(penalty):
...     print(term.label, "=", ast.unparse(term.node), "=", term.value, [ast.unparse(fact) for fact in term.facts])
c = 6 = 6 []
r = 7 = 7 []
BP = exp(1 - r / c) = 0.846481724890614 ['c < r']

Only scores that are to be explained load this module. NumPy's functions take terms as well, for custom metrics.
"""

from __future__ import annotations

import ast
import math
import operator
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from typing import TYPE_CHECKING

from bleuprint.errors import OptionError
from bleuprint.metrics.base.formulas import Symbolic, SymbolicCondition, Value, where

if TYPE_CHECKING:
    import numpy as np

Number = int | float
_serials = count()
# How an operator is computed, and what changes nothing on its right.
_OPERATORS: dict[type[ast.operator], tuple[Callable[[Number, Number], Number], int]] = {
    ast.Add: (operator.add, 0),
    ast.Sub: (operator.sub, 0),
    ast.Mult: (operator.mul, 1),
    ast.Div: (operator.truediv, 1),
    ast.Pow: (operator.pow, 1),
}
_COMMUTATIVE = (ast.Add, ast.Mult)
_UFUNCS = {"add": ast.Add, "subtract": ast.Sub, "multiply": ast.Mult, "divide": ast.Div, "power": ast.Pow}
_COMPARISONS = {"less", "less_equal", "greater", "greater_equal", "equal", "not_equal"}


class _NumpyOperand:
    """NumPy's functions of single numbers, as custom metrics use them; computed by NumPy, so with its bits."""

    __slots__ = ()

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Value, **options: object) -> Value:
        if method != "__call__" or options:
            return NotImplemented
        name = ufunc.__name__
        if name in {"logical_and", "logical_or", "bitwise_and", "bitwise_or"}:
            first, second = (part if isinstance(part, Condition) else Condition(bool(part)) for part in inputs)
            return _join(first, second, decisive=name.endswith("or"))
        terms = [lift(part) for part in inputs]
        if name in _COMPARISONS:
            return _compare(ufunc, *terms)
        if name in _UFUNCS:
            return _combine(_UFUNCS[name], *terms, compute=lambda *values: ufunc(*values).item())
        value = ufunc(*(term.value for term in terms)).item()
        return _call({"maximum": "max", "minimum": "min"}.get(name, name), value, terms)

    def __array_function__(
        self, function: Callable[..., object], types: object, args: Sequence[Value], options: Mapping[str, object]
    ) -> Value:
        # `np.where` is the only function of arrays that is one of single numbers too.
        if function.__name__ != "where" or len(args) != 3 or options:
            return NotImplemented
        return where(*args) if isinstance(args[0], Condition) else args[1] if args[0] else args[2]


@dataclass(frozen=True, eq=False, slots=True)
class Fact:
    """A comparison that holds, and the terms that it names."""

    node: ast.Compare
    uses: Mapping[str, Term]
    scopes: frozenset[str]


def _operator(kind: type[ast.operator]) -> tuple[Callable[[Value, Value], Term], Callable[[Value, Value], Term]]:
    """An operator, with the term on its left and on its right."""
    return (
        lambda term, other: _combine(kind, lift(term), lift(other)),
        lambda term, other: _combine(kind, lift(other), lift(term)),
    )


def _comparison(holds: Callable[[Number, Number], bool]) -> Callable[[Term, Value], Value]:
    return lambda term, other: _compare(holds, term, lift(other))


Facts = Mapping[str, Fact]  # by their text, so that each is said once


@dataclass(frozen=True, eq=False, slots=True)
class Term(Symbolic, _NumpyOperand):
    """A number, the expression it came from, and what the expression refers to."""

    value: Number
    node: ast.expr
    uses: Mapping[str, Term] = field(default_factory=dict)  # the terms that the expression names
    reasons: Facts = field(default_factory=dict)  # why it is this expression
    scopes: frozenset[str] = frozenset()
    label: str = ""  # empty for a value without a name
    note: str = ""
    is_given: bool = False  # an input of the formula
    serial: int = 0  # values are listed in the order in which they were named

    @property
    def facts(self) -> list[ast.Compare]:
        """The comparisons that decided which expression applies."""
        return [fact.node for fact in self.reasons.values()]

    @property
    def is_number(self) -> bool:
        """Whether the expression names no other term."""
        return isinstance(self.node.operand if isinstance(self.node, ast.UnaryOp) else self.node, ast.Constant)

    @property
    def is_constant(self) -> bool:
        """Whether the value depends on no input."""
        # What is computed from constants alone is a constant itself, so no other expression is without a name.
        return not self.label and self.is_number

    def name(self, name: str) -> Term:
        if self.label:
            return self
        scopes = self.scopes.union(*(fact.scopes for fact in self.reasons.values()))
        label = f"{name}_{next(iter(scopes))}" if len(scopes) == 1 else name
        return replace(self, scopes=scopes, label=re.sub(r"\W", "_", label), serial=next(_serials))

    def enter(self, scope: str) -> Term:
        return replace(self, scopes=frozenset({scope}))

    def refer(self) -> Term:
        """The term as a part of another expression: by its name, if it has one."""
        if not self.label:
            return self
        return Term(self.value, ast.Name(self.label), {self.label: self}, scopes=self.scopes)

    def because(self, reasons: Facts) -> Term:
        """The same value, for these reasons."""
        return replace(self.refer(), reasons={**self.refer().reasons, **reasons})

    def divide(self, numerator: Value) -> Term:
        if self.value:
            return _combine(ast.Div, lift(numerator), self)
        return constant(0.0).because({**self.refer().reasons, **_facts(self, constant(0))})

    def log(self) -> Term:
        return _call("log", math.log(self.value) if self.value > 0 else -math.inf, [self])

    def exp(self) -> Term:
        return _call("exp", math.exp(self.value), [self])

    def power(self, exponent: float) -> Term:
        return self**exponent

    def sum(self, values: Iterable[Value]) -> Term:
        terms = [lift(value) for value in values]
        return _call("sum", math.fsum(term.value for term in terms), terms)

    __add__, __radd__ = _operator(ast.Add)
    __sub__, __rsub__ = _operator(ast.Sub)
    __mul__, __rmul__ = _operator(ast.Mult)
    __truediv__, __rtruediv__ = _operator(ast.Div)
    __pow__, __rpow__ = _operator(ast.Pow)

    def __neg__(self) -> Term:
        if self.is_constant:
            return constant(-self.value).because(self.reasons)
        seen = self.refer()
        return replace(seen, value=-self.value, node=ast.UnaryOp(ast.USub(), seen.node))

    __lt__ = _comparison(operator.lt)
    __le__ = _comparison(operator.le)
    __gt__ = _comparison(operator.gt)
    __ge__ = _comparison(operator.ge)

    def __eq__(self, other: object) -> Value:
        return _compare(operator.eq, self, lift(other))

    def __ne__(self, other: object) -> Value:
        return _compare(operator.ne, self, lift(other))

    __hash__ = object.__hash__

    def __bool__(self) -> bool:
        return bool(self.value)

    def __float__(self) -> float:
        return float(self.value)


@dataclass(frozen=True, eq=False, slots=True)
class Condition(SymbolicCondition, _NumpyOperand):
    """Whether a comparison of terms holds, and the facts that say so; none if they go without saying."""

    value: bool
    reasons: Facts = field(default_factory=dict)

    def choose(self, then: Value, otherwise: Value) -> Value:
        chosen = then if self.value else otherwise
        return lift(chosen).because(self.reasons) if self.reasons else chosen

    def __and__(self, other: Value) -> Condition:
        return _join(self, other, decisive=False)

    __rand__ = __and__

    def __or__(self, other: Value) -> Condition:
        return _join(self, other, decisive=True)

    __ror__ = __or__

    def __invert__(self) -> Condition:
        return Condition(not self.value, self.reasons)

    def __bool__(self) -> bool:
        return self.value

    __add__, __radd__ = _operator(ast.Add)
    __mul__, __rmul__ = _operator(ast.Mult)


def symbol(label: str, value: Number, note: str = "") -> Term:
    """An input of a formula."""
    return Term(value, _literal(value), label=label, note=note, is_given=True, serial=next(_serials))


def constant(value: Number) -> Term:
    """A number that stands in a formula itself."""
    return Term(value, _literal(value))


def opaque(value: Number, inputs: Iterable[Term], note: str) -> Term:
    """A value that follows from the inputs in a way that is not known."""
    return replace(constant(value), uses={term.label: term for term in inputs}, note=note)


def lift(value: Value) -> Term:
    """The value as a term; a TypeError if it is no number."""
    if isinstance(value, Term):
        return value
    if isinstance(value, Condition):
        return constant(int(value.value)).because(value.reasons)
    plain = value.item() if hasattr(value, "item") else value
    if not isinstance(plain, int | float):
        raise TypeError(f"a term cannot be combined with {type(value).__name__}")
    return constant(int(plain) if isinstance(plain, bool) else plain)


def maximum(first: Value, second: Value) -> Term:
    """The larger of two values."""
    terms = [lift(first), lift(second)]
    return _call("max", max(term.value for term in terms), terms)


def derivation(*results: Term) -> list[Term]:
    """The values that the results follow from, and the results, in the order in which they were given or named."""
    reached: dict[str, Term] = {}
    waiting = list(results)
    while waiting:
        term = waiting.pop()
        if term.label:
            if term.label in reached:
                continue
            reached[term.label] = term
        waiting += term.uses.values()
        waiting += (used for fact in term.reasons.values() for used in fact.uses.values())
    return sorted(reached.values(), key=lambda term: term.serial)


def _merge(mappings: Iterable[Mapping[str, Term]]) -> dict[str, Term]:
    """The terms that several expressions use; two values of one name could not be told apart."""
    merged: dict[str, Term] = {}
    for mapping in mappings:
        for label, term in mapping.items():
            # Columns that enter a scope are copies of one column.
            if label in merged and merged[label].serial != term.serial:
                raise OptionError.because(f"the formula gives two values the name {label!r}; names have to be unique")
            merged[label] = term
    return merged


def _literal(value: Number) -> ast.expr:
    """A number as an expression; Python has no negative literals."""
    negative = math.copysign(1.0, value) < 0
    return ast.UnaryOp(ast.USub(), ast.Constant(-value)) if negative else ast.Constant(value)


def _combine(
    kind: type[ast.operator], left: Term, right: Term, *, compute: Callable[[Number, Number], Number] | None = None
) -> Term:
    value = (compute or _OPERATORS[kind][0])(left.value, right.value)
    first, second = left.refer(), right.refer()
    for part in (first, second):
        if part.is_constant and math.isinf(part.value) and kind is ast.Add:
            return part  # such as the logarithm of a precision of 0: no other summand matters
    reasons, scopes = {**first.reasons, **second.reasons}, first.scopes | second.scopes
    uses = _merge((first.uses, second.uses))
    if first.is_constant and second.is_constant:
        node = _literal(value)
    elif _is_neutral(kind, second):
        node = first.node
    elif isinstance(kind(), _COMMUTATIVE) and _is_neutral(kind, first):
        node = second.node
    else:
        node = ast.BinOp(first.node, kind(), second.node)
    return Term(value, node, uses, reasons, scopes)


def _is_neutral(kind: type[ast.operator], term: Term) -> bool:
    return term.is_constant and term.value == _OPERATORS[kind][1]


def _call(function: str, value: Number, arguments: Sequence[Term]) -> Term:
    parts = [argument.refer() for argument in arguments]
    reasons = {text: fact for part in parts for text, fact in part.reasons.items()}
    scopes = frozenset().union(*(part.scopes for part in parts))
    if all(part.is_constant for part in parts):
        return Term(value, _literal(value), {}, reasons, scopes)
    node = ast.Call(ast.Name(function), [part.node for part in parts], [])
    return Term(value, node, _merge(part.uses for part in parts), reasons, scopes)


def _compare(holds: Callable[[Number, Number], bool], left: Term, right: Term) -> Value:
    value = bool(holds(left.value, right.value))
    if left.is_constant and right.is_constant:
        return value
    return Condition(value, _facts(left, right))


def _facts(left: Term, right: Term) -> Facts:
    """How two values compare; nothing if one is merely above 0, as most are."""
    first, second = left.refer(), right.refer()
    if first.is_constant and second.is_constant:
        return {}
    if first.is_constant:
        first, second = second, first
    if second.is_constant and second.value == 0 and first.value > 0:
        return {}
    relation = ast.Lt() if first.value < second.value else ast.Gt() if first.value > second.value else ast.Eq()
    node = ast.Compare(first.node, [relation], [second.node])
    return {ast.unparse(node): Fact(node, _merge((first.uses, second.uses)), first.scopes | second.scopes)}


def _join(first: Condition, second: Value, *, decisive: bool) -> Condition:
    """Both conditions, or any of them; one that decides the whole is the only reason."""
    other = second if isinstance(second, Condition) else Condition(bool(second))
    for condition in (first, other):
        if condition.value is decisive:
            return condition
    return Condition(not decisive, {**first.reasons, **other.reasons})
