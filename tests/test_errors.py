"""The catalogue of errors is closed: every class is raised by some call, and every class is listed."""

from __future__ import annotations

import inspect
import pickle
import subprocess
import sys
import warnings
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
    "UnknownOptionError": lambda: bp.BLEU(smooth="exp"),  # type: ignore[call-arg]
    "UnusedSourcesError": lambda: bp.BLEU().corpus(["a"], ["a"], sources=["a"]),
}


def classes() -> dict[str, type[BaseException]]:
    members = inspect.getmembers(errors, inspect.isclass)
    return {name: cls for name, cls in members if issubclass(cls, BaseException) and not issubclass(cls, Warning)}


def test_every_error_has_a_call() -> None:
    assert sorted(CALLS) == sorted(classes())


@pytest.mark.parametrize("name", [name for name, call in CALLS.items() if call is not None])
def test_every_error_is_raised(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sentencepiece", None)
    call: Any = CALLS[name]
    with pytest.raises(errors.BleuprintError) as caught:
        call()
    assert type(caught.value).__name__ == name
    assert len(str(caught.value)) > 30
    inner = caught.value.__cause__  # what the core says of a fault is for corpus.py alone
    assert inner is None or isinstance(inner, ImportError | OSError)
    assert inner is not None or caught.value.__suppress_context__ or caught.value.__context__ is None
    again = pickle.loads(pickle.dumps(caught.value))  # as between processes of a pool
    assert type(again) is type(caught.value)
    assert (str(again), vars(again)) == (str(caught.value), vars(caught.value))


@pytest.mark.parametrize("name", sorted(classes()))
def test_every_error_says_what_it_is(name: str) -> None:
    cls = classes()[name]
    assert issubclass(cls, errors.BleuprintError)
    assert cls.__doc__


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


class TestDeprecation:
    """What the policy in docs/stability.md promises of every warning."""

    @pytest.mark.parametrize(("since", "removed"), [("0.1", "0.3"), ("0.9", "0.11"), ("1.0", "1.2")])
    def test_it_stays_for_two_minor_versions(self, since: str, removed: str) -> None:
        warning = errors.BleuprintDeprecationWarning("old", since=since, instead="use new")
        expected = f"old is deprecated since bleuprint {since} and will be removed in {removed}; use new."
        assert str(warning) == expected
        assert str(pickle.loads(pickle.dumps(warning))) == expected

    def test_everyone_sees_it_and_tests_can_refuse_it(self, tmp_path: Path) -> None:
        """Python shows a DeprecationWarning only if the script itself is to blame, not a module that it imports."""
        (tmp_path / "imported.py").write_text(
            "import warnings\n"
            "from bleuprint.errors import BleuprintDeprecationWarning\n"
            "warnings.warn(BleuprintDeprecationWarning('old', since='0.1', instead='use new'), stacklevel=1)\n"
        )
        shown = subprocess.run(
            [sys.executable, "-c", "import imported"], cwd=tmp_path, capture_output=True, text=True, check=True
        )
        assert "BleuprintDeprecationWarning: old is deprecated since bleuprint 0.1" in shown.stderr
        with warnings.catch_warnings():
            warnings.simplefilter("error", errors.BleuprintDeprecationWarning)
            with pytest.raises(errors.BleuprintDeprecationWarning, match="use new"):
                warnings.warn(errors.BleuprintDeprecationWarning("old", since="0.1", instead="use new"), stacklevel=1)
