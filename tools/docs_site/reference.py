"""Pages of the Python reference, generated from signatures and docstrings."""

from __future__ import annotations

import inspect
import pkgutil
from collections import defaultdict
from collections.abc import Iterable, Iterator
from importlib import import_module
from types import ModuleType
from typing import Any

import bleuprint
from bleuprint.metrics import cards, registry
from bleuprint.metrics.functions import derived
from tools.docs_site.docstrings import first_sentence, markdown, signature
from tools.docs_site.sources import Source

__all__ = ["pages"]

# Modules for authors of custom metrics that are not attributes of `bleuprint`.
WORKSHOP = ("metrics.base.metric", "metrics.base.plain", "metrics.base.pool", "metrics.cards", "metrics.profiles")
BRIDGES = ("bleuprint.compat", "bleuprint.integrations")
HIDDEN = {"bleuprint.compat.sacrebleu.command"}
# Functions that are not named like a card, and the card they belong to.
FAMILIES = {
    "Choice": "mbr",
    "MbrChoice": "mbr",
    "choose": "mbr",
    "distinct": "distinct",
    "frechet": "frechet",
    "ibleu_sweep": "ibleu",
    "mbr_decode": "mbr",
    "entropy": "entropy",
    "pairwise_bleu_rows": "pairwise-bleu",
    "pairwise_diversity": "pairwise-bleu",
    "self_bleu_within": "self-bleu",
}


def pages() -> dict[str, str]:
    """The index, the names of the package itself, and a page for each public module."""
    found = {f"reference/{name}.md": text for name, text in _top_pages().items()}
    modules = [module for module in map(_load, _module_names()) if getattr(module, "__all__", ())]
    for module in modules:
        found[f"reference/{module.__name__}.md"] = _module_page(module)
    found["reference/index.md"] = _index(modules)
    return found


def _module_names() -> list[str]:
    rooms = sorted({*bleuprint._ROOMS, *WORKSHOP})
    bridges = [
        info.name
        for room in ("compat", "integrations")
        for info in pkgutil.walk_packages(import_module(f"bleuprint.{room}").__path__, f"bleuprint.{room}.")
        if not any(part.startswith("_") for part in info.name.split(".")[1:])
        and not any(info.name.startswith(hidden) for hidden in HIDDEN)
    ]
    return [*(f"bleuprint.{room}" for room in rooms), *sorted(bridges)]


def _load(name: str) -> ModuleType | Source:
    """The module; what its source says if the program that it is a bridge to is not installed."""
    try:
        return import_module(name)
    except ImportError:
        return Source(name)


def _top_pages() -> dict[str, str]:
    """Names of the package, by what they are for; whatever is new lands under `working`."""
    titles = {
        "scores": "Score functions",
        "metrics": "Metric classes",
        "working": "Evaluate, compare, explain, gate",
    }
    names: dict[str, dict[str, list[str]]] = {page: defaultdict(list) for page in titles}
    for name in bleuprint.__all__:
        functions = name in derived() or bleuprint._MODULES.get(name, "").startswith("metrics.")
        page = "scores" if functions else "metrics" if name in registry.class_names() else "working"
        names[page][_family(name) if functions else ""].append(name)
    return {page: f"# {title}\n\n{_families(names[page])}" for page, title in titles.items()}


def _families(names: dict[str, list[str]]) -> str:
    """Names under the headings they belong to."""
    return "\n".join(
        (f"## {family}\n\n" if family else "") + "\n".join(_entry("bleuprint", name) for name in listed)
        for family, listed in sorted(names.items(), key=lambda item: item[0].lower())
    )


def _family(name: str) -> str:
    """The title of the card that a function belongs to: corpus_cer and sentence_cers belong to CER."""
    if name in derived():
        return cards.load(derived()[name].kind.name).title
    base = name
    for stem in (base, base.removesuffix("s"), base.removesuffix("es"), base.removesuffix("ies") + "y"):
        card = cards.find(FAMILIES.get(stem, stem))
        if card is not None:
            return card.title
    raise LookupError(f"{name} belongs to no card; name its card in FAMILIES")


def _module_page(module: ModuleType | Source) -> str:
    if isinstance(module, Source):
        entries = ((name, module.entry(name)) for name in module.__all__)
        described = [_directive(kind, name, module.__name__, called, text) for name, (kind, called, text) in entries]
        return f"# {module.__name__}\n\n{markdown(module.__doc__ or '')}\n\n" + "\n".join(described)
    listed: Iterable[str] = module.__all__
    own = [name for name in listed if not _is_on_top(module, name)]
    above = [name for name in listed if _is_on_top(module, name)]
    text = f"# {module.__name__}\n\n{markdown(module.__doc__ or '')}\n\n"
    if above:
        links = ", ".join(f"{{py:obj}}`~bleuprint.{name}`" for name in above)
        text += f"Also available as attributes of `bleuprint`, and documented there: {links}.\n\n"
    return text + "\n".join(_entry(module.__name__, name) for name in own)


def _is_on_top(module: ModuleType, name: str) -> bool:
    return name in bleuprint.__all__ and getattr(bleuprint, name) is getattr(module, name)


def _entry(module: str, name: str) -> str:
    """One name: a function, a class with its methods, or a value."""
    alias = derived()[name].alias_of if module == "bleuprint" and name in derived() else None
    target = alias or name
    thing = getattr(import_module(module), name)
    if target != name:
        text = f"The same as {{py:func}}`~bleuprint.{target}`."
        return _directive("function", name, module, f"{name}{signature(thing)}", text)
    if inspect.isclass(thing):
        return _directive("class", name, module, f"{name}{signature(thing)}", _class_text(thing))
    if callable(thing):
        return _directive("function", name, module, f"{name}{signature(thing)}", markdown(inspect.getdoc(thing) or ""))
    return _directive("data", name, module, name, "" if not isinstance(thing, str) else f"`{thing}`")


def _class_text(thing: type[Any]) -> str:
    bases = [base.__name__ for base in thing.__bases__ if base.__module__.startswith("bleuprint")]
    text = [markdown(inspect.getdoc(thing) or "")]
    if bases:
        text.append(f"A {', '.join(f'`{base}`' for base in bases)}.")
    text += _members(thing)
    return "\n\n".join(part for part in text if part)


def _members(thing: type[Any]) -> Iterator[str]:
    for name, member in vars(thing).items():
        if name.startswith("_"):
            continue
        inner = member.__func__ if isinstance(member, classmethod | staticmethod) else member
        if isinstance(inner, property) or type(inner).__name__ == "cached_property":
            text = markdown(inspect.getdoc(inner) or "")
            yield _directive("property", name, "", name, text, level=1)
        elif inspect.isfunction(inner):
            kind = {classmethod: ":classmethod:", staticmethod: ":staticmethod:"}.get(type(member), "")
            text = markdown(inspect.getdoc(inner) or "")
            called = f"{name}{signature(inner, bound=not isinstance(member, staticmethod))}"
            yield _directive("method", name, "", called, text, level=1, option=kind)


def _directive(kind: str, name: str, module: str, called: str, text: str, *, level: int = 0, option: str = "") -> str:
    """A directive of Sphinx's for Python; the outer ones have more colons than those they hold."""
    colons = ":" * (5 - level)
    options = "\n".join([f":module: {module}"] * bool(module) + [option] * bool(option))
    return "\n".join(filter(None, [f"{colons}{{py:{kind}}} {called}", options, f"\n{text}\n", f"{colons}\n"]))


def _index(modules: list[ModuleType | Source]) -> str:
    chapters = {
        "Modules": [module for module in modules if not module.__name__.startswith(BRIDGES)],
        "Drop-ins": [module for module in modules if module.__name__.startswith("bleuprint.compat")],
        "Integrations": [module for module in modules if module.__name__.startswith("bleuprint.integrations")],
    }
    text = f"# Python reference\n\n{markdown(bleuprint.__doc__ or '')}\n\n"
    text += "- [Score functions](scores.md): `corpus_…`, `sentence_…`, and functions for pools of texts\n"
    text += "- [Metric classes](metrics.md): `BLEU`, `CHRF`, …, with all options, streaming, merging and signatures\n"
    text += "- [Evaluate, compare, explain, gate](working.md)\n"
    names = ["scores", "metrics", "working"]
    for title, members in chapters.items():
        rows = "\n".join(
            f"| [`{module.__name__}`]({module.__name__}.md) | {first_sentence(module.__doc__ or '')} |"
            for module in members
        )
        text += f"\n## {title}\n\n| module | |\n|---|---|\n{rows}\n"
        names += [module.__name__ for module in members]
    return text + "\n```{toctree}\n:hidden:\n\n" + "\n".join(names) + "\n```\n"
