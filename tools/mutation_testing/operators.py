"""Small wrong changes to a module: what a slip of the pen would make of its formulas.

Mutated are comparisons, arithmetic, logic, numbers, conditions and the order of arguments, in functions and at the top
of the module alike. Left alone are texts and what no formula reads: annotations, imports, `__all__`, what an error
says, how a number is printed.
"""

from __future__ import annotations

import ast
import copy
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_COMPARISONS: dict[type[ast.cmpop], ast.cmpop] = {
    ast.Lt: ast.LtE(),
    ast.LtE: ast.Lt(),
    ast.Gt: ast.GtE(),
    ast.GtE: ast.Gt(),
    ast.Eq: ast.NotEq(),
    ast.NotEq: ast.Eq(),
    ast.Is: ast.IsNot(),
    ast.IsNot: ast.Is(),
    ast.In: ast.NotIn(),
    ast.NotIn: ast.In(),
}
_ARITHMETIC: dict[type[ast.operator], ast.operator] = {
    ast.Add: ast.Sub(),
    ast.Sub: ast.Add(),
    ast.Mult: ast.Div(),
    ast.Div: ast.Mult(),
    ast.FloorDiv: ast.Mult(),
    ast.Mod: ast.Mult(),
    ast.Pow: ast.Mult(),
    ast.LShift: ast.RShift(),
    ast.RShift: ast.LShift(),
    ast.BitAnd: ast.BitOr(),
    ast.BitOr: ast.BitAnd(),
}
_OPPOSITES = (("min", "max"), ("any", "all"), ("minimum", "maximum"), ("floor", "ceil"), ("argmin", "argmax"))
_TWINS = {name: twin for pair in _OPPOSITES for name, twin in (pair, pair[::-1])}
# Texts for people, and questions about types whose operands are classes.
_LEFT_ALONE = (ast.Raise, ast.Assert, ast.JoinedStr, ast.Import, ast.ImportFrom)
_UNORDERED_CALLS = {"isinstance", "min", "max", "zip", "getattr", "hasattr", "setattr"}
_FOR_PEOPLE = {"__str__", "__repr__"}

Way = tuple[tuple[str, int | None], ...]  # from a module down to a node: fields, and places in their lists


@dataclass(frozen=True)
class Mutant:
    """One change, named so that it keeps its name while lines around it move."""

    function: str
    line: int
    before: str
    after: str
    number: int  # among equal changes in one function, from 1
    way: Way  # to the node that is replaced
    node: ast.AST

    @property
    def name(self) -> str:
        again = f" #{self.number}" if self.number > 1 else ""
        return f"{self.function}: {self.before} -> {self.after}{again}"

    def applied(self, tree: ast.Module) -> ast.Module:
        """A copy of the module's tree with the change made."""
        changed: ast.AST = copy.deepcopy(tree)
        at = changed
        for field, index in self.way[:-1]:
            at = _child(at, field, index)
        field, index = self.way[-1]
        if index is None:
            setattr(at, field, self.node)
        else:
            getattr(at, field)[index] = self.node
        assert isinstance(changed, ast.Module)
        return ast.fix_missing_locations(changed)


def mutants(file: Path) -> list[Mutant]:
    """All changes to a file, in the order of its lines."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    seen: Counter[tuple[str, str, str]] = Counter()
    found = []
    for function, way, node in _places(tree, "module", ()):
        for replacement in _replacements(node):
            ast.copy_location(replacement, node)
            before, after = _text(node), _text(replacement)
            seen[function, before, after] += 1
            line = getattr(node, "lineno", 0)
            found.append(Mutant(function, line, before, after, seen[function, before, after], way, replacement))
    return found


def _text(node: ast.AST) -> str:
    """A node's source on one line; of a statement its head."""
    return ast.unparse(ast.fix_missing_locations(copy.deepcopy(node))).split("\n")[0]


def _child(node: ast.AST, field: str, index: int | None) -> ast.AST:
    value = getattr(node, field)
    child = value if index is None else value[index]
    assert isinstance(child, ast.AST)
    return child


def _places(node: ast.AST, function: str, way: Way) -> Iterator[tuple[str, Way, ast.AST]]:
    """Every node that may change, with the function it is in and the way to it."""
    for field, value in ast.iter_fields(node):
        if field in {"annotation", "returns", "decorator_list", "type_comment", "bases"}:
            continue
        if isinstance(node, ast.keyword) and node.arg == "strict":  # guards against a slip that no test could make
            continue
        children = enumerate(value) if isinstance(value, list) else [(None, value)]
        for index, child in children:
            if not isinstance(child, ast.AST) or _is_left_alone(child) or _is_unread(node, field, index):
                continue
            here = (*way, (field, index))
            inside = function
            if isinstance(child, ast.FunctionDef | ast.ClassDef):
                inside = child.name if function == "module" else f"{function}.{child.name}"
            yield inside, here, child
            yield from _places(child, inside, here)


def _is_left_alone(node: ast.AST) -> bool:
    if isinstance(node, ast.FunctionDef) and node.name in _FOR_PEOPLE:
        return True
    if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
        return True
    if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
        return node.targets[0].id in {"__all__", "__slots__"}
    return isinstance(node, _LEFT_ALONE)


def _is_unread(node: ast.AST, field: str, index: int | None) -> bool:
    """Whether this is a parameter list whose function reads none of its defaults: it only keeps a common signature."""
    if not isinstance(node, ast.FunctionDef) or field != "args":
        return False
    names = {argument.arg for argument in [*node.args.args, *node.args.kwonlyargs]}
    read = {name.id for part in node.body for name in ast.walk(part) if isinstance(name, ast.Name)}
    return not names & read - {"self", "columns"} and "locals" not in read


def _replacements(node: ast.AST) -> Iterator[ast.AST]:
    match node:
        case ast.Compare():
            for at, operator in enumerate(node.ops):
                yield _with(node, ops=[*node.ops[:at], _COMPARISONS[type(operator)], *node.ops[at + 1 :]])
        case ast.BinOp() | ast.AugAssign() if type(node.op) in _ARITHMETIC:
            yield _with(node, op=_ARITHMETIC[type(node.op)])
        case ast.BoolOp():
            yield _with(node, op=ast.Or() if isinstance(node.op, ast.And) else ast.And())
        case ast.UnaryOp() if isinstance(node.op, ast.Not | ast.USub | ast.Invert):
            yield copy.deepcopy(node.operand)
        case ast.Constant():
            yield from (ast.Constant(value) for value in _other_values(node.value))
        case ast.IfExp():
            yield copy.deepcopy(node.body)
            yield copy.deepcopy(node.orelse)
        case ast.If():
            yield from (_with(node, test=ast.Constant(value)) for value in (True, False))
        case ast.Call():
            yield from _other_calls(node)


def _other_values(value: object) -> list[bool | int | float]:
    match value:
        case bool():
            return [not value]
        case int():
            return [value + 1]
        case float():
            return [value + 1.0]
    return []


def _other_calls(node: ast.Call) -> Iterator[ast.AST]:
    name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
    if name in _TWINS:
        twin = copy.deepcopy(node)
        if isinstance(twin.func, ast.Name):
            twin.func.id = _TWINS[name]
        elif isinstance(twin.func, ast.Attribute):
            twin.func.attr = _TWINS[name]
        yield twin
    if name in _UNORDERED_CALLS or any(isinstance(argument, ast.Starred) for argument in node.args):
        return
    for at in range(len(node.args) - 1):
        first, second = node.args[at : at + 2]
        name_first = isinstance(first, ast.Constant) and isinstance(first.value, str)
        if not name_first and ast.dump(first) != ast.dump(second):
            yield _with(node, args=[*node.args[:at], second, first, *node.args[at + 2 :]])


def _with(node: ast.AST, **fields: object) -> ast.AST:
    changed = copy.deepcopy(node)
    for field, value in fields.items():
        setattr(changed, field, copy.deepcopy(value))
    return changed
