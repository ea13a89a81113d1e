"""Describes modules from their source, if the package that they integrate with is not installed."""

from __future__ import annotations

import ast
from importlib.util import find_spec
from pathlib import Path

from tools.docs_site.docstrings import markdown

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


class Source:
    """The docstring, the public names and the definitions of a module, unread by Python."""

    def __init__(self, name: str) -> None:
        spec = find_spec(name)
        if spec is None or spec.origin is None:
            raise LookupError(name)
        self.__name__ = name
        self._tree = ast.parse(Path(spec.origin).read_text(encoding="utf-8"))
        self.__doc__ = ast.get_docstring(self._tree)
        self.__all__ = [
            name
            for node in self._tree.body
            if isinstance(node, ast.Assign) and [ast.unparse(target) for target in node.targets] == ["__all__"]
            for name in ast.literal_eval(node.value)
        ]

    def entry(self, name: str) -> tuple[str, str, str]:
        """The kind, the call and the text of a name."""
        for node in self._tree.body:
            if isinstance(node, Definition) and node.name == name:
                return self._described(node)
        return "data", name, ""

    def _described(self, node: Definition) -> tuple[str, str, str]:
        text = _text(node)
        if not isinstance(node, ast.ClassDef):
            return "function", f"{node.name}{_call(node)}", text
        methods = [
            f"::::{{py:method}} {inner.name}{_call(inner, bound=True)}\n\n{_text(inner)}\n\n::::"
            for inner in node.body
            if isinstance(inner, ast.FunctionDef) and not inner.name.startswith("_")
        ]
        return "class", node.name, "\n\n".join([text, *methods])


def _text(node: Definition) -> str:
    return markdown(ast.get_docstring(node) or "")


def _call(node: ast.FunctionDef | ast.AsyncFunctionDef, *, bound: bool = False) -> str:
    if bound and node.args.args:
        node.args.args = node.args.args[1:]
    given = "" if node.returns is None else ast.unparse(node.returns)
    return f"({ast.unparse(node.args)})" + (f" -> {given}" if given not in ("", "None") else "")
