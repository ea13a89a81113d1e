"""A metric that training loops update batch by batch, with the interface of torchmetrics; does not require torch.

It is called `RunningMetric` because bleuprint and torchmetrics both already have a `Metric`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from functools import partial
from types import ModuleType
from typing import Any, Self

from bleuprint import checks
from bleuprint.core.columns import Corpus, References, Texts
from bleuprint.errors import InputError, MergeError, StateError, UnusedSourcesError
from bleuprint.metrics import registry
from bleuprint.metrics.base.metric import Metric
from bleuprint.metrics.base.score import Score
from bleuprint.metrics.base.summaries import changing

__all__ = ["RunningMetric"]

State = Mapping[str, Any]  # plain numbers, lists and strings


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
        self._options = options
        self._seen = self._nothing()

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
        batch = self._nothing()
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
        together = self._like(states[0])
        for state in states[1:]:
            together.merge_state(state)
        return together._seen.compute()

    def reset(self) -> None:
        """Forget all batches."""
        self._seen = self._nothing()

    def merge_state(self, incoming_state: RunningMetric | State) -> None:
        """Add the batches of another metric or of its `state_dict`; they count as the later ones."""
        state = incoming_state.state_dict() if isinstance(incoming_state, RunningMetric) else incoming_state
        self._seen.add_state(state)

    def state_dict(self) -> State:
        """All data since the last reset as plain numbers, lists and strings."""
        return self._seen.state()

    def load_state_dict(self, state_dict: State) -> None:
        """Continue from a `state_dict`; data added before is forgotten."""
        self._seen = self._like(state_dict)._seen

    def clone(self) -> Self:
        """An independent copy."""
        return self._like(self.state_dict())

    def __add__(self, other: RunningMetric) -> Self:
        """A new metric with the batches of both; note that torchmetrics would add the two values."""
        if not isinstance(other, RunningMetric):
            return NotImplemented
        both = self.clone()
        both.merge_state(other)
        return both

    __copy__ = clone

    def __deepcopy__(self, memo: object) -> Self:
        return self.clone()

    def __reduce__(self) -> tuple[Callable[[], Self], tuple[()], State]:
        """Pickle the name and options, because the core's objects cannot leave the process."""
        return partial(type(self), self.name, sync=self.sync, **self._options), (), self.state_dict()

    def __setstate__(self, state: State) -> None:
        self.load_state_dict(state)

    def __repr__(self) -> str:
        options = "".join(f", {key}={value!r}" for key, value in self._options.items())
        return f"{type(self).__name__}({self.name!r}{options})"

    def _add_to(self, seen: _Batches, preds: Texts, target: References | None, sources: Texts | None) -> None:
        metric = self._metric
        if target is None and metric.needs_references:
            raise InputError(f"{self.name} compares with references: pass target.")
        seen.update(preds, target if metric.needs_references else None, sources=sources)

    def _nothing(self) -> _Batches:
        return self._metric.fresh() if self._metric.can_stream else _Texts(self._metric)

    def _like(self, state: State) -> Self:
        """The same metric with this state."""
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin.reset()
        twin.merge_state(state)
        return twin


class _Texts:
    """The batches of a metric that first learns from all references, so that it needs all texts at once."""

    def __init__(self, metric: Metric[Score]) -> None:
        self._metric = metric
        self._columns: State = {"predictions": [], "references": []}

    def update(self, predictions: Texts, references: References | None, *, sources: Texts | None = None) -> None:
        if sources is not None:
            raise UnusedSourcesError(self._metric.name)
        corpus = Corpus.of(predictions, references or (), name="preds")
        added: State = {
            "predictions": [group[0] for group in corpus.hypotheses.unpack()],
            "references": corpus.references.unpack(),
        }
        with changing:
            for name, texts in self._columns.items():
                texts += added[name]

    def compute(self) -> Score:
        columns = self.state()
        return self._metric.corpus(columns["predictions"], columns["references"])

    def state(self) -> State:
        with changing:
            columns = {name: list(texts) for name, texts in self._columns.items()}
        return {"signature": self._metric.signature, **columns}

    def add_state(self, state: State) -> None:
        if not isinstance(state, Mapping) or not all(isinstance(state.get(name), list) for name in self._columns):
            raise StateError(self._metric.name, f"it must be a dict with lists: {', '.join(self._columns)}")
        if state.get("signature") != self._metric.signature:
            raise MergeError(self._metric.signature, str(state.get("signature")))
        if len(state["references"]) != len(state["predictions"]):
            raise StateError(self._metric.name, "its predictions and references differ in number")
        # Read like a batch, so that the texts are checked now and not when the score is computed.
        if state["predictions"]:
            self.update(state["predictions"], state["references"])


_Batches = Metric[Score] | _Texts


def _processes() -> ModuleType | None:
    """torch.distributed if it runs several processes, otherwise None; does not import torch."""
    distributed = getattr(sys.modules.get("torch"), "distributed", None)
    if not isinstance(distributed, ModuleType) or not distributed.is_available() or not distributed.is_initialized():
        return None
    return distributed if distributed.get_world_size() > 1 else None
