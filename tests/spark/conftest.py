"""One real Spark on this machine for all tests here."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from bleuprint.integrations.spark.session import local_session

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@pytest.fixture(scope="session")
def spark() -> Iterator[SparkSession]:
    """Two cores, little memory, and a task may fail three times before its job does."""
    options = {"spark.driver.memory": "1g", "spark.sql.shuffle.partitions": "3", "spark.default.parallelism": "2"}
    session = local_session("local[2,4]", options, quiet=True)
    yield session
    session.stop()
