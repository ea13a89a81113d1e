"""Mutation testing of the formulas: every small wrong change must make a test fail.

    python -m tools.mutation_testing.mutants [MODULE ...] [--json FILE] [--list]

Each change of `operators.py` is made to a module in memory, and the module's tests (`mutants.toml`) run in a process of
their own. A change that no test notices has to stand in the same file with the reason why it changes nothing anybody
could see; any other ends the run with status 1, and so does a reason for a change that is noticed or no longer made.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
import tomllib
from dataclasses import asdict, dataclass, field
from pathlib import Path

from tools.mutation_testing import operators, running

ROOT = Path(__file__).resolve().parent.parent.parent
SOURCE = ROOT / "src" / "bleuprint"
TABLE = Path(__file__).with_name("mutants.toml")
_TABLES = {"__init__", "profiles", "registry"}  # no formulas


@dataclass
class Figures:
    """What came of a module."""

    made: int = 0
    killed: int = 0
    equivalent: list[str] = field(default_factory=list)
    survived: list[str] = field(default_factory=list)
    stale: list[str] = field(default_factory=list)

    @property
    def fine(self) -> bool:
        return not self.survived and not self.stale


def main() -> int:
    parser = argparse.ArgumentParser(description="Mutation testing of the formulas.")
    parser.add_argument("modules", nargs="*", metavar="MODULE", help="such as smoothing or metrics.bleu; all if none")
    parser.add_argument("--json", type=Path, help="file for the figures; what it says of other modules is kept")
    parser.add_argument("--list", action="store_true", help="print the changes and make none")
    arguments = parser.parse_args()
    table = tomllib.loads(TABLE.read_text(encoding="utf-8"))
    laws = ["tests/laws/test_laws.py", "tests/laws/test_state_laws.py"]  # which a metric is under without a word
    formulas = (file.stem for file in sorted((SOURCE / "metrics").glob("*.py")) if file.stem not in _TABLES)
    tests: dict[str, list[str]] = {f"metrics.{name}": laws for name in formulas} | table["tests"]
    chosen = arguments.modules or list(tests)
    unknown = [name for name in chosen if name not in tests]
    if unknown:
        parser.error(f"not in {TABLE.name}: {', '.join(unknown)}")
    running.preload()
    fine = True
    for name in chosen:
        if arguments.list:
            print("\n".join(f"{name}:{mutant.line}  {mutant.name}" for mutant in operators.mutants(file_of(name))))
            continue
        found = tried(name, tests[name], table["slow"], table.get("equivalent", {}).get(name, {}))
        fine = fine and found.fine
        if arguments.json:
            _keep(arguments.json, name, found)
    return 0 if fine else 1


def tried(name: str, tests: list[str], slow: list[str], explained: dict[str, str]) -> Figures:
    """Makes all changes to a module, one after the other."""
    file, start = file_of(name), time.perf_counter()
    mutants = operators.mutants(file)
    left = running.survivors(running.Subject(f"bleuprint.{name}", file, tests, slow), mutants)
    found = Figures(len(mutants), len(mutants) - len(left))
    for mutant in left:
        if mutant.name in explained:
            found.equivalent.append(mutant.name)
        else:
            found.survived.append(mutant.name)
            print(f"survived: {file.relative_to(ROOT)}:{mutant.line}  {mutant.name}")
    found.stale = [entry for entry in explained if entry not in found.equivalent]
    for entry in found.stale:
        print(f"explained, but killed or no longer made: {name}  {entry}")
    took = time.perf_counter() - start
    counted = f"{found.made} made, {found.killed} killed, {len(found.equivalent)} equivalent"
    print(f"{name}: {counted}, {len(found.survived)} survived ({took:.0f} s)", flush=True)
    return found


def file_of(name: str) -> Path:
    path = SOURCE.joinpath(*name.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


def _keep(file: Path, name: str, found: Figures) -> None:
    kept = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps({**kept, name: asdict(found)}, indent=1, sort_keys=True) + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
