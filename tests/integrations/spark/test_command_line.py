"""`bleuprint score --engine spark`: the same table, and failures of one line. In processes of their own, as a user has
it: the session of the other tests must not be the one that is used."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bleuprint.errors import InputError, OptionError
from bleuprint.integrations.spark.session import local_session
from tests.support.cli import assert_one_line, invoke, sample, start

FILES = (sample("system-a"), sample("system-b"), "-r", sample("ref-1"), "-r", sample("ref-2"), "-s", sample("source"))


def test_the_table_is_that_of_one_machine(tmp_path: Path, spark_configuration: Path) -> None:
    arguments = ["score", *FILES, "-m", "bleu,ibleu,rouge,self-bleu,cross-bleu"]
    alone = start(arguments)
    stored = tmp_path / "result.json"
    on_spark = [*arguments, "--engine", "spark", "--master", "local[2]", "--json", str(stored)]
    shown = start(on_spark, SPARK_CONF_DIR=str(spark_configuration))
    assert shown.stderr == b""
    assert shown.returncode == 0
    assert shown.stdout == alone.stdout
    assert json.loads(stored.read_text())["systems"][1]["name"] == "system-b"


def test_failures_are_one_line() -> None:
    for arguments, expected in (
        (["--engine", "spark", "-m", "nist"], "nist must read all references before scoring; remove --engine spark"),
        (["--engine", "spark", "--master", "nowhere"], "master must be local[*], local[N], spark://HOST:PORT"),
        (["--engine", "spark", "--sentence-level"], "--engine spark computes corpus scores only"),
        (["--engine", "spark", "--threads", "2"], "--threads does not apply to --engine spark"),
        (["--master", "local[2]"], "--master needs --engine spark"),
    ):
        shown = invoke("score", *FILES, *arguments)
        assert (shown.exit_code, shown.stdout) == (2, "")
        assert_one_line(shown.stderr, expected)


def test_a_master_that_is_none_and_a_machine_without_java(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(OptionError, match="master must be"):
        local_session("mesos")
    monkeypatch.setattr("bleuprint.integrations.spark.session.shutil.which", lambda name: None)
    monkeypatch.delenv("JAVA_HOME", raising=False)
    with pytest.raises(InputError, match="Spark needs Java 17 or newer, which is not installed"):
        local_session("local[2]")
