"""One real Spark on this machine for all tests here."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from bleuprint.integrations.spark.session import local_session

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


# What only pays in long jobs is off: compiling plans, optimizing Java, looking at statistics between stages.
SMALL_JOBS = {
    "spark.driver.memory": "1g",
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
    "spark.default.parallelism": "2",
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.shuffle.partitions": "2",
}


@pytest.fixture(scope="session")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkSession]:
    """Two cores, little memory, and a task may fail three times before its job does."""
    options = {**SMALL_JOBS, "spark.local.dir": str(tmp_path_factory.mktemp("spark"))}
    session = local_session("local[2,4]", options, quiet=True)
    yield session
    session.stop()


@pytest.fixture
def spark_configuration(tmp_path: Path) -> Path:
    """A folder for SPARK_CONF_DIR: the same settings for a Spark that a command starts."""
    settings = "".join(f"{name} {value}\n" for name, value in SMALL_JOBS.items())
    (tmp_path / "spark-defaults.conf").write_text(settings, encoding="utf-8")
    return tmp_path
