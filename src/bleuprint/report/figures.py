"""What several sections show in the same way: figures with facts, signatures, metric cards."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from markupsafe import Markup

from bleuprint.errors import BleuprintError
from bleuprint.metrics import cards, registry
from bleuprint.metrics.cards import Card
from bleuprint.results import MetricResult
from bleuprint.signature import parse


class Figure(NamedTuple):
    """One system's chart with the facts under it."""

    name: str
    value: str
    chart: Markup
    facts: tuple[tuple[str, str], ...] = ()


class FactTable(NamedTuple):
    """What is known of every system: a column for each kind of fact, and a row of texts for each system."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[str, ...]], ...]

    @classmethod
    def of(cls, facts: Mapping[str, Iterable[tuple[str, str]]]) -> FactTable:
        """The table of the facts of each system; a cell is empty where a system has no such fact."""
        by_system = {name: dict(known) for name, known in facts.items()}
        columns = tuple(dict.fromkeys(column for known in by_system.values() for column in known))
        rows = ((name, tuple(known.get(column, "") for column in columns)) for name, known in by_system.items())
        return cls(columns, tuple(rows))


def direction(score: MetricResult) -> str:
    """Which scores are better, in words."""
    return "higher is better" if score.higher_is_better else "lower is better"


def join_names(names: Sequence[str], most: int) -> str:
    """The first names in words, and how many more there are."""
    shown = [*names[:most], *([f"{len(names) - most} more"] if len(names) > most else [])]
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"


def card_for(score: MetricResult) -> Card | None:
    """The card of the metric that the signature names; a metric of someone else's may have none."""
    name = metric_name(score)
    if name is None:
        return None
    # The label is whatever the caller chose. It tells more than the signature only where it is a name of ours.
    known = registry.metrics("segment").get(score.metric)
    return cards.find(score.metric if known is not None and known.name == name else name)


def metric_name(score: MetricResult) -> str | None:
    """The metric that the signature of a score names."""
    try:
        return parse(score.signature).metric
    except BleuprintError:
        return None


def signatures_of(owned: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    """Signatures with their owners, who are not named where all have the same."""
    owners: dict[str, list[str]] = {}
    for name, text in owned:
        owners.setdefault(text, []).append(name)
    return owners if len(owners) > 1 else {text: [] for text in owners}
