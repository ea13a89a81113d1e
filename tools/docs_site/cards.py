"""Pages of the metric cards, with the options of each metric."""

from __future__ import annotations

import inspect
from typing import Any

from bleuprint.metrics import cards, registry
from bleuprint.metrics.cards import Card

__all__ = ["pages"]


def pages() -> dict[str, str]:
    loaded = [cards.load(name) for name in cards.names()]
    return {"cards/index.md": _index(loaded), **{f"cards/{card.file}.md": _page(card) for card in loaded}}


def _index(loaded: list[Card]) -> str:
    rows = "\n".join(
        f"| [{card.title}]({card.file}.md) | {card.kind} | {card.range} | {card.direction} | {', '.join(card.needs)} |"
        for card in loaded
    )
    names = "\n".join(card.file for card in loaded)
    return f"""# Metric cards

Each card describes what the number means, when to trust it, and how it fails, with tested examples. `bleuprint cards
NAME` prints the same card. [Which metric?](../which-metric.md) starts from the task instead.

| metric | kind | range | better is | needs |
|---|---|---|---|---|
{rows}

```{{toctree}}
:hidden:

{names}
```
"""


def _page(card: Card) -> str:
    opening, heading, rest = card.markdown.partition("\n## What the number means")
    return opening + _options(card) + heading + rest


def _options(card: Card) -> str:
    """The options of the class behind a card, with their defaults."""
    metric = registry.metrics().get(card.name)
    if metric is None:
        return ""
    given = [item for name, item in inspect.signature(metric).parameters.items() if name != "self"]
    rows = "\n".join(f"| `{item.name}` | {_kind(item)} | {_default(item)} |" for item in given)
    link = f"{{py:class}}`~bleuprint.{_public(metric)}`"
    head = f"\n## Options\n\nOptions of {link}.\n"
    if card.name not in registry.pool_metrics():
        head = f"\n## Options\n\nOptions of {link}. On the command line, `-m {card.name}` uses the defaults.\n"
    if not rows:
        return f"{head}\nThis metric has no options.\n"
    return f"{head}\n| option | type | default |\n|---|---|---|\n{rows}\n"


def _public(metric: Any) -> str:
    import bleuprint

    name = metric.__name__
    return name if name in bleuprint.__all__ else f"metrics.{name}"


def _kind(item: inspect.Parameter) -> str:
    text = item.annotation if isinstance(item.annotation, str) else getattr(item.annotation, "__name__", "")
    return f"`{text}`".replace("|", "\\|") if text else ""


def _default(item: inspect.Parameter) -> str:
    return "required" if item.default is inspect.Parameter.empty else f"`{item.default!r}`".replace("|", "\\|")
