"""Rewards for training loops: what trainers pass, and what they get."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import bleuprint as bp
from bleuprint.errors import BleuprintError, InputError, LengthMismatchError, NotTextError, OptionError
from bleuprint.integrations.rewards import Reward

COMPLETIONS = ["the cat sat on the mat", "a dog", ""]
REFERENCES = ["the cat sat on a mat", ["a dog barked", "dogs"], "nothing"]


@pytest.mark.parametrize("name", ["bleu", "gleu", "chrf", "rouge", "meteor", "levenshtein_ratio"])
def test_rewards_are_sentence_scores(name: str) -> None:
    reward = Reward(name)
    expected = [reward.metric.sentence(*pair).value for pair in zip(COMPLETIONS, REFERENCES, strict=True)]
    assert reward(COMPLETIONS, prompts=["a", "b", "c"], reference=REFERENCES) == expected
    assert all(type(value) is float for value in reward(COMPLETIONS, reference=REFERENCES))
    assert reward.__name__ == name


def test_error_rates_are_negated() -> None:
    found = Reward("ter").scores(COMPLETIONS, REFERENCES)
    assert found.tolist() == (-bp.sentence_ters(COMPLETIONS, REFERENCES)).tolist()


def test_messages_count_by_their_last_content() -> None:
    messages = [[{"role": "user", "content": "x"}, {"role": "assistant", "content": text}] for text in COMPLETIONS]
    reward = Reward("gleu", column="answer")
    assert reward(messages, answer=REFERENCES) == reward(COMPLETIONS, answer=REFERENCES)


def test_token_ids() -> None:
    hypotheses, references = np.array([[5, 6, 7, 0], [5, 0, 0, 0]]), np.array([[5, 6, 8], [5, 6, 7]])
    found = Reward("gleu").scores(bp.token_ids(hypotheses, pad=0), bp.token_ids(references))
    assert found.tolist() == bp.sentence_gleus([[5, 6, 7], [5]], references.tolist()).tolist()


@pytest.mark.parametrize(
    ("arguments", "options", "error", "named"),
    [
        (("self_bleu",), {}, OptionError, "against references"),
        (("sari",), {}, OptionError, "against references"),
        (("blue",), {}, OptionError, "Did you mean"),
        (("gleu",), {"column": 3}, OptionError, "column"),
        (("gleu",), {"threads": 0}, OptionError, "threads"),
        (("gleu",), {"beta": 1}, OptionError, "beta"),
    ],
)
def test_what_is_refused(arguments: Any, options: Any, error: type[BleuprintError], named: str) -> None:
    with pytest.raises(error) as raised:
        Reward(*arguments, **options)
    assert named in str(raised.value)


def test_batches_that_are_refused() -> None:
    reward = Reward("gleu")
    with pytest.raises(InputError, match="'reference'"):
        reward(COMPLETIONS, prompts=COMPLETIONS)
    with pytest.raises(LengthMismatchError):
        reward(COMPLETIONS, reference=["a"])
    with pytest.raises(NotTextError, match=r"completions\[0\]"):
        reward([[{"role": "assistant", "content": None}]], reference=["a"])
