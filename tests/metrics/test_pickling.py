"""Definitions, metrics and scores go to other processes: as a signature, the options behind it and plain numbers."""

from __future__ import annotations

import copy
import multiprocessing
import pickle
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from typing import Any

import pytest

import bleuprint as bp
from bleuprint.dataset import DatasetItem
from bleuprint.errors import MergeError
from bleuprint.runners import MetricRunner
from tests.support.tables import FITTED_TABLE, POOL_TABLE, TABLE, small_orders

HYPOTHESES = ["the cat sat on the mat", "a dog ran off", "so it goes"]
REFERENCES = [["the cat sat on a mat", "a cat sat"], ["the dog ran off"], ["so it went", "it goes"]]
SOURCES = ["the cat sits on a mat", "a dog run off", "so it go"]


def words(text: str) -> list[str]:
    return text.split()


def updated(name: str) -> Any:
    metric = TABLE[name]()
    return metric.update(HYPOTHESES, REFERENCES, sources=SOURCES if metric.needs_sources else None)


@pytest.mark.parametrize("name", TABLE)
def test_a_metric_goes_on_in_another_process(name: str) -> None:
    metric = updated(name)
    for twin in (pickle.loads(pickle.dumps(metric)), copy.copy(metric), copy.deepcopy(metric)):
        assert type(twin) is type(metric)
        assert twin.compute().value == metric.compute().value
        assert twin.merge(updated(name)).compute().value == updated(name).merge(updated(name)).compute().value
    assert metric.compute().value == updated(name).compute().value


@pytest.mark.parametrize("name", TABLE)
def test_a_definition_and_a_score_are_the_same_again(name: str) -> None:
    score = updated(name).compute()
    again = pickle.loads(pickle.dumps(score))
    assert (again.value, again.columns, again.signature) == (score.value, score.columns, score.signature)
    assert again.definition == score.definition
    assert hash(again.definition) == hash(score.definition)


@pytest.mark.parametrize("name", FITTED_TABLE)
def test_a_fitted_metric_keeps_its_weights(name: str) -> None:
    metric = FITTED_TABLE[name]().fit(REFERENCES)
    twin = pickle.loads(pickle.dumps(metric))
    assert twin.signature == metric.signature
    assert twin.sentences(HYPOTHESES, REFERENCES).tolist() == metric.sentences(HYPOTHESES, REFERENCES).tolist()


def test_what_a_signature_only_names_comes_along() -> None:
    metric = bp.BLEU(tokenizer=words)
    assert pickle.loads(pickle.dumps(metric)).sentence("a b", "a b").value == metric.sentence("a b", "a b").value
    kept = bp.SelfBLEU(max_order=3).definition
    assert pickle.loads(pickle.dumps(kept)) == kept


@pytest.mark.parametrize("name", POOL_TABLE)
def test_a_pool_keeps_its_texts(name: str) -> None:
    metric = POOL_TABLE[name](**small_orders(name), lowercase=True)
    if metric.needs_references:
        metric.add_references(["The dog sat"])
    metric.update(["The CAT sat", "the cat ran", ""])
    twin = pickle.loads(pickle.dumps(metric))
    score = pickle.loads(pickle.dumps(twin.compute()))
    assert (score.value, score.per_order, score.signature) == (
        metric.compute().value,
        metric.compute().per_order,
        metric.compute().signature,
    )
    assert twin.update(["A dog"]).compute().value == metric.update(["A dog"]).compute().value


def test_a_threshold_comes_along() -> None:
    assert pickle.loads(pickle.dumps(bp.SentenceBleu(threshold=0.7))).threshold == 0.7


def test_definitions_differ_by_what_can_change_a_number() -> None:
    assert bp.BLEU().definition == bp.BLEU().definition
    assert bp.BLEU().definition != bp.BLEU(lowercase=True).definition
    assert bp.BLEU(tokenizer=words).definition != bp.BLEU(tokenizer=str.split).definition
    with pytest.raises(TypeError):
        bp.BLEU().definition.options["lowercase"] = True  # type: ignore[index]


def test_a_state_goes_into_no_other_metric() -> None:
    state = bp.WER().update(HYPOTHESES, REFERENCES).state()
    with pytest.raises(MergeError):
        bp.metrics.MER().add_state(state)
    with pytest.raises(MergeError):
        bp.WER(lowercase=True).add_state(state)


def model(tokenizer: Any = "whitespace") -> bp.LanguageModel:
    return bp.LanguageModel.train(HYPOTHESES, order=2, tokenizer=tokenizer, discount_fallback=True)


@pytest.mark.parametrize("tokenizer", ["whitespace", "13a", words])
def test_a_language_model_is_the_same_again(tokenizer: Any) -> None:
    trained = model(tokenizer)
    again = pickle.loads(pickle.dumps(trained))
    assert again.digest == trained.digest
    assert again.tokenizer == trained.tokenizer
    assert again.perplexity("a dog sat.") == trained.perplexity("a dog sat.")
    assert copy.deepcopy(trained) is trained


def _items() -> list[DatasetItem]:
    return [
        DatasetItem(actual_output=text, expected_output=group)
        for text, group in zip(HYPOTHESES, REFERENCES, strict=True)
    ]


# Everything a call returns, with the numbers that must come back.
RETURNED: dict[str, tuple[Callable[[], Any], Callable[[Any], object]]] = {
    "score": (lambda: bp.corpus_bleu(HYPOTHESES, REFERENCES), lambda score: (score.value, score.signature)),
    "mean score": (lambda: bp.corpus_rouge(HYPOTHESES, REFERENCES), lambda score: (score.value, score.parts)),
    "fitted score": (lambda: bp.cider(HYPOTHESES, REFERENCES), lambda score: (score.value, score.signature)),
    "pool score": (lambda: bp.self_bleu(HYPOTHESES), lambda score: (score.value, score.per_text.tolist())),
    "perplexity": (lambda: bp.Perplexity(model()).corpus(HYPOTHESES), lambda score: (score.value, score.signature)),
    "running perplexity": (lambda: bp.Perplexity(model()).update(HYPOTHESES), lambda metric: metric.compute().value),
    "unfitted metric": (bp.CIDEr, lambda metric: metric.signature),
    "running fitted metric": (
        lambda: bp.NIST().fit(REFERENCES).update(HYPOTHESES, REFERENCES),
        lambda metric: metric.compute().value,
    ),
    "result": (lambda: bp.evaluate(HYPOTHESES, REFERENCES, metrics=["bleu", "ter"]), lambda result: result.to_json()),
    "comparison": (
        lambda: bp.compare({"A": HYPOTHESES, "B": SOURCES}, REFERENCES, resamples=50),
        lambda comparison: comparison.to_json(),
    ),
    "gate report": (
        lambda: bp.gate(bp.evaluate(HYPOTHESES, REFERENCES), minimum={"bleu": 0.1}),
        lambda report: report.pretty(),
    ),
    "verdict": (lambda: bp.SentenceBleu().score(_items()[0]), lambda verdict: verdict.pretty()),
    "run": (lambda: MetricRunner([bp.SentenceBleu()]).run_sync(_items()), lambda run: (run.pretty(), run[0].pretty())),
    "explanation": (lambda: bp.explain(HYPOTHESES, REFERENCES, "moses", "axion"), str),
    "reconciliation": (lambda: bp.reconcile(HYPOTHESES, REFERENCES, "0.5"), lambda found: found.summary),
    "statistics": (lambda: bp.BLEU().statistics(HYPOTHESES, REFERENCES), lambda counted: counted.rows.tolist()),
    "item": (lambda: _items()[0], str),
}


@pytest.mark.parametrize("name", RETURNED)
def test_what_a_call_returns_can_be_sent_and_copied(name: str) -> None:
    make, numbers = RETURNED[name]
    returned = make()
    for twin in (pickle.loads(pickle.dumps(returned)), copy.copy(returned), copy.deepcopy(returned)):
        assert type(twin) is type(returned)
        assert numbers(twin) == numbers(returned)


def _updated(metric: Any) -> Any:
    return metric.update(HYPOTHESES, REFERENCES)


def test_metrics_go_to_new_processes_and_back() -> None:
    metrics = [
        bp.WER(),
        bp.ROUGE(),
        bp.BLEU(tokenizer=words),
        bp.CIDEr().fit(REFERENCES),
        bp.Perplexity(model()),
        bp.SelfBLEU(),
    ]
    work: list[Any] = [metric for metric in metrics if not isinstance(metric, bp.SelfBLEU | bp.Perplexity)]
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        for sent, back in zip(work, pool.map(_updated, work), strict=True):
            assert back.compute().value == _updated(sent.fresh()).compute().value
        alone = [metrics[4], metrics[5]]
        for sent, back in zip(alone, pool.map(_updated_alone, alone), strict=True):
            assert back.compute().value == _updated_alone(copy.copy(sent)).compute().value


def _updated_alone(metric: Any) -> Any:
    return metric.update(HYPOTHESES)


def test_a_function_without_a_name_needs_a_pickler_that_sends_code() -> None:
    cloudpickle = pytest.importorskip("cloudpickle")
    metric = bp.BLEU(tokenizer=lambda text: text.split("-"))
    with pytest.raises((pickle.PicklingError, AttributeError), match="lambda"):
        pickle.dumps(metric)
    again = pickle.loads(cloudpickle.dumps(metric.update(["a-b-c-d"], ["a-b-c-e"])))
    assert again.compute().columns == metric.compute().columns


def test_joblib_sends_metrics() -> None:
    joblib = pytest.importorskip("joblib")
    (back,) = joblib.Parallel(n_jobs=1)(joblib.delayed(_updated)(metric) for metric in [bp.WER()])
    assert back.compute().value == _updated(bp.WER()).compute().value
    assert joblib.hash(bp.WER()) == joblib.hash(bp.WER())
