"""Metrics as other programs ask for them, without those programs; with them, see tests/with_torch/integrations."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import bleuprint as bp
from bleuprint.errors import InputError, MissingExtraError, OptionError, UnusedSourcesError
from bleuprint.integrations import hf, inspect, lm_eval, spark
from bleuprint.integrations._items import names
from bleuprint.metrics import registry


def test_all_metrics_have_names() -> None:
    assert sorted(name.replace("_", "-") for name in names()) == sorted(registry.metrics())


def test_the_script_that_evaluate_loads_is_in_the_package() -> None:
    assert Path(hf.path()).read_text(encoding="utf-8").endswith("\nBleuprintMetric = metric_class()\n")


@pytest.mark.parametrize(("name", "meant"), [("self_blue", "self-bleu"), ("chfr", "chrf"), ("RUOGE", "rouge")])
def test_a_name_that_nobody_has(name: str, meant: str) -> None:
    calls: tuple[Callable[[str], object], ...] = (hf._find_name, registry.resolve)
    for call in calls:
        with pytest.raises(OptionError, match=rf"There is no metric '{name}'\. Did you mean {meant}\?"):
            call(name)
    with pytest.raises(OptionError, match="There is no metric '/etc'"):
        hf._find_name("/etc")
    with pytest.raises(OptionError, match="a metric object or the name of a metric, got 7"):
        registry.resolve(7)  # type: ignore[arg-type]


def call_spark(name: str) -> object:
    needed: dict[str, dict[str, Any]] = {
        "samples": {"by": "system", "key": "segment"},
        "search_corpus": {"search": None, "paths": "corpus.txt"},
    }
    return getattr(spark, name)(None, **needed.get(name, {}))


@pytest.mark.parametrize(
    ("package", "extra", "call"),
    [
        ("evaluate", "evaluate", lambda: hf.metric_class()),
        ("inspect_ai", "inspect", lambda: inspect.scorer("bleu")),
        ("inspect_ai", "inspect", lambda: inspect.ter()),
        ("inspect_ai", "inspect", lambda: inspect.corpus()),
        *(("pyspark", "spark", partial(call_spark, name)) for name in spark.__all__),
    ],
)
def test_the_missing_extra_is_named(
    monkeypatch: pytest.MonkeyPatch, package: str, extra: str, call: Callable[[], object]
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingExtraError, match=rf"pip install 'bleuprint\[{extra}\]'"):
        call()


@pytest.mark.parametrize(
    ("name", "options"), [("gleu", {}), ("bleu", {"tokenizer": "auto"}), ("cider", {}), ("self_bleu", {})]
)
def test_documents_of_a_task_are_recorded_without_the_harness(name: str, options: dict[str, object]) -> None:
    """Rows where they suffice; texts where a document alone decides too little, such as its tokenizer."""
    hypotheses, references = ["a b c d", "今天天气很好", "a b d c"], ["a b c e", "今天天气不好", "a b c d"]
    pairs = zip(hypotheses, references, strict=True)
    records = [getattr(lm_eval, name)(references=[text], predictions=[output], **options) for output, text in pairs]
    again = json.loads(json.dumps(records))  # as they come back from a log
    metric = registry.resolve(name, options)
    expected = metric.corpus(hypotheses, references if metric.needs_references else None).value
    assert lm_eval.corpus(records) == lm_eval.corpus(again) == expected
    assert lm_eval.gleu.__name__ == "gleu"


def test_what_a_metric_needs() -> None:
    with pytest.raises(InputError, match="bleu compares with references"):
        registry.resolve("bleu").corpus(["a"])
    with pytest.raises(UnusedSourcesError, match="self-bleu does not use sources"):
        registry.resolve("self_bleu").corpus(["a", "b"], sources=["a", "b"])


def test_texts_that_are_no_aligned_references() -> None:
    generated, real = ["a b c", "b c d"], ["a b", ["b c d", None]]
    flat = ["a b", "b c d"]
    metric = registry.resolve("ms-jaccard", {"max_order": 2})
    for _ in range(2):  # nothing stays from one score to the next
        assert metric.corpus(generated, real).value == bp.metrics.MSJaccard(max_order=2).corpus(generated, flat).value


def test_options_are_those_of_the_metric() -> None:
    with pytest.raises(OptionError, match=r"an option of gleu must be .*, got 'max_ord'. Did you mean 'max_order'\?"):
        registry.resolve("gleu", {"max_ord": 2})
    with pytest.raises(OptionError, match=r"an option of ibleu must be .*, got 'smooth'. Did you mean 'smoothing'\?"):
        registry.resolve("ibleu", {"smooth": "exp"})


def test_metrics_of_other_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    class Point:
        name = "my-metric"

        def load(self) -> Any:
            return bp.GLEU

    def announced(*, group: str) -> list[Point]:
        assert group == "bleuprint.metrics"
        return [Point()]

    monkeypatch.setattr("importlib.metadata.entry_points", announced)
    assert isinstance(registry.resolve("my_metric"), bp.GLEU)
    with pytest.raises(OptionError, match="Did you mean my-metric"):
        registry.resolve("my_metrik")
