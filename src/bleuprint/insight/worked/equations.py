"""Equations: how a term was computed, as text or LaTeX, with letters or with numbers."""

from __future__ import annotations

import ast
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from bleuprint.metrics.base.terms import Number, Term

_ATOM = 5  # how strongly a number, a name or a call binds


@dataclass(frozen=True, slots=True)
class Equation:
    """One number and how it follows from earlier ones.

    The names in `node`, a syntax tree of Python, are the symbols of earlier equations, whose values are in `given`.

    >>> from bleuprint.metrics.base.terms import symbol
    >>> from bleuprint.metrics.smoothing import brevity_penalty
    >>> equation = Equation.of(brevity_penalty(symbol("c", 6), symbol("r", 7)))
    >>> print(equation, f"({equation.note})")
    BP = exp(1 − r / c) = exp(1 − 7 / 6) = 0.8465 (c < r)
    >>> print(equation.latex)
    \\mathrm{BP} = \\exp\\left(1 - \\frac{r}{c}\\right) = \\exp\\left(1 - \\frac{7}{6}\\right) = 0.8465
    """

    symbol: str
    node: ast.expr = field(compare=False)  # trees have no equality of their own
    value: Number
    given: Mapping[str, Number]
    note: str = ""

    @classmethod
    def of(cls, term: Term) -> Equation:
        """The equation of a term that has a name; its note says which facts decided the expression."""
        note = term.note or ", ".join(_TEXT.write(fact, {}) for fact in term.facts)
        given = {} if term.is_number else {name: used.value for name, used in term.uses.items()}
        return cls(term.label, term.node, term.value, given, note)

    @property
    def expression(self) -> str:
        """The expression in Python's notation."""
        return ast.unparse(self.node)

    @property
    def formula(self) -> str:
        """The expression as text, with its letters."""
        return _TEXT.write(self.node, {})

    @property
    def numbers(self) -> str:
        """The expression as text, with numbers in place of the letters."""
        return _TEXT.write(self.node, self.given)

    @property
    def latex(self) -> str:
        """The whole equation in LaTeX, without dollar signs."""
        return self._write(_LATEX)

    def to_dict(self) -> dict[str, object]:
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

    def __str__(self) -> str:
        return self._write(_TEXT)

    def _write(self, notation: _Text) -> str:
        sides = [notation.name(self.symbol), *(notation.write(self.node, given) for given in ({}, self.given))]
        if self.given:
            sides.append(notation.number(format_number(self.value)))
        return " = ".join(dict.fromkeys(sides))


def format_number(value: Number) -> str:
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


class _Text:
    """Writes expressions as plain text."""

    # How an operator is written, how strongly it binds, and how strongly each side has to, or is put in brackets.
    operators: ClassVar[dict[type[ast.operator], tuple[str, int, int, int]]] = {
        ast.Add: ("{} + {}", 1, 1, 1),
        ast.Sub: ("{} − {}", 1, 1, 2),
        ast.Mult: ("{} · {}", 2, 2, 3),  # products and quotients on the right are rounded before
        ast.Div: ("{} / {}", 2, 2, 3),
        ast.Pow: ("{}^{}", 4, _ATOM, 4),
    }
    minus, brackets = "−", "({})"

    def number(self, text: str) -> str:
        return text

    def name(self, symbol: str) -> str:
        return symbol

    def function(self, name: str) -> str:
        return name

    def write(self, node: ast.expr, given: Mapping[str, Number], least: int = 0) -> str:
        """The expression, with numbers in place of the given names; in brackets if it binds less strongly than that."""
        text, strength = self._write(node, given)
        return text if strength >= least else self.brackets.format(text)

    def _write(self, node: ast.expr, given: Mapping[str, Number]) -> tuple[str, int]:
        """The expression, and how strongly its outermost operator binds."""
        match node:
            case ast.Constant(value=int() | float() as number):
                return self.number(_literal(number)), _ATOM
            case ast.Name(id=name):
                return self.number(format_number(given[name])) if name in given else self.name(name), _ATOM
            case ast.BinOp(left=left, op=operator, right=right):
                template, strength, *least = self.operators[type(operator)]
                sides = (self.write(side, given, needed) for side, needed in zip((left, right), least, strict=True))
                return template.format(*sides), strength
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return f"{self.minus}{self.write(operand, given, 3)}", 3
            case ast.Compare(left=left, ops=[relation], comparators=[right]):
                sign = {ast.Lt: "<", ast.Eq: "=", ast.Gt: ">"}[type(relation)]
                return f"{self.write(left, given)} {sign} {self.write(right, given)}", 0
            case ast.Call(func=ast.Name(id=name), args=arguments):
                inside = ", ".join(self.write(argument, given) for argument in arguments)
                return f"{self.function(name)}{self.brackets.format(inside)}", _ATOM
        raise ValueError(ast.unparse(node))


class _Latex(_Text):
    operators: ClassVar[dict[type[ast.operator], tuple[str, int, int, int]]] = {
        ast.Add: ("{} + {}", 1, 1, 1),
        ast.Sub: ("{} - {}", 1, 1, 2),
        ast.Mult: (r"{} \cdot {}", 2, 2, 2),
        ast.Div: (r"\frac{{{}}}{{{}}}", 2, 0, 0),
        ast.Pow: ("{{{}}}^{{{}}}", 4, _ATOM, 0),
    }
    minus, brackets = "-", r"\left({}\right)"

    def number(self, text: str) -> str:
        text = text.replace("−", "-")
        base, is_power, exponent = text.partition("^")
        if is_power:
            return f"{{{base}}}^{{{exponent}}}"
        digits, has_exponent, exponent = text.partition("e")
        return rf"{digits} \times 10^{{{int(exponent)}}}" if has_exponent else digits

    def name(self, symbol: str) -> str:
        letter, *below = (part if len(part) == 1 else rf"\mathrm{{{part}}}" for part in symbol.split("_"))
        return f"{letter}_{{{','.join(below)}}}" if below else letter

    def function(self, name: str) -> str:
        return rf"\{name}" if name in {"exp", "log", "max", "min"} else rf"\operatorname{{{name}}}"


_TEXT, _LATEX = _Text(), _Latex()
