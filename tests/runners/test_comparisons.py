"""bleuprint.compare and bleuprint.confidence_interval for every metric and for bad input."""

from __future__ import annotations

import json
import math
import random
import re
from typing import Any

import pytest

import bleuprint as bp
from bleuprint import errors
from bleuprint.results import Result
from bleuprint.runners import one_pass
from bleuprint.runners.comparisons import compare_result
from tests.hostile.children import corpus as plain_corpus
from tests.support.tables import TABLE

NAMES = list(TABLE)


def systems(count: int = 30) -> tuple[dict[str, list[str]], list[str], list[str]]:
    """Three systems, worse and worse; references; sources."""
    hypotheses, references = plain_corpus(count)
    chooser = random.Random(3)

    def worse(share: float) -> list[str]:
        return [" ".join(word for word in text.split() if chooser.random() > share) for text in references]

    return {"best": list(references), "middle": worse(0.2), "worst": worse(0.6)}, list(references), list(hypotheses)


@pytest.mark.parametrize("name", NAMES)
def test_every_metric_can_be_compared(name: str) -> None:
    outputs, references, sources = systems()
    result = bp.compare(outputs, references, metrics=name, sources=sources, resamples=500)
    found = result.metric(name)
    assert found.higher_is_better == TABLE[name].higher_is_better
    assert found.systems[0].name == "best"
    given: dict[str, Any] = {"sources": sources} if TABLE[name].needs_sources else {}
    for system in found.systems:
        expected = TABLE[name]().corpus(outputs[system.name], references, **given)
        assert system.value == pytest.approx(expected.value, abs=1e-12)
        assert system.score.low <= system.score.high
        assert result.metrics[0].signature == expected.signature
    if name not in {"contains-match", "exact-match"}:
        assert found.pair("worst", "best").better == "best"
    values = [system.value for system in found.systems]
    assert values == sorted(values, reverse=found.higher_is_better)


def test_a_comparison_is_json() -> None:
    outputs, references, _ = systems()
    result = bp.compare(outputs, references, metrics=["bleu", "ter"], detect=0.02, resamples=200)
    stored = json.loads(result.to_json())
    assert stored == json.loads(json.dumps(result.to_dict()))
    assert [entry["metric"] for entry in stored["metrics"]] == ["bleu", "ter"]
    pair = stored["metrics"][0]["pairs"][0]
    assert pair["verdict"] == result.metric("bleu").pairs[0].verdict
    assert pair["segments_needed"] > 0
    assert "test:auto" in stored["signature"]
    assert "samples:200" in stored["signature"]


def test_the_same_draws_for_all_metrics_and_any_threads() -> None:
    outputs, references, _ = systems()
    both = bp.compare(outputs, references, metrics=["chrf", "bleu"], resamples=300, threads=1)
    alone = bp.compare(outputs, references, metrics="bleu", resamples=300, threads=3)
    assert both.metric("bleu") == alone.metric("bleu")


def test_texts_that_can_be_read_once() -> None:
    outputs, references, _ = systems()
    once = bp.compare({name: iter(lines) for name, lines in outputs.items()}, iter(references), metrics=["bleu", "ter"])
    assert once == bp.compare(outputs, references, metrics=["bleu", "ter"])


def test_tokens_and_several_references() -> None:
    tokens = {"a": [["x", "y"], ["z"]], "b": [["x", "x"], ["z"]]}
    result = bp.compare(tokens, [[["x", "y"], ["x"]], [["z"]]], metrics="bleu")
    assert result.metrics[0].signature.endswith("#references:varying|bleuprint:" + bp.__version__)
    assert result.metric("bleu").pairs[0].p_value == 1.0


def test_words() -> None:
    outputs, references, _ = systems()
    lines = str(bp.compare(outputs, references, metrics="chrf")).splitlines()
    assert lines[0].startswith("chrf: best is better than middle: the difference of ")
    assert re.search(r"the difference of 0\.\d{4} is unlikely to be chance \(p = ", lines[0])
    assert lines[3].startswith("chrf: With ")
    assert lines[4:] == [
        "chrf: best: rank 1, better than 2 of 2",
        "chrf: middle: rank 2, better than 1 of 2",
        "chrf: worst: rank 3, better than 0 of 2",
    ]


@pytest.mark.parametrize("metric", ["bleu", "gleu"])  # no spread at all, and that of rounding
def test_without_spread_nothing_is_said_about_what_can_be_detected(metric: str) -> None:
    outputs = {"A": ["a b c d"] * 20, "B": ["a b c x"] * 20}
    result = bp.compare(outputs, outputs["A"], metrics=metric, detect=0.01)
    (pair,) = result.metric(metric).pairs
    assert (pair.segments_needed, pair.effect_size) == (None, None)
    assert "The difference is the same in all segments: without spread, nobody knows what" in str(result)
    assert "would often be missed" not in str(result)
    outputs["C"] = ["a b x d", "a b c d"] * 10
    some = str(bp.compare(outputs, outputs["A"], metrics=metric, detect=0.01))
    assert "With 20 segments, a true difference below about" in some
    assert "In some pairs, the difference is the same in all segments" in some


def test_an_interval() -> None:
    outputs, references, _ = systems()
    score = bp.corpus_bleu(outputs["middle"], references).value
    interval = bp.confidence_interval(outputs["middle"], references)
    assert interval.value == score
    assert interval.low < score < interval.high
    assert interval.method == "bca"
    assert bp.confidence_interval(outputs["middle"], references, metric=bp.BLEU(max_order=2)).value > score
    wide = bp.confidence_interval(outputs["middle"], references, level=0.999)
    assert wide.low < interval.low < interval.high < wide.high


BAD: list[tuple[Any, Any, dict[str, Any], type[Exception], str]] = [
    (["a"], ["a"], {}, errors.InputError, "systems must be a dict of outputs by name, got list"),
    ({}, ["a"], {}, errors.InputError, "a comparison needs at least two systems, got 0"),
    ({"A": ["a"]}, ["a"], {}, errors.InputError, "a comparison needs at least two systems, got 1"),
    ({"A": ["a"], 2: ["a"]}, ["a"], {}, errors.InputError, "the name of a system must be a str, got 2"),
    ({"A": ["a"], "\ud800": ["a"]}, ["a"], {}, errors.SurrogateError, "lone surrogate"),
    ({"A": ["a"], "B": ["a", "b"]}, ["a"], {}, errors.LengthMismatchError, "B has 2 segments"),
    ({"A": "a", "B": ["a"]}, ["a"], {}, errors.BareStringError, "A must be a list"),
    ({"A": ["a"], "B": [None]}, ["a"], {}, errors.NotTextError, "B[0]"),
    ({"A": ["a"], "B": ["\ud800"]}, ["a"], {}, errors.SurrogateError, "B[0]"),
    ({"A": [], "B": []}, [], {}, errors.NoSegmentsError, "bleu has no segments"),
    ({"A": ["a"], "B": ["a"]}, ["a"], {"metrics": []}, errors.OptionError, "metrics must be at least one metric"),
    ({"A": ["a"], "B": ["a"]}, ["a"], {"metrics": "blue"}, errors.OptionError, "There is no metric 'blue'"),
    ({"A": ["a"], "B": ["a"]}, ["a"], {"metrics": "sari"}, errors.MissingSourcesError, "sources"),
    ({"A": ["a"], "B": ["a"]}, ["a"], {"baseline": "C"}, errors.OptionError, "one of 'A', 'B', got 'C'"),
    (
        {"A": ["a"], "B": ["a"]},
        ["a"],
        {"sample": 3},
        errors.OptionError,
        "no setting 'sample'; it has test",
    ),
    ({"A": ["a"], "B": ["a"]}, ["a"], {"threads": 0}, errors.OptionError, "threads must be None"),
    ({"A": ["a"], "B": ["a"]}, ["a"], {"alpha": math.inf}, errors.OptionError, "alpha must be a number between"),
]


@pytest.mark.parametrize(("outputs", "references", "options", "error", "message"), BAD)
def test_bad_input(
    outputs: Any, references: Any, options: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error) as caught:
        bp.compare(outputs, references, **options)
    assert message in str(caught.value)


def test_scores_that_depend_on_the_last_segment_cannot_be_drawn() -> None:
    metric = bp.BLEU(profile="nltk", smoothing="method5")
    with pytest.raises(errors.OptionError, match="'corpus' for resampling"):
        bp.compare({"A": ["a"], "B": ["b"]}, ["a"], metrics={"bleu": metric})


@pytest.mark.parametrize("exponent", [-900, -600, 300, 520, 600, 1000])
def test_the_scale_of_scores_changes_no_verdict(exponent: int) -> None:
    """Multiplying by a power of two is exact, also where squares overflow or vanish."""
    draw = random.Random(1)
    plain = {"A": [draw.random() for _ in range(40)], "B": [draw.random() - 0.1 for _ in range(40)]}
    scaled = {name: [math.ldexp(score, exponent) for score in scores] for name, scores in plain.items()}
    options: dict[str, Any] = {"resamples": 199, "margin": 0.5}
    (pair,) = bp.compare(columns={"judge": plain}, **options).metric("judge").pairs
    if exponent <= 20:
        options["margin"] = math.ldexp(0.5, exponent)
        (other,) = bp.compare(columns={"judge": scaled}, **options).metric("judge").pairs
        assert other.equivalence is not None
        assert pair.equivalence is not None
        assert other.equivalence.verdict == pair.equivalence.verdict
        assert other.equivalence.p_value == pytest.approx(pair.equivalence.p_value)
    else:
        (other,) = bp.compare(columns={"judge": scaled}, resamples=199).metric("judge").pairs
    assert (other.better, other.p_value, other.effect_size) == (pair.better, pair.p_value, pair.effect_size)
    for field in ("low", "value", "high"):
        expected = math.ldexp(getattr(pair.difference, field), exponent)
        assert getattr(other.difference, field) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("size", [1.7e308, -1.7e308, 1e307])
def test_scores_whose_sums_overflow_are_refused(size: float) -> None:
    columns = {"judge": {"A": [0.5] * 20, "B": [0.5] * 19 + [size]}}
    with pytest.raises(errors.InputError, match="too large to add up"):
        bp.compare(columns=columns)


def test_a_difference_that_no_test_set_detects_gets_no_number() -> None:
    columns = {"judge": {"A": [0.0, 1.0, 0.0, 1.0], "B": [1.0, 1.0, 0.0, 0.0], "C": [1.0, 1.0, 0.0, 1e-5]}}
    tiny = bp.compare(columns=columns, detect=1e-6)
    assert re.search(r"requested one needs about \d+; no number of segments would detect it in every pair.", str(tiny))
    two = {"judge": {name: columns["judge"][name] for name in "AB"}}
    assert "; no number of segments would detect the requested one." in str(bp.compare(columns=two, detect=1e-90))


@pytest.mark.parametrize("lines", [[""], ["", ""], ["\0", "a"], ["a" * 100_000, ""]])
def test_odd_texts(lines: list[str]) -> None:
    result = bp.compare({"A": lines, "B": [""] * len(lines)}, lines, metrics=["bleu", "chrf", "ter", "rouge"])
    for entry in result.metrics:
        assert 0 < entry.result.pairs[0].p_value <= 1
        assert all(
            math.isfinite(number) for number in (entry.result.pairs[0].difference.low, entry.result.pairs[0].detectable)
        )


def test_a_result_in_memory_is_compared_without_counting(monkeypatch: pytest.MonkeyPatch) -> None:
    """BLEU as well, some of whose options depend on the level, so that its signature names others than it was given."""
    references = [f"the {word} sat on the mat" for word in ["cat", "dog", "cow", "hen"]]
    systems = {"A": references, "B": [text.replace("sat", "is") for text in references]}
    result = bp.evaluate(systems, references, metrics=["bleu", "ibleu", "ter", "self-bleu"], sources=references)
    expected = compare_result(Result.from_json(result.to_json()), resamples=50)
    monkeypatch.setattr(one_pass, "measure", None)
    assert compare_result(result, resamples=50) == expected
