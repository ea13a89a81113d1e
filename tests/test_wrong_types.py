"""Options of the wrong type: every public function answers with an error of ours, whatever it was given."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import bleuprint as bp
from bleuprint.dataset import DatasetItem
from bleuprint.errors import BleuprintError
from bleuprint.report import picture, render
from bleuprint.runners import MetricRunner, replay
from bleuprint.runners.comparisons import compare_result, confidence_interval

TEXTS, REFERENCES = ["the cat sat on a mat", "a dog"], ["the cat sat on the mat", "the dog"]
RESULT = bp.evaluate({"A": TEXTS, "B": REFERENCES}, REFERENCES)
RATED = [{"id": number, "output": "a b", "reference": "a " * number, "r": number} for number in range(5)]
MANY_RATED = [
    {"id": number, "output": "a b", "reference": "a " * (1 + number % 7), "r": number} for number in range(40)
]
ITEMS = [DatasetItem(actual_output=text, expected_output=text) for text in TEXTS]


class Strange:
    """Neither a number, a text nor a list."""

    def __repr__(self) -> str:
        return "strange"


# Wrong for every option below; those that are right for some are left out there.
VALUES: dict[str, Any] = {
    "text": "x",
    "empty text": "",
    "number": 5,
    "fraction": 2.5,
    "NaN": float("nan"),
    "infinity": float("inf"),
    "tiny": 1e-320,
    "huge": 10**400,
    "negative": -1,
    "flag": True,
    "bytes": b"x",
    "list": [3],
    "list of None": [None],
    "dict": {3: 4},
    "object": Strange(),
    "array": np.array([1.5, 2.5]),  # whose comparisons are arrays
}


def run(**options: Any) -> object:
    return MetricRunner(**{"metrics": "bleu", **options}).run_sync(ITEMS)


def called(function: Callable[..., Any], *arguments: Any) -> Callable[..., Any]:
    return lambda **options: function(*arguments, **options)


_TWO = {"A": TEXTS, "B": REFERENCES}
# A call that works, and its options with the values that are right for them.
CALLS: dict[str, tuple[Callable[..., Any], dict[str, set[str]]]] = {
    "evaluate": (
        lambda **options: bp.evaluate(**{"hypotheses": TEXTS, "references": REFERENCES, **options}),
        {
            "hypotheses": set(),
            "references": set(),
            "metrics": set(),
            "models": set(),
            "sources": set(),
            "notes": set(),
            "store": {"text"},
            "threads": {"number", "huge"},
        },
    ),
    "Ratings.read": (
        lambda **options: bp.Ratings.read(**{"table": RATED, "human": "r", **options}),
        {
            "table": set(),
            "human": set(),
            "segment": set(),
            "system": set(),
            "rater": set(),
            "hypothesis": set(),
            "reference": set(),
            "source": set(),
            "scores": set(),
            "group": set(),
            "lower_is_better": set(),
        },
    ),
    "agreement": (
        lambda **options: bp.Ratings.read(RATED, "r").agreement(**{"metrics": ["bleu"], "resamples": 5, **options}),
        {
            "metrics": set(),
            "human": set(),
            "models": set(),
            "level": set(),
            "statistic": set(),
            "resample": set(),
            "resamples": {"number"},
            "permutations": {"number"},
            "alpha": {"tiny"},
            "seed": {"number"},
            "threads": {"number", "huge"},
            "progress": set(),
        },
    ),
    "fit": (
        lambda **options: bp.Ratings.read(MANY_RATED, "r").fit(**{"metrics": ["bleu"], "resamples": 5, **options}),
        {
            "metrics": set(),
            "human": set(),
            "models": set(),
            "method": set(),
            "folds": {"number"},
            "resamples": {"number"},
            "seed": {"number"},
            "threads": {"number", "huge"},
        },
    ),
    "threshold": (
        lambda **options: bp.Ratings.read(MANY_RATED, "r").threshold(**{"cut": 20, "resamples": 5, **options}),
        {
            "metric": set(),
            "human": set(),
            "models": set(),
            "cut": {"number", "fraction", "tiny"},
            "precision": {"tiny"},
            "recall": {"tiny"},
            "folds": {"number"},
            "resamples": {"number"},
            "seed": {"number"},
            "threads": {"number", "huge"},
        },
    ),
    "power": (
        lambda **options: bp.Ratings.read(MANY_RATED, "r").power(**{"resamples": 5, **options}),
        {
            "metrics": set(),
            "human": set(),
            "models": set(),
            "sizes": set(),
            "resamples": {"number"},
            "seed": {"number"},
            "threads": {"number", "huge"},
        },
    ),
    "compare": (
        lambda **options: bp.compare(**{"systems": _TWO, "references": REFERENCES, **options}),
        {
            "systems": set(),
            "references": set(),
            "metrics": set(),
            "sources": set(),
            "baseline": set(),
            "threads": {"number", "huge"},
            "progress": set(),
            "test": set(),
            "resamples": {"number"},
            "alpha": set(),
            "interval": set(),
            "seed": {"number", "negative"},
            "mode": set(),
            "power": {"tiny"},
            "detect": {"number", "fraction", "tiny", "negative"},
        },
    ),
    "gate": (
        called(bp.gate, RESULT, RESULT),
        {
            "max_drop": {"number", "fraction", "tiny", "infinity", "huge"},
            "alpha": set(),
            "minimum": set(),
            "maximum": set(),
            "metrics": set(),
            "threads": {"number", "huge"},
            "seed": {"number", "negative"},
        },
    ),
    "gate of results": (
        lambda **options: bp.gate(**{"new": RESULT, "baseline": RESULT, **options}),
        {"new": set(), "baseline": set()},
    ),
    "MetricRunner": (
        run,
        {
            "metrics": set(),
            "thresholds": set(),
            "min_pass_rate": {"tiny"},
            "store": {"text"},
            "threads": {"number", "huge"},
        },
    ),
    "replay": (
        lambda **options: replay(**{"result": RESULT, **options}),
        {
            "result": set(),
            "hypotheses": set(),
            "references": set(),
            "sources": set(),
            "metrics": set(),
            "threads": {"number", "huge"},
        },
    ),
    "compared": (
        lambda **options: compare_result(**{"result": RESULT, **options}),
        {"result": set(), "baseline": set(), "metrics": set(), "threads": {"number", "huge"}, "alpha": set()},
    ),
    "confidence_interval": (
        called(confidence_interval, TEXTS, REFERENCES),
        {
            "metric": set(),
            "sources": set(),
            "level": {"tiny"},
            "method": set(),
            "resamples": {"number"},
            "seed": {"number", "negative"},
            "mode": set(),
            "threads": {"number", "huge"},
        },
    ),
    "render": (
        lambda **options: render(**{"result": RESULT, **options}),
        {"result": set(), "segments_shown": {"number", "huge"}, "columns": set(), "corpus": set(), "metrics": set()},
    ),
    "picture": (
        lambda **options: picture(**{"result": RESULT, "chart": "scores", **options}),
        {
            "result": set(),
            "chart": set(),
            "metric": set(),
            "systems": set(),
            "width": set(),
            "height": set(),
            "metrics": set(),
        },
    ),
    "choose": (
        lambda **options: bp.choose(**{"candidates": [TEXTS], "references": REFERENCES[:1], **options}),
        {"candidates": set(), "references": set(), "metric": set(), "sources": set(), "threads": {"number", "huge"}},
    ),
    "ibleu_sweep": (
        lambda **options: bp.IBLEU().sweep(
            **{"hypotheses": TEXTS, "references": REFERENCES, "sources": TEXTS, **options}
        ),
        {
            "hypotheses": set(),
            "references": set(),
            "sources": set(),
            "alphas": set(),
            "threads": {"number", "huge"},
        },
    ),
}


CASES = [(call, option) for call, (_, options) in CALLS.items() for option in options]


@pytest.mark.parametrize(("call", "option"), CASES, ids=str)
def test_a_wrong_type_is_an_error_of_ours(call: str, option: str) -> None:
    function, options = CALLS[call]
    for name, value in VALUES.items():
        if name not in options[option]:
            with pytest.raises(BleuprintError):
                function(**{option: value})


@pytest.mark.parametrize("call", CALLS)
def test_the_call_itself_works(call: str) -> None:
    assert CALLS[call][0]() is not None


def test_options_that_do_not_exist_are_named() -> None:
    for function in (CALLS["evaluate"][0], CALLS["MetricRunner"][0]):
        with pytest.raises(TypeError, match="bananas"):
            function(bananas=3)
    with pytest.raises(BleuprintError, match="bananas"):
        CALLS["compare"][0](bananas=3)
