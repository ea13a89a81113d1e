"""All cases, by group."""

from __future__ import annotations

from tests.hostile import processes, scale, texts
from tests.hostile.case import Case

__all__ = ["CASES", "CHEAP", "GROUPS"]

GROUPS: dict[str, list[Case]] = {**texts.GROUPS, **scale.GROUPS, **processes.GROUPS}
CASES: dict[str, Case] = {case.name: case for cases in GROUPS.values() for case in cases}
# Cases that take no time and start no process: all of them run once more without asserts.
CHEAP = [*texts.GROUPS]
