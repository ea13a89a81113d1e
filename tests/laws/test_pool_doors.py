"""Pools at every door: a metric of a pool goes wherever one of segments goes, and gives the number of the object.

The doors of segment metrics are in `test_doors`. What a pool cannot have is a score per segment where it has none, and
a resampling test where every resample would have to be encoded again; both are answered in words.
"""

from __future__ import annotations

import json
from typing import Any

import pandas as pd
import polars as pl
import pytest

import bleuprint as bp
import bleuprint.integrations.pandas
import bleuprint.integrations.polars
from bleuprint.dataset import DatasetItem, FileStream
from bleuprint.errors import BleuprintError, InputError, OptionError
from bleuprint.integrations._named import score_texts
from bleuprint.integrations.lightning import RunningMetric
from bleuprint.integrations.pytest_plugin import Assertions
from bleuprint.metrics import registry
from bleuprint.metrics.base.metric import Metric
from bleuprint.report import render
from bleuprint.results import Result
from bleuprint.runners import MetricRunner
from bleuprint.runners.gates import gate
from bleuprint.runners.replaying import replay
from bleuprint.runners.streaming import score_stream
from tests.support.cli import lines, sample
from tests.support.every import models_of

NAMES = sorted(registry.metrics("pool"))
BY_NAME = sorted(registry.scored_by_name("pool"))
WITH_ENCODERS = sorted(set(NAMES) - set(BY_NAME))
SYSTEMS = {name: lines(name) for name in ("system-a", "system-b")}
REFERENCES = lines("ref-1")
ITEM = DatasetItem(actual_output="a b c", expected_output="a b")
for_every_pool = pytest.mark.parametrize("name", NAMES)
for_every_pool_by_name = pytest.mark.parametrize("name", BY_NAME)


def make(name: str) -> Metric[Any]:
    return registry.resolve(name, models_of(name), unit="pool")


def given(name: str) -> dict[str, Any]:
    return {"references": REFERENCES} if registry.metrics()[name].needs_references else {}


@pytest.fixture(scope="module")
def values() -> dict[str, dict[str, float]]:
    """The one number of each metric and system."""
    return {
        name: {system: make(name).corpus(texts, **given(name)).value for system, texts in SYSTEMS.items()}
        for name in NAMES
    }


@pytest.fixture(scope="module")
def result() -> Result:
    return bp.evaluate(SYSTEMS, REFERENCES, metrics={name: make(name) for name in NAMES})


@for_every_pool
def test_evaluate_and_its_json(name: str, result: Result, values: Any) -> None:
    for stored in (result, Result.from_json(result.to_json())):
        for system in SYSTEMS:
            score = stored.system(system).score(name)
            assert (score.value, score.unit) == (values[name][system], "pool")
            whole = make(name).corpus(SYSTEMS[system], **given(name))
            assert list(score.segments) == ([] if whole.per_text is None else whole.per_text.tolist())
    assert all(f"{value:.4f}" in result.pretty() for value in values[name].values())


@for_every_pool
def test_a_pool_alone_needs_no_references(name: str, values: Any) -> None:
    found = bp.evaluate(SYSTEMS, given(name).get("references"), metrics={name: make(name)})
    assert {system: found.system(system).score(name).value for system in SYSTEMS} == values[name]


@for_every_pool
def test_the_report(name: str, values: Any) -> None:
    page = render(bp.evaluate(SYSTEMS, given(name).get("references"), metrics={name: make(name)}))
    assert all(f"{value:.4f}" in page for value in values[name].values())


def test_replaying(result: Result, values: Any) -> None:
    again = replay(Result.from_json(result.to_json()), metrics={name: make(name) for name in WITH_ENCODERS})
    assert again.same
    assert {(score.system, score.metric): score.computed for score in again.scores} == {
        (system, name): value for name, by_system in values.items() for system, value in by_system.items()
    }


@for_every_pool_by_name
def test_comparing(name: str, values: Any) -> None:
    comparison = bp.compare(SYSTEMS, given(name).get("references"), metrics={name: make(name)}, resamples=20)
    for system in comparison.metric(name).systems:
        assert system.value == values[name][system.name]
        assert system.score.low <= system.value <= system.score.high
    (pair,) = comparison.metric(name).pairs
    assert pair.difference.value == values[name][pair.first] - values[name][pair.second]
    assert 1 / 21 <= pair.p_value <= 1


@pytest.mark.parametrize("name", WITH_ENCODERS)
def test_what_would_be_encoded_anew_is_not_compared(name: str) -> None:
    with pytest.raises(OptionError, match="which would encode the texts anew many times"):
        bp.compare(SYSTEMS, REFERENCES, metrics={name: make(name)})


@for_every_pool
def test_the_gate(name: str, result: Result, values: Any) -> None:
    """A bound at the very number passes, and the message shows the number."""
    report = gate(result, minimum={name: min(values[name].values())}, maximum={name: max(values[name].values())})
    assert report.passed
    for check in report.checks:
        assert f"{values[name][check.system]:.4f}" in check.message


@for_every_pool
def test_data_frames(name: str, values: Any) -> None:
    columns = {"hyp": SYSTEMS["system-a"], "ref": REFERENCES}
    panda: Any = pd.DataFrame(columns)
    bear: Any = pl.DataFrame(columns)
    for frame in (panda.bleuprint, bear.bleuprint):
        scores = frame.score("hyp", "ref", metrics={name: make(name)})
        assert list(scores[name]) == [values[name]["system-a"]]


@for_every_pool
def test_metrics_by_name(name: str, values: Any) -> None:
    """The door behind Hugging Face evaluate, Lightning, Inspect and lm-eval."""
    score = score_texts(make(name), SYSTEMS["system-a"], given(name).get("references"), None)
    assert score.value == values[name]["system-a"]


@for_every_pool_by_name
def test_training_loops_keep_the_state_of_the_metric(name: str, values: Any) -> None:
    running = RunningMetric(name.replace("-", "_"))
    for part in (slice(0, 17), slice(17, None)):
        running.update(SYSTEMS["system-a"][part], REFERENCES[part])
    assert running.compute() == values[name]["system-a"]
    restored = RunningMetric(name)
    restored.load_state_dict(json.loads(json.dumps(running.state_dict())))
    assert restored.compute() == values[name]["system-a"]


@for_every_pool
def test_the_pytest_plugin(name: str, values: Any) -> None:
    for system, texts in SYSTEMS.items():
        value = values[name][system]
        assert Assertions().assert_score(texts, REFERENCES, make(name), at_least=value) == value


@for_every_pool
def test_what_judges_single_items_refuses_pools(name: str) -> None:
    """The only door that is closed: a pool has no pass or fail for one item."""
    for opening in (lambda: MetricRunner(metrics={name: make(name)}), lambda: make(name).score(ITEM)):
        with pytest.raises(BleuprintError, match=f"{name} (is a metric of pools|scores all texts together)"):
            opening()


@for_every_pool
@pytest.mark.parametrize("block", [1, 300, 1 << 20])
def test_law_28_a_stream_in_any_blocks(name: str, block: int, values: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bleuprint.dataset.lines.BLOCK", block)
    with FileStream({"a": sample("system-a")}, [sample("ref-1")], None) as stream:
        found = score_stream(stream, {name: make(name)})
    assert float(found["a"][name]) == values[name]["system-a"]


@for_every_pool
def test_what_a_pool_has_not_is_said(name: str) -> None:
    metric = make(name)
    for alone in (
        lambda: metric.statistics(SYSTEMS["system-a"], **given(name)),
        lambda: metric.sentence("a b c", **given(name)),
    ):
        with pytest.raises(InputError, match=f"{name} scores all texts together, so a single one has no row and no"):
            alone()
    if metric.corpus(SYSTEMS["system-a"], **given(name)).per_text is None:
        with pytest.raises(InputError, match=f"{name} scores all texts together and has no score for each"):
            metric.sentences(SYSTEMS["system-a"], **given(name))
