"""Equations: a formula written once, then computed, and shown as text or LaTeX, with letters or with numbers."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from bleuprint.metrics.base.formulas import sum_of

__all__ = ["Equation", "Number", "literal", "shown"]

Number = int | float

_FUNCTIONS: dict[str, Callable[..., Number]] = {
    "exp": math.exp,
    "log": math.log,
    "max": max,
    "min": min,
    "sum": lambda *terms: sum_of(terms),
}
_OPERATIONS: dict[type[ast.operator], Callable[[Any, Any], Number]] = {
    ast.Add: lambda left, right: left + right,
    ast.Sub: lambda left, right: left - right,
    ast.Mult: lambda left, right: left * right,
    ast.Div: lambda left, right: left / right,
    ast.Pow: lambda left, right: left**right,
}
_SIGNS: dict[type[ast.operator], str] = {
    ast.Add: " + ",
    ast.Sub: " − ",
    ast.Mult: " · ",
    ast.Div: " / ",
    ast.Pow: "^",
}
_STRENGTH: dict[type[ast.operator], int] = {ast.Add: 1, ast.Sub: 1, ast.Mult: 2, ast.Div: 2, ast.Pow: 4}
_ATOM = 5
_GREEK = {"alpha": r"\alpha", "α": r"\alpha", "β": r"\beta", "γ": r"\gamma"}


@dataclass(frozen=True, slots=True)
class Equation:
    """One number and how it follows from earlier ones.

    `expression` is written in Python's notation, with +, -, *, /, ** and the functions exp, log, max, min and sum. Its
    names are the symbols of earlier equations, whose values are in `given`.

    >>> equation = Equation.of("BP", "exp(1 - r / c)", {"r": 7, "c": 6})
    >>> print(equation)
    BP = exp(1 − r / c) = exp(1 − 7 / 6) = 0.8465
    >>> print(equation.latex)
    \\mathrm{BP} = \\exp\\left(1 - \\frac{r}{c}\\right) = \\exp\\left(1 - \\frac{7}{6}\\right) = 0.8465
    """

    symbol: str
    expression: str
    value: Number
    given: Mapping[str, Number]
    note: str = ""

    @classmethod
    def of(cls, symbol: str, expression: str, known: Mapping[str, Number], note: str = "") -> Equation:
        """Compute the expression from the known values."""
        tree = _parsed(expression)
        names = dict.fromkeys(node.id for node in ast.walk(tree) if isinstance(node, ast.Name))
        given = {name: known[name] for name in names if name not in _FUNCTIONS}
        return cls(symbol, expression, _value(tree, given), given, note)

    @property
    def formula(self) -> str:
        """The expression as text, with its letters."""
        return _text(_parsed(self.expression), {})[0]

    @property
    def numbers(self) -> str:
        """The expression as text, with numbers in place of the letters."""
        return _text(_parsed(self.expression), self.given)[0]

    @property
    def latex(self) -> str:
        """The whole equation in LaTeX, without dollar signs."""
        tree = _parsed(self.expression)
        sides = [_latex_name(self.symbol), _latex(tree, {})[0], _latex(tree, self.given)[0]]
        return " = ".join(dict.fromkeys(sides if self.is_given else [*sides, _latex_number(self.value)]))

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
        """Whether the value is a count or an option, not computed."""
        return isinstance(_parsed(self.expression), ast.Constant)

    def __str__(self) -> str:
        sides = [self.symbol, self.formula, self.numbers]
        return " = ".join(dict.fromkeys(sides if self.is_given else [*sides, shown(self.value)]))


def shown(value: Number) -> str:
    """A number for reading: four decimal places, or three digits if it is tiny or huge."""
    if isinstance(value, int):
        return str(value)
    if value == 0 or 1e-4 <= abs(value) < 1e6:
        return f"{value:.4f}".replace("-", "−")
    return f"{value:.3g}".replace("-", "−")


def literal(value: float) -> str:
    """A number for an expression, as short as exactness allows."""
    return f"{value:g}" if float(f"{value:g}") == value else repr(value)


def _parsed(expression: str) -> ast.expr:
    return ast.parse(expression, mode="eval").body


def _value(node: ast.expr, given: Mapping[str, Number]) -> Number:
    match node:
        case ast.Constant(value=int() | float() as number):
            return number
        case ast.Name(id=name):
            return given[name]
        case ast.BinOp(left=left, op=operator, right=right):
            return _OPERATIONS[type(operator)](_value(left, given), _value(right, given))
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_value(operand, given)
        case ast.Call(func=ast.Name(id=name), args=arguments):
            return _FUNCTIONS[name](*(_value(argument, given) for argument in arguments))
    raise ValueError(ast.unparse(node))


def _text(node: ast.expr, given: Mapping[str, Number]) -> tuple[str, int]:
    """The expression, and how strongly its outermost operator binds."""
    match node:
        case ast.Constant(value=int() | float() as number):
            return shown(number) if isinstance(number, int) else literal(number), _ATOM
        case ast.Name(id=name):
            return (shown(given[name]), _ATOM) if name in given else (name, _ATOM)
        case ast.BinOp(left=left, op=operator, right=right):
            strength = _STRENGTH[type(operator)]
            before, after = _text(left, given), _text(right, given)
            # A difference or a quotient does not change its value only if what follows is taken together.
            last = strength + 1 if isinstance(operator, ast.Sub | ast.Div | ast.Mult) else strength
            first = strength + 1 if isinstance(operator, ast.Pow) else strength
            return f"{_enclosed(*before, first)}{_SIGNS[type(operator)]}{_enclosed(*after, last)}", strength
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return f"−{_enclosed(*_text(operand, given), 3)}", 3
        case ast.Call(func=ast.Name(id="sum"), args=arguments):
            return " + ".join(_text(argument, given)[0] for argument in arguments), 1
        case ast.Call(func=ast.Name(id=name), args=arguments):
            return f"{name}({', '.join(_text(argument, given)[0] for argument in arguments)})", _ATOM
    raise ValueError(ast.unparse(node))


def _enclosed(text: str, strength: int, least: int) -> str:
    return text if strength >= least else f"({text})"


def _latex(node: ast.expr, given: Mapping[str, Number]) -> tuple[str, int]:
    match node:
        case ast.Constant(value=int() | float() as number):
            return _latex_number(number, exact=True), _ATOM
        case ast.Name(id=name):
            return (_latex_number(given[name]), _ATOM) if name in given else (_latex_name(name), _ATOM)
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
        case ast.Call(func=ast.Name(id="sum"), args=arguments):
            return " + ".join(_latex(argument, given)[0] for argument in arguments), 1
        case ast.Call(func=ast.Name(id=name), args=arguments):
            inside = ", ".join(_latex(argument, given)[0] for argument in arguments)
            return rf"\{name}\left({inside}\right)", _ATOM
    raise ValueError(ast.unparse(node))


def _in_brackets(text: str, strength: int, least: int) -> str:
    return text if strength >= least else rf"\left({text}\right)"


def _latex_number(value: Number, *, exact: bool = False) -> str:
    text = literal(value) if exact and isinstance(value, float) else shown(value).replace("−", "-")
    digits, has_exponent, exponent = text.partition("e")
    return rf"{digits} \times 10^{{{int(exponent)}}}" if has_exponent else digits


def _latex_name(symbol: str) -> str:
    letter, *below = (
        _GREEK.get(part) or (part if len(part) == 1 else rf"\mathrm{{{part}}}") for part in symbol.split("_")
    )
    return f"{letter}_{{{','.join(below)}}}" if below else letter
