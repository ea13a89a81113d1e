"""How many wrong formulas the tests notice."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from typing import Any

from tools.reliability_tables.sections import ROOT, table

MODULES = ROOT / "tools" / "mutation_testing" / "mutants.toml"


def text(mutants: Mapping[str, Any]) -> str:
    """All changes in a sentence, and those of every module in a line."""
    made, killed, equivalent, survived = (sum(_counts(row)[at] for row in mutants.values()) for at in range(4))
    return (
        f"Of **{made:,}** changes to {len(mutants)} of {_modules()} modules, tests notice **{killed:,}**; {equivalent} "
        "change nothing that anybody could see, each with its reason in `tools/mutation_testing/mutants.toml`; "
        f"{survived} are noticed by no test.\n\n"
    ) + table(
        ["module", "changes", "noticed", "equivalent", "unnoticed"],
        [[f"`{name}`", *map(str, _counts(row))] for name, row in sorted(mutants.items())],
    )


def complaints(mutants: Mapping[str, Any]) -> list[str]:
    """Changes that no test notices."""
    return [f"survived in {name}: {change}" for name, row in mutants.items() for change in row["survived"]]


def _modules() -> int:
    return len(tomllib.loads(MODULES.read_text(encoding="utf-8"))["tests"])


def _counts(row: Mapping[str, Any]) -> tuple[int, int, int, int]:
    return row["made"], row["killed"], len(row["equivalent"]), len(row["survived"])
