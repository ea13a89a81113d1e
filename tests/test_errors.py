"""The catalogue of errors is closed: every class is raised by some call, and every class is listed."""

from __future__ import annotations

import inspect
import pickle
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import bleuprint as bp
from bleuprint import errors
from bleuprint.dataset import read_parallel, read_text
from bleuprint.files import write_files
from bleuprint.results import Result
from bleuprint.runners import evaluate

SAMPLE = Path(bp.__file__).parent / "dataset" / "sample"

# One call for every error; None for those that only stand above others.
CALLS: dict[str, Callable[[], object] | None] = {
    "BareStringError": lambda: bp.corpus_bleu("a b", ["a b"]),
    "BleuprintError": None,
    "DataFileError": lambda: read_text("no such file"),
    "FitError": lambda: bp.CIDEr().sentence("a", "a"),
    "GateError": lambda: bp.gate(evaluate(["a"], ["a"])),
    "IndexFileError": lambda: bp.NgramIndex.open(__file__),
    "InputError": lambda: evaluate({}, []),
    "LengthMismatchError": lambda: bp.corpus_bleu(["a"], []),
    "LineCountError": lambda: read_parallel([SAMPLE / "system-a.txt", SAMPLE / "README.txt"]),
    "MergeError": lambda: bp.BLEU().merge(bp.BLEU(max_order=2)),
    "MissingExtraError": lambda: bp.BLEU(tokenizer="spm:a.model"),
    "MissingSourcesError": lambda: bp.IBLEU().corpus(["a"], ["a"]),
    "ModelFileError": lambda: bp.LanguageModel.load(__file__),
    "NoReferenceError": lambda: bp.sentence_bleu("a", []),
    "NoSegmentsError": lambda: bp.corpus_bleu([], []),
    "NotTextError": lambda: bp.sentence_bleu("a", [b"a"]),
    "OptionError": lambda: bp.BLEU(max_order=0),
    "OutputError": lambda: write_files({Path(__file__): b""}),
    "PoolError": lambda: bp.self_bleu([]),
    "ResultError": lambda: Result.from_json("banana"),
    "SignatureError": lambda: bp.BLEU.from_signature("banana"),
    "StateError": lambda: bp.BLEU().add_state({}),
    "SurrogateError": lambda: bp.sentence_bleu("\ud800", "a"),
    "TrainingError": lambda: bp.LanguageModel.train(["a b"]),
    "TransposedReferencesError": lambda: bp.corpus_bleu(["a", "b"], [["a", "b"]]),
    "UnusedSourcesError": lambda: bp.BLEU().corpus(["a"], ["a"], sources=["a"]),
}


def classes() -> dict[str, type[BaseException]]:
    members = inspect.getmembers(errors, inspect.isclass)
    return {name: cls for name, cls in members if issubclass(cls, BaseException)}


def test_the_list_is_sorted_and_complete() -> None:
    assert errors.__all__ == sorted(classes())


def test_every_error_has_a_call() -> None:
    assert sorted(CALLS) == errors.__all__


@pytest.mark.parametrize("name", [name for name, call in CALLS.items() if call is not None])
def test_every_error_is_raised(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sentencepiece", None)
    call: Any = CALLS[name]
    with pytest.raises(errors.BleuprintError) as caught:
        call()
    assert type(caught.value).__name__ == name
    assert len(str(caught.value)) > 30
    again = pickle.loads(pickle.dumps(caught.value))  # as between processes of a pool
    assert type(again) is type(caught.value)
    assert (str(again), vars(again)) == (str(caught.value), vars(caught.value))


def test_rows_of_different_options_do_not_join() -> None:
    first, second = (bp.BLEU(lowercase=lower).statistics(["a"], ["a"]) for lower in (False, True))
    with pytest.raises(errors.MergeError, match="states can only be merged if metric and options are the same"):
        first + second


@pytest.mark.parametrize("name", errors.__all__)
def test_every_error_is_in_the_tree_of_the_module(name: str) -> None:
    cls = classes()[name]
    assert issubclass(cls, errors.BleuprintError)
    assert cls.__doc__
    assert errors.__doc__ is not None
    assert f" {name} " in errors.__doc__ or errors.__doc__.count(f"{name}\n") == 1


@pytest.mark.parametrize(
    ("name", "base"),
    [
        *(("InputError", ValueError), ("BareStringError", TypeError), ("NotTextError", TypeError)),
        *(("OptionError", ValueError), ("SignatureError", ValueError), ("MissingExtraError", ImportError)),
    ],
)
def test_errors_are_what_python_would_raise(name: str, base: type[Exception]) -> None:
    """Code that catches ValueError or TypeError around a metric keeps working."""
    assert issubclass(classes()[name], base)


@pytest.mark.parametrize("call", [call for call in CALLS.values() if call is not None])
def test_no_inner_error_shows(call: Callable[[], object], monkeypatch: pytest.MonkeyPatch) -> None:
    """What the core says of a fault is for corpus.py alone."""
    monkeypatch.setitem(sys.modules, "sentencepiece", None)
    with pytest.raises(errors.BleuprintError) as caught:
        call()
    inner = caught.value.__cause__
    assert inner is None or isinstance(inner, ImportError | OSError)
    assert inner is not None or caught.value.__suppress_context__ or caught.value.__context__ is None
