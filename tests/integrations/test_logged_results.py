"""What MLflow is given; that it takes it is tested in tests/with_torch/integrations."""

from __future__ import annotations

import re
from typing import Any

import pytest

import bleuprint as bp
from bleuprint.errors import OptionError
from bleuprint.integrations.mlflow import log_parts
from bleuprint.results import Result
from bleuprint.runners.comparisons import compare_result

REFERENCES = [f"the {word} sat on the mat" for word in ["cat", "dog", "cow", "hen", "pig", "fox", "owl", "bee"]]
SYSTEMS = {"A": [text.replace("the mat", "a mat") for text in REFERENCES], "B": ["a cat"] * len(REFERENCES)}


def test_one_system_needs_no_name() -> None:
    result = bp.evaluate(SYSTEMS["A"], REFERENCES, metrics=["bleu", "exact-match"])
    kept = log_parts(result)
    bleu, exact = result.systems[0].scores
    assert kept.values == {"bleu": bleu.value, "exact_match": exact.value}
    assert kept.settings["bleu/signature"] == bleu.signature
    assert kept.settings["bleu/tokenizer"] == "13a"
    assert kept.settings["segments"] == "8"
    assert kept.settings["references_digest"] == result.digests["references"]
    assert kept.settings["bleuprint_version"] == bp.__version__
    assert Result.from_json(kept.files["result.json"]) == result
    assert list(kept.files) == ["result.json"]


def test_systems_metrics_and_intervals() -> None:
    result = compare_result(bp.evaluate(SYSTEMS, REFERENCES, metrics=["bleu", "ter"]))
    kept = log_parts(result, prefix="news: 2026", html=True)
    comparison = bp.compare(SYSTEMS, REFERENCES, metrics=["bleu", "ter"])
    for metric in ("bleu", "ter"):
        found = comparison.metric(metric)
        for name in SYSTEMS:
            score = next(system.score for system in found.systems if system.name == name)
            values = [kept.values[f"news_ 2026/{name}/{metric}{end}"] for end in ("", "_low", "_high")]
            assert values == [score.value, score.low, score.high]
            assert values[0] == result.system(name).score(metric).value
        assert kept.values[f"news_ 2026/A vs B/{metric}_p_value"] == found.pair("A", "B").p_value
    assert len(kept.values) == 2 * (2 * 3 + 1)
    assert kept.settings["news_ 2026/comparison"] == comparison.signature
    assert kept.files["report.html"] == result.to_html()
    alone = log_parts(comparison)
    assert {f"news_ 2026/{key}": value for key, value in alone.values.items()} == kept.values
    assert alone.files == {"comparison.json": comparison.to_json()}
    assert alone.settings["bleu/signature"] == comparison.metrics[0].signature
    assert alone.settings["segments"] == "8"


def test_names_become_keys_that_stay_apart() -> None:
    texts = ["a b"]
    names = ["a:b", "a?b", "a_b", "../x", "..", ".", "", " ", "漢字", "x" * 300, "x" * 301]
    kept = log_parts(bp.evaluate(dict.fromkeys(names, texts), texts, metrics="gleu"))
    assert len(kept.values) == len(names)
    for key in kept.values:
        assert re.fullmatch(r"[\w\- ][\w.\- ]*/gleu|\.\.[\w.\- ]+/gleu", key), key
        assert len(key) < 250
    assert "漢字/gleu" in kept.values


def test_systems_with_signatures_of_their_own_keep_them() -> None:
    import dataclasses

    result = bp.evaluate({"A": ["a"], "B": ["a"]}, ["a"], metrics="gleu")
    other = bp.evaluate(["a"], [["a", "b"]], metrics="gleu").systems[0]
    mixed = dataclasses.replace(result, systems=(result.systems[0], dataclasses.replace(other, name="B")))
    kept = log_parts(mixed)
    assert kept.settings["gleu/signature"] == result.systems[0].scores[0].signature
    assert kept.settings["B/gleu/signature"] == other.scores[0].signature


def test_what_cannot_be_logged() -> None:
    something: Any = {"bleu": 0.5}
    with pytest.raises(OptionError, match=r"^result must be a Result of evaluate or a Comparison of compare"):
        log_parts(something)
    with pytest.raises(OptionError, match=r"^html must be False for a Comparison"):
        log_parts(bp.compare(SYSTEMS, REFERENCES), html=True)


def test_metrics_become_keys_that_stay_apart() -> None:
    """ "bleu (1)" and "bleu [1]" had one key, and "bleu_low" replaced the bound of an interval."""
    names = ["bleu (1)", "bleu [1]", "bleu", "bleu_low", "bleu-low", "x" * 300, "x" * 301]
    orders = [bp.BLEU(max_order=order) for order in range(1, 1 + len(names))]
    result = bp.evaluate(SYSTEMS, REFERENCES, metrics=dict(zip(names, orders, strict=True)))
    kept = log_parts(result)
    values = [score.value for system in result.systems for score in system.scores]
    assert sorted(kept.values.values()) == sorted(values)
    signatures = [value for key, value in kept.settings.items() if key.endswith("/signature")]
    assert sorted(signatures) == sorted(score.signature for score in result.systems[0].scores)
    compared = log_parts(compare_result(result))
    assert len(compared.values) == len(names) * (2 * 3 + 1)
    assert {key: compared.values[key] for key in kept.values} == kept.values
    assert kept.values["A/bleu"] == result.system("A").score("bleu").value
    assert all(len(key) < 250 for key in compared.values)


def test_a_key_does_not_depend_on_what_else_is_logged() -> None:
    metrics = {"bleu": bp.BLEU(), "bleu_low": bp.BLEU(max_order=2), "bleu (1)": bp.BLEU(max_order=3)}
    together = log_parts(bp.evaluate(SYSTEMS, REFERENCES, metrics=metrics)).values
    for name, metric in metrics.items():
        alone = log_parts(bp.evaluate(SYSTEMS, REFERENCES, metrics={name: metric})).values
        assert alone.items() <= together.items()
    with pytest.raises(OptionError, match="metrics 'a-b' and 'a_b' would be logged under one key; rename one"):
        log_parts(bp.evaluate(SYSTEMS, REFERENCES, metrics={"a-b": bp.BLEU(), "a_b": bp.TER()}))
