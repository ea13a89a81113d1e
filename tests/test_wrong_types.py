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
    return MetricRunner(**options).run_sync(ITEMS)


def working(function: Callable[..., Any], **arguments: Any) -> Callable[..., Any]:
    """The function with arguments that work, unless one of them is passed."""
    return lambda **options: function(**{**arguments, **options})


# Values that are right for an option, wherever it is; for all others none is.
RIGHT: dict[str, set[str]] = {
    "store": {"text"},
    "threads": {"number", "huge"},
    "seed": {"number", "negative"},
    "resamples": {"number"},
    "permutations": {"number"},
    "folds": {"number"},
    "cut": {"number", "fraction", "tiny"},
    "detect": {"number", "fraction", "tiny", "negative"},
    "max_drop": {"number", "fraction", "tiny", "infinity", "huge"},
    "segments_shown": {"number", "huge"},
    **{option: {"tiny"} for option in ("precision", "recall", "power", "min_pass_rate")},
}
_OF_RATINGS = {"seed": {"number"}}
# A call that works, its options, and the values that are right for them only here.
CALLS: dict[str, tuple[Callable[..., Any], str, dict[str, set[str]]]] = {
    "evaluate": (
        working(bp.evaluate, hypotheses=TEXTS, references=REFERENCES),
        "hypotheses references metrics models sources notes store threads",
        {},
    ),
    "Ratings.read": (
        working(bp.Ratings.read, table=RATED, human="r"),
        "table human segment system rater hypothesis reference source scores group lower_is_better",
        {},
    ),
    "agreement": (
        working(bp.Ratings.read(RATED, "r").agreement, metrics=["bleu"], resamples=5),
        "metrics human models level statistic resample resamples permutations alpha seed threads progress",
        {**_OF_RATINGS, "alpha": {"tiny"}},
    ),
    "fit": (
        working(bp.Ratings.read(MANY_RATED, "r").fit, metrics=["bleu"], resamples=5),
        "metrics human models folds resamples seed threads",
        _OF_RATINGS,
    ),
    "threshold": (
        working(bp.Ratings.read(MANY_RATED, "r").threshold, cut=20, resamples=5),
        "metric human models cut precision recall folds resamples seed threads",
        _OF_RATINGS,
    ),
    "power": (
        working(bp.Ratings.read(MANY_RATED, "r").power, resamples=5),
        "metrics human models sizes resamples seed threads",
        _OF_RATINGS,
    ),
    "compare": (
        working(bp.compare, systems={"A": TEXTS, "B": REFERENCES}, references=REFERENCES),
        "systems references metrics sources baseline threads progress test resamples alpha interval seed mode "
        "power detect",
        {},
    ),
    "gate": (
        working(bp.gate, new=RESULT, baseline=RESULT),
        "new baseline max_drop alpha minimum maximum metrics threads seed",
        {},
    ),
    "MetricRunner": (working(run, metrics="bleu"), "metrics thresholds min_pass_rate store threads", {}),
    "replay": (working(replay, result=RESULT), "result hypotheses references sources metrics threads", {}),
    "compared": (working(compare_result, result=RESULT), "result baseline metrics threads alpha", {}),
    "confidence_interval": (
        working(confidence_interval, hypotheses=TEXTS, references=REFERENCES),
        "metric sources level method resamples seed mode threads",
        {"level": {"tiny"}},
    ),
    "render": (working(render, result=RESULT), "result segments_shown columns corpus metrics", {}),
    "picture": (
        working(picture, result=RESULT, chart="scores"),
        "result chart metric systems width height metrics",
        {},
    ),
    "choose": (
        working(bp.choose, candidates=[TEXTS], references=REFERENCES[:1]),
        "candidates references metric sources threads",
        {},
    ),
    "ibleu_sweep": (
        working(bp.IBLEU().sweep, hypotheses=TEXTS, references=REFERENCES, sources=TEXTS),
        "hypotheses references sources alphas threads",
        {},
    ),
}


CASES = [(call, option) for call, (_, options, _) in CALLS.items() for option in options.split()]


@pytest.mark.parametrize(("call", "option"), CASES, ids=str)
def test_a_wrong_type_is_an_error_of_ours(call: str, option: str) -> None:
    function, _, right = CALLS[call]
    for name, value in VALUES.items():
        if name not in {**RIGHT, **right}.get(option, ()):
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
