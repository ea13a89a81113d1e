"""Pages of the Python API, generated from signatures and docstrings, by what names are for.

Names of metrics are on the pages of the metrics. Modules that no page names are internal.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib import import_module
from types import ModuleType

import bleuprint
from bleuprint.core import tokenizers
from bleuprint.errors import BleuprintError
from bleuprint.metrics import cards
from tools.docs_site import metrics, options
from tools.docs_site.docstrings import first_sentence, markdown
from tools.docs_site.entries import directive, entry
from tools.docs_site.sources import Source

EXAMPLE = "Mr. Li's 3.5-kg cat: 你好吗?"


@dataclass(frozen=True)
class Page:
    """A page: the names of `bleuprint` that come from some modules, then the own names of other modules."""

    file: str
    title: str
    text: str
    origins: tuple[str, ...] = ()
    modules: tuple[str, ...] = ()


PAGES = (
    Page(
        "evaluate",
        "Evaluate, compare, gate",
        "Score systems under several metrics, compare them, and check results against bounds or a baseline.",
        ("runners", "results.comparison"),
        ("runners", "runners.streaming"),
    ),
    Page(
        "understand",
        "Explain, choose, fit",
        "Find out where a score comes from, which metric agrees with people, and which texts to keep.",
        ("insight", "pools", "ratings", "corpora.search"),
        ("insight", "ratings"),
    ),
    Page(
        "metric-objects",
        "Metric objects and scores",
        "What all metrics have in common: methods to score texts, batches and streams, and the scores they return.",
        ("metrics.base",),
        ("metrics", "metrics.base.metric", "metrics.base.score:Score"),
    ),
    Page(
        "models",
        "Language models and n-gram indexes",
        "Models for perplexity, and indexes of the n-grams of a corpus.",
        ("models",),
        ("corpora", "models.causal_models"),
    ),
    Page("encoders", "Encoders", "", (), ("models.encoders",)),
    Page("tokenizers", "Tokenizers", "", ("core",), ()),
    Page("dataset", "Datasets and files", "", ("dataset",), ("dataset",)),
    Page("results", "Results", "", ("results",), ("results",)),
    Page("report", "Reports and pictures", "", (), ("report",)),
    Page(
        "statistics",
        "Intervals, tests and power",
        "",
        (),
        ("statistics.comparison", "statistics.intervals", "statistics.power"),
    ),
    Page("errors", "Errors", "", (), ("errors",)),
)
BRIDGES = {
    "drop-ins": ("compat", "Drop-ins", "Modules with the names, calls and scores of other libraries."),
    "integrations": ("integrations", "Integrations", "bleuprint inside of other tools; each one is an extra."),
}


def _types() -> str:
    """The names of types that signatures share."""
    entries = (f"(type-{name.lower()})=\n## {name}\n\n{text}\n" for name, text in options.TYPES.items())
    return "\n".join(["# Names of types\n\nWhat the names in signatures stand for.\n", *entries])


def pages() -> dict[str, str]:
    """The index, the pages above, and one for each drop-in and integration."""
    names = _names_by_page()
    found = {f"reference/{page.file}.md": _page(page, names[page.file]) for page in PAGES}
    found["reference/types.md"] = _types()
    for file, (room, title, text) in BRIDGES.items():
        bridges = _bridges(room)
        found |= {f"reference/{module.__name__}.md": _module_page(module) for module in bridges}
        found[f"reference/{file}.md"] = f"# {title}\n\n{text}\n\n{_module_table(bridges)}"
    found["reference/index.md"] = _index(names)
    return found


def _names_by_page() -> dict[str, list[str]]:
    """The names of `bleuprint` that are not a metric's, by page."""
    taken = {name for names in metrics.names_by_card().values() for name in names}
    found: dict[str, list[str]] = {page.file: [] for page in PAGES}
    functions_first = sorted(bleuprint.__all__, key=lambda name: name[0].isupper())
    for name in (name for name in functions_first if name not in taken):
        found[_page_of(name)].append(name)
    return found


def _page_of(name: str) -> str:
    """The page whose modules come closest to the one that defines a name."""
    module = f"{bleuprint._MODULES[name]}."
    origins = [(len(origin), page.file) for page in PAGES for origin in page.origins if module.startswith(f"{origin}.")]
    if not origins:
        raise LookupError(f"{name} is on no page; name its module {module[:-1]} in PAGES of {__name__}")
    return max(origins)[1]


def _page(page: Page, names: list[str]) -> str:
    modules = [_load(f"bleuprint.{name.partition(':')[0]}") for name in page.modules]
    text = page.text or markdown(modules[0].__doc__ or "" if modules else "")
    described = [entry("bleuprint", name) for name in names]
    for given, module in zip(page.modules, modules, strict=True):
        wanted = given.partition(":")[2]
        own = [wanted] if wanted else [name for name in module.__all__ if not _is_on_top(module, name)]
        own.sort(key=lambda name: name[0].isupper())
        heading = f"## In {module.__name__}\n" if names or len(modules) > 1 else ""
        described += [heading] * bool(own) + [_own_entry(module, name) for name in own]
    table = f"{_tokenizers()}\n" if page.file == "tokenizers" else ""
    return f"# {page.title}\n\n{text}\n\n{table}" + "\n".join(described)


def _own_entry(module: ModuleType | Source, name: str) -> str:
    if isinstance(module, Source):
        kind, called, text = module.entry(name)
        return directive(kind, module.__name__, called, text)
    return entry(module.__name__, name)


def _is_on_top(module: ModuleType | Source, name: str) -> bool:
    return name in bleuprint.__all__ and getattr(bleuprint, name) is getattr(module, name, None)


def _bridges(room: str) -> list[ModuleType | Source]:
    """The public modules of a room, one for each library."""
    found = pkgutil.iter_modules(import_module(f"bleuprint.{room}").__path__, f"bleuprint.{room}.")
    return [_load(info.name) for info in found if not info.name.rpartition(".")[2].startswith("_")]


def _load(name: str) -> ModuleType | Source:
    """The module; what its source says if the program that it is a bridge to is not installed."""
    try:
        return import_module(name)
    except ImportError:
        return Source(name)


def _module_page(module: ModuleType | Source) -> str:
    """The names of a module; of a package without names of its own, those of its modules."""
    text = f"# {module.__name__}\n\n{markdown(module.__doc__ or '')}\n\n"
    if getattr(module, "__all__", ()) or not isinstance(module, ModuleType):
        return text + "\n".join(_own_entry(module, name) for name in module.__all__)
    for info in pkgutil.iter_modules(module.__path__, f"{module.__name__}."):
        inner = _load(info.name)
        listed = [_own_entry(inner, name) for name in getattr(inner, "__all__", ())]
        text += "\n".join([f"## {info.name}\n", markdown(inner.__doc__ or ""), "", *listed, ""]) if listed else ""
    return text


def _module_table(modules: Iterable[ModuleType | Source]) -> str:
    listed = list(modules)
    rows = "\n".join(
        f"| [`{module.__name__}`]({module.__name__}.md) | {first_sentence(module.__doc__ or '')} |" for module in listed
    )
    return f"| module | |\n|---|---|\n{rows}\n\n{_contents(module.__name__ for module in listed)}"


def _tokenizers() -> str:
    """Every tokenizer and what it makes of an example."""
    rows = "\n".join(f"| `{name}` | {tokens} |" for name, tokens in _tokens())
    return f"""Metrics with a `tokenizer` option take one of these names, or a function that splits a text into tokens.
The table shows the tokens of `{EXAMPLE}`. `bleuprint list tokenizers` prints the same.

| tokenizer | tokens |
|---|---|
{rows}
"""


def _tokens() -> Iterator[tuple[str, str]]:
    for name in tokenizers.names():
        try:
            yield name, f"`{' '.join(tokenizers.tokenize(EXAMPLE, name))}`"
        except BleuprintError as error:  # a model that has to be given, or an extra that is not installed
            yield name, str(error) if "pip install" in str(error) else "needs the path of a model"


def _index(names: dict[str, list[str]]) -> str:
    parts = [f"# Python API\n\n{markdown(bleuprint.__doc__ or '')}\n"]
    parts.append("Everything public, by what it is for. Names without a module are attributes of `bleuprint`.\n")
    for page in PAGES:
        listed = "".join(f"| {{py:obj}}`~bleuprint.{name}` | {_said(name)} |\n" for name in names[page.file])
        rows = f"\n| name | |\n|---|---|\n{listed}" if listed else ""
        parts.append(f"## {page.title}\n\n{_opening(page)} See [{page.title}]({page.file}.md).\n{rows}")
    parts.append(_metric_table())
    parts += [f"## {title}\n\n{text} See [{title}]({file}.md).\n" for file, (_, title, text) in BRIDGES.items()]
    return "\n".join(parts) + "\n" + _contents([*(page.file for page in PAGES), *BRIDGES, "types"])


def _opening(page: Page) -> str:
    if page.file == "tokenizers":
        return "How texts are split into tokens."
    return page.text or f"{first_sentence(import_module(f'bleuprint.{page.modules[0]}').__doc__ or '')}."


def _said(name: str) -> str:
    return first_sentence(getattr(bleuprint, name).__doc__ or "")


def _metric_table() -> str:
    """Every class and function of every metric, with a link to its page."""
    rows = "".join(
        f"| [{cards.load(file).title}](../metrics/{file}.md) | {', '.join(f'`{name}`' for name in listed)} |\n"
        for file, listed in sorted(metrics.names_by_card().items())
    )
    return f"## Metrics\n\nClasses and functions of each metric, on its page.\n\n| metric | names |\n|---|---|\n{rows}"


def _contents(names: Iterable[str]) -> str:
    return "\n```{toctree}\n:hidden:\n\n" + "\n".join(names) + "\n```\n"
