"""Property tests driven by a fuzzer: coverage of the Python side chooses the bytes that hypothesis makes examples of.

`python -m tests.fuzz.targets NAME FOLDER [libFuzzer options]`; tools/run_fuzzers.py runs it. Needs the package atheris.
"""

from __future__ import annotations

import gc
import importlib
import inspect
import sys
from collections.abc import Callable
from types import FunctionType

import bleuprint

TARGETS = {
    # Any object graph for texts, references and options of the public functions.
    "boundary": ["tests.kernels.test_boundary"],
    # Native kernels against their plain twins.
    "twins": [
        "tests.kernels.test_characters",
        "tests.kernels.test_edits",
        "tests.models.test_language_model",
        "tests.kernels.test_lines",
        "tests.kernels.test_row_values",
        "tests.kernels.test_scripts",
        "tests.kernels.test_token_bytes",
        "tests.metrics.test_match",
        "tests.metrics.test_meteor",
        "tests.kernels.test_clipped",
        "tests.metrics.test_rouge",
        "tests.statistics.test_row_sums",
        "tests.metrics.test_sari",
        "tests.kernels.test_shifts",
        "tests.metrics.test_weighted",
        "tests.parity.test_gleu",
        "tests.parity.test_self_bleu",
    ],
}


def target(name: str) -> Callable[[bytes], None]:
    """One function of bytes: the first byte says which of the target's properties the others are an example of."""
    properties = []
    for module in TARGETS[name]:
        for label, function in vars(importlib.import_module(module)).items():
            # What has a parameter left is run by pytest with values of its own.
            is_property = label.startswith("test_") and hasattr(function, "hypothesis")
            if is_property and not inspect.signature(function).parameters:
                properties.append(function.hypothesis.fuzz_one_input)

    def run(data: bytes) -> None:
        if data:
            properties[data[0] % len(properties)](data[1:])

    return run


def main() -> None:
    import atheris

    name = sys.argv.pop(1)
    run = target(name)
    for public in bleuprint.__all__:
        getattr(bleuprint, public)  # imported now, or it would not be instrumented
    # Not by its import hook, which an editable install passes by.
    for function in gc.get_objects():
        if isinstance(function, FunctionType) and str(function.__module__).startswith("bleuprint."):
            atheris.instrument_func(function)
    atheris.Setup(sys.argv, run)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
