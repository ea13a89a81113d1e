"""Runs the cases that are named on the command line; started by tests/hostile/running.py."""

from __future__ import annotations

import sys

from tests.hostile.battery import CASES
from tests.hostile.running import serve

if __name__ == "__main__":
    serve(CASES, sys.argv[1:])
