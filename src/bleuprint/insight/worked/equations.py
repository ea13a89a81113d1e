"""Equations: how a term was computed, as text or LaTeX, with letters or with numbers."""

from __future__ import annotations

import ast
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from bleuprint.metrics.base.terms import Number, Term

_SIGNS: dict[type[ast.AST], str] = {
    ast.Add: " + ",
    ast.Sub: " − ",
    ast.Mult: " · ",
    ast.Div: " / ",
    ast.Pow: "^",
    ast.Lt: " < ",
    ast.Eq: " = ",
    ast.Gt: " > ",
}
_STRENGTH: dict[type[ast.operator], int] = {ast.Add: 1, ast.Sub: 1, ast.Mult: 2, ast.Div: 2, ast.Pow: 4}
_ATOM = 5


@dataclass(frozen=True, slots=True)
class Equation:
    """One number and how it follows from earlier ones.

    `expression` is written in Python's notation. Its names are the symbols of earlier equations, whose values are in
    `given`.

    >>> from bleuprint.metrics.base.terms import given
    >>> from bleuprint.metrics.smoothing import brevity_penalty
    >>> equation = Equation.of(brevity_penalty(given("c", 6), given("r", 7)))
    >>> print(equation, f"({equation.note})")
    BP = exp(1 − r / c) = exp(1 − 7 / 6) = 0.8465 (c < r)
    >>> print(equation.latex)
    \\mathrm{BP} = \\exp\\left(1 - \\frac{r}{c}\\right) = \\exp\\left(1 - \\frac{7}{6}\\right) = 0.8465
    """

    symbol: str
    expression: str
    value: Number
    given: Mapping[str, Number]
    note: str = ""

    @classmethod
    def of(cls, term: Term) -> Equation:
        """The equation of a term that has a name; its note says which facts decided the expression."""
        note = term.note or ", ".join(_text(fact, {})[0] for fact in term.facts)
        given = {name: term.uses[name].value for name in term.names}
        return cls(term.label, ast.unparse(term.node), term.value, given, note)

    @property
    def formula(self) -> str:
        """The expression as text, with its letters."""
        return _text(self._tree, {})[0]

    @property
    def numbers(self) -> str:
        """The expression as text, with numbers in place of the letters."""
        return _text(self._tree, self.given)[0]

    @property
    def latex(self) -> str:
        """The whole equation in LaTeX, without dollar signs."""
        sides = [_latex_name(self.symbol), _latex(self._tree, {})[0], _latex(self._tree, self.given)[0]]
        return " = ".join(dict.fromkeys(sides if self.is_given else [*sides, _latex_number(shown(self.value))]))

    def to_dict(self) -> dict[str, Any]:
        """The equation as plain values, ready for JSON."""
        return {
            "symbol": self.symbol,
            "expression": self.expression,
            "formula": self.formula,
            "numbers": self.numbers,
            "latex": self.latex,
            "value": self.value,
            "note": self.note,
        }

    @property
    def is_given(self) -> bool:
        """Whether the value is a number itself, not computed from others."""
        return not self.given

    def __str__(self) -> str:
        sides = [self.symbol, self.formula, self.numbers]
        return " = ".join(dict.fromkeys(sides if self.is_given else [*sides, shown(self.value)]))

    @property
    def _tree(self) -> ast.expr:
        return _parse(self.expression)


@lru_cache(maxsize=1024)
def _parse(expression: str) -> ast.expr:
    """The syntax tree, which takes longer than writing it out; segments share most of their expressions."""
    return ast.parse(expression, mode="eval").body


def shown(value: Number) -> str:
    """A number for reading: four decimal places, or three digits if it is tiny or huge."""
    if isinstance(value, int) and abs(value) < 10**15:
        return str(value).replace("-", "−")
    if value == 0 or 1e-4 <= abs(value) < 1e6:
        return f"{value:.4f}".replace("-", "−")
    return f"{value:.3g}".replace("-", "−")


def _literal(value: Number) -> str:
    """A number that stands in a formula, as short as it can be recognized by; units are powers of 2."""
    mantissa, exponent = math.frexp(value)
    if mantissa == 0.5 and -64 < exponent < -12:
        return f"2^−{1 - exponent}"
    short = f"{value:.4g}"
    return str(value) if isinstance(value, int) and value < 10**15 else short.replace("-", "−")


def _text(node: ast.expr, given: Mapping[str, Number]) -> tuple[str, int]:
    """The expression, and how strongly its outermost operator binds."""
    match node:
        case ast.Constant(value=int() | float() as number):
            return _literal(number), _ATOM
        case ast.Name(id=name):
            return (shown(given[name]), _ATOM) if name in given else (name, _ATOM)
        case ast.BinOp(left=left, op=operator, right=right):
            strength = _STRENGTH[type(operator)]
            before, after = _text(left, given), _text(right, given)
            # A difference or a quotient does not change its value only if what follows is taken together.
            last = strength + 1 if isinstance(operator, ast.Sub | ast.Div | ast.Mult) else strength
            first = strength + 1 if isinstance(operator, ast.Pow) else strength
            return f"{_enclose(*before, first)}{_SIGNS[type(operator)]}{_enclose(*after, last)}", strength
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return f"−{_enclose(*_text(operand, given), 3)}", 3
        case ast.Compare(left=left, ops=[operator], comparators=[right]):
            return f"{_text(left, given)[0]}{_SIGNS[type(operator)]}{_text(right, given)[0]}", 0
        case ast.Call(func=ast.Name(id=name), args=arguments):
            return f"{name}({', '.join(_text(argument, given)[0] for argument in arguments)})", _ATOM
    raise ValueError(ast.unparse(node))


def _enclose(text: str, strength: int, least: int) -> str:
    return text if strength >= least else f"({text})"


def _latex(node: ast.expr, given: Mapping[str, Number]) -> tuple[str, int]:
    match node:
        case ast.Constant(value=int() | float() as number):
            return _latex_number(_literal(number)), _ATOM
        case ast.Name(id=name):
            return (_latex_number(shown(given[name])), _ATOM) if name in given else (_latex_name(name), _ATOM)
        case ast.BinOp(left=left, op=ast.Div(), right=right):
            return rf"\frac{{{_latex(left, given)[0]}}}{{{_latex(right, given)[0]}}}", 2
        case ast.BinOp(left=left, op=ast.Pow(), right=right):
            return f"{{{_in_brackets(*_latex(left, given), _ATOM)}}}^{{{_latex(right, given)[0]}}}", 4
        case ast.BinOp(left=left, op=operator, right=right):
            strength = _STRENGTH[type(operator)]
            before, after = _latex(left, given), _latex(right, given)
            sign = {ast.Add: " + ", ast.Sub: " - ", ast.Mult: r" \cdot "}[type(operator)]
            last = strength + 1 if isinstance(operator, ast.Sub) else strength
            return f"{_in_brackets(*before, strength)}{sign}{_in_brackets(*after, last)}", strength
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return f"-{_in_brackets(*_latex(operand, given), 3)}", 3
        case ast.Call(func=ast.Name(id=name), args=arguments):
            inside = ", ".join(_latex(argument, given)[0] for argument in arguments)
            function = rf"\{name}" if name in {"exp", "log", "max", "min"} else rf"\operatorname{{{name}}}"
            return rf"{function}\left({inside}\right)", _ATOM
    raise ValueError(ast.unparse(node))


def _in_brackets(text: str, strength: int, least: int) -> str:
    return text if strength >= least else rf"\left({text}\right)"


def _latex_number(text: str) -> str:
    text = text.replace("−", "-")
    base, is_power, exponent = text.partition("^")
    if is_power:
        return f"{{{base}}}^{{{exponent}}}"
    digits, has_exponent, exponent = text.partition("e")
    return rf"{digits} \times 10^{{{int(exponent)}}}" if has_exponent else digits


def _latex_name(symbol: str) -> str:
    letter, *below = (part if len(part) == 1 else rf"\mathrm{{{part}}}" for part in symbol.split("_"))
    return f"{letter}_{{{','.join(below)}}}" if below else letter
