"""What docstrings and the page about Spark show, which elsewhere is left out for want of a session."""

from __future__ import annotations

import doctest
import importlib
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import bleuprint.integrations.spark as package
from tests.support.documents import documents_of, lay_out, relative
from tests.support.markdown import PYTHON, run_document

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@pytest.mark.parametrize("name", package.__all__)
def test_examples_of_functions(spark: SparkSession, name: str) -> None:
    function = getattr(package, name)
    module = importlib.import_module(function.__module__)
    (test,) = doctest.DocTestFinder().find(function, name, module, extraglobs={"spark": spark})
    skipped = [example for example in test.examples if example.options.pop(doctest.SKIP, False)]
    assert skipped
    said: list[str] = []
    doctest.DocTestRunner(verbose=False).run(test, out=said.append)
    assert "".join(said) == ""


# A command starts a Spark of its own, which takes longer than all else here; test_command_line.py has one.
@pytest.mark.parametrize("languages", [PYTHON, pytest.param(None, marks=pytest.mark.slow)], ids=["python", "all"])
@pytest.mark.parametrize("path", documents_of("spark"), ids=relative)
def test_blocks_of_pages(
    path: Path,
    languages: tuple[str, ...] | None,
    spark: SparkSession,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lay_out(tmp_path)
    monkeypatch.chdir(tmp_path)
    assert run_document(path, {"spark": spark}, suite="spark", languages=languages) == ""
