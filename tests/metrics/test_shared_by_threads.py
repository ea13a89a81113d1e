"""Several threads may use one metric: every batch counts exactly once, whatever they do at the same time."""

from __future__ import annotations

import copy
import multiprocessing
import pickle
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import bleuprint as bp
from bleuprint.core.columns import Corpus
from bleuprint.metrics.base import summaries
from bleuprint.runners import one_pass
from tests.support.pools import references_in, texts_in
from tests.support.tables import POOL_TABLE, TABLE, small_orders

THREADS, BATCHES = 6, 40
HYPOTHESES, REFERENCES = ["the cat sat on the mat", "a dog"], ["the cat sat on a mat", "the dog"]


@pytest.fixture(autouse=True)
def switching() -> Iterator[None]:
    """Let threads take turns as often as the interpreter can."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(usual)


def at_once(*works: Callable[[], object]) -> None:
    """Run all of them together; fail with the first error."""
    start, errors = threading.Barrier(len(works)), []

    def run(work: Callable[[], object]) -> None:
        start.wait()
        try:
            work()
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=run, args=(work,)) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]


def repeated(work: Callable[[], object], times: int = BATCHES) -> Callable[[], None]:
    def run() -> None:
        for _ in range(times):
            work()

    return run


def batch(metric: Any) -> dict[str, Any]:
    return {"sources": REFERENCES} if metric.needs_sources else {}


def slow_add(first: int, second: int) -> int:
    """Let another thread run between reading the old sums and storing the new ones."""
    time.sleep(0.0002)
    return first + second


def test_no_batch_is_lost_if_a_thread_stops_in_the_middle_of_a_change(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(summaries, "add", slow_add)
    metric = bp.WER()
    at_once(*[repeated(lambda: metric.update(["a b c"], ["a b c"]), 10)] * THREADS)
    assert metric.compute().columns == (3 * 10 * THREADS, 0, 0, 0)


@pytest.mark.parametrize("name", TABLE)
def test_updates_from_several_threads_are_all_counted(name: str) -> None:
    metric, other = TABLE[name](), TABLE[name]()
    part = TABLE[name]().update(HYPOTHESES, REFERENCES, **batch(metric))
    state, times = part.state(), BATCHES // 4
    metric.merge(part)
    at_once(
        repeated(lambda: metric.update(HYPOTHESES, REFERENCES, **batch(metric)), times),
        repeated(lambda: metric.merge(part), times),
        repeated(lambda: metric.add_state(state), times),
        repeated(lambda: other.merge(metric.fresh().merge(part)), times),
        repeated(lambda: (metric.compute(), metric.state(), copy.copy(metric), pickle.dumps(metric)), times),
    )
    expected = TABLE[name]()
    for _ in range(1 + 3 * times):
        expected.merge(part)
    assert metric.state() == expected.state()
    assert metric.compute().value == expected.compute().value


@pytest.mark.parametrize("name", POOL_TABLE)
def test_texts_added_to_a_pool_by_several_threads_are_all_there(name: str) -> None:
    metric = POOL_TABLE[name](**small_orders(name))
    if metric.needs_references:
        metric.add_references(REFERENCES)
    part = POOL_TABLE[name](**small_orders(name)).update(HYPOTHESES)
    metric.update(HYPOTHESES)
    at_once(
        repeated(lambda: metric.update(HYPOTHESES)),
        repeated(lambda: metric.merge(part)),
        repeated(
            lambda: (metric.compute(), metric.corpus(HYPOTHESES, REFERENCES if metric.needs_references else None))
        ),
        repeated(lambda: pickle.dumps(metric)),
    )
    assert metric.compute().texts == 2 * (2 * BATCHES + 1)


def encode(texts: list[str]) -> list[tuple[list[str], list[tuple[float, float]]]]:
    return [(text.split(), [(float(len(word)), 1.0) for word in text.split()]) for text in texts]


def test_embedded_texts_from_several_threads_are_all_there() -> None:
    metric = bp.metrics.Frechet(encode).add_references(REFERENCES).update(HYPOTHESES)
    one = metric.compute()
    at_once(
        *[repeated(lambda: metric.update(HYPOTHESES))] * 3,
        repeated(lambda: metric.add_references(REFERENCES)),
        repeated(lambda: metric.compute()),
    )
    assert (texts_in(metric), references_in(metric)) == (
        2 * (3 * BATCHES + 1),
        2 * (BATCHES + 1),
    )
    assert metric.compute().mean_part == one.mean_part


def test_one_pass_adds_every_batch() -> None:
    running: dict[str, dict[str, Any]] = {"a": {"wer": bp.WER(), "rouge": bp.ROUGE()}}
    corpora = {"a": Corpus.of(HYPOTHESES, REFERENCES)}
    at_once(*[repeated(lambda: one_pass.update(running, corpora), 10)] * THREADS)
    for metric in running["a"].values():
        once = metric.fresh().update(HYPOTHESES, REFERENCES)
        assert metric.compute().columns == tuple(10 * THREADS * np.array(once.compute().columns))


def test_two_metrics_merged_into_each_other_do_not_wait_for_each_other() -> None:
    first, second = bp.WER().update(["a"], ["a"]), bp.WER().update(["a"], ["b"])
    pools = bp.SelfBLEU().update(["a", "b"]), bp.SelfBLEU().update(["c"])
    at_once(
        repeated(lambda: first.merge(second), 20),
        repeated(lambda: second.merge(first), 20),
        repeated(lambda: pools[0].merge(pools[1]), 5),
        repeated(lambda: pools[1].merge(pools[0]), 5),
    )
    assert first.compute().columns[0] > 0


@pytest.mark.parametrize("name", TABLE)
def test_a_metric_merged_into_itself_counts_twice(name: str) -> None:
    metric = TABLE[name]().update(HYPOTHESES, REFERENCES, **batch(TABLE[name]))
    twice = copy.copy(metric).merge(metric)
    assert metric.merge(metric).state() == twice.state()


def test_a_pool_merged_into_itself_counts_twice() -> None:
    assert (metric := bp.SelfBLEU().update(["a b", "c"])).merge(metric).compute().texts == 4
    cloud = bp.metrics.Frechet(encode).add_references(REFERENCES).update(HYPOTHESES)
    assert (texts_in(cloud.merge(cloud)), references_in(cloud)) == (4, 4)


def test_a_score_does_not_change_when_texts_are_added() -> None:
    metric = bp.SelfBLEU().update(["a b c d e", "a b c d f"])
    score = metric.compute()
    before = score.per_text.tolist()
    metric.update(["x"])
    assert (len(score.per_text), score.per_text.tolist()) == (2, before)


def test_copies_share_no_data() -> None:
    cases: list[tuple[Any, Callable[[Any], object]]] = [
        (bp.WER().update(["a"], ["a"]), lambda twin: twin.update(["b"], ["a"])),
        (bp.SelfBLEU().update(["a", "b"]), lambda twin: twin.update(["a"])),
        (
            bp.metrics.MSJaccard().add_references(["a"]).update(["a", "b"]),
            lambda twin: twin.add_references(["b c d e"]),
        ),
    ]
    for metric, add in cases:
        before = metric.compute().value
        for twin in (copy.copy(metric), copy.deepcopy(metric), pickle.loads(pickle.dumps(metric))):
            add(twin)
            assert metric.compute().value == before


def _goes_on(metric: Any, answers: Any) -> None:
    answers.put(metric.update(HYPOTHESES, REFERENCES).compute().columns)


@pytest.mark.skipif(not hasattr(__import__("os"), "fork"), reason="only where processes fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_process_finds_a_free_lock_and_whole_sums(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(summaries, "add", slow_add)
    metric, stop = bp.WER(), threading.Event()

    def busy() -> None:
        while not stop.is_set():
            metric.update(HYPOTHESES, REFERENCES)

    threads = [threading.Thread(target=busy) for _ in range(2)]
    for thread in threads:
        thread.start()
    context = multiprocessing.get_context("fork")
    answers = context.SimpleQueue()
    try:
        children = [context.Process(target=_goes_on, args=(metric, answers)) for _ in range(3)]
        for child in children:
            child.start()
        once = np.array(bp.WER().update(HYPOTHESES, REFERENCES).compute().columns)
        for _ in children:
            columns = np.array(answers.get())
            assert (columns == once * (columns[0] // once[0])).all()
        for child in children:
            child.join()
    finally:
        stop.set()
        for thread in threads:
            thread.join()
