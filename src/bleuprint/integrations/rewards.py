"""Sentence scores as rewards for reinforcement learning, as TRL's trainers call them; does not require torch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bleuprint.core.arrays import Floats
from bleuprint.core.columns import References, Text, Texts
from bleuprint.core.threads import worker_count
from bleuprint.errors import InputError, NotTextError, OptionError
from bleuprint.metrics import registry

__all__ = ["Reward"]

Completion = Text | Sequence[Mapping[str, object]]  # a text, or the messages of a chat


class Reward:
    """A metric as a reward: one number per completion, and more is better.

    >>> reward = Reward("gleu")
    >>> reward(["the cat sat", "a dog"], reference=["the cat sat", ["a cat", "a dog barked"]])
    [1.0, 0.5]
    >>> Reward("wer")(["the dog sat"], reference=["the cat sat"])        # an error rate, negated
    [-0.3333333333333333]

    TRL's trainers call a reward function with the prompts, the completions and the columns of the dataset, each by its
    name: `GRPOTrainer(reward_funcs=Reward("gleu", column="summary"), …)`. A completion is a text or a list of chat
    messages, whose last content counts. A reference is a text or a list of texts.

    - `column`: the column of the dataset with the references
    - `threads`: None uses all processors; 1, the default, leaves them to the training

    The other options are those of the metric. `scores` takes token ids as well.
    """

    def __init__(self, metric: str, *, column: str = "reference", threads: int | None = 1, **options: object) -> None:
        resolved = registry.resolve(metric, options)
        if resolved.unit != "segment" or not resolved.needs_references or resolved.needs_sources:
            raise OptionError("metric", "one that scores a text against references", metric)
        if not isinstance(column, str):
            raise OptionError("column", "the name of a column", column)
        self.metric = resolved
        self.column = column
        self.__name__ = resolved.name.replace("-", "_")  # what trainers log it by
        self._threads = worker_count(threads)

    def __call__(self, completions: Sequence[Completion], **columns: References) -> list[float]:
        """The rewards of a batch of completions; other columns than that of the references are ignored."""
        if self.column not in columns:
            raise InputError(
                f"the reward {self.__name__} reads references from the column {self.column!r}, "
                f"but the batch has {', '.join(map(repr, columns)) or 'none'}: set `column` to one of its columns."
            )
        texts = [_text(completion, number) for number, completion in enumerate(completions)]
        rewards: list[float] = self.scores(texts, columns[self.column]).tolist()
        return rewards

    def scores(self, hypotheses: Texts, references: References) -> Floats:
        """The rewards as an array, from texts, token lists or `token_ids`."""
        scores = self.metric.sentences(hypotheses, references, threads=self._threads)
        return scores if self.metric.higher_is_better else -scores


def _text(completion: Completion, number: int) -> Any:
    """The text of a completion: itself, or the content of its last message."""
    last = completion[-1] if isinstance(completion, list) and completion else None
    if not isinstance(last, Mapping):
        return completion
    content = last.get("content")
    if not isinstance(content, str):
        got = type(content).__name__
        raise NotTextError(f"completions[{number}]", "a text, or messages with a content", got, "pass decoded text")
    return content
