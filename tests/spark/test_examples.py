"""What docstrings and the page about Spark show, which elsewhere is left out for want of a session."""

from __future__ import annotations

import doctest
import importlib
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import bleuprint.integrations.spark as package
from tests.markdown import failures_of

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "spark.md"


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


def test_examples_of_the_page(spark: SparkSession) -> None:
    assert failures_of(DOCUMENT, {"spark": spark}) == ""
