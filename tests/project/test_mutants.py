"""The mutation testing itself: a change is noticed because a test fails, and for no other reason."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from tests.support.cli import NEEDS_POSIX

ROOT = Path(__file__).resolve().parents[2]
RUN = """
import json, sys
from pathlib import Path
from tools.mutation_testing import operators, running

sys.path.insert(0, ".")
file = Path("sums.py").resolve()
subject = running.Subject("sums", file, ["test_sums.py"])
mutants = operators.mutants(file)
unshown = [mutants[at].name for at in running._quickly(subject, mutants).unshown]
print(json.dumps([[mutant.name for mutant in running.survivors(subject, mutants)], unshown]))
"""
MODULE = """
LIMIT = 3

def double(number):
    return 2 * number

def halve(number):
    return number / 2

def larger(first, second):
    return max(first, second)
"""
TESTS = """
from sums import double, larger

def test_double():
    assert double(4) == 8

def test_larger():
    assert larger(2, 1) == larger(1, 2)
"""
FAILING = """
def test_nothing():
    assert False
"""
# As in the settings of all tests: what is frozen is hard to find.
PROFILE = """
import gc

from hypothesis import settings

settings.register_profile("few", max_examples=1)

def pytest_collection_finish():
    gc.freeze()
"""


def survivors(folder: Path, tests: str) -> subprocess.CompletedProcess[str]:
    for name, text in {"sums.py": MODULE, "test_sums.py": tests, "conftest.py": PROFILE}.items():
        (folder / name).write_text(text, encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", RUN]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


@NEEDS_POSIX
def test_what_no_test_notices_survives(tmp_path: Path) -> None:
    """A function that no test enters, a number that none reads, and a result that is never looked at."""
    done = survivors(tmp_path, TESTS)
    assert done.returncode == 0, done.stderr
    survived, unshown = json.loads(done.stdout)
    assert survived == [
        "module: 3 -> 4",
        "halve: number / 2 -> number * 2",
        "halve: 2 -> 3",
        "larger: max(first, second) -> min(first, second)",
    ]
    assert unshown == [], "all of these can be shown without a new process"


@NEEDS_POSIX
def test_tests_that_fail_unchanged_notice_nothing(tmp_path: Path) -> None:
    done = survivors(tmp_path, FAILING)
    assert done.returncode == 1
    assert done.stderr == "sums: its tests do not pass unchanged, or there are none (pytest: 1).\n"
