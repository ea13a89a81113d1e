"""What a person writes of a case: texts, options and the reason; the values are computed."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import Any

from tests.vectors.plain.case import Case


@dataclass(frozen=True)
class Draft:
    """One case: its name, why it is there, and its texts."""

    name: str
    about: str
    hypotheses: Sequence[str]
    references: Sequence[Sequence[str]] = ()
    sources: Sequence[str] = ()
    options: dict[str, Any] = field(default_factory=dict)
    accepted: Callable[[Case], list[dict[str, Any]]] = lambda _: []
    flags: Sequence[str] = ()

    def case(self, suite: Suite) -> Case:
        return Case(
            f"{suite.metric}-{self.name}",
            {**suite.options, **self.options},
            self.hypotheses,
            self.references,
            self.sources,
            suite.level,
        )


@dataclass(frozen=True)
class Suite:
    """The cases of one metric, and how a package that is trusted computes them."""

    metric: str
    about: str
    options: dict[str, Any]
    expected: Callable[[Case], dict[str, Any]]
    source: str | Callable[[Case], str]
    drafts: Sequence[Draft]
    scale: str = "fraction"
    level: str = "corpus"
    accepted: Callable[[Case], list[dict[str, Any]]] = lambda _: []


def package(name: str) -> str:
    """The name and the version of an installed package."""
    return f"{name} {version(name)}"


def reference_sets(case: Case) -> Any:
    """The references as sacrebleu takes them: a list per reference set, with None where a segment has fewer."""
    return [list(group) for group in itertools.zip_longest(*case.references)]
