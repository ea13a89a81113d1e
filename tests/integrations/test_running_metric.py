"""RunningMetric without torch; with it, see tests/with_torch/integrations."""

from __future__ import annotations

import copy
import json
import pickle
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bleuprint as bp
from bleuprint.errors import InputError, LengthMismatchError, MergeError, OptionError, PoolError, UnusedSourcesError
from bleuprint.integrations.lightning import RunningMetric
from tests.support.effort import examples
from tests.support.tables import POOL_TABLE, REFERENCE_TABLE
from tests.with_torch.integrations.texts import PREDICTIONS, REFERENCES, SOURCES, own_score

NAMES = sorted([*REFERENCE_TABLE, *POOL_TABLE])


def add(metric: RunningMetric, part: slice = slice(None)) -> RunningMetric:
    reads = metric.name in {"gec_gleu", "ibleu", "sari"}
    metric.update(PREDICTIONS[part], REFERENCES[part], sources=SOURCES[part] if reads else None)
    return metric


@pytest.mark.parametrize("name", NAMES)
def test_parts_make_the_whole(name: str) -> None:
    expected = own_score(name)
    whole = add(RunningMetric(name))
    assert whole.compute() == expected
    assert type(whole.compute()) is float
    parts = [add(RunningMetric(name), slice(begin, begin + 2)) for begin in (0, 2, 4)]
    assert (parts[0] + parts[1] + parts[2]).compute() == expected
    assert parts[0].compute() == own_score(name, slice(0, 2)), "adding changes neither side"
    for part in parts[1:]:
        parts[0].merge_state(part.state_dict())
    assert parts[0].compute() == expected
    assert parts[0].score().signature == whole.score().signature
    whole.reset()
    assert add(whole, slice(0, 2)).compute() == own_score(name, slice(0, 2))


@pytest.mark.parametrize("name", NAMES)
def test_copies_go_their_own_way(name: str) -> None:
    metric = add(RunningMetric(name), slice(0, 3))
    copies = [copy.deepcopy(metric), copy.copy(metric), pickle.loads(pickle.dumps(metric)), metric.clone()]
    stored = json.loads(json.dumps(metric.state_dict()))
    fresh = add(RunningMetric(name), slice(4, 6))
    fresh.load_state_dict(stored)
    for twin in (*copies, fresh):
        assert twin.compute() == metric.compute() == own_score(name, slice(0, 3))
    for twin in (*copies, fresh):
        assert add(twin, slice(3, None)).compute() == own_score(name)
        assert metric.compute() == own_score(name, slice(0, 3)), "a copy changed the original"


@given(st.lists(st.integers(0, len(PREDICTIONS) - 1), min_size=1), st.data())
@settings(max_examples=examples(50))
def test_any_division_gives_the_same_number(places: list[int], data: st.DataObject) -> None:
    ranks = [RunningMetric("bleu", smoothing="floor(0.3)") for _ in range(3)]
    for place in places:
        data.draw(st.sampled_from(ranks)).update([PREDICTIONS[place]], [REFERENCES[place]])
    hypotheses, references = [PREDICTIONS[place] for place in places], [REFERENCES[place] for place in places]
    expected = bp.corpus_bleu(hypotheses, references, smoothing="floor(0.3)")
    assert (ranks[2] + ranks[0] + ranks[1]).compute() == expected.value


def test_a_call_gives_the_batch_and_adds_it() -> None:
    metric = RunningMetric("chrf")
    for begin in (0, 3):
        part = slice(begin, begin + 3)
        assert metric(PREDICTIONS[part], REFERENCES[part]) == own_score("chrf", part)
    assert metric.compute() == own_score("chrf")


def test_a_batch_that_fails_is_not_added() -> None:
    metric = add(RunningMetric("bleu"), slice(0, 3))
    for call in (metric, metric.update):
        with pytest.raises(LengthMismatchError):
            call(["a"], ["a", "b"])
    diverse = RunningMetric("self_bleu")
    diverse.update(PREDICTIONS[:3])
    with pytest.raises(PoolError):
        diverse(["one text has no other to be compared with"])
    assert metric.compute() == own_score("bleu", slice(0, 3))
    assert diverse.compute() == own_score("self-bleu", slice(0, 3))


def test_what_is_not_the_same_does_not_merge() -> None:
    with pytest.raises(MergeError, match=r"max_order:4.* is not .*max_order:2"):
        RunningMetric("bleu").merge_state(RunningMetric("bleu", max_order=2))
    with pytest.raises(MergeError):
        RunningMetric("bleu") + RunningMetric("chrf")
    with pytest.raises(TypeError):
        RunningMetric("bleu") + 1.0  # type: ignore[operator]


def test_faults_are_named() -> None:
    with pytest.raises(InputError, match="bleu compares with references: pass target"):
        RunningMetric("bleu").update(["a"])
    with pytest.raises(UnusedSourcesError, match="self-bleu does not use sources"):
        RunningMetric("self_bleu").update(["a"], sources=["a"])
    with pytest.raises(OptionError, match="sync must be True or False, got 1"):
        RunningMetric("bleu", sync=1)  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="Did you mean bleu"):
        RunningMetric("blue")


def test_a_metric_with_a_model_reads_it_once() -> None:
    model = bp.LanguageModel.train([text for group in REFERENCES for text in group], order=2, discount_fallback=True)
    metric = RunningMetric("perplexity", lm=model)
    metric(PREDICTIONS[:3])
    metric.update(PREDICTIONS[3:])
    assert copy.deepcopy(metric).compute() == bp.perplexity(PREDICTIONS, lm=model).value


def test_it_says_what_it_is() -> None:
    metric: Any = RunningMetric("ter", lowercase=False)
    assert repr(metric) == "RunningMetric('ter', lowercase=False)"
    assert (metric.name, metric.higher_is_better) == ("ter", False)


def test_torch_is_not_imported() -> None:
    code = (
        "import sys; from bleuprint.integrations.lightning import RunningMetric; metric = RunningMetric('bleu');"
        "metric(['a b'], ['a b']); metric.compute(); print('torch' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"
