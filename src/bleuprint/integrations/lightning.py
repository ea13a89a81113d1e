"""A metric that training loops update batch by batch, with the interface of torchmetrics; does not require torch.

It is called `RunningMetric` because bleuprint and torchmetrics both already have a `Metric`.
"""

from __future__ import annotations

import sys
from copy import deepcopy
from types import ModuleType
from typing import Any, Self

from bleuprint import checks
from bleuprint.core.columns import References, Texts
from bleuprint.errors import InputError
from bleuprint.integrations._items import Running, State, start
from bleuprint.metrics import registry
from bleuprint.metrics.base.score import Score

__all__ = ["RunningMetric"]


class RunningMetric:
    """A metric by name, and the data it has seen since the last `reset`.

    >>> metric = RunningMetric("bleu", max_order=2)
    >>> metric(["the cat sat"], ["the cat sat"])             # the value of this batch, which is also added
    1.0
    >>> metric.update(["a dog ran"], [["a dog barks", "the dog runs off"]])
    >>> round(metric.compute(), 4)                           # the value of all batches as one corpus
    0.7906
    >>> other = RunningMetric("bleu", max_order=2)
    >>> other.update(["so it goes"], ["so it went"])
    >>> round((metric + other).compute(), 4)
    0.7201

    `compute` returns a float, ready for `self.log` in a LightningModule. If torch.distributed is running, it is the
    value over all processes, and each of them must call it; `sync=False` restricts it to this process. The state
    consists of sums of integers, so the value does not depend on how the texts were split, to the last bit. Metrics
    that compare texts with each other or first learn from all references keep the texts instead.
    """

    def __init__(self, metric: str, *, sync: bool = True, **options: object) -> None:
        self.sync = checks.flag("sync", sync)
        self._metric = registry.resolve(metric, options)
        self._written = ", ".join([repr(self.name), *(f"{key}={value!r}" for key, value in options.items())])
        self._seen = start(self._metric)

    @property
    def name(self) -> str:
        return self._metric.name.replace("-", "_")

    @property
    def higher_is_better(self) -> bool:
        return self._metric.higher_is_better

    def update(self, preds: Texts, target: References | None = None, *, sources: Texts | None = None) -> None:
        """Add a batch; `target[i]` is the reference of `preds[i]`, or a list of references."""
        self._add_to(self._seen, preds, target, sources)

    def forward(self, preds: Texts, target: References | None = None, *, sources: Texts | None = None) -> float:
        """Add a batch and return the value of this batch alone."""
        batch = start(self._metric)
        self._add_to(batch, preds, target, sources)
        value = float(batch.compute().value)
        self._seen.add_state(batch.state())
        return value

    __call__ = forward

    def compute(self) -> float:
        """The value of all batches since the last reset."""
        return float(self.score().value)

    def score(self) -> Score:
        """The score of all batches since the last reset, with its components and signature."""
        processes = _processes() if self.sync else None
        if processes is None:
            return self._seen.compute()
        states: list[Any] = [None] * processes.get_world_size()
        processes.all_gather_object(states, self.state_dict())
        together = start(self._metric)
        for state in states:
            together.add_state(state)
        return together.compute()

    def reset(self) -> None:
        """Forget all batches."""
        self._seen = start(self._metric)

    def merge_state(self, incoming_state: RunningMetric | State) -> None:
        """Add the batches of another metric or of its `state_dict`; they count as the later ones."""
        state = incoming_state.state_dict() if isinstance(incoming_state, RunningMetric) else incoming_state
        self._seen.add_state(state)

    def state_dict(self) -> State:
        """All data since the last reset as plain numbers, lists and strings."""
        return self._seen.state()

    def load_state_dict(self, state_dict: State) -> None:
        """Continue from a `state_dict`; data added before is forgotten."""
        seen = start(self._metric)
        seen.add_state(state_dict)
        self._seen = seen

    def clone(self) -> Self:
        """An independent copy."""
        return deepcopy(self)

    def __add__(self, other: RunningMetric) -> Self:
        """A new metric with the batches of both; note that torchmetrics would add the two values."""
        if not isinstance(other, RunningMetric):
            return NotImplemented
        both = self.clone()
        both.merge_state(other)
        return both

    __copy__ = clone

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._written})"

    def _add_to(self, seen: Running, preds: Texts, target: References | None, sources: Texts | None) -> None:
        metric = self._metric
        if target is None and metric.needs_references:
            raise InputError(f"{self.name} compares with references: pass target.")
        seen.update(preds, target if metric.needs_references else None, sources=sources)


def _processes() -> ModuleType | None:
    """torch.distributed if it runs several processes, otherwise None; does not import torch."""
    distributed = getattr(sys.modules.get("torch"), "distributed", None)
    if not isinstance(distributed, ModuleType) or not distributed.is_available() or not distributed.is_initialized():
        return None
    return distributed if distributed.get_world_size() > 1 else None
