"""Start Spark sessions for the command line and the tests."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING

from bleuprint.errors import InputError, OptionError
from bleuprint.integrations.spark._columns import require_spark

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

__all__ = ["local_session"]

_DEFAULTS = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.log.level": "OFF",
}


def local_session(master: str, options: Mapping[str, str] | None = None, *, quiet: bool = False) -> SparkSession:
    """A session at a master, local or by URL; local workers run this Python interpreter.

    If Java is missing or the master does not answer, raises an error of one line. With `quiet`, anything Java writes to
    standard error is discarded, now and later.
    """
    require_spark()
    from pyspark.sql import SparkSession

    if not re.fullmatch(r"local(\[[^]]+\])?|yarn|(spark|k8s)://.+", master):
        raise OptionError("master", "local[*], local[N], spark://HOST:PORT, yarn or k8s://URL", master)
    if shutil.which("java") is None and not os.environ.get("JAVA_HOME"):
        raise InputError(
            "Spark needs Java 17 or newer, which is not installed; "
            "on Debian or Ubuntu: apt-get install openjdk-17-jre-headless."
        )
    if master.startswith("local"):
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = SparkSession.builder.appName("bleuprint").master(master)
    for name, value in {**_DEFAULTS, **(options or {})}.items():
        builder = builder.config(name, value)
    with one_line(f"cannot start a Spark session at {master}"), _silence() if quiet else nullcontext():
        return builder.getOrCreate()


@contextmanager
def one_line(problem: str) -> Iterator[None]:
    """Reduce Spark's failures, which are pages of Java, to their first line, which says what happened."""
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException

    try:
        yield
    except (PySparkException, Py4JError) as error:
        line = next((line for line in str(error).splitlines() if line.strip()), type(error).__name__)
        raise InputError(f"{problem}: {line}") from None


@contextmanager
def _silence() -> Iterator[None]:
    """Discard the standard error of processes started within this context."""
    kept, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)
