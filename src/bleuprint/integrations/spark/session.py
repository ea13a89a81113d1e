"""Sessions for those who have none: the command line and the tests."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING

from bleuprint.errors import InputError
from bleuprint.integrations.spark._columns import require_spark

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

__all__ = ["local_session"]

_USUAL = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.log.level": "OFF",
}


def local_session(master: str, options: Mapping[str, str] | None = None) -> SparkSession:
    """A quiet session at a master, local or by its URL, whose local workers run this very Python.

    Where Java is missing or the master does not answer, the error says so in one line.
    """
    require_spark()
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException
    from pyspark.sql import SparkSession

    if shutil.which("java") is None and not os.environ.get("JAVA_HOME"):
        raise InputError(
            "Spark needs Java 17 or newer and there is none; on Debian or Ubuntu: apt-get install openjdk-17-jre-headless."
        )
    if master.startswith("local"):
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = SparkSession.builder.appName("bleuprint").master(master)
    for name, value in {**_USUAL, **(options or {})}.items():
        builder = builder.config(name, value)
    try:
        return builder.getOrCreate()
    except (PySparkException, Py4JError) as error:
        line = str(error).strip().partition("\n")[0]
        raise InputError(f"no Spark session could be started at {master}: {line}") from None
