"""All cases, by group."""

from __future__ import annotations

from itertools import chain

from tests.hostile import disks, files, metrics, processes, readers, reports, scale, texts
from tests.hostile.case import Case

_MODULES = (texts, scale, processes, files, disks, reports, readers, metrics)
GROUPS: dict[str, list[Case]] = dict(chain.from_iterable(module.GROUPS.items() for module in _MODULES))
CASES: dict[str, Case] = {case.name: case for cases in GROUPS.values() for case in cases}
# Cases that take no time and start no process: all of them run once more without asserts.
CHEAP = [*texts.GROUPS, *(name for name in metrics.GROUPS if name != "metrics: large")]
