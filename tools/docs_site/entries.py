"""Functions, classes and values as directives of Sphinx's Python domain."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from importlib import import_module
from typing import Any

from bleuprint.metrics import functions, registry
from tools.docs_site import options
from tools.docs_site.docstrings import markdown, signature

# Classes whose constructors take what only the package has.
MADE_BY_METHODS = {"LanguageModel", "NgramIndex", "RunResult", "Score"}


def entry(module: str, name: str) -> str:
    """One name: a function, a class with its methods, or a value."""
    thing = getattr(import_module(module), name)
    if module == "bleuprint" and name in functions.names():
        text = markdown(inspect.getdoc(thing) or "", "")  # the page of the metric has the table
        return directive("function", module, f"{name}{signature(thing)}", text)
    if inspect.isclass(thing):
        return class_entry(thing, module, signed=name not in MADE_BY_METHODS)
    if callable(thing):
        return directive("function", module, f"{name}{signature(thing)}", _text(thing))
    return directive("data", module, name, "" if not isinstance(thing, str) else f"`{thing}`")


def class_entry(thing: type[Any], module: str | None = None, *, signed: bool = True) -> str:
    """A class; without its signature if nobody but bleuprint makes its objects."""
    bases = [base for base in thing.__bases__ if base.__module__.startswith("bleuprint")]
    text = [markdown(inspect.getdoc(thing) or "", "") if _is_metric(thing) else _text(thing, signed=signed)]
    if bases:
        links = ", ".join(f"{{py:obj}}`~{base.__module__}.{base.__qualname__}`" for base in bases)
        text.append(f"Inherits from {links}.")
    text += _members(thing)
    called = f"{thing.__name__}{signature(thing)}" if signed else thing.__name__
    return directive("class", module or thing.__module__, called, "\n\n".join(filter(None, text)))


def _is_metric(thing: type[Any]) -> bool:
    return registry.class_names().get(thing.__name__) is thing


def _text(thing: Any, *, signed: bool = True) -> str:
    """The docstring, with a table of the parameters if any can be left out."""
    taken = options.of_call(thing) if signed else []
    return markdown(inspect.getdoc(thing) or "", options.table(taken) or None)


def _members(thing: type[Any]) -> Iterator[str]:
    for name, member in vars(thing).items():
        if name.startswith("_"):
            continue
        inner = member.__func__ if isinstance(member, classmethod | staticmethod) else member
        if isinstance(inner, property) or type(inner).__name__ == "cached_property":
            yield directive("property", "", name, markdown(inspect.getdoc(inner) or ""), level=1)
        elif inspect.isfunction(inner):
            kind = {classmethod: ":classmethod:", staticmethod: ":staticmethod:"}.get(type(member), "")
            called = f"{name}{signature(inner, bound=not isinstance(member, staticmethod))}"
            yield directive("method", "", called, _text(inner), level=1, option=kind)


def directive(kind: str, module: str, called: str, text: str, *, level: int = 0, option: str = "") -> str:
    """A directive of Sphinx's for Python; the outer ones have more colons than those they hold."""
    colons = ":" * (5 - level)
    settings = "\n".join([f":module: {module}"] * bool(module) + [option] * bool(option))
    return "\n".join(filter(None, [f"{colons}{{py:{kind}}} {called}", settings, f"\n{text}\n", f"{colons}\n"]))
