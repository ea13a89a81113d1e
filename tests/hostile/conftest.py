"""The battery needs the limits and signals of Linux."""

from __future__ import annotations

import sys

collect_ignore_glob = [] if sys.platform.startswith("linux") else ["test_*.py"]
