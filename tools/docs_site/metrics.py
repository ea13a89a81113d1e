"""A page for each metric: its card, its options and profiles, its class and its functions."""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from typing import Any

import bleuprint
from bleuprint.metrics import cards, functions, profiles, registry
from bleuprint.metrics.cards import Card
from tools.docs_site import options
from tools.docs_site.entries import class_entry, entry


def pages() -> dict[str, str]:
    """The list of metrics, and a page for each."""
    loaded = [cards.load(name) for name in cards.names()]
    return {"metrics/index.md": _index(loaded), **{f"metrics/{card.file}.md": _page(card) for card in loaded}}


@cache
def names_by_card() -> dict[str, list[str]]:
    """The public names that belong to each metric, by the file of its card."""
    found = defaultdict(list)
    for name in bleuprint.__all__:
        kind = registry.class_names().get(name) or (functions.kind_of(name) if name in functions.names() else None)
        if kind is not None:
            found[cards.load(kind.name).file].append(name)
        elif bleuprint._MODULES[name].startswith("metrics.") and not bleuprint._MODULES[name].startswith(
            "metrics.base"
        ):
            card = cards.find(name)
            if card is None:
                raise LookupError(f"{name} belongs to no card")
            found[card.file].append(name)
    return found


def _index(loaded: list[Card]) -> str:
    rows = "\n".join(
        f"| [{card.title}]({card.file}.md) | {card.kind} | {card.range} | {card.direction} | {', '.join(card.needs)} "
        f"| {card.oracle} |"
        for card in loaded
    )
    names = "\n".join(card.file for card in loaded)
    return f"""# Metrics

Each page explains what the number means, when to trust it and how it fails, and lists all options with their defaults.
[Which metric?](../which-metric.md) starts from the task instead. `bleuprint cards NAME` prints the same card in a
terminal.

| metric | kind | range | better is | needs | tested against |
|---|---|---|---|---|---|
{rows}

```{{toctree}}
:hidden:

{names}
```
"""


def _page(card: Card) -> str:
    opening, heading, rest = card.markdown.partition("\n## What the number means")
    return opening + _options(card) + _profiles(card) + heading + rest + _python(card)


def _options(card: Card) -> str:
    """The options of the class behind a card."""
    metric = registry.metrics().get(card.name)
    if metric is None:
        return ""
    taken = options.of_metric(metric)
    if not taken:
        return "\n## Options\n\nThis metric has no options.\n"
    text = f"\n## Options\n\nThe same for the class {{py:class}}`~bleuprint.{metric.__name__}` and its functions."
    if card.name in registry.metrics("segment"):
        example = next((item.name for item in taken if item.name != registry.model_option(metric)), taken[0].name)
        text += f" On the command line, options follow the name: `-m {card.name}:{example}=…`."
    if any(item.default.startswith("`None` (") for item in taken):
        text += " What `None` stands for without a profile is in parentheses."
    return f"{text}\n\n{options.table(taken)}\n"


def _profiles(card: Card) -> str:
    known = profiles.table().get(card.name, {})
    rows = "\n".join(f"| `{name}` | {_settings(settings)} |" for name, settings in known.items())
    return f"\n### Profiles\n\n| profile | sets |\n|---|---|\n{rows}\n" if rows else ""


def _settings(settings: dict[str, Any]) -> str:
    return ", ".join(f"`{option}={value!r}`" for option, value in settings.items()) or "the defaults"


def _python(card: Card) -> str:
    """The class, the functions and the score of a metric."""
    listed = names_by_card()[card.file]
    described = [entry("bleuprint", name) for name in listed]
    metric = registry.metrics().get(card.name)
    if metric is not None:
        (base, *_) = metric.__orig_bases__  # type: ignore[attr-defined]
        (score, *_) = base.__args__
        if score.__module__ == metric.__module__:
            described.append(class_entry(score, signed=False))
    return "\n## Python\n\n" + "\n".join(described) if described else ""
