"""Options of the wrong type: every public function answers with an error of ours, whatever it was given."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import bleuprint as bp
from bleuprint.dataset import DatasetItem
from bleuprint.errors import BleuprintError
from bleuprint.metrics import registry
from bleuprint.report import picture, render
from bleuprint.runners import MetricRunner, replay
from bleuprint.runners.comparisons import compare_result, confidence_interval
from tests.support import encoders
from tests.support.cli import assert_one_line, invoke, sample
from tests.support.language_models import SMALL

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
    "matrix": np.zeros((2, 2)),
    "array of a number": np.array(3),  # whose hash is an error
    "array of a fraction": np.array(0.05),
    "array of a text": np.array("x"),
    "array of objects": np.array(["a", None], dtype=object),
    "smallest": 5e-324,
    "largest": 1.7e308,
    "power": 10**200,  # fits a float, and its square does not
    "long text": "x" * 5000,  # no file can have such a name
    "nested": [[]],
    "tuple": (1, 2),
    "set": {1},
    "complex": 1j,
}


def run(**options: Any) -> object:
    return MetricRunner(**options).run_sync(ITEMS)


def working(function: Callable[..., Any], **arguments: Any) -> Callable[..., Any]:
    """The function with arguments that work, unless one of them is passed."""
    return lambda **options: function(**{**arguments, **options})


ALIKE = {"smallest": "tiny", "power": "huge", "largest": "huge", "long text": "text"}  # right where the other is
# Values that are right for an option, wherever it is; for all others none is.
RIGHT: dict[str, set[str]] = {
    "store": {"text"},
    "alphas": {"set"},
    "corpus": {"nested"},  # a corpus without a name
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
    "threshold": (
        working(bp.Ratings.read(MANY_RATED, "r").threshold, cut=20, resamples=5),
        "metric human models cut precision recall folds resamples seed threads",
        _OF_RATINGS,
    ),
    "estimate": (
        working(bp.Ratings.read(MANY_RATED, "r").estimate, resamples=5),
        "metric human models earlier scale width rate_next alpha resamples seed threads",
        {
            **_OF_RATINGS,
            "alpha": {"tiny"},
            "width": {"number", "fraction", "tiny", "huge"},
            "rate_next": {"number", "huge"},
        },
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
}


MODELS: dict[str, Callable[[], Any]] = {
    "encoder": encoders.encoder,
    "model": encoders.letters_model,
    "lm": lambda: bp.LanguageModel.train(SMALL, order=2),
    "index": lambda: bp.NgramIndex.build(SMALL),
}
CASES = [(call, option) for call, (_, options, _) in CALLS.items() for option in options.split()]


@pytest.mark.parametrize(("call", "option"), CASES, ids=str)
def test_a_wrong_type_is_an_error_of_ours(call: str, option: str) -> None:
    function, _, right = CALLS[call]
    for name, value in VALUES.items():
        if not {name, ALIKE.get(name)} & {**RIGHT, **right}.get(option, set()):
            with pytest.raises(BleuprintError):
                function(**{option: value})


@pytest.mark.parametrize("name", sorted(registry.metrics()))
def test_a_metric_takes_an_option_or_names_it(name: str) -> None:
    """Some values are right for an option; what must not come is an error of NumPy, of the system or of arithmetic."""
    kind = registry.metrics()[name]
    needed = registry.model_option(kind)
    given = {} if needed is None else {needed: MODELS[needed]()}
    texts: dict[str, Any] = {"references": REFERENCES} if kind.needs_references else {}
    for option in registry.options_of(kind):
        for label, value in VALUES.items():
            try:
                metric: Any = kind(**{**given, option: value})
                sources = {"sources": TEXTS} if metric.needs_sources else {}
                metric.corpus(TEXTS, **texts, **sources)
            except BleuprintError:
                continue
            except Exception as error:
                pytest.fail(f"{name}({option}={label}): {type(error).__name__}: {error}")


INDEX = bp.NgramIndex.build(SMALL)
# Calls that work; every parameter of the function is tried with every value.
FUNCTIONS: dict[Callable[..., Any], dict[str, Any]] = {
    bp.compare: {"systems": {"A": TEXTS, "B": REFERENCES}, "references": REFERENCES, "resamples": 10},
    bp.choose: {"candidates": [TEXTS], "metric": "gleu"},
    bp.confidence_interval: {"hypotheses": TEXTS, "references": REFERENCES, "resamples": 10},
    bp.evaluate: {"hypotheses": TEXTS, "references": REFERENCES},
    bp.explain: {"hypotheses": TEXTS, "references": REFERENCES, "start": {}, "end": {"smoothing": "exp"}},
    bp.gate: {"new": RESULT, "baseline": RESULT, "resamples": 100},
    bp.near_duplicates: {"texts": TEXTS},
    bp.pairwise: {"first": TEXTS, "second": REFERENCES},
    bp.rarefaction: {"texts": TEXTS},
    bp.reconcile: {"hypotheses": TEXTS, "references": REFERENCES, "claimed": "50.0"},
    bp.seen: {"texts": TEXTS, "index": INDEX},
    bp.select_diverse: {"texts": TEXTS, "k": 1},
    bp.token_ids: {"ids": [[1, 2], [3]]},
    bp.tokenize: {"text": "a b"},
    bp.work: {"hypothesis": "a b", "references": "a"},
    bp.insight.buckets: {"metric": bp.BLEU(), "hypotheses": TEXTS, "references": REFERENCES},
    bp.insight.contributions: {"metric": bp.BLEU(), "first": TEXTS, "second": TEXTS, "references": REFERENCES},
    bp.insight.influence: {"metric": bp.BLEU(), "hypotheses": TEXTS, "references": REFERENCES},
    bp.insight.ngram_changes: {"metric": bp.BLEU(), "first": TEXTS, "second": TEXTS, "references": REFERENCES},
    bp.insight.quadrants: {"result": RESULT, "fidelity": "bleu", "fluency": "bleu"},
}
CASES_OF_FUNCTIONS = [(function, option) for function in FUNCTIONS for option in inspect.signature(function).parameters]


@pytest.mark.parametrize(("function", "option"), CASES_OF_FUNCTIONS, ids=lambda case: getattr(case, "__name__", case))
@pytest.mark.filterwarnings("ignore::bleuprint.errors.InputWarning")
def test_a_function_takes_an_argument_or_names_it(function: Callable[..., Any], option: str) -> None:
    for label, value in VALUES.items():
        try:
            function(**{**FUNCTIONS[function], option: value})
        except BleuprintError:
            continue
        except Exception as error:
            pytest.fail(f"{function.__name__}({option}={label}): {type(error).__name__}: {error}")


def test_sizes_of_memory_have_an_end(tmp_path: Path) -> None:
    done = invoke("index", "build", sample("ref-1"), "-o", str(tmp_path / "x.bpi"), "--memory", "9" * 30 + "T")
    assert done.exit_code == 2
    assert_one_line(done.stderr, "memory must be a size such as 2GB, or a number of bytes, from 128MB to 8,388,607TB")


@pytest.mark.parametrize("call", CALLS)
def test_the_call_itself_works(call: str) -> None:
    assert CALLS[call][0]() is not None


def test_options_that_do_not_exist_are_named() -> None:
    for function in (CALLS["evaluate"][0], CALLS["MetricRunner"][0]):
        with pytest.raises(TypeError, match="bananas"):
            function(bananas=3)
    with pytest.raises(BleuprintError, match="bananas"):
        CALLS["compare"][0](bananas=3)
